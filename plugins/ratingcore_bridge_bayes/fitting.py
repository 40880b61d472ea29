"""Fits spreads and drift: the parameters under which every result was best predicted before it was used."""

from collections.abc import Sequence
from math import exp, log
from typing import Any, Literal

import numpy as np
from attrs import evolve, frozen

from ratingcore.plugin import BadParameter, Floats, Sides, State
from ratingcore_bridge_bayes.bridge_bayes import BridgeBayes

Name = Literal["sigma1", "deviation", "drift_var"]
NAMES: tuple[Name, ...] = ("sigma1", "deviation", "drift_var")

FLOOR = 1e-6
"""Where the search for a drift begins if the method has none, as a share of the prior variance a day."""


@frozen
class Fitted:
    """A method with fitted parameters.

    Parameters
    ----------
    method : BridgeBayes
        With the parameters that predict best.
    likelihood : float
        Logarithm of the predictive likelihood of all results.
    before : float
        The same of the method that was given.
    results : int
        How many results were predicted.
    """

    method: BridgeBayes
    likelihood: float
    before: float
    results: int


def likelihood(method: BridgeBayes, results: Sides, start: State | None = None) -> float:
    """Logarithm of the predictive likelihood of results, each predicted before it is used.

    Parameters
    ----------
    method : BridgeBayes
    results : Sides
        In order of play: `engine.view(pool).sides(method.needs, method.name)`.
    start : State or None
        Ratings before the first result; all newcomers if None.

    Returns
    -------
    float
        Sum of `-(ln(2 pi V) + y^2 / V) / 2`: the larger, the better.

    Examples
    --------
    >>> from ratingcore_bridge_bayes.making import sessions
    >>> table = sessions([([[0, 1], [2, 3]], [60.0, 40.0])])
    >>> bridge = BridgeBayes(sigma1=10.0)
    >>> known = State.start(bridge.columns(), 4).replace(rating=np.array([1500.0, 1400.0, 1600.0, 1550.0]))
    >>> round(likelihood(bridge, table, known), 6)
    -3.789669
    """
    begin = _start(method, results) if start is None else start
    return float(method.play(begin, results).likelihood().sum())


def _start(method: BridgeBayes, results: Sides) -> State:
    return State.start(method.columns(), players=int(results.player.max(initial=-1)) + 1)


def fit(method: BridgeBayes, results: Sides, what: Sequence[Name] = NAMES, tolerance: float = 1e-3) -> Fitted:
    """Fits deviation of results, prior deviation and drift by predictive likelihood.

    A Nelder-Mead search over the logarithms of the parameters, from those of the method. `k` is not fitted: only
    its product with ratings is seen in scores, so it is the choice of the scale. A drift of which the results show
    nothing comes out as a small number, not as zero: compare its likelihood with `what` less `drift_var`.

    Parameters
    ----------
    method : BridgeBayes
        What is not fitted stays; fitted parameters begin here.
    results : Sides
    what : sequence of {"sigma1", "deviation", "drift_var"}
    tolerance : float > 0
        In the logarithms of the parameters, and in the likelihood.

    Raises
    ------
    BadParameter
        If a name is not one of these, or drift is to be fitted where tracking=fixed.

    Examples
    --------
    See the README.
    """
    from scipy.optimize import minimize  # type: ignore[import-untyped]  # scipy has no types  # a quarter of a second

    for name in what:
        if name not in NAMES:
            raise BadParameter(method.name, str(name), f"cannot be fitted: {', '.join(NAMES)} can")
    if method.tracking == "fixed" and "drift_var" in what:
        raise BadParameter(method.name, "drift_var", "cannot be fitted where tracking=fixed")
    guess = {name: float(getattr(method, name)) for name in what}
    if "drift_var" in what:
        guess["drift_var"] = guess["drift_var"] or FLOOR * method.deviation**2
    begin = np.array([log(guess[name]) for name in what])

    def tried(logarithms: Floats) -> BridgeBayes:
        values: dict[str, Any] = {name: exp(x) for name, x in zip(what, logarithms.tolist(), strict=True)}
        return evolve(method, **values)

    def loss(logarithms: Floats) -> float:
        if not (np.abs(logarithms) < 40.0).all():
            return np.inf
        return -likelihood(tried(logarithms), results)

    corners = np.vstack([begin, begin + 0.5 * np.eye(len(begin))])
    options = {"xatol": tolerance, "fatol": tolerance, "initial_simplex": corners}
    best = tried(minimize(loss, begin, method="Nelder-Mead", options=options).x)
    return Fitted(best, likelihood(best, results), likelihood(method, results), len(results))
