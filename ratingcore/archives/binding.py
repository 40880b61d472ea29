"""A mapping bound to a file: one reader a field, knowing its cell and every text it has met."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, Generic, TypeVar

from ratingcore.archives.fieldmap import FieldMap
from ratingcore.archives.sheets import Sheet
from ratingcore.archives.sources import Constant, FromColumn, Source
from ratingcore.errors import BadFile, BadMapping, ColumnNotFound
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


class Group(dict[str | tuple[str, ...], V], Generic[V]):
    """What the texts of several fields mean together: rows say few things in many ways.

    `pick` takes the key of a row out of its cells; a combination met before costs one look-up.
    """

    def __init__(self, readers: Sequence[Reader[Any]], combine: Callable[[list[Any]], V]) -> None:
        super().__init__()
        self.readers, self.combine = readers, combine
        self.pick: Callable[[list[str]], str | tuple[str, ...]] = (
            itemgetter(*(reader.index for reader in readers)) if readers else lambda cells: ()
        )

    def __missing__(self, key: str | tuple[str, ...]) -> V:
        texts = (key,) if isinstance(key, str) else key
        value = self.combine([reader[text] for reader, text in zip(self.readers, texts, strict=True)])
        if len(self) >= KEPT:
            self.clear()
        self[key] = value
        return value


class Binding:
    """The readers of one file; constants stand as further cells, `tail`, at the end of every row."""

    def __init__(self, sheet: Sheet, fields: FieldMap) -> None:
        self._sheet, self._fields = sheet, fields
        self._columns = sheet.columns + sheet.further
        self.tail: list[str] = []
        self.used: set[int] = set()

    @property
    def mapped(self) -> frozenset[str]:
        """The fields that the mapping speaks of."""
        return frozenset(self._fields.fields)

    @property
    def decimal(self) -> str:
        return self._fields.decimal or "."

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

    def pool(self, pool: str | None) -> "Reader[str] | None":
        """The reader of the pool, or None when it is this one in every row.

        Raises
        ------
        BadMapping
            If no pool is named at all.
        """
        if pool is None and "pool" not in self.mapped:
            raise BadMapping(self._fields.where, "no pool is named")
        return self.optional("pool", lambda text: text or pool or "")

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
