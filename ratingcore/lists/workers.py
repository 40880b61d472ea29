"""Workers of joblib that share work on one log: each opens the log by its address, and reads it up to one head.

Methods are sent as values, so that a worker rates by exactly the requested method and needs no registry.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from attrs import frozen

from ratingcore.columns import View
from ratingcore.columns.slices import pool_of
from ratingcore.errors import BadValue
from ratingcore.events import Instant
from ratingcore.lists.cuts import position
from ratingcore.log import Head, Log
from ratingcore.log.address import Address
from ratingcore.methods import Method
from ratingcore.registry import Registry
from ratingcore.registry.stores import open_log
from ratingcore.replay.caches import Columns, folder_of

MOST = 1_000
"""Largest number of workers."""

Part = TypeVar("Part")
Done = TypeVar("Done")


@frozen
class Pinned:
    """Address of a log and one of its heads; a worker that opens the log ignores events after this head.

    Parameters
    ----------
    address : Address
    head : Head
    """

    address: Address
    head: Head

    @contextmanager
    def opened(self) -> "Iterator[Opened]":
        """Opens the log, and the columns that this machine caches for it.

        Raises
        ------
        BadCut
            If the log at that address has another history.
        NoSuchLog, LogUnavailable
        """
        with open_log(self.address, read_only=True) as log:
            columns = Columns(log, folder_of(log))
            columns.method_of = _installed
            yield Opened(log, columns, position(log, self.head))


def _installed(text: str) -> Method:
    """Returns the installed method of a text; needed for pools from which newcomers get their first ratings."""
    return Registry.installed().method(text)


@frozen(eq=False)
class Opened:
    """A log opened by a worker, as it was at one position."""

    log: Log
    columns: Columns
    position: int

    def view(self, pool: str, through: Instant) -> View:
        """Returns the view of a pool at the position."""
        number, part = pool_of(self.log.book, pool)
        return self.columns.view(number, through, self.position, part=part)


def workers(jobs: int | None, parts: int = MOST) -> int:
    """Returns the number of workers for some parts of work; with one worker, all work is done in this process.

    Parameters
    ----------
    jobs : int or None
        Number of workers as joblib counts them; None leaves it to the user's `joblib.parallel_config`.
    parts : int
        Number of parts, the largest useful number of workers.
    """
    if jobs is not None and not -MOST <= jobs <= MOST:
        raise BadValue("jobs", jobs, f"must be at most {MOST}")
    from joblib import effective_n_jobs  # type: ignore[import-untyped]  # joblib has no types

    return min(int(effective_n_jobs(jobs)), parts) if parts > 1 else 1


def run_parts(work: Callable[[Part], Done], parts: Sequence[Part], count: int) -> Iterator[Done]:
    """Yields the results of the parts in order; some backends return all of them at the end."""
    from joblib import Parallel, delayed

    try:
        parallel = Parallel(n_jobs=count, return_as="generator")
    except ValueError:  # a backend that returns them all at the end
        parallel = Parallel(n_jobs=count)
    yield from parallel([delayed(work)(part) for part in parts])
