"""Scores of forecasts."""

from math import nan

import numpy as np
import pytest

from ratingcore.compare.clusters import Clusters, numbered
from ratingcore.compare.losses import losses, outcomes
from ratingcore.compare.reliability import reliability
from ratingcore.compare.scores import binary, scores, tally
from ratingcore.errors import BadValue
from tests.columns.making import engine, game
from tests.compare.making import games_of, made_up, told

P, Y = np.array([0.9, 0.6, 0.3, 0.55, 0.8]), np.array([1.0, 0.0, 0.0, 1.0, 1.0])


def test_the_worked_numbers_of_a_share() -> None:
    found = binary(P, Y)
    assert (found.n, found.unrated, found.left_out) == (5, 0, 0)
    assert found.log_loss == pytest.approx(0.439861, abs=5e-7)
    assert found.brier == pytest.approx(0.1405, abs=1e-12)
    assert found.accuracy == pytest.approx(0.8, abs=1e-12)
    assert found.ece == pytest.approx(0.33, abs=1e-12)
    assert found.deviance == pytest.approx(0.191029, abs=5e-7)


def test_scikit_learn_says_the_same() -> None:
    from sklearn.calibration import calibration_curve
    from sklearn.metrics import accuracy_score, brier_score_loss, log_loss

    p, y = made_up(2000)
    found, table = binary(p, y), reliability(p, y)
    assert found.log_loss == pytest.approx(log_loss(y, p), abs=1e-12)
    assert found.brier == pytest.approx(brier_score_loss(y, p), abs=1e-12)
    assert found.accuracy == pytest.approx(accuracy_score(y == 1, p > 0.5), abs=1e-12)
    scored, expected = calibration_curve(y, p, n_bins=10)
    assert table.scored == pytest.approx(scored, abs=1e-12)
    assert table.expected == pytest.approx(expected, abs=1e-12)


def test_certain_forecasts_are_clipped() -> None:
    loss = losses(np.array([0.0, 1.0, 1.0, 0.0]), np.array([1.0, 0.0, 1.0, 0.5]))
    worst, turned = -np.log(1e-15), -np.log(1.0 - (1.0 - 1e-15))
    assert loss == pytest.approx([worst, turned, 0.0, worst / 2], abs=1e-9)
    assert binary(np.array([0.0]), np.array([1.0])).deviance == pytest.approx(2.0)
    assert binary(np.array([1.0]), np.array([1.0])).deviance == pytest.approx(-np.log10(0.99))


def test_a_draw_and_a_forecast_of_one_half_count_one_half() -> None:
    assert binary(np.array([0.5, 0.7, 0.7, 0.3]), np.array([1.0, 0.5, 1.0, 1.0])).accuracy == pytest.approx(0.5)


def test_no_games_have_no_scores() -> None:
    none = np.empty(0)
    assert binary(none, none) == (0, 0, 0, None, None, None, None, None)
    assert outcomes(none, none, none, none) == (0, 0, None, None, None)
    assert len(reliability(none, none).n) == 0
    assert reliability(none, none).ece is None


def test_games_of_the_unrated_are_counted_apart() -> None:
    found = binary(np.append(P, nan), np.append(Y, 1.0))
    assert found == binary(P, Y)._replace(unrated=1)
    all_unrated = binary(np.full(3, nan), np.ones(3))
    assert (all_unrated.n, all_unrated.unrated, all_unrated.log_loss) == (0, 3, None)


def test_all_draws() -> None:
    found = binary(np.full(4, 0.5), np.full(4, 0.5))
    assert found.log_loss == pytest.approx(np.log(2))
    assert (found.brier, found.accuracy, found.ece) == (0.0, 0.5, 0.0)


@pytest.mark.parametrize("p", [1.2, -0.1, np.inf])
def test_a_forecast_out_of_range_is_refused_by_name(p: float) -> None:
    with pytest.raises(BadValue, match=f"forecast of odd of game 2 is not from 0 to 1: {p}"):
        scores(told([0.5, p], "odd"), games_of(engine(game(1, "a", "b"), game(2, "a", "b"))))


def test_a_score_out_of_range_and_columns_of_two_lengths_are_refused() -> None:
    with pytest.raises(BadValue, match="score of game 1"):
        binary(np.array([0.5]), np.array([nan]))
    with pytest.raises(BadValue, match="must be the shape of the scores"):
        binary(np.array([0.5]), np.array([1.0, 0.0]))
    with pytest.raises(BadValue, match="do not add up to 1"):
        outcomes(np.array([0.5]), np.array([0.5]), np.array([0.5]), np.array([1.0]))


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
    monkeypatch.setattr("ratingcore.compare.scores.CHUNK", 64)
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
