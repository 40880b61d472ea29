"""Elo on Davidson's curve: chances of win, draw and loss, the logistic curve without draws, and nu from results."""

import numpy as np
import pytest
from ratingcore_elo import Elo

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import BadParameter, BadResult
from ratingcore.log import SqliteLog
from ratingcore.methods.text import identity
from ratingcore.plugin import Rated
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, state

DAVIDSON = Elo(curve="davidson")
SHARES = (1.0, 0.5, 0.0)


def rated(method: Elo, a: float, b: float, score: float) -> Rated:
    return method.rate(state(method, [a, b]), games([0], [1], [score]))


@pytest.mark.parametrize("gap", [-2000.0, -100.0, 0.0, 3.0, 400.0])
def test_chances_are_davidsons(gap: float) -> None:
    """Davidson 1970, (2.3): win, draw and loss as g, nu and 1/g, g the root of the odds without draws."""
    g, nu = 10.0 ** (gap / 800.0), 0.8
    whole = g + 1.0 / g + nu
    found = rated(DAVIDSON, gap, 0.0, 1.0)
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
            found = rated(DAVIDSON, 130.0 + step, 0.0, 1.0)
            assert found.draw is not None
            e, d = found.expected[0], found.draw[0]
            chance[step] = {1.0: e - d / 2, 0.5: d, 0.0: 1.0 - e - d / 2}[score]
        rise = (np.log(chance[1e-3]) - np.log(chance[-1e-3])) / 2e-3
        change = rated(DAVIDSON, 130.0, 0.0, score).change[0][0]
        assert change == pytest.approx(20.0 * rise / slope, rel=1e-6)


def test_without_draws_it_is_the_logistic_curve() -> None:
    none = Elo(curve="davidson", nu=0.0)
    for gap in (-700.0, -20.0, 0.0, 250.0):
        assert rated(none, gap, 0.0, 1.0).expected[0] == pytest.approx(
            rated(Elo(), gap, 0.0, 1.0).expected[0], rel=1e-12
        )


def test_the_identity_of_other_curves_is_what_it_was() -> None:
    assert "nu" not in identity(Elo())
    assert "nu=1.5" in identity(Elo(curve="davidson", nu=1.5))


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
    with pytest.raises(BadResult, match=r"a game is won, drawn or lost: 0\.3"):
        engine.fit("p", "elo:curve=davidson")


@method_checks(DAVIDSON, Elo(curve="davidson", nu=2.0, cap=300.0, first_move=35.0))
def test_elo_on_davidsons_curve_keeps_the_laws(law: Law, method: Elo) -> None:
    law(method)
