"""Bridge: fields of any size, teams and individuals, against an independent solution and row by row."""

import tracemalloc
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from ratingcore_bridge_bayes import BridgeBayes, conditioning, model_rows
from ratingcore_bridge_bayes.conditioning import condition
from ratingcore_bridge_bayes.large_field import LARGE, learn_field, opposed
from ratingcore_bridge_bayes.sample_sessions import sessions

import ratingcore as rc
from ratingcore.errors import BadResult
from ratingcore.plugin import State
from tests.plugins.bridge_tables import DIAG, FIELD, FIXED, FULL, TABLE, known


def posterior(
    method: BridgeBayes, sides: Sequence[Sequence[int]], scores: Sequence[float], line: int
) -> tuple[Any, Any]:
    """A field by the information form, which the plugin does not use: precisions add up."""
    n, deviation = sum(map(len, sides)), method.deviation
    precision, weighted = np.eye(n) / deviation**2, np.zeros(n)
    for p, score in enumerate(scores):
        h = np.zeros(n)
        met = (
            [q for q in range(len(sides)) if (q < line) != (p < line)]
            if line
            else [q for q in range(len(sides)) if q != p]
        )
        for i in sides[p]:
            h[i] += method.k
        for q in met:
            for j in sides[q]:
                h[j] -= method.k / len(met)
        precision += np.outer(h, h) / method.sigma1**2
        weighted += h * (score - method.s0) / method.sigma1**2
    covariance = np.linalg.inv(precision)
    return 1500.0 + covariance @ weighted, covariance


@pytest.mark.parametrize("line", [0, 2])
def test_a_field_is_one_row_a_pair_against_the_mean_of_the_opposing_line(line: int) -> None:
    scores = [61.0, 42.0, 55.0, 47.0, 45.0]
    mean, covariance = posterior(DIAG, FIELD, scores, line)
    results = sessions([(FIELD, scores)], first_line=[line])
    for method in (DIAG, FULL, FIXED):
        state = method.rate(known(method, [1500.0] * 10), results).state
        assert state["rating"] == pytest.approx(mean)
        if method is not FIXED:
            assert state["deviation"] == pytest.approx(np.sqrt(np.diag(covariance)))
    full = FULL.rate(known(FULL, [1500.0] * 10), results).state["covariance"][0]
    assert full[:10, :10] == pytest.approx(covariance)


def test_a_field_is_expected_to_average_what_equals_get() -> None:
    ratings = np.random.default_rng(3).normal(1500.0, 100.0, 10)
    for method in (DIAG, FULL):
        for line in (0, 2):
            asked = method.expected(known(method, ratings.tolist()), sessions([(FIELD, [50.0] * 5)], first_line=[line]))
            lines = [asked.expected[:line], asked.expected[line:]] if line else [asked.expected]
            assert sum(float(np.mean(part)) for part in lines) / len(lines) == pytest.approx(50.0)
    strongest = int(np.argmax(ratings.reshape(5, 2).sum(axis=1)))
    assert (
        int(np.argmax(DIAG.expected(known(DIAG, ratings.tolist()), sessions([(FIELD, [50.0] * 5)])).expected))
        == strongest
    )


def test_tables_and_fields_mix_in_one_pool() -> None:
    """One call, or a call a result, with the kernel's results and the others in one order of play."""
    mixed = sessions(
        [
            (TABLE, [55.0, 45.0]),
            (FIELD, [60.0, 40.0, 50.0, 52.0, 48.0]),
            ([[0], [9]], [30.0, 70.0]),
            (TABLE, [41.0, 59.0]),
        ],
        days=[0.0, 3.0, 5.0, 9.0],
    )
    for method in (BridgeBayes(drift_var=7.0), BridgeBayes(drift_var=7.0, tracking="full"), FIXED):
        start = known(method, [1500.0 + 10.0 * i for i in range(10)])
        whole = method.rate(start, mixed)
        state, change = start, []
        for r in range(len(mixed)):
            rated = method.rate(state, mixed.part(r, r + 1))
            state = rated.state
            change += rated.change.tolist()
        assert whole.change.tolist() == change
        assert all(np.array_equal(whole.state[name], state[name], equal_nan=True) for name in state.names)


def test_teams_of_any_size_and_individuals() -> None:
    teams = [[0, 1, 2, 3], [4, 5, 6, 7]]
    method = BridgeBayes(unit="imp", k=0.004, per="board")
    rated = method.rate(known(method, [1500.0] * 8), sessions([(teams, [16.0, -16.0])], boards=[16.0]))
    v = 36.0 / 16.0 + 8.0 * 0.004**2 * 200.0**2
    assert rated.change == pytest.approx([0.004 * 200.0**2 / v] * 4 + [-0.004 * 200.0**2 / v] * 4)
    singles = DIAG.rate(known(DIAG, [1500.0] * 2), sessions([([[0], [1]], [53.0, 47.0])]))
    assert singles.change[0] == pytest.approx(DIAG.k * 200.0**2 / (36.0 + 2.0 * DIAG.k**2 * 200.0**2) * 3.0)


SHAPES = [(3, 0), (3, 1), (7, 0), (7, 3), (40, 0), (40, 13), (120, 0), (120, 1), (101, 100)]


def opposing(n: int, line: int) -> np.ndarray:
    """As formula (10) of the README has it: each side against the mean of those it met."""
    first = np.arange(n) < line
    met = first[:, None] != first if line else ~np.eye(n, dtype=np.bool_)
    return np.eye(n) - met / met.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(("n", "line"), SHAPES)
def test_a_side_is_compared_with_the_mean_of_those_it_met(n: int, line: int) -> None:
    strength = np.random.default_rng(n).normal(3000.0, 200.0, n)
    assert np.allclose(opposed(strength, line), opposing(n, line) @ strength, rtol=0, atol=1e-9)


@pytest.mark.parametrize(("n", "line"), SHAPES)
@pytest.mark.parametrize(("k", "deviation", "digits"), [(4 / 1500, 200.0, 12), (0.05, 350.0, 10), (1.0, 1000.0, 8)])
def test_the_closed_form_is_the_posterior_of_all_rows_one_after_another(
    n: int, line: int, k: float, deviation: float, digits: int
) -> None:
    rng = np.random.default_rng([n, line])
    sizes = rng.integers(1, 4, n)
    start = np.concatenate([[0], np.cumsum(sizes)])
    mean, variance = rng.normal(1500.0, 100.0, start[-1]), (deviation * rng.random(start[-1])) ** 2
    variance[:2] = 0.0, deviation**2  # of the first player all is known
    seat, lead = rng.uniform(0.3, 1.0, start[-1]), rng.normal(0.0, 6.0, n)
    weights = k * np.repeat(opposing(n, line), sizes, axis=1) * seat
    after, covariance = mean.copy(), np.diag(variance)
    likelihood = condition(after, covariance, np.arange(start[-1]), weights, lead, 36.0).likelihood
    learnt = learn_field(mean, variance, seat, start, line, lead, k, 36.0)
    near = {"rtol": 10.0**-digits, "atol": 10.0 ** (3 - digits)}
    assert np.allclose(learnt.mean, after, **near)
    assert np.allclose(learnt.variance, np.diag(covariance), **near)
    assert np.allclose(learnt.gap, weights @ mean, **near)
    assert learnt.before == pytest.approx(float((36.0 + (weights**2 * variance).sum(axis=1)).mean()), rel=1e-12)
    assert learnt.likelihood == pytest.approx(likelihood, rel=10.0 ** (1 - digits))


@pytest.mark.parametrize(
    "method",
    [BridgeBayes(), BridgeBayes(drift_var=2.0), BridgeBayes(tracking="fixed"), BridgeBayes(pair_k=3.0),
     BridgeBayes(sharing="equal"), BridgeBayes(unit="imp", k=0.004, per="board", tau=1.0)],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("line", [0, 47])
def test_ratings_do_not_depend_on_which_of_the_two_ways_is_taken(
    monkeypatch: pytest.MonkeyPatch, method: BridgeBayes, line: int
) -> None:
    n, rng = LARGE + 20, np.random.default_rng(5)
    played = [
        ([[2 * at, 2 * at + 1] for at in rng.permutation(n)], rng.normal(50.0, 8.0, n).tolist()) for _ in range(3)
    ]
    games = sessions(played, days=[1.0, 2.0, 9.0], boards=[24.0] * 3, first_line=[line] * 3)
    state = State.start(method.columns(), 2 * n)
    fast = method.play(state, games)
    forecast = method.expected(state.replace(rating=fast.rated().state["rating"]), games)
    monkeypatch.setattr(model_rows, "LARGE", 10**9)
    monkeypatch.setattr(conditioning, "LARGE", 10**9)
    slow = method.play(state, games)
    assert (fast.expected != slow.expected).any(), "both ways are one"
    for name in state.names:
        assert np.allclose(fast.rated().state[name], slow.rated().state[name], rtol=1e-12, atol=1e-9)
    assert np.allclose(fast.expected, slow.expected, rtol=1e-12)
    assert np.allclose(fast.change, slow.change, rtol=1e-9, atol=1e-9)
    assert np.allclose(fast.variance, slow.variance, rtol=1e-12)
    assert np.allclose(fast.likelihood(), slow.likelihood(), rtol=1e-11)
    again = method.expected(state.replace(rating=fast.rated().state["rating"]), games)
    assert np.allclose(forecast.expected, again.expected, rtol=1e-12)


@pytest.mark.parametrize("line", [0, 47])
def test_with_all_covariances_too_rows_at_once_are_rows_one_by_one(monkeypatch: pytest.MonkeyPatch, line: int) -> None:
    n, rng = LARGE + 20, np.random.default_rng(6)
    method = BridgeBayes(tracking="full", players=2 * n, drift_var=1.0)
    played = [
        ([[2 * at, 2 * at + 1] for at in rng.permutation(n)], rng.normal(50.0, 8.0, n).tolist()) for _ in range(2)
    ]
    games = sessions(played, days=[1.0, 4.0], first_line=[line] * 2)
    state = State.start(method.columns(), 2 * n)
    fast = method.play(state, games)
    monkeypatch.setattr(conditioning, "LARGE", 10**9)
    slow = method.play(state, games)
    assert (fast.change != slow.change).any(), "both ways are one"
    for name in state.names:  # the day of a seed is NaN for those without one
        one, other = fast.rated().state[name], slow.rated().state[name]
        assert np.allclose(one, other, rtol=1e-10, atol=1e-7, equal_nan=True)
    assert np.allclose(fast.change, slow.change, rtol=1e-9, atol=1e-9)
    assert np.allclose(fast.likelihood(), slow.likelihood(), rtol=1e-11)


def test_memory_grows_with_the_number_of_sides_and_no_faster() -> None:
    """2,000 sides made matrices of 4,000 times 4,000 and took 94 seconds."""
    method, peaks = BridgeBayes(), []
    for n in (1000, 2000, 4000):
        games = sessions([([[2 * at, 2 * at + 1] for at in range(n)], [50.0 + at % 7 for at in range(n)])])
        state = State.start(method.columns(), 2 * n)
        tracemalloc.start()
        method.rate(state, games)
        method.expected(state, games)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert all(after < 2.5 * before for before, after in pairwise(peaks))


def test_a_session_too_large_for_heavy_tails_is_refused_with_the_bound() -> None:
    with rc.open(":memory:") as engine:
        sides = [rc.Side([f"a{n}", f"b{n}"], 50.0 + n % 5) for n in range(257)]
        engine.record(rc.SessionPlayed(uid="s", pool="p", played="2024-03-02", sides=sides))
        with pytest.raises(BadResult, match=r"at position 1: it has 257 sides.* up to 256; density=normal rates any"):
            engine.rating_list("p", "bridge-bayes:density=laplace")
        assert len(engine.rating_list("p", "bridge-bayes")) == 514
