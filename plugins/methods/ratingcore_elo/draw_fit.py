"""Fits how often equals draw: finds the parameter of Davidson's curve that predicts all results best."""

from collections.abc import Callable, Sequence
from math import exp, log, nan, sqrt
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from ratingcore.plugin import BadParameter, BadResult, Estimate, Fitted, Method, Rated, State, Wrapped
from ratingcore_elo.parameters import Parameters

LEAST, MOST = log(1e-6), log(1e6)
"""Bounds of the search, in the logarithm of nu."""
RUNS = 500
"""Largest number of replays, after which the search stops."""
FLAT = 0.01
"""Least curvature in the logarithm of nu: below it, the results do not determine nu."""
STEP = 0.02
"""Step in the logarithm of nu by which the curvature is computed."""


@frozen(eq=False)
class Watched(Wrapped):
    """Wraps a method, and adds up the log likelihood of every result before it is used.

    Parameters
    ----------
    method : Method
    likelihood : list of float
        Sum of the log likelihoods of each call.
    results : list of int
        Number of results that each call predicted.
    """

    method: Method
    likelihood: list[float] = field(factory=list)
    results: list[int] = field(factory=list)

    def rate(self, state: State, games: Any) -> Rated:
        rated = self.method.rate(state, games)
        assert isinstance(rated, Rated)
        assert rated.draw is not None
        for g in np.flatnonzero(~np.isin(games.score, (0.0, 0.5, 1.0)))[:1]:
            why = f"its score is neither a win, a draw nor a loss: {float(games.score[g])!r}"
            raise BadResult(self.name, f"position {games.position[g]}", why)
        half = 0.5 * rated.draw
        chance = np.where(games.score == 1.0, rated.expected - half, 1.0 - rated.expected - half)
        chance = np.where(games.score == 0.5, rated.draw, chance)
        known = ~np.isnan(chance)
        self.likelihood.append(float(np.log(np.maximum(chance[known], 1e-300)).sum()))
        self.results.append(int(known.sum()))
        return rated


def fit(method: Parameters, replay: Callable[[Method], object], what: Sequence[str]) -> Fitted:
    """Returns the method with the nu of the largest likelihood, as `Method.fit` describes.

    The standard error is that of maximum likelihood, by the curvature over the logarithm of nu.

    Raises
    ------
    BadParameter
        If another parameter is to be fitted, or the curve is not Davidson's.
    """
    from scipy.optimize import minimize_scalar  # type: ignore[import-untyped]  # scipy has no types  # a quarter of a second

    for name in what:
        if name != "nu":
            raise BadParameter(method.name, name, "cannot be fitted: nu can")
    if method.curve != "davidson":
        raise BadParameter(method.name, "curve", f"must be davidson, whose nu can be fitted: {method.curve}")

    def watched(nu: float) -> Watched:
        seen = Watched(evolve(method, nu=nu))
        replay(seen)
        return seen

    def loss(logarithm: float) -> float:
        return -sum(watched(exp(logarithm)).likelihood)

    found = minimize_scalar(loss, bounds=(LEAST, MOST), method="bounded", options={"xatol": 1e-5, "maxiter": RUNS})
    at = float(found.x)
    curvature = (loss(at + STEP) + loss(at - STEP) - 2.0 * loss(at)) / STEP**2
    nu = float(f"{exp(at):.6g}")
    error = 1.0 / sqrt(curvature) if curvature > FLAT else nan
    wide = exp(1.959963984540054 * error)
    last = watched(nu)
    return Fitted(
        evolve(method, nu=nu), (Estimate("nu", nu, nu * error, nu / wide, nu * wide),), sum(last.likelihood),
        sum(watched(method.nu).likelihood), sum(last.results),
        "" if found.success else f"after {found.nfev} replays, before the search converged",
    )  # fmt: skip
