"""The fold: a method run over a view by its cadence, with every seed planted in time."""

from functools import partial
from typing import Any

import numpy as np
from attrs import evolve

from ratingcore.columns.games import Span
from ratingcore.columns.sides import Sides
from ratingcore.columns.view import View
from ratingcore.methods.contract import Cadence, Method, Rated
from ratingcore.methods.periods import Period
from ratingcore.methods.state import State
from ratingcore.methods.strengths import Strengths
from ratingcore.replay.beside import Beside, Watch
from ratingcore.replay.checkpoint import Checkpoint
from ratingcore.replay.continuous import Continuous
from ratingcore.replay.contract_check import Answers
from ratingcore.replay.moves import Keeper
from ratingcore.replay.periodic import Periodic
from ratingcore.replay.plan import Call, periods
from ratingcore.replay.readable_view import fitting
from ratingcore.replay.record import Replay, members_of, paired
from ratingcore.replay.run import WholePool, pairs_in
from ratingcore.replay.seeds import Planter


def fold(
    method: Method,
    view: View,
    *,
    keep: bool = False,
    after: Checkpoint | None = None,
    watch: Watch | None = None,
) -> Replay:
    """Run a method over a view, without the results that it cannot read: the replay holds the view of the others.

    Parameters
    ----------
    keep : bool
        Keep what every result was expected to be and moved; else only the state. Whole-pool methods say neither.
    after : Checkpoint or None
        Where the replay begins: it then holds what came after it. Only for methods that are `resumable`.
    watch : Watch or None
        Whose further columns are kept with the moves; a method that rates game by game is then called more often.

    Raises
    ------
    MethodError
        If the view does not fit the method, a result is one it cannot rate, or it breaks its contract.
    """
    if method.cadence is Cadence.RETROSPECTIVE:
        return WholePool(method, fitting(method, view)).replay()
    return run_of(method, view, keep=keep, after=after, watch=watch).replay()


def run_of(
    method: Method,
    view: View,
    *,
    keep: bool = False,
    after: Checkpoint | None = None,
    watch: Watch | None = None,
) -> Continuous | Periodic:
    """The run of a continuous or periodic method, for callers that look at the state on its way."""
    kind = Continuous if method.cadence is Cadence.CONTINUOUS else Periodic
    return kind(method, fitting(method, view), keep=keep, after=after, watch=watch)


MONTH = Period("months", 1)


def walk_forward(method: Method, view: View, period: Period = MONTH, watch: Watch | None = None) -> Replay:
    """Returns a replay with forecasts of every result, from a fit of the results before its period.

    The changes are zero: a whole-pool method does not say what one result moved.
    """
    view = fitting(method, view)
    fitted = fold(method, view)
    results: Any = fitted.results
    keeper, answers = Keeper(results), Answers(method, method.columns())
    beside = None if watch is None else Beside(method, watch, *members_of(results), results.played, view.n_players, 0)
    for call in _calls(view, period, results):
        state = _fit(method, answers, view, results, call)
        part = results.part(call.start, call.stop, call.span)
        forecast = answers.forecast(method.expected(state, part.withheld()), part)
        members = part.player if isinstance(part, Sides) else paired(part.a, part.b)
        still = np.zeros(len(members))
        strengths = None if forecast.strengths is None else partial(_same, forecast.strengths)
        rated = Rated(state, forecast.expected, still, forecast.draw, strengths=strengths)
        keeper.keep(call.start, call.stop, rated)
        keeper.hold(call.start, call.stop, state["rating"][members])
        if beside is not None:
            beside.note(call.start, call.stop, state, None)
    return evolve(fitted, moves=keeper.moves(results, beside))


def _same(strengths: Strengths) -> Strengths:
    return strengths


def _calls(view: View, period: Period, results: Any) -> list[Call]:
    """Closed periods, and what was played since the last of them."""
    calls = periods(view, period, results).calls
    done = calls[-1].stop if calls else 0
    if done == len(results):
        return calls
    since = calls[-1].span.end if calls else int(results.played[0])
    return [*calls, Call(done, len(results), Span(since, int(results.played[-1]) + 1), view.n_players)]


def _fit(method: Method, answers: Answers, view: View, results: Any, call: Call) -> State:
    """The state after everything before a call, with rows for all who play in it."""
    columns = method.columns()
    planter = Planter(view.seeds, columns)
    given = np.flatnonzero(view.seeds.played < call.span.end)
    state = State.start(columns, call.players, pairs_in(results, call.stop))
    planter.plant(state, given, 0, 0)
    span = Span(min(results.span.start, call.span.start), call.span.start)  # what is played later does not show
    part = results.part(0, call.start, span)
    return answers.solved(method.rate(state, part), state, part).state


def foretold(method: Method, view: View, watch: Watch | None = None) -> Replay:
    """A replay with a forecast of every result made strictly before it; a `Watch` keeps further columns."""
    if method.cadence is Cadence.RETROSPECTIVE:
        return walk_forward(method, view, watch=watch)
    return fold(method, view, keep=True, watch=watch)
