"""The `perf` cases, put to the performance ratings of a plugin that may be missing."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

PERFORMANCES = pytest.importorskip("ratingcore_performance").PERFORMANCES


def perf(*, kind: str, opponents: Sequence[float], scores: Sequence[float], cap: float = 800.0) -> dict[str, Any]:
    """No number where there is none."""
    rated = PERFORMANCES[kind](np.array(opponents, dtype=np.float64), np.array(scores, dtype=np.float64), cap)
    return {"rp": rated.rating if rated.status == "ok" else None, "status": rated.status}


ADAPTERS = {"perf": perf}
