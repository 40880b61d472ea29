"""Bridge results by hand: states of known players, and one table rated."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from ratingcore_bridge_bayes import BridgeBayes
from ratingcore_bridge_bayes.sample_sessions import sessions

from ratingcore.plugin import Rated, State

RATINGS = [1500.0, 1400.0, 1600.0, 1550.0]

TABLE = [[0, 1], [2, 3]]

DIAG, FULL, FIXED = (BridgeBayes(tracking=tracking) for tracking in ("diag", "full", "fixed"))  # type: ignore[arg-type]  # words


def known(method: BridgeBayes, ratings: Sequence[float], deviation: Sequence[float] | None = None) -> State:
    state = State.start(method.columns(), players=len(ratings))
    given = {"rating": np.array(ratings, dtype=np.float64)}
    if deviation is not None:
        given["deviation"] = np.array(deviation, dtype=np.float64)
    return state.replace(**given)


def played(method: BridgeBayes, scores: Sequence[float], deviation: Sequence[float] | None = None, **how: Any) -> Rated:
    """One table, with this score of the first pair each time."""
    results = sessions([(TABLE, [s, 2.0 * method.s0 - s]) for s in scores], **how)
    return method.rate(known(method, RATINGS, deviation), results)


FIELD = [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]
