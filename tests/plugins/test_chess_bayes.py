"""Three outcomes by Bayes' rule: the worked numbers of the README, its laws, and posteriors by another integral."""

import numpy as np
import pytest
from ratingcore_chess_bayes import ChessBayes
from ratingcore_chess_bayes.quadrature import logarithm, split, steepness

from ratingcore.engine import Engine
from ratingcore.log import SqliteLog
from ratingcore.plugin import DAY, BadResult, Floats, Games, Rated, Span
from ratingcore.testing import Law, method_checks
from tests.columns.making import POOL, seed
from tests.golden.playing import games, state

BAND = ChessBayes(draw_band=60.0)
SQUARE = ChessBayes(model="square")
DAVIDSON = ChessBayes(model="davidson", nu=0.8)
RAO_KUPPER = ChessBayes(model="rao_kupper", theta=1.6)
MODELS = [BAND, SQUARE, DAVIDSON, RAO_KUPPER]
each_model = pytest.mark.parametrize("method", MODELS, ids=lambda method: method.model)
OUTCOMES = (1.0, 0.5, 0.0)


def one(method: ChessBayes, ra: float, rb: float, sa: float, sb: float, score: float) -> Rated:
    start = state(method, [ra, rb]).replace(deviation=np.array([sa, sb]))
    return method.rate(start, games([0], [1], [score]))


def variances(rated: Rated) -> list[float]:
    return (rated.state["deviation"] ** 2).tolist()


def log_chance(method: ChessBayes, d: Floats, score: float) -> Floats:
    """Logarithm of the chance of an outcome at a gap of true strengths, as the README has it in its table."""
    from scipy.special import log_ndtr

    c, eps = method.scale / np.sqrt(2.0), method.draw_band
    if method.model == "band":
        if score == 0.5:
            high, low = log_ndtr((eps - np.abs(d)) / c), log_ndtr((-eps - np.abs(d)) / c)
            return high + np.log1p(-np.exp(low - high))
        return log_ndtr(((d if score else -d) - eps) / c)
    u = d * np.log(10.0) / method.scale
    e, not_e = -np.logaddexp(0.0, -u), -np.logaddexp(0.0, u)
    if method.model == "square":
        return {1.0: 2.0 * e, 0.5: np.log(2.0) + e + not_e, 0.0: 2.0 * not_e}[score]
    if method.model == "davidson":
        whole = np.logaddexp(np.logaddexp(u / 2.0, -u / 2.0), np.log(method.nu))
        return {1.0: u / 2.0, 0.5: np.full_like(u, np.log(method.nu)), 0.0: -u / 2.0}[score] - whole
    theta = np.log(method.theta)
    win, loss = -np.logaddexp(0.0, theta - u), -np.logaddexp(0.0, theta + u)
    draw = np.log(method.theta**2 - 1.0) + u - np.logaddexp(u, theta) - np.logaddexp(0.0, theta + u)
    return {1.0: win, 0.5: draw, 0.0: loss}[score]


def by_sums(method: ChessBayes, ra: float, rb: float, sa: float, sb: float, score: float) -> tuple[float, ...]:
    """Ratings and variances after a game by a sum over a hundred thousand evenly spaced gaps."""
    m, v = ra - rb, sa**2 + sb**2
    reach = 12.0 * np.sqrt(v) + 0.012 * v + abs(m) * v / (v + 80_000.0)
    t = np.linspace(m - reach, m + reach, 100_001)
    height = log_chance(method, t, score) - (t - m) ** 2 / (2.0 * v)
    weight = np.exp(height - height.max())
    mean = float((weight * t).sum() / weight.sum())
    spread = float((weight * (t - mean) ** 2).sum() / weight.sum())
    after = (ra + sa**2 / v * (mean - m), rb - sb**2 / v * (mean - m))
    return (*after, *(s**2 - s**4 / v + (s**2 / v) ** 2 * spread for s in (sa, sb)))


@pytest.mark.parametrize(
    ("method", "score", "z", "ra", "rb", "variance"),
    [
        (BAND, 1.0, 0.299417, 2038.147418, 2090.463146, 9204.621753),
        (BAND, 0.5, 0.148265, 2010.671328, 2097.332168, 8932.859492),
        (BAND, 0.0, 0.552318, 1976.455245, 2105.886189, 9343.829341),
        (SQUARE, 1.0, 0.157138, 2061.167485, 2084.708129, 8718.019002),
        (SQUARE, 0.5, 0.428373, 2012.689079, 2096.827730, 8765.030767),
        (SQUARE, 0.0, 0.414489, 1963.696449, 2109.075888, 8859.563006),
        (DAVIDSON, 1.0, 0.269496, 2032.130627, 2091.967343, 9481.725339),
        (DAVIDSON, 0.5, 0.268829, 2005.196207, 2098.700948, 9491.728192),
        (DAVIDSON, 0.0, 0.461675, 1978.218536, 2105.445366, 9505.707686),
        (RAO_KUPPER, 1.0, 0.276935, 2038.562476, 2090.359381, 9375.145834),
        (RAO_KUPPER, 0.5, 0.198963, 2012.238837, 2096.940291, 8805.605232),
        (RAO_KUPPER, 0.0, 0.524102, 1974.977462, 2106.255634, 9314.841342),
    ],
)
def test_the_worked_table(method: ChessBayes, score: float, z: float, ra: float, rb: float, variance: float) -> None:
    """2000 with deviation 100 against 2100 with 50."""
    rated = one(method, 2000.0, 2100.0, 100.0, 50.0, score)
    assert rated.draw is not None
    draw, share = rated.draw[0], rated.expected[0]
    evidence = {1.0: share - draw / 2.0, 0.5: draw, 0.0: 1.0 - share - draw / 2.0}[score]
    assert evidence == pytest.approx(z, abs=5e-7)
    assert rated.state["rating"] == pytest.approx([ra, rb], abs=5e-7)
    assert variances(rated)[0] == pytest.approx(variance, abs=5e-7)


@each_model
@pytest.mark.parametrize("score", OUTCOMES)
@pytest.mark.parametrize(
    ("ra", "rb", "sa", "sb"),
    [
        (1500.0, 1500.0, 350.0, 350.0), (2700.0, 1200.0, 350.0, 60.0), (1200.0, 2700.0, 20.0, 300.0),
        (100.0, 9100.0, 80.0, 90.0), (2000.0, 2010.0, 900.0, 700.0), (1700.0, 1650.0, 3.0, 1.0),
    ],
)  # fmt: skip
def test_another_integral_agrees(method: ChessBayes, score: float, ra: float, rb: float, sa: float, sb: float) -> None:
    """Also where the chance of the outcome is below 1e-300 and where deviations are vast."""
    rated = one(method, ra, rb, sa, sb, score)
    known = by_sums(method, ra, rb, sa, sb, score)
    assert rated.state["rating"] == pytest.approx(known[:2], rel=0.0, abs=2e-7)
    assert variances(rated) == pytest.approx(known[2:], rel=2e-9)


@pytest.mark.parametrize("score", OUTCOMES)
@pytest.mark.parametrize("band", [0.01, 0.4, 3.0, 300.0, 5000.0])
@pytest.mark.parametrize("gap", [0.0, 1.0, 250.0, 2500.0, 7000.0])
def test_narrow_and_wide_bands_agree_too(band: float, gap: float, score: float) -> None:
    method = ChessBayes(draw_band=band)
    rated = one(method, 1500.0 + gap, 1500.0, 120.0, 60.0, score)
    known = by_sums(method, 1500.0 + gap, 1500.0, 120.0, 60.0, score)
    assert rated.state["rating"] == pytest.approx(known[:2], rel=0.0, abs=2e-6)
    assert variances(rated) == pytest.approx(known[2:], rel=1e-7)


def test_a_win_against_all_odds_moves_by_the_limit_of_the_ratio() -> None:
    """With a chance far below 1e-300 lambda is all but -T."""
    rated = one(BAND, 0.0, 200_000.0, 100.0, 100.0, 1.0)
    s = np.sqrt(80_000.0 + 20_000.0)
    assert rated.expected[0] == 0.0
    assert rated.state["rating"][0] == pytest.approx(10_000.0 / s * (200_060.0 / s), rel=1e-5)
    assert np.isfinite(rated.state["deviation"]).all()


@each_model
@pytest.mark.parametrize("gap", [0.0, 37.0, -480.0])
def test_the_update_is_a_martingale_and_the_chances_add_up(method: ChessBayes, gap: float) -> None:
    """The three Z sum to 1, and weigh the three ratings to the one before."""
    rated = {score: one(method, 1500.0 + gap, 1500.0, 140.0, 90.0, score) for score in OUTCOMES}
    draw = rated[0.5].draw
    assert draw is not None
    share = rated[0.5].expected[0]
    chance = {1.0: share - draw[0] / 2.0, 0.5: draw[0], 0.0: 1.0 - share - draw[0] / 2.0}
    assert min(chance.values()) > 0.0
    mean = sum(chance[score] * rated[score].state["rating"] for score in OUTCOMES)
    assert mean == pytest.approx([1500.0 + gap, 1500.0], rel=0.0, abs=1e-8)


@pytest.mark.parametrize(
    ("method", "equal"),
    [(DAVIDSON, 0.8 / 2.8), (RAO_KUPPER, 0.6 / 2.6), (SQUARE, 0.5), (ChessBayes(draw_band=190.8), 0.5)],
    ids=lambda value: getattr(value, "model", ""),
)
def test_the_chance_of_a_draw_between_equals(method: ChessBayes, equal: float) -> None:
    """As the table of parameters in the README says."""
    rated = one(method, 1500.0, 1500.0, 0.0, 0.0, 0.5)
    assert rated.draw is not None
    assert rated.draw[0] == pytest.approx(equal, abs=1.2e-4)


@pytest.mark.parametrize("model", [0, 1, 2])
@pytest.mark.parametrize("u", [-3.0, -0.2, 0.0, 0.7, 9.0])
def test_logarithm_and_steepness_are_those_of_the_chances(model: int, u: float) -> None:
    for score, chance in zip(OUTCOMES, split(model, 1.7, u), strict=True):
        assert logarithm(model, 1.7, u, score) == pytest.approx(np.log(chance), abs=1e-12)
        rise = (logarithm(model, 1.7, u + 1e-6, score) - logarithm(model, 1.7, u - 1e-6, score)) / 2e-6
        assert steepness(model, 1.7, u, score) == pytest.approx(rise, abs=1e-7)


def on_days(*days: float) -> Games:
    at = (np.array(days) * DAY).astype(np.int64)
    nothing = np.zeros(len(days), dtype=np.int32)
    return Games(nothing, nothing + 1, np.full(len(days), 0.5), at, np.arange(len(days)), Span(0, int(at[-1]) + 1))


def test_deviations_grow_by_the_days_since_the_last_game_up_to_a_newcomers() -> None:
    """The drift of bridge-bayes: squared points a day, applied when the player next plays."""
    method = ChessBayes(drift_var=4.0, deviation=100.0)
    start = state(method, [1500.0, 1500.0]).replace(deviation=np.array([60.0, 60.0]))
    first = method.rate(start, on_days(10.0)).state
    assert first["last"].tolist() == [10.0, 10.0]
    grown = np.sqrt(first["deviation"][0] ** 2 + 4.0 * 25.0)
    still = ChessBayes(deviation=100.0)
    wanted = still.rate(state(still, first["rating"]).replace(deviation=np.array([grown, grown])), on_days(35.0))
    again = method.rate(first, on_days(35.0))
    assert again.state["deviation"] == pytest.approx(wanted.state["deviation"], rel=1e-14)
    assert method.show(first, 35.0 * DAY)["deviation"].tolist() == pytest.approx([grown, grown])
    assert method.show(first, 1e7 * DAY)["deviation"].tolist() == [100.0, 100.0]
    assert method.expected(first, on_days(35.0).withheld()).draw == pytest.approx(again.draw, rel=1e-12)


def test_a_deviation_above_a_newcomers_does_not_shrink_while_nobody_plays() -> None:
    method = ChessBayes(drift_var=4.0, deviation=100.0)
    start = state(method, [1500.0]).replace(deviation=np.array([150.0]), last=np.array([0.0]))
    assert method.show(start, 50.0 * DAY)["deviation"].tolist() == [150.0]
    both = state(method, [1500.0] * 2).replace(deviation=np.full(2, 150.0), last=np.zeros(2))
    still = ChessBayes(deviation=100.0).rate(both, on_days(50.0)).state["deviation"]
    assert method.rate(both, on_days(50.0)).state["deviation"] == pytest.approx(still)


@pytest.mark.parametrize("name", ["chess-bayes", "bridge-bayes"])
def test_lists_published_by_the_first_formula_are_made_again_by_it(name: str) -> None:
    values = {"rating": 1500.0, "deviation": 60.0}
    with Engine(SqliteLog(":memory:")) as kept:
        kept.record(seed(0, "ann", values=values))
        deviation = [
            next(iter(kept.rating_list(POOL, f"{name}{formula}:drift_var=4", through="1970-02-20")))["deviation"]
            for formula in ("@1", "")
        ]
    assert deviation == pytest.approx([60.0, (60.0**2 + 4.0 * 50.0) ** 0.5], abs=1e-4)


@each_model
@pytest.mark.parametrize("score", [0.3, 0.75])
def test_a_score_that_is_no_outcome_is_refused_with_its_position(method: ChessBayes, score: float) -> None:
    with pytest.raises(BadResult, match=f"position 2: its score is neither a win, a draw nor a loss: {score}"):
        method.rate(state(method, [1500.0, 1500.0]), games([0, 0], [1, 1], [1.0, score]))


@pytest.mark.parametrize(
    ("method", "parameter"),
    [
        (ChessBayes(draw_band=0.0), "draw_band=0"),
        (ChessBayes(model="davidson", nu=0.0), "nu=0"),
        (ChessBayes(model="rao_kupper", theta=1.0), "theta=1"),
    ],
    ids=lambda value: str(getattr(value, "model", value)),
)
@pytest.mark.parametrize("gap", [0.0, 50_000.0])
def test_a_draw_without_a_chance_is_refused_and_wins_are_not(method: ChessBayes, parameter: str, gap: float) -> None:
    start = state(method, [1500.0 + gap, 1500.0])
    with pytest.raises(BadResult, match=f"position 1: it is a draw, which the model excludes with {parameter}"):
        method.rate(start, games([0], [1], [0.5]))
    assert np.isfinite(method.rate(start, games([0], [1], [0.0])).state["rating"]).all()


@method_checks(
    BAND, ChessBayes(draw_band=0.0, drift_var=30.0), SQUARE, DAVIDSON, ChessBayes(model="rao_kupper", deviation=80.0)
)
def test_chess_bayes_keeps_the_laws(law: Law, method: ChessBayes) -> None:
    law(method)
