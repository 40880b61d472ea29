"""The true rating as games are played."""

import numpy as np
import pytest
from ratingcore_laboratory.evolution import EVOLUTIONS, true_rating

from ratingcore.errors import BadValue

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
    with pytest.raises(BadValue, match="is none of none, sine"):
        true_rating("cosine", BASE, GAMES)
