"""The `fide.initial` cases, put to FIDE's rules for first ratings."""

from typing import Any

import numpy as np

from ratingcore.methods.entry import fide2014, fide2024


def initial(regime: str, games: list[list[float]], half_point_bonus: float | None = None) -> dict[str, Any]:
    opponents, scores = np.array(games, dtype=np.float64).T
    half_point = half_point_bonus or {"2009": 12.5}.get(regime, 20.0)
    made = fide2024(opponents, scores) if regime == "2024" else fide2014(opponents, scores, half_point)
    return {"ra": made.opposition, "p": made.share, "dp": made.gap, "ru": made.rating}


ADAPTERS = {"fide.initial": initial}
