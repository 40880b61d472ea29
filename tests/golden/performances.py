"""The `perf` cases, put to the performance ratings of the command of that name."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from ratingcore_performance import PERFORMANCES


def perf(*, kind: str, opponents: Sequence[float], scores: Sequence[float], cap: float = 800.0) -> dict[str, Any]:
    """No number where there is none."""
    rated = PERFORMANCES[kind](np.array(opponents, dtype=np.float64), np.array(scores, dtype=np.float64), cap)
    return {"rp": rated.rating if rated.status == "ok" else None, "status": rated.status}


ADAPTERS = {"perf": perf}
