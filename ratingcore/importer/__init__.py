"""Files to events: their lines are appended batch by batch, and a report counts every row."""

from ratingcore.importer.importer import Options, import_lines
from ratingcore.importer.report import ImportReport

__all__ = ["ImportReport", "Options", "import_lines"]
