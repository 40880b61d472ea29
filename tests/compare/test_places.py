"""Chances of places in sessions."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from scipy.integrate import quad_vec
from scipy.stats import gumbel_r, norm

from ratingcore.compare.places import BANDS, MANY, places
from ratingcore.methods.strengths import Curve, Strengths
from ratingcore.plugin import Floats


def drawn(field: Strengths, n: int) -> Floats:
    """Ranks of performances drawn at random, as `Strengths` describes them."""
    random = np.random.default_rng(11)
    if field.curve == "normal":
        came = random.normal(field.mean, np.sqrt(field.spread), (n, len(field)))
    else:
        came = random.gumbel(field.mean, np.sqrt(2.0 * field.spread), (n, len(field)))
    return np.asarray((-came).argsort(axis=1).argsort(axis=1) + 1, dtype=np.float64)


@pytest.mark.parametrize("curve", ["normal", "logistic"])
@pytest.mark.parametrize("even", [True, False])
@pytest.mark.parametrize(("k", "near"), [(3, 0.005), (5, 0.005), (9, 0.008), (MANY + 16, 0.02)])
def test_places_are_those_of_independent_performances(curve: Curve, even: bool, k: int, near: float) -> None:
    random = np.random.default_rng(k)
    spread = np.full(k, 0.7) if even else random.uniform(0.2, 2.0, k)
    field = Strengths(random.normal(0.0, 1.5, k), spread, curve)
    found, place = places(field, np.arange(k)[None])
    rank = drawn(field, 60_000)
    came = np.stack([(rank <= m).mean(axis=0) for m in place.tolist()], axis=1)
    assert np.abs(found[0] - came).max() < near
    assert found[0, :, 0].sum() == pytest.approx(1.0, abs=1e-6)
    assert len(place) == (k - 1 if k <= MANY else BANDS)
    if k <= MANY:  # so many are among the first m
        assert found[0].sum(axis=0) == pytest.approx(place, abs=1e-6)


def test_equal_spreads_of_the_logistic_curve_are_the_model_of_plackett_and_luce() -> None:
    worth = np.array([1.0, 2.0, 3.0, 4.0])
    field = Strengths(2.0 * np.log(worth), np.full(4, 2.0), "logistic")
    by_hand = np.zeros((4, 3))
    for order in permutations(range(4)):
        chance, left = 1.0, worth.sum()
        for i in order:
            chance, left = chance * worth[i] / left, left - worth[i]
        for place in range(1, 4):
            by_hand[list(order[:place]), place - 1] += chance
    assert places(field, np.arange(4)[None])[0][0] == pytest.approx(by_hand, abs=1e-10)


@pytest.mark.parametrize("k", [3, 5, 8, 16, 31, 48, 64])
def test_places_of_few_and_many_sides_are_exact_where_fractions_say_them(k: int) -> None:
    """They were off by 1e-7 with 3 sides, by 0.004 with 64."""
    some, worth = k // 3, (1, 3)  # so many sides of worth 3, the others of worth 1
    drawn: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(1)}
    among = [[Fraction(0)] * (k - 1) for _ in worth]
    for place in range(k - 1):
        after: dict[tuple[int, int], Fraction] = {}
        for here, chance in drawn.items():
            left = k - some - here[0], some - here[1]
            total = left[0] * worth[0] + left[1] * worth[1]
            for kind in (kind for kind in (0, 1) if left[kind]):
                then = chance * left[kind] * worth[kind] / total
                there = here[0] + (kind == 0), here[1] + (kind == 1)
                after[there] = after.get(there, Fraction(0)) + then
        drawn = after
        for kind, of in enumerate((k - some, some)):
            among[kind][place] = sum((chance * at[kind] / of for at, chance in drawn.items()), Fraction(0))
    field = Strengths(np.log(np.repeat(worth, (k - some, some))), np.full(k, 0.5), "logistic")
    found = places(field, np.arange(k)[None])[0][0]
    exact = np.repeat(np.array(among, dtype=np.float64), (k - some, some), axis=0)
    assert np.abs(found - exact).max() < 1e-9


def test_the_first_of_three_normal_sides_is_an_angle() -> None:
    spread = np.array([0.3, 1.0, 4.0])
    found = places(Strengths(np.zeros(3), spread, "normal"), np.arange(3)[None])[0][0, :, 0]
    of = [(one, *(np.delete(spread, at) + one)) for at, one in enumerate(spread)]
    exact = [0.25 + np.arcsin(one / np.sqrt(two * three)) / (2.0 * np.pi) for one, two, three in of]
    assert found == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("curve", ["normal", "logistic"])
@pytest.mark.parametrize("k", [3, 12, 64])
def test_places_are_those_of_another_quadrature(curve: Curve, k: int) -> None:
    random = np.random.default_rng(k)
    field = Strengths(random.normal(0.0, 1.5, k), random.uniform(0.3, 1.5, k), curve)
    width = np.sqrt(field.spread * (1.0 if curve == "normal" else 2.0))
    kind = norm if curve == "normal" else gumbel_r
    side = int(field.mean.argmax())
    others = np.delete(np.arange(k), side)

    def counted(x: float) -> Floats:
        count = np.zeros(k)
        count[0] = kind.pdf(x, field.mean[side], width[side])
        for p in kind.cdf(x, field.mean[others], width[others]).tolist():
            count[1:] = count[1:] * p + count[:-1] * (1.0 - p)
            count[0] *= p
        return count

    low, high = (8.0, 8.0) if curve == "normal" else (5.0, 40.0)
    ends = field.mean[side] - low * width[side], field.mean[side] + high * width[side]
    exact, _ = quad_vec(counted, *ends, epsabs=1e-12, epsrel=0.0, limit=2000)
    found = places(field, np.arange(k)[None])[0][0, side]
    assert np.abs(found - np.cumsum(exact)[:-1]).max() < 1e-9


def test_of_two_sides_the_first_place_is_the_chance_to_be_ahead() -> None:
    field = Strengths(np.array([1.0, 0.0]), np.array([0.1, 0.9]), "logistic")
    found, place = places(field, np.array([[0, 1]]))
    ahead = float(field.ahead(np.array([0]), np.array([1]))[0])
    assert found[0, :, 0].tolist() == [ahead, 1.0 - ahead]
    assert place.tolist() == [1]


@pytest.mark.parametrize("k", [3, 4, MANY + 1])
@pytest.mark.parametrize("curve", ["normal", "logistic"])
def test_sides_far_apart_of_no_spread_and_unrated_ones_have_answers(k: int, curve: Curve) -> None:
    sure, _ = places(Strengths(np.arange(k, 0.0, -1.0) * 1e6, np.zeros(k), curve), np.arange(k)[None])
    assert sure[0, :3, 0] == pytest.approx([1.0, 0.0, 0.0], abs=1e-9 if k <= MANY else 1e-3)
    mean = np.zeros(k)
    mean[1] = np.nan
    assert np.isnan(places(Strengths(mean, np.ones(k), curve), np.arange(k)[None])[0][0, 1, 0])
