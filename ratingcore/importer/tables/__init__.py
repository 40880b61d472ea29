"""Reads results and ratings from foreign files: each row becomes an event, or a reason why it is none."""

from ratingcore.importer.tables.fieldmap import FieldMap
from ratingcore.importer.tables.lines import Line, Outcome, Refused, Unrated
from ratingcore.importer.tables.results import read_results
from ratingcore.importer.tables.seeds import read_seeds

__all__ = [
    "FieldMap",
    "Line",
    "Outcome",
    "Refused",
    "Unrated",
    "read_results",
    "read_seeds",
]
