"""The `fifa_sum` cases, put to the method fifa."""

from collections.abc import Callable
from typing import Any

import numpy as np
from ratingcore_football import Fifa

from tests.golden.playing import games, rated

OUTCOMES = {"a": (1.0, 0.0), "b": (0.0, 0.0), "draw": (0.5, 0.0), "a_pens": (0.5, 1.0), "b_pens": (0.5, -1.0)}


def match(
    *, points_a: float, points_b: float, result: str, importance: float, knockout: bool = False
) -> dict[str, Any]:
    """One match of a given importance."""
    score, shootout = OUTCOMES[result]
    facts = {
        "importance": importance,
        "tournament": np.nan,
        "stage": float(knockout),
        "shootout": shootout,
        "window": 1.0,
    }
    after = rated(Fifa(), [points_a, points_b], games([0], [1], [score], **{name: [x] for name, x in facts.items()}))
    return {
        "we": float(after.expected[0]),
        "change_a": float(after.change[0][0]),
        "change_b": float(after.change[1][0]),
        "new_a": float(after.state["rating"][0]),
        "new_b": float(after.state["rating"][1]),
    }


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"fifa_sum": match}
