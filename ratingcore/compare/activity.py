"""Activity of a pool, period by period: results, active players, and how well results connect them."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns.arrays import Ints
from ratingcore.columns.view import View
from ratingcore.events import Instant
from ratingcore.lists.policy import Window
from ratingcore.network.summary import Network, Seats, network


class PeriodActivity(NamedTuple):
    """The results of one period, and the players who were active at its end.

    A player is active who has a result in the period or in the window before its end.

    Parameters
    ----------
    start, end : int
        The period, half-open.
    results : int
    players : int
        Number of players who took part in them.
    median : float or None
        Median number of results of those players; None if nobody played.
    debuts : int
        Number of players whose first result is in the period.
    active : (n,) int
        Rows of the active players.
    network : Network
        How the results of the window connect them.
    """

    start: Instant
    end: Instant
    results: int
    players: int
    median: float | None
    debuts: int
    active: Ints
    network: Network


@frozen(eq=False)
class Activity:
    """What was played in a pool, period by period.

    Parameters
    ----------
    window : Window
        How long a player stays active without a result.
    periods : tuple of PeriodActivity
    """

    window: Window
    periods: tuple[PeriodActivity, ...]

    @property
    def columns(self) -> Mapping[str, NDArray[Any]]:
        """A row a period, NaN where something is not defined."""
        periods, nets = self.periods, [period.network for period in self.periods]
        return MappingProxyType(
            {
                "start": np.array([p.start for p in periods], dtype="M8[us]"),
                "end": np.array([p.end for p in periods], dtype="M8[us]"),
                "results": _whole([p.results for p in periods]),
                "players": _whole([p.players for p in periods]),
                "median": _real([p.median for p in periods]),
                "debuts": _whole([p.debuts for p in periods]),
                "active": _whole([len(p.active) for p in periods]),
                "components": _whole([net.components for net in nets]),
                "largest": _real([net.largest for net in nets]),
                "bridges": _real([net.bridges for net in nets]),
                "algebraic": _real([net.algebraic for net in nets]),
            }
        )


def activity(view: View, edges: Ints, window: Window) -> Activity:
    """What was played in a pool, period by period.

    Parameters
    ----------
    edges : (n + 1,) int64
        Period `i` is `edges[i]` to before `edges[i + 1]`.
    window : Window
        How long a player stays active without a result.
    """
    return Activity(window, tuple(_periods(view, edges, window)))


def _periods(view: View, edges: Ints, window: Window) -> Iterator[PeriodActivity]:
    seats, debut = Seats(view), view.timeline.players.debut[: view.n_players]
    for start, end in pairwise(edges.tolist()):
        a, b, session, seated = seats.between(start, end)
        counts = np.bincount(np.concatenate([a, b, seated]), minlength=view.n_players)
        counts = counts[counts > 0]
        recent = seats.between(min(start, window.start(end - 1)), end)
        yield PeriodActivity(
            start,
            end,
            len(a) + int(session.max(initial=-1)) + 1,
            len(counts),
            float(np.median(counts)) if len(counts) else None,
            int(np.count_nonzero((debut >= start) & (debut < end))),
            np.unique(np.concatenate([recent[0], recent[1], recent[3]])),
            network(*recent),
        )


def _whole(numbers: list[int]) -> NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64)


def _real(numbers: list[float | None] | list[int | None]) -> NDArray[np.float64]:
    return np.array(numbers, dtype=np.float64)
