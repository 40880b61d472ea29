"""Fitting the spreads of bridge-bayes: on made-up pools whose parameters are known."""

import numpy as np
import pytest
from attrs import evolve
from ratingcore_bridge_bayes import BridgeBayes, fit, likelihood
from ratingcore_bridge_bayes.making import Played, sessions

from ratingcore.errors import BadParameter
from ratingcore.plugin import Sides, State

RATINGS = np.array([1500.0, 1400.0, 1600.0, 1550.0])


def made_up(
    n: int, players: int, sigma1: float, deviation: float, wander: float = 0.0, field: bool = False, seed: int = 1
) -> Sides:
    """Results of pairs drawn anew each day, by the model itself."""
    rng, k = np.random.default_rng(seed), BridgeBayes().k
    drawn = rng.normal(size=players)
    strength = 1500.0 + deviation * (drawn - drawn.mean()) / drawn.std()
    played: list[Played] = []
    for _ in range(n):
        strength += rng.normal(0.0, wander**0.5, players)
        seats = rng.permutation(players)[: 12 if field else 4].reshape(-1, 2)
        sums = strength[seats].sum(axis=1)
        others = (sums.sum() - sums) / (len(sums) - 1)
        score = 50.0 + k * (sums - others) + rng.normal(0.0, sigma1, len(sums))
        if not field:
            score[1] = 100.0 - score[0]
        played.append((seats.tolist(), score.tolist()))
    return sessions(played, days=[float(day) for day in range(n)])


@pytest.mark.parametrize("tracking", ["diag", "full", "fixed"])
def test_the_likelihood_of_the_worked_result(tracking: str) -> None:
    method = BridgeBayes(sigma1=10.0, tracking=tracking)  # type: ignore[arg-type]  # a word
    start = State.start(method.columns(), 4).replace(rating=RATINGS)
    told = likelihood(method, sessions([([[0, 1], [2, 3]], [60.0, 40.0])]), start)
    assert told == pytest.approx(-3.789669, abs=5e-7)


def test_the_likelihood_of_a_field_is_that_of_all_its_scores_together() -> None:
    from scipy.stats import multivariate_normal  # type: ignore[import-untyped]  # scipy has no types

    score = np.array([61.0, 42.0, 55.0])
    h = BridgeBayes().k * (np.kron(1.5 * np.eye(3) - 0.5, np.ones((1, 2))))
    whole = 36.0 * np.eye(3) + h @ h.T * 200.0**2
    results = sessions([([[0, 1], [2, 3], [4, 5]], score.tolist())])
    for method in (BridgeBayes(), BridgeBayes(tracking="full")):
        assert likelihood(method, results) == pytest.approx(multivariate_normal([50.0] * 3, whole).logpdf(score))


def test_the_parameters_of_made_up_results_are_found_again() -> None:
    results = made_up(3000, 60, sigma1=4.0, deviation=350.0)
    found = fit(BridgeBayes(), results, ("sigma1", "deviation"))
    assert found.method.sigma1 == pytest.approx(4.0, rel=0.05)
    assert found.method.deviation == pytest.approx(350.0, rel=0.15)
    assert found.likelihood == likelihood(found.method, results) > found.before
    assert found.results == 3000
    for other in (3.5, 4.5):
        assert likelihood(evolve(found.method, sigma1=other), results) < found.likelihood


def test_a_drift_that_is_there_is_found_and_predicts_better_than_none() -> None:
    results = made_up(1500, 24, sigma1=3.0, deviation=200.0, wander=400.0)
    start = BridgeBayes(sigma1=3.0)
    drifting, still = fit(start, results), fit(start, results, ("sigma1", "deviation"))
    assert 200.0 < drifting.method.drift_var < 800.0
    assert drifting.likelihood > still.likelihood + 20.0


def test_fields_are_fitted_as_well() -> None:
    found = fit(BridgeBayes(), made_up(150, 30, sigma1=5.0, deviation=300.0, field=True), ("sigma1",))
    assert found.method.sigma1 == pytest.approx(5.0, rel=0.1)
    assert found.method.deviation == 200.0


def test_what_cannot_be_fitted_is_named() -> None:
    results = made_up(4, 8, 5.0, 200.0)
    with pytest.raises(BadParameter, match="parameter k cannot be fitted: sigma1, deviation, drift_var can"):
        fit(BridgeBayes(), results, ("k",))  # type: ignore[arg-type]  # what is refused
    with pytest.raises(BadParameter, match="parameter drift_var cannot be fitted where tracking=fixed"):
        fit(BridgeBayes(tracking="fixed"), results)
