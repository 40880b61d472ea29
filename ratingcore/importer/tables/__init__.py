"""Reads results and ratings from foreign tables: each row gives an event, or the reason why it gives none."""

from ratingcore.importer.tables.fieldmap import FieldMap
from ratingcore.importer.tables.players import read_seeds
from ratingcore.importer.tables.results import read_results

__all__ = [
    "FieldMap",
    "read_results",
    "read_seeds",
]
