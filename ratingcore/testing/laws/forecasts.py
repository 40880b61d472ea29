"""Laws of forecasts: expected scores and chances before the result, of games and of sides; sweeps; covariances."""

from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from ratingcore.columns import Games, Sides, Span
from ratingcore.columns.games import Floats, Ints
from ratingcore.compare.sweep import pass_of, sweep
from ratingcore.errors import BadParameter
from ratingcore.events import DAY, RatingSeeded
from ratingcore.methods.contract import Cadence, Method, Rated, Solved
from ratingcore.methods.strengths import Strengths
from ratingcore.replay import replay_with_forecasts
from ratingcore.replay.fold import MONTH
from ratingcore.replay.period_calls import periods
from ratingcore.testing.law import (
    CONTINUOUS,
    EVERY,
    FORWARD,
    TOLERANCE,
    DoesNotApply,
    Violation,
    always,
    law_of_seasons,
    nth,
    rated,
    same,
)
from ratingcore.testing.season import Results, Season, Stage, start
from ratingcore.testing.variants import rebuilt, reversed_sides, turned, upset

Bools = NDArray[np.bool_]

SLACK = 1e-12
"""Amount by which rounding may carry a share out of its range, and chances away from a sum of 1."""


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
    """Returns a mask of the games before which both players are rated."""
    rated = ~np.isnan(stage.state["rating"])
    return np.asarray(rated[stage.results.a] & rated[stage.results.b])


def _shares(what: str, column: Floats, rated: Bools) -> None:
    fits = (column >= -SLACK) & (column <= 1.0 + SLACK)
    for g in np.flatnonzero(~fits & rated)[:1].tolist():
        raise Violation(f"{what} of {nth(g)} is {float(column[g])!r}, not in [0, 1]")


@law_of_seasons(FORWARD)
def forecast(method: Method, season: Season) -> None:
    """Forecasts by `expected` equal those by `rate`."""
    for stage in season.stages(method):
        parts = [stage.results]
        if method.cadence is Cadence.CONTINUOUS:
            n = len(stage.results)
            parts = [stage.results.part(r, r + 1) for r in range(min(n, 25))]
        for number, part in enumerate(parts):
            done, forecast = rated(method, stage.state, part), method.expected(stage.state, part.withheld())
            who = always(nth(number)) if len(parts) > 1 else nth
            same("expected score, by rate and by expected,", done.expected, forecast.expected, who, exact=False)
            if done.draw is not None or forecast.draw is not None:
                if done.draw is None or forecast.draw is None:
                    raise Violation("a chance of a draw is given by one of rate and expected, not by both")
                same("chance of a draw, by rate and by expected,", done.draw, forecast.draw, who, exact=False)


@law_of_seasons()
def foresight(method: Method, season: Season) -> None:
    """The forecast of a result depends neither on it nor on later results."""
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
    """Checks that forecasts of the games up to some month do not change when later games are added."""
    results: Results = season.results(method)
    months = periods(season.view, MONTH, results).calls
    month = months[len(months) // 2]
    early, late = (
        replay_with_forecasts(method, season.through(month.span.end - 1)),
        replay_with_forecasts(method, season.view),
    )
    assert early.moves is not None
    assert late.moves is not None
    n = len(early.moves.expected)
    same("forecast when more has been played", early.moves.expected, late.moves.expected[:n], nth)
    if isinstance(results, Games):
        _shares("forecast", late.moves.expected, ~np.isnan(late.moves.expected))


MOST = 25
"""Largest number of sessions that are checked in a call."""


@law_of_seasons()
def ahead(method: Method, season: Season) -> None:
    """Chances of sides add up, do not depend on order or result, and are one half for equal sides."""
    if method.reads is not Sides:
        raise DoesNotApply("the method reads games")
    for stage in season.stages(method):
        sessions = stage.results.take(np.flatnonzero(~stage.results.games)[:MOST])
        if not len(sessions):
            continue
        forecast = _strengths(method, stage.state, sessions)
        i, j = _pairs(sessions)
        chance = _chances(forecast, i, j, _both_rated(stage, sessions, i, j))
        back = _strengths(method, stage.state, turned(sessions, method.needs))
        place = reversed_sides(sessions, np.arange(float(len(sessions.score)))).astype(np.int64)  # its own inverse
        why = "with the sides turned round: chance to be ahead"
        same(why, chance, back.ahead(place[i], place[j]), nth, exact=False)
        other = _strengths(method, stage.state, upset(sessions))
        same("with the other outcome: chance to be ahead", chance, other.ahead(i, j), nth)
        _equals(method, sessions)
        _as_rated(method, stage, sessions)


def _strengths(method: Method, state: Any, sessions: Sides) -> Strengths:
    """Asks the method for the strengths of sides in sessions whose scores are withheld."""
    given = method.expected(state, sessions.withheld()).strengths
    if given is None:
        raise DoesNotApply("the method gives no chances of sides to be ahead: sessions cannot be scored")
    if len(given) != len(sessions.score):
        raise Violation(f"there are strengths of {len(given)} sides for {len(sessions.score)}")
    return given


def _pairs(sessions: Sides) -> tuple[Ints, Ints]:
    """Returns the first and the second side of every pair of sides that meet."""
    both = [np.triu_indices(n, 1) for n in np.diff(sessions.result).tolist()]
    start = sessions.result[:-1].tolist()
    first, second = (np.concatenate([low + pair[k] for low, pair in zip(start, both, strict=True)]) for k in (0, 1))
    return first, second


def _both_rated(stage: Stage, sessions: Sides, i: Ints, j: Ints) -> Any:
    """Returns a mask of the pairs of sides whose members are all rated."""
    unrated = np.isnan(stage.state["rating"])[sessions.player]
    side = np.add.reduceat(unrated, sessions.side[:-1]) == 0
    return side[i] & side[j]


def _chances(given: Strengths, i: Ints, j: Ints, rated: Any) -> Floats:
    """Checks and returns the chances of `i` to be ahead of `j`."""
    one, other, tie = given.ahead(i, j), given.ahead(j, i), given.tie(i, j)
    for k in np.flatnonzero(rated & ~((one >= 0.0) & (one <= 1.0)))[:1]:
        raise Violation(f"the chance of a side to be ahead is {float(one[k])!r}, not in [0, 1]")
    for k in np.flatnonzero(rated & ~(np.abs(one + other - 1.0) <= SLACK))[:1]:
        raise Violation(f"chances of two sides do not add up to 1: {float(one[k])!r} and {float(other[k])!r}")
    for k in np.flatnonzero(rated & ~((tie >= 0.0) & (0.5 * tie <= np.minimum(one, other) + SLACK)))[:1]:
        raise Violation(f"the chance of a tie is {float(tie[k])!r}, too much for {float(one[k])!r} to be ahead")
    return one


def _equals(method: Method, sessions: Sides) -> None:
    """Checks that sides with equal numbers of identical newcomers have even chances."""
    size = np.diff(sessions.side)
    first = np.repeat(size[sessions.result[:-1]], np.diff(sessions.result))
    even = np.flatnonzero(np.logical_and.reduceat(size == first, sessions.result[:-1]))
    if not len(even):
        return
    sessions = sessions.take(even)
    members = {name: np.full_like(column, column[0]) for name, column in sessions.members.items()}
    newcomers = start(method, int(sessions.player.max()) + 1, 0)
    rating = newcomers["rating"]
    newcomers = newcomers.replace(rating=np.where(np.isnan(rating), 1500.0, rating))
    i, j = _pairs(sessions)
    chance = _strengths(method, newcomers, rebuilt(sessions, members=members)).ahead(i, j)
    for k in np.flatnonzero(~(np.abs(chance - 0.5) <= 1e-9))[:1]:
        raise Violation(f"of two sides of equals the first is ahead with chance {float(chance[k])!r}")


def _as_rated(method: Method, stage: Stage, sessions: Sides) -> None:
    """Checks that `rate` and `expected` give the same forecast."""
    if method.cadence is Cadence.RETROSPECTIVE:
        return
    parts = [sessions]
    if method.cadence is Cadence.CONTINUOUS:
        parts = [sessions.part(r, r + 1) for r in range(len(sessions))]
    for number, part in enumerate(parts):
        outcome = method.rate(stage.state, part)
        if not isinstance(outcome, Rated) or outcome.strengths is None:
            raise Violation("the method forecasts strengths of sides, but its Rated has none: return them from rate")
        i, j = _pairs(part)
        rated_as, forecast = outcome.strengths(), _strengths(method, stage.state, part)
        what = "chance to be ahead, by rate and by expected,"
        same(what, rated_as.ahead(i, j), forecast.ahead(i, j), always(nth(number)), exact=False)


@law_of_seasons(EVERY)
def covariance(method: Method, season: Season) -> None:
    """Covariances are symmetric, no larger than the deviations allow, and for one player the listed variance."""
    for stage in season.stages(method):
        solved = method.rate(stage.state, stage.results)
        if not isinstance(solved, Solved) or solved.covariance is None:
            raise DoesNotApply("the method gives no covariances")
        players = range(min(6, len(stage.state["rating"])))
        joint = np.array([[solved.covariance(i, j) for j in players] for i in players])
        same("covariance, both ways,", joint, joint.T, exact=False)
        own = np.sqrt(np.diag(joint))
        if "deviation" in solved.state.names:
            same("root of the own covariance, and deviation,", own, solved.state["deviation"][: len(own)], exact=False)
        most = np.outer(own, own)
        for i, j in np.argwhere(np.abs(joint) > most * (1.0 + 1e-9) + 1e-9)[:1].tolist():
            both = f"{season.who(i)} and {season.who(j)}"
            why = f"more than the product of their deviations, {float(most[i, j])!r}"
            raise Violation(f"covariance of {both} is {float(joint[i, j])!r}, {why}")


@law_of_seasons(CONTINUOUS)
def sweeping(method: Method, season: Season) -> None:
    """Settings swept in one pass have the same log losses as one by one."""
    if getattr(type(method).sweep, "__func__", None) is Method.sweep.__func__:  # type: ignore[attr-defined]  # of a class method
        raise DoesNotApply("the method has no pass of many settings")
    view = _begun(season).view
    first, last = view.first_played or 0, view.last_played or 0
    middle = first + (last + 1 - first) // 2
    spans = (Span(first, middle), Span(middle, last + 1))
    settings = [method, *_others(method)]
    swept = pass_of(settings, view, spans)
    if swept is None:
        return
    for number, setting in enumerate(settings):
        alone = sweep([setting], view, spans)
        for span, (loss, wanted) in enumerate(zip(swept.score[number], alone.score[0], strict=True)):
            left_alone = np.isnan(swept.score[number]).all()
            if not left_alone and not np.isclose(loss, wanted, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True):
                half = ("first", "second")[span]
                raise Violation(f"log loss of {setting} in the {half} half is {loss!r} swept and {wanted!r} alone")


def _begun(season: Season) -> Season:
    """Moves seeds of a rating alone before the first game, and drops other seeds, because a pass takes no others."""
    seeds = [event for event in season.events if isinstance(event, RatingSeeded) and event.values.keys() == {"rating"}]
    others = [event for event in season.events if not isinstance(event, RatingSeeded)]
    start = (season.view.first_played or 0) - DAY
    return Season.of([*(attrs.evolve(seed, played=start) for seed in seeds), *others])


def _others(method: Method) -> Iterator[Method]:
    """Yields the method with one number changed, for each number, and finally unchanged."""
    for field in attrs.fields(type(method)):  # type: ignore[arg-type]  # methods are attrs classes
        given = getattr(method, field.name)
        if isinstance(given, float):
            for other in (1.5 * given, given + 35.0):
                try:
                    yield attrs.evolve(method, **{field.name: other})  # type: ignore[misc]  # methods are attrs classes
                except BadParameter:  # it does not go with the other parameters
                    continue
    yield method
