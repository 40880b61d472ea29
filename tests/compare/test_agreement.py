"""How far two lists agree, on lists made of seeds; and measures of two columns, against scipy where it has them."""

from collections.abc import Callable
from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose
from ratingcore_elo import Elo
from scipy import stats  # type: ignore[import-untyped]  # scipy has no types

from ratingcore.compare.agreement import (
    Agreement,
    agreement,
    association,
    cosine,
    deviations,
    filliben,
    kendall,
    pearson,
    spearman,
    standardised,
)
from ratingcore.engine import Engine
from ratingcore.methods import Method
from tests.columns.making import POOL, engine, game, seed
from tests.replay.toys import Unrated


def seeded(**ratings: float) -> Engine:
    return engine(*(seed(0, player, rating) for player, rating in ratings.items()))


ELO = Elo()


def compared(eng: Engine, old: Method = ELO, new: Method = ELO, known_at: int | None = None) -> Agreement:
    return agreement(eng.rating_list(POOL, old, known_at=known_at), eng.rating_list(POOL, new))


def test_a_list_agrees_with_itself_in_everything() -> None:
    found = compared(seeded(ann=1500.0, bo=1400.0, cy=1350.0))
    assert found.measures.pearson == pytest.approx(1.0)
    assert found.measures.kendall == pytest.approx(1.0)
    assert found.points is not None
    assert (found.points.largest, found.points.shift) == (0.0, 0.0)


def test_how_far_two_lists_lie_apart_and_who_moved_most() -> None:
    eng = seeded(ann=1500.0, bo=1400.0, cy=1300.0, dee=1200.0)
    eng.record(seed(1, "dee", 1600.0), seed(1, "cy", 1310.0), seed(1, "ann", 1499.0), seed(1, "bo", 1390.0))
    found = compared(eng, known_at=4)
    assert found.places.tolist() == [-1, -1, -1, 3]
    assert found.points is not None
    assert (found.facts()["whose"], found.points.largest, found.points.shift) == ("dee", 400.0, 99.75)
    assert (found.points.mean, found.points.median) == (105.25, 10.0)


def test_a_common_shift_moves_points_and_nobody_otherwise() -> None:
    eng = seeded(ann=1500.0, bo=1400.0, cy=1300.0)
    eng.record(*(seed(1, player, rating + 50.0) for player, rating in (("ann", 1500), ("bo", 1400), ("cy", 1300))))
    found = compared(eng, known_at=3)
    assert found.points is not None
    assert found.standardised is not None
    assert (found.points.mean, found.points.shift) == (50.0, 50.0)
    assert found.standardised.largest == pytest.approx(0.0, abs=1e-12)
    assert found.places.tolist() == [0, 0, 0]


def test_who_is_on_one_list_only_and_who_is_unrated_is_told_and_not_measured() -> None:
    eng = engine(seed(0, "ann"), game(1, "ann", "bo", uid="g"), seed(2, "cy"), game(3, "dee", "cy"))
    old = eng.rating_list(POOL, Unrated())
    eng.void("g")
    eng.record(game(4, "eve", "ann"))
    found = agreement(old, eng.rating_list(POOL, Unrated()))
    assert found.player == ("ann", "cy")
    assert (found.only_old, found.only_new, found.unrated) == (("bo",), ("eve",), ("dee",))


def test_nobody_in_common_leaves_everything_undefined() -> None:
    found = agreement(seeded(ann=1500.0).rating_list(POOL, Elo()), seeded(żółć=1500.0).rating_list(POOL, Elo()))
    assert len(found) == 0
    assert (found.points, found.standardised, found.measures.kendall, found.normal) == (None, None, None, None)
    assert found.facts()["largest"] is None


def test_an_empty_list_is_compared_too() -> None:
    eng = seeded(ann=1500.0)
    found = agreement(eng.rating_list(POOL, Elo(), known_at=0), eng.rating_list(POOL, Elo()))
    assert (len(found), found.only_new) == (0, ("ann",))


def test_one_player_has_differences_and_no_correlation() -> None:
    eng = seeded(ann=1500.0)
    eng.record(seed(1, "ann", 1510.0))
    found = compared(eng, known_at=1)
    assert (found.measures.pearson, found.standardised) == (None, None)
    assert (found.facts()["whose"], found.facts()["standardised_whose"]) == ("ann", None)


def test_facts_are_those_of_the_value() -> None:
    eng = seeded(ann=1500.0, bo=1400.0)
    found = compared(eng, Elo(), Elo(k=40.0))
    facts = found.facts()
    assert (facts["players"], facts["pearson"], facts["whose"]) == (2, 1.0, "ann")


Measure = Callable[[np.ndarray, np.ndarray], float | None]
FEW = [np.empty(0), np.array([1500.0])]


def sample(n: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Two columns that go together, with many ties."""
    random = np.random.default_rng(seed)
    x = random.normal(1500.0, 200.0, n).round(-1)
    return x, (x + random.normal(0.0, 100.0, n)).round(-1)


@pytest.mark.parametrize("n", [2, 3, 30, 1000])
def test_scipy_measures_the_same(n: int) -> None:
    x, y = sample(n)
    found = association(x, y)
    assert found.n == n
    assert_allclose(found.pearson, stats.pearsonr(x, y).statistic, rtol=1e-12)
    assert_allclose(found.kendall, stats.kendalltau(x, y).statistic, rtol=1e-12)
    assert_allclose(found.spearman, stats.spearmanr(x, y).statistic, rtol=1e-12)


@pytest.mark.parametrize("n", [3, 10, 999])
def test_scipys_probability_plot_says_the_same(n: int) -> None:
    x, _ = sample(n)
    assert_allclose(filliben(x), stats.probplot(x)[1][2], rtol=1e-12)


def test_kendall_counts_pairs_in_order_and_out_of_it() -> None:
    x, y = sample(60)
    pairs = [np.sign((x[i] - x[j]) * (y[i] - y[j])) for i, j in combinations(range(60), 2)]
    untied = [sum(z[i] != z[j] for i, j in combinations(range(60), 2)) for z in (x, y)]
    assert_allclose(kendall(x, y), sum(pairs) / sqrt(untied[0] * untied[1]), rtol=1e-12)


@pytest.mark.parametrize("measure", [pearson, kendall, spearman])
@pytest.mark.parametrize("few", FEW)
def test_a_constant_column_and_too_few_numbers_have_no_measure(measure: Measure, few: np.ndarray) -> None:
    some, constant = np.array([1.0, 2.0, 3.0]), np.full(3, 0.1)
    assert measure(few, few) is None
    assert measure(some, constant) is None
    assert measure(constant, some) is None


@pytest.mark.parametrize("few", FEW)
def test_normality_needs_two_different_numbers(few: np.ndarray) -> None:
    assert filliben(few) is None
    assert filliben(np.full(5, 0.1)) is None
    assert filliben(np.array([0.0, 1.0])) == pytest.approx(1.0)
    assert standardised(few) is None


def test_cosine_is_undefined_for_nothing_and_defined_for_a_constant() -> None:
    assert cosine(np.zeros(2), np.ones(2)) is None
    assert cosine(np.ones(1), np.ones(1)) is None
    assert cosine(np.full(3, 7.0), np.full(3, 0.1)) == pytest.approx(1.0)


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e200, 1e308])
def test_no_scale_is_too_small_or_too_large(scale: float) -> None:
    x, y = np.array([0.1, 0.5, 1.0]) * scale, np.array([0.5, 0.1, 1.0]) * scale
    expected = pearson(np.array([0.1, 0.5, 1.0]), np.array([0.5, 0.1, 1.0]))
    tolerance = 1e-2 if scale < 1e-300 else 1e-12  # so small a number has few digits
    assert_allclose(pearson(x, y), expected, rtol=tolerance)
    assert cosine(x, y) is not None


def test_measures_never_leave_their_bounds() -> None:
    for number in range(50):
        x, _ = sample(7, number)
        assert -1.0 <= (pearson(x, -x) or 0.0) <= (pearson(x, x / 3.0) or 0.0) <= 1.0
        assert (cosine(x, x / 3.0) or 0.0) <= 1.0


def test_adding_a_constant_and_another_scale_change_no_correlation() -> None:
    x, y = sample(50)
    shifted = association(x, 3.0 * y + 1000.0)
    found = association(x, y)
    assert_allclose(shifted.pearson, found.pearson, rtol=1e-12)
    assert (shifted.kendall, shifted.spearman) == (found.kendall, found.spearman)


def test_deviations_say_whose_is_the_largest_and_which_way_all_went() -> None:
    found = deviations(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 0.0, 3.0, 6.0]))
    assert found is not None
    assert (found.mean, found.median, found.largest, found.smallest) == (1.25, 1.5, 2.0, 0.0)
    assert (found.shift, found.where) == (0.25, 1)
    assert deviations(np.empty(0), np.empty(0)) is None


def test_standardised_numbers_have_mean_0_and_deviation_1() -> None:
    found = standardised(np.array([1.0, 2.0, 6.0]))
    assert found is not None
    assert_allclose([found.mean(), found.std()], [0.0, 1.0], atol=1e-15)
