"""Fits spreads and drift: the parameters under which every result was best predicted before it was used."""

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


def fit(
    method: BridgeBayes, results: Sides, what: Sequence[str] = NAMES, tolerance: float = TOLERANCE,
    start: State | None = None,
) -> Fitted:  # fmt: skip
    """Fits deviation of results, prior deviation, worth of a point and drift by predictive likelihood.

    `k` and `deviation` are told apart only by ratings given from outside: scores show their product, so one of them is
    the choice of the scale. A drift of which the results show nothing comes out as a small number, not as zero, and
    without an error.

    Parameters
    ----------
    method : BridgeBayes
        What is not fitted stays; fitted parameters begin here.
    results : Sides
    what : sequence of {"sigma1", "deviation", "k", "drift_var"}
    tolerance : float > 0
        In the logarithms of the parameters, and in the likelihood.
    start : State or None
        Ratings before the first result; all newcomers if None, with the prior deviation that is tried.

    Raises
    ------
    BadParameter
        If a name is not one of these, drift is to be fitted where tracking=fixed, or `k` cannot be told from
        `deviation`.

    Examples
    --------
    See the README.
    """

    def told(tried: BridgeBayes) -> float:
        return likelihood(tried, results, start)

    fitted, estimates, stopped = best(method, told, what, tolerance)
    return Fitted(fitted, tuple(estimates), told(fitted), told(method), len(results), stopped)
