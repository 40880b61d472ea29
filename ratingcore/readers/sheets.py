"""The contract of tables: sheets of named columns and rows of text cells, and the kinds of files with such sheets."""

import csv
import io
import reprlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from decimal import Decimal
from math import isnan
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from uuid import UUID

from attrs import field, frozen
from attrs.validators import in_, instance_of

from ratingcore.readers.contract import Outgoing, Sample
from ratingcore.readers.items import Refused
from ratingcore.readers.source import Source
from ratingcore.safe_text import Filled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Rows = Iterator[tuple[int, list[str]] | Refused]
"""Rows with their line numbers: cells in the order of the sheet's columns and its `further` ones, or a refusal."""


Object = dict[str, Any]
"""A parsed JSON object, with numbers as texts."""


LONGEST_CELL = 2**20
"""Largest number of characters of a cell."""


class TypedRows(NamedTuple):
    """Games in some rows of a table with typed columns.

    Parameters
    ----------
    played : (n,) int64, microseconds since 1970
        Times; clock readings without a zone if `local`.
    timed : bool
        Whether the column holds times rather than days.
    local : bool
        Whether the times have no zone.
    a, b : (n,) int
        Places of the players among the names.
    names : list of str
        The different texts of both columns, in the order in which they appear.
    score : (n,) float64
    uids : (n,) bytes, list of str, or None
        Ids of the rows, if there is such a column; bytes if all are printable ASCII.
    """

    played: "NDArray[np.int64]"
    timed: bool
    local: bool
    a: "NDArray[np.integer[Any]]"
    b: "NDArray[np.integer[Any]]"
    names: list[str]
    score: "NDArray[np.float64]"
    uids: "NDArray[np.bytes_] | list[str] | None" = None


class Typed(NamedTuple):
    """The typed columns of a table, which can be read any number of times.

    Parameters
    ----------
    games : callable
        Takes the column of each field (played, a, b, score, uid), the number of rows of the first part, and of further
        parts. Yields the parts from the start, with None for a part with a value that no game has; returns None if a
        column has a type that its field cannot have.
    rows : int
        Number of rows; 0 if unknown.
    """

    games: Callable[[Mapping[str, str], int, int], Iterator[TypedRows | None] | None]
    rows: int = 0


def distinct(columns: Sequence[str]) -> tuple[str, ...]:
    """Returns headings with a number added to each repeated one, unless another column has that heading.

    Examples
    --------
    >>> distinct(["Player", "Result", "Player", "Result"]), distinct(["a", "a", "a 2", "", ""])
    (('Player', 'Result', 'Player 2', 'Result 2'), ('a', 'a', 'a 2', '', ''))
    """
    met, there = Counter[str](), {*columns}
    if len(there) == len(columns):
        return tuple(columns)
    names = []
    for column in columns:
        met[column] += 1
        name = f"{column} {met[column]}"
        names.append(name if column and met[column] > 1 and name not in there else column)
    return tuple(names)


@frozen
class Sheet:
    """A file with named columns.

    `rows` takes the indexes of the columns that are used, and reads from the start at each call.
    `further` are columns that later objects may have although the sampled ones do not. `unreadable` are columns without
    single values, each with what it holds. `objects` yields the objects of a file of objects, with their lines. `zone`
    is the zone of times without one. `typed` are the columns if they have types. `once` is true for a table that can be
    read only once. `doubled` are headings of several columns; the second is renamed, such as `Player 2`. `whole` is
    true if rows have the texts of unused columns too; if not, `texts` may yield the different texts of one column, part
    by part. `mixed` is true if the cells of one column may have several types. `hidden` are the lines of rows that the
    file hides from its readers. `name` is that of a sheet of a spreadsheet, and `others` those of its sheets with rows
    that are not read.
    """

    path: str
    columns: tuple[str, ...]
    rows: Callable[[frozenset[int]], Rows]
    further: tuple[str, ...] = ()
    delimiter: str = ","
    unreadable: Mapping[str, str] = field(factory=dict)
    objects: Callable[[], Iterator[tuple[int, Object] | Refused]] | None = None
    zone: tzinfo | None = None
    typed: Typed | None = None
    once: bool = False
    doubled: frozenset[str] = frozenset()
    whole: bool = False
    mixed: bool = False
    texts: Callable[[int], Iterator[set[str]]] | None = None
    hidden: tuple[int, ...] = ()
    name: str = ""
    others: tuple[str, ...] = ()

    @classmethod
    def of_values(
        cls,
        path: str,
        columns: tuple[str, ...],
        rows: Callable[[], Iterable[tuple[int, Sequence[Any]]]],
        zone: tzinfo | None = None,
    ) -> "Sheet":
        """Returns a sheet of cells with values: texts, numbers, days, times, or None.

        Parameters
        ----------
        path : str
            Name of the file.
        rows : callable
            Yields line numbers and cells, from the first row each time.
        zone : tzinfo or None
            Zone of times without one.
        """
        values = Values(zone)

        def texts(used: frozenset[int]) -> Rows:
            for line, cells in rows():
                cells = [
                    cell if index in used or (type(cell) is str and len(cell) <= LONGEST_CELL) else None
                    for index, cell in enumerate(cells[: len(columns)])
                ]
                yield values.row(line, [*cells, *[None] * (len(columns) - len(cells))], columns)

        return cls(path, columns, texts, whole=True, mixed=True)

    @property
    def layout(self) -> tuple[str, ...]:
        """The columns of a row of cells."""
        return self.columns + self.further

    @property
    def width(self) -> int:
        return len(self.columns) + len(self.further)

    def cells(self, column: str) -> Iterator[str]:
        """Yields the texts of a column without blanks around them, those of refused rows left out."""
        if self.objects is not None:
            values = (row[1].get(column) for row in self.objects() if not isinstance(row, Refused))
            yield from ("" if value is None else str(value).strip() for value in values)
        else:
            at = self.columns.index(column)
            rows = self.rows(frozenset({at}))
            yield from (row[1][at].strip() for row in rows if not isinstance(row, Refused))

    def lines(self) -> list[tuple[int, str]]:
        """Returns the numbered lines of the table as a text: its header and its rows, their cells joined by tabs."""
        rows = [row for row in self.rows(frozenset(range(self.width))) if not isinstance(row, Refused)]
        first = rows[0][0] - 1 if rows else 1
        cells = [(max(first, 1), list(self.columns)), *rows]
        return [(line, "\t".join(" ".join(cell.split()) for cell in row)) for line, row in cells]

    def text(self, cells: list[str]) -> str:
        """Returns a row as one text, for people to read."""
        return joined(cells[: self.width], self.delimiter)


class Truth(str):
    """Text of a cell of type bool, which is never a name.

    Examples
    --------
    >>> Truth.of(True)
    'true'
    """

    __slots__ = ()

    @classmethod
    def of(cls, value: bool) -> "Truth":
        """The text of true or false."""
        return cls("true" if value else "false")


class Moment(str):
    """ISO text of a cell whose type is a day or time; formats of dates do not apply to it.

    Examples
    --------
    >>> Moment("2024-03-02")
    '2024-03-02'
    """

    __slots__ = ()


class Values:
    """Makes texts of values.

    Parameters
    ----------
    zone : tzinfo or None
        Zone of times without one; None to leave their texts without one. Midnight without a zone is always a whole
        day.

    Examples
    --------
    >>> values = Values(None)
    >>> [values.text(value) for value in (12345678.0, 0.5, True, None, date(2024, 3, 2))]
    ['12345678', '0.5', 'true', '', '2024-03-02']
    """

    def __init__(self, zone: tzinfo | None) -> None:
        self.zone = zone

    def row(self, line: int, cells: Sequence[Any], columns: Sequence[str]) -> tuple[int, list[str]] | Refused:
        """Returns a row with the texts of its cells; refuses it if a cell is not a single value, or too long."""
        found = []
        for cell, column in zip(cells, columns, strict=True):
            text = self.text(cell)
            if text is None:
                return Refused(line, Filled("{column} is not a single value", column=column), reprlib.repr(cell))
            if len(text) > LONGEST_CELL:
                return Refused(
                    line, Filled("{column} has more than {most} characters", column=column, most=f"{LONGEST_CELL:,}")
                )
            found.append(text)
        return line, found

    def text(self, value: Any) -> str | None:
        """Returns the text of a value; None if it is not a single value.

        Whole numbers have no decimal point, whatever their type, so that ids stay as written. A missing
        value, also NaN, is an empty cell.
        """
        if isinstance(value, str):
            return value
        if value is None:
            return ""
        if type(value).__module__ == "numpy" and hasattr(value, "item"):
            value = value.item()
        if isinstance(value, bool):
            return Truth.of(value)
        if isinstance(value, int):
            return str(value)
        if isinstance(value, float):
            return "" if isnan(value) else str(int(value)) if value.is_integer() and abs(value) < 2**63 else repr(value)
        if isinstance(value, date):
            return self.moment(value)
        if isinstance(value, Decimal):
            return "" if value.is_nan() else self.text(float(value))
        if isinstance(value, UUID | time | timedelta):
            return str(value)
        return "" if type(value).__name__ == "NAType" else None  # pandas' own missing value

    def moment(self, value: date) -> str:
        """Returns the text of a day or time; empty for a missing one, such as NaT."""
        if value != value:
            return ""
        if not isinstance(value, datetime):
            return Moment(value.isoformat())
        if value.tzinfo is None:
            if value.time() == time():
                return Moment(value.date().isoformat())
            value = value.replace(tzinfo=self.zone)
        return Moment(value.isoformat())


def is_frame(table: object) -> bool:
    """True if Arrow can read an object in memory by columns, such as a DataFrame."""
    frame = type(table).__module__.partition(".")[0] == "pandas" and type(table).__name__ == "DataFrame"
    return frame or hasattr(table, "__arrow_c_stream__") or type(table).__module__.startswith("pyarrow.")


def joined(cells: list[str], delimiter: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerow(cells)
    return text.getvalue().removesuffix("\r\n")


def parts_of(heading: str) -> tuple[str, ...]:
    """Returns a heading, and its parts if it is written in several languages.

    Examples
    --------
    >>> parts_of("White / Blancs")
    ('White / Blancs', 'White', 'Blancs')
    """
    return (heading, *filter(None, map(str.strip, heading.split("/")))) if "/" in heading else (heading,)


def _reads_none(columns: Sequence[str]) -> bool:
    return False


@frozen
class Wanted:
    """Requirements for a table that is opened.

    Parameters
    ----------
    columns : frozenset of str
        Columns that the right table must have.
    further : tuple of str
        Columns that later rows may have although the first rows do not.
    selection : str
        The sheet or the query that the user names, or empty.
    skip : int
        Number of rows before the header.
    reads : callable
        Returns whether a table can be read by its headings, although it lacks the columns.
    """

    columns: frozenset[str] = frozenset()
    further: tuple[str, ...] = ()
    selection: str = ""
    skip: int = 0
    reads: Callable[[Sequence[str]], bool] = _reads_none

    def fits(self, row: Sequence[str]) -> bool:
        """True if a row is the required header."""
        return self.columns <= {part for text in row for part in parts_of(text)} or self.reads(row)


@frozen
class SheetForm:
    """A file format in which tables are written.

    Parameters
    ----------
    name : str
        Its name in the option `form` of the table writers, such as `parquet`.
    endings : tuple of str
        Endings of file names that choose it, such as `.parquet`.
    results : callable
        Yields the bytes of a file with results.
    ratings : callable
        Yields the bytes of a file with the rating list in `Outgoing.listed`.
    """

    name: str = field(validator=instance_of(str))
    endings: tuple[str, ...]
    results: Callable[[Outgoing], Iterator[bytes]]
    ratings: Callable[[Outgoing], Iterator[bytes]]


def _none(table: object) -> bool:
    return False


@frozen
class SheetKind:
    """A kind of table file: the functions that recognise, open and write such files.

    Parameters
    ----------
    name : str
        Name of its reader on the command line.
    summary : str
        A line that describes what it reads.
    noun : str
        What errors call such a file, such as `spreadsheet`.
    sniff : callable
        Returns the confidence that a sample is of this kind, 0 to 100; judges by content and never raises.
    open : callable
        Opens a source as a `Sheet`; `BadFile` if it cannot be read, `NotInstalled` without the required package.
    asks : {"", "sheet", "query"}
        What the user may name besides the file: one of its sheets, or a query.
    suffixes : tuple of str
        Endings of file names; they decide only between readers that are equally sure.
    takes : callable
        Returns whether it opens an object in memory, such as a DataFrame.
    open_object : callable or None
        Opens such an object as a `Sheet`; takes the object, its name, the zone of times without one, and whether its
        rows will be read more than once.
    form : SheetForm or None
        The form in which such files are written.

    Examples
    --------
    >>> def open(source, wanted):
    ...     rows = [line.split() for _, line in source.lines()]
    ...     return Sheet.of_values(source.name, tuple(rows[0]), lambda: enumerate(rows[1:], 2))
    >>> kind = SheetKind("blanks", "cells with blanks between them", "table of blanks", lambda sample: 0, open)
    >>> sheet = kind.open(Source.of_bytes("games", b"a b\\nann bo"), Wanted())
    >>> sheet.columns, list(sheet.rows(frozenset({0, 1})))
    (('a', 'b'), [(2, ['ann', 'bo'])])
    """

    name: str = field(validator=instance_of(str))
    summary: str
    noun: str
    sniff: Callable[[Sample], int]
    open: Callable[[Source, Wanted], Sheet]
    asks: Literal["", "sheet", "query"] = field(default="", validator=in_(("", "sheet", "query")))
    suffixes: tuple[str, ...] = ()
    takes: Callable[[object], bool] = _none
    open_object: Callable[[object, str, tzinfo | None, bool], Sheet] | None = None
    form: SheetForm | None = None
