"""Tables for people and programs, with output as aligned text, CSV, JSON, HTML and Arrow."""

import json
import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields, make_dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, Self, SupportsIndex, TypeVar, overload

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from ratingcore.columns.games import frozen_array
from ratingcore.errors import NotInstalled
from ratingcore.events import iso
from ratingcore.lazy_imports import Later
from ratingcore.read_only import ReadOnly
from ratingcore.report.aligned_text import aligned

if TYPE_CHECKING:
    from ratingcore.report.markup import csv_text, html_table, paragraph
else:  # rarely used for a list
    csv_text, html_table, paragraph = (
        Later("ratingcore.report.markup", name) for name in ("csv_text", "html_table", "paragraph")
    )

Cell = str | int | float | bool | None
Cells = NDArray[Any] | tuple[Cell, ...]
Columns = Mapping[str, object] | Callable[[], Mapping[str, object]]
"""Columns of a table, or a function that returns them on first use."""
SHOWN = 100
"""Number of rows that notebooks show."""


@frozen(eq=False, repr=False)
class Table:
    """Columns of equal length under a name.

    Iterating gives rows as mappings from column to cell, with None for empty cells and times as texts.
    `pandas.DataFrame(table)` and libraries that read Arrow (`polars.DataFrame(table)`, `pyarrow.table(table)`) get the
    columns, with times as dates; Arrow needs pyarrow, and makes a column of texts of one that mixes numbers and texts.

    Parameters
    ----------
    name : str
        Name in files and fields.
    title : str
        Heading for people.
    columns : mapping of name to (n,) array or tuple, or callable
        Numbers, `datetime64[us]` times, or texts; NaN and None are empty cells. A callable returns the columns on first
        use.
    unit : str
        Unit of the table's numbers, as far as they have one.

    Examples
    --------
    >>> table = Table("scores", "Scores", {"method": ("elo", "berkin"), "log_loss": np.array([0.5, np.nan])}, "nats")
    >>> print(table)
    method  log_loss
    elo          0.5
    berkin
    >>> list(table)[1], table["method"]
    ({'method': 'berkin', 'log_loss': None}, ('elo', 'berkin'))
    """

    name: str
    title: str
    _given: Columns = field(alias="columns")
    unit: str = ""

    @cached_property
    def columns(self) -> Mapping[str, Cells]:
        """The columns by name, read-only."""
        given = self._given() if callable(self._given) else self._given
        return ReadOnly({name: _read_only(cells) for name, cells in given.items()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        facts = (self.name, self.title, self.unit, list(self.columns)) == (
            other.name, other.title, other.unit, list(other.columns)
        )  # fmt: skip
        return facts and all(self[name] == other[name] for name in self.columns)

    def __hash__(self) -> int:
        return hash((self.name, self.title, self.unit))

    def __reduce__(self) -> tuple[type["Table"], tuple[object, ...]]:
        """Pickles the columns of a table instead of the function that makes them."""
        return type(self), (self.name, self.title, dict(self.columns), self.unit)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    @overload
    def __getitem__(self, which: str) -> tuple[Cell, ...]: ...
    @overload
    def __getitem__(self, which: int) -> dict[str, Cell]: ...
    @overload
    def __getitem__(self, which: slice) -> list[dict[str, Cell]]: ...
    def __getitem__(self, which: str | int | slice) -> tuple[Cell, ...] | dict[str, Cell] | list[dict[str, Cell]]:
        """Returns the cells of a column by its name, as they are in rows; or one or several rows by index."""
        return _cells(self.columns[which]) if isinstance(which, str) else list(self)[which]

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        names = tuple(self.columns)
        for row in zip(*map(_cells, self.columns.values()), strict=True):
            yield dict(zip(names, row, strict=True))

    def __str__(self) -> str:
        return "\n".join(aligned(tuple(self.columns), self))

    __repr__ = __str__

    def some(self, rows: Sequence[int] | NDArray[Any], title: str = "") -> Self:
        """Returns a table of the rows with these indices, or selected by a mask, optionally with another title."""
        chosen = np.arange(len(self))[np.asarray(rows, dtype=None if len(rows) else np.int64)]
        columns = {
            name: tuple(cells[n] for n in chosen.tolist()) if isinstance(cells, tuple) else cells[chosen]
            for name, cells in self.columns.items()
        }
        return attrs.evolve(self, title=title or self.title, columns=columns)

    def rounded(self, digits: int, but: Collection[str] = ()) -> Self:
        """Returns the table with floats rounded to `digits` decimals, except in the columns `but`."""

        def shown(cell: Cell) -> Cell:
            return round(cell, digits) if isinstance(cell, float) else cell

        columns = {name: self[name] if name in but else tuple(map(shown, self[name])) for name in self.columns}
        return attrs.evolve(self, columns=columns)

    def csv(self) -> str:
        """Returns headings and rows as comma-separated text, with unrounded numbers."""
        return csv_text(tuple(self.columns), iter(self))

    def json(self) -> dict[str, object]:
        """Returns title, unit and rows as values that `json.dumps` accepts."""
        return {"title": self.title, "unit": self.unit, "rows": list(self)}

    def _repr_html_(self) -> str:
        title = f"{self.title}, {self.unit}" if self.unit else self.title
        return html_table(title, tuple(self.columns), islice(self, SHOWN), len(self) - SHOWN)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Returns the rows as an array of dataclasses with times as dates: the rows that `pandas.DataFrame` takes."""
        names = tuple(self.columns)
        kind = make_dataclass("Row", [f"_{n}" for n in range(len(names))], init=False, repr=False, eq=False)
        for one, name in zip(fields(kind), names, strict=True):
            one.name = name  # set afterwards, since not every name of a column is a valid name of a field
        made = np.array([kind() for _ in range(len(self))], dtype=object)
        columns = (for_data_frames(name, cells) for name, cells in self.columns.items())
        cells = zip(*(column if isinstance(column, tuple) else column.tolist() for column in columns), strict=True)
        for row, own in zip(made.tolist(), cells, strict=True):
            vars(row).update(zip(names, own, strict=True))
        return made if dtype is None else made.astype(dtype)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns the columns as an Arrow stream."""
        try:
            import pyarrow  # type: ignore[import-untyped]  # large, rarely needed, and has no types
        except ImportError:
            raise NotInstalled("pyarrow", "Arrow out of a table", "tables") from None

        def array(cells: Cells) -> object:
            try:
                return pyarrow.array(cells, from_pandas=True) if isinstance(cells, np.ndarray) else pyarrow.array(cells)
            except pyarrow.ArrowException:  # one fact can be a number for one player and a text for another
                return pyarrow.array([None if cell is None else str(cell) for cell in _cells(cells)])

        arrays = {name: array(for_data_frames(name, cells)) for name, cells in self.columns.items()}
        return pyarrow.table(arrays).__arrow_c_stream__(requested_schema)


def _read_only(cells: Any) -> Cells:
    return frozen_array(cells) if isinstance(cells, np.ndarray) else tuple(cells)


TIMES = frozenset({"played", "published", "recorded", "day", "last", "peak_at"})
"""Columns that hold times as ISO 8601 texts."""
_DAY, _TIME = re.compile(r"\d{4}-\d\d-\d\d"), re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)")


def for_data_frames(name: str, column: Cells) -> Any:
    """Converts a column of texts for data frames: days become dates, or UTC times if any cell has a time of day.

    Examples
    --------
    >>> for_data_frames("played", ("2024-03-02", None))
    (datetime.date(2024, 3, 2), None)
    >>> for_data_frames("played", ("2024-03-02T19:30:00+01:00",))
    (datetime.datetime(2024, 3, 2, 18, 30, tzinfo=datetime.timezone.utc),)
    """
    if name not in TIMES or not isinstance(column, tuple):
        return column
    texts = [at for at in column if at is not None]
    if all(isinstance(at, str) and _DAY.fullmatch(at) for at in texts):
        return tuple(None if at is None else date.fromisoformat(str(at)) for at in column)
    if not all(isinstance(at, str) and (_DAY.fullmatch(at) or _TIME.fullmatch(at)) for at in texts):
        return column  # a fact of this name
    times = (None if at is None else datetime.fromisoformat(str(at)) for at in column)
    return tuple(at and (at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)) for at in times)


def _cells(column: Cells) -> tuple[Cell, ...]:
    """Converts a column to cells as they are in rows."""
    if isinstance(column, tuple):
        return tuple(None if cell != cell else cell for cell in column)
    if column.dtype.kind == "M":
        return tuple(iso(at) for at in column.astype("M8[us]").astype(np.int64).tolist())
    return tuple(None if cell != cell else cell for cell in column.tolist())


def columns_of(rows: Sequence[Mapping[str, object]], names: Sequence[str] = ()) -> dict[str, object]:
    """Converts rows to columns, with None where a row has no cell; `names` are the columns if there are no rows."""
    own = dict.fromkeys(name for row in rows for name in row)
    return {name: tuple(row.get(name) for row in rows) for name in own or names}


def provenance(facts: Mapping[str, object]) -> Table:
    """Makes the provenance table of an answer, without empty facts."""
    rows = {fact: str(value) for fact, value in facts.items() if value not in (None, "")}
    return Table("provenance", "Made from", {"fact": tuple(rows), "value": tuple(rows.values())})


T = TypeVar("T")


class AsRow:
    """Base class of values that are also rows of a table: `row["rating"]` is a cell, and `dict(row)` has all cells."""

    __slots__ = ()

    @abstractmethod
    def as_row(self) -> dict[str, Any]:
        """Returns the cells of its row in the table, by column."""

    def keys(self) -> Collection[str]:
        """The names of the columns."""
        return self.as_row().keys()

    @overload
    def __getitem__(self, which: str) -> Any: ...
    @overload
    def __getitem__(self, which: SupportsIndex) -> Any: ...
    @overload
    def __getitem__(self, which: slice) -> tuple[Any, ...]: ...
    def __getitem__(self, which: Any) -> Any:
        """Returns a cell by its column; or, of a tuple, an item by its place."""
        if isinstance(self, tuple) and not isinstance(which, str):
            return tuple.__getitem__(self, which)
        return self.as_row()[which]


class AsTable:
    """Base class of answers that are also one table, a sequence of rows, each of which is a mapping.

    Notebooks display such an answer; `pandas.DataFrame`, `polars.DataFrame` and `pyarrow.table` accept it.
    """

    __slots__ = ()

    @abstractmethod
    def as_table(self) -> Table:
        """Returns the answer as a table, which can write CSV and JSON."""

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.as_table())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @overload
    def __getitem__(self, place: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Mapping[str, Any]]: ...
    def __getitem__(self, place: int | slice) -> Mapping[str, Any] | Sequence[Mapping[str, Any]]:
        return list(self)[place]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Returns the rows of the table for `pandas.DataFrame`."""
        return self.as_table().__array__(dtype, copy)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns the table as an Arrow stream; needs pyarrow."""
        return self.as_table().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        return self.as_table()._repr_html_()


@frozen(eq=False)
class AsSequence(AsTable, Generic[T]):
    """Base class of answers that are a sequence of values, and also a table with a row for each.

    An answer equals a list or tuple of the same values.

    Parameters
    ----------
    each : tuple
    """

    each: tuple[T, ...]

    def __len__(self) -> int:
        return len(self.each)

    @overload  # type: ignore[override]  # the values, which may be tables of their own
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...
    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        return self.each[place]

    def __iter__(self) -> Iterator[T]:  # type: ignore[override]  # the values, which may be tables of their own
        return iter(self.each)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, AsSequence | list | tuple):
            return self.each == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.each)


class AsTables(AsTable):
    """Base class of answers in words, with several tables as fields."""

    __slots__ = ()
    answer: str

    @abstractmethod
    def shown(self) -> Sequence[Table]:
        """Returns the tables that notebooks display; `as_table` is the first one with rows."""

    @abstractmethod
    def facts(self) -> Mapping[str, object]:
        """Returns the facts that precede the tables in JSON, by name."""

    @property
    def tables(self) -> dict[str, Table]:
        """All tables by name, including those without rows."""
        fields = attrs.fields(type(self))  # type: ignore[arg-type]  # values of tables are attrs classes
        cells = (getattr(self, one.name) for one in fields)
        return {cell.name: cell for cell in cells if isinstance(cell, Table)}

    def as_table(self) -> Table:
        """Returns the main table: the first one of `shown` that has rows."""
        first, *_ = self.shown()
        return next((table for table in self.shown() if len(table)), first)

    def csv(self, name: str) -> str:
        """Returns a table as comma-separated text, with unrounded numbers."""
        return self.tables[name].csv()

    def json(self) -> str:
        """Returns facts and tables as one JSON text, with unrounded numbers."""
        tables = {name: table.json() for name, table in self.tables.items()}
        return json.dumps({**self.facts(), "tables": tables}, ensure_ascii=False, allow_nan=False)

    def __str__(self) -> str:
        return f"{self.answer}\n\n{self.as_table()}"

    def _repr_html_(self) -> str:
        tables = "".join(table._repr_html_() for table in self.shown() if len(table))
        return f"{paragraph(self.answer)}{tables}"


Made = TypeVar("Made", bound=AsTables)


def person(player: str, called: Mapping[str, str]) -> str:
    """Formats a player for people: `fide:15 (Ann Lee)`, or only the key if no name is known.

    Examples
    --------
    >>> person("fide:15", {"fide:15": "Ann Lee"}), person("bo", {})
    ('fide:15 (Ann Lee)', 'bo')
    """
    return f"{player} ({called[player]})" if player in called else player


def with_visible_names(made: Made, called: Mapping[str, str]) -> Made:
    """Returns the same answer for people, with visible names after the keys in the columns `player` of its tables.

    Parameters
    ----------
    made : AsTables
        A value whose fields are tables.
    called : mapping of str to str
        Names of players by key.
    """
    if not called:
        return made
    named = {name: _named(table, called) for name, table in made.tables.items() if "player" in table.columns}
    return attrs.evolve(made, **named)  # type: ignore[misc]  # values of tables are attrs classes


def _named(table: Table, called: Mapping[str, str]) -> Table:
    players = tuple(None if one is None else person(str(one), called) for one in table["player"])
    return attrs.evolve(table, columns={**table.columns, "player": players})
