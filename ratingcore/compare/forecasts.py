"""Forecasts of every game of a view made strictly before it, so that methods are asked about the same games."""

from collections.abc import Callable
from functools import cached_property
from time import perf_counter

import numpy as np
from attrs import evolve, frozen

from ratingcore.compare.future_guard import Asking, Audited, Refitted
from ratingcore.compare.played_games import Bools
from ratingcore.errors import BadValue, BrokenContract
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.entry import Entering
from ratingcore.methods.periods import Period
from ratingcore.methods.text import identity, text_of
from ratingcore.replay.fold import fold
from ratingcore.replay.periodic import Periodic
from ratingcore.replay.record import Replay
from ratingcore.replay.walk_forward import MONTH, walk_forward
from ratingcore.tables import Floats, Games, Ints, Sides, View

SLACK = 1e-12
"""By how much a share of the point may leave its range in floating point."""


@frozen(eq=False)
class Forecasts:
    """What one method expected of the games of a view, each told strictly before it was played.

    Parameters
    ----------
    method : str
        Identity, as in provenance.
    text : str
        As the user spelt it.
    expected : (n,) float64 in [0, 1]
        Share of the point `a` was expected to take; NaN where one of the two was unrated.
    draw : (n,) float64 or None
        Chance of a draw, where the method gives it.
    seconds : float
        How long it took.
    ratings : callable
        Gives the ratings of `a` and `b` before each game; asked once, and only if somebody wants to know.
    """

    method: str
    text: str
    expected: Floats
    draw: Floats | None
    seconds: float
    ratings: Callable[[], tuple[Floats, Floats]]

    def __len__(self) -> int:
        return len(self.expected)

    @cached_property
    def _before(self) -> tuple[Floats, Floats]:
        return self.ratings()

    @property
    def rating_a(self) -> Floats:
        """(n,) float64: rating of `a` before each game, unrounded; NaN if unrated."""
        return self._before[0]

    @property
    def rating_b(self) -> Floats:
        """(n,) float64: rating of `b` before each game, unrounded; NaN if unrated."""
        return self._before[1]

    @cached_property
    def rated(self) -> Bools:
        """(n,) bool: whether there is a forecast to score."""
        return ~np.isnan(self.expected)

    @property
    def outcomes(self) -> tuple[Floats, Floats, Floats]:
        """Chances of a win, a draw and a loss of `a`; for methods that give the chance of a draw."""
        assert self.draw is not None, "the method says nothing of draws"
        half = self.draw / 2
        win, loss = self.expected - half, 1.0 - self.expected - half
        return np.maximum(win, 0.0), self.draw, np.maximum(loss, 0.0)


def forecast(method: Method, view: View, period: Period | str | None = None, text: str | None = None) -> Forecasts:
    """What a method expected of every game of a view, told from what was known strictly before it.

    A continuous method is run over the games as it always is; before that it is asked about some of them one by one,
    with their scores and all later games withheld, and must say the same. A periodic method is asked about a game in
    the state after the last period that ended before it; a whole-pool method is refitted before each period. Those two
    are given neither the scores of the games they are asked about nor anything later. Where a seed of one of the two
    players lies between the game and the end of its period, there is no forecast: the seed was not known.

    Parameters
    ----------
    method : Method
    view : View
    period : Period, str or None
        How often a retrospective method is refitted, by the calendar; a month for None. The others do not read it.
    text : str or None
        How the user spelt the method.

    Raises
    ------
    BrokenContract
        If what a method says of a game depends on its score or on later games, or is no share of a point.
    MethodError
        If the method cannot rate the games of the view.
    """
    start = perf_counter()
    every = MONTH if period is None else period if isinstance(period, Period) else Period.parse(period)
    if every.unit == "event":
        raise BadValue("period", "event", "cannot part a walk forward: tournaments overlap in time")
    make = {
        Cadence.CONTINUOUS: _continuous,
        Cadence.PERIODIC: _periodic,
        Cadence.RETROSPECTIVE: _retrospective,
    }[method.cadence]
    told = make(method, view, every)
    expected, draw = _shares(told, method, view)
    name = text_of(method) if text is None else text
    return Forecasts(identity(method), name, expected, draw, perf_counter() - start, told.ratings)


@frozen(eq=False)
class _Told:
    """What a method said, for the games of a view in order of play."""

    expected: Floats
    draw: Floats | None
    ratings: Callable[[], tuple[Floats, Floats]]
    unrated: bool
    """Whether some player may have had no rating when he played."""


def _continuous(method: Method, view: View, every: Period) -> _Told:
    return _of_replay(fold(_held(Audited(_rater(method)), method), view, keep=True), view)


def _retrospective(method: Method, view: View, every: Period) -> _Told:
    replay = walk_forward(Refitted(method), view, every)
    told = _of_replay(replay, view)
    first, last = view.first_played, view.last_played
    if first is None or last is None or not len(view.seeds.played):
        return told
    ends = every.edges(min(first, int(view.seeds.played[0])), max(last, int(view.seeds.played[-1])))[1:] - 1
    return _Told(_unknown(told.expected, view, ends), told.draw, told.ratings, told.unrated)


def _periodic(method: Method, view: View, every: Period) -> _Told:
    asking = Asking(_rater(method))
    run = Periodic(_held(asking, method), view)
    asking.begin(run.results, run.plan.ends)
    asking.end(run.stand())
    which, first, (seat_a, seat_b) = _games_of(run.results, view)
    a, b = asking.rating[seat_a], asking.rating[seat_b]
    draw = None if asking.draw is None else asking.draw[which]
    expected = _unknown(asking.expected_of[first], view, run.plan.ends)
    return _Told(expected, draw, lambda: (a, b), unrated=bool(np.isnan(asking.rating).any()))


def _rater(method: Method) -> Method:
    """The method without the way its newcomers enter."""
    return method.method if isinstance(method, Entering) else method


def _held(guard: Method, method: Method) -> Method:
    """A guard around the rater of a method, with the way its newcomers enter."""
    return evolve(method, method=guard) if isinstance(method, Entering) else guard


def _of_replay(replay: Replay, view: View) -> _Told:
    moves, results = replay.moves, replay.results
    assert moves is not None
    which, first, (seat_a, seat_b) = _games_of(results, view)

    def ratings() -> tuple[Floats, Floats]:
        return replay.rating_before[seat_a], replay.rating_before[seat_b]

    draw = None if moves.draw is None else moves.draw[which]
    ever = (replay.start, replay.state["rating"], replay.sown.rating)
    unrated = any(np.isnan(rating).any() for rating in ever) or (
        moves.held is not None and bool(np.isnan(moves.held).any())
    )
    return _Told(moves.expected[first], draw, ratings, unrated)


Where = slice | Ints


def _games_of(results: Games | Sides, view: View) -> tuple[Where, Where, tuple[Where, Where]]:
    """Where the games of a view stand among results: their rows, their first sides, the seats of both players."""
    if isinstance(results, Games):
        return slice(None), slice(None), (slice(0, None, 2), slice(1, None, 2))
    position = view.timeline.table.part(0, view.n_games).position
    by = np.argsort(results.position)
    which = by[np.searchsorted(results.position, position, sorter=by)]
    first = results.result[which]
    return which, first, (results.side[first], results.side[first + 1])


def _unknown(expected: Floats, view: View, ends: Ints) -> Floats:
    """The forecasts, without those for which a seed counted that was given later in the same period."""
    seeds = view.seeds
    if not len(seeds.played):
        return expected
    games, periods = view.timeline.table.part(0, view.n_games), len(ends) + 1
    keys = seeds.player.astype(np.int64) * periods + np.searchsorted(ends, seeds.played)
    last = np.full(len(keys), np.iinfo(np.int64).min)
    key, number = np.unique(keys, return_inverse=True)
    np.maximum.at(last, number, seeds.played)
    period = np.searchsorted(ends, games.played)
    late = np.zeros(len(expected), dtype=bool)
    for player in (games.a, games.b):
        mine = player.astype(np.int64) * periods + period
        place = np.minimum(np.searchsorted(key, mine), len(key) - 1)
        late |= (key[place] == mine) & (last[place] > games.played)
    return np.where(late, np.nan, expected) if late.any() else expected


def _shares(told: _Told, method: Method, view: View) -> tuple[Floats, Floats | None]:
    """Expected shares and chances of a draw, seen to be possible; NaN where a player was unrated."""
    expected, draw = told.expected, told.draw
    if told.unrated:
        a, b = told.ratings()
        expected = np.where(np.isnan(a) | np.isnan(b), np.nan, expected)
    expected = _within(expected, 0.0, 1.0, "forecast", method, view)
    if draw is not None:
        room = np.minimum(expected, 1.0 - expected) * 2
        draw = _within(draw, 0.0, room, "chance of a draw", method, view)
    return expected, draw


def _within(told: Floats, low: float, high: Floats | float, what: str, method: Method, view: View) -> Floats:
    """What a method said, brought into its range where it leaves it by rounding only."""
    out = (told < low) | (told > high)
    if not out.any():
        return told
    wrong = (told < low - SLACK) | (told > high + SLACK)
    if wrong.any():
        at = int(np.argmax(wrong))
        position = int(view.timeline.table.part(at, at + 1).position[0])
        raise BrokenContract(method.name, f"its {what} of the game at position {position} is no share: {told[at]!r}")
    return np.clip(told, low, high)
