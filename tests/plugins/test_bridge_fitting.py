"""Fitting the spreads of bridge-bayes: on made-up pools whose parameters are known."""

import numpy as np
import pytest
from attrs import evolve
from ratingcore_bridge_bayes import BridgeBayes, fit, likelihood, search
from ratingcore_bridge_bayes.sample_sessions import Played, sessions

from ratingcore.compare.fit import Fit
from ratingcore.errors import BadParameter
from ratingcore.plugin import Floats, Sides, State

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
    with pytest.raises(BadParameter, match="parameter s0 cannot be fitted: sigma1, deviation, k, drift_var can"):
        fit(BridgeBayes(), results, ("s0",))
    with pytest.raises(BadParameter, match="parameter k is to be fitted twice"):
        fit(BridgeBayes(), results, ("k", "k"))
    with pytest.raises(BadParameter, match="parameter drift_var cannot be fitted where tracking=fixed"):
        fit(BridgeBayes(tracking="fixed"), results)


# errors, and the worth of a point


def test_of_known_strengths_sigma1_is_the_mean_square_and_its_error_that_of_a_normal_sample() -> None:
    """Maximum likelihood of a normal deviation: the root of the mean square, with the error s / sqrt(2 n)."""
    rng = np.random.default_rng(7)
    scores = rng.normal(50.0, 5.0, 400)
    results = sessions([([[0, 1], [2, 3]], [s, 100.0 - s]) for s in scores.tolist()])
    (made,) = fit(BridgeBayes(deviation=1e-3), results, ["sigma1"]).estimates
    exact = float(np.sqrt(np.mean((scores - 50.0) ** 2)))
    assert made.value == pytest.approx(exact, rel=2e-4)
    assert made.error == pytest.approx(exact / 800.0**0.5, rel=5e-3)
    wide = np.exp(1.959964 / 800.0**0.5)
    assert (made.low, made.high) == pytest.approx((exact / wide, exact * wide), rel=1e-3)


def test_errors_are_those_of_the_whole_likelihood() -> None:
    """With all covariances the predictive likelihood is that of all scores at once: one normal density."""
    from scipy.optimize import minimize  # type: ignore[import-untyped]  # scipy has no types
    from scipy.stats import multivariate_normal

    rng, k = np.random.default_rng(3), BridgeBayes().k
    seats = np.array([rng.permutation(10)[:4] for _ in range(60)])
    strength = rng.normal(0.0, 600.0, 10)
    h = np.zeros((60, 10))
    np.put_along_axis(h, seats, np.array([k, k, -k, -k]), axis=1)
    lead = h @ strength + rng.normal(0.0, 2.0, 60)

    def loss(x: Floats) -> float:
        whole = np.exp(2.0 * x[0]) * np.eye(60) + np.exp(2.0 * x[1]) * h @ h.T
        return -float(multivariate_normal(np.zeros(60), whole).logpdf(lead))

    found = minimize(loss, np.log([2.0, 600.0]), method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-8})
    step = 1e-3 * np.eye(2)
    hessian = [
        [
            sum(s * t * loss(found.x + s * step[i] + t * step[j]) for s in (1, -1) for t in (1, -1)) / 4e-6
            for j in range(2)
        ]
        for i in range(2)
    ]
    error = np.sqrt(np.diag(np.linalg.inv(hessian))) * np.exp(found.x)
    results = sessions(
        [([s[:2].tolist(), s[2:].tolist()], [50.0 + y, 50.0 - y]) for s, y in zip(seats, lead, strict=True)]
    )
    made = fit(BridgeBayes(tracking="full", players=10), results, ("sigma1", "deviation"))
    assert [estimate.value for estimate in made.estimates] == pytest.approx(np.exp(found.x), rel=1e-3)
    assert [estimate.error for estimate in made.estimates] == pytest.approx(error, rel=0.01)
    assert made.likelihood == pytest.approx(-found.fun, abs=1e-4)


def test_k_and_deviation_are_one_scale_unless_ratings_are_given() -> None:
    results = made_up(800, 24, sigma1=3.0, deviation=300.0)
    spread = fit(BridgeBayes(), results, ("sigma1", "deviation"))
    worth = fit(BridgeBayes(), results, ("sigma1", "k"))
    assert worth.method.k * 200.0 == pytest.approx(BridgeBayes().k * spread.method.deviation, rel=2e-3)
    assert worth.likelihood == pytest.approx(spread.likelihood, abs=1e-3)
    assert worth.estimates[1].error / worth.method.k == pytest.approx(
        spread.estimates[1].error / spread.method.deviation, rel=0.02
    )
    with pytest.raises(BadParameter, match="parameter k cannot be separated from deviation by results alone"):
        fit(BridgeBayes(), results, ("sigma1", "deviation", "k"))
    sure = BridgeBayes(deviation=1.0, sigma1=3.0)
    given = State.start(sure.columns(), 24).replace(rating=1500.0 + 300.0 * np.linspace(-1.5, 1.5, 24))
    rng = np.random.default_rng(5)
    tables: list[Played] = []
    for _ in range(800):
        seats = rng.permutation(24)[:4].reshape(2, 2)
        gap = float(given["rating"][seats].sum(axis=1) @ [1.0, -1.0])
        score = 50.0 + 0.004 * gap + float(rng.normal(0.0, 3.0))
        tables.append((seats.tolist(), [score, 100.0 - score]))
    (k,) = fit(sure, sessions(tables), ("k",), start=given).estimates
    assert abs(k.value - 0.004) < 3.0 * k.error < 0.15 * 0.004


def test_what_results_tell_nothing_of_has_no_error() -> None:
    results = made_up(300, 12, sigma1=4.0, deviation=200.0)
    sigma1, drift = fit(BridgeBayes(), sessions([]), ("sigma1", "drift_var")).estimates
    assert np.isnan([sigma1.error, sigma1.low, sigma1.high, drift.error]).all()
    told, nothing = fit(BridgeBayes(tracking="full", players=12), results, ("sigma1", "drift_var")).estimates
    assert told.low < told.value < told.high
    assert not nothing.error < nothing.value


def test_intervals_hold_what_they_should() -> None:
    """Of 60 made-up pools the squared surprise of the estimates, in standard errors, is 1 on average."""
    surprise = []
    for seed in range(60):
        made = fit(BridgeBayes(), made_up(300, 20, 4.0, 300.0, seed=seed), ("sigma1", "deviation"))
        truth = (4.0, 300.0 * (20 / 19) ** 0.5)
        surprise.append([np.log(e.value / t) * e.value / e.error for e, t in zip(made.estimates, truth, strict=True)])
    assert (np.abs(surprise) < 1.96).mean(axis=0) == pytest.approx([0.95, 0.95], abs=0.08)


def test_a_search_that_stops_short_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    results = made_up(30, 8, sigma1=4.0, deviation=200.0)
    assert fit(BridgeBayes(), results, ("sigma1",)).stopped == ""
    monkeypatch.setattr(search, "RUNS", 3)
    found = fit(BridgeBayes(), results, ("sigma1",))
    assert found.stopped == "after 3 replays, before the search converged"
    assert str(Fit("club", "", "", "bridge-bayes", found)).endswith(f"the search stopped {found.stopped}")
