"""A tournament: its players, and their ratings when they entered it."""

from math import nan

import numpy as np
from attrs import frozen

from ratingcore.columns.games import Floats, Ints, frozen_array
from ratingcore.columns.sides import Sides
from ratingcore.columns.view import View
from ratingcore.errors import UnknownName
from ratingcore.events import Clock, Instant, clock
from ratingcore.methods.contract import Method
from ratingcore.replay import replay_with_forecasts
from ratingcore.replay.checkpoint_store import Checkpoints
from ratingcore.replay.replay import Replay
from ratingcore.safe_text import Filled
from ratingcore.spelling import spelt_like


@frozen(eq=False)
class Tournament:
    """A tournament (the results with one `event`), with each player's rating before their first result in it.

    Parameters
    ----------
    event : str
    first, last : int, microseconds since 1970
        When its first and its last result were played.
    results : int
    player : tuple of str
        In the order in which they first played.
    rating : (n,) float64, rating points
        Rating of each player just before their first result in it; NaN for the unrated.
    zone : str
        Time zone of its times; empty for UTC.
    """

    event: str
    first: Instant
    last: Instant
    results: int
    player: tuple[str, ...]
    rating: Floats
    zone: str = ""

    @property
    def rated(self) -> int:
        """Number of rated players."""
        return int(np.count_nonzero(np.isfinite(self.rating)))

    @property
    def mean(self) -> float:
        """Mean rating of the rated players; NaN without any."""
        return float(np.mean(self.rating[np.isfinite(self.rating)])) if self.rated else nan

    @property
    def clock(self) -> Clock:
        """The clock in which its times are given."""
        return clock(self.zone)


def tournament(
    method: Method, view: View, event: str, since: Instant | None = None, checkpoints: Checkpoints | None = None
) -> Tournament:
    """Finds a tournament in a view, with the ratings of its players by a method.

    Its results are those since an instant whose field `event` has this value. A player whose first result in it is not
    rated yet, because its period is still open, has their current rating.

    Raises
    ------
    UnknownName
        If no result of the view names this event; the error suggests similar names.
    MethodError
    """
    results = view.sides((), method.name)
    codes, labels = view.labels("event", results.position)
    which = np.flatnonzero(np.isin(codes, [code for code, label in enumerate(labels, 1) if str(label) == event]))
    if since is not None:
        which = which[results.played[which] >= since]
    if not len(which):
        known = sorted({str(labels[code - 1]) for code in np.unique(codes).tolist() if code})
        near = spelt_like(event, known) or known[:3]
        raise UnknownName("event", Filled("{key} in pool {pool} at this cut", key=event, pool=view.pool), tuple(near))
    chosen = results.take(which)
    first, last = int(chosen.played[0]), int(chosen.played[-1])
    row, position = _entered(chosen)
    # later results do not change ratings before them
    begin = None if checkpoints is None else (first, checkpoints)
    rating = _before(replay_with_forecasts(method, view.cut(last), since=begin), row, position)
    names = tuple(view.name(one) for one in row.tolist())
    return Tournament(event, first, last, len(which), names, frozen_array(rating), view.zone)


def _entered(results: Sides) -> tuple[Ints, Ints]:
    """Returns every player and the position of their first result, in order of play."""
    member_start = results.side[results.result]
    row, first = np.unique(results.player, return_index=True)
    order = np.argsort(first, kind="stable")
    result = np.searchsorted(member_start, first[order], "right") - 1
    return row[order], results.position[result]


def _before(replay: Replay, row: Ints, position: Ints) -> Floats:
    """Returns each player's rating just before the result at a position, or their current one if that is not rated."""
    at = replay.results.position
    by = np.argsort(at, kind="stable")
    place = np.searchsorted(at[by], position)
    rated = np.append(at[by], -1)[place] == position
    result, state = np.append(by, -1)[place], replay.state["rating"]
    seats = np.full(len(row), -1)
    for n in np.flatnonzero(rated).tolist():
        start, end = replay.member_start[result[n]], replay.member_start[result[n] + 1]
        seats[n] = start + np.flatnonzero(replay.member[start:end] == row[n])[0]
    rating = np.append(state, nan)[np.minimum(row, len(state))]
    rating[rated] = replay.ratings_before(seats[rated])
    return rating
