"""Tables in memory as sources: DataFrames, Arrow tables and streams, cursors of databases, and mappings."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import tzinfo
from itertools import chain, islice
from os import PathLike
from typing import Any

from ratingcore.errors import BadFile, BadMapping, BadValue
from ratingcore.importer.tables.arrow import is_frame, stream_sheet
from ratingcore.importer.tables.fieldmap import FieldMap, FromColumn
from ratingcore.importer.tables.sheets import SAMPLE, TableSource
from ratingcore.readers.sheets import Refused, Rows, Sheet, Values

_WANTED = (
    "is no table: a DataFrame, an Arrow table or stream, a cursor of a database, or rows as mappings; "
    "a file is read by import_file"
)


def source_of(table: object, name: str, zone: tzinfo | None = None, *, again: bool = False) -> TableSource:
    """A table as a source of rows; nothing is copied, and what can be read once only is.

    Parameters
    ----------
    table : object
        What offers an Arrow stream (DataFrames of pandas, polars and others, Arrow's tables, batches and readers), a
        cursor of a database (DB-API), or mappings, one a row.
    name : str
        What reports call it.
    zone : tzinfo or None
        Zone of times that have none.
    again : bool
        Whether rows are going to be read more than once.

    Raises
    ------
    BadValue
        If it is none of these.
    BadFile
        If Arrow cannot take it.
    NotInstalled
        If it takes the extra `tables`, which is not there.

    Examples
    --------
    >>> sheet = source_of([{"white": "ann", "black": "bo"}, {"white": "cy"}], "games").sheet(())
    >>> sheet.columns, list(sheet.rows(frozenset({0, 1})))
    (('white', 'black'), [(1, ['ann', 'bo']), (2, ['cy', ''])])
    """
    if is_frame(table):
        sheet = stream_sheet(name, table, zone, again=again)
        return TableSource(name, lambda further: sheet, zone)
    described = getattr(table, "description", None)
    if described and isinstance(table, Iterable):
        columns = [str(column[0]) for column in described]
        table = (dict(zip(columns, row, strict=True)) for row in table)
    if isinstance(table, str | bytes | PathLike | Mapping) or not isinstance(table, Iterable):
        raise BadValue("table", type(table).__name__, _WANTED)
    return TableSource(name, _Mappings(name, list(table) if again else table, zone).sheet, zone)


class _Mappings:
    """Rows that are mappings of column to value."""

    def __init__(self, name: str, rows: Iterable[Any], zone: tzinfo | None) -> None:
        self._name, self._rows, self._zone = name, rows, zone
        self._once: Iterator[Any] | None = None
        if iter(rows) is rows:
            self._once = iter(rows)
        self._first = list(islice(self._once or rows, SAMPLE))
        if not self._first:
            raise BadFile(name, "is empty")
        keys = chain.from_iterable(row for row in self._first if isinstance(row, Mapping))
        self._columns = tuple(dict.fromkeys(map(str, keys)))

    def sheet(self, further: tuple[str, ...]) -> Sheet:
        columns = self._columns
        more = tuple(column for column in further if column not in columns)
        layout, values = columns + more, Values(self._zone)

        def rows(used: frozenset[int]) -> Rows:
            for number, row in enumerate(self._all(), 1):
                if isinstance(row, Mapping):
                    cells = [row.get(column) if index in used else None for index, column in enumerate(layout)]
                    yield number, values.texts(cells, layout)
                else:
                    yield number, Refused(f"the row is no mapping: {type(row).__name__}", str(row)[:200])

        return Sheet(self._name, columns, rows, more)

    def _all(self) -> Iterator[Any]:
        if self._once is None:
            return iter(self._rows)
        if self._first is _SPENT:
            raise BadFile(self._name, "it can be read once only", "make a list of it first")
        first, self._first = self._first, _SPENT
        return chain(first, self._once)


_SPENT: list[Any] = []


def mapping_of(given: Mapping[str, str] | FieldMap | None, where: str = "fields") -> FieldMap:
    """A mapping of fields to columns, given as the argument `where`; `BadMapping` if it says something else."""
    if given is None or isinstance(given, FieldMap):
        return given or FieldMap(where=where)
    fields = {}
    for field, column in given.items():
        if not isinstance(field, str) or not isinstance(column, str) or not field or not column:
            raise BadMapping(where, f"names no field and column: {field!r}: {column!r}")
        fields["uid" if field == "id" else field] = FromColumn(column)
    return FieldMap(fields, where=where)
