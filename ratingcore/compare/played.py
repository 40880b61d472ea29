"""The games and sessions of a view that methods forecast, and the burn-in that is rated but not scored."""

from functools import cached_property
from typing import Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns import Floats, Ints, View
from ratingcore.errors import BadValue
from ratingcore.events import DAY, Instant
from ratingcore.methods.kernels import kernel
from ratingcore.replay.fold import MONTH

Bools = NDArray[np.bool_]

_SHORT = 2**16
"""Players whose rows fit into 16 bits."""


@frozen(eq=False)
class Played:
    """The games of a view, in order of play. Sessions are not among them.

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
    """

    a: Ints
    b: Ints
    score: Floats
    played: Ints
    position: Ints
    view: View

    @classmethod
    def of(cls, view: View) -> "Played":
        """The games of a view."""
        games = view.timeline.table.part(0, view.n_games)
        return cls(games.a, games.b, games.score, games.played, games.position, view)

    def __len__(self) -> int:
        return len(self.a)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the players, by row."""
        return tuple(self.view.names())

    @cached_property
    def month(self) -> Ints:
        """Calendar month of each game (UTC), counted from the month of the first."""
        if not len(self):
            return np.empty(0, dtype=np.int64)
        edges = MONTH.edges(int(self.played[0]), int(self.played[-1]))
        return np.repeat(np.arange(len(edges) - 1), np.diff(np.searchsorted(self.played, edges)))

    @cached_property
    def experience(self) -> tuple[Ints, Ints]:
        """Number of games each of the two players had played before each game."""
        of_a, of_b = np.empty(len(self), dtype=np.int64), np.empty(len(self), dtype=np.int64)
        _count(self.a, self.b, np.zeros(self.view.n_players, dtype=np.int64), of_a, of_b)
        return of_a, of_b

    @cached_property
    def pair(self) -> Ints:
        """A number for each pair of players who met, the same for all their games."""
        low, high = np.minimum(self.a, self.b), np.maximum(self.a, self.b)
        if self.view.n_players <= _SHORT:  # two sorts of short numbers take a tenth of one of long ones
            order = np.argsort(high.astype(np.uint16), kind="stable")
            order = order[np.argsort(low.astype(np.uint16)[order], kind="stable")]
        else:
            order = np.argsort(low.astype(np.int64) * self.view.n_players + high)
        low, high = low[order], high[order]
        fresh = np.ones(len(order), dtype=bool)
        fresh[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.cumsum(fresh) - 1
        return number


@kernel
def _count(a: Ints, b: Ints, seen: Ints, of_a: Ints, of_b: Ints) -> None:
    for g in range(len(a)):
        i, j = a[g], b[g]
        of_a[g] = seen[i]
        of_b[g] = seen[j]
        seen[i] += 1
        seen[j] += 1


@frozen
class BurnIn:
    """The rule for games that are rated but not scored.

    Texts: `games(1000)`, the first games of the pool; `each(30)`, the first games of each player, so that a game
    counts if both have played as many; `days(365)`, the first days since the first game; `none`.

    Examples
    --------
    >>> BurnIn.parse("each(30)")
    BurnIn(unit='each', count=30)
    """

    unit: Literal["none", "games", "each", "days"] = "none"
    count: int = 0

    @classmethod
    def parse(cls, text: str) -> "BurnIn":
        """The burn-in that a text names; `BadValue` if it names none."""
        word, _, inside = text.strip().removesuffix(")").partition("(")
        if word == "none" and not inside:
            return cls()
        if word in {"games", "each", "days"} and inside.isdecimal():
            return cls(word, int(inside))  # type: ignore[arg-type]  # one of the three
        raise BadValue("burn-in", text, "is none of none, games(n), each(n), days(n)")

    def __str__(self) -> str:
        return self.unit if self.unit == "none" else f"{self.unit}({self.count})"

    def scored(self, played: Played) -> Bools | None:
        """(n,) bool: the games that are scored; None if all are."""
        if self.count == 0 or not len(played):
            return None
        if self.unit == "games":
            return np.arange(len(played)) >= self.count
        if self.unit == "days":
            return np.asarray(played.played >= int(played.played[0]) + self.count * DAY)
        of_a, of_b = played.experience
        return np.minimum(of_a, of_b) >= self.count


@frozen(eq=False)
class PlayedSessions:
    """The sessions of a view, in order of play. Games are not among them.

    Parameters
    ----------
    result : (n + 1,) int
        `result[r]` to before `result[r + 1]` are the sides of session `r`.
    side : (sides + 1,) int
        `side[s]` to before `side[s + 1]` are the members of side `s`.
    player : (members,) int
        Rows of the players.
    score : (sides,) float64
        In the unit of the session.
    played : (n,) int64, microseconds since 1970
    position : (n,) int64
        Place of each session in the log.
    """

    result: Ints
    side: Ints
    player: Ints
    score: Floats
    played: Ints
    position: Ints

    @classmethod
    def of(cls, view: View) -> "PlayedSessions":
        """The sessions of a view."""
        table, n = view.timeline.sessions, view.n_sessions
        sides = int(table.result[n])
        members = int(table.side[sides])
        return cls(
            table.result[: n + 1], table.side[: sides + 1], table.player[:members], table.score[:sides],
            table.played[:n], table.position[:n],
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.played)

    @cached_property
    def month(self) -> Ints:
        """Calendar month of each session (UTC), counted from the month of the first."""
        if not len(self):
            return np.empty(0, dtype=np.int64)
        edges = MONTH.edges(int(self.played[0]), int(self.played[-1]))
        return np.repeat(np.arange(len(edges) - 1), np.diff(np.searchsorted(self.played, edges)))

    @cached_property
    def experience(self) -> Ints:
        """(n,) int: how many sessions the least experienced member of each had played before."""
        by = np.argsort(self.player, kind="stable")
        player = self.player[by]
        first = np.flatnonzero(np.diff(player, prepend=-1))
        before = np.empty(len(player), dtype=np.int64)
        before[by] = np.arange(len(player)) - np.repeat(first, np.diff(first, append=len(player)))
        return np.minimum.reduceat(before, self.side[self.result[:-1]]) if len(self) else before

    def scored(self, since: Instant | None, burn_in: BurnIn) -> Bools:
        """(n,) bool: the sessions to score, those before an instant and the burn-in left out."""
        chosen = np.ones(len(self), dtype=bool) if since is None else np.asarray(self.played >= since)
        if burn_in.unit == "games":
            chosen &= np.arange(len(self)) >= burn_in.count
        elif burn_in.unit == "days" and len(self):
            chosen &= self.played >= int(self.played[0]) + burn_in.count * DAY
        elif burn_in.unit == "each":
            chosen &= self.experience >= burn_in.count
        return chosen
