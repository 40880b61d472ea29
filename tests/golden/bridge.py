"""The `bridge.*` cases, put to the method bridge-bayes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from ratingcore_bridge_bayes import BridgeBayes
from ratingcore_bridge_bayes.making import sessions

from ratingcore.plugin import DAY, Rated, Sides, State

VARIANCE = 200.0**2
"""The default deviation, squared."""


def _known(method: BridgeBayes, means: Sequence[float], variances: Sequence[float]) -> State:
    """Players known since day 0."""
    start = State.start(method.columns(), players=len(means))
    columns = {"rating": np.array(means, dtype=np.float64), "deviation": np.sqrt(np.array(variances, dtype=np.float64))}
    if "last" in start:
        columns["last"] = np.zeros(len(means))
    return start.replace(**columns)


def _halves(lineup: Sequence[int]) -> list[list[int]]:
    middle = len(lineup) // 2
    return [list(lineup[:middle]), list(lineup[middle:])]


def _rated(method: BridgeBayes, state: State, results: Sides) -> Rated:
    return method.rate(state, results)


def update(
    *,
    s: float,
    ratings: Sequence[float],
    variances: Sequence[float] | None = None,
    s0: float = 50.0,
    k: float = 4.0 / 1500.0,
    sigma1: float = 6.0,
) -> dict[str, Any]:
    """One result, its exact covariances."""
    n = len(ratings)
    method = BridgeBayes(s0=s0, k=k, sigma1=sigma1, tracking="full", players=max(n, 2))
    one, other = _halves(range(n))
    rated = _rated(
        method,
        _known(method, ratings, variances or [VARIANCE] * n),
        sessions([([one, other], [s, 2.0 * s0 - s])]),
    )
    covariance = rated.state["covariance"][0]
    return {
        "expected_score": float(rated.expected[0]),
        "predictive_var": float(rated.notes["variance"][0]),
        "means": rated.state["rating"].tolist(),
        "vars": (rated.state["deviation"] ** 2).tolist(),
        "cov_partners_ns": float(covariance[one[0], one[1]]) if len(one) > 1 else None,
        "cov_opponents": float(covariance[one[0], other[0]]),
    }


def sequence(
    *,
    players: Sequence[Sequence[float]],
    boards: Sequence[Mapping[str, Any]],
    mode: Literal["fixed", "diag", "full"] = "diag",
    s0: float = 50.0,
    k: float = 4.0 / 1500.0,
    sigma1: float = 6.0,
    drift_var: float = 0.0,
) -> dict[str, Any]:
    """`dt` days pass before each board, for everybody; idle players are brought up to the last day."""
    method = BridgeBayes(
        s0=s0, k=k, sigma1=sigma1, tracking=mode, drift_var=0.0 if mode == "fixed" else drift_var,
        players=max(len(players), 2),
    )  # fmt: skip
    days = np.cumsum([float(board.get("dt") or 0.0) for board in boards])
    played = [(_halves(board["lineup"]), [board["score"], 2.0 * s0 - board["score"]]) for board in boards]
    variances = [VARIANCE if variance is None else variance for _, variance in players]
    start = _known(method, [mean for mean, _ in players], variances)
    state = _rated(method, start, sessions(played, days.tolist())).state
    at = round(float(days[-1]) * DAY) if len(days) else 0
    return {"means": method.show(state, at)["rating"].tolist(), "vars": method.variances(state, at).tolist()}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"bridge.update": update, "bridge.sequence": sequence}
