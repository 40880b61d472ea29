"""The tails of the normal distribution that the Bayesian methods use, against scipy's."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import erfcx, log_ndtr, ndtr  # type: ignore[import-untyped]  # scipy has no types

from ratingcore.methods.kernels import Kernel, has_numba
from ratingcore.plugin import Floats, kernel
from ratingcore.plugin.tails import decay, mills, mills_excess, normal_near, pull_near

NEAR = np.linspace(-7.99, 7.99, 4001)
FAR = np.concatenate([np.linspace(0.0, 60.0, 6001), [1e3, 1e8, 1e300]])


def mapped(function: Callable[[float], float], x: Floats) -> Floats:
    return np.array([function(number) for number in x.tolist()])


def test_decay_is_the_exponential_and_ends_in_zero() -> None:
    x = np.linspace(0.0, 700.0, 20_001)
    assert np.abs(mapped(decay, x) / np.exp(-x) - 1.0).max() < 1e-13
    assert np.abs(mapped(decay, x[:600]) / np.exp(-x[:600]) - 1.0).max() < 1e-14
    assert (decay(746.0), decay(1e300), decay(np.inf)) == (0.0, 0.0, 0.0)
    assert np.isnan(decay(np.nan))


def test_mills_ratio_keeps_its_digits_at_any_distance() -> None:
    exact = np.sqrt(np.pi / 2.0) * erfcx(FAR / np.sqrt(2.0))
    assert np.abs(mapped(mills, FAR) / exact - 1.0).max() < 1e-14
    assert np.isnan(mills(np.nan))


def test_the_excess_is_what_the_inverse_is_above_x() -> None:
    x = np.linspace(8.0, 30.0, 200)
    assert np.abs(mapped(mills_excess, x) / (1.0 / mapped(mills, x) - x) - 1.0).max() < 1e-10
    assert mills_excess(1e8) == pytest.approx(1e-8)


def test_near_the_middle_neither_needs_an_exponential() -> None:
    pull = np.exp(-0.5 * NEAR**2 - log_ndtr(NEAR)) / np.sqrt(2.0 * np.pi)
    assert np.abs(mapped(normal_near, NEAR) - ndtr(NEAR)).max() < 2e-12
    assert np.abs(mapped(pull_near, NEAR) - pull).max() < 2e-12


@kernel
def _all(x: Floats, near: Floats, out: Floats) -> None:
    for i in range(len(x)):
        out[i] = decay(x[i]) + mills(x[i])
    for i in range(len(near)):
        out[len(x) + i] = normal_near(near[i]) + pull_near(near[i])


@pytest.mark.skipif(not has_numba(), reason="needs the extra fast")
def test_they_give_the_same_bits_compiled_and_plain() -> None:
    loop: Kernel[..., Any] = Kernel(_all.__wrapped__)  # type: ignore[attr-defined]  # by update_wrapper
    compiled, plain = np.zeros(len(FAR) + len(NEAR)), [0.0] * (len(FAR) + len(NEAR))
    loop.compiled(FAR, NEAR, compiled)
    loop.plain(FAR.tolist(), NEAR.tolist(), plain)
    assert compiled.tolist() == plain
