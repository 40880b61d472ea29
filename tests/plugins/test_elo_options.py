"""Options of Elo: points against deflation, a constant mean, players' own spreads, Davidson's curve."""

from math import erf, hypot, sqrt

import numpy as np
import pytest
from attrs import evolve
from ratingcore_elo import Elo, KRule, UnratedPolicy, draw_fit

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import BadParameter, BadResult
from ratingcore.log import SqliteLog
from ratingcore.methods.text import identity
from ratingcore.plugin import Games, Period, Rated
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated, state

MONTH = Period.parse("month")
UPSET = 20.0 * (1.0 - 1.0 / (1.0 + 10.0**0.5))
"""What a player wins by beating somebody rated 200 points higher, K = 20."""

EXTRA = [
    Elo(extra=2.0),
    Elo(extra=2.0, period=MONTH),
    Elo(extra=2.0, floor=1000.0),
    Elo(extra=2.0, unrated=UnratedPolicy.SKIP),
    Elo(extra=2.0, unrated=UnratedPolicy.SKIP, period=MONTH),
    Elo(extra=2.0, unrated=UnratedPolicy.TWO_PASS, period=MONTH),
]


@pytest.mark.parametrize("elo", EXTRA, ids=str)
@pytest.mark.parametrize(
    ("score", "more"), [(1.0, 2.0), (0.5, 0.0), (0.0, 0.0)], ids=["win of the lower rated", "draw", "loss"]
)
def test_after_a_win_of_the_lower_rated_both_players_get_the_extra_points(elo: Elo, score: float, more: float) -> None:
    """1500 meets 1700: the change by hand, 15.194939 for a win, and 2 points on top of it for both."""
    assert pytest.approx(15.194939, abs=5e-7) == UPSET
    change = UPSET - 20.0 * (1.0 - score)
    for a, b, share, sign in (([0], [1], score, 1.0), ([1], [0], 1.0 - score, -1.0)):
        result = rated(elo, [1500.0, 1700.0], games(a, b, [share]))
        assert result.state["rating"] == pytest.approx([1500.0 + change + more, 1700.0 - change + more])
        assert np.array(result.change)[:, 0] == pytest.approx([sign * change + more, -sign * change + more])


@pytest.mark.parametrize("elo", EXTRA, ids=str)
def test_the_points_ask_for_a_gap_that_is_greater_than_the_least(elo: Elo) -> None:
    apart = evolve(elo, extra_gap=200.0)
    near, far = (rated(apart, [1500.0, other], games([0], [1], [1.0])) for other in (1700.0, 1700.5))
    assert near.state["rating"].sum() == pytest.approx(3200.0)
    assert far.state["rating"].sum() == pytest.approx(3200.5 + 4.0)


def test_the_first_move_and_the_cap_do_not_say_who_is_lower_rated() -> None:
    """1500 with the first move, worth 300, beats 1700 capped at 100."""
    elo = Elo(extra=2.0, extra_gap=150.0, first_move=300.0, cap=100.0)
    assert rated(elo, [1500.0, 1700.0], games([0], [1], [1.0], home=[1.0])).state["rating"].sum() == 3204.0


@pytest.mark.parametrize(
    "elo", [Elo(period=MONTH, mean=1500.0), Elo(period=MONTH, mean=1500.0, unrated=UnratedPolicy.SKIP)]
)
def test_a_period_ends_with_the_mean_that_the_pool_is_held_to(elo: Elo) -> None:
    """1600 beats 1700 (K = 20, E = 0.359935), 1450 rests: the mean is 1583.333, so everybody loses 83.333."""
    result = rated(elo, [1600.0, 1700.0, 1450.0], games([0], [1], [1.0]))
    assert result.after["inflation"] == pytest.approx([-250.0 / 3.0] * 3)
    assert result.state["rating"] == pytest.approx([1529.467967, 1603.865367, 1366.666667], abs=5e-7)
    assert result.state["rating"].mean() == pytest.approx(1500.0)


def test_whole_points_hold_the_mean_to_within_half_a_point() -> None:
    elo = Elo(period=MONTH, mean=1500.0, rounding=True)
    result = rated(elo, [1600.0, 1700.0, 1450.0], games([0], [1], [1.0]))
    assert result.state["rating"].tolist() == [1530.0, 1604.0, 1367.0]
    assert result.after["inflation"].tolist() == [-83.0] * 3


def test_players_without_a_rating_are_no_part_of_the_pool() -> None:
    elo = Elo(period=MONTH, mean=1500.0, unrated=UnratedPolicy.SKIP)
    result = rated(elo, [1600.0, float("nan")], games([0], [1], [1.0]))
    assert result.state["rating"][0] == 1500.0
    assert np.isnan(result.state["rating"][1])
    nobody = rated(elo, [float("nan")] * 2, games([0], [1], [1.0]))
    assert nobody.after["inflation"].tolist() == [0.0, 0.0]


def test_a_history_shows_the_points_against_inflation_on_a_line_of_their_own() -> None:
    """A newcomer seeded at 1800 lifts the mean of three to 1600: everybody gives 100."""
    with rc.open(":memory:") as engine:
        engine.record(rc.RatingSeeded(pool="club", played="2024-01-01", player="ann", values={"rating": 1800.0}))
        engine.record(rc.GamePlayed(pool="club", played="2024-01-10", a="bo", b="cy", score=0.5))
        method = "elo:period=month,mean=1500"
        lines = engine.history("club", "ann", method, through="2024-01-31")
        assert [(line.opponent, line.change) for line in lines][-1] == ("inflation", pytest.approx(-100.0))
        made = engine.rating_list("club", method, through="2024-01-31")
        assert [made.rating(name) for name in ("ann", "bo", "cy")] == pytest.approx([1700.0, 1400.0, 1400.0])


def test_what_elo_learnt_later_is_in_an_identity_only_where_it_is_asked_for() -> None:
    assert "nu=1.5" in identity(Elo(curve="davidson", nu=1.5))
    assert identity(Elo()).endswith("list_floor=none, period=none)")
    asked = Elo(curve="normal", extra=2.0, extra_gap=50.0, mean=1500.0, spread="own", period=MONTH)
    assert identity(asked).endswith("period=month, extra=2.0, extra_gap=50.0, mean=1500.0, spread=own)")


# spreads of players

OWN = [
    Elo(curve="normal", spread="own"),
    Elo(curve="normal", spread="own", period=MONTH),
    Elo(curve="normal", spread="own", unrated=UnratedPolicy.SKIP),
    Elo(curve="normal", spread="own", unrated=UnratedPolicy.SKIP, period=MONTH),
]


def played(score: float, sigma: list[float], late: bool = False) -> Games:
    one = games([0, 2], [1, 3], [score, score])
    if late:
        one = one.replaced(position=np.array([2, 1]))
    return one.replaced(players={"sigma": np.array(sigma)})


def phi(z: float) -> float:
    return 0.5 * (1.0 + erf(z / sqrt(2.0)))


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("elo", OWN, ids=str)
def test_the_curve_of_a_game_is_as_wide_as_its_two_players(elo: Elo, late: bool) -> None:
    """Article, problem 6: the spread of the difference is sqrt(sigma_a^2 + sigma_b^2); 200 where none is known."""
    result = rated(elo, [1834.0, 2179.0, 1700.0, 1500.0], played(1.0, [300.0, 100.0, np.nan, 350.0], late))
    expected = [phi(-345.0 / hypot(300.0, 100.0)), phi(200.0 / hypot(200.0, 350.0))]
    assert result.expected == pytest.approx(expected)
    one, other = (20.0 * (1.0 - share) for share in expected)
    assert result.state["rating"] == pytest.approx([1834.0 + one, 2179.0 - one, 1700.0 + other, 1500.0 - other])


def test_players_without_a_spread_are_rated_as_ever() -> None:
    """1834 against 2179 is 0.111278, as the article has it."""
    own = rated(OWN[0], [1834.0, 2179.0, 1834.0, 2179.0], played(0.0, [np.nan] * 4))
    assert own.expected == pytest.approx([0.111278] * 2, abs=5e-7)
    assert own.expected.tolist() == rated(Elo(curve="normal"), [1834.0, 2179.0] * 2, played(0.0, [])).expected.tolist()


def test_a_greater_spread_pulls_the_expected_score_to_a_half() -> None:
    shares = [
        rated(OWN[0], [1700.0, 1500.0] * 2, played(1.0, [sigma, 200.0, np.nan, np.nan])).expected[0]
        for sigma in (50.0, 200.0, 400.0, 2000.0, 1e9)
    ]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("elo", [Elo(curve="normal", spread="own", draw_band=50.0, period=p) for p in (None, MONTH)])
def test_the_draw_band_counts_against_the_spreads_of_the_two(elo: Elo) -> None:
    result = rated(elo, [1600.0, 1500.0] * 2, played(0.5, [120.0, 160.0, np.nan, np.nan]))
    assert result.draw is not None
    assert result.draw[0] == pytest.approx(phi(150.0 / 200.0) - phi(50.0 / 200.0))
    assert result.expected[0] == pytest.approx(0.5 * (phi(0.75) + phi(0.25)))


@method_checks(
    *OWN, Elo(curve="normal", spread="own", k=KRule("fide2014")), Elo(curve="normal", spread="own", draw_band=50.0)
)
def test_the_laws_hold_with_own_spreads(law: Law, method: Elo) -> None:
    law(method)


def test_the_log_says_how_steadily_a_player_performs() -> None:
    with rc.open(":memory:") as engine:
        for player, rating in (("ann", 1700.0), ("bo", 1500.0)):
            engine.record(rc.RatingSeeded(pool="club", played="2024-01-01", player=player, values={"rating": rating}))
        engine.record(rc.PlayerDescribed(pool="club", played="2024-01-01", player="ann", data={"sigma": 350.0}))
        engine.record(rc.GamePlayed(pool="club", played="2024-01-10", a="ann", b="bo", score=1.0))
        (row,) = engine.forecasts("club", "elo:curve=normal,spread=own")
        assert row["expected"] == pytest.approx(phi(200.0 / hypot(350.0, 200.0)))


# the curve of Davidson

DAVIDSON = Elo(curve="davidson")
SHARES = (1.0, 0.5, 0.0)


def duel(method: Elo, a: float, b: float, score: float) -> Rated:
    return method.rate(state(method, [a, b]), games([0], [1], [score]))


@pytest.mark.parametrize("gap", [-2000.0, -100.0, 0.0, 3.0, 400.0])
def test_chances_are_davidsons(gap: float) -> None:
    """Davidson 1970, (2.3): win, draw and loss as g, nu and 1/g, g the root of the odds without draws."""
    g, nu = 10.0 ** (gap / 800.0), 0.8
    whole = g + 1.0 / g + nu
    found = duel(DAVIDSON, gap, 0.0, 1.0)
    assert found.draw is not None
    assert found.expected[0] == pytest.approx((g + 0.5 * nu) / whole, abs=1e-12)
    assert found.draw[0] == pytest.approx(nu / whole, abs=1e-12)
    asked = DAVIDSON.expected(state(DAVIDSON, [gap, 0.0]), games([0], [1], [np.nan]))
    assert asked.expected[0] == pytest.approx(found.expected[0], abs=1e-12)


def test_the_rating_climbs_the_likelihood() -> None:
    """Szczecinski and Djebbi 2020: score less expected score is the slope of the logarithm of the chance."""
    slope = np.log(10.0) / 400.0
    for score in SHARES:
        chance = {}
        for step in (-1e-3, 1e-3):
            found = duel(DAVIDSON, 130.0 + step, 0.0, 1.0)
            assert found.draw is not None
            e, d = found.expected[0], found.draw[0]
            chance[step] = {1.0: e - d / 2, 0.5: d, 0.0: 1.0 - e - d / 2}[score]
        rise = (np.log(chance[1e-3]) - np.log(chance[-1e-3])) / 2e-3
        change = duel(DAVIDSON, 130.0, 0.0, score).change[0][0]
        assert change == pytest.approx(20.0 * rise / slope, rel=1e-6)


def test_without_draws_it_is_the_logistic_curve() -> None:
    none = Elo(curve="davidson", nu=0.0)
    for gap in (-700.0, -20.0, 0.0, 250.0):
        assert duel(none, gap, 0.0, 1.0).expected[0] == pytest.approx(duel(Elo(), gap, 0.0, 1.0).expected[0], rel=1e-12)


def drawn_season(nu: float, n: int) -> Engine:
    """Games of eight players of known strength, whose results are drawn by Davidson's chances."""
    rng = np.random.default_rng(7)
    strength, engine = rng.normal(0.0, 150.0, 8), Engine(SqliteLog(":memory:"))
    played = []
    for number in range(n):
        a, b = rng.choice(8, 2, replace=False)
        g = 10.0 ** ((strength[a] - strength[b]) / 800.0)
        odds = np.array([g, nu, 1.0 / g])
        score = float(rng.choice(SHARES, p=odds / odds.sum()))
        day = f"2024-01-{1 + number * 27 // n:02d}"
        played.append(rc.GamePlayed(pool="p", played=day, a=f"p{a}", b=f"p{b}", score=score))
    engine.record(*played)
    return engine


def test_nu_is_found_from_results() -> None:
    """About half of 3000 games between near equals are drawn with nu = 2."""
    engine = drawn_season(2.0, 3000)
    found = engine.fit("p", "elo:curve=davidson,k=10")
    (estimate,) = found.fitted.estimates
    assert estimate.low < 2.0 < estimate.high
    assert estimate.error < 0.2
    assert found.fitted.likelihood > found.fitted.before
    assert found.fitted.results == 3000
    assert found.method == f"elo:curve=davidson,k=10,nu={estimate.value}"
    assert found.fitted.stopped == ""


def test_a_search_for_nu_that_stops_short_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draw_fit, "RUNS", 3)
    assert drawn_season(1.0, 30).fit("p", "elo:curve=davidson").fitted.stopped.startswith("after 3 replays")


def test_where_nobody_draws_the_results_tell_no_error() -> None:
    engine = Engine(SqliteLog(":memory:"))
    engine.record(*(rc.GamePlayed(pool="p", played="2024-01-01", a="a", b="b", score=n % 2) for n in range(20)))
    (estimate,) = engine.fit("p", "elo:curve=davidson").fitted.estimates
    assert estimate.value < 1e-4
    assert np.isnan(estimate.error)


def test_what_cannot_be_fitted_is_refused() -> None:
    engine = drawn_season(1.0, 30)
    with pytest.raises(BadParameter, match="parameter k cannot be fitted: nu can"):
        engine.fit("p", "elo:curve=davidson", ["k"])
    with pytest.raises(BadParameter, match="curve must be davidson, whose nu can be fitted: logistic"):
        engine.fit("p", "elo")
    engine.record(rc.GamePlayed(pool="p", played="2024-03-01", a="p1", b="p2", score=0.3))
    with pytest.raises(BadResult, match=r"its score is neither a win, a draw nor a loss: 0\.3"):
        engine.fit("p", "elo:curve=davidson")


@method_checks(DAVIDSON, Elo(curve="davidson", nu=2.0, cap=300.0, first_move=35.0))
def test_elo_on_davidsons_curve_keeps_the_laws(law: Law, method: Elo) -> None:
    law(method)


def test_extra_points_may_be_as_many_as_the_least_k() -> None:
    assert (Elo(k=20.0, extra=20.0).extra, Elo(k=KRule("fide2014"), extra=10.0).extra) == (20.0, 10.0)
