"""The readers of tables of results: delimited text, and one JSON object a line."""

import csv
import json
from collections.abc import Iterator
from typing import Any

from attrs import field, frozen

from ratingcore.archives.fieldmap import FieldMap
from ratingcore.archives.results import read_results
from ratingcore.archives.sheets import DELIMITERS, open_sheet
from ratingcore.readers import Options, Reader, Sample, Source

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
class TableReader(Reader):
    """A reader of rows with named columns, whose meaning the user can tell."""


def _read(source: Source, options: Any) -> Iterator[Any]:
    return read_results(source.kept(), pool=options.pool or None, fields=options.fields)


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
    return 80 if {"a", "b"} <= names else NAMED if named else UNNAMED


def _is_objects(sample: Sample) -> int:
    line = next((line for line in sample.text.splitlines() if line.strip()), "")
    try:
        keys = set(json.loads(line))
    except (ValueError, TypeError, RecursionError):
        return 0
    if not line.lstrip().startswith("{"):
        return 0
    named = sample.name.lower().endswith((".jsonl", ".ndjson"))
    return 80 if {"a", "b"} <= keys else NAMED if named else UNNAMED


CSV = TableReader(
    "csv", "delimited text with a header line", sniff=_is_delimited, read=_read, options=TableOptions,
    suffixes=(".csv", ".tsv", ".txt"), tables=("pool",),
)  # fmt: skip
JSONL = TableReader(
    "jsonl", "one JSON object a line", sniff=_is_objects, read=_read, options=TableOptions,
    suffixes=(".jsonl", ".ndjson"), tables=("pool",),
)  # fmt: skip

TABLES = {reader.name: reader for reader in (CSV, JSONL)}
"""The readers of tables, by name."""


def names_pool(source: Source, fields: FieldMap) -> bool:
    """Whether the rows of a table say which pool they belong to."""
    if fields.pool or "pool" in fields.fields:
        return True
    return "pool" in open_sheet(source.kept(), fields.encoding, fields.delimiter, (), fields.skip).columns
