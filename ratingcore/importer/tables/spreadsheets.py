"""Spreadsheets as tables: the sheet that has the columns, below its header."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from importlib.util import find_spec
from multiprocessing.spawn import get_executable
from pathlib import Path as FilePath
from typing import IO, Any
from weakref import WeakKeyDictionary

from attrs import frozen

from ratingcore.errors import BadFile, NotInstalled
from ratingcore.importer.tables import spreadsheet_process
from ratingcore.importer.tables.arrow import seekable
from ratingcore.importer.tables.fieldmap import FieldMap, FromColumn
from ratingcore.readers import Source
from ratingcore.readers.files import Path, check_file, label
from ratingcore.readers.sheets import Rows, Sheet, Values

HEADER = 50
"""Rows among which the header is looked for."""


@frozen
class Page:
    """One sheet: its rows that are not empty, with their numbers, and values of cells as the file has them."""

    name: str
    rows: list[tuple[int, list[Any]]]


@frozen
class Book:
    """The sheets of a spreadsheet that were read, and the names of all."""

    pages: tuple[Page, ...]
    names: tuple[str, ...]


_BOOKS: "WeakKeyDictionary[Source, tuple[str, Book]]" = WeakKeyDictionary()
"""What was read of a source, by the sheet that was asked for: importing looks at it several times."""


def open_spreadsheet(path: Path, fields: FieldMap, needs: Sequence[str]) -> Sheet:
    """Opens the sheet of a spreadsheet that holds the columns that the mapping names, or the needed ones.

    Parameters
    ----------
    fields : FieldMap
        Its `sheet` names the sheet; its `skip` says how many rows stand before the header.
    needs : sequence of str
        Columns that have to be there where they are not mapped.

    Raises
    ------
    BadFile
        If the file cannot be read, or no sheet or several have the columns.
    NotInstalled
        If the extra `sheets` is not there.
    """
    wanted = {source.column for source in fields.fields.values() if isinstance(source, FromColumn)}
    wanted |= {name for name in needs if name not in fields.fields}
    name, values = label(path), Values(path.zone if isinstance(path, Source) else None)
    found = _chosen(name, _book(path, fields.sheet or ""), fields, frozenset(wanted))
    columns = found.columns

    def rows(used: frozenset[int]) -> Rows:
        for number, cells in found.page.rows:
            if number > found.header:
                wide = [*cells, *[""] * (len(columns) - len(cells))]
                asked = [cell if index in used else None for index, cell in enumerate(wide[: len(columns)])]
                yield number, values.texts(asked, columns)

    return Sheet(name, columns, rows)


@frozen
class _Found:
    """A sheet, the number of its header, and its columns."""

    page: Page
    header: int
    columns: tuple[str, ...]
    complete: bool


def _chosen(name: str, book: Book, fields: FieldMap, wanted: frozenset[str]) -> _Found:
    """The sheet that is named, or the only visible one that has the columns, or the only one at all."""
    if fields.sheet is not None and fields.sheet not in book.names:
        raise BadFile(name, f"it has no sheet {fields.sheet}", f"its sheets are {', '.join(book.names)}")
    found = [one for one in (_headed(page, fields.skip or 0, wanted) for page in book.pages) if one is not None]
    complete = [one for one in found if one.complete]
    if len(complete) == 1:
        return complete[0]
    listed = ", ".join(one.page.name for one in complete or found)
    if len(complete) > 1:
        raise BadFile(name, f"{len(complete)} of its sheets have the columns: {listed}", "say which by --sheet NAME")
    if len(found) == 1:
        return found[0]  # the columns that are missing are named
    if not found:
        raise BadFile(name, "it has no rows", f"its sheets are {', '.join(book.names)}" if len(book.names) > 1 else "")
    columns = ", ".join(sorted(wanted))
    raise BadFile(name, f"none of its sheets has the columns {columns}: {listed}", "map them by --map, or say --sheet")


def _headed(page: Page, skip: int, wanted: frozenset[str]) -> _Found | None:
    """A sheet with its header: the first row that holds all wanted columns, else the first that is not empty."""
    first, values = None, Values(None)
    for number, cells in page.rows:
        if number > skip + HEADER:
            break
        texts = tuple((values.text(cell) or "").strip() for cell in cells)
        if number <= skip or not any(texts):
            continue
        if wanted <= set(texts):
            return _Found(page, number, texts, complete=True)
        first = first or _Found(page, number, texts, complete=False)
    return first


# The process that reads


def _book(path: Path, sheet: str) -> Book:
    """The sheet of this name, or all visible ones if it is empty."""
    if isinstance(path, Source) and path in _BOOKS and _BOOKS[path][0] == sheet:
        return _BOOKS[path][1]
    if find_spec("python_calamine") is None:
        raise NotInstalled("python-calamine", "a spreadsheet", "sheets")
    name = label(path)
    names: list[str] = []
    pages: dict[int, Page] = {}
    done = False
    with _lines(path, sheet) as lines:
        for line in lines:
            said = json.loads(line)
            if isinstance(said, dict):
                if "error" in said:
                    raise BadFile(name, f"the spreadsheet cannot be read: {said['error']}")
                done = True
            elif not names:
                names = said
            else:
                place, number, cells = said
                page = pages.setdefault(place, Page(names[place], []))
                page.rows.append((number, list(map(_value, cells))))
    if not done:
        raise BadFile(name, "the spreadsheet is damaged, or takes more memory to read than it may")
    book = Book(tuple(pages.values()), tuple(names))
    if isinstance(path, Source):
        _BOOKS[path] = sheet, book
    return book


def _value(cell: Any) -> Any:
    if isinstance(cell, dict):
        text = cell["at"]
        return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    return cell


@contextmanager
def _lines(path: Path, sheet: str) -> Iterator[IO[bytes]]:
    """What the process says that reads the file."""
    program = [get_executable(), "-P", str(FilePath(spreadsheet_process.__file__))]
    where = path.path if isinstance(path, Source) else path
    if where is not None:
        check_file(where)
    content = None if where is not None else _content(path)
    given = ["-" if where is None else str(FilePath(where).absolute()), sheet]
    try:
        process = subprocess.Popen(
            [*program, *given],
            stdin=subprocess.DEVNULL if content is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError as error:
        raise BadFile(label(path), f"no process can be started to read the spreadsheet: {error}") from None
    with process:
        assert process.stdout is not None, "it is piped"
        if content is not None:
            assert process.stdin is not None, "it is piped"
            try:
                with process.stdin as pipe:
                    pipe.write(content)
            except BrokenPipeError:  # it ended already, and said why
                pass
        try:
            yield process.stdout
        finally:
            process.kill()


def _content(path: Path) -> bytes:
    with seekable(path) as file:
        return file.read()
