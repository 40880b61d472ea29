"""Bridge: fields of many pairs, teams and individuals, against an independent solution."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from ratingcore_bridge_bayes import BridgeBayes
from ratingcore_bridge_bayes.density import NORMAL
from ratingcore_bridge_bayes.making import sessions
from ratingcore_bridge_bayes.separate import play, play_pairs

from ratingcore.methods.kernels import has_numba
from ratingcore.plugin import Floats
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


@pytest.mark.skipif(not has_numba(), reason="numba is not installed")
@pytest.mark.parametrize("drift", [0.0, 3.0])
def test_the_two_kernels_are_one_formula_compiled_and_plain(drift: float) -> None:
    rng, n = np.random.default_rng(11), 300
    player = np.array([rng.permutation(20)[:4] for _ in range(n)], dtype=np.int32).ravel()
    side, score = np.arange(0, 4 * n + 1, 2), rng.normal(50.0, 8.0, 2 * n)
    noise, share, day = np.full(n, 36.0), np.ones(n), np.sort(rng.uniform(0.0, 99.0, n))
    rules = (np.ones(4 * n), *NORMAL.nodes, 0.0, 0, 0.0, np.empty(4 * n))  # nobody sat out, and Bayes says the rest

    def run(kernel: Any, places: tuple[Floats, ...], rules: tuple[Any, ...]) -> list[Floats]:
        rating, deviation, last = np.full(20, 1500.0), rng0.uniform(50.0, 300.0, 20), np.full(20, np.nan)
        told = np.empty(2 * n), np.empty(n), np.empty(4 * n)
        kernel(
            rating, deviation, last, player, *places, score, noise, share, day, 50.0, DIAG.k, drift, True, *rules, *told
        )
        return [rating, deviation, last, *told]

    runs = []
    for kernel, places, further in ((play_pairs, (), ()), (play, (side,), rules)):
        for one in (kernel.compiled, lambda *args, kernel=kernel: kernel._on_lists(args)):
            rng0 = np.random.default_rng(12)
            runs.append(run(one, places, further))
    for other in runs[1:]:
        assert all(
            np.allclose(a, b, rtol=1e-12, atol=1e-9, equal_nan=True) for a, b in zip(runs[0], other, strict=True)
        )
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(runs[0], runs[2], strict=True))
