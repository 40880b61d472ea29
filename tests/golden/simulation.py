"""The `sim.*` cases, put to the laboratory, which is a plugin that may be missing."""

from collections.abc import Callable
from typing import Any

import numpy as np
from ratingcore_laboratory.results import chance, score_of, true_rating


def result(*, true_a: float, true_b: float, u: int, half_band: float = 3.0) -> dict[str, Any]:
    """The result of a game: step 4 of a round."""
    percent = chance(np.array([float(true_a - true_b)]))
    return {"score": float(score_of(percent, np.array([u]), half_band)[0])}


def strength(*, kind: str, r0: float, n: int) -> dict[str, Any]:
    """The true rating after a number of games."""
    return {"r": float(true_rating(kind, np.array([float(r0)]), np.array([n]))[0])}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"sim.result": result, "sim.true_rating": strength}
