"""Opens any table as a sheet: files by their content, and what is a table already."""

from collections.abc import Callable
from datetime import tzinfo

from attrs import evolve

from ratingcore.errors import BadFile
from ratingcore.importer.tables.databases import open_database
from ratingcore.importer.tables.fieldmap import FieldMap
from ratingcore.importer.tables.files import Path, content_start, label
from ratingcore.importer.tables.sheets import Sheet, open_sheet
from ratingcore.readers import Source

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""Beginning of the spreadsheets that programs wrote before 2007, and of other documents of that time."""
_ELSEWHERE = "engine.import_table takes the cursor or the Arrow reader of any other database"
OPEN_DOCUMENT = b"application/vnd.oasis.opendocument.spreadsheet"


class TableSource(Source):
    """A table that is no file, such as a DataFrame.

    Parameters
    ----------
    name : str
        What reports call it, and the source of its batches.
    sheet : callable
        Opens it, given the names of columns that a row may have though the first ones do not.
    zone : tzinfo or None
        Zone of times that have none.
    """

    def __init__(self, name: str, sheet: Callable[[tuple[str, ...]], Sheet], zone: tzinfo | None = None) -> None:
        super().__init__(name, lambda: self.refuse("it is no file"), zone=zone)
        self.sheet = sheet


def kind_of(head: bytes) -> str:
    """The reader of tables that take a file that begins like this: parquet, sheet, sql, or none for text."""
    if b"\0" not in head[:512]:
        return ""
    if head.startswith((b"PAR1", b"ARROW1")):
        return "parquet"
    if head.startswith(b"SQLite format 3\0"):
        return "sql"
    if head.startswith(OLE):
        return "sheet"
    packed = head.startswith(b"PK\x03\x04")
    return "sheet" if packed and (b"xl/" in head or OPEN_DOCUMENT in head[:256]) else ""


def open_any(path: Path, fields: FieldMap, further: tuple[str, ...], needs: tuple[str, ...]) -> Sheet:
    """Opens a table; times without a zone are of the zone of its source.

    Parameters
    ----------
    fields : FieldMap
        How it is written, and which columns hold what.
    further : tuple of str
        Columns that objects may have though the first ones do not.
    needs : tuple of str
        Fields without which a row says nothing: their columns tell the header of a spreadsheet.

    Raises
    ------
    BadFile
        If it cannot be read, or is empty.
    NotInstalled
        If it needs a package that is not there.
    """
    sheet = _opened(path, fields, further, needs)
    return evolve(sheet, zone=path.zone) if isinstance(path, Source) and path.zone is not None else sheet


def _opened(path: Path, fields: FieldMap, further: tuple[str, ...], needs: tuple[str, ...]) -> Sheet:
    if isinstance(path, TableSource):
        return path.sheet(further)
    kind = kind_of(content_start(path))
    if fields.query is not None and kind != "sql":
        raise BadFile(label(path), "it is no SQLite database, and takes no query", _ELSEWHERE)
    if fields.sheet is not None and kind != "sheet":
        raise BadFile(label(path), f"it is no spreadsheet, and has no sheet {fields.sheet}")
    if kind == "parquet":
        from ratingcore.importer.tables.arrow import open_arrow

        return open_arrow(path)
    if kind == "sheet":
        from ratingcore.importer.tables.spreadsheets import open_spreadsheet

        return open_spreadsheet(path, fields, needs)
    if kind == "sql":
        return open_database(path, fields.query)
    return open_sheet(path, fields.encoding, fields.delimiter, further, fields.skip)
