"""Walking forward: forecasts of a whole-pool method, refitted at cut dates before each period."""

from typing import Any

import numpy as np
from attrs import evolve

from ratingcore.methods.contract import Method, Rated
from ratingcore.methods.periods import Period
from ratingcore.methods.state import State
from ratingcore.replay.fold import fold
from ratingcore.replay.keeping import Keeper
from ratingcore.replay.plan import Call, periods
from ratingcore.replay.record import Replay, paired
from ratingcore.replay.seeds import Planter
from ratingcore.tables.sides import Sides
from ratingcore.tables.view import View

MONTH = Period("months", 1)


def walk_forward(method: Method, view: View, period: Period = MONTH) -> Replay:
    """Forecasts of every result from a fit of the results before its period; nothing sees the future.

    The changes are zero: a whole-pool method does not say what one result moved.
    """
    fitted = fold(method, view)
    results: Any = fitted.results
    keeper = Keeper(results)
    for call in periods(view, period, results.played).calls:
        state = _fit(method, view, results, call)
        part = results.part(call.start, call.stop, call.span)
        forecast = method.expected(state, part.withheld())
        members = part.player if isinstance(part, Sides) else paired(part.a, part.b)
        still = np.zeros(len(members))
        keeper.keep(call.start, call.stop, Rated(state, forecast.expected, still, forecast.draw))
        keeper.hold(call.start, call.stop, state["rating"][members])
    return evolve(fitted, moves=keeper.moves(results))


def _fit(method: Method, view: View, results: Any, call: Call) -> State:
    """The state after everything before a call, with rows for all who play in it."""
    columns = method.columns()
    planter = Planter(view.seeds, columns, method.name)
    known = np.flatnonzero(view.seeds.played < call.span.end)
    state = planter.plant(State.start(columns, call.players), known, 0)
    solved = method.rate(state, results.part(0, call.start))
    return solved.state
