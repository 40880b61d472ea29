"""What bundled methods promise alike: cadences, parameters in range, players without a rating, order in a period."""

import re
from collections.abc import Iterator, Sequence
from math import nan
from typing import Any

import numpy as np
import pytest

from ratingcore.engine import Engine
from ratingcore.errors import BadParameter
from ratingcore.events import GamePlayed, PlayerDescribed, RatingSeeded, SessionPlayed, Side
from ratingcore.log import SqliteLog
from ratingcore.plugin import Games, Sides, Span, State
from ratingcore.registry import Registry
from tests.golden.playing import games, rated

INSTALLED = Registry.installed()

CADENCES = {
    "continuous": (
        "adaptive-k", "berkin-change", "bridge-bayes", "chess-bayes", "codeforces", "elo", "elo-margin", "elo-mmr",
        "elo-points", "fifa", "pi-ratings", "trueskill", "weng-lin", "world-football-elo",
    ),
    "periodic, month": ("glicko", "glicko2", "periodic"),
    "periodic, half-year": ("ecf-grade",),
    "periodic, event": ("dwz", "egf", "fesa", "ingo", "uschess"),
    "retrospective": ("berkin", "bradley-terry", "colley", "keener", "massey", "trueskill-through-time", "whr"),
}  # fmt: skip


def test_methods_are_found_with_their_cadences_and_periods() -> None:
    for cadence, names in CADENCES.items():
        for method in (INSTALLED.methods[name]() for name in names):
            period = f", {method.period}" if method.period else ""
            assert (method.name, method.cadence.value + period) == (method.name, cadence)
    assert INSTALLED.method("elo:period=month").cadence.value == "periodic"
    assert INSTALLED.method("glicko2:period=none").cadence.value == "continuous"


REFUSED = {
    "must be a positive number": (
        "berkin:anchor=0 berkin-change:anchor=-1 bradley-terry:draw=0 bridge-bayes:sigma1=0 bridge-bayes:deviation=0 "
        "bridge-bayes:pair_k=0 chess-bayes:scale=0 dwz:development=0 ecf-grade:limit=0 egf:handicap_points=0 "
        "elo:scale=0 elo:cap=0 elo-margin:scale=0 elo-points:scale=0 fifa:scale=0 glicko:days=0 massey:spread=0 "
        "periodic:cap=0 pi-ratings:scale=0 trueskill:beta=0 weng-lin:beta=0 weng-lin:deviation=0 "
        "whr:prior_games=0 world-football-elo:scale=0"
    ),
    "must be zero or more": (
        "adaptive-k:k=-1 berkin:prior_draws=-1 bradley-terry:prior_games=-1 bridge-bayes:drift_var=-1 "
        "chess-bayes:draw_band=-1 chess-bayes:nu=-0.1 chess-bayes:deviation=-1 chess-bayes:drift_var=-1 elo:k=-1 "
        "elo:draw_band=-1 elo-margin:k=-1 elo-points:k=-1 fifa:friendly=-1 glicko:c=-1 trueskill:drift=-1 "
        "trueskill-through-time:gamma=-1 uschess:bonus=-1 weng-lin:drift=-1 weng-lin:draw_margin=-1"
    ),
    "must be from 1e-06 to 1000000000.0": "whr:w2=0 whr:w2=1e-300",
    "must be from 0.0 to 1.0": (
        "adaptive-k:threshold=1.1 egf:epsilon=-0.1 elo-margin:carry=1.5 elo-margin:carry=-0.1 periodic:blend=1.1 "
        "pi-ratings:learning=1.5 "
        "weng-lin:kappa=1.5"
    ),
    "must be one of": (
        "berkin:gauge=median berkin-change:variant=13.9 chess-bayes:model=trinomial egf:variant=2020 elo:curve=cubic "
        "elo:rule=2023 elo:unrated=drop elo-margin:margin=cubic keener:counts=goals periodic:curve=linear "
        "weng-lin:model=elo"
    ),
    "must be a number, ": "elo:k=fide2015 elo:list_floor=low",
    "must be from 1 to ": "adaptive-k:window=0 adaptive-k:window=24 elo-mmr:history=0",
    "must be a whole number": (
        "adaptive-k:window=2.5 bridge-bayes:players=1 bridge-bayes:draws=1 bridge-bayes:draws=2.5 bridge-bayes:seed=-1"
    ),
    "must be a ratio of whole numbers up to 10000": "adaptive-k:threshold=0.123456789",
    "must be 1 or more": "berkin-change:n0=0.5 chess-bayes:theta=0.9",
    "must be above 1 where ties=rao_kupper": "bradley-terry:ties=rao_kupper,draw=0.9",
    "must be below 1: with 1.0 nobody ever wins": "trueskill:draw_chance=1 trueskill-through-time:draw_chance=1",
    "must be at most 2.5 scales, 1000, where model=square": "chess-bayes:model=square,deviation=5000",
    "must be one of variance, deviation, equal": (
        "bridge-bayes:sharing=rating bridge-bayes:sharing=rating(0) bridge-bayes:sharing=equal(2)"
    ),
    "must be one of normal, student": (
        "bridge-bayes:density=gauss bridge-bayes:density=normal(1) bridge-bayes:density=student "
        "bridge-bayes:density=student(2) bridge-bayes:density=student(x) bridge-bayes:density=student(5 "
        "bridge-bayes:density=student(nan) bridge-bayes:density=laplace(1) bridge-bayes:density=mixture(0.1) "
        "bridge-bayes:density=mixture(0,3) bridge-bayes:density=mixture(0.5,2,0.5,3) "
        "bridge-bayes:density=mixture(0.1,-3)"
    ),
    "of 1.0 needs tracking=diag or tracking=full: fixed": "bridge-bayes:tracking=fixed,drift_var=1",
    "needs tracking=diag or fixed, since full has the exact": (
        "bridge-bayes:tracking=full,sharing=equal bridge-bayes:tracking=full,pair_k=2"
    ),
    "needs density=normal, since laplace itself sets": "bridge-bayes:density=laplace,pair_k=2",
    "needs per=board, not session": "bridge-bayes:tau=1",
    "needs a period": (
        "berkin-change:reanchor=true elo:mean=1500 elo:rounding=true elo:unrated=two_pass "
        "elo:unrated=skip,list_floor=1400"
    ),
    "needs curve=normal, not logistic": "elo:draw_band=20 elo:spread=own",
    "needs periods of the calendar, not period=event": "elo:period=event,rule=by-date",
    "needs unrated=skip, two_pass or error, not initial": "elo:period=month,list_floor=1400",
    "needs a period, whose games it looks at together": "elo:rule=2022 elo:rule=by-date",
    "must be 400 where curve=table": "elo:curve=table,scale=600",
    "cannot be combined with rule=2014": "elo:rule=2014,cap=400",
    "cannot be combined with floor=1000": "elo:floor=1000,period=month,mean=1500",
    "must be at most 20, the least K, or favourites gain by losing": "elo:extra=20.5",
    "must be at most 10, the least K, or favourites gain by losing": "elo:k=fide2014,extra=20.5",
    "must be between -20000 and 20000": "codeforces:initial=20000",
    "must be below 3300, where the curve ends": "egf:initial=3300",
    "must be from min_deviation=0 to max_deviation=350": "glicko:deviation=400",
}
"""Texts of methods, by what the error says of the last parameter of each."""

REFUSED_FOR_OTHERS = {
    "berkin-change:variant=13.13": "period is needed by variant=13.13",
    "berkin-change:period=month": "variant must be 13.13 for a period",
    "bridge-bayes:unit=imp": "k must be given with unit=imp",
    "bridge-bayes:preset=imp": "k must be given with unit=imp",
    "glicko:min_deviation=360": "deviation must be from min_deviation=360 to max_deviation=350",
    "glicko2:max_volatility=0.05": "volatility must be at most max_volatility=0.05: 0.06",
}
"""Texts that name one parameter, and are refused for another."""


def refusals() -> Iterator[tuple[str, str]]:
    """Every text, and what its error says of which parameter."""
    for why, texts in REFUSED.items():
        for text in texts.split():
            (*_, last) = re.findall(r"[:,](\w+)=", text)
            yield text, f"{last} {why}"
    yield from REFUSED_FOR_OTHERS.items()


@pytest.mark.parametrize(("text", "words"), [*refusals()])
def test_a_value_out_of_range_is_refused_by_method_and_parameter(text: str, words: str) -> None:
    """The law `parameters` of the kit asks for what no parameter can be: no number, no end, another type."""
    with pytest.raises(BadParameter) as refused:
        INSTALLED.method(text)
    assert (refused.value.method, refused.value.parameter) == (text.partition(":")[0], words.split()[0])
    assert f"parameter {words}" in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "elo", "elo:curve=normal,draw_band=50", "elo:curve=table", "elo:cap=400", "elo:first_move=35", "elo:floor=1450",
        "elo:extra=3,extra_gap=50", "elo:floor=0,period=month", "fesa", "dwz", "ingo", "egf", "egf:variant=gor",
        "chess-bayes:draw_band=60", "chess-bayes:model=square", "chess-bayes:model=davidson,nu=0.8",
        "chess-bayes:model=rao_kupper,theta=1.6",
    ],
)  # fmt: skip
def test_a_player_without_a_rating_leaves_only_opponents_without_one(text: str) -> None:
    played = games([0, 2], [1, 3], [1.0, 0.5], home=[1.0, 1.0], handicap=[0, 0], event_class=[1, 1])
    played = played.replaced(players={"born": np.full(4, nan)})
    result = rated(INSTALLED.method(text), [nan, 1500.0, 1500.0, 1500.0], played)
    assert np.isnan(result.state["rating"]).tolist() == [True, True, False, False]
    assert np.isnan(result.expected).tolist() == [True, False]


ODD_SEEDS = {
    "a deviation below 0": (
        "deviation",
        -1.0,
        "glicko glicko:period=none glicko2 glicko2:period=none trueskill weng-lin",
    ),
    "a volatility below 0": ("volatility", -0.06, "glicko2 glicko2:period=none"),
    "a deviation not above 0": ("deviation", 0.0, "elo-mmr"),
    "a deviation outside 0 to inf": ("deviation", -1.0, "chess-bayes"),
    "a deviation outside 0 to 1000": ("deviation", 1000.1, "chess-bayes:model=square"),
    "a development coefficient not above 0": ("development", 0.0, "dwz"),
    "a number of games below 0": ("played", -1.0, "uschess uschess:form=full"),
    "a rating of 3300 or more": ("rating", 3300.0, "egf egf:period=month"),
    "a rating of -1e+09 or less": ("rating", -1e9, "egf"),
    "a rating beyond -20000 or 20000": ("rating", 20000.0, "codeforces"),
    "a rating below 0, which a ratio scale excludes": ("rating", -1.0, "berkin-change berkin-change:variant=13.10"),
    "a seed that is not a rating on a ratio scale": (
        "rating",
        -1.0,
        "berkin:prior_draws=1 berkin:prior_draws=1,gauge=mean",
    ),
    "a winner so far behind that the multiplier has a pole": ("rating", -2200.0, "elo-margin"),
}  # fmt: skip
"""What a seed may say that a formula has no number for, by what lists say of it."""


PAIRS = [("ann", "bo"), ("bo", "cy"), ("cy", "bo")]


def club(*events: Any, pairs: Sequence[tuple[str, str]] = PAIRS) -> Engine:
    """A club of which the first of each pair beat the other, one pair a day from 2 March on."""
    engine, points = Engine(SqliteLog(":memory:"), INSTALLED), {"points_a": 3, "points_b": 1}
    days = [2 + PAIRS.index(pair) for pair in pairs]
    games = [
        GamePlayed(pool="club", played=f"2024-03-0{day}", a=a, b=b, score=1.0, data=points)
        for day, (a, b) in zip(days, pairs, strict=True)
    ]
    engine.record(*events, *games)
    return engine


@pytest.mark.parametrize(
    ("text", "column", "value", "why"),
    [(text, column, value, why) for why, (column, value, texts) in ODD_SEEDS.items() for text in texts.split()],
)
def test_a_result_without_a_number_is_left_out_and_noted(text: str, column: str, value: float, why: str) -> None:
    """One such result took the whole list down."""
    values = {"rating": 0.0} | {column: value}
    seeds = [RatingSeeded(pool="club", played="2024-01-01", player="ann", values=values)]
    if text.startswith("elo-margin"):
        seeds.append(RatingSeeded(pool="club", played="2024-01-01", player="bo", values={"rating": 0.0}))
    listed, without = (engine.rating_list("club", text) for engine in (club(*seeds), club(*seeds[1:], pairs=PAIRS[1:])))
    assert listed.left_out == {why: 1}
    if INSTALLED.method(text).cadence.value != "retrospective":
        assert listed.rating("ann") == values["rating"]
        assert [listed.rating(player) for player in ("bo", "cy")] == [without.rating(player) for player in ("bo", "cy")]


@pytest.mark.parametrize(
    ("text", "fact", "value", "why"),
    [
        ("elo:k=fide2014", "born", 19900503, "a year of birth that is not a year"),
        ("elo:k=fide2014,period=month", "born", 90, "a year of birth that is not a year"),
        ("elo:curve=normal,spread=own", "sigma", 0, "a spread that is not above 0"),
        ("elo:curve=normal,spread=own,period=month", "sigma", -5, "a spread that is not above 0"),
    ],
)
def test_games_of_a_player_of_whom_an_odd_fact_is_told_are_left_out(
    text: str, fact: str, value: float, why: str
) -> None:
    described = PlayerDescribed(pool="club", played="2024-01-01", player="ann", data={fact: value})
    listed, without = (engine.rating_list("club", text) for engine in (club(described), club(pairs=PAIRS[1:])))
    assert listed.left_out == {why: 1}
    assert [listed.rating(player) for player in ("bo", "cy")] == [without.rating(player) for player in ("bo", "cy")]


def test_a_period_with_more_games_than_its_constant_stands_for_leaves_them_out() -> None:
    """13.13 asks for N_o of at least the games of a period; one busy player took the list down."""
    listed = club().rating_list("club", "berkin-change:variant=13.13,period=month,n0=2")
    assert listed.left_out == {"a player with more games in the period than n0": 3}


@pytest.mark.parametrize("text", ["elo:k=0.1,period=month", "periodic", "egf", "egf:variant=gor"])
def test_the_order_inside_a_period_does_not_matter_to_the_last_bit(text: str) -> None:
    """The law of the kit asks for equal numbers within its tolerance only."""
    rng, method = np.random.default_rng(9), INSTALLED.method(text)
    a = rng.integers(0, 12, 150)
    b, score = (a + rng.integers(1, 12, 150)) % 12, rng.choice([0.0, 0.5, 1.0], 150)
    month = games(a, b, score, handicap=np.zeros(150), event_class=np.ones(150))
    for order in (np.arange(150)[::-1], rng.permutation(150)):
        for start in (np.linspace(1200.3, 1900.7, 12), rng.normal(1500.0, 300.0, 12)):
            one, mixed = rated(method, start, month), rated(method, start, month.take(order))
            assert one.state["rating"].tobytes() == mixed.state["rating"].tobytes()


@pytest.mark.parametrize("text", ["trueskill", "trueskill:drift=0.5", "weng-lin", "weng-lin:drift=0.5"])
def test_games_are_rated_bit_for_bit_like_sessions_of_two(text: str) -> None:
    rng, n, players, method = np.random.default_rng(4), 300, 9, INSTALLED.method(text)
    a = rng.integers(0, players, n)
    b = (a + rng.integers(1, players, n)) % players
    at = np.arange(n)
    duels = Games(a, b, rng.choice([0.0, 0.5, 1.0], n), at, at, Span(0, n))
    alone = Sides.of(duels, {"weights": np.ones(2 * n)})
    seated = alone.replaced(games=np.zeros(n, dtype=np.bool_))
    assert alone.duels is not None
    assert seated.duels is None
    start = State.start(method.columns(), players)
    one, other = method.rate(start, alone), method.rate(start, seated)
    for column in ("rating", "deviation"):
        assert one.state[column].tobytes() == other.state[column].tobytes()
    assert one.expected.tobytes() == other.expected.tobytes()
    assert np.asarray(one.change).tobytes() == np.asarray(other.change).tobytes()


OF_SESSIONS = (
    "trueskill", "trueskill:draw_chance=0", "codeforces", "elo-mmr", "elo-mmr:history=3", "weng-lin",
    "weng-lin:model=bt_full", "weng-lin:model=bt_part", "weng-lin:model=tm_full", "weng-lin:model=tm_part",
)  # fmt: skip


@pytest.mark.parametrize("text", OF_SESSIONS)
def test_what_the_tied_are_called_moves_nobody(text: str) -> None:
    """Sessions with ties of two, three and more, of newcomers and of others; keys give the order of players."""
    method, rng = INSTALLED.method(text), np.random.default_rng(7)
    scores = ([2.0, 2.0, 1.0, 1.0, 1.0], [1.0, 3.0, 3.0, 2.0], [1.0] * 7, [2.0, 1.0, 1.0, 1.0, 1.0])
    raced = [rng.permutation(8)[: len(score)].tolist() for score in scores]
    found = []
    for _ in range(4):
        keys = [f"key {number}" for number in rng.permutation(8).tolist()]
        with Engine(SqliteLog(":memory:"), INSTALLED) as engine:
            for day, (who, score) in enumerate(zip(raced, scores, strict=True), 1):
                sides = [Side([keys[n]], points) for n, points in zip(who, score, strict=True)]
                engine.record(SessionPlayed(pool="p", played=f"2024-01-0{day}", sides=sides))
            now = engine.core.replay("p", method)
            of_key = dict(zip(now.view.names(), now.state["rating"].tolist(), strict=True))
            first = engine.core.replay("p", method, "2024-01-01")
            start = dict(zip(first.view.names(), first.state["rating"].tolist(), strict=True))
        found.append([of_key[key] for key in keys])
        for tied in (raced[0][:2], raced[0][2:]):
            assert np.ptp([start[keys[n]] for n in tied]) < 1e-9
    assert np.ptp(found, axis=0).max() < 1e-9
