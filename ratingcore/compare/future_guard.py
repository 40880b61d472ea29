"""What keeps the future from a method that is asked for forecasts: stand-ins that watch what it is given."""

from copy import deepcopy
from typing import Any

import numpy as np

from ratingcore.errors import BrokenContract
from ratingcore.methods.contract import Forecast, Method, Rated, Solved
from ratingcore.methods.state import State
from ratingcore.methods.wrapped import Wrapped
from ratingcore.replay.record import paired
from ratingcore.tables import Floats, Games, Ints, Sides

LOOKS = 8
"""Games a continuous method is asked about one by one, at each place it is looked at."""
DEEP = 2048
"""How far into a stretch of games the second look is."""
STRETCHES = 3
"""Stretches that are looked at: the first, and those of which the number is a power of two."""
TOLERANCE = 1e-9
"""By how much what is rated and what is asked may differ: the same formula on one number and on a column."""


def apart(results: Any, start: int = 0, stop: int | None = None) -> Any:
    """Some results in memory of their own: nothing that comes before or after can be reached from them."""
    return results.apart(start, len(results) if stop is None else stop)


def hidden(results: Any) -> Any:
    """The results with their scores, and the points they came from, withheld."""
    facts = {
        name: np.full(len(column), np.nan) if name.startswith("points") else column
        for name, column in results.facts.items()
    }
    return results.withheld().replaced(facts=facts)


class Denied(Wrapped):
    """A method that is given nothing but what it may know; it answers as the method it holds."""

    def __init__(self, method: Method) -> None:
        self.method = deepcopy(method)  # whatever it was asked before is not among what it knows

    def rate(self, state: State, games: Any) -> Rated | Solved:
        return self.method.rate(state, apart(games))

    def expected(self, state: State, games: Any) -> Forecast:
        return self.method.expected(state, hidden(apart(games)))


class Refitted(Denied):
    """A whole-pool method that begins every call anew, as if there had been none before.

    What one fit, or the fit of all games, may have left in the method is gone when the next begins.
    """

    def rate(self, state: State, games: Any) -> Rated | Solved:
        return deepcopy(self.method).rate(state, apart(games))

    def expected(self, state: State, games: Any) -> Forecast:
        return deepcopy(self.method).expected(state, hidden(apart(games)))


class Asking(Denied):
    """A periodic method that is asked, before it rates a period, about the games that come before its end.

    A game is asked about in the state after the last period that ended before it: where periods are tournaments that
    overlap, that is not always the state in which it is rated.

    Attributes
    ----------
    expected_of : (n,) float64; for sides one number a side
        What was expected, aligned with the results; NaN where a player was unrated.
    draw : (n,) float64 or None
    rating : (members,) float64
        Rating of each member when the method was asked.
    """

    def begin(self, results: Games | Sides, ends: Ints) -> None:
        """What there will be to ask about, in order of play, and the last instant of every period."""
        self.results: Any = results
        self.bounds = np.searchsorted(results.played, ends, "right").tolist()
        self.call = 0
        self.done = 0
        self.expected_of = np.full(len(results.score), np.nan)
        self.draw: Floats | None = None
        seats = len(results.player) if isinstance(results, Sides) else 2 * len(results)
        self.rating = np.full(seats, np.nan)

    def rate(self, state: State, games: Any) -> Rated | Solved:
        self._ask(state, self.bounds[self.call])
        self.call += 1
        return super().rate(state, games)

    def end(self, state: State) -> None:
        """Ask about what was played after the last period that is closed."""
        self._ask(state, len(self.results))

    def _ask(self, state: State, stop: int) -> None:
        start, self.done = self.done, stop
        if stop <= start:
            return
        part = self.results.part(start, stop)
        if isinstance(part, Sides):
            first = self.results.result[[start, stop]]
            sides, seats = slice(*first.tolist()), slice(*self.results.side[first].tolist())
            known = state["rating"][part.player]
        else:
            sides, seats = slice(start, stop), slice(2 * start, 2 * stop)
            known = state["rating"][paired(part.a, part.b)]
        self.rating[seats] = known
        rated = ~np.isnan(known)
        if isinstance(part, Sides) or rated.all():
            self._told(sides, slice(start, stop), self.expected(state, part))
        else:
            which = np.flatnonzero(rated[0::2] & rated[1::2])
            self._told(start + which, start + which, self.expected(state, part.take(which)))

    def _told(self, sides: Any, results: Any, told: Forecast) -> None:
        self.expected_of[sides] = told.expected
        if told.draw is not None:
            if self.draw is None:
                self.draw = np.full(len(self.results), np.nan)
            self.draw[results] = told.draw


class Audited(Denied):
    """A continuous method that is looked at while it runs: does it say the same of a game when it sees nothing else?

    It takes many games in one call, as it must to be fast, so what it says of one could depend on the next. At the
    start of some calls, and a way into them, it is therefore given a few games one at a time, each asked about with
    its score withheld and then rated alone. What it says in the call must be what it said then.
    """

    def __init__(self, method: Method) -> None:
        super().__init__(method)
        self.calls = self.looks = 0

    def rate(self, state: State, games: Any) -> Rated | Solved:
        self.calls += 1
        told: list[tuple[int, Forecast]] = []
        if len(games) and self.looks < STRETCHES and self.calls & (self.calls - 1) == 0:
            self.looks += 1
            told = self._told_alone(state, games)
        rated = super().rate(state, games)
        if isinstance(rated, Rated):
            self._compare(told, rated, games)
        return rated

    def _told_alone(self, state: State, games: Any) -> list[tuple[int, Forecast]]:
        n = len(games)
        deep = min(DEEP, n // 2)
        told, at = [], 0
        for place in (0, deep):
            if place > at:
                state = self._rated(state, games, at, place)
                at = place
            while at < min(place + LOOKS, n):
                told.append((at, self.expected(state, games.part(at, at + 1))))
                state = self._rated(state, games, at, at + 1)
                at += 1
        return told

    def _rated(self, state: State, games: Any, start: int, stop: int) -> State:
        return self.method.rate(state, apart(games, start, stop)).state

    def _compare(self, told: list[tuple[int, Forecast]], rated: Rated, games: Any) -> None:
        for at, alone in told:
            sides = slice(games.result[at], games.result[at + 1]) if isinstance(games, Sides) else slice(at, at + 1)
            pairs = [(alone.expected, rated.expected[sides])]
            if alone.draw is not None and rated.draw is not None:
                pairs.append((alone.draw, rated.draw[at : at + 1]))
            if not all(np.allclose(one, other, rtol=0.0, atol=TOLERANCE, equal_nan=True) for one, other in pairs):
                raise BrokenContract(
                    self.name,
                    f"its forecast of the game at position {int(games.position[at])} is "
                    f"{float(rated.expected[sides][0])!r}, and {float(alone.expected[0])!r} when that score and all "
                    "that comes later are withheld",
                )
