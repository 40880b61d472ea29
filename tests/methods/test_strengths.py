"""Chances of sides follow from their strengths by the formulas of the two curves, here by hand and by drawing."""

from math import erf, exp, sqrt

import numpy as np
import pytest
from ratingcore_bridge_bayes import BridgeBayes
from ratingcore_contests import Codeforces, EloMmr
from ratingcore_trueskill import TrueSkill
from ratingcore_weng_lin import WengLin

from ratingcore.errors import BadValue
from ratingcore.methods.strengths import Strengths
from ratingcore.plugin import Floats, Method, State
from tests.golden.fields import session

ONE, TWO, THREE = np.array([0]), np.array([1]), np.array([2])


def asked(
    method: Method, sizes: list[int], rating: Floats, deviation: Floats | None = None, **facts: float
) -> Strengths:
    state = State.start(method.columns(), players=len(rating)).replace(rating=rating)
    if deviation is not None:
        state = state.replace(deviation=deviation)
    given = method.expected(state, session(sizes, [0.0] * len(sizes), **facts).withheld()).strengths
    assert given is not None
    return given


def phi(x: float) -> float:
    return 0.5 + 0.5 * erf(x / sqrt(2.0))


def test_the_normal_curve_is_that_of_the_difference_of_two_normal_numbers() -> None:
    field = Strengths(np.array([2.0, 1.0]), np.array([4.0, 5.0]), "normal")
    assert field.ahead(ONE, TWO)[0] == pytest.approx(phi(1.0 / 3.0), abs=1e-14)
    assert field.tie(ONE, TWO)[0] == 0.0


def test_the_logistic_curve_with_equal_spreads_is_that_of_the_difference_of_two_gumbel_numbers() -> None:
    field = Strengths(np.array([2.0, 1.0]), np.array([0.5, 0.5]), "logistic")
    assert field.ahead(ONE, TWO)[0] == pytest.approx(1.0 / (1.0 + exp(-1.0)), abs=1e-14)
    drawn = np.random.default_rng(7).gumbel(field.mean, np.sqrt(2.0 * field.spread), (400_000, 2))
    assert field.ahead(ONE, TWO)[0] == pytest.approx((drawn[:, 0] > drawn[:, 1]).mean(), abs=0.003)


def test_margins_make_ties_and_a_tie_counts_one_half() -> None:
    field = Strengths(np.array([0.0, 1.0]), np.array([0.5, 0.5]), "normal", np.array([0.3, 0.4]))
    win, unlost = phi(-1.5), phi(-0.5)
    assert field.tie(ONE, TWO)[0] == pytest.approx(unlost - win, abs=1e-14)
    assert field.ahead(ONE, TWO)[0] == pytest.approx(0.5 * (win + unlost), abs=1e-14)
    assert field.take(np.array([1, 0])).ahead(TWO, ONE)[0] == field.ahead(ONE, TWO)[0]


def test_sides_of_no_width_are_ahead_for_certain_and_equal_ones_have_one_half() -> None:
    field = Strengths(np.array([1.0, 0.0, 0.0, np.nan]), np.zeros(4), "normal")
    assert field.ahead(np.array([0, 1, 1, 0]), np.array([1, 0, 2, 3])).tolist()[:3] == [1.0, 0.0, 0.5]
    assert np.isnan(field.ahead(ONE, np.array([3]))[0])


@pytest.mark.parametrize(
    ("mean", "spread", "curve", "why"),
    [
        ([0.0, 1.0], [1.0, 1.0], "table", "curve must be one of logistic, normal: 'table'"),
        ([0.0, 1.0], [1.0], "normal", "one number per side"),
        ([0.0, np.inf], [1.0, 1.0], "normal", "mean of side 2"),
        ([0.0, 1.0], [-1.0, 1.0], "normal", "spread of side 1"),
    ],
)
def test_strengths_that_are_none_are_refused(mean: list[float], spread: list[float], curve: str, why: str) -> None:
    with pytest.raises(BadValue, match=why):
        Strengths(np.array(mean), np.array(spread), curve)  # type: ignore[arg-type]  # what is refused


# the bundled methods: the formulas of METHODS' sources by hand


RATING, DEVIATION = np.array([30.0, 22.0, 27.0, 25.0]), np.array([3.0, 8.0, 5.0, 2.0])


def test_plackett_luce_has_one_width_for_all_sides_of_a_result() -> None:
    beta2 = (25.0 / 6.0) ** 2
    c = sqrt(9.0 + 64.0 + 25.0 + 4.0 + 3 * beta2)  # three sides: the first has two players
    field = asked(WengLin(), [2, 1, 1], RATING, DEVIATION)
    assert field.ahead(ONE, TWO)[0] == pytest.approx(1.0 / (1.0 + exp(-(52.0 - 27.0) / c)), abs=1e-12)
    assert field.ahead(TWO, THREE)[0] == pytest.approx(1.0 / (1.0 + exp(-2.0 / c)), abs=1e-12)


def test_bradley_terry_and_thurstone_mosteller_have_a_width_of_each_pair() -> None:
    beta2 = (25.0 / 6.0) ** 2
    c = sqrt(25.0 + 4.0 + 2 * beta2)
    one, other = (asked(WengLin(model=model), [2, 1, 1], RATING, DEVIATION) for model in ("bt_full", "tm_full"))
    assert one.ahead(TWO, THREE)[0] == pytest.approx(1.0 / (1.0 + exp(-2.0 / c)), abs=1e-12)
    win, unlost = phi((2.0 - 0.1) / c), phi((2.0 + 0.1) / c)
    assert other.ahead(TWO, THREE)[0] == pytest.approx(0.5 * (win + unlost), abs=1e-12)
    assert other.tie(TWO, THREE)[0] == pytest.approx(unlost - win, abs=1e-12)


def test_trueskill_adds_a_performance_a_player_and_a_draw_margin_that_grows_with_them() -> None:
    beta2, tau2 = (25.0 / 6.0) ** 2, (25.0 / 300.0) ** 2
    c = sqrt(9.0 + 64.0 + 25.0 + 3 * (beta2 + tau2))
    eps = 0.12566134685507416 * sqrt(3.0) * sqrt(beta2)  # the quantile of 0.55
    field = asked(TrueSkill(), [2, 1, 1], RATING, DEVIATION)
    win, unlost = phi((25.0 - eps) / c), phi((25.0 + eps) / c)
    assert field.ahead(ONE, TWO)[0] == pytest.approx(0.5 * (win + unlost), abs=1e-9)
    assert field.tie(ONE, TWO)[0] == pytest.approx(unlost - win, abs=1e-9)


def test_codeforces_has_elos_curve_at_whole_ratings() -> None:
    field = asked(Codeforces(), [1, 1, 1], np.array([1500.4, 1700.0, 1400.0]))
    assert field.ahead(TWO, ONE)[0] == pytest.approx(1.0 / (1.0 + 10.0 ** (-200.0 / 400.0)), abs=1e-12)


def test_elo_mmr_has_the_logistic_curve_of_two_performances() -> None:
    field = asked(EloMmr(), [1, 1, 1], np.array([1500.0, 1700.0, 1400.0]), np.array([100.0, 200.0, 300.0]))
    drift, spread = 0.2 * 80.0**2, 6.0 * 80.0**2
    s = sqrt(100.0**2 + 200.0**2 + 2 * (drift + spread))
    assert field.ahead(TWO, ONE)[0] == pytest.approx(1.0 / (1.0 + exp(-np.pi / sqrt(3.0) * 200.0 / s)), abs=1e-12)


def test_bridge_pairs_score_what_the_model_says_they_score() -> None:
    bridge, rating = BridgeBayes(), np.array([1500.0, 1400.0, 1600.0, 1550.0, 1500.0, 1500.0])
    deviation = np.array([100.0, 300.0, 200.0, 200.0, 50.0, 60.0])
    k = 4.0 / 1500.0
    table = asked(bridge, [2, 2], rating[:4], deviation[:4], unit=0.0, first_line=0.0)
    variance = 36.0 + k * k * float((deviation[:4] ** 2).sum())
    assert table.ahead(ONE, TWO)[0] == pytest.approx(phi(k * -250.0 / sqrt(variance)), abs=1e-12)
    field = asked(bridge, [2, 2, 2], rating, deviation, unit=0.0, first_line=0.0)
    drawn = np.random.default_rng(3)
    strength = drawn.normal(rating, deviation, (400_000, 6)).reshape(-1, 3, 2).sum(axis=2)
    score = 50.0 + k * (strength - (strength.sum(axis=1, keepdims=True) - strength) / 2)
    score += drawn.normal(0.0, 6.0, score.shape)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        came = (score[:, i] > score[:, j]).mean()
        assert field.ahead(np.array([i]), np.array([j]))[0] == pytest.approx(came, abs=0.003)


def test_full_tracking_of_two_pairs_uses_what_is_known_of_them_together() -> None:
    bridge = BridgeBayes(tracking="full", players=4)
    state = State.start(bridge.columns(), players=4)
    first = session([2, 2], [70.0, 30.0], unit=0.0, first_line=0.0)
    state = bridge.rate(state, first).state
    joint = bridge.covariances(state, 0)
    h = np.array([1.0, 1.0, -1.0, -1.0]) * 4.0 / 1500.0
    mean = float(h @ bridge.show(state, 0)["rating"])
    given = bridge.expected(state, first.withheld()).strengths
    assert given is not None
    assert given.ahead(ONE, TWO)[0] == pytest.approx(phi(mean / sqrt(36.0 + h @ joint @ h)), abs=1e-12)
