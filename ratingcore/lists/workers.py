"""Work on one log shared among workers of joblib: they open it by its address and see it as it was at one head."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from attrs import frozen

from ratingcore.columns import View
from ratingcore.errors import BadValue
from ratingcore.events import Instant
from ratingcore.lists.cuts import position
from ratingcore.log import Head, Log
from ratingcore.log.address import Address
from ratingcore.log.store_choice import open_log
from ratingcore.methods import Method
from ratingcore.methods.entry import Entering
from ratingcore.registry import Registry
from ratingcore.replay.caches import Columns, folder_of

MOST = 1_000
"""Workers at most."""

Part = TypeVar("Part")
Done = TypeVar("Done")


@frozen
class Pinned:
    """A log as it was at one head, wherever it is opened: what is appended later does not show.

    Parameters
    ----------
    address : Address
    head : Head
    """

    address: Address
    head: Head

    @contextmanager
    def opened(self) -> "Iterator[Opened]":
        """The log and the columns that this machine keeps of it.

        Raises
        ------
        BadCut
            If the log at that address has another history.
        NoSuchLog, LogUnavailable
        """
        with open_log(self.address, read_only=True) as log:
            yield Opened(log, Columns(log, folder_of(log)), position(log, self.head))


@frozen(eq=False)
class Opened:
    """A log that a worker has open, as it was at one position."""

    log: Log
    columns: Columns
    position: int

    def view(self, pool: str, through: Instant) -> View:
        """What was known of a pool at the position."""
        return self.columns.view(self.log.number_of("pool", pool), through, self.position)


def workers(jobs: int | None) -> int:
    """How many workers there are: those of the user's `joblib.parallel_config` for None, which may be one.

    Parameters
    ----------
    jobs : int or None
        As joblib counts them.
    """
    if jobs is not None and not -MOST <= jobs <= MOST:
        raise BadValue("jobs", jobs, f"is more than {MOST} workers")
    from joblib import effective_n_jobs  # type: ignore[import-untyped]  # joblib has no types

    return int(effective_n_jobs(jobs))


def installed(methods: Sequence[Method]) -> bool:
    """Whether a worker finds the methods by their texts."""
    found = Registry.installed().methods
    kinds = (type(one.method if isinstance(one, Entering) else one) for one in methods)
    return all(found.get(kind.name) is kind for kind in kinds)


def spread(work: Callable[[Part], Done], parts: Sequence[Part], count: int) -> Iterator[Done]:
    """What workers make of each part, in order, each as soon as it is there where the backend can say so."""
    from joblib import Parallel, delayed

    try:
        parallel = Parallel(n_jobs=count, return_as="generator")
    except ValueError:  # a backend that hands all of it over at the end
        parallel = Parallel(n_jobs=count)
    yield from parallel([delayed(work)(part) for part in parts])
