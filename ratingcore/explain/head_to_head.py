"""Finds the results in which two players were on different sides, and who finished ahead."""

from collections.abc import Iterable
from typing import NamedTuple, Self

import numpy as np

from ratingcore.columns.games import Ints
from ratingcore.columns.scores import Score, ahead_of
from ratingcore.columns.sides import Sides
from ratingcore.explain.history import Words, expected_by, met
from ratingcore.lists.policy import cell
from ratingcore.replay.replay import Replay


class Record(NamedTuple):
    """Results won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @classmethod
    def of(cls, ahead: Iterable[int]) -> Self:
        """Counts how often a player finished ahead of another (1), level (0) and behind (-1)."""
        each = list(ahead)
        return cls(each.count(1), each.count(0), each.count(-1))

    @property
    def games(self) -> int:
        """Number of results."""
        return sum(self)

    def __str__(self) -> str:
        return f"{self.won} won, {self.drawn} drawn, {self.lost} lost"


class Encounter(NamedTuple):
    """A result of two players against each other, from the view of one of them, with ratings before it."""

    played: str
    uid: str
    position: int
    ahead: int
    score: Score | None
    other_score: Score | None
    expected: float | None
    rating: float | None
    other_rating: float | None
    change: float | None


def opponents(replay: Replay, seats: Ints) -> Ints:
    """Returns (3, n) int, a column per pair of opponents: the seat, the opponent's seat, and who finished ahead.

    Seats are indices of members of the results. The third row is 1 if the first finished ahead, -1 if the opponent
    did, and 0 if they were level.
    """
    results = replay.results
    if not isinstance(results, Sides):
        share = results.score[seats // 2]
        return np.stack([seats, seats ^ 1, ahead_of(share, 1.0 - share) * np.where(seats % 2, -1, 1)])
    result = replay.result_of(seats)
    begin, size = replay.member_start[result], np.diff(replay.member_start)[result]
    own = np.repeat(seats, size)
    other = np.arange(len(own)) + np.repeat(begin - np.cumsum(size) + size, size)
    side, across = (np.searchsorted(results.side, one, "right") - 1 for one in (own, other))
    found = np.stack([own, other, ahead_of(results.score[side], results.score[across])])
    return found[:, side != across]


def between(replay: Replay, one: int, other: int) -> Ints:
    """Returns the columns of `opponents` for two players against each other, given by their rows in the state."""
    found = opponents(replay, np.flatnonzero(replay.member == one))
    return found[:, replay.member[found[1]] == other]


def encounters(replay: Replay, found: Ints, uids: Iterable[str]) -> tuple[Encounter, ...]:
    """Describes the results in these columns of `opponents`, in order of play, with their uids."""
    assert replay.moves is not None
    own, other, ahead = found
    result, before = replay.result_of(own), replay.ratings_before
    (_, score, side), (_, other_score, _) = (met(replay, seats, Words()) for seats in (own, other))
    numbers = expected_by(replay, side), before(own), before(other), replay.moves.change[own]
    played, position = replay.results.played[result].tolist(), replay.results.position[result].tolist()
    columns = (
        map(replay.view.clock.iso, played), uids, position, ahead.tolist(), score.tolist(), other_score.tolist(),
        *(map(cell, column.tolist()) for column in numbers),
    )  # fmt: skip
    return tuple(map(Encounter, *columns))
