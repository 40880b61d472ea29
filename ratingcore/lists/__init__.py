"""What is published: rating lists, their differences, histories and forecasts."""

from ratingcore.lists.diff import ListDiff, Moved
from ratingcore.lists.forecasts import forecast_columns, forecasts
from ratingcore.lists.history import Line, history
from ratingcore.lists.provenance import Provenance
from ratingcore.lists.rating_list import RatingList, rating_list
from ratingcore.lists.text import aligned

__all__ = [
    "Line",
    "ListDiff",
    "Moved",
    "Provenance",
    "RatingList",
    "aligned",
    "forecast_columns",
    "forecasts",
    "history",
    "rating_list",
]
