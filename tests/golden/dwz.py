"""The `dwz` cases, put to the method dwz."""

from collections.abc import Callable, Sequence
from typing import Any

from ratingcore_dwz import Dwz

from tests.golden.playing import games, rated


def event(*, rating: float, e: float, games: Sequence[tuple[float, float]]) -> dict[str, Any]:
    """One event of the player in row 0, every opponent a row of their own."""
    result = rated(Dwz(development=e), [rating, *(r for r, _ in games)], _played([s for _, s in games]))
    return {
        "expected": float(sum(result.expected)),
        "new": rating + float(sum(result.change[0])),
        "new_rounded": float(result.state["rating"][0]),
    }


def _played(scores: list[float]) -> Any:
    return games([0] * len(scores), [*range(1, len(scores) + 1)], scores)


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"dwz": event}
