"""The `uscf` cases, put to the short form of the plugin uschess: one player, one event, every opponent once."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from ratingcore_uschess.formulas import short


def event(*, rating: float, games_before: float, games: Sequence[Sequence[float]]) -> dict[str, Any]:
    """The new rating, the bonus in it, and K."""
    pairs = np.array(games, dtype=np.float64)
    met = np.unique(pairs[:, 0], return_counts=True)[1]
    step = short(rating, games_before, pairs[:, 0], pairs[:, 1], 14.0, bool(met.max() > 2))
    return {"new": step.rating, "bonus": step.bonus, "k": step.k}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"uscf": event}
