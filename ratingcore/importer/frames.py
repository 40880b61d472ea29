"""Imports a table in memory as a file of rows is imported."""

from datetime import tzinfo

from ratingcore.importer.files import Choice, Chosen, Files
from ratingcore.importer.inputs import Found
from ratingcore.importer.notes import Days
from ratingcore.importer.report import ImportReport
from ratingcore.importer.settings import Settings
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.frames import source_of
from ratingcore.importer.tables.tables import FRAME, TableOptions
from ratingcore.log import Log
from ratingcore.readers import Sample


def import_frame(
    log: Log, settings: Settings, table: object, fields: FieldMap, name: str, zone: tzinfo | None
) -> ImportReport:
    """Imports a table; a failure in the middle of it is raised, and what was imported before it stays."""
    source = source_of(table, name, zone, again=Days(name, fields).in_question)
    chosen = Chosen(Found(source, Sample(name, b""), named=True), FRAME, TableOptions(fields=fields))
    (report,) = Files(log, settings).run(Choice([chosen], [], []))
    if report.error is not None:
        raise report.error
    return report
