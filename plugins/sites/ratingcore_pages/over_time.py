"""A pool over time: the games of each period, and the active players' ratings and places at its end."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ratingcore.plugin import Floats, Ints
from ratingcore.plugin.analysis import OverTime, Way, Window

ACTIVE = Window("months", 12)
"""Window in which a player must have a result to be active."""


class PoolOverTime:
    """A pool period by period: by month, quarter or year, depending on the length of its history.

    Parameters
    ----------
    replay : Replay
        The replay of the pool, with its moves.
    """

    def __init__(self, replay: Any) -> None:
        self._replay = replay

    @cached_property
    def _seen(self) -> list[Floats]:
        """The rating of everybody at the end of each period."""
        seen: list[Floats] = []
        instants = OverTime(self._replay.view, {}).instants.tolist()
        self._way.watch(instants, lambda number, shown: seen.append(shown["rating"]))
        return seen

    @property
    def _way(self) -> Way:
        return Way.of(self._replay.method, self._replay.view)

    @cached_property
    def health(self) -> Mapping[str, Any]:
        """The columns of `OverTime.health` with a row for each period, without bridges, which no page shows."""

        def watch(instants: Sequence[int], close: Callable[[int, Mapping[str, Floats]], None]) -> None:
            for number, rating in enumerate(self._seen):
                close(number, {"rating": rating})

        ways = {"list": Way(self._way.first, watch)}
        return OverTime(self._replay.view, ways, window=ACTIVE, large=0).health()

    @cached_property
    def ends(self) -> Ints:
        """The last instant of each period; for the last period, the instant of the last result."""
        view = self._replay.view
        return np.minimum(OverTime(view, {}).instants, view.last_played or 0)

    @cached_property
    def ratings(self) -> Floats:
        """(periods, players) float64: ratings of the active players at the end of each period; NaN for all others."""
        replay, seen = self._replay, self._seen
        found = np.full((len(seen), replay.view.n_players), np.nan)
        played, start = np.asarray(replay.results.played), replay.member_start
        for row, rating, end in zip(found, seen, self.ends.tolist(), strict=True):
            first, last = np.searchsorted(played, (ACTIVE.start(end), end + 1))
            active = replay.member[start[first] : start[last]]
            row[active] = rating[active]
        found[~np.isfinite(found)] = np.nan
        return found

    @cached_property
    def _last(self) -> Ints:
        """The instant of each player's last result."""
        replay, last = self._replay, np.full(self._replay.view.n_players, -(2**62))
        last[replay.member] = np.repeat(replay.results.played, np.diff(replay.member_start))
        return last

    def places(self, row: int) -> Floats:
        """(n, 2) float64: ends of periods before a player's last result, and their places among the active then."""
        rating = self.ratings
        on = np.isfinite(rating[:, row]) & (self.ends < self._last[row])
        ahead = np.count_nonzero(rating[on] > rating[on, row : row + 1], axis=1)
        return np.column_stack([self.ends[on], ahead + 1.0])
