"""A mapping applied to one file: which cell of a row holds each field, and how its text is parsed."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, Generic, TypeVar

from ratingcore.errors import BadFile, BadMapping, ColumnNotFound
from ratingcore.events import Instant
from ratingcore.events.bounds import see_name
from ratingcore.events.values import name as normal
from ratingcore.importer.tables.cells import Moment
from ratingcore.importer.tables.dates import played
from ratingcore.importer.tables.fieldmap import FieldMap
from ratingcore.importer.tables.sheets import Sheet
from ratingcore.importer.tables.sources import Constant, FromColumn, Source

V = TypeVar("V")

CACHE_LIMIT = 65_536
"""Distinct texts that a reader caches: days, names and words recur, exact times may not."""


class Reader(dict[str, V], Generic[V]):
    """Cache of the values of one field by the text of the cell.

    Rows say few things in many lines, and parsing is most of an import. As a dict with `__missing__`, a text seen
    before costs one look-up in C and no Python call.
    """

    def __init__(self, index: int, read: Callable[[str], V]) -> None:
        super().__init__()
        self.index, self.read = index, read

    def __missing__(self, text: str) -> V:
        value = self.read(text if type(text) is Moment else normal(text.strip()))
        if len(self) >= CACHE_LIMIT:
            self.clear()  # a field with this many texts hardly repeats any: which ones are dropped does not matter
        self[text] = value
        return value


class Group(dict[str | tuple[str, ...], V], Generic[V]):
    """Cache of what several fields say together, by the texts of their cells.

    `pick` cuts that key out of the cells of a row; a combination seen before costs one look-up for all of them.
    """

    def __init__(self, readers: Sequence[Reader[Any]], combine: Callable[[list[Any]], V]) -> None:
        super().__init__()
        self.readers, self.combine = readers, combine
        self.pick: Callable[[list[str]], str | tuple[str, ...]] = (
            itemgetter(*(reader.index for reader in readers)) if readers else lambda cells: ()
        )

    def __missing__(self, key: str | tuple[str, ...]) -> V:
        texts = (key,) if isinstance(key, str) else key  # itemgetter of one index gives the text, not a tuple
        value = self.combine([reader[text] for reader, text in zip(self.readers, texts, strict=True)])
        if len(self) >= CACHE_LIMIT:
            self.clear()
        self[key] = value
        return value


class Binding:
    """Makes the readers of one file.

    A constant is treated as one more cell: `tail` goes to the end of every row, so that reading a row never asks
    where a text comes from. `used` are the columns that a reader looks at.
    """

    def __init__(self, sheet: Sheet, fields: FieldMap) -> None:
        self._sheet, self._fields = sheet, fields
        self._columns = sheet.columns + sheet.further
        self.tail: list[str] = []
        self.used: set[int] = set()
        self.known = None if fields.known is None else self._reader("known", FromColumn(fields.known), self.day())
        """Reader of the time at which a result became known, if that is asked for."""

    @property
    def mapped(self) -> frozenset[str]:
        """The fields that the mapping names."""
        return frozenset(self._fields.fields)

    def day(self) -> Callable[[str], Instant]:
        """What reads the days and times of the file."""
        return played(self._fields.date, self._sheet.zone)

    @property
    def decimal(self) -> str:
        return self._fields.decimal or "."

    def has(self, column: str) -> bool:
        """Whether the file has a column of this name, mapped or not."""
        return column in self._columns

    def optional(self, field: str, read: Callable[[str], V], *columns: str) -> Reader[V] | None:
        """Reader of a field from its mapped source, else from the first of these columns that exists, else None."""
        source = self._fields.fields.get(field)
        if source is None:
            source = next((FromColumn(column) for column in columns if self.has(column)), None)
        return None if source is None else self._reader(field, source, read)

    def required(self, field: str, read: Callable[[str], V], *columns: str) -> Reader[V]:
        """Reader of a field that must exist: from its mapped source, or from a column of its own name.

        Raises
        ------
        ColumnNotFound
            If the file has no such column.
        """
        reader = self.optional(field, read, *(columns or (field,)))
        if reader is None:
            raise self.missing(field, field)
        return reader

    def pool(self, pool: str | None) -> "Reader[str] | None":
        """Reader of the pool of a row, or None where every row is of the given pool.

        Raises
        ------
        BadMapping
            If no pool is named at all.
        """
        if pool is None and "pool" not in self.mapped and not self.has("pool"):
            raise BadMapping(self._fields.where, "no pool is named")
        return self.optional("pool", lambda text: see_name("pool", text or pool or ""), "pool")

    def missing(self, column: str, field: str) -> ColumnNotFound:
        return ColumnNotFound(self._sheet.path, column, field, self._sheet.columns, argument=self._fields.argument)

    def _reader(self, field: str, source: Source, read: Callable[[str], V]) -> Reader[V]:
        if isinstance(source, Constant):
            self.tail.append(source.value)
            return Reader(self._sheet.width + len(self.tail) - 1, read)
        if not self.has(source.column):
            raise self.missing(source.column, field)
        if self._columns.count(source.column) > 1:
            raise BadFile(self._sheet.path, f"two columns are named {source.column}")
        if source.column in self._sheet.unreadable:
            held = self._sheet.unreadable[source.column]
            raise BadFile(self._sheet.path, f"the column {source.column} holds no single values: {held}")
        index = self._columns.index(source.column)
        self.used.add(index)
        if not source.words and not source.default and source.otherwise is None:
            return Reader(index, read)
        return Reader(index, lambda text: read(source.translated(text)))
