"""Bootstrap intervals: whole blocks, one seed one interval, coverage by simulation."""

import numpy as np
import pytest

from ratingcore.compare.bootstrap import bootstrap


def test_bootstrap_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    random, inside = np.random.default_rng(6), 0
    for _ in range(200):
        size = random.integers(5, 40, size=40).astype(float)
        total = size * random.normal(size=40) + random.normal(size=40) * np.sqrt(size)
        found = bootstrap(total, size, seed=1, rounds=400)
        assert found is not None
        inside += found.low <= 0.0 <= found.high
    assert 0.86 <= inside / 200 <= 1.0


def test_a_bootstrap_is_the_same_from_the_same_seed_and_draws_whole_blocks() -> None:
    total, size = np.array([1.0, 5.0, 3.0, 0.0]), np.array([2.0, 4.0, 3.0, 0.0])
    one = bootstrap(total, size, seed=7, rounds=3000)
    assert one == bootstrap(total, size, seed=7, rounds=3000)
    assert one != bootstrap(total, size, seed=8, rounds=3000)
    assert one is not None
    assert one.blocks == 3, "the empty one is not drawn"
    assert (one.low, one.high) == (0.5, 1.25), "three times the worst, three times the best"
    assert bootstrap(total[:1], size[:1]) is None


def test_a_bootstrap_in_pieces_is_one_bootstrap(monkeypatch: pytest.MonkeyPatch) -> None:
    total, size = np.arange(50.0), np.full(50, 10.0)
    whole = bootstrap(total, size, rounds=500)
    monkeypatch.setattr("ratingcore.compare.bootstrap._CELLS", 1000)
    assert bootstrap(total, size, rounds=500) == whole
