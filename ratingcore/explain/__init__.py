"""Explanations: what moved a player's rating, line by line, and who moved because of one event."""

from ratingcore.explain.correction_history import Correction
from ratingcore.explain.explanation import Explanation, ExplanationDiff
from ratingcore.explain.forecasts import forecasts
from ratingcore.explain.history import Line, Peak, history, peaks
from ratingcore.explain.lines import ChangedLine, ExplainedLine

__all__ = [
    "ChangedLine",
    "Correction",
    "ExplainedLine",
    "Explanation",
    "ExplanationDiff",
    "Line",
    "Peak",
    "forecasts",
    "history",
    "peaks",
]
