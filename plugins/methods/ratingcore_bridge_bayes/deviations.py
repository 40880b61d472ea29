"""Deviation of the sum of some players' strengths: how well a side is known."""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from ratingcore.plugin import State
from ratingcore_bridge_bayes.bridge_bayes import BridgeBayes


def deviation_of(
    method: BridgeBayes, state: State, players: Sequence[int], at: int, against: Sequence[int] = ()
) -> float:
    """Deviation of the sum of some players' strengths.

    If two players never change partners, only the sum of their strengths is learned: its deviation falls, but the
    deviation of their difference stays. Only tracking=full takes this into account; otherwise players count as
    independent.

    Parameters
    ----------
    method : BridgeBayes
    state : State
    players : sequence of int
        Rows of the players: one for a single player, two for a pair.
    at : int, microseconds since 1970
        Instant up to which deviations have grown.
    against : sequence of int
        Rows of players who are subtracted: opponents, or one partner from the other.

    Returns
    -------
    float, rating points

    Examples
    --------
    >>> from ratingcore_bridge_bayes.sample_sessions import sessions
    >>> bridge = BridgeBayes(tracking="full", sigma1=1.0, players=4)
    >>> start = State.start(bridge.columns(), players=4)
    >>> state = bridge.rate(start, sessions([([[0, 1], [2, 3]], [55.0, 45.0])])).state
    >>> [round(deviation_of(bridge, state, *asked), 3) for asked in (([0], 0), ([0, 1], 0), ([0], 0, [1]))]
    [186.22, 242.304, 282.843]
    """
    weight = np.zeros(len(state["rating"]))
    np.add.at(weight, np.array(players, dtype=np.int64), 1.0)
    np.add.at(weight, np.array(against, dtype=np.int64), -1.0)
    return sqrt(max(float(weight @ method.covariances(state, at) @ weight), 0.0))
