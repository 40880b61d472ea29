"""Laws of forecasts: they are shares of a point, made before the result, the same from `expected` and `rate`."""

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns import Games
from ratingcore.columns.arrays import Floats
from ratingcore.methods.contract import Cadence, Method, Solved
from ratingcore.replay import foretold
from ratingcore.replay.fold import MONTH
from ratingcore.replay.plan import periods
from ratingcore.testing.assertions import always, nth, rated, same
from ratingcore.testing.law import EVERY, FORWARD, Violation, law_of_seasons
from ratingcore.testing.season import Results, Season, Stage
from ratingcore.testing.variants import upset

Bools = NDArray[np.bool_]

SLACK = 1e-12
"""How far a share may leave its range by rounding."""


@law_of_seasons(EVERY, of_games=True)
def expected(method: Method, season: Season) -> None:
    """Expected scores are in [0, 1], and the chance of a draw leaves room for them."""
    for stage in season.stages(method):
        outcome = method.rate(stage.state, stage.results)
        shares = outcome.fitted if isinstance(outcome, Solved) else outcome.expected
        rated = _rated(stage)
        _shares("expected score", shares, rated)
        forecast = method.expected(stage.state, stage.results.withheld())
        _shares("forecast", forecast.expected, rated)
        draws = [] if isinstance(outcome, Solved) else [(shares, outcome.draw)]
        for share, draw in [*draws, (forecast.expected, forecast.draw)]:
            if draw is not None:
                _shares("chance of a draw", draw, rated)
                _shares("chance of a win", share - 0.5 * draw, rated)
                _shares("chance of a loss", 1.0 - share - 0.5 * draw, rated)


def _rated(stage: Stage) -> Bools:
    """Whether both players of each game are rated before it."""
    rated = ~np.isnan(stage.state["rating"])
    return np.asarray(rated[stage.results.a] & rated[stage.results.b])


def _shares(what: str, column: Floats, rated: Bools) -> None:
    fits = (column >= -SLACK) & (column <= 1.0 + SLACK)
    for g in np.flatnonzero(~fits & rated)[:1].tolist():
        raise Violation(f"{what} of {nth(g)} is {float(column[g])!r}, not in [0, 1]")


@law_of_seasons(FORWARD)
def forecast(method: Method, season: Season) -> None:
    """What is expected when asked is what was expected when rated."""
    for stage in season.stages(method):
        parts = [stage.results]
        if method.cadence is Cadence.CONTINUOUS:
            n = len(stage.results)
            parts = [stage.results.part(r, r + 1) for r in range(min(n, 25))]
        for number, part in enumerate(parts):
            done, asked = rated(method, stage.state, part), method.expected(stage.state, part.withheld())
            who = always(nth(number)) if len(parts) > 1 else nth
            same("expected score, rated and asked,", done.expected, asked.expected, who, exact=False)
            if done.draw is not None or asked.draw is not None:
                if done.draw is None or asked.draw is None:
                    raise Violation("a chance of a draw is given by one of rate and expected, not by both")
                same("chance of a draw, rated and asked,", done.draw, asked.draw, who, exact=False)


@law_of_seasons()
def foresight(method: Method, season: Season) -> None:
    """What is expected of a result depends neither on it nor on later ones."""
    if method.cadence is Cadence.RETROSPECTIVE:
        _walks_forward(method, season)
    for stage in season.stages(method):
        n = len(stage.results)
        other = upset(stage.results)
        why = "with the other outcome"
        one, two = (method.expected(stage.state, results.withheld()) for results in (stage.results, other))
        same(f"forecast {why}", one.expected, two.expected, nth)
        calls = {Cadence.PERIODIC: [(0, n)], Cadence.CONTINUOUS: [(r, r + 1) for r in range(min(n, 25))]}
        for low, high in calls.get(method.cadence, []):
            one_way, other_way = (
                rated(method, stage.state, results.part(low, high)) for results in (stage.results, other)
            )
            who = nth if method.cadence is Cadence.PERIODIC else always(nth(low))
            same(f"expected score {why}", one_way.expected, other_way.expected, who)


def _walks_forward(method: Method, season: Season) -> None:
    """Checks that forecasts through some month stay the same when more has been played."""
    results: Results = season.results(method)
    months = periods(season.view, MONTH, results).calls
    month = months[len(months) // 2]
    early, late = foretold(method, season.through(month.span.end - 1)), foretold(method, season.view)
    assert early.moves is not None
    assert late.moves is not None
    n = len(early.moves.expected)
    same("forecast when more has been played", early.moves.expected, late.moves.expected[:n], nth)
    if isinstance(results, Games):
        _shares("forecast", late.moves.expected, ~np.isnan(late.moves.expected))
