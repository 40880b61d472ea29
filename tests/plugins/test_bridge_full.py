"""Bridge with all covariances (`tracking=full`): what others do moves an idle player."""

import numpy as np
import pytest
from ratingcore_bridge_bayes import BridgeBayes, condition, deviation_of
from ratingcore_bridge_bayes.making import sessions

from ratingcore.plugin import Floats
from tests.plugins.bridge_tables import DIAG, FULL, RATINGS, TABLE, known, played


def test_full_does_not_depend_on_order_and_diag_does() -> None:
    rng = np.random.default_rng(5)
    tables = [([seats[:2], seats[2:4]], [s, 100.0 - s]) for seats, s in
              ((rng.permutation(6).tolist(), float(rng.normal(50.0, 6.0))) for _ in range(12))]  # fmt: skip
    ends = {}
    for method in (DIAG, FULL):
        one, other = (
            method.show(method.rate(known(method, [1500.0] * 6), sessions(order)).state, 0)["rating"]
            for order in (tables, tables[::-1])
        )
        ends[method.tracking] = float(np.abs(one - other).max())
    assert ends["full"] < 1e-9
    assert ends["diag"] > 1e-3


def test_what_others_do_moves_an_idle_player_on_the_list_and_is_told_at_his_next_result() -> None:
    """0 and 1 beat 2 and 3; then 1 loses to 4 and 5 with 6: so it was 0 who was strong."""
    first, second = (TABLE, [65.0, 35.0]), ([[1, 6], [4, 5]], [35.0, 65.0])
    third = ([[0, 6], [2, 5]], [50.0, 50.0])
    start = known(FULL, [1500.0] * 7)
    after_first = FULL.rate(start, sessions([first])).state
    after = FULL.rate(after_first, sessions([second])).state
    assert after["rating"][0] == after_first["rating"][0]
    shown = FULL.show(after, 0)
    assert shown["rating"][0] > after["rating"][0]
    assert shown["deviation"][0] < after["deviation"][0]
    rated = FULL.rate(after, sessions([third]))
    (told,) = rated.before.values()
    assert list(rated.before) == ["results of others"]
    assert told[0] == pytest.approx(shown["rating"][0] - after["rating"][0])
    assert rated.expected[0] == FULL.expected(after, sessions([third]).withheld()).expected[0]


def test_partners_who_never_part_are_known_together_only() -> None:
    """The sum is learnt, the difference keeps its prior variance."""
    state = played(FULL, [55.0, 52.0, 60.0, 58.0] * 50).state
    pair, apart = deviation_of(FULL, state, [0, 1], 0), deviation_of(FULL, state, [0], 0, [1])
    assert pair < 240.0 < 200.0 * 2**0.5
    assert apart == pytest.approx(200.0 * 2**0.5)
    diag = played(DIAG, [55.0]).state
    assert deviation_of(DIAG, diag, [0, 1], 0) == pytest.approx(float(np.hypot(*diag["deviation"][:2])))


def test_a_seed_cuts_what_was_known_through_others() -> None:
    """A player without a last day, as a seed leaves them, is described by their own columns alone."""
    state = played(FULL, [65.0]).state
    rating, deviation, last = (state.copy(name) for name in ("rating", "deviation", "last"))
    rating[0], deviation[0], last[0] = 1700.0, 50.0, np.nan
    seeded = state.replace(rating=rating, deviation=deviation, last=last)
    later = FULL.rate(seeded, sessions([([[1], [2]], [70.0, 30.0])])).state
    shown = FULL.show(later, 0)
    assert (shown["rating"][0], shown["deviation"][0]) == (1700.0, 50.0)
    again = FULL.rate(later, sessions([([[0], [3]], [50.0, 50.0])]))
    v = 36.0 + FULL.k**2 * (50.0**2 + FULL.covariances(later, 0)[3, 3])
    assert again.notes["variance"][0] == pytest.approx(v)


def test_rounding_leaves_the_covariance_symmetric_and_positive() -> None:
    method = BridgeBayes(tracking="full", sigma1=0.01, players=8)
    rng = np.random.default_rng(8)
    tables = [([s[:2], s[2:4]], [50.0 + 5.0 * x, 50.0 - 5.0 * x]) for s, x in
              ((rng.permutation(8).tolist(), float(rng.normal())) for _ in range(400))]  # fmt: skip
    covariance = method.rate(known(method, [1500.0] * 8), sessions(tables)).state["covariance"][0]
    assert np.array_equal(covariance, covariance.T)
    assert np.linalg.eigvalsh(covariance).min() > 0.0


def test_conditioning_agrees_with_quadrature() -> None:
    """A Gauss-Hermite product rule over four strengths."""
    x, w = np.polynomial.hermite_e.hermegauss(24)
    mean, deviation = np.array(RATINGS), np.array([100.0, 300.0, 200.0, 200.0])
    grid: list[Floats] = np.meshgrid(*(m + d * x for m, d in zip(mean, deviation, strict=True)), indexing="ij")
    weight = np.einsum("i,j,k,l->ijkl", w, w, w, w)
    k = 4.0 / 1500.0
    density = weight * np.exp(-((10.0 - k * (grid[0] + grid[1] - grid[2] - grid[3])) ** 2) / 200.0)
    numeric = [float((density * strength).sum() / density.sum()) for strength in grid]
    covariance = np.diag(deviation**2)
    condition(mean, covariance, np.arange(4), k * np.array([[1.0, 1.0, -1.0, -1.0]]), np.array([10.0]), 100.0)
    assert mean == pytest.approx(numeric, abs=1e-8)
