"""How results come out."""

import numpy as np
import pytest
from ratingcore_laboratory.results import DRAW, LOSS, WIN, chance, done, due, percentage, score_of

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
