"""Reads tables from the sheets of spreadsheets, and writes tables as workbooks."""

import io
import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from importlib.util import find_spec
from itertools import chain, islice
from multiprocessing.spawn import get_executable
from pathlib import Path
from typing import IO, Any
from weakref import WeakKeyDictionary

from attrs import evolve, frozen

from ratingcore.plugin.readers import (
    BadFile,
    CannotWrite,
    Filled,
    NotInstalled,
    Outgoing,
    Sample,
    Sheet,
    SheetForm,
    SheetKind,
    Source,
    Values,
    Wanted,
    check_file,
    iso,
)
from ratingcore_tables import spreadsheet_process
from ratingcore_tables.arrow import seekable

HEADER = 50
"""Number of rows in which the header is searched."""


@frozen
class Page:
    """A sheet: its non-empty rows with their numbers, and which of them are hidden; cells have their types."""

    name: str
    rows: list[tuple[int, list[Any]]]
    hidden: list[int]


@frozen
class Workbook:
    """The sheets of a spreadsheet that were read, and the names of all its sheets."""

    pages: tuple[Page, ...]
    names: tuple[str, ...]


_BOOKS: "WeakKeyDictionary[Source, tuple[str, Workbook]]" = WeakKeyDictionary()
"""Content of a source, by the requested sheet: importing reads it several times."""


def open_spreadsheet(source: Source, wanted: Wanted) -> Sheet:
    """Opens the named sheet of a spreadsheet, or the only one with the wanted columns.

    Raises
    ------
    BadFile
        If the file cannot be read, or if no sheet or several sheets have the columns.
    NotInstalled
        If the extra `sheets` is not installed.
    """
    found, others = _chosen(source.name, _book(source, wanted.selection), wanted)

    def rows() -> Iterator[tuple[int, list[Any]]]:
        return ((number, cells) for number, cells in found.page.rows if number > found.header)

    hidden = tuple(number for number in found.page.hidden if number > found.header)
    sheet = Sheet.of_values(source.name, found.columns, rows, source.zone)
    return evolve(sheet, hidden=hidden, name=found.page.name, others=others)


@frozen
class _SheetFound:
    """A sheet, the row number of its header, its columns, and whether it has all wanted ones."""

    page: Page
    header: int
    columns: tuple[str, ...]
    complete: bool


def _chosen(name: str, book: Workbook, wanted: Wanted) -> tuple[_SheetFound, tuple[str, ...]]:
    """Returns the only sheet with the columns, else the only non-empty one, and the names of the other non-empty ones.

    If a sheet is named, no other was read.
    """
    if wanted.selection and wanted.selection not in book.names:
        raise BadFile(
            name, Filled("it has no sheet {sheet}", sheet=wanted.selection), f"its sheets are {', '.join(book.names)}"
        )
    found = [one for one in (_with_header(page, wanted) for page in book.pages) if one is not None]
    complete = [one for one in found if one.complete]
    if len(complete) == 1:
        return complete[0], tuple(one.page.name for one in found if one is not complete[0])
    listed = ", ".join(one.page.name for one in complete or found)
    if len(complete) > 1:
        why = Filled("{n} of its sheets have the columns: {sheets}", n=len(complete), sheets=listed)
        raise BadFile(name, why, "give the sheet that is meant", "sheet")
    if len(found) == 1:
        return found[0], ()  # a later error names the missing columns
    if not found:
        raise BadFile(name, "it has no rows", f"its sheets are {', '.join(book.names)}" if len(book.names) > 1 else "")
    columns = ", ".join(sorted(wanted.columns))
    why = Filled("none of its sheets has the columns {columns}: {sheets}", columns=columns, sheets=listed)
    raise BadFile(name, why, "map fields to columns, or give the sheet that is meant", "fields")


def _with_header(page: Page, wanted: Wanted) -> _SheetFound | None:
    """Finds the header of a sheet: the first row with all wanted columns, else the first non-empty row."""
    first, values = None, Values(None)
    for number, cells in page.rows:
        if number > wanted.skip + HEADER:
            break
        texts = tuple((values.text(cell) or "").strip() for cell in cells)
        if number <= wanted.skip or not any(texts):
            continue
        if wanted.fits(texts):
            return _SheetFound(page, number, texts, complete=True)
        first = first or _SheetFound(page, number, texts, complete=False)
    return first


# the reading process


def _book(source: Source, sheet: str) -> Workbook:
    """Reads the sheet with a name, or all visible sheets if the name is empty."""
    if source in _BOOKS and _BOOKS[source][0] == sheet:
        return _BOOKS[source][1]
    if find_spec("python_calamine") is None:
        raise NotInstalled("python-calamine", "a spreadsheet", "sheets")
    name = source.name
    names: list[str] = []
    pages: dict[int, Page] = {}
    done = False
    with _lines(source, sheet) as lines:
        for line in lines:
            message = json.loads(line)
            if isinstance(message, dict):
                if "error" in message:
                    raise BadFile(name, Filled("the spreadsheet cannot be read: {error}", error=message["error"]))
                done = True
            elif not names:
                names = message
            else:
                place, number, hidden, cells = message
                page = pages.setdefault(place, Page(names[place], [], []))
                page.rows.append((number, list(map(_value, cells))))
                page.hidden.extend([number] * hidden)
    if not done:
        raise BadFile(name, "the spreadsheet is damaged, or takes more memory to read than it may")
    book = Workbook(tuple(pages.values()), tuple(names))
    _BOOKS[source] = sheet, book
    return book


def _value(cell: Any) -> Any:
    if isinstance(cell, dict):
        text = cell["at"]
        return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    return cell


@contextmanager
def _lines(source: Source, sheet: str) -> Iterator[IO[bytes]]:
    """Runs the reading process, and gives its output."""
    program = [get_executable(), "-P", str(Path(spreadsheet_process.__file__))]
    where = source.path
    if where is not None:
        check_file(where)
    content = None if where is not None else _content(source)
    given = ["-" if where is None else str(Path(where).absolute()), sheet]
    try:
        process = subprocess.Popen(
            [*program, *given],
            stdin=subprocess.DEVNULL if content is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError as error:
        raise BadFile(
            source.name, Filled("no process can be started to read the spreadsheet: {error}", error=error)
        ) from None
    with process:
        assert process.stdout is not None, "it is piped"
        if content is not None:
            assert process.stdin is not None, "it is piped"
            try:
                with process.stdin as pipe:
                    pipe.write(content)
            except BrokenPipeError:  # the process ended early, with the reason in its output
                pass
        try:
            yield process.stdout
        finally:
            process.kill()


def _content(source: Source) -> bytes:
    with seekable(source) as file:
        return file.read()


# Writing


def write_results(out: Outgoing) -> Iterator[bytes]:
    """Writes results as a workbook, with the head of their log on a sheet of its own."""
    columns = out.columns("xlsx")

    def rows() -> Iterator[list[Any]]:
        for row in out.rows():
            row["played"] = iso(row["played"])
            yield [row.get(name) for name in columns]

    yield workbook({"results": (columns, rows()), "made from": (("fact", "value"), [("head", out.head)])})


def write_ratings(out: Outgoing) -> Iterator[bytes]:
    """Writes a rating list as a workbook, with its provenance on a sheet of its own."""
    assert out.listed is not None, "the writer has checked it"
    document = json.loads(out.listed.document("json", out.listed_name))
    made = ("fact", "value"), _facts(document)
    yield workbook({"ratings": (document["columns"], document["rows"]), "made from": made})


def _facts(document: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Returns the provenance of a list, with a row for each fact."""
    for name, value in document.items():
        if isinstance(value, dict):
            yield from _facts(value)
        elif name not in ("columns", "rows"):
            yield name, value


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""Beginning of spreadsheets of programs before 2007, and of other documents of that time."""
OPEN_DOCUMENT = b"application/vnd.oasis.opendocument.spreadsheet"


def sniff(sample: Sample) -> int:
    """Recognises old spreadsheets by their first bytes, and new ones by the members of their archive."""
    head = sample.head
    packed = head.startswith(b"PK\x03\x04") and (b"xl/" in head or OPEN_DOCUMENT in head[:256])
    return 90 if b"\0" in head[:512] and (head.startswith(OLE) or packed) else 0


SHEET = SheetKind(
    "sheet", "a sheet of a spreadsheet: xlsx, xlsm, xlsb, xls, ods", "spreadsheet", sniff, open_spreadsheet,
    asks="sheet", suffixes=(".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
    form=SheetForm("xlsx", (".xlsx",), write_results, write_ratings),
)  # fmt: skip


ROWS = 1_048_576
"""Largest number of rows of a sheet, including its header."""
_CELL = 32_767
SAMPLE, WIDEST = 1000, 60
"""Number of rows by which the widths of columns are measured, and the largest width, in characters."""
_SINCE = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)

Table = tuple[Sequence[str], Iterable[Sequence[Any]]]
"""Names of columns, and rows of cells: texts, numbers, None."""


def workbook(sheets: Mapping[str, Table]) -> bytes:
    """Returns the bytes of an xlsx file with these tables.

    Parameters
    ----------
    sheets : mapping of str to Table
        By the names of the sheets; their rows are read once.

    Raises
    ------
    CannotWrite
        If there are more rows than a sheet has, or a text longer than a cell.
    NotInstalled
        If the extra `sheets` is not installed.
    """
    try:
        from openpyxl import Workbook  # type: ignore[import-untyped]  # has no types
        from openpyxl.cell import WriteOnlyCell  # type: ignore[import-untyped]  # as above
    except ImportError:
        raise NotInstalled("openpyxl", "xlsx", "sheets") from None
    book = Workbook(write_only=True)
    book.properties.created = book.properties.modified = _SINCE  # the same data give the same bytes at any time
    for name, (columns, rows) in sheets.items():
        sheet = book.create_sheet(name)
        sheet.freeze_panes = "A2"
        left = iter(rows)
        first, number = list(islice(left, SAMPLE)), 1
        for letter, size in _widths(columns, first):
            sheet.column_dimensions[letter].width = size
        try:
            sheet.append(list(columns))
            for number, row in enumerate(chain(first, left), 2):
                if number > ROWS:
                    raise CannotWrite(
                        f"the sheet {name}", f"it has more than {ROWS - 1} rows", "write .csv or .parquet"
                    )
                sheet.append([_text(WriteOnlyCell, sheet, cell) if isinstance(cell, str) else cell for cell in row])
            if columns:
                sheet.auto_filter.ref = f"A1:{_letter(len(columns))}{number}"
        except BaseException:
            sheet.close()  # otherwise its temporary file would stay open
            raise
    sink = io.BytesIO()
    book.save(sink)
    return sink.getvalue()


def _widths(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[tuple[str, int]]:
    """Returns the widths of columns by letter: those of the longest cell, or of the heading with its filter arrow."""
    for number, name in enumerate(columns):
        longest = max((len(str(row[number])) for row in rows if row[number] is not None), default=0)
        yield _letter(number + 1), min(max(longest, len(name) + 3) + 2, WIDEST)


def _letter(number: int) -> str:
    """Returns the letters of a column; the first is A.

    Examples
    --------
    >>> _letter(1), _letter(27)
    ('A', 'AA')
    """
    high, low = divmod(number - 1, 26)
    return (_letter(high) if high else "") + chr(ord("A") + low)


def _text(make: Any, sheet: Any, text: str) -> Any:
    """Returns a text cell, even for a text that begins with `=` and would become a formula."""
    if len(text) > _CELL:
        raise CannotWrite(f"the sheet {sheet.title}", f"a text has more than {_CELL} characters: {text[:40]!r}")
    cell = make(sheet, value=text)
    cell.data_type = "s"
    return cell
