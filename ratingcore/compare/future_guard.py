"""Wrappers that hide scores and later games from a method while it makes forecasts."""

from copy import deepcopy
from typing import Any, TypeVar

import numpy as np

from ratingcore.columns import Floats, Games, Ints, Sides, Span
from ratingcore.columns.games import interleaved
from ratingcore.errors import BrokenContract
from ratingcore.events import Instant
from ratingcore.methods.contract import Forecast, Method, Rated, Solved
from ratingcore.methods.state import State
from ratingcore.methods.strengths import Strengths, placed
from ratingcore.methods.wrapped import Wrapped
from ratingcore.replay.contract_check import Answers

R = TypeVar("R", Games, Sides)

LOOKS = 6
"""Number of games that a continuous method forecasts one by one in each audited stretch."""
DEEP = 2048
"""Largest index, in its stretch, of a game that is forecast one by one."""
STRETCHES = 3
"""Largest number of audits; calls whose number is a power of two are audited."""
TOLERANCE = 1e-9
"""Allowed difference between a game forecast alone and among many: formulas round differently on a number or column."""


def _apart(results: R, start: int = 0, stop: int | None = None) -> R:
    """Copies some results into separate memory, from which earlier and later results cannot be reached."""
    return results.apart(start, len(results) if stop is None else stop)


def hidden(results: R) -> R:
    """Returns the results without their scores and points."""
    facts = {
        name: np.full(len(column), np.nan) if name.startswith("points") else column
        for name, column in results.facts.items()
    }
    return results.withheld().replaced(facts=facts)


class Denied(Wrapped):
    """Wraps a method so that it gets copies of results, and must forecast results whose scores are hidden."""

    def __init__(self, method: Method) -> None:
        self.method = deepcopy(method)  # the method must not remember earlier questions

    def rate(self, state: State, games: Any) -> Rated | Solved:
        return self.method.rate(state, _apart(games))

    def expected(self, state: State, games: Any) -> Forecast:
        return self.method.expected(state, hidden(_apart(games)))


class Refitted(Denied):
    """Wraps a whole-pool method and copies it for every call, so that no call can remember an earlier one."""

    def rate(self, state: State, games: Any) -> Rated | Solved:
        return deepcopy(self.method).rate(state, _apart(games))

    def expected(self, state: State, games: Any) -> Forecast:
        return deepcopy(self.method).expected(state, hidden(_apart(games)))


class Asking(Denied):
    """Wraps a periodic method so that, before it rates a period, it forecasts the games played until the period's end.

    A game is forecast from the state after the last period that ended before it. If periods are overlapping
    tournaments, the game may be rated from a later state.

    Attributes
    ----------
    expected_of : (n,) float64, or one number per side
        Forecasts, aligned with the results; NaN if a player was unrated.
    draw : (n,) float64 or None
    rating : (members,) float64
        Rating of each member at the time of the forecast.
    strengths : Strengths or None
        Strengths of the sides, aligned with `expected_of`; NaN where no session was forecast.
    """

    def begin(self, results: Games | Sides, ends: Ints) -> None:
        """Sets the results to forecast, in order of play, and the last instant of every period."""
        self.results: Any = results
        self.bounds = np.searchsorted(results.played, ends, "right").tolist()
        self.ends = ends.tolist()
        self.call = 0
        self.done = 0
        self.since = results.span.start
        self.expected_of = np.full(len(results.score), np.nan)
        self.draw: Floats | None = None
        self.strengths: Strengths | None = None
        seats = len(results.player) if isinstance(results, Sides) else 2 * len(results)
        self.rating = np.full(seats, np.nan)

    def rate(self, state: State, games: Any) -> Rated | Solved:
        end = self.ends[self.call]
        self._ask(state, self.bounds[self.call], end, games)
        self.since = end + 1
        self.call += 1
        return super().rate(state, games)

    def end(self, state: State) -> None:
        """Forecasts the results played after the last closed period."""
        self._ask(state, len(self.results), self.results.span.end - 1)

    def _ask(self, state: State, stop: int, end: Instant, rated_now: Any = None) -> None:
        start, self.done = self.done, stop
        if stop <= start:
            return
        part = self.results.part(start, stop, Span(self.since, end + 1))  # the end matters: deviations grow until then
        if rated_now is not None:
            part = _seated_as(rated_now, part)
        if isinstance(part, Sides):
            first = self.results.result[[start, stop]]
            sides, seats = slice(*first.tolist()), slice(*self.results.side[first].tolist())
            rating = state["rating"][part.player]
        else:
            sides, seats = slice(start, stop), slice(2 * start, 2 * stop)
            rating = state["rating"][interleaved(part.a, part.b)]
        self.rating[seats] = rating
        rated = ~np.isnan(rating)
        if isinstance(part, Sides) or rated.all():
            self._keep(sides, slice(start, stop), self._forecast(state, part))
        else:
            which = np.flatnonzero(rated[0::2] & rated[1::2])
            self._keep(start + which, start + which, self._forecast(state, part.take(which)))

    def _forecast(self, state: State, part: Any) -> Forecast:
        return Answers(self.method, self.columns()).forecast(self.expected(state, part), part)

    def _keep(self, sides: Any, results: Any, forecast: Forecast) -> None:
        self.expected_of[sides] = forecast.expected
        if forecast.strengths is not None:
            self.strengths = placed(self.strengths, forecast.strengths, sides, len(self.expected_of))
        if forecast.draw is not None:
            if self.draw is None:
                self.draw = np.full(len(self.results), np.nan)
            self.draw[results] = forecast.draw


def _seated_as(rated: R, part: R) -> R:
    """Moves players to the rows in which they are rated: a seed inside the period gives a player a different row."""
    if isinstance(part, Sides):
        assert isinstance(rated, Sides)
        alike = np.array_equal(part.position, rated.position) and not np.array_equal(part.player, rated.player)
        return part.replaced(player=rated.player, players=rated.players) if alike else part
    if not len(rated):
        return part
    by = np.argsort(rated.position)
    at = by[np.minimum(np.searchsorted(rated.position, part.position, sorter=by), len(by) - 1)]
    there = rated.position[at] == part.position
    a, b = (np.where(there, new[at], own) for new, own in ((rated.a, part.a), (rated.b, part.b)))
    same = np.array_equal(a, part.a) and np.array_equal(b, part.b)
    return part if same else part.replaced(a=a, b=b, players=rated.players)


class Audited(Denied):
    """Wraps a continuous method and audits it while it runs: its forecast of a game must not depend on later games.

    For speed a method gets many games in one call, so that its forecast of one could depend on the next. In some calls
    the audit therefore picks a few places, partly at random. It gives the method only the games before the place, and
    lets it forecast the next game alone, without its score. The forecasts of the whole call must agree with these.
    """

    def __init__(self, method: Method) -> None:
        super().__init__(method)
        self.calls = self.looks = 0

    def rate(self, state: State, games: Any) -> Rated | Solved:
        self.calls += 1
        alone: list[tuple[int, Forecast]] = []
        if len(games) and self.looks < STRETCHES and self.calls & (self.calls - 1) == 0:
            self.looks += 1
            alone = self._forecast_alone(state, games)
        rated = super().rate(state, games)
        if isinstance(rated, Rated):
            self._compare(alone, rated, games)
        return rated

    def _forecast_alone(self, state: State, games: Any) -> list[tuple[int, Forecast]]:
        n, answers = len(games), Answers(self.method, self.columns())
        deep = min(DEEP, n // 2)
        drawn = np.random.default_rng(self.looks).integers(0, deep + 1, LOOKS - 2)
        forecasts, at = [], 0
        for place in sorted({0, deep, *drawn.tolist()}):
            if place > at:
                state = self._rated(answers, state, games, at, place)
                at = place
            game = games.part(at, at + 1)
            forecasts.append((at, answers.forecast(self.expected(state, game), game)))
        return forecasts

    def _rated(self, answers: Answers, state: State, games: Any, start: int, stop: int) -> State:
        given = _apart(games, start, stop)
        rated = self.method.rate(state, given)
        if isinstance(rated, Rated) and isinstance(rated.state, State):  # the whole call checks its columns
            return rated.state
        return answers.rated(rated, state, given).state

    def _compare(self, forecasts: list[tuple[int, Forecast]], rated: Rated, games: Any) -> None:
        strengths = rated.strengths() if forecasts and rated.strengths is not None else None
        for at, alone in forecasts:
            sides = slice(games.result[at], games.result[at + 1]) if isinstance(games, Sides) else slice(at, at + 1)
            pairs = [(alone.expected, rated.expected[sides])]
            if alone.draw is not None and rated.draw is not None:
                pairs.append((alone.draw, rated.draw[at : at + 1]))
            if alone.strengths is not None and strengths is not None:
                i, j = np.triu_indices(len(alone.strengths), 1)
                pairs.append((alone.strengths.ahead(i, j), strengths.take(sides).ahead(i, j)))
            if not all(_equal(one, other) for one, other in pairs):
                raise BrokenContract(
                    self.name,
                    f"its forecast of the game at position {int(games.position[at])} is "
                    f"{float(rated.expected[sides][0])!r}, and {float(alone.expected[0])!r} when that score and all "
                    "that comes later are withheld",
                )


def _equal(one: Floats, other: Floats) -> bool:
    """True if forecasts are close; like `np.allclose`, which takes twenty times as long for a few numbers."""
    near = np.abs(one - other) <= TOLERANCE
    return bool(near.all()) or bool((near | (np.isnan(one) & np.isnan(other))).all())
