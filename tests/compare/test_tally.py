"""One pass over the games gives the scores and sums that the plain definitions give."""

import numpy as np
import pytest

from ratingcore.compare.clusters import Clusters
from ratingcore.compare.losses import losses
from ratingcore.compare.scores import binary
from ratingcore.compare.tally import numbered, tally


def clusters(n: int, random: np.random.Generator) -> Clusters:
    a = random.integers(0, 20, n).astype(np.int32)
    b = ((a + random.integers(1, 20, n)) % 20).astype(np.int32)
    pair = numbered(np.minimum(a, b), np.maximum(a, b), 20)
    return Clusters(a, b, pair, np.sort(random.integers(0, 5, n)).astype(np.int32))


@pytest.mark.parametrize("outcomes", [(0.0, 1.0), (0.0, 0.5, 1.0), (0.25, 0.7)])
@pytest.mark.parametrize("n", [1, 7, 700])
def test_scores_and_sums_are_those_of_the_definitions(n: int, outcomes: tuple[float, ...]) -> None:
    random = np.random.default_rng(n)
    made, p, y = clusters(n, random), random.random(n), random.choice(outcomes, n)
    p[: n // 10] = random.choice([0.0, 1.0, 0.5, 0.1, 0.3, 0.6, 0.7, 0.005, 0.995], n // 10)
    found, scores, sums = tally(p, y, made), binary(p, y), made.sums(losses(p, y))
    assert found.scores.n == scores.n
    for name in ("log_loss", "brier", "accuracy", "deviance", "ece"):
        assert getattr(found.scores, name) == pytest.approx(getattr(scores, name), rel=1e-12, abs=1e-15)
    for name in ("seat", "match"):
        np.testing.assert_allclose(getattr(found.sums, name), getattr(sums, name), rtol=1e-12, atol=1e-12)


def test_more_games_than_fit_into_one_piece_are_all_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(5)
    made, p, y = clusters(1000, random), random.random(1000), random.choice([0.0, 0.5, 1.0], 1000)
    whole = tally(p, y, made)
    monkeypatch.setattr("ratingcore.compare.tally.CHUNK", 64)
    parts = tally(p, y, made)
    assert parts.scores.log_loss == pytest.approx(whole.scores.log_loss, rel=1e-13)
    np.testing.assert_allclose(parts.sums.seat, whole.sums.seat, rtol=1e-12)


def test_pairs_are_numbered_in_order_of_first_appearance() -> None:
    random = np.random.default_rng(2)
    low, high = random.integers(0, 9, 500), random.integers(9, 20, 500)
    seen: dict[tuple[int, int], int] = {}
    wanted = [seen.setdefault(pair, len(seen)) for pair in zip(low.tolist(), high.tolist(), strict=True)]
    assert numbered(low, high, 20).tolist() == wanted


def test_no_games_have_no_pairs() -> None:
    assert numbered(np.empty(0, np.int32), np.empty(0, np.int32), 0).tolist() == []
