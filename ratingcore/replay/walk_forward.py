"""The walk forward: forecasts of a whole-pool method that is refitted before each period."""

from functools import partial
from typing import Any

import numpy as np
from attrs import evolve

from ratingcore.columns.games import Span
from ratingcore.columns.sides import Sides
from ratingcore.columns.view import View
from ratingcore.methods.contract import Method, Rated
from ratingcore.methods.periods import Period
from ratingcore.methods.state import State
from ratingcore.methods.strengths import Strengths
from ratingcore.replay.beside import Beside, Watch
from ratingcore.replay.contract_check import Answers
from ratingcore.replay.fold import fold
from ratingcore.replay.keeper import Keeper
from ratingcore.replay.plan import Call, periods
from ratingcore.replay.readable_view import fitting
from ratingcore.replay.record import Replay, members_of, paired
from ratingcore.replay.run import pairs_in
from ratingcore.replay.seeds import Planter

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
