"""The law of forecasts of sides: who is expected ahead of whom in a session of any number of sides."""

from typing import Any

import numpy as np

from ratingcore.columns import Sides
from ratingcore.columns.arrays import Floats, Ints
from ratingcore.methods.contract import Cadence, Method, Rated
from ratingcore.methods.strengths import Strengths
from ratingcore.testing.assertions import always, nth, same
from ratingcore.testing.law import DoesNotApply, Violation, law_of_seasons
from ratingcore.testing.season import Season, Stage, start
from ratingcore.testing.variants import rebuilt, reversed_sides, turned, upset

MOST = 25
"""Sessions of a call that are looked at."""
SLACK = 1e-12
"""How far chances may be from adding up to 1 by rounding."""


@law_of_seasons()
def ahead(method: Method, season: Season) -> None:
    """Chances of sides add up, go with the sides whatever their order, see no result, and are one half for equals."""
    if method.reads is not Sides:
        raise DoesNotApply("the method reads games")
    for stage in season.stages(method):
        sessions = stage.results.take(np.flatnonzero(~stage.results.games)[:MOST])
        if not len(sessions):
            continue
        asked = _asked(method, stage.state, sessions)
        i, j = _pairs(sessions)
        chance = _chances(asked, i, j, _rated(stage, sessions, i, j))
        back = _asked(method, stage.state, turned(sessions, method.needs))
        place = reversed_sides(sessions, np.arange(float(len(sessions.score)))).astype(np.int64)  # its own inverse
        why = "with the sides turned round: chance to be ahead"
        same(why, chance, back.ahead(place[i], place[j]), nth, exact=False)
        other = _asked(method, stage.state, upset(sessions))
        same("with the other outcome: chance to be ahead", chance, other.ahead(i, j), nth)
        _equals(method, sessions)
        _as_rated(method, stage, sessions)


def _asked(method: Method, state: Any, sessions: Sides) -> Strengths:
    """What the method expects of sessions whose scores are withheld."""
    given = method.expected(state, sessions.withheld()).strengths
    if given is None:
        raise DoesNotApply("the method does not say who is ahead of whom: sessions cannot be scored")
    if len(given) != len(sessions.score):
        raise Violation(f"there are strengths of {len(given)} sides for {len(sessions.score)}")
    return given


def _pairs(sessions: Sides) -> tuple[Ints, Ints]:
    """The first and the second side of every two that meet."""
    both = [np.triu_indices(n, 1) for n in np.diff(sessions.result).tolist()]
    start = sessions.result[:-1].tolist()
    first, second = (np.concatenate([low + pair[k] for low, pair in zip(start, both, strict=True)]) for k in (0, 1))
    return first, second


def _rated(stage: Stage, sessions: Sides, i: Ints, j: Ints) -> Any:
    """Whether everybody on both sides of each pair is rated."""
    unrated = np.isnan(stage.state["rating"])[sessions.player]
    side = np.add.reduceat(unrated, sessions.side[:-1]) == 0
    return side[i] & side[j]


def _chances(given: Strengths, i: Ints, j: Ints, rated: Any) -> Floats:
    """Chances of `i` to be ahead of `j`, checked."""
    one, other, tie = given.ahead(i, j), given.ahead(j, i), given.tie(i, j)
    for k in np.flatnonzero(rated & ~((one >= 0.0) & (one <= 1.0)))[:1]:
        raise Violation(f"the chance of a side to be ahead is {float(one[k])!r}, not in [0, 1]")
    for k in np.flatnonzero(rated & ~(np.abs(one + other - 1.0) <= SLACK))[:1]:
        raise Violation(f"two sides are ahead with chances {float(one[k])!r} and {float(other[k])!r}")
    for k in np.flatnonzero(rated & ~((tie >= 0.0) & (0.5 * tie <= np.minimum(one, other) + SLACK)))[:1]:
        raise Violation(f"the chance of a tie is {float(tie[k])!r}, too much beside {float(one[k])!r} to be ahead")
    return one


def _equals(method: Method, sessions: Sides) -> None:
    """Checks that sides of as many newcomers each have even chances."""
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
    chance = _asked(method, newcomers, rebuilt(sessions, members=members)).ahead(i, j)
    for k in np.flatnonzero(~(np.abs(chance - 0.5) <= 1e-9))[:1]:
        raise Violation(f"of two sides of equals the first is ahead with chance {float(chance[k])!r}")


def _as_rated(method: Method, stage: Stage, sessions: Sides) -> None:
    """Checks that what is expected when rated is what is expected when asked."""
    if method.cadence is Cadence.RETROSPECTIVE:
        return
    parts = [sessions]
    if method.cadence is Cadence.CONTINUOUS:
        parts = [sessions.part(r, r + 1) for r in range(len(sessions))]
    for number, part in enumerate(parts):
        outcome = method.rate(stage.state, part)
        if not isinstance(outcome, Rated) or outcome.strengths is None:
            raise Violation("who is ahead of whom is said when asked, not when rated: Rated has no strengths")
        i, j = _pairs(part)
        told, asked = outcome.strengths(), _asked(method, stage.state, part)
        what = "chance to be ahead, rated and asked,"
        same(what, told.ahead(i, j), asked.ahead(i, j), always(nth(number)), exact=False)
