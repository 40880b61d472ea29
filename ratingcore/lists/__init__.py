"""What is published: rating lists, their differences, histories and forecasts."""

from ratingcore.lists.causes import Correction
from ratingcore.lists.diff import ListDiff, Moved
from ratingcore.lists.explanation import ExplainedLine, Explanation
from ratingcore.lists.explanation_diff import ChangedLine, ExplanationDiff
from ratingcore.lists.forecasts import forecast_columns, forecasts
from ratingcore.lists.history import Line, history
from ratingcore.lists.policy import ListPolicy, Window
from ratingcore.lists.proof import Proof
from ratingcore.lists.provenance import Provenance
from ratingcore.lists.published import Published
from ratingcore.lists.rating_list import RatingList, rating_list
from ratingcore.lists.text import aligned

__all__ = [
    "ChangedLine",
    "Correction",
    "ExplainedLine",
    "Explanation",
    "ExplanationDiff",
    "Line",
    "ListDiff",
    "ListPolicy",
    "Moved",
    "Proof",
    "Provenance",
    "Published",
    "RatingList",
    "Window",
    "aligned",
    "forecast_columns",
    "forecasts",
    "history",
    "rating_list",
]
