"""The `berkin.*` cases, put to the plugin berkin."""

from collections.abc import Callable, Mapping, Sequence
from math import isnan, nan
from typing import Any

import numpy as np
import ratingcore_berkin as berkin
from ratingcore_berkin.formulas import FLOOR, Variant
from ratingcore_berkin.gauge import Gauge


def solve(*, points: Sequence[Sequence[float]], anchor: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A field at once; without an answer the status alone."""
    given = {key: value for key, value in (anchor or {}).items() if value is not None}
    kind, value = given.get("kind", "geomean"), given.get("value", 1000.0)
    gauge: Gauge
    if kind == "player":
        known = np.full(len(points), nan)
        known[given["index"]] = value
        gauge = berkin.Pinned(known)
    else:
        gauge = berkin.Level(kind, value)
    solution = berkin.solve(np.array(points, dtype=np.float64), gauge)
    return {"status": solution.status, "ratings": solution.rating.tolist() if solution.status == "ok" else None}


def performance(*, opponents: Sequence[float], scores: Sequence[float]) -> dict[str, Any]:
    """One player against fixed opponents."""
    found = berkin.performance(np.array(opponents, dtype=np.float64), np.array(scores, dtype=np.float64))
    return {"r": None if isnan(found.rating) else found.rating, "status": found.status}


def change(
    *,
    variant: Variant,
    ro: float,
    rc: float,
    score: float | None = None,
    L: float = 0.0,  # noqa: N803  # the key of the cases
    n0: float = 20.0,
    wins: float | None = None,
    losses: float | None = None,
) -> dict[str, Any]:
    """One result by 13.10 to 13.12, several by 13.13; all but the exact 13.10 stay above the floor."""
    won = wins if wins is not None else score if score is not None else 0.0
    given = losses if losses is not None else 1.0 - score if score is not None else 0.0
    delta = berkin.change(variant, ro, rc * won, given, lost=L, n0=n0)
    if isnan(delta):
        return {"delta": None, "new": None, "status": "unbounded"}
    new = ro + delta if variant == "13.10" else max(ro + delta, FLOOR * 1000.0)
    return {"delta": delta, "new": new, "status": "zero" if new == 0.0 else "ok"}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {
    "berkin.solve": solve,
    "berkin.performance": performance,
    "berkin.change": change,
}
