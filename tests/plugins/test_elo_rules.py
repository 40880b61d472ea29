"""Elo by rules for K and for great differences: the tables in the README of elo, game by game and by period."""

from typing import Any

import numpy as np
import pytest
from ratingcore_elo import Elo, KRule, ListFloor, UnratedPolicy

from ratingcore.errors import BadResult
from ratingcore.methods.kernels import has_numba
from ratingcore.methods.text import build, identity, split, text_of
from ratingcore.plugin import Games, Period, Rated, Span, State
from ratingcore.plugin.rules import K, KRegime, day, k_of
from tests.golden.playing import games, state

NAN = float("nan")
MONTH = Period.parse("month")
UNKNOWN = NAN


def made(text: str) -> Elo:
    method = build(Elo, split(text)[1])
    assert isinstance(method, Elo)
    return method


def at(start: str, end: str, a: Any, b: Any, score: Any, born: Any = (), event: Any = (), played: Any = None) -> Games:
    """Games of a period, from its first day on."""
    n, span = len(a), Span(day(start), day(end))
    order = np.arange(1, n + 1)
    when = span.start + order if played is None else np.array([day(text) for text in played])
    facts = {"event": np.array(event if len(event) else [NAN] * n, dtype=np.float64)}
    players = {"born": np.array(born if len(born) else [NAN] * 20, dtype=np.float64)}
    rows = (np.array(side, dtype=np.int32) for side in (a, b))
    return Games(*rows, np.array(score, dtype=np.float64), when, order, span, facts, players)


def starting(method: Elo, rating: Any, **columns: Any) -> State:
    given = {name: np.array(column, dtype=np.float64) for name, column in columns.items()}
    return state(method, rating).replace(**given)


def k_by(word: str, rating: float, counted: float = 100, reached: float = 0, age: float = UNKNOWN) -> float:
    player = (rating, counted, reached, age)
    regime = KRule(word).at(0)
    (k,) = regime.k(*(np.array([float(x)]) for x in player)).tolist()
    assert k == k_of.plain(np.array([regime.packed()]).tolist(), 0, *map(float, player))
    return float(k)


# K


@pytest.mark.parametrize(
    ("player", "k"),
    [
        ({"rating": 1500, "counted": 29}, 40), ({"rating": 1500, "counted": 30}, 20),
        ({"rating": 2399, "counted": 29}, 40), ({"rating": 2400, "counted": 5}, 10),
        ({"rating": 1800, "reached": 1}, 10), ({"rating": 1800, "counted": 0, "reached": 1}, 10),
        ({"rating": 2299, "age": 18}, 40), ({"rating": 2300, "age": 18}, 20), ({"rating": 2299, "age": 19}, 20),
        ({"rating": 2000}, 20), ({"rating": NAN}, 20), ({"rating": NAN, "counted": 0}, 40),
    ],
)  # fmt: skip
def test_k_of_2014(player: dict[str, float], k: float) -> None:
    """Reached 2400, then newcomer, then junior, then standard."""
    assert k_by("fide2014", **player) == k


@pytest.mark.parametrize(("word", "newcomer"), [("fide2009", 30), ("fide_pre2009", 25)])
def test_k_of_the_older_regimes(word: str, newcomer: float) -> None:
    """No juniors; a newcomer who reaches 2400 has 10."""
    assert [k_by(word, 2000, counted, age=12) for counted in (0, 29, 30)] == [newcomer, newcomer, 15]
    assert [k_by(word, 2400, 0), k_by(word, 2399, 0, reached=1)] == [10, 10]


@pytest.mark.parametrize(
    ("rating", "age", "k"),
    [(2199, 19, 25), (2200, 19, 15), (2199, 20, 15), (2399, 40, 15), (2400, 40, 10), (1500, UNKNOWN, 15)],
)
def test_k_of_the_czech_federation_is_not_permanent(rating: float, age: float, k: float) -> None:
    """10 only while above 2399, no rule for newcomers."""
    assert k_by("czech", rating, 0, age=age) == k
    assert k_by("czech", 2300, reached=1) == 15


def test_k_by_date_is_that_of_the_day() -> None:
    rule = KRule("by-date")
    days = ("2009-06-30", "2009-07-01", "2014-06-30", "2014-07-01", "2025-01-01")
    assert [rule.at(day(text)).newcomer for text in days] == [25.0, 30.0, 30.0, 40.0, 40.0]


def test_k_of_rapid_and_blitz_is_20_for_all_until_october_2022_and_then_that_of_standard_chess() -> None:
    """FIDE's notice of 16 November 2011, and the rules of 1 October 2022."""
    rule = KRule("rapid-by-date")
    for when, expected in (("2012-07-01", [20] * 4), ("2022-09-30", [20] * 4), ("2022-10-01", [40, 20, 10, 40])):
        players = (
            (1500.0, 0.0, 0.0, 30.0),
            (1500.0, 30.0, 0.0, 30.0),
            (2300.0, 90.0, 1.0, 30.0),
            (2299.0, 90.0, 0.0, 18.0),
        )
        regime = rule.at(day(when))
        assert [regime.k(*(np.array([x]) for x in player)).tolist() for player in players] == [[k] for k in expected]
        assert regime.limited(np.array([20.0]), np.array([40])).tolist() == [17.0]


def test_a_newcomer_to_rapid_who_wins_three_games_at_level_in_june_2024_gains_60() -> None:
    elo = made("elo:preset=fide,k=rapid-by-date")
    for start, end, gained in (("2024-06-01", "2024-07-01", 60.0), ("2022-09-01", "2022-10-01", 30.0)):
        month = at(start, end, [0] * 3, [1, 2, 3], [1.0] * 3, born=[NAN] * 4)
        begin = starting(elo, [1500.0] * 4, counted=[0] + [100] * 3)
        assert elo.rate(begin, month).state["rating"][0] == 1500.0 + gained


@pytest.mark.parametrize(("games_played", "k"), [(17, 40), (18, 38), (20, 35), (700, 1), (701, 0)])
def test_k_times_the_games_of_a_period_is_at_most_700(games_played: int, k: float) -> None:
    """n = 20 at K = 40 gives 35, the largest whole number."""
    limited = KRule("fide2014").at(0).limited(np.array([40.0]), np.array([games_played]))
    assert limited.tolist() == [k]
    assert KRegime.constant(40.0).limited(np.array([40.0]), np.array([games_played])).tolist() == [40.0]


def test_in_a_period_k_is_limited_by_the_games_of_each_player() -> None:
    """The same on twenty games of one newcomer against twenty."""
    month = at("2020-01-01", "2020-02-01", [0] * 20, range(1, 21), [1.0] * 20, born=[NAN] * 21)
    elo = made("elo:k=fide2014,period=month")
    result = elo.rate(state(elo, [1500.0] * 21), month)
    assert set(result.notes["k_a"]) == {35.0}
    assert set(result.notes["k_b"]) == {40.0}
    assert result.state["rating"][0] == 1500.0 + 350.0


def test_the_age_is_that_attained_in_the_year_and_the_junior_clause_ends_with_it() -> None:
    """A player born in 2002 is a junior through 2020."""
    elo = made("elo:k=fide2014,period=month")
    begin = starting(elo, [1500.0] * 3, counted=[50] * 3)
    for year, k in (("2020", 40.0), ("2021", 20.0)):
        month = at(f"{year}-01-01", f"{year}-02-01", [0], [1], [1.0], born=[2002, NAN, 1900])
        assert elo.rate(begin, month).notes["k_a"].tolist() == [k]


@pytest.mark.parametrize("text", ["elo:k=fide2014", "elo:k=fide2014,period=month"])
def test_games_are_counted_and_2400_is_remembered(text: str) -> None:
    elo = made(text)
    begin = starting(elo, [2396.0, 2390.0], counted=[29, 40], reached=[0, 0])
    one = elo.rate(begin, at("2020-01-01", "2020-02-01", [0], [1], [1.0]))
    assert (one.notes["k_a"].tolist(), one.notes["k_b"].tolist()) == ([40.0], [20.0])
    assert one.state["counted"].tolist() == [30.0, 41.0]
    assert one.state["reached"].tolist() == [1.0, 0.0]
    below = one.state.replace(rating=np.array([2100.0, 2100.0]))
    two = elo.rate(below, at("2020-02-01", "2020-03-01", [0], [1], [1.0]))
    assert (two.notes["k_a"].tolist(), two.notes["k_b"].tolist()) == ([10.0], [20.0])


@pytest.mark.parametrize("text", ["elo:k=fide2014", "elo:k=fide2014,period=month"])
def test_a_seed_at_2400_counts_as_reached(text: str) -> None:
    elo = made(text)
    lost = elo.rate(starting(elo, [2400.0, 2400.0]), at("2020-01-01", "2020-02-01", [0], [1], [0.0]))
    assert lost.state["rating"][0] < 2400.0
    assert lost.state["reached"].tolist() == [1.0, 1.0]


def test_game_by_game_each_side_has_its_own_k() -> None:
    """The pool inflates by (K_a - K_b)(S_a - E_a)."""
    elo = made("elo:k=fide2014")
    begin = starting(elo, [1500.0, 1600.0], counted=[0, 100])
    result = elo.rate(begin, at("2020-01-01", "2020-02-01", [0], [1], [1.0]))
    e = 1.0 / (1.0 + 10.0**0.25)
    assert result.state["rating"] == pytest.approx([1500.0 + 40.0 * (1.0 - e), 1600.0 - 20.0 * (1.0 - e)])
    assert result.state["rating"].sum() - 3100.0 == pytest.approx(20.0 * (1.0 - e))


def test_game_by_game_k_is_that_of_the_day_of_the_game() -> None:
    elo = made("elo:k=by-date")
    days = ("2009-06-30", "2009-07-01", "2014-07-01")
    three = at("2009-01-01", "2015-01-01", [0] * 3, [1] * 3, [0.5] * 3, played=days)
    assert elo.rate(state(elo, [1500.0, 1500.0]), three).notes["k_a"].tolist() == [25.0, 30.0, 40.0]


@pytest.mark.skipif(not has_numba(), reason="needs the extra fast")
@pytest.mark.parametrize("word", list(K))
def test_the_rule_is_the_same_compiled_and_on_arrays(word: str) -> None:
    rng = np.random.default_rng(8)
    n = 300
    rating, counted = (
        rng.choice([NAN, 2199.0, 2200.0, 2299.9, 2300.0, 2399.9, 2400.0, 1500.0], n),
        rng.integers(0, 60, n),
    )
    reached, age = rng.integers(0, 2, n) * 1.0, rng.choice([NAN, 17.0, 18.0, 19.0, 20.0], n)
    rule = KRule(word)
    for r, regime in enumerate(rule.regimes):
        expected = regime.k(rating, counted * 1.0, reached, age)
        players = zip(rating.tolist(), counted.tolist(), reached.tolist(), age.tolist(), strict=True)
        assert [k_of.compiled(rule.packed(), r, x, float(c), t, y) for x, c, t, y in players] == expected.tolist()


# great differences

EVENT = ((1063, 1.0), (1299, 1.0), (1413, 1.0), (1872, 0.5), (1851, 0.0), (1427, 1.0), (1682, 1.0))
TOP = ((2410, 1.0), (2180, 0.5), (1950, 1.0), (2705, 0.0), (2240, 1.0))


def one_player(rule: str, k: float, rating: float, met: Any, event: Any = None, further: str = "") -> Rated:
    elo = made(f"elo:k={k},rule={rule},curve=table,period=month{further}")
    opponents, scores = zip(*met, strict=True)
    n = len(met)
    month = at("2020-01-01", "2020-02-01", [0] * n, range(1, n + 1), scores, event=event or [1.0] * n)
    return elo.rate(state(elo, [rating, *opponents]), month)


def test_one_capped_game_an_event_as_published() -> None:
    """Regime 2022: a real event; the sum of surprises is -0.61 and the change -12.2."""
    result = one_player("2022", 20.0, 2000.0, EVENT)
    assert result.notes["expected_a"] == pytest.approx([0.92, 0.99, 0.98, 0.67, 0.70, 0.98, 0.87])
    assert result.change[0].sum() == pytest.approx(-12.2)


@pytest.mark.parametrize(
    ("rule", "expected", "change", "whole"),
    [
        ("2014", [0.84, 0.92, 0.92, 0.49, 0.92], -5.9, -6.0), ("2024", [0.84, 0.92, 0.92, 0.49, 0.92], -5.9, -6.0),
        ("2022", [0.84, 0.97, 0.92, 0.49, 0.95], -6.7, -7.0), ("2025", [0.84, 0.97, 1.00, 0.49, 0.95], -7.5, -8.0),
    ],
)  # fmt: skip
def test_the_regimes_compared(rule: str, expected: list[float], change: float, whole: float) -> None:
    """2700 with K = 10; -7.5 rounds away from zero."""
    result = one_player(rule, 10.0, 2700.0, TOP, further=",rounding=true")
    assert result.notes["expected_a"] == pytest.approx(expected)
    assert result.change[0].sum() == pytest.approx(change)
    assert result.after["rounding"][0] == pytest.approx(whole - change)
    assert result.state["rating"][0] == 2700.0 + whole


def test_before_2009_the_cap_is_350() -> None:
    capped, free = (one_player(rule, 10.0, 2000.0, [(1600, 1.0)]) for rule in ("pre2009", "none"))
    assert (capped.expected[0], free.expected[0]) == pytest.approx((0.89, 0.92))


def test_one_game_is_capped_in_each_event() -> None:
    """Regime 2022: the greatest of each event, whatever the others."""
    met = [(1500, 1.0), (1400, 1.0), (1300, 1.0), (1200, 1.0)]
    result = one_player("2022", 20.0, 2000.0, met, event=[1.0, 1.0, 2.0, 2.0])
    assert result.notes["expected_a"] == pytest.approx([0.96, 0.92, 0.99, 0.92])


def test_of_equal_differences_the_earlier_is_capped() -> None:
    """Ties are ours to decide: by time and then by place in the log."""
    elo = made("elo:k=20,rule=2022,curve=table,period=month")
    begin = state(elo, [2000.0, 1500.0, 2500.0])
    for days, expected in (("02 02", [0.92, 0.04]), ("02 09", [0.92, 0.04]), ("09 02", [0.96, 0.08])):
        played = [f"2022-05-{day_of_month}" for day_of_month in days.split()]
        month = at("2022-05-01", "2022-06-01", [0, 0], [1, 2], [1.0, 1.0], event=[1, 1], played=played)
        assert elo.rate(begin, month).notes["expected_a"] == pytest.approx(expected)


def test_each_side_looks_for_its_own_greatest_difference() -> None:
    """a's other game is further off, b's is not."""
    elo = made("elo:k=20,rule=2022,curve=table,period=month")
    month = at("2022-05-01", "2022-06-01", [0, 0], [1, 2], [1.0, 1.0], event=[1, 1])
    result = elo.rate(state(elo, [2000.0, 1550.0, 1400.0]), month)
    assert result.notes["expected_a"] == pytest.approx([0.94, 0.92])
    assert result.notes["expected_b"] == pytest.approx([0.08, 0.08])
    assert result.expected == pytest.approx([0.94, 0.92])


@pytest.mark.parametrize("text", ["elo:rule=2025,curve=table", "elo:rule=2025,curve=table,period=month"])
def test_from_2650_the_true_difference_counts_for_that_side_only(text: str) -> None:
    """Regime 2025: the opponent's own calculation is still capped; the forecast is by the true one."""
    elo = made(text)
    result = elo.rate(state(elo, [2650.0, 2000.0]), at("2025-11-01", "2025-12-01", [0], [1], [0.0]))
    assert (result.change[0][0], result.change[1][0]) == pytest.approx((-20.0 * 0.99, 20.0 * 0.92))
    assert result.expected[0] == pytest.approx(0.99)
    lower = elo.rate(state(elo, [2649.0, 2000.0]), at("2025-11-01", "2025-12-01", [0], [1], [0.0]))
    assert lower.change[0][0] == pytest.approx(-20.0 * 0.92)


def test_by_date_each_game_is_rated_by_the_rule_of_its_day() -> None:
    """2000 against 1500, once an event from 2022 to February 2024; 2700 against 2200."""
    days = ["2009-06-30", "2009-07-01", "2022-01-01", "2022-01-02", "2024-03-01", "2025-09-30", "2025-10-01"]
    a, b = [0, 0, 0, 0, 0, 2, 2], [1, 1, 1, 4, 1, 3, 3]
    elo = made("elo:rule=by-date,curve=table,period=cuts(2000-01-01;2030-01-01)")
    decades = at("2000-01-01", "2030-01-01", a, b, [1.0] * 7, event=[1.0] * 7, played=days)
    result = elo.rate(state(elo, [2000.0, 1500.0, 2700.0, 2200.0, 1400.0]), decades)
    assert result.notes["expected_a"] == pytest.approx([0.89, 0.92, 0.96, 0.92, 0.92, 0.92, 0.96])


def test_games_that_name_no_event_are_one_event() -> None:
    """The event as published, by date and without its name; a game of a named event is an event of its own."""
    elo = made("elo:k=20,rule=by-date,curve=table,period=month")
    assert [need.default for need in elo.needs] == pytest.approx([NAN], nan_ok=True)
    opponents, scores = zip(*EVENT, strict=True)
    rating = state(elo, [2000.0, *opponents, 1300.0])
    month = at("2022-05-01", "2022-06-01", [0] * 8, range(1, 9), [*scores, 1.0], event=[NAN] * 7 + [3.0])
    result = elo.rate(rating, month)
    assert result.notes["expected_a"] == pytest.approx([0.92, 0.99, 0.98, 0.67, 0.70, 0.98, 0.87, 0.92])
    assert result.change[0][:7].sum() == pytest.approx(-12.2)
    assert elo.rate(rating, month.part(2, 3)).notes["expected_a"] == pytest.approx([0.92])


def test_regime_2022_by_name_asks_for_the_event_of_every_game() -> None:
    (need,) = made("elo:rule=2022,period=month").needs
    assert (need.name, need.default) == ("event", None)


def test_regime_2022_by_tournament_takes_results_that_name_none_as_a_tournament_a_day() -> None:
    """They were left out, and with them 26 months of a club that names no tournaments, by the book of FIDE."""
    (need,) = made("elo:rule=2022,period=event").needs
    assert (need.name, need.default) == ("event", pytest.approx(NAN, nan_ok=True))


@pytest.mark.parametrize("rule", ["pre2009", "2014", "2024"])
def test_the_plain_regimes_are_a_cap(rule: str) -> None:
    cap = 350.0 if rule == "pre2009" else 400.0
    rng = np.random.default_rng(7)
    played = games(rng.integers(0, 5, 50), rng.integers(5, 10, 50), rng.choice([0.0, 0.5, 1.0], 50))
    start = rng.normal(2000.0, 600.0, 10)
    for period in (None, MONTH):
        by_rule, by_cap = (Elo(period=period, **one) for one in ({"rule": rule}, {"cap": cap}))
        one, other = (elo.rate(state(elo, start), played).state["rating"] for elo in (by_rule, by_cap))
        assert one.tobytes() == other.tobytes()


# what parameters are


def test_a_number_for_k_is_what_it_was() -> None:
    elo = Elo(k=24)
    assert elo.k == 24.0
    assert identity(elo).startswith("elo@1(k=24.0, curve=logistic, ")
    assert made("elo:k=24") == elo


@pytest.mark.parametrize("word", list(K))
def test_a_rule_for_k_is_spelt_by_its_word(word: str) -> None:
    elo = made(f"elo:k={word}")
    assert elo == Elo(k=word) == Elo(k=KRule(word))
    assert f"k={word}," in identity(elo)
    assert made(text_of(elo)) == elo


def test_a_rule_brings_its_columns_and_needs_and_a_number_does_not() -> None:
    assert [column.name for column in Elo().columns()] == ["rating"]
    assert [column.name for column in made("elo:k=fide2009").columns()] == ["rating", "counted", "reached"]
    assert [need.name for need in made("elo:k=fide2014").needs] == ["born"]
    assert made("elo:k=fide2009").needs == ()


def test_values_may_be_given_as_words_and_numbers() -> None:
    elo = Elo(unrated="skip", list_floor=1400, period=MONTH)
    assert (elo.unrated, elo.list_floor) == (UnratedPolicy.SKIP, ListFloor(1400.0))
    assert Elo(unrated="skip", list_floor="by-date", period=MONTH).list_floor == ListFloor()


@pytest.mark.parametrize("text", ["elo:unrated=error", "elo:unrated=error,period=month"])
def test_an_unrated_opponent_is_an_error_where_that_is_asked_for(text: str) -> None:
    """Named by its place in the log."""
    elo = made(text)
    three = games([0, 0, 3], [1, 2, 2], [1.0, 1.0, 0.0])
    with pytest.raises(BadResult, match="cannot rate the result at position 2: a player is unrated"):
        elo.rate(state(elo, [1500.0, 1500.0, NAN, NAN]), three)
    assert elo.rate(state(elo, [1500.0, 1500.0]), three.part(0, 1)).change[0].tolist() == [10.0]
