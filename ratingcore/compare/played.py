"""The games and sessions of a view that methods forecast, and the burn-in: results that are rated but not scored."""

from functools import cached_property
from typing import Literal

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints, View
from ratingcore.errors import NotOneOf, UnknownName
from ratingcore.events import DAY, Instant
from ratingcore.methods.contract import Bools
from ratingcore.methods.kernels import kernel
from ratingcore.replay.fold import MONTH


@frozen(eq=False)
class Played:
    """The games of a view, in order of play, without sessions.

    Parameters
    ----------
    a, b : (n,) int
        Rows of the players.
    score : (n,) float64 in [0, 1]
        Share of the point that `a` took.
    played : (n,) int64, microseconds since 1970
    position : (n,) int64
        Place of each game in the log.
    view : View
    clusters : str
        Field of results; errors of games with the same value may be correlated. Empty for clusters of players and
        months.
    """

    a: Ints
    b: Ints
    score: Floats
    played: Ints
    position: Ints
    view: View
    clusters: str = ""

    @classmethod
    def of(cls, view: View, clusters: str = "") -> "Played":
        """The games of a view."""
        games = view.timeline.table.part(0, view.n_games)
        return cls(games.a, games.b, games.score, games.played, games.position, view, clusters)

    def __len__(self) -> int:
        return len(self.a)

    @cached_property
    def block(self) -> Ints:
        """The cluster of each game; without a field, its calendar month (UTC), counted from that of the first game."""
        return _blocks(self)

    @cached_property
    def experience(self) -> Ints:
        """(n,) int: number of earlier games of the less experienced player of each game."""
        fewer = np.empty(len(self), dtype=np.int64)
        _count(self.a, self.b, np.zeros(self.view.n_players, dtype=np.int64), fewer)
        return fewer

    @property
    def seats(self) -> tuple[Ints, Ints]:
        """For every seat, a player in a game: the index of the game, and the row of the player."""
        return np.tile(np.arange(len(self)), 2), np.concatenate([self.a, self.b])


def _starts(size: Ints) -> Ints:
    """Returns where each part of these sizes begins, and where the last part ends."""
    return np.concatenate([[0], np.cumsum(size)])


def _blocks(results: "Played | PlayedSessions") -> Ints:
    """Numbers the clusters of results: field values, days or months. Without a value, a result is its own cluster.

    Raises
    ------
    UnknownName
        If no result has the field.
    """
    name = results.clusters
    if not name:
        return _months(results.played)
    if name == "day":
        return np.asarray((results.played - results.played.min(initial=0)) // DAY)
    code, values = results.view.labels(name, results.position)
    if not values:
        raise UnknownName("field of results", f"{name} in pool {results.view.pool}")
    return np.where(code > 0, code - 1, len(values) + np.arange(len(code)))


def _months(played: Ints) -> Ints:
    if not len(played):
        return np.empty(0, dtype=np.int64)
    edges = MONTH.edges(int(played[0]), int(played[-1]))
    return np.repeat(np.arange(len(edges) - 1), np.diff(np.searchsorted(played, edges)))


@kernel
def _count(a: Ints, b: Ints, seen: Ints, fewer: Ints) -> None:
    for g in range(len(a)):
        i, j = a[g], b[g]
        fewer[g] = min(seen[i], seen[j])
        seen[i] += 1
        seen[j] += 1


@frozen
class BurnIn:
    """The rule for results that are rated but not scored.

    It is written `games(1000)` for the first results of the pool; `each(30)` for the first results of each player, so
    that a result is scored if all its players have this many earlier ones; `days(365)` for the days after the first
    result; or `none`.

    Examples
    --------
    >>> BurnIn.parse("each(30)")
    BurnIn(unit='each', count=30)
    """

    unit: Literal["none", "games", "each", "days"] = "none"
    count: int = 0

    @classmethod
    def parse(cls, text: str) -> "BurnIn":
        """Reads a burn-in from text; raises `BadValue` for any other text."""
        word, _, inside = text.strip().removesuffix(")").partition("(")
        if word == "none" and not inside:
            return cls()
        if word in {"games", "each", "days"} and inside.isdecimal():
            return cls(word, int(inside))  # type: ignore[arg-type]  # one of the three
        raise NotOneOf.of("burn-in", text, ("none", "games(n)", "each(n)", "days(n)"))

    def __str__(self) -> str:
        return self.unit if self.unit == "none" else f"{self.unit}({self.count})"

    def scored(self, played: "Played | PlayedSessions", since: Instant | None = None) -> Bools | None:
        """Returns (n,) bool: the results to score, from an instant on and after the burn-in; None if all are scored."""
        late = None if since is None else np.asarray(played.played >= since)
        if self.count == 0 or not len(played):
            return late
        if self.unit == "games":
            settled = np.arange(len(played)) >= self.count
        elif self.unit == "days":
            settled = np.asarray(played.played >= int(played.played[0]) + self.count * DAY)
        else:
            settled = played.experience >= self.count
        return settled if late is None else settled & late


@frozen(eq=False)
class PlayedSessions:
    """The sessions of a view, in order of play, without games.

    Parameters
    ----------
    result : (n + 1,) int
        `result[r]` to before `result[r + 1]` are the sides of session `r`.
    side : (sides + 1,) int
        `side[s]` to before `side[s + 1]` are the members of side `s`.
    player : (members,) int
        Rows of the players.
    score : (sides,) float64
        Scores in the unit of the session.
    played : (n,) int64, microseconds since 1970
    position : (n,) int64
        Place of each session in the log.
    view : View
    """

    result: Ints
    side: Ints
    player: Ints
    score: Floats
    played: Ints
    position: Ints
    view: View
    clusters: str = ""

    @classmethod
    def of(cls, view: View, clusters: str = "") -> "PlayedSessions":
        table, n = view.timeline.sessions, view.n_sessions
        sides = int(table.result[n])
        members = int(table.side[sides])
        return cls(
            table.result[: n + 1], table.side[: sides + 1], table.player[:members], table.score[:sides],
            table.played[:n], table.position[:n], view, clusters,
        )  # fmt: skip

    def some(self, which: Bools | None) -> "PlayedSessions":
        """Returns the sessions in `which`; all sessions for None."""
        if which is None:
            return self
        sides = np.repeat(which, np.diff(self.result))
        members = np.repeat(sides, np.diff(self.side))
        return PlayedSessions(
            _starts(np.diff(self.result)[which]), _starts(np.diff(self.side)[sides]), self.player[members],
            self.score[sides], self.played[which], self.position[which], self.view, self.clusters,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.played)

    @cached_property
    def block(self) -> Ints:
        """The cluster of each session; without a field, its calendar month (UTC), counted from that of the first."""
        return _blocks(self)

    @property
    def members(self) -> Ints:
        """(n + 1,) int: `members[r]` to before `members[r + 1]` are the members of session `r`."""
        return self.side[self.result]

    @property
    def seats(self) -> tuple[Ints, Ints]:
        """For every seat, a player in a session: the index of the session, and the row of the player."""
        return np.repeat(np.arange(len(self)), np.diff(self.members)), self.player

    @cached_property
    def experience(self) -> Ints:
        """(n,) int: number of earlier sessions of the least experienced member of each session."""
        by = np.argsort(self.player, kind="stable")
        player = self.player[by]
        first = np.flatnonzero(np.diff(player, prepend=-1))
        before = np.empty(len(player), dtype=np.int64)
        before[by] = np.arange(len(player)) - np.repeat(first, np.diff(first, append=len(player)))
        return np.minimum.reduceat(before, self.members[:-1]) if len(self) else before
