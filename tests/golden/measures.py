"""The cases of measures: of forecasts, and of rating lists."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ratingcore.compare.agreement import association, deviations
from ratingcore.compare.agreement import filliben as ppcc
from ratingcore.compare.losses import outcomes as of_three
from ratingcore.compare.scores import binary

# The `metrics.*` cases, put to the measures that compare lists.


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


# The `quality.*` cases, put to the scores of forecasts.


def quality_binary(*, p: list[float], y: list[float]) -> dict[str, Any]:
    """Scores of forecasts of the share of the point."""
    return binary(np.array(p), np.array(y, dtype=float))._asdict()


def quality_rps(*, probs: list[list[float]], outcomes: list[float]) -> dict[str, Any]:
    """Scores of forecasts of win, draw and loss."""
    found = of_three(*np.array(probs).T, np.array(outcomes, dtype=float))
    return {"rps": found.rps, "log_loss": found.log_loss, "brier3": found.brier}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {
    "metrics.assoc": assoc,
    "metrics.filliben": filliben,
    "quality.binary": quality_binary,
    "quality.rps": quality_rps,
}
