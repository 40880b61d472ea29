"""Densities of bridge-bayes: against integrals over strengths that know nothing of mixtures of normals."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from ratingcore_bridge_bayes import BridgeBayes, likelihood
from ratingcore_bridge_bayes.density import Density
from ratingcore_bridge_bayes.sample_sessions import sessions
from ratingcore_bridge_bayes.separate import learnt
from scipy import stats  # type: ignore[import-untyped]  # scipy has no types

from ratingcore.methods.text import build, identity, text_of
from ratingcore.plugin import Floats, State
from ratingcore.testing import method_checks

RATINGS = np.array([1500.0, 1400.0, 1600.0, 1550.0])
TABLE = [[0, 1], [2, 3]]
NODES, WEIGHTS = np.polynomial.legendre.leggauss(600)
K = 4.0 / 1500.0
TEXTS = ("student(5)", "student(2.5)", "student(40)", "laplace", "mixture(0.1,3)", "mixture(0.1,3,0.02,8)")


def scatter(text: str, deviation: float) -> Callable[[Any], Any]:
    """The density as books have it, with this standard deviation."""
    kind, _, rest = text.partition("(")
    numbers = [float(word) for word in rest.rstrip(")").split(",")] if rest else []
    if kind == "student":
        return stats.t(numbers[0], scale=deviation * ((numbers[0] - 2.0) / numbers[0]) ** 0.5).pdf  # type: ignore[no-any-return]  # scipy has no types
    if kind == "laplace":
        return stats.laplace(scale=deviation / 2.0**0.5).pdf  # type: ignore[no-any-return]  # scipy has no types
    shares, times = [1.0 - sum(numbers[::2]), *numbers[::2]], [1.0, *numbers[1::2]]
    unit = deviation / sum(s * t**2 for s, t in zip(shares, times, strict=True)) ** 0.5
    return lambda x: sum(s * stats.norm.pdf(x, scale=unit * t) for s, t in zip(shares, times, strict=True))


def moments(text: str, surprise: float, prior: float, noise: float) -> tuple[float, float, float]:
    """Mean and variance of what was expected after a surprise, and the logarithm of its density: by quadrature."""
    density, far = scatter(text, noise**0.5), 11.0 * prior**0.5
    middle = float(np.clip(surprise, -far, far))
    steps = sorted({-far, far, *(x for d in (0.0, 0.1, 1.0) for x in (middle - d, middle + d, d, -d) if abs(x) < far)})

    total = first = second = 0.0
    for low, high in pairwise(steps):  # Gauss and Legendre with so many nodes leave an error below 1e-11
        x = 0.5 * (low + high) + 0.5 * (high - low) * NODES
        mass = 0.5 * (high - low) * WEIGHTS * density(surprise - x) * stats.norm.pdf(x, scale=prior**0.5)
        total, first, second = total + mass.sum(), first + (mass * x).sum(), second + (mass * x**2).sum()
    return first / total, second / total - (first / total) ** 2, float(np.log(total))


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    ("surprise", "prior", "noise"),
    [
        (0.0, 1.1, 36.0),
        (3.0, 1.1, 36.0),
        (-40.0, 1.1, 36.0),
        (200.0, 1.1, 36.0),
        (5.0, 4.0, 1.0),
        (12.0, 0.5, 0.3),
        (0.2, 30.0, 0.5),
    ],
)
def test_what_a_surprise_teaches_is_the_integral_over_what_was_expected(
    text: str, surprise: float, prior: float, noise: float
) -> None:
    mean, variance, logarithm = moments(text, surprise, prior, noise)
    learns = Density.parse(text).learn(*(np.array([x]) for x in (surprise, prior, noise)))
    assert prior * learns.gain[0] * surprise == pytest.approx(mean, rel=1e-8, abs=1e-9)
    assert prior - prior**2 * learns.curb[0] == pytest.approx(variance, rel=1e-8)
    assert learns.likelihood[0] == pytest.approx(logarithm, rel=1e-9)
    gain, curb = learnt.plain(surprise, prior, noise, *(column.tolist() for column in Density.parse(text).nodes))
    assert (gain, curb) == pytest.approx((learns.gain[0], learns.curb[0]), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("text", ["student(4)", "laplace", "mixture(0.1,4)"])
@pytest.mark.parametrize("tracking", ["diag", "full"])
def test_a_table_is_the_integral_over_four_strengths(text: str, tracking: Any) -> None:
    """A Gauss-Hermite product rule: the reduction to one dimension is not used."""
    method = BridgeBayes(sigma1=4.0, tracking=tracking, density=text, players=4)
    deviation = np.array([100.0, 300.0, 200.0, 150.0])
    start = State.start(method.columns(), players=4).replace(rating=RATINGS, deviation=deviation)
    state = method.rate(start, sessions([(TABLE, [62.0, 38.0])])).state
    x, w = np.polynomial.hermite_e.hermegauss(40)
    grid: list[Floats] = np.meshgrid(*(m + d * x for m, d in zip(RATINGS, deviation, strict=True)), indexing="ij")
    gap = K * (grid[0] + grid[1] - grid[2] - grid[3])
    density = np.einsum("i,j,k,l->ijkl", w, w, w, w) * scatter(text, 4.0)(12.0 - gap)
    total = density.sum()
    mean = [float((density * strength).sum() / total) for strength in grid]
    variance = [float((density * (s - m) ** 2).sum() / total) for s, m in zip(grid, mean, strict=True)]
    assert state["rating"] == pytest.approx(mean, abs=0.02)  # the rule meets the cusp of laplace
    assert state["deviation"] == pytest.approx(np.sqrt(variance), abs=0.02)
    assert likelihood(method, sessions([(TABLE, [62.0, 38.0])]), start) == pytest.approx(
        float(np.log(total / w.sum() ** 4)), abs=1e-3
    )


FIELD = [[0, 1], [2, 3], [4, 5]]


def field_by_grid(text: str, sigma1: float, scores: Sequence[float]) -> tuple[Floats, Floats, float]:
    """A field of three pairs by a grid over the two contrasts of their sums that scores can see."""
    w = K * np.kron(1.5 * np.eye(3) - 0.5, np.ones((1, 2)))
    values, axes = np.linalg.eigh(w @ w.T * 200.0**2)
    values, axes = values[1:], axes[:, 1:]  # the scores of a field add up: one contrast has no variance
    step = np.linspace(-9.0, 9.0, 1201)
    one, other = np.meshgrid(step, step, indexing="ij")
    z = np.stack([one.ravel(), other.ravel()])
    gap = axes @ (np.sqrt(values)[:, None] * z)
    density = np.exp(-0.5 * (z**2).sum(axis=0))
    prior = density.sum()
    for row, score in enumerate(scores):
        density = density * scatter(text, sigma1)(score - 50.0 - gap[row])
    share = density / density.sum()
    z_mean = z @ share
    z_cov = (z * share) @ z.T - np.outer(z_mean, z_mean)
    load = 200.0**2 * w.T @ axes / np.sqrt(values)
    covariance = 200.0**2 * np.eye(6) - load @ (np.eye(2) - z_cov) @ load.T
    return load @ z_mean, covariance, float(np.log(density.sum() / prior))


@pytest.mark.parametrize("text", ["student(4)", "laplace", "mixture(0.1,4)"])
@pytest.mark.parametrize(("sigma1", "scores"), [(6.0, (71.0, 44.0, 41.0)), (1.0, (53.0, 48.5, 50.5))])
def test_a_field_is_drawn_near_the_integral(text: str, sigma1: float, scores: Sequence[float]) -> None:
    mean, covariance, logarithm = field_by_grid(text, sigma1, scores)
    results = sessions([(FIELD, list(scores))])
    for tracking in ("diag", "full"):
        method = BridgeBayes(sigma1=sigma1, density=text, draws=4096, tracking=tracking, players=6)  # type: ignore[arg-type]  # a word
        rated = method.rate(State.start(method.columns(), players=6), results)
        assert rated.change == pytest.approx(mean, abs=0.01 * float(np.abs(mean).max()))
        assert rated.state["deviation"] ** 2 == pytest.approx(np.diag(covariance), rel=2e-3)
        assert likelihood(method, results) == pytest.approx(logarithm, abs=0.01)
    full = method.rate(State.start(method.columns(), players=6), results).state["covariance"][0]
    assert full == pytest.approx(covariance, abs=0.002 * 200.0**2)


def test_draws_come_nearer_and_the_seed_is_all_that_is_random() -> None:
    mean, _, _ = field_by_grid("student(4)", 1.0, (53.0, 48.5, 50.5))
    results = sessions([(FIELD, [53.0, 48.5, 50.5])])

    def change(**how: int) -> Floats:
        method = BridgeBayes(sigma1=1.0, density="student(4)", **how)  # type: ignore[arg-type]  # numbers
        moved = method.rate(State.start(method.columns(), players=6), results).change
        assert isinstance(moved, np.ndarray)
        return moved

    def error(draws: int) -> float:
        return float(np.sqrt(np.mean([(change(draws=draws, seed=seed) - mean) ** 2 for seed in range(12)])))

    assert error(2048) < 0.5 * error(32)
    assert change().tolist() == change(seed=0).tolist() != change(seed=1).tolist()


@pytest.mark.parametrize("tracking", ["diag", "full", "fixed"])
def test_the_order_in_which_sides_of_a_field_are_recorded_moves_nobody(tracking: Any) -> None:
    method = BridgeBayes(density="laplace", tracking=tracking)
    pairs, scores = [[0, 1], [2, 3], [4, 5], [6, 7]], [66.0, 51.0, 45.0, 38.0]
    states = [
        method.rate(
            State.start(method.columns(), 8), sessions([([pairs[i] for i in order], [scores[i] for i in order])])
        )
        for order in ([0, 1, 2, 3], [3, 1, 0, 2])
    ]
    assert states[0].state["rating"] == pytest.approx(states[1].state["rating"], abs=1e-9)


def test_equal_parts_are_one_normal_whatever_they_are_called() -> None:
    """A mixture of a normal with itself is that normal, through quite another calculation."""
    rng = np.random.default_rng(4)
    tables = [([s[:2], s[2:4]], [x, 100.0 - x]) for s, x in
              ((rng.permutation(8).tolist(), float(rng.normal(50.0, 8.0))) for _ in range(40))]  # fmt: skip
    results = sessions([*tables, ([[0, 1], [2, 3], [4, 5]], [61.0, 42.0, 55.0])])
    for tracking in ("diag", "full", "fixed"):
        one, other = (BridgeBayes(tracking=tracking, density=text) for text in ("normal", "mixture(0.3,1)"))  # type: ignore[arg-type]  # a word
        states = [method.rate(State.start(method.columns(), 8), results).state for method in (one, other)]
        for name in ("rating", "deviation"):
            assert states[0][name] == pytest.approx(states[1][name], rel=1e-11)
        assert likelihood(one, results) == pytest.approx(likelihood(other, results))


def test_a_disaster_moves_little_and_a_thousand_deviations_are_still_a_number() -> None:
    moves = {}
    for text in ("normal", "student(5)", "mixture(0.1,3)"):
        method = BridgeBayes(density=text)
        start = State.start(method.columns(), 4)
        moves[text] = [
            float(method.rate(start, sessions([(TABLE, [50.0 + s, 50.0 - s])])).change[0])  # type: ignore[arg-type]  # of sides: one array
            for s in (6.0, 60.0, 6000.0)
        ]
    assert moves["normal"][1] == pytest.approx(10.0 * moves["normal"][0])
    assert 0.0 < moves["student(5)"][2] < 0.2 < moves["student(5)"][1] < moves["student(5)"][0]
    assert moves["mixture(0.1,3)"][1] < 3.0 * moves["mixture(0.1,3)"][0]


def test_heavy_tails_fit_heavy_tailed_results_better() -> None:
    rng = np.random.default_rng(9)
    tables = []
    for _ in range(600):
        seats = rng.permutation(12)[:4].reshape(2, 2).tolist()
        score = 50.0 + 6.0 * float(rng.standard_t(3)) / 3.0**0.5
        tables.append((seats, [score, 100.0 - score]))
    results = sessions(tables)
    assert likelihood(BridgeBayes(density="student(3)"), results) > likelihood(BridgeBayes(), results) + 20.0


@method_checks(
    BridgeBayes(density="student(5)", drift_var=25.0, draws=16),
    BridgeBayes(unit="imp", k=0.004, per="board", density="laplace", draws=16),
    BridgeBayes(tracking="full", density="mixture(0.1,3)", draws=16, players=120),
    BridgeBayes(tracking="fixed", density="student(3)", draws=16),
)
def test_the_laws_are_kept(law: Any, method: BridgeBayes) -> None:
    law(method)


@pytest.mark.parametrize(
    ("text", "spelt"),
    [("normal", "normal"), ("student(5)", "student(5)"), ("student( 5.0 )", "student(5)"), ("laplace", "laplace"),
     ("mixture(0.1, 3)", "mixture(0.1,3)"), ("mixture(0.1,3,0.02,8)", "mixture(0.1,3,0.02,8)")],
)  # fmt: skip
def test_a_density_is_spelt_in_one_way(text: str, spelt: str) -> None:
    method = build(BridgeBayes, {"density": text})
    assert f"density={spelt}" in identity(method) if spelt != "normal" else "density" not in identity(method)
    assert text_of(method).startswith("bridge-bayes:")
    assert BridgeBayes(density=text) == method
