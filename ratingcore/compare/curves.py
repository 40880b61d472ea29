"""Ratings over time: the curves of chosen players under every method, and how ratings are distributed."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np

from ratingcore.columns import Floats, Ints, View
from ratingcore.compare.played_games import Played
from ratingcore.compare.spans import spans
from ratingcore.events import DAY, Instant

FOLLOWED = 5
"""Players who are drawn unless some are chosen."""
BINS = 30
"""Bins of a distribution."""

Seen = Callable[[int, Floats], None]


class Watch(Protocol):
    """Calls back with the ratings, and the deviations, that a method lists at each of some instants."""

    def __call__(self, instants: Sequence[Instant], seen: Seen, deviation: Seen | None = None) -> None: ...


def busiest(played: Played, n: int = FOLLOWED) -> list[int]:
    """Rows of the players with most results, most first."""
    count = played.view.played_counts()
    return [row for row in np.argsort(-count, kind="stable")[:n].tolist() if count[row]]


def instants(view: View) -> Ints:
    """The last instant of each calendar period of a view; the cut of the view is the last one."""
    _, edges = spans(view)
    inside = edges[1:-1] - 1
    return np.append(inside[inside < view.through], view.through) if len(edges) else edges


def curves(view: View, watches: Mapping[str, Watch], rows: Sequence[int]) -> dict[str, Any]:
    """The rating of each player on the list of each period end, under each method, and the deviation where one has it.

    Parameters
    ----------
    view : View
    watches : mapping of method text to callable
    rows : sequence of int
        Players whose ratings are wanted.
    """
    at, names = instants(view), [view.name(row) for row in rows]
    last = view.last_happened
    days = at.copy()
    if len(at) and last is not None:
        days[-1] = min(int(at[-1]), last)  # a list of everything is dated by the last event
    days = days // DAY * DAY
    method: list[str] = []
    parts: list[Floats] = []
    deviations: list[Floats] = []
    for text, watch in watches.items():
        seen, deviation = (np.full((len(at), len(rows)), np.nan) for _ in range(2))
        watch(at.tolist(), partial(_keep, rows, seen), partial(_keep, rows, deviation))
        method += [text] * seen.size
        parts.append(seen.T.ravel())
        deviations.append(deviation.T.ravel())
    made = {
        "method": tuple(method),
        "player": tuple(name for _ in watches for name in names for _ in at),
        "at": np.tile(days, len(names) * len(watches)).astype("M8[us]"),
        "rating": _joined(parts),
    }
    known = _joined(deviations)
    return made | {"deviation": known} if np.isfinite(known).any() else made


def _keep(rows: Sequence[int], columns: Floats, number: int, listed: Floats) -> None:
    columns[number] = listed[list(rows)]


def distributions(ratings: Mapping[str, Floats]) -> dict[str, Any]:
    """Number of players in each of equal bins of rating, under each method.

    Parameters
    ----------
    ratings : mapping of method text to (players,) float64
        NaN for the unrated.
    """
    method: list[str] = []
    low: list[Floats] = []
    high: list[Floats] = []
    players: list[int] = []
    for text, rating in ratings.items():
        rated = rating[np.isfinite(rating)]
        if not len(rated):
            continue
        count, edges = np.histogram(rated, bins=BINS)
        method += [text] * len(count)
        low.append(edges[:-1])
        high.append(edges[1:])
        players += count.tolist()
    return {"method": tuple(method), "low": _joined(low), "high": _joined(high), "players": tuple(players)}


def _joined(parts: Sequence[Floats]) -> Floats:
    return np.concatenate(parts) if parts else np.empty(0)
