"""The `sim.*` cases of METHODS 12, put to the laboratory."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ratingcore.laboratory.evolution import true_rating
from ratingcore.laboratory.results import chance, score_of


def result(*, true_a: float, true_b: float, u: int, half_band: float = 3.0) -> dict[str, Any]:
    """METHODS 12.2, step 4."""
    percent = chance(np.array([float(true_a - true_b)]))
    return {"score": float(score_of(percent, np.array([u]), half_band)[0])}


def strength(*, kind: str, r0: float, n: int) -> dict[str, Any]:
    """METHODS 12.1."""
    return {"r": float(true_rating(kind, np.array([float(r0)]), np.array([n]))[0])}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"sim.result": result, "sim.true_rating": strength}
