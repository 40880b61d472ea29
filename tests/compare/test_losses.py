"""Log losses of single games: halves, certainty."""

import numpy as np
import pytest

from ratingcore.compare.losses import losses


def test_a_half_score_loses_half_of_either_logarithm() -> None:
    assert losses(np.array([0.8]), np.array([0.5])) == pytest.approx([-(np.log(0.8) + np.log(0.2)) / 2])
    assert losses(np.array([0.8]), np.array([0.25])) == pytest.approx([-(np.log(0.8) * 0.25 + np.log(0.2) * 0.75)])


def test_a_forecast_of_zero_or_one_is_clipped() -> None:
    assert losses(np.array([0.0, 1.0]), np.array([1.0, 0.0]), least=0.01) == pytest.approx([-np.log(0.01)] * 2)
