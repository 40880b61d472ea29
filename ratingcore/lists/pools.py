"""Rating lists of many pools of one log, made by workers."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve, frozen
from attrs import fields as attrs_of

from ratingcore.columns.log_history import NameBook
from ratingcore.events import Instant
from ratingcore.lists.compilation import rating_list
from ratingcore.lists.policy import ListPolicy
from ratingcore.lists.rating_list import RatingList
from ratingcore.lists.workers import Opened, Pinned, run_parts
from ratingcore.methods import Method
from ratingcore.methods.wrapped import failing
from ratingcore.read_only import ReadOnly
from ratingcore.replay import stand

SHARES = 4
"""Number of shares of work per worker: with several, a large pool delays few others, and progress can be reported."""


@frozen
class PoolsQuestion:
    """Request for the lists of many pools, in the form that is sent to workers.

    Parameters
    ----------
    log : Pinned
    method : Method
    through : int
    policy : ListPolicy
    top : int or None
    version : str
        Version of ratingcore.
    pools : tuple of str
    """

    log: Pinned
    method: Method
    through: Instant
    policy: ListPolicy
    top: int | None
    version: str
    pools: tuple[str, ...] = ()


def lists_by_workers(request: PoolsQuestion, count: int, people: NameBook) -> Iterator[tuple[str, RatingList]]:
    """Yields pools with their lists, made by workers.

    Parameters
    ----------
    request : PoolsQuestion
    count : int
        Number of workers.
    people : NameBook
        Names of the players, from this process: workers send no names.
    """
    shares = min(len(request.pools), count * SHARES)
    parts = [evolve(request, pools=request.pools[share::shares]) for share in range(shares)]
    for part, made in zip(parts, run_parts(lists_made, parts, count), strict=True):
        yield from ((pool, _unpacked(one, people)) for pool, one in zip(part.pools, made, strict=True))


def lists_made(request: PoolsQuestion) -> list[dict[str, object]]:
    """Makes the lists of pools, without names, in the form that a worker sends back.

    Raises
    ------
    BadCut
        If the log at the address has another history.
    """
    with request.log.opened() as opened:
        return [_packed(_list_of(request, opened, pool)) for pool in request.pools]


def _list_of(request: PoolsQuestion, opened: Opened, pool: str) -> RatingList:
    view = opened.view(pool, request.through)
    with failing(request.method):
        standing = stand(request.method, view, opened.columns.checkpoints_of(view))
        return rating_list(standing, request.version, request.policy, request.top)


def _packed(made: RatingList) -> dict[str, object]:
    """Returns the fields of a list without names, in the form that a worker sends back."""
    fields = {field.name: getattr(made, field.name) for field in attrs_of(RatingList) if field.name != "people"}
    return fields | {"values": dict(made.values), "exact": dict(made.exact)}


def _unpacked(sent: Mapping[str, Any], people: NameBook) -> RatingList:
    values, exact = ReadOnly(sent["values"]), ReadOnly(sent["exact"])
    return RatingList(**{**sent, "people": people, "values": values, "exact": exact})
