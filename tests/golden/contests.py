"""The `codeforces` and `elommr.*` cases, put to the methods of the plugin contests."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from ratingcore_contests import Codeforces, EloMmr

from ratingcore.plugin import Sides, Span, State


def contest(who: Sequence[int], ranks: Sequence[float]) -> Sides:
    """One contest of these rows of players, with these places."""
    n, at = len(who), np.ones(1, dtype=np.int64)
    score = -np.array(ranks, dtype=np.float64)
    return Sides(np.array([0, n]), np.arange(n + 1), np.array(who, dtype=np.int32), score, at, at, Span(0, 2))


def codeforces(*, ratings: Sequence[float], ranks: Sequence[float]) -> dict[str, Any]:
    """Changes of everybody."""
    method = Codeforces()
    start = State.start(method.columns(), len(ratings)).replace(rating=np.array(ratings, dtype=np.float64))
    return {"deltas": method.rate(start, contest(range(len(ratings)), ranks)).change.tolist()}


def _start(method: EloMmr, players: Sequence[Sequence[float]]) -> State:
    pairs = np.array(players, dtype=np.float64)
    start = State.start(method.columns(), len(players))
    return start.replace(rating=pairs[:, 0].copy(), deviation=pairs[:, 1].copy())


def one(*, players: Sequence[Sequence[float]], ranks: Sequence[float]) -> dict[str, Any]:
    """One contest, with the performance of everybody."""
    method = EloMmr()
    after = method.rate(_start(method, players), contest(range(len(players)), ranks)).state
    columns = zip(after["past"][:, 0].tolist(), after["rating"].tolist(), after["deviation"].tolist(), strict=True)
    return {"players": [{"perf": p, "mu": mu, "sig": sig} for p, mu, sig in columns]}


def several(*, players: Sequence[Sequence[float]], rounds: Sequence[Sequence[float | None]]) -> dict[str, Any]:
    """Contests one after another; null is absent."""
    method = EloMmr()
    state = _start(method, players)
    for ranks in rounds:
        there = [(n, rank) for n, rank in enumerate(ranks) if rank is not None]
        state = method.rate(state, contest([n for n, _ in there], [rank for _, rank in there])).state
    columns = zip(state["rating"].tolist(), state["deviation"].tolist(), strict=True)
    return {"players": [{"mu": mu, "sig": sig} for mu, sig in columns]}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {
    "codeforces": codeforces,
    "elommr.round": one,
    "elommr.sequence": several,
}
