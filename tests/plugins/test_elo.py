"""Elo game by game: the worked numbers of its README, and the laws a continuous rating keeps."""

from typing import Any

import numpy as np
import pytest
from ratingcore_elo import Elo, ratingcore_methods
from ratingcore_elo.elo import play
from ratingcore_elo.loops import play_bounded

from ratingcore.errors import BadParameter
from ratingcore.methods.kernels import Kernel, has_numba
from ratingcore.plugin import Cadence, Games, Period
from tests.golden.playing import games, rated, state

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


@each_elo
def test_any_slicing_gives_the_same_bits(elo: Elo, season: Games) -> None:
    whole, parts, now = rated(elo, ratings(), season), [], state(elo, ratings())
    for start, stop in [(0, 1), (1, 1), (1, 7), (7, 250), (250, 400)]:
        parts.append(elo.rate(now, season.part(start, stop)))
        now = parts[-1].state
    assert now["rating"].tobytes() == whole.state["rating"].tobytes()
    assert np.concatenate([part.expected for part in parts]).tobytes() == whole.expected.tobytes()
    assert np.concatenate([part.change[1] for part in parts]).tobytes() == whole.change[1].tobytes()


@each_elo
def test_changes_add_up_to_what_the_ratings_moved(elo: Elo, season: Games) -> None:
    result = rated(elo, ratings(), season)
    moved = np.bincount(season.a, result.change[0], 20) + np.bincount(season.b, result.change[1], 20)
    assert np.abs(result.state["rating"] - ratings() - moved).max() < 1e-9


@each_elo
def test_a_forecast_is_what_rating_the_game_reports(elo: Elo, season: Games) -> None:
    start = state(elo, ratings())
    forecast = elo.expected(start, season.withheld())
    for g in range(0, 400, 40):
        result = elo.rate(start, season.part(g, g + 1))
        assert result.expected[0] == pytest.approx(forecast.expected[g], rel=0.0, abs=1e-12)
        assert (result.draw is None) == (forecast.draw is None)
        if result.draw is not None and forecast.draw is not None:
            assert result.draw[0] == pytest.approx(forecast.draw[g], rel=0.0, abs=1e-12)


@each_elo
def test_only_the_two_who_play_move_and_nothing_given_is_written_to(elo: Elo, season: Games) -> None:
    start = state(elo, ratings())
    before, score = start["rating"].tobytes(), season.score.tobytes()
    after = elo.rate(start, season.part(0, 1)).state["rating"]
    assert set(np.flatnonzero(after != start["rating"])) <= {season.a[0], season.b[0]}
    assert (start["rating"].tobytes(), season.score.tobytes()) == (before, score)


@pytest.mark.parametrize("elo", [elo for elo in EVERY if elo.floor is None and not elo.extra], ids=str)
def test_one_k_for_all_keeps_the_sum_of_ratings(elo: Elo, season: Games) -> None:
    """The pool neither inflates nor deflates."""
    assert rated(elo, ratings(), season).state["rating"].sum() == pytest.approx(ratings().sum(), abs=1e-8)


@pytest.mark.parametrize("elo", [elo for elo in EVERY if elo.floor is not None], ids=str)
def test_nobody_who_plays_ends_below_the_floor(elo: Elo, season: Games) -> None:
    assert elo.floor is not None
    assert rated(elo, ratings(), season).state["rating"].min() >= elo.floor


@each_elo
def test_an_unrated_player_spreads_nan_to_his_opponents_only(elo: Elo) -> None:
    start = [np.nan, 1500.0, 1500.0, 1500.0]
    result = rated(elo, start, games([0, 2], [1, 3], [1.0, 1.0], home=[1.0, 1.0]))
    assert np.isnan(result.state["rating"]).tolist() == [True, True, False, False]


@each_elo
def test_absurd_ratings_give_numbers(elo: Elo) -> None:
    result = rated(elo, [1e9, -1e9], games([0, 1], [1, 0], [0.0, 0.5], home=[1.0, 0.0]))
    assert np.isfinite(result.state["rating"]).all()
    assert ((result.expected >= 0.0) & (result.expected <= 1.0)).all()


def test_general_and_plain_loop_agree(season: Games) -> None:
    plain, general = (rated(Elo(cap=cap), ratings(), season) for cap in (None, 1e9))
    assert plain.state["rating"].tobytes() == general.state["rating"].tobytes()


def _both_ways(loop: Kernel[..., Any], *arguments: Any) -> tuple[list[Any], list[Any]]:
    """What the loop leaves in its arrays, compiled and on lists."""
    arrays, lists = ([x.copy() if isinstance(x, np.ndarray) else x for x in arguments] for _ in range(2))
    lists = [x.tolist() if isinstance(x, np.ndarray) else x for x in lists]
    fresh: Kernel[..., Any] = Kernel(loop.__wrapped__)  # type: ignore[attr-defined]  # by update_wrapper
    fresh.compiled(*arrays)
    fresh.plain(*lists)
    return [x.tolist() if isinstance(x, np.ndarray) else x for x in arrays], lists


@pytest.mark.skipif(not has_numba(), reason="needs the extra fast")
def test_the_plain_loop_gives_the_same_bits_compiled_and_on_lists(season: Games) -> None:
    blank = np.zeros(400)
    compiled, plain = _both_ways(play, ratings(), season.a, season.b, season.score, 20.0, 0.005, blank, blank)
    assert compiled == plain


@pytest.mark.skipif(not has_numba(), reason="needs the extra fast")
@pytest.mark.parametrize("elo", [elo for elo in EVERY if elo.curve != "normal"], ids=str)
def test_the_general_loop_gives_the_same_bits_compiled_and_on_lists(elo: Elo, season: Games) -> None:
    blank, cap, floor = np.zeros(400), elo.cap or np.inf, elo.floor or -np.inf
    kind, slope, band = elo.shape.packed()
    packed = (elo.k, kind, band, cap, floor, elo.extra, elo.extra_gap)
    players = (ratings(), season.a, season.b, season.score, 35.0 * season["home"], np.full(400, slope))
    compiled, plain = _both_ways(play_bounded, *players, *packed, blank, blank, blank, blank)
    assert compiled == plain


def test_home_is_asked_for_only_where_the_first_move_counts() -> None:
    assert Elo().needs == ()
    (need,) = Elo(first_move=30.0).needs
    assert (need.name, need.default, dict(need.words)) == ("home", 0.0, {"a": 1.0, "b": -1.0, "n": 0.0})


def test_cadence_is_a_property_of_the_value() -> None:
    assert Elo().cadence is Cadence.CONTINUOUS
    assert Elo(period=Period.parse("month")).cadence is Cadence.PERIODIC


def test_the_plugin_offers_elo() -> None:
    assert ratingcore_methods() == [Elo]


def test_k_may_be_zero() -> None:
    assert rated(Elo(k=0.0), [1500.0, 1600.0], games([0], [1], [1.0])).state["rating"].tolist() == [1500.0, 1600.0]


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("k", -1.0), ("k", np.nan), ("k", "20"), ("k", True), ("curve", "cubic"), ("scale", 0.0), ("draw_band", -1.0),
        ("first_move", np.inf), ("cap", 0.0), ("floor", np.nan), ("initial", None), ("period", "month"),
    ],
)  # fmt: skip
def test_a_value_a_parameter_cannot_have_is_refused_by_name(parameter: str, value: Any) -> None:
    with pytest.raises(BadParameter) as refused:
        Elo(**{parameter: value})
    assert (refused.value.method, refused.value.parameter) == ("elo", parameter)
    assert repr(value) in str(refused.value)


def test_parameters_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(BadParameter, match=r"draw_band needs curve=normal, not logistic: 20.0"):
        Elo(draw_band=20.0)
    with pytest.raises(BadParameter, match=r"scale must be 400 where curve=table: 600.0"):
        Elo(curve="table", scale=600.0)
