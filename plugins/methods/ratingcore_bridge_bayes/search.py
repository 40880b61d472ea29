"""The search for the parameters that predict results best, with their standard errors."""

from collections.abc import Callable, Sequence
from math import exp, log, nan, sqrt
from typing import TypeVar

import numpy as np
from attrs import evolve

from ratingcore.plugin import BadParameter, Estimate, Floats, Method

M = TypeVar("M", bound=Method)

NAMES = ("sigma1", "deviation", "k", "drift_var")
"""Parameters that can be estimated from results."""

USUAL = ("sigma1", "deviation")
"""Parameters that are estimated unless others are named."""

FLOOR = 1e-6
"""Start of the search for a drift if the method has none, as a share of the prior variance per day."""

TOLERANCE = 1e-4
"""Default tolerance, in the logarithms of the parameters and of the likelihood."""

RUNS = 200
"""Largest number of replays per parameter, after which the search stops."""

FLAT = 0.01
"""Least curvature in the logarithm of a parameter: below it, the standard error would be a factor of e^10."""


def best(
    method: M, likelihood: Callable[[M], float], what: Sequence[str], tolerance: float
) -> tuple[M, list[Estimate], str]:
    """Returns the method with the likeliest parameters, an estimate of each, and a note if the search stopped early.

    The search is Nelder and Mead's, over the logarithms of the parameters, starting at those of the method. Standard
    errors follow from the curvature of the log likelihood at its maximum (the observed information). Intervals are
    computed on the scale of logarithms, so that they stay above zero.

    Parameters
    ----------
    likelihood : callable
        Logarithm of the density of the results under a method.
    what : sequence of str
        Some of `NAMES`.
    tolerance : float > 0
        In the logarithms of the parameters, and in that of the likelihood.

    Raises
    ------
    BadParameter
        If a parameter cannot be estimated, or not together with another.
    """
    from scipy.optimize import minimize  # type: ignore[import-untyped]  # scipy has no types  # a quarter of a second

    _check_possible(method, what)
    guess = [float(getattr(method, name)) for name in what]
    if "drift_var" in what:
        number = list(what).index("drift_var")
        guess[number] = guess[number] or FLOOR * method.deviation**2  # type: ignore[attr-defined]  # a parameter
    begin = np.array([log(value) for value in guess])

    def tried(logarithms: Floats) -> M:
        values = (float(f"{exp(x):.6g}") for x in logarithms.tolist())
        return evolve(method, **dict(zip(what, values, strict=True)))  # type: ignore[misc]  # methods are attrs classes

    def loss(logarithms: Floats) -> float:
        if not (np.abs(logarithms) < 40.0).all():
            return np.inf
        values = {name: exp(x) for name, x in zip(what, logarithms.tolist(), strict=True)}
        return -likelihood(evolve(method, **values))  # type: ignore[misc]  # methods are attrs classes

    corners = np.vstack([begin, begin + 0.5 * np.eye(len(begin))])
    most = RUNS * len(begin)
    options = {"xatol": tolerance, "fatol": tolerance, "initial_simplex": corners, "maxfev": most}
    found = minimize(loss, begin, method="Nelder-Mead", options=options)
    at = np.asarray(found.x)
    fitted, error = tried(at), _errors(method, _curvature(loss, at), what)
    estimates = [_estimate(name, getattr(fitted, name), float(error[number])) for number, name in enumerate(what)]
    return fitted, estimates, "" if found.success else f"after {found.nfev} replays, before the search converged"


def _check_possible(method: Method, what: Sequence[str]) -> None:
    for name in what:
        if name not in NAMES:
            raise BadParameter(method.name, name, f"cannot be fitted: {', '.join(NAMES)} can")
        if list(what).count(name) > 1:
            raise BadParameter(method.name, name, "is to be fitted twice")
    if "drift_var" in what and method.tracking == "fixed":  # type: ignore[attr-defined]  # a parameter
        raise BadParameter(method.name, "drift_var", "cannot be fitted where tracking=fixed")


def _curvature(loss: Callable[[Floats], float], at: Floats) -> Floats:
    """Second derivatives of the loss, by differences over steps of a fifth of a standard error."""
    n, here = len(at), loss(at)
    axes = np.eye(n)
    step = np.empty(n)
    for i in range(n):
        first = (loss(at + 0.02 * axes[i]) + loss(at - 0.02 * axes[i]) - 2.0 * here) / 0.02**2
        step[i] = min(max(0.2 / sqrt(max(first, 1e-9)), 0.002), 0.2)
    curvature = np.empty((n, n))
    for i in range(n):
        one = step[i] * axes[i]
        curvature[i, i] = (loss(at + one) + loss(at - one) - 2.0 * here) / step[i] ** 2
        for j in range(i):
            other = step[j] * axes[j]
            crossed = loss(at + one + other) - loss(at + one - other) - loss(at - one + other) + loss(at - one - other)
            curvature[i, j] = curvature[j, i] = crossed / (4.0 * step[i] * step[j])
    return curvature


def _errors(method: Method, curvature: Floats, what: Sequence[str]) -> Floats:
    """Standard errors of the logarithms; NaN for parameters that the results do not determine."""
    error = np.full(len(what), nan)
    steep = np.flatnonzero(np.diag(curvature) > FLAT)
    some = curvature[np.ix_(steep, steep)]
    if len(steep) and np.linalg.eigvalsh(some).min() > FLAT:
        error[steep] = np.sqrt(np.diag(np.linalg.inv(some)))
    elif {"k", "deviation"} <= {what[i] for i in steep.tolist()}:
        why = "cannot be separated from deviation by results alone: fit one of the two, or give ratings by seeds"
        raise BadParameter(method.name, "k", why)
    return error


def _estimate(name: str, value: float, error: float) -> Estimate:
    wide = 1.959963984540054 * error
    known = error == error and wide < 40.0
    low, high = (value * exp(-wide), value * exp(wide)) if known else (nan, nan)
    return Estimate(name, value, value * error, low, high)
