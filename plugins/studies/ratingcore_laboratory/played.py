"""The results of a round by ids of players, their times, and their conversion to the columns that methods read."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from ratingcore.plugin import BadField, Floats, Games, Ints, Method, MissingField, Need, Sides, Span
from ratingcore.plugin.analysis import Instant, frozen_array
from ratingcore_laboratory.results import POINTS

PERCENT = {"unit": "percent"}
"""Fields of a simulated session."""


@frozen(eq=False)
class Played:
    """Results in the order of play.

    Parameters
    ----------
    a, b : (n, seats) int32
        Ids of the members of both sides.
    score : (n,) float64
        Score of `a`: share of the point in a game, a percentage if sides have several players.
    at : (n,) int64, microseconds since 1970
    margin : (n,) float64 or None, points
        By how many points `a` won, negative if `b` won; None if games have no points.
    """

    a: Ints
    b: Ints
    score: Floats
    at: Ints
    margin: Floats | None = None

    def __len__(self) -> int:
        return len(self.score)

    @classmethod
    def joined(cls, parts: Sequence["Played"]) -> "Played":
        """Results of several parts, one after another; there must be at least one part."""
        if len(parts) == 1:
            return parts[0]
        margins = [part.margin for part in parts if part.margin is not None]
        a, b, score, at = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("a", "b", "score", "at")
        )
        return cls(a, b, score, at, np.concatenate(margins) if len(margins) == len(parts) else None)

    @property
    def points(self) -> dict[str, Floats]:
        """Points of both sides by field; empty where games have none."""
        if self.margin is None:
            return {}
        return {name: np.maximum(sign * self.margin, 0.0) for name, sign in zip(POINTS, (1.0, -1.0), strict=True)}

    @property
    def seats(self) -> int:
        """Number of players on a side."""
        return int(self.a.shape[1])

    @property
    def members(self) -> Ints:
        """Ids of all members, result by result, `a` before `b`."""
        return np.concatenate([self.a, self.b], axis=1).ravel()

    def columns(self, method: Method, row: Ints, players: int, span: Span, position: int) -> Games | Sides:
        """The results as `Games` or `Sides`, as the method reads them.

        Parameters
        ----------
        row : (ids,) int32
            Row of each player in the state of the method.
        players : int
            Rows of the state.
        position : int
            Log position of the first result.
        """
        places = np.arange(position, position + len(self))
        given = PERCENT if self.seats > 1 else {}
        facts = {need.name: self._fact(need, given, method.name) for need in method.needs if need.of == "result"}
        people = {
            need.name: np.full(players, default(need, method.name)) for need in method.needs if need.of == "player"
        }
        if self.seats == 1:
            a, b = row[self.a[:, 0]], row[self.b[:, 0]]
            games = Games(
                frozen_array(a), frozen_array(b), frozen_array(self.score), frozen_array(self.at),
                frozen_array(places), span, facts, people,
            )  # fmt: skip
            return Sides.of(games, self._members(method)).frozen() if method.reads is Sides else games
        score = np.stack([self.score, 100.0 - self.score], axis=1).ravel()
        sides = np.arange(0, 2 * len(self) + 1, 2), np.arange(0, 2 * len(self) * self.seats + 1, self.seats)
        members = self._members(method)
        return Sides(*sides, row[self.members], score, self.at, places, span, facts, people, members=members).frozen()

    def _members(self, method: Method) -> dict[str, Floats]:
        """The fields of members that the method needs."""
        wanted = [need for need in method.needs if need.of == "member"]
        return {need.name: np.full(2 * self.seats * len(self), default(need, method.name)) for need in wanted}

    def _fact(self, need: Need, given: dict[str, str], method: str) -> Floats:
        if need.name in POINTS and self.margin is not None:
            return self.points[need.name]
        if need.name not in given:
            return np.full(len(self), default(need, method))
        word = given[need.name]
        if need.labels:
            return np.zeros(len(self))
        if word not in need.words:
            raise BadField(method, need.name, word, "a simulated result", f"must be one of {', '.join(need.words)}")
        return np.full(len(self), need.words[word])


def default(need: Need, method: str) -> float:
    """Default of a field that simulated results and players do not have."""
    if need.default is None:
        raise MissingField(method, need.name, need.of, f"a simulated {need.of}")
    return need.default


FIRST = np.datetime64("2000-01", "M")


def month(round_: int) -> Span:
    """The month of a round, counted from 1; round 0 is the month before the first.

    Examples
    --------
    >>> from ratingcore.plugin.analysis import iso
    >>> iso(month(1).start), iso(month(1).end)
    ('2000-01-01', '2000-02-01')
    """
    start, end = ((FIRST + round_ - 1 + more).astype("M8[us]").astype(np.int64) for more in (0, 1))
    return Span(int(start), int(end))


def opening(round_: int) -> Instant:
    """Instant at which players who join at the end of a round are seeded; for round 0, the start of the first month."""
    span = month(round_)
    return month(1).start if round_ == 0 else span.start + 9 * ((span.end - span.start) // 10)


def spread(start: Instant, end: Instant, count: int) -> Ints:
    """Instants of `count` results, one after another, from the start to before the end."""
    step = max((end - start) // (count + 1), 1)
    return start + step * np.arange(1, count + 1)
