"""The `quality.*` cases, put to the scores of forecasts."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ratingcore.compare.losses import outcomes as of_three
from ratingcore.compare.scores import binary


def quality_binary(*, p: list[float], y: list[float]) -> dict[str, Any]:
    """Scores of forecasts of the share of the point."""
    return binary(np.array(p), np.array(y, dtype=float))._asdict()


def quality_rps(*, probs: list[list[float]], outcomes: list[float]) -> dict[str, Any]:
    """Scores of forecasts of win, draw and loss."""
    found = of_three(*np.array(probs).T, np.array(outcomes, dtype=float))
    return {"rps": found.rps, "log_loss": found.log_loss, "brier3": found.brier}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"quality.binary": quality_binary, "quality.rps": quality_rps}
