"""Fits spreads and drift: finds the parameters that best predict every result before it is used."""

from collections.abc import Sequence

from ratingcore.plugin import Fitted, Sides, State
from ratingcore_bridge_bayes.bridge_bayes import BridgeBayes
from ratingcore_bridge_bayes.search import TOLERANCE, best

NAMES = ("sigma1", "deviation", "drift_var")
"""Parameters that are fitted unless others are named."""


def likelihood(method: BridgeBayes, results: Sides, start: State | None = None) -> float:
    """Logarithm of the predictive likelihood of results, each predicted before it is used.

    Parameters
    ----------
    method : BridgeBayes
    results : Sides
        In order of play: `engine.core.view(pool).sides(method.needs, method.name)`.
    start : State or None
        Ratings before the first result; all newcomers if None.

    Returns
    -------
    float
        Sum of `-(ln(2 pi V) + y^2 / V) / 2`: the larger, the better.

    Examples
    --------
    >>> import numpy as np
    >>> from ratingcore_bridge_bayes.sample_sessions import sessions
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


def fit(
    method: BridgeBayes, results: Sides, what: Sequence[str] = NAMES, tolerance: float = TOLERANCE,
    start: State | None = None,
) -> Fitted:  # fmt: skip
    """Fits deviation of results, prior deviation, worth of a point and drift by predictive likelihood.

    Only ratings given from outside can separate `k` from `deviation`: scores depend on their product alone, so one of
    them merely sets the scale. If the results do not determine the drift, the estimate is a small number without a
    standard error, not zero.

    Parameters
    ----------
    method : BridgeBayes
        The search starts at its parameters; those that are not fitted keep their values.
    results : Sides
    what : sequence of {"sigma1", "deviation", "k", "drift_var"}
    tolerance : float > 0
        In the logarithms of the parameters and of the likelihood.
    start : State or None
        Ratings before the first result; all newcomers if None, with the prior deviation that is tried.

    Raises
    ------
    BadParameter
        If a name is not one of these, drift is to be fitted where tracking=fixed, or `k` cannot be separated from
        `deviation`.

    Examples
    --------
    See the README.
    """

    def of(tried: BridgeBayes) -> float:
        return likelihood(tried, results, start)

    fitted, estimates, stopped = best(method, of, what, tolerance)
    return Fitted(fitted, tuple(estimates), of(fitted), of(method), len(results), stopped)
