"""Opens any table as a sheet: delimited text, JSON lines, and files of other kinds."""

import csv
import json
import re
import reprlib
from collections.abc import Callable, Iterator
from datetime import tzinfo
from itertools import islice
from typing import Any, TextIO

from attrs import evolve

from ratingcore.errors import BadFile
from ratingcore.importer.tables.fieldmap import FieldMap
from ratingcore.readers import Source
from ratingcore.readers.files import LINE, Lines, Path, content_start, label, reading
from ratingcore.readers.sheets import Object, Refused, Rows, Sheet, joined

DELIMITERS = ",;\t|"
SAMPLE = 1000
"""How many objects are read to learn the columns of a file without a header."""

TOO_LONG = f"has more than {LINE:,} characters"
_QUOTED = re.compile(r'"[^"]*"')
_NAMED_JSON = re.compile(r"\.(jsonl|ndjson)(\.gz)?$", re.IGNORECASE)


def open_sheet(
    path: Path, encoding: str | None, delimiter: str | None, further: tuple[str, ...], skip: int | None = None
) -> Sheet:
    """Opens a file as a sheet; `further` are columns that objects may have though the first ones do not.

    Raises
    ------
    BadFile
        If the file cannot be read, or is empty.
    """
    with reading(path, encoding) as text:
        lines = Lines(text)
        first = next(filter(str.strip, _uncommented(lines, skip or 0)), None)
        if lines.long:
            raise BadFile(label(path), f"line {min(lines.long)} {TOO_LONG}")
    if first is None:
        raise BadFile(label(path), "is empty")
    if _NAMED_JSON.search(label(path)) or first.lstrip().startswith("{"):
        return _objects(path, encoding, further)
    return _delimited(path, encoding, delimiter or _delimiter(first), skip or 0)


# Delimited text

_COMMENT = re.compile(rf"#(?![{DELIMITERS}])")


def _uncommented(lines: Lines, skip: int) -> Iterator[str]:
    """The lines of a text; those before the header that say nothing, or are to be skipped, are blank.

    A first column that is called `#` is no comment.
    """
    rest = iter(lines)
    for number, line in enumerate(rest):
        if number < skip or not line.strip() or _COMMENT.match(line):
            yield "\n"
        else:
            yield line
            break
    yield from rest


def _delimiter(header: str) -> str:
    bare = _QUOTED.sub("", header)
    return max(DELIMITERS, key=bare.count)


def _delimited(path: Path, encoding: str | None, delimiter: str, skip: int) -> Sheet:
    with reading(path, encoding) as text:
        header = _header(path, csv.reader(_uncommented(Lines(text), skip), delimiter=delimiter, strict=True))
    width = len(header)

    def rows(used: frozenset[int]) -> Rows:
        with reading(path, encoding) as text:
            plain = Lines(text)
            reader = csv.reader(_uncommented(plain, skip), delimiter=delimiter, strict=True)
            _header(path, reader)
            end = reader.line_num
            while True:
                try:
                    for cells in reader:
                        start, end = end + 1, reader.line_num
                        if plain.long and not plain.long.isdisjoint(range(start, end + 1)):
                            yield start, Refused(f"the line {TOO_LONG}", "")
                        elif len(cells) == width:
                            yield start, cells
                        elif len(cells) > 1 or any(map(str.strip, cells)):
                            reason = _uneven(len(cells), width, start, end)
                            yield start, Refused(reason, joined(cells, delimiter))
                    return
                except csv.Error as problem:
                    # the reader can go on after a bad line, but not inside a quote that swallowed the lines after it
                    start, end = end + 1, reader.line_num
                    if end != start:
                        raise _open_quote(path, start) from None
                    yield start, Refused(f"the row cannot be read: {problem}", "")

    return Sheet(label(path), header, rows, delimiter=delimiter)


def _header(path: Path, reader: Any) -> tuple[str, ...]:
    try:
        return tuple(map(str.strip, next(filter(lambda cells: any(map(str.strip, cells)), reader))))
    except (csv.Error, StopIteration):
        raise _open_quote(path, 1) from None


def _open_quote(path: Path, line: int) -> BadFile:
    return BadFile(label(path), f"a quote is opened on line {line} and not closed as it should be")


def _uneven(cells: int, width: int, start: int, end: int) -> str:
    runs = f", the row runs to line {end}" if end > start else ""
    return f"{cells} cells where the header has {width}{runs}"


# One JSON object a line


def _objects(path: Path, encoding: str | None, further: tuple[str, ...]) -> Sheet:
    with reading(path, encoding) as text:
        sample = [parsed for _, parsed in islice(_parsed(text), SAMPLE) if isinstance(parsed, dict)]
    columns = tuple(dict.fromkeys(key for parsed in sample for key in parsed))
    further = tuple(name for name in further if name not in columns)
    layout = columns + further

    def objects() -> Iterator[tuple[int, Object | Refused]]:
        with reading(path, encoding) as text:
            yield from _parsed(text)

    def rows(used: frozenset[int]) -> Rows:
        for number, parsed in objects():
            yield number, parsed if isinstance(parsed, Refused) else cells_of(parsed, layout, used)

    return Sheet(label(path), columns, rows, further, objects=objects)


def cells_of(parsed: Object, layout: tuple[str, ...], used: frozenset[int]) -> list[str] | Refused:
    """The texts of an object, in the order of columns; those nobody asked for stay empty.

    So a nested value there is no reason to refuse the row.
    """
    return _texts([parsed.get(name) if i in used else None for i, name in enumerate(layout)], layout)


# numbers stay text: cells of JSON are parsed by the same rules as cells of CSV
_DECODE = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str).decode


def _parsed(text: TextIO) -> Iterator[tuple[int, dict[str, Any] | Refused]]:
    lines = Lines(text)
    for number, line in enumerate(lines, 1):
        plain = line.strip()
        if not plain:
            if number in lines.long:
                yield number, Refused(f"the line {TOO_LONG}", "")
            continue
        try:
            value = _DECODE(plain)
        except (ValueError, RecursionError) as problem:
            yield number, Refused(f"the line is no JSON: {problem}", plain)
            continue
        yield number, value if isinstance(value, dict) else Refused("the line is no JSON object", plain)


def _texts(cells: list[Any], layout: tuple[str, ...]) -> list[str] | Refused:
    for i, cell in enumerate(cells):
        if cell is None:
            cells[i] = ""
        elif isinstance(cell, bool):
            cells[i] = "true" if cell else "false"
        elif not isinstance(cell, str):
            return Refused(f"{layout[i]} is no single value", reprlib.repr(cell))
    return cells


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""Beginning of the spreadsheets that programs wrote before 2007, and of other documents of that time."""
_ELSEWHERE = "engine.import_file takes the cursor or the Arrow reader of any other database"
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
        from ratingcore.importer.tables.databases import open_database

        return open_database(path, fields.query)
    return open_sheet(path, fields.encoding, fields.delimiter, further, fields.skip)
