"""The `metrics.*` cases, put to the measures that compare lists."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ratingcore.compare.association import association, deviations
from ratingcore.compare.association import filliben as ppcc


def assoc(*, x: Sequence[float], y: Sequence[float]) -> dict[str, Any]:
    """How two columns go together, and how far they lie apart."""
    one, other = np.array(x, dtype=np.float64), np.array(y, dtype=np.float64)
    found, apart = association(one, other), deviations(one, other)
    return {
        "pearson": found.pearson,
        "kendall_b": found.kendall,
        "spearman": found.spearman,
        "cosine": found.cosine,
        "mean_abs": apart and apart.mean,
        "max_abs": apart and apart.largest,
        "min_abs": apart and apart.smallest,
    }


def filliben(*, x: Sequence[float]) -> dict[str, Any]:
    """How normal a column looks."""
    return {"r": ppcc(np.array(x, dtype=np.float64))}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"metrics.assoc": assoc, "metrics.filliben": filliben}
