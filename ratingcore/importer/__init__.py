"""Files to events: games, sessions and ratings are appended, corrected or refused, and a report counts every row."""

from ratingcore.importer.report import ImportReport
from ratingcore.importer.rows import Options, import_lines
from ratingcore.importer.settings import Settings

__all__ = ["ImportReport", "Options", "Settings", "import_lines"]
