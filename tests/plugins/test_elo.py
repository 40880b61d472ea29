"""Elo game by game and by period: the worked numbers of its README, and the laws."""

from typing import Any

import numpy as np
import pytest
from ratingcore_elo import Elo

from ratingcore.plugin import Games, Period
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated

MONTH = Period.parse("month")
EVERY = [
    Elo(),
    Elo(k=32.0, scale=600.0),
    Elo(curve="normal"),
    Elo(curve="normal", draw_band=50.0),
    Elo(curve="table"),
    Elo(cap=400.0),
    Elo(first_move=35.0),
    Elo(floor=1450.0),
    Elo(extra=3.0, extra_gap=50.0),
    Elo(k=60.0, curve="normal", draw_band=100.0, first_move=-20.0, cap=150.0, floor=1400.0),
]
each_elo = pytest.mark.parametrize("elo", EVERY, ids=str)


@pytest.fixture
def season() -> Games:
    rng = np.random.default_rng(11)
    a = rng.integers(0, 20, 400)
    b = (a + rng.integers(1, 20, 400)) % 20
    return games(a, b, rng.choice([0.0, 0.5, 1.0], 400), home=rng.choice([1.0, -1.0, 0.0], 400))


def ratings(spread: float = 200.0) -> Any:
    return np.random.default_rng(5).normal(1500.0, spread, 20)


@pytest.mark.parametrize(("band", "draw", "tol"), [(10.0, 0.0282, 5e-5), (20.0, 0.0564, 5e-5), (190.8, 0.5, 1.2e-4)])
def test_the_chance_of_a_draw_between_equals(band: float, draw: float, tol: float) -> None:
    """Half of the games are drawn with a band of 190.8 points (0.05 of which are 1.1e-4)."""
    result = rated(Elo(curve="normal", draw_band=band), [1500.0, 1500.0], games([0], [1], [1.0]))
    assert result.draw is not None
    assert result.draw[0] == pytest.approx(draw, abs=tol)


def test_without_a_band_nothing_is_said_about_draws(season: Games) -> None:
    assert rated(Elo(curve="normal"), ratings(), season).draw is None


def test_the_cap_leaves_a_favourite_something_to_win() -> None:
    """K = 10, the table and a cap of 400 give at least 0.8 points."""
    result = rated(Elo(k=10.0, curve="table", cap=400.0), [2700.0, 1500.0], games([0], [1], [1.0]))
    assert result.change[0][0] == pytest.approx(0.8)


def test_the_first_move_is_part_of_the_gap_and_the_cap_holds_the_sum() -> None:
    """h for a, -h for b, 0 where nobody moves first."""
    three = games([0, 2, 4], [1, 3, 5], [1.0, 1.0, 1.0], home=[1.0, -1.0, 0.0])
    free, capped = (rated(Elo(first_move=50.0, cap=cap), [1530.0, 1500.0] * 3, three) for cap in (None, 60.0))
    logistic = [1.0 / (1.0 + 10.0 ** (-gap / 400.0)) for gap in (80.0, -20.0, 30.0, 60.0)]
    assert free.expected == pytest.approx(logistic[:3])
    assert capped.expected == pytest.approx([logistic[3], *logistic[1:3]])


def test_the_floor_holds_on_both_sides() -> None:
    result = rated(Elo(k=40.0, floor=0.0), [10.0, 5.0], games([0, 0], [1, 1], [1.0, 1.0]))
    assert result.state["rating"][1] == 0.0
    assert result.change[1].tolist() == [-5.0, 0.0]


@method_checks(
    *EVERY,
    Elo(period=MONTH),
    Elo(k=60.0, floor=1495.0, first_move=20.0, period=MONTH),
    Elo(curve="normal", draw_band=40.0, first_move=20.0, cap=300.0, period=MONTH),
    Elo(period=Period.parse("event"), floor=1495.0, first_move=20.0),
)
def test_elo_keeps_the_laws(law: Law, method: Elo) -> None:
    law(method)


@pytest.mark.parametrize("elo", [elo for elo in EVERY if elo.floor is not None], ids=str)
def test_nobody_who_plays_ends_below_the_floor(elo: Elo, season: Games) -> None:
    assert elo.floor is not None
    assert rated(elo, ratings(), season).state["rating"].min() >= elo.floor


def test_general_and_plain_loop_agree(season: Games) -> None:
    plain, general = (rated(Elo(cap=cap), ratings(), season) for cap in (None, 1e9))
    assert plain.state["rating"].tobytes() == general.state["rating"].tobytes()


def test_home_is_asked_for_only_where_the_first_move_counts() -> None:
    assert Elo().needs == ()
    (need,) = Elo(first_move=30.0).needs
    assert (need.name, need.default, dict(need.words)) == ("home", 0.0, {"a": 1.0, "b": -1.0, "n": 0.0})


def test_a_period_uses_the_ratings_at_its_start() -> None:
    back_to_back = games([0, 0], [1, 1], [1.0, 1.0])
    periodic, continuous = (rated(Elo(period=p), [1500.0, 1500.0], back_to_back) for p in (MONTH, None))
    assert periodic.expected.tolist() == [0.5, 0.5]
    assert continuous.expected[1] > 0.5


def test_the_floor_is_a_line_of_its_own_and_touches_only_who_played() -> None:
    """After the sum, not after each game."""
    result = rated(Elo(k=40.0, floor=100.0, period=MONTH), [105.0, 105.0, 90.0], games([0, 0], [1, 1], [0.0, 0.0]))
    assert result.state["rating"].tolist() == [100.0, 145.0, 90.0]
    assert result.change[0].tolist() == [-20.0, -20.0]
    assert result.after["floor"].tolist() == [35.0, 0.0, 0.0]
