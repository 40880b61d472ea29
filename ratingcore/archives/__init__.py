"""Reads results and ratings from foreign files: each row becomes an event, or a reason why it is none."""

from ratingcore.archives.fieldmap import FieldMap
from ratingcore.archives.lines import Line, Outcome, Refused, Unrated
from ratingcore.archives.results import read_results
from ratingcore.archives.seeds import read_seeds

__all__ = [
    "FieldMap",
    "Line",
    "Outcome",
    "Refused",
    "Unrated",
    "read_results",
    "read_seeds",
]
