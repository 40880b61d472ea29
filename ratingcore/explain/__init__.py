"""Explanations: the causes of a player's rating, line by line, and the players moved by one event."""

from ratingcore.explain.correction_history import Correction
from ratingcore.explain.explanation import Explanation, ExplanationDiff
from ratingcore.explain.forecasts import ForecastRow, ForecastTable, forecasts, meetings
from ratingcore.explain.history import Line, Peak, PlayerHistory, history, peaks
from ratingcore.explain.lines import ChangedLine, ExplainedLine

__all__ = [
    "ChangedLine",
    "Correction",
    "ExplainedLine",
    "Explanation",
    "ExplanationDiff",
    "ForecastRow",
    "ForecastTable",
    "Line",
    "Peak",
    "PlayerHistory",
    "forecasts",
    "history",
    "meetings",
    "peaks",
]
