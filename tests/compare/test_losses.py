"""Losses of forecasts of games."""

import numpy as np
import pytest

from ratingcore.compare.losses import losses, outcomes


def test_a_half_score_loses_half_of_either_logarithm() -> None:
    assert losses(np.array([0.8]), np.array([0.5])) == pytest.approx([-(np.log(0.8) + np.log(0.2)) / 2])
    assert losses(np.array([0.8]), np.array([0.25])) == pytest.approx([-(np.log(0.8) * 0.25 + np.log(0.2) * 0.75)])


def test_a_forecast_of_zero_or_one_is_clipped() -> None:
    assert losses(np.array([0.0, 1.0]), np.array([1.0, 0.0]), least=0.01) == pytest.approx([-np.log(0.01)] * 2)


def test_the_worked_numbers_of_three_outcomes() -> None:
    found = outcomes(np.array([0.5, 0.2]), np.array([0.3, 0.3]), np.array([0.2, 0.5]), np.array([1.0, 0.5]))
    assert found.rps == pytest.approx(0.145, abs=1e-12)
    assert found.log_loss == pytest.approx(0.948560, abs=5e-7)
    assert found.brier == pytest.approx(0.58, abs=1e-12)


def test_scikit_learn_says_the_same_of_three_outcomes() -> None:
    from sklearn.metrics import log_loss

    random = np.random.default_rng(3)
    chances, y = random.dirichlet([3, 2, 3], 500), random.choice([1.0, 0.5, 0.0], 500)
    found = outcomes(*chances.T, y)
    assert found.log_loss == pytest.approx(log_loss(2 - 2 * y, chances, labels=[0, 1, 2]), abs=1e-12)
    came = np.column_stack([y == 1, y == 0.5, y == 0]).astype(float)
    assert found.brier == pytest.approx(np.square(chances - came).sum(axis=1).mean(), abs=1e-12)
    steps = np.cumsum(chances - came, axis=1)[:, :2]
    assert found.rps == pytest.approx(np.square(steps).sum(axis=1).mean() / 2, abs=1e-12)
