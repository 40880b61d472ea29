"""The `thesis.sequence` cases, put to the method adaptive-k."""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from ratingcore_adaptive_k import AdaptiveK

from tests.golden import playing


def sequence(
    *,
    games: Sequence[tuple[float, float]],
    r0: float = 1100.0,
    k: float = 15.0,
    window: int = 10,
    threshold: float = 0.6,
    floor: float = 0.0,
) -> dict[str, Any]:
    """The player is row 0, every opponent a row of their own."""
    adaptive = AdaptiveK(k=k, window=window, threshold=threshold, floor=floor)
    ratings, scores = [r0, *(r for r, _ in games)], [s for _, s in games]
    result = playing.rated(adaptive, ratings, playing.games([0] * len(games), range(1, len(ratings)), scores))
    after = list(accumulate(result.change[0].tolist(), initial=float(r0)))[1:]
    return {"ratings": after, "k_used": result.notes["k_a"].tolist()}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"thesis.sequence": sequence}
