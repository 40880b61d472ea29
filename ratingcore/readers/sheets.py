"""A table as its reader sees it: named columns, rows of text cells, and values of cells as texts."""

import csv
import io
import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from decimal import Decimal
from math import isnan
from typing import Any, NamedTuple
from uuid import UUID

from attrs import field, frozen


class Refused(NamedTuple):
    """A row that cannot be an event; `text` is the row as it stands in the file."""

    reason: str
    text: str


Rows = Iterator[tuple[int, list[str] | Refused]]
"""Pairs of line number and cells, in the order of the columns of the sheet and the `further` ones."""


Object = dict[str, Any]
"""A parsed JSON object, its numbers as texts."""


LONGEST_CELL = 2**20
"""Characters of a cell at most."""


@frozen
class Sheet:
    """A file with named columns.

    `rows` takes the indexes of the columns that are used, and reads from the start each time it is called.
    `further` are columns that an object may have though the sampled ones do not. `unreadable` are columns that hold no
    single values, with what they hold. Of
    a file of objects, `objects` are these with their lines. `zone` is that of times which have none.
    """

    path: str
    columns: tuple[str, ...]
    rows: Callable[[frozenset[int]], Rows]
    further: tuple[str, ...] = ()
    delimiter: str = ","
    unreadable: Mapping[str, str] = field(factory=dict)
    objects: Callable[[], Iterator[tuple[int, Object | Refused]]] | None = None
    zone: tzinfo | None = None

    @property
    def layout(self) -> tuple[str, ...]:
        """The columns of a row of cells."""
        return self.columns + self.further

    @property
    def width(self) -> int:
        return len(self.columns) + len(self.further)

    def text(self, cells: list[str]) -> str:
        """A row as one text, to show it to people."""
        return joined(cells[: self.width], self.delimiter)


class Moment(str):
    """ISO text of a cell that holds a day or a time as such, so that no format of dates applies to it.

    Examples
    --------
    >>> Moment("2024-03-02")
    '2024-03-02'
    """

    __slots__ = ()


class Values:
    """Makes the texts of values.

    Parameters
    ----------
    zone : tzinfo or None
        Zone of times that have none; they have none in the texts without it. Midnight without a zone is a whole day in
        any case.

    Examples
    --------
    >>> values = Values(None)
    >>> [values.text(value) for value in (12345678.0, 0.5, True, None, date(2024, 3, 2))]
    ['12345678', '0.5', 'true', '', '2024-03-02']
    """

    def __init__(self, zone: tzinfo | None) -> None:
        self.zone = zone

    def texts(self, cells: Sequence[Any], columns: Sequence[str]) -> list[str] | Refused:
        """The texts of a row; refused if one of its cells holds no single value."""
        found = []
        for cell, column in zip(cells, columns, strict=True):
            text = self.text(cell)
            if text is None:
                return Refused(f"{column} is no single value", reprlib.repr(cell))
            if len(text) > LONGEST_CELL:
                return Refused(f"{column} has more than {LONGEST_CELL:,} characters", "")
            found.append(text)
        return found

    def text(self, value: Any) -> str | None:
        """The text of a value; None if it is no single one.

        Whole numbers have no decimal point, whatever their type, so that ids read as they were written. What is
        missing, NaN too, is an empty cell.
        """
        if isinstance(value, str):
            return value
        if value is None:
            return ""
        if type(value).__module__ == "numpy" and hasattr(value, "item"):
            value = value.item()
        if isinstance(value, bool):
            return "true" if value else "false"
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
        """The text of a day or time; empty if it is missing, as of NaT."""
        if value != value:
            return ""
        if not isinstance(value, datetime):
            return Moment(value.isoformat())
        if value.tzinfo is None:
            if value.time() == time():
                return Moment(value.date().isoformat())
            value = value.replace(tzinfo=self.zone)
        return Moment(value.isoformat())


def joined(cells: list[str], delimiter: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerow(cells)
    return text.getvalue().removesuffix("\r\n")
