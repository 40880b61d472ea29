"""Draws random seasons for a method: results of a form that it accepts, with the fields it needs, and seeds."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate

import numpy as np
from attrs import frozen

from ratingcore.columns.games import Need
from ratingcore.columns.sides import Sides
from ratingcore.errors import BadResult, BrokenContract, MethodError
from ratingcore.events import DAY, Event, GamePlayed, PlayerDescribed, RatingSeeded, SessionPlayed, Side, instant
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.state import State
from ratingcore.replay import fold
from ratingcore.testing.season import POOL, Season


@frozen
class Form:
    """The form of results drawn for a method.

    Parameters
    ----------
    scores : tuple of float
        Scores of a result of two sides.
    sides : tuple of int
        Possible numbers of sides of a session; empty if only games are drawn.
    members : tuple of int
        Possible numbers of players on a side of a session.
    games : bool
        Whether games of two players are drawn.
    unit : str
        Unit of the scores of sessions: "" for shares of the best score, or percent, imp.
    bare : bool
        Whether fields that have a default are left out.
    """

    scores: tuple[float, ...] = (0.0, 0.5, 1.0, 0.3)
    sides: tuple[int, ...] = ()
    members: tuple[int, ...] = (1,)
    games: bool = True
    unit: str = ""
    bare: bool = False

    def score(self, share: float) -> float:
        """Converts a share to a score in the unit of sessions."""
        return {"percent": 100.0 * share, "imp": 40.0 * (share - 0.5)}.get(self.unit, share)


SCORES = (0.0, 0.5, 1.0, 0.3), (0.0, 0.5, 1.0), (0.0, 1.0)
"""Sets of scores, the richest first: a method may refuse some scores."""

SEATED = (
    Form(sides=(2, 3, 5), members=(1, 2, 3)),
    Form(sides=(2, 4), members=(2,), games=False),
    Form(sides=(2,), members=(2,), games=False),
    Form(sides=(3, 5), members=(1,), games=False),
    Form(),
)
"""Forms of sessions, with and without games among them."""

UNITS = ("percent", "imp")
"""Units of session scores; units that a method names are tried before shares."""


def forms(method: Method) -> list[Form]:
    """Returns the forms to try on a method, the richest first."""
    seated = SEATED if method.reads is Sides else (Form(),)
    named = [unit for need in method.needs if need.name == "unit" for unit in UNITS if unit in need.words]
    units = dict.fromkeys([*named, "", *UNITS]) if method.reads is Sides else {"": None}
    return [
        Form(scores, form.sides, form.members, form.games, unit, bare)
        for form in seated
        for unit in units
        for bare in (False, True)
        for scores in SCORES
    ]


Fact = str | float

RANGES = {"born": (1930, 2012), "year": (1930, 2012), "boards": (1, 32), "round": (1, 9), "handicap": (0, 9)}
"""Ranges of whole numbers by name of the field; `OTHERS` for all other fields."""
OTHERS = (1, 30)


def result_facts(method: Method, form: Form, rng: np.random.Generator, score: float, part: float) -> dict[str, Fact]:
    """Draws facts of a result in which `a` has this score, at a time given as a fraction of the season."""
    facts = _drawn(method.needs, "result", form, rng, part)
    low = int(rng.integers(0, 7))
    high = low + int(rng.integers(1, 7))
    points = {0.5: (low, low)}.get(score, (high, low) if score > 0.5 else (low, high))
    facts |= {name: points[n] for n, name in enumerate(("points_a", "points_b")) if name in facts}
    if method.period is not None and method.period.unit == "event":
        facts["event"] = f"event {int(part * 6 + rng.uniform(0.0, 1.5))}"
    return facts


def player_facts(method: Method, form: Form, rng: np.random.Generator) -> dict[str, Fact]:
    """Draws facts of a player."""
    return _drawn(method.needs, "player", form, rng, rng.uniform())


def _drawn(needs: Iterable[Need], of: str, form: Form, rng: np.random.Generator, part: float) -> dict[str, Fact]:
    facts: dict[str, Fact] = {}
    for need in needs:
        absent = need.default is not None and (form.bare or rng.uniform() < 0.15)
        if need.of == of and not absent:
            facts[need.name] = _value(need, form, rng, part)
    return facts


def _value(need: Need, form: Form, rng: np.random.Generator, part: float) -> Fact:
    if need.words:
        words = sorted(need.words)
        return form.unit if form.unit in words else words[int(rng.integers(len(words)))]
    if need.labels:
        return f"{need.name} {int(part * 4) + 1}"
    low, high = RANGES.get(need.name, OTHERS)
    return float(rng.integers(low, high + 1))


SIZES = ((4, 24), (11, 150))
"""Numbers of players and results in the seasons that laws check."""

FIRST = instant("2023-01-10")
PERIODS = 8
"""Length of a season in periods; about two in the middle are empty."""


def seasons(method: Method) -> tuple[Season, ...]:
    """Returns the seasons on which laws check a method; they are the same each time.

    Raises
    ------
    MethodError
        If the method refuses results of every form.
    """
    return _seasons(_Itself(method))


@lru_cache(maxsize=2)
def _seasons(itself: "_Itself") -> tuple[Season, ...]:
    method, form = itself.method, form_of(itself.method)
    numbered = ((np.random.default_rng([number, 2024]), *size) for number, size in enumerate(SIZES))
    return tuple(draw(method, form, *size) for size in numbered)


class _Itself:
    """Wraps a method as a dictionary key compared by object identity, because its `==` and `hash` may be broken."""

    def __init__(self, method: Method) -> None:
        self.method = method

    def __hash__(self) -> int:
        return id(self.method)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other.method is self.method


def form_of(method: Method) -> Form:
    """Returns the richest form of results that the method does not refuse."""
    refusals: list[MethodError] = []
    for form in forms(method):
        try:
            for number, (players, results) in enumerate(SIZES):
                rng = np.random.default_rng([number, 2024])
                events = _played(method, form, rng, _names(players), results)
                if np.isnan(_start(method)):  # newcomers are unrated without seeds, and the method may refuse them
                    events += _seeds(method, rng, Season.of(events))
                odd = fold(method, Season.of(events).view).view.unreadable
                if odd.why:
                    raise BadResult(method.name, f"position {odd.position[0]}", odd.why[0])
        except BrokenContract:
            return form
        except MethodError as error:
            refusals.append(error)
        except Exception:  # a broken method accepts any form; the laws will find what is broken
            return form
        else:
            return form
    raise refusals[0]


def draw(method: Method, form: Form, rng: np.random.Generator, players: int, results: int) -> Season:
    """Draws a season with this many players and results, and with seeds."""
    events = _played(method, form, rng, _names(players), results)
    return Season.of([*events, *_seeds(method, rng, Season.of(events))])


def _names(players: int) -> list[str]:
    return [f"p{n}" for n in range(1, players + 1)]


def _played(method: Method, form: Form, rng: np.random.Generator, names: list[str], n: int) -> list[Event]:
    """Draws descriptions of players, and results in which, if possible, no player wins or loses every game."""
    described = [
        PlayerDescribed(uid=f"d{name}", pool=POOL, played=FIRST - DAY, player=name, data=facts)
        for name in [*names, "idle"]
        if (facts := player_facts(method, form, rng))
    ]
    played = _times(method, rng, n)
    for _ in range(50):
        results = [_result(method, form, rng, names, number, played) for number in range(n)]
        if _balanced(results, names):
            break
    return [*described, *results]


def _times(method: Method, rng: np.random.Generator, n: int) -> list[int]:
    """Draws ascending times, some of them equal, over several periods with a gap in the middle."""
    part = np.sort(rng.uniform(0.0, 1.0, n))
    part = np.where(part < 0.5, part, part + 0.4) / 1.4
    width, first = 30 * DAY, FIRST
    if method.period is not None and method.period.unit in {"months", "days"}:
        width = method.period.count * (31 if method.period.unit == "months" else 1) * DAY
    if method.period is not None and method.period.cuts:
        first = method.period.cuts[0] - 2 * width
        width = (method.period.cuts[-1] + 2 * width - first) // PERIODS
    step = max(DAY // 24, PERIODS * width // 400)
    return [first + int(x * PERIODS * width) // step * step for x in part]


def _result(
    method: Method, form: Form, rng: np.random.Generator, names: list[str], number: int, played: list[int]
) -> Event:
    score = float(form.scores[int(rng.integers(len(form.scores)))])
    facts = result_facts(method, form, rng, score, number / len(played))
    seated = [names[i] for i in rng.permutation(len(names)).tolist()]
    when, uid = played[number], f"g{number + 1}"
    if not form.sides or (form.games and rng.uniform() < 0.4):
        return GamePlayed(uid=uid, pool=POOL, played=when, a=seated[0], b=seated[1], score=score, data=facts)
    sides = min(int(rng.choice(form.sides)), len(names))
    most = len(names) // sides
    size = [min(int(members), most) for members in rng.choice(form.members, sides)]
    start = [0, *accumulate(size)]
    shares = [score, 1.0 - score] if sides == 2 else (rng.permutation(sides) / (sides - 1)).tolist()
    return SessionPlayed(
        uid=uid, pool=POOL, played=when, data=facts,
        sides=[Side(seated[start[s] : start[s + 1]], form.score(share)) for s, share in enumerate(shares)],
    )  # fmt: skip


def _balanced(results: list[Event], names: list[str]) -> bool:
    games = [event for event in results if isinstance(event, GamePlayed)]
    if len(games) < len(results):
        return True
    taken = {name: {g.score if g.a == name else 1.0 - g.score for g in games if name in (g.a, g.b)} for name in names}
    return all(scores and max(scores) > 0.5 and min(scores) < 0.5 for scores in taken.values())


# seeds


def _seeds(method: Method, rng: np.random.Generator, season: Season) -> Iterator[RatingSeeded]:
    """Yields seeds at the start, at and between results, twice at one time, and for a player without results."""
    view = season.view
    times = np.concatenate([view.timeline.games.played, view.timeline.sessions.played])
    names, values = view.names(), plausible(method, season)
    late = [
        int(times.min()),
        int(times.max()) + DAY,
        *rng.choice(times, 3).tolist(),
        *(rng.choice(times, 3) + 1).tolist(),
    ]
    places = [(name, FIRST - DAY) for name in (names if np.isnan(_start(method)) else names[:2])]
    places += [(names[int(rng.integers(len(names)))], at) for at in late] + [("idle", int(np.median(times)))]
    if method.cadence is Cadence.RETROSPECTIVE:
        places = list(dict(places).items())
    else:
        places += [places[-2]]
    for number, (name, at) in enumerate(places):
        given = values[int(rng.integers(len(values)))]
        alone = {"rating": given["rating"]} if number % 2 else given
        yield RatingSeeded(uid=f"s{number + 1}", pool=POOL, played=at, player=name, values=alone)


def _start(method: Method) -> float:
    return next((column.start for column in method.columns() if column.name == "rating"), 1500.0)


def plausible(method: Method, season: Season) -> list[dict[str, float]]:
    """Returns values of listed columns that the method itself produces, so that seeds have its scale."""
    named = [
        c.name for c in method.columns() if c.per == "player" and not c.shape and c.digits is not None and not c.labels
    ]
    start = _start(method)
    middle = 1500.0 if np.isnan(start) else start
    fallback = [{"rating": middle + step} for step in (-1.0, 0.0, 1.0)]
    try:
        state: State = fold(method, season.view).state
        rows = [{name: float(state[name][row]) for name in named} for row in range(season.view.n_players)]
    except Exception:  # a broken method; the laws will find what is broken
        return fallback
    return [row for row in rows if "rating" in row and np.isfinite(list(row.values())).all()] or fallback
