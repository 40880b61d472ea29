"""How a result scatters around its expectation: normal, or a mixture of normals with heavier tails."""

from collections.abc import Callable
from functools import lru_cache
from math import isfinite, pi, sqrt
from typing import Literal, NamedTuple, Self

import numpy as np
from attrs import frozen

from ratingcore.plugin import BadValue, Floats

Kind = Literal["normal", "student", "laplace", "mixture"]

KINDS = "normal, student(n) with n > 2, laplace, mixture(share,times) with shares above 0 that add up to less than 1"

STEP = 0.35
"""Longest step of the trapezoid rule over the logarithm of a variance: its error is below 1e-12."""

FLOOR = 460.0
"""Nodes with a weight below e^-460 times the largest are left out."""

WIDEST = 18.4
"""The largest variance of a node is e^18.4 times the typical one: enough for surprises of ten thousand deviations."""


class Nodes(NamedTuple):
    """A mixture of normals with mean 0 and total variance 1: weight and variance of each normal."""

    weight: Floats
    part: Floats


class Learnt(NamedTuple):
    """Update of an expectation by surprises, one number per surprise.

    The expectation moves by `gain` times the prior variance times the surprise. The prior variance shrinks by `curb`
    times its square. `likelihood` is the logarithm of the predictive density.
    """

    gain: Floats
    curb: Floats
    likelihood: Floats


@frozen
class Density:
    """Density of a result around its expectation when strengths are known; its deviation is always `sigma1`.

    Texts: `normal`; `student(n)`, Student's t with n > 2 degrees of freedom; `laplace`; `mixture(share,times)`, where
    that share of the results scatters `times` as widely as the rest; further pairs of numbers add further shares.

    Each is a mixture of normals with the same mean and a random variance: the inverse of a gamma variable for Student's
    t [1]_, an exponential variable for Laplace's density. So the posterior after a result is a mixture of closed forms,
    and the only integral is over that variance. It is computed by the trapezoid rule, on an axis on which the rule
    converges exponentially [2]_.

    References
    ----------
    .. [1] D. F. Andrews, C. L. Mallows, "Scale Mixtures of Normal Distributions", J. R. Statist. Soc. B 36 (1974),
       section 3.
    .. [2] L. N. Trefethen, J. A. C. Weideman, "The Exponentially Convergent Trapezoidal Rule", SIAM Review 56 (2014),
       section 5.

    Examples
    --------
    >>> str(Density.parse("student(5)")), str(Density.parse("mixture(0.1, 3)"))
    ('student(5)', 'mixture(0.1,3)')
    """

    kind: Kind = "normal"
    numbers: tuple[float, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads a density from text; `BadValue` for any other text."""
        kind, _, rest = text.strip().partition("(")
        kinds: dict[str, Callable[[tuple[float, ...]], bool]] = {
            "normal": lambda given: not given, "student": _is_student, "laplace": lambda given: not given,
            "mixture": _is_mixture,
        }  # fmt: skip
        try:
            numbers = tuple(float(word) for word in rest.removesuffix(")").split(",")) if rest else ()
        except ValueError:
            numbers = (float("nan"),)
        if kind not in kinds or (rest and not rest.endswith(")")) or not kinds[kind](numbers):
            raise BadValue("density", text, f"must be one of {KINDS}")
        return cls(kind, numbers)  # type: ignore[arg-type]  # one of the kinds

    def __str__(self) -> str:
        return self.kind + (f"({','.join(f'{number:.15g}' for number in self.numbers)})" if self.numbers else "")

    @property
    def nodes(self) -> Nodes:
        """The normals of the mixture."""
        return _nodes(self)

    def learn(self, surprise: Floats, prior: Floats, noise: Floats) -> Learnt:
        """Computes the update of an expectation by surprises, with a normal prior.

        Parameters
        ----------
        surprise : (n,) float64, units of the score
        prior : (n,) float64, units of the score squared
            Prior variance of the expectation: `h' Sigma h`.
        noise : (n,) float64, units of the score squared
            Variance of the result around the true expectation.

        Examples
        --------
        If tails are heavy, a surprise of three deviations moves the expectation less than three times as far as a
        surprise of one.

        >>> one, three = (Density.parse("student(5)").learn(*np.array([[s], [1.0], [9.0]])) for s in (3.0, 9.0))
        >>> round(float(three.gain[0] * 9.0 / (one.gain[0] * 3.0)), 2)
        1.19
        """
        weight, part = self.nodes
        whole = prior[:, None] + noise[:, None] * part
        logarithm = np.log(weight) - 0.5 * (np.log(2.0 * pi * whole) + surprise[:, None] ** 2 / whole)
        top = logarithm.max(axis=1, keepdims=True)
        share = np.exp(logarithm - top)
        total = share.sum(axis=1, keepdims=True)
        share /= total
        gain = (share / whole).sum(axis=1)
        spread = (share * (1.0 / whole - gain[:, None]) ** 2).sum(axis=1)
        return Learnt(gain, gain - surprise**2 * spread, top[:, 0] + np.log(total[:, 0]))


NORMAL = Density()


def _is_student(given: tuple[float, ...]) -> bool:
    return len(given) == 1 and isfinite(given[0]) and given[0] > 2.0


def _is_mixture(given: tuple[float, ...]) -> bool:
    shares, times = given[::2], given[1::2]
    fits = len(given) > 0 and len(shares) == len(times) and all(map(isfinite, given))
    return fits and min(given) > 0.0 and sum(shares) < 1.0


@lru_cache(maxsize=32)
def _nodes(density: Density) -> Nodes:
    if density.kind == "student":
        made = _student(density.numbers[0])
    elif density.kind == "laplace":
        made = _laplace()
    elif density.kind == "mixture":
        share, times = np.array(density.numbers[::2]), np.array(density.numbers[1::2])
        weight, part = np.append(1.0 - share.sum(), share), np.append(1.0, times**2)
        made = Nodes(weight, part / float((weight * part).sum()))
    else:
        made = Nodes(np.ones(1), np.ones(1))
    for column in made:
        column.setflags(write=False)
    return made


def _laplace() -> Nodes:
    """An exponential variance, integrated over s, where the root of the variance is ln(1 + e^s).

    The posterior of the root is equally wide for every surprise. The posterior of its logarithm narrows as surprises
    grow, so that equal steps of the logarithm would become too coarse.
    """
    at = np.arange(-16.0, 20.0, 0.25)
    root = np.log1p(np.exp(at))
    return _trapezoid(root**2, np.log(root) - root**2 - np.log1p(np.exp(-at)))


def _student(n: float) -> Nodes:
    """A variance (n - 2) / chi-squared, integrated over its logarithm."""
    typical = np.log((n - 2.0) / n)
    step = min(STEP, 0.75 * sqrt(2.0 / n))
    at = np.arange(typical - 8.0, typical + WIDEST, step)
    chi = (n - 2.0) * np.exp(-at)
    return _trapezoid(np.exp(at), 0.5 * (n * np.log(chi) - chi))


def _trapezoid(part: Floats, logarithm: Floats) -> Nodes:
    """Nodes at these variances, equally spaced on the axis; `logarithm` is the log density plus a constant."""
    enough = logarithm > logarithm.max() - FLOOR
    weight = np.exp(logarithm[enough] - logarithm.max())
    return Nodes(weight / weight.sum(), part[enough])
