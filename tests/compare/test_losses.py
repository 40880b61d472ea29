"""Losses of forecasts of games and sessions."""

from itertools import pairwise
from math import log

import numpy as np
import pytest

from ratingcore.compare.losses import losses, outcomes, session_losses
from ratingcore.compare.places import places
from ratingcore.methods.strengths import Curve, Strengths
from ratingcore.plugin import Floats


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


SIZES = (2, 3, 2, 5, 3, 8)


def season(curve: Curve) -> tuple[Strengths, list[slice], Floats]:
    """Strengths and scores of sessions of several sizes, some sides tied."""
    random = np.random.default_rng(5)
    sides = sum(SIZES)
    field = Strengths(random.normal(0.0, 1.0, sides), random.uniform(0.3, 1.5, sides), curve)
    score = random.integers(0, 4, sides).astype(np.float64)
    ends = np.cumsum([0, *SIZES]).tolist()
    return field, [slice(low, high) for low, high in pairwise(ends)], score


@pytest.mark.parametrize("curve", ["normal", "logistic"])
def test_each_measure_is_the_mean_that_its_definition_says(curve: Curve) -> None:
    field, sessions, score = season(curve)
    made = session_losses(field, np.cumsum([0, *SIZES]), score)
    for r, session in enumerate(sessions):
        sides, came = range(session.start, session.stop), score[session].tolist()
        loss, square, rps, winner = [], [], [], []
        for i in sides:
            for j in range(i + 1, session.stop):
                p = float(field.ahead(np.array([i]), np.array([j]))[0])
                y = 1.0 if score[i] > score[j] else 0.0 if score[i] < score[j] else 0.5
                loss.append(-(y * log(p) + (1.0 - y) * log(1.0 - p)))
                square.append((p - y) ** 2)
        among = places(field, np.arange(session.start, session.stop)[None])[0][0].tolist()
        for i, own in enumerate(came):
            taken = [1 + n for n, other in enumerate(sorted(came, reverse=True)) if other == own]
            for place in range(1, len(came)):
                share = sum(at <= place for at in taken) / len(taken)
                rps.append((among[i][place - 1] - share) ** 2)
            if own == max(came):
                winner.append(-log(among[i][0]))
        for found, by_hand in ((made.log_loss, loss), (made.brier, square), (made.rps, rps), (made.winner, winner)):
            assert found[r] == pytest.approx(sum(by_hand) / len(by_hand), abs=1e-12)


def test_two_sides_have_the_scores_of_a_game() -> None:
    field = Strengths(np.array([1.0, 0.0, 0.2, 0.9]), np.full(4, 0.5), "logistic")
    p = field.ahead(np.array([0, 2]), np.array([1, 3]))
    made = session_losses(field, np.array([0, 2, 4]), np.array([60.0, 40.0, 55.0, 45.0]))
    assert made.log_loss.tolist() == losses(p, np.ones(2)).tolist()
    assert made.winner == pytest.approx(made.log_loss, abs=1e-15)
    assert made.rps == pytest.approx(made.brier, abs=1e-15)
    game = outcomes(p, np.zeros(2), 1.0 - p, np.ones(2))
    assert made.rps.mean() == pytest.approx(game.rps, abs=1e-12)


def test_a_session_with_somebody_unrated_has_no_score() -> None:
    field = Strengths(np.array([1.0, np.nan, 0.2, 0.9]), np.full(4, 0.5), "normal")
    made = session_losses(field, np.array([0, 2, 4]), np.array([1.0, 0.0, 1.0, 0.0]))
    assert np.isnan(made.log_loss).tolist() == np.isnan(made.rps).tolist() == [True, False]
    assert np.isnan(made.winner).tolist() == [True, False]


def test_a_large_field_is_scored_in_bands_and_a_sure_forecast_loses_nothing() -> None:
    k = 300
    order = np.arange(k, 0.0, -1.0)
    sure = session_losses(Strengths(order * 1e3, np.ones(k), "normal"), np.array([0, k]), order)
    blind = session_losses(Strengths(np.zeros(k), np.ones(k), "normal"), np.array([0, k]), order)
    assert sure.log_loss[0] < 1e-9
    assert sure.rps[0] < 1e-4
    assert sure.winner[0] < 0.02  # of so many, widths below a thousandth of the field are told as that
    assert blind.log_loss[0] == pytest.approx(log(2.0), abs=1e-12)
    assert blind.winner[0] == pytest.approx(log(k), abs=1e-3)
    share = np.linspace(0.0, 1.0, 4001)  # of a uniform place: mean of F (1 - F) over places
    assert blind.rps[0] == pytest.approx(float((share * (1.0 - share)).mean()), abs=0.01)
