"""The sessions of a view that every method forecasts, with their months and the experience of those who sat down."""

from functools import cached_property

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints, View
from ratingcore.compare.burn_in import BurnIn
from ratingcore.compare.played_games import Bools
from ratingcore.events import DAY, Instant
from ratingcore.replay.fold import MONTH


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
