"""Imports files: games, sessions and ratings are appended, corrected or refused, and a report counts every row."""

from ratingcore.importer.report import ImportReport
from ratingcore.importer.rows import Import, import_rows
from ratingcore.importer.settings import Settings

__all__ = ["Import", "ImportReport", "Settings", "import_rows"]
