"""Elo with players' own spreads: a player of changing form is harder to predict."""

from math import erf, hypot, sqrt

import numpy as np
import pytest
from ratingcore_elo import Elo, KRule, Unrated

import ratingcore as rc
from ratingcore.errors import BadField
from ratingcore.plugin import Games, Period
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated

MONTH = Period.parse("month")
OWN = [
    Elo(curve="normal", spread="own"),
    Elo(curve="normal", spread="own", period=MONTH),
    Elo(curve="normal", spread="own", unrated=Unrated.SKIP),
    Elo(curve="normal", spread="own", unrated=Unrated.SKIP, period=MONTH),
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


@pytest.mark.parametrize("sigma", [0.0, -5.0, np.inf])
@pytest.mark.parametrize("elo", OWN, ids=str)
def test_a_spread_that_is_none_is_refused_and_named(elo: Elo, sigma: float) -> None:
    with pytest.raises(BadField, match="field sigma must be a number above zero at a player of position 2"):
        rated(elo, [1500.0] * 4, played(1.0, [200.0, 200.0, 200.0, sigma]))


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
