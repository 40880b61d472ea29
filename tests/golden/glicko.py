"""The `glicko` and `glicko2` cases, put to the methods of the plugin glicko: one player, one period."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from ratingcore_glicko import Glicko, Glicko2

from ratingcore.plugin import DAY, Rated
from tests.golden.playing import games as played
from tests.golden.playing import state

Games = Sequence[tuple[float, float, float]]


def _period(method: Glicko | Glicko2, r: float, rd: float, games: Games, **known: list[float]) -> Rated:
    """The period of the player in row 0, every opponent a row of their own."""
    start = state(method, [r, *(rating for rating, _, _ in games)])
    columns = {"deviation": [rd, *(deviation for _, deviation, _ in games)], **known}
    start = start.replace(**{name: np.array(column, dtype=np.float64) for name, column in columns.items()})
    n = len(games)
    return method.rate(start, played([0] * n, range(1, n + 1), [score for _, _, score in games]))


END = 31 * DAY - 1
"""The last instant of January 1970, the period of all cases."""


def glicko(*, r: float, rd: float, games: Games, c: float = 34.64, t: float = 0.0) -> dict[str, Any]:
    """`t` periods have passed for the player; the deviations of the opponents are those of the period."""
    method = Glicko(c=c)
    now = method.clock.now(played([], [], []))
    after = _period(method, r, rd, games, last=[now - t, *(now for _ in games)]).state
    return {name: float(method.show(after, END)[column][0]) for name, column in (("r", "rating"), ("rd", "deviation"))}


def glicko2(*, r: float, rd: float, vol: float, games: Games, tau: float = 0.5) -> dict[str, Any]:
    """One period, the one after that of the deviation; the volatilities of the opponents are of no account."""
    method = Glicko2(tau=tau)
    now = method.clock.now(played([], [], []))
    known = {"volatility": [vol, *(0.06 for _ in games)], "last": [now - 1.0, *(now - 1.0 for _ in games)]}
    after = method.show(_period(method, r, rd, games, **known).state, END)
    names = (("r", "rating"), ("rd", "deviation"), ("vol", "volatility"))
    return {name: float(after[column][0]) for name, column in names}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"glicko": glicko, "glicko2": glicko2}
