"""A mapping bound to a file: one reader a field, knowing its cell and every text it has met."""

from collections.abc import Callable
from typing import Generic, TypeVar

from ratingcore.archives.fieldmap import FieldMap
from ratingcore.archives.sheets import Sheet
from ratingcore.archives.sources import Constant, FromColumn, Source
from ratingcore.errors import BadFile, ColumnNotFound
from ratingcore.events.values import name as normal

V = TypeVar("V")

KEPT = 65_536
"""Distinct texts a reader remembers: days, names and words come again, instants may not."""


class Reader(dict[str, V], Generic[V]):
    """What the texts of one field mean; each distinct text is read once.

    A dict because that is the point: a text met before costs one look-up, no Python call.
    """

    def __init__(self, index: int, read: Callable[[str], V]) -> None:
        super().__init__()
        self.index, self.read = index, read

    def __missing__(self, text: str) -> V:
        value = self.read(normal(text.strip()))
        if len(self) >= KEPT:
            self.clear()
        self[text] = value
        return value


class Binding:
    """The readers of one file; constants stand as further cells, `tail`, at the end of every row."""

    def __init__(self, sheet: Sheet, fields: FieldMap) -> None:
        self._sheet, self._fields = sheet, fields
        self._columns = sheet.columns + sheet.further
        self.tail: list[str] = []
        self.used: set[int] = set()

    def has(self, column: str) -> bool:
        """Whether the file has a column of this name, mapped or not."""
        return column in self._columns

    def optional(self, field: str, read: Callable[[str], V], *columns: str) -> Reader[V] | None:
        """The reader of a field from where the mapping says, else from the first of these columns that is there."""
        source = self._fields.fields.get(field)
        if source is None:
            source = next((FromColumn(column) for column in columns if self.has(column)), None)
        return None if source is None else self._reader(field, source, read)

    def required(self, field: str, read: Callable[[str], V], *columns: str) -> Reader[V]:
        """The reader of a field that must be there: from the mapping, or from a column of its own name.

        Raises
        ------
        ColumnNotFound
            If the file has no such column.
        """
        reader = self.optional(field, read, *(columns or (field,)))
        if reader is None:
            raise self.missing(field, field)
        return reader

    def missing(self, column: str, field: str) -> ColumnNotFound:
        return ColumnNotFound(self._sheet.path, column, field, self._sheet.columns)

    def _reader(self, field: str, source: Source, read: Callable[[str], V]) -> Reader[V]:
        if isinstance(source, Constant):
            self.tail.append(source.value)
            return Reader(self._sheet.width + len(self.tail) - 1, read)
        if not self.has(source.column):
            raise self.missing(source.column, field)
        if self._columns.count(source.column) > 1:
            raise BadFile(self._sheet.path, f"two columns are named {source.column}")
        index = self._columns.index(source.column)
        self.used.add(index)
        if not source.words and not source.default and source.otherwise is None:
            return Reader(index, read)
        return Reader(index, lambda text: read(source.translated(text)))
