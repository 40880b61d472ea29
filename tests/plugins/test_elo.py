"""Elo game by game and by period: the worked numbers of its README, and the laws."""

from typing import Any, Literal

import numpy as np
import pytest
from ratingcore_elo import Elo
from ratingcore_elo.elo import play
from ratingcore_elo.loops import play_bounded

from ratingcore.errors import BadParameter
from ratingcore.methods.kernels import has_numba
from ratingcore.plugin import Games, Period
from ratingcore.testing import Law, method_checks
from tests.golden.playing import both_ways, games, rated

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


@pytest.mark.parametrize(("score", "a"), [(1.0, 1315.328421), (0.5, 1302.828421), (0.0, 1290.328421)])
def test_one_game_as_in_the_thesis(score: float, a: float) -> None:
    """1300 with K = 25 meets 1380."""
    result = rated(Elo(k=25.0), [1300.0, 1380.0], games([0], [1], [score]))
    assert result.expected[0] == pytest.approx(0.386863, abs=5e-7)
    assert result.state["rating"][0] == pytest.approx(a, abs=5e-7)


@pytest.mark.parametrize(("gap", "e"), [(100.0, 0.637832), (200.0, 0.759701), (300.0, 0.854976)])
def test_a_draw_band_pulls_the_expected_score_to_a_half(gap: float, e: float) -> None:
    """The row for a band of 20 points."""
    elo = Elo(curve="normal", draw_band=20.0)
    assert rated(elo, [gap, 0.0], games([0], [1], [1.0])).expected[0] == pytest.approx(e, abs=5e-7)


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


def test_a_player_on_the_floor_loses_nothing_and_the_opponent_still_gains() -> None:
    """Floors inflate, and the changes are what moved."""
    result = rated(Elo(k=40.0, floor=0.0), [5.0, 10.0], games([0, 0], [1, 1], [0.0, 0.0]))
    assert result.state["rating"][0] == 0.0
    assert result.change[0].tolist() == [-5.0, 0.0]
    assert result.change[1][0] == pytest.approx(19.712197, abs=5e-7)


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


@pytest.mark.parametrize("elo", [elo for elo in EVERY if elo.floor is None and not elo.extra], ids=str)
def test_one_k_for_all_keeps_the_sum_of_ratings(elo: Elo, season: Games) -> None:
    """The pool neither inflates nor deflates."""
    assert rated(elo, ratings(), season).state["rating"].sum() == pytest.approx(ratings().sum(), abs=1e-8)


@pytest.mark.parametrize("elo", [elo for elo in EVERY if elo.floor is not None], ids=str)
def test_nobody_who_plays_ends_below_the_floor(elo: Elo, season: Games) -> None:
    assert elo.floor is not None
    assert rated(elo, ratings(), season).state["rating"].min() >= elo.floor


@each_elo
def test_absurd_ratings_give_numbers(elo: Elo) -> None:
    result = rated(elo, [1e9, -1e9], games([0, 1], [1, 0], [0.0, 0.5], home=[1.0, 0.0]))
    assert np.isfinite(result.state["rating"]).all()
    assert ((result.expected >= 0.0) & (result.expected <= 1.0)).all()


def test_general_and_plain_loop_agree(season: Games) -> None:
    plain, general = (rated(Elo(cap=cap), ratings(), season) for cap in (None, 1e9))
    assert plain.state["rating"].tobytes() == general.state["rating"].tobytes()


@pytest.mark.skipif(not has_numba(), reason="needs the extra fast")
def test_the_plain_loop_gives_the_same_bits_compiled_and_on_lists(season: Games) -> None:
    blank = np.zeros(400)
    compiled, plain = both_ways(play, ratings(), season.a, season.b, season.score, 20.0, 0.005, blank, blank)
    assert compiled == plain


@pytest.mark.skipif(not has_numba(), reason="needs the extra fast")
@pytest.mark.parametrize("elo", [elo for elo in EVERY if elo.curve != "normal"], ids=str)
def test_the_general_loop_gives_the_same_bits_compiled_and_on_lists(elo: Elo, season: Games) -> None:
    blank, cap, floor = np.zeros(400), elo.cap or np.inf, elo.floor or -np.inf
    kind, slope, band = elo.shape.packed()
    packed = (elo.k, kind, band, cap, floor, elo.extra, elo.extra_gap)
    players = (ratings(), season.a, season.b, season.score, 35.0 * season["home"], np.full(400, slope))
    compiled, plain = both_ways(play_bounded, *players, *packed, blank, blank, blank, blank)
    assert compiled == plain


def test_home_is_asked_for_only_where_the_first_move_counts() -> None:
    assert Elo().needs == ()
    (need,) = Elo(first_move=30.0).needs
    assert (need.name, need.default, dict(need.words)) == ("home", 0.0, {"a": 1.0, "b": -1.0, "n": 0.0})


def test_k_may_be_zero() -> None:
    assert rated(Elo(k=0.0), [1500.0, 1600.0], games([0], [1], [1.0])).state["rating"].tolist() == [1500.0, 1600.0]


def test_parameters_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(BadParameter, match=r"draw_band needs curve=normal, not logistic: 20.0"):
        Elo(draw_band=20.0)
    with pytest.raises(BadParameter, match=r"scale must be 400 where curve=table: 600.0"):
        Elo(curve="table", scale=600.0)


@pytest.fixture
def month() -> Games:
    rng = np.random.default_rng(3)
    a = rng.integers(0, 12, 150)
    b = (a + rng.integers(1, 12, 150)) % 12
    return games(a, b, rng.choice([0.0, 0.5, 1.0], 150), home=rng.choice([1.0, -1.0], 150))


@pytest.mark.parametrize(("curve", "new"), [("normal", 1806.040258), ("logistic", 1806.043582), ("table", 1806.0)])
def test_the_worked_period(curve: Literal["normal", "logistic", "table"], new: float) -> None:
    """1800 beats 1860, draws with 1770, loses to 2000."""
    elo = Elo(curve=curve, period=MONTH)
    result = rated(elo, [1800.0, 1860.0, 1770.0, 2000.0], games([0, 0, 0], [1, 2, 3], [1.0, 0.5, 0.0]))
    assert result.state["rating"][0] == pytest.approx(new, abs=5e-7)


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


def test_without_a_floor_there_is_no_line(month: Games) -> None:
    assert rated(Elo(period=MONTH), np.full(12, 1500.0), month).after == {}


def test_an_empty_period_moves_nobody() -> None:
    elo = Elo(floor=1600.0, period=MONTH)
    result = rated(elo, [1500.0, 1700.0], games([], [], []))
    assert result.state["rating"].tolist() == [1500.0, 1700.0]
    assert len(result.expected) == len(result.change[0]) == 0
