"""Explanations: what moved a player's rating, line by line, and who moved because of one event."""

from ratingcore.explain.causes import Correction
from ratingcore.explain.diff import ChangedLine
from ratingcore.explain.explanation import Explanation, ExplanationDiff
from ratingcore.explain.forecast_rows import forecast_columns, forecasts
from ratingcore.explain.ledger import Line, history
from ratingcore.explain.lines import ExplainedLine
from ratingcore.explain.peaks import Peak, peaks

__all__ = [
    "ChangedLine",
    "Correction",
    "ExplainedLine",
    "Explanation",
    "ExplanationDiff",
    "Line",
    "Peak",
    "forecast_columns",
    "forecasts",
    "history",
    "peaks",
]
