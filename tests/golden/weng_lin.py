"""The `wenglin` cases, put to the method weng-lin: one result, ranks as scores turned round."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from ratingcore_weng_lin import WengLin

from ratingcore.plugin import Sides, Span, State


def session(sizes: Sequence[int], score: Sequence[float], weights: Sequence[float] | None = None) -> Sides:
    """One result of sides of these sizes; members have rows in order."""
    side = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    members = {"weights": np.array(weights, dtype=np.float64) if weights else np.ones(side[-1])}
    at = np.ones(1, dtype=np.int64)
    return Sides(
        np.array([0, len(sizes)]), side, np.arange(side[-1], dtype=np.int32), np.array(score, dtype=np.float64),
        at, at, Span(0, 2), members=members,
    )  # fmt: skip


def known(method: WengLin, teams: Sequence[Sequence[Sequence[float]]]) -> State:
    """The players of teams, each of a rating and a deviation."""
    pairs = np.array([player for team in teams for player in team], dtype=np.float64)
    start = State.start(method.columns(), players=len(pairs))
    return start.replace(rating=pairs[:, 0].copy(), deviation=pairs[:, 1].copy())


def teams(*, model: Any, teams: Sequence[Sequence[Sequence[float]]], ranks: Sequence[float]) -> dict[str, Any]:
    """All players after the result."""
    method = WengLin(model=model)
    after = method.rate(known(method, teams), session([len(team) for team in teams], [-rank for rank in ranks])).state
    row = iter(zip(after["rating"].tolist(), after["deviation"].tolist(), strict=True))
    return {"teams": [[list(next(row)) for _ in team] for team in teams]}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"wenglin": teams}
