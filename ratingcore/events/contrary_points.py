"""Points of a game that name another winner than its score, which alone says who won."""

from collections.abc import Mapping
from typing import Any


def contrary_points(score: float | None, facts: Mapping[str, Any]) -> str:
    """Returns the points of a game if they name another winner than its score; else an empty text.

    Equal points say nothing: many games are decided after a draw, by lots, games of tie-break or the table.

    Examples
    --------
    >>> contrary_points(1.0, {"points_a": 1, "points_b": 3})
    'points 1-3, score 1'
    >>> contrary_points(1.0, {"points_a": 3, "points_b": 1}), contrary_points(1.0, {"points_a": 3})
    ('', '')
    """
    a, b = facts.get("points_a"), facts.get("points_b")
    if score is None or not isinstance(a, int | float) or not isinstance(b, int | float):
        return ""
    return f"points {a:g}-{b:g}, score {score:g}" if (a - b) * (score - 0.5) < 0 else ""
