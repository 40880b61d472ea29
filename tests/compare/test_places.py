"""Chances of places agree with what drawing performances gives, with Luce's formula, and with sums over all orders."""

from itertools import permutations

import numpy as np
import pytest

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
    assert places(field, np.arange(4)[None])[0][0] == pytest.approx(by_hand, abs=1e-12)
    wide = Strengths(np.repeat(field.mean, 2), np.full(8, 2.0), "logistic")  # more sides than are summed over orders
    first = places(wide, np.arange(8)[None])[0][0, :, 0]
    assert first == pytest.approx(np.repeat(worth, 2) / 20.0, abs=1e-7)


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
