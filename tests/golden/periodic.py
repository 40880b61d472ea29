"""The `periodic.*` cases, put to the method periodic."""

from collections.abc import Callable, Sequence
from math import nan
from typing import Any

from ratingcore_periodic import Periodic

from tests.golden import playing


def new(*, opponents: Sequence[float], scores: Sequence[float], cap: float = 800.0) -> dict[str, Any]:
    """Row 0 is unrated, every opponent a row of their own."""
    n = len(scores)
    if not n:
        raise ValueError("there are no games")
    month = playing.games([0] * n, range(1, n + 1), scores)
    result = playing.rated(Periodic(cap=cap, initial=None), [nan, *opponents], month)
    mean, rating = float(result.notes["opposition_a"][0]), float(result.state["rating"][0])
    return {"mean": mean, "p": sum(scores) / n, "d": float(result.notes["performance_a"][0]) - mean, "rn": rating}


def single(*, own: float, opp: float, p: float, cap: float = 800.0) -> dict[str, Any]:
    """One game with that share of the point; the mean is of both players."""
    result = playing.rated(Periodic(cap=cap), [own, opp], playing.games([0], [1], [p]))
    a, b = result.state["rating"].tolist()
    gap = float(result.notes["performance_a"][0] - result.notes["opposition_a"][0])
    return {"mean": (a + b) / 2.0, "d": gap, "rn": a}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"periodic.new": new, "periodic.single": single}
