"""How results come out."""

import numpy as np
import pytest
from ratingcore_laboratory.results import (
    DRAW,
    EVOLUTIONS,
    LOSS,
    WIN,
    chance,
    done,
    due,
    margins,
    percentage,
    score_of,
    true_rating,
    wanted,
)
from scipy.stats import kstest, norm

from ratingcore.errors import BadValue
from tests.plugins.laboratory.making import method, run

ALL = np.arange(1, 101)


@pytest.mark.parametrize("percent", [10.0, 37.0, 50.0, 90.0])
def test_over_all_draws_of_the_dice_the_mean_score_is_the_chance_and_six_in_a_hundred_are_drawn(percent: float) -> None:
    score = score_of(np.full(100, percent), ALL)
    assert score.mean() == pytest.approx(percent / 100.0)
    assert (score == 0.5).sum() == 6


def test_the_two_sides_of_a_game_should_do_opposite_things() -> None:
    percent = chance(np.linspace(-900.0, 900.0, 1001))
    assert (due(percent) == 2 - due(100.0 - percent)).all()
    assert due(np.array([53.0, 50.0, 47.0])).tolist() == [WIN, DRAW, LOSS]


def test_without_a_band_only_equals_should_draw() -> None:
    assert due(np.array([50.1, 50.0, 49.9]), 0.0).tolist() == [WIN, DRAW, LOSS]
    assert (score_of(np.full(100, 50.0), ALL, 0.0) == 0.5).sum() == 0


def test_a_percentage_has_the_mean_and_the_noise_of_its_world() -> None:
    drawn = (np.arange(100_000) + 0.5) / 100_000
    score, _ = percentage(np.full(100_000, 750.0), drawn, 4 / 1500, 6.0)
    assert score.mean() == pytest.approx(52.0, abs=1e-3)
    assert score.std() == pytest.approx(6.0, abs=1e-2)
    assert done(score, 50.0).tolist() == np.where(score > 50.0, WIN, LOSS).tolist()


def test_a_percentage_stays_between_none_and_all() -> None:
    score, _ = percentage(np.array([1e6, -1e6]), np.array([0.5, 0.5]), 4 / 1500, 6.0)
    assert score.tolist() == [100.0, 0.0]


BASE = np.full(401, 1000.0)
GAMES = np.arange(401)


def test_initial_gains_three_then_two_then_one_and_199_in_all() -> None:
    steps = np.diff(true_rating("initial", BASE, GAMES)).astype(int).tolist()
    assert steps == [3] * 33 + [2] * 33 + [1] * 34 + [0] * 300


@pytest.mark.parametrize("kind", ["sine", "abs_sine"])
def test_a_sine_comes_back_after_its_period_and_stays_within_its_amplitude(kind: str) -> None:
    true = true_rating(kind, BASE, GAMES, amplitude=50.0, period=80.0)
    assert true[80] == pytest.approx(1000.0)
    assert true[20] == pytest.approx(1050.0)
    assert np.abs(true - 1000.0).max() <= 50.0
    assert (true.min() >= 1000.0) == (kind == "abs_sine")


def test_every_evolution_begins_at_the_base() -> None:
    assert {float(true_rating(kind, BASE[:1], GAMES[:1])[0]) for kind in EVOLUTIONS} == {1000.0}


def test_an_unknown_evolution_is_refused() -> None:
    with pytest.raises(BadValue, match="must be one of none, sine"):
        true_rating("cosine", BASE, GAMES)


SD = 13.86


def drawn(percent: float, n: int = 40_000, band: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(5)
    hundredths, finer = random.integers(1, 101, n), random.random(n)
    given = np.full(n, percent)
    score = score_of(given, hundredths, band)
    return margins(given, hundredths, finer, score, SD), score


@pytest.mark.parametrize("percent", [50.0, 76.0, 97.0])
def test_they_are_normal_around_the_quantile_of_the_expected_score(percent: float) -> None:
    margin, _ = drawn(percent)
    spread = np.random.default_rng(6).uniform(-0.5, 0.5, len(margin))  # undoes the rounding to whole points
    far = np.abs(margin) > 1.5  # the smallest wins are moved to a whole point
    whole = margin + spread
    assert whole.mean() == pytest.approx(SD * norm.ppf(percent / 100.0), abs=0.4)
    assert whole.std() == pytest.approx(SD, rel=0.02)
    low = (whole - SD * norm.ppf(percent / 100.0))[far & (margin > 0)]
    cut = norm.cdf((1.5 - SD * norm.ppf(percent / 100.0)) / SD)
    conditional = (norm.cdf(low / SD) - cut) / (1.0 - cut)
    assert kstest(conditional, "uniform").pvalue > 1e-4


@pytest.mark.parametrize("band", [0.0, 3.0, 50.0])
def test_they_never_contradict_the_result(band: float) -> None:
    for percent in (0.0, 3.0, 50.0, 61.5, 100.0):
        margin, score = drawn(percent, 2000, band)
        assert np.isfinite(margin).all()
        assert (np.sign(margin) == np.sign(score - 0.5)).all()
        assert (margin == np.rint(margin)).all()


def test_their_mean_is_nearly_proportional_to_the_gap() -> None:
    gap = np.array([50.0, 100.0, 200.0])
    per_point = SD * norm.ppf(chance(gap) / 100.0) / gap
    assert per_point == pytest.approx([1 / 20.0] * 3, rel=0.05)


def test_who_reads_points_wants_them() -> None:
    assert wanted(method("elo-margin").needs)
    assert not wanted(method("elo-margin:margin=none").needs)
    assert not wanted(method("elo").needs)


def test_games_of_newcomers_have_margins_too() -> None:
    kept = run("elo-margin:entry=trial(5)", keep=True).standings[0].round_results
    entries = [part.entries for part in kept if part.entries is not None]
    assert entries
    assert all(part.margin is not None and len(part.margin) == len(part) for part in entries)
    assert {part.results.margin is None for part in run("elo", keep=True).standings[0].round_results} == {True}
