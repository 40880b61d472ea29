"""Margins are normal around what the strengths lead to expect, and never contradict who won."""

import numpy as np
import pytest
from ratingcore_laboratory.margins import margins, wanted
from ratingcore_laboratory.results import chance, score_of
from scipy.stats import kstest, norm

from tests.plugins.laboratory.making import method, run

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
    kept = run("elo-margin:entry=trial(5)", keep=True).standings[0].kept
    entries = [part.entries for part in kept if part.entries is not None]
    assert entries
    assert all(part.margin is not None and len(part.margin) == len(part) for part in entries)
    assert {part.results.margin is None for part in run("elo", keep=True).standings[0].kept} == {True}
