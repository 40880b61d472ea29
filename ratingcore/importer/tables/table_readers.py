"""The readers of tables of results: delimited text, JSON lines, and one for each kind that a plugin brings."""

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any

from attrs import evolve, field, frozen

from ratingcore.importer.tables.fieldmap import FieldMap
from ratingcore.importer.tables.results import read_sheet, sheet_of_results
from ratingcore.importer.tables.sessions import PLAYER
from ratingcore.importer.tables.sheets import DELIMITERS, kind_of, open_table
from ratingcore.readers import Options, Reader, Sample, Source
from ratingcore.readers.sheets import SheetKind

NAMED, UNNAMED = 50, 40
"""How sure the readers of tables are of text that may be a table, by whether its name ends like that of one."""


@frozen
class TableOptions(Options):
    """Options of tables.

    Parameters
    ----------
    fields : FieldMap
        Which columns hold what.
    pool : str
        Pool of rows that name none.
    """

    fields: FieldMap = field(factory=FieldMap)
    pool: str = ""


@frozen
class SheetOptions(TableOptions):
    """Options of kinds of tables with several sheets in a file.

    Parameters
    ----------
    sheet : str
        Which sheet is meant; by default the only visible one that has the columns.
    """

    sheet: str = ""

    def __attrs_post_init__(self) -> None:
        if self.sheet and self.fields.sheet != self.sheet:
            object.__setattr__(self, "fields", evolve(self.fields, sheet=self.sheet))


@frozen
class QueryOptions(TableOptions):
    """Options of databases.

    Parameters
    ----------
    query : str
        What gives the rows: `SELECT ...`.
    """

    query: str = ""

    def __attrs_post_init__(self) -> None:
        if self.query and self.fields.query != self.query:
            object.__setattr__(self, "fields", evolve(self.fields, query=self.query))


_OPTIONS = {"": TableOptions, "sheet": SheetOptions, "query": QueryOptions}


@frozen
class TableReader(Reader):
    """A reader of rows with named columns, whose meaning the user can tell.

    Parameters
    ----------
    kind : SheetKind or None
        The kind of tables that a plugin brings; None of text.
    """

    kind: SheetKind | None = None


def _read(source: Source, options: Any) -> Iterator[Any]:
    sheet = sheet_of_results(source, options.fields)
    yield from read_sheet(sheet, options.pool or None, options.fields)


def reader_of(kind: SheetKind) -> TableReader:
    """The reader of results in files of one kind of tables."""

    def read(source: Source, options: Any) -> Iterator[Any]:
        if kind_of([kind], Sample(source.name, source.start())) is None:
            source.refuse(f"it is no {kind.noun}")
        return _read(source, options)

    return TableReader(
        kind.name, kind.summary, sniff=kind.sniff, read=read, options=_OPTIONS[kind.asks], suffixes=kind.suffixes,
        tables=("pool",), kind=kind,
    )  # fmt: skip


def _is_delimited(sample: Sample) -> int:
    if b"\0" in sample.head:
        return 0
    rows = [line for line in sample.text.splitlines() if line.strip() and not line.startswith("#")][:5]
    if not rows or rows[0].lstrip()[:1] in "{[<":
        return 0
    named = sample.name.lower().endswith((".csv", ".tsv"))
    if not any(sign in rows[0] for sign in DELIMITERS):
        return NAMED if named else 10
    names = {name.strip().casefold() for sign in DELIMITERS for name in next(csv.reader([rows[0]], delimiter=sign), [])}
    sessions = "session" in names and any(map(PLAYER.fullmatch, names))
    return 80 if {"a", "b"} <= names or sessions else NAMED if named else UNNAMED


def _is_objects(sample: Sample) -> int:
    line = next((line for line in sample.text.splitlines() if line.strip()), "")
    try:
        keys = set(json.loads(line))
    except (ValueError, TypeError, RecursionError):
        return 0
    if not line.lstrip().startswith("{"):
        return 0
    named = sample.name.lower().endswith((".jsonl", ".ndjson"))
    return 80 if {"a", "b"} <= keys or "sides" in keys else NAMED if named else UNNAMED


CSV = TableReader(
    "csv", "delimited text with a header line", sniff=_is_delimited, read=_read, options=TableOptions,
    suffixes=(".csv", ".tsv", ".txt"), tables=("pool",),
)  # fmt: skip
JSONL = TableReader(
    "jsonl", "one JSON object a line", sniff=_is_objects, read=_read, options=TableOptions,
    suffixes=(".jsonl", ".ndjson"), tables=("pool",),
)  # fmt: skip

FRAME = TableReader("table", "a table in memory, such as a DataFrame", read=_read, options=TableOptions)
"""The reader of what is no file."""


def table_readers(kinds: Iterable[SheetKind]) -> dict[str, TableReader]:
    """The readers of tables by name: delimited text, JSON lines, and the kinds that plugins bring."""
    return {reader.name: reader for reader in (CSV, JSONL, *map(reader_of, kinds))}


def names_pool(source: Source, fields: FieldMap) -> bool:
    """Whether the rows of a table say which pool they belong to."""
    if fields.pool or "pool" in fields.fields:
        return True
    return "pool" in open_table(source, fields, (), needs=("a", "b", "played")).columns
