"""Writes rows to stdout: as a table for people, as csv for spreadsheets, or as csv, json or jsonl for programs."""

import csv
import json
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import isnan
from shutil import get_terminal_size

from ratingcore.cli.console import note
from ratingcore.report.aligned_text import aligned, aligned_within, width
from ratingcore.safe_text import MARK, harmless

Row = Mapping[str, object]
_NEEDED = frozenset({"rating", "corrected", "from", "uid"})
"""Columns that a table leaves out only if `spare` lists them, since users or other commands need them."""


def chosen(form: str | None) -> str:
    """Returns the requested format, or by default a table on a terminal and csv elsewhere."""
    return form or ("table" if sys.stdout.isatty() else "csv")


def write(
    rows: Iterable[Row],
    columns: Sequence[str],
    form: str,
    digits: int | None = None,
    rounded: Collection[str] = (),
    spare: Sequence[str] = (),
) -> None:
    """Writes rows to stdout, each as it comes unless the format is a table.

    Parameters
    ----------
    rows : iterable of mapping
    columns : sequence of str
        Names of the cells to write, in this order.
    form : {"table", "csv", "csv-spreadsheet", "json", "jsonl"}
    digits : int or None
        Decimals in a table; the other formats give every number as it is.
    rounded : collection of str
        Columns whose numbers are rounded already, so that a table shows them unchanged.
    spare : sequence of str
        Columns that a table leaves out first if the terminal is too narrow, in this order.
    """
    clean = (_clean(row, columns) for row in rows)
    if form == "table":
        _table(clean, columns, digits, rounded, spare)
    else:
        _WRITERS[form](clean, columns)


def _clean(row: Row, columns: Sequence[str]) -> dict[str, object]:
    """Returns the cells of a row in the order of the columns, with None for NaN and 0.0 for -0.0."""
    cells = ((name, row[name]) for name in columns)
    return {name: _number(cell) if isinstance(cell, float) else cell for name, cell in cells}


def _number(cell: float) -> float | None:
    return None if isnan(cell) else cell + 0.0


def _table(
    rows: Iterator[dict[str, object]], columns: Sequence[str], digits: int | None, rounded: Collection[str],
    spare: Sequence[str],
) -> None:  # fmt: skip
    shown = list(rows if digits is None else (_rounded(row, digits) for row in rows))
    lines, left = aligned(columns, shown, rounded), list[str]()
    if sys.stdout.isatty():
        room = get_terminal_size().columns
        if any(width(line) > room for line in lines):
            lines, left = aligned_within(columns, shown, rounded, room, spare, _NEEDED)
    for line in lines:
        sys.stdout.write(line + "\n")
    if left:
        note(f"no room for {', '.join(left)}: make the window wider, or use --format csv")


def _rounded(row: dict[str, object], digits: int) -> dict[str, object]:
    return {name: round(cell, digits) + 0.0 if isinstance(cell, float) else cell for name, cell in row.items()}


def _csv(rows: Iterator[dict[str, object]], columns: Sequence[str]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(row.values() for row in rows)


def _csv_spreadsheet(rows: Iterator[dict[str, object]], columns: Sequence[str]) -> None:
    sys.stdout.write(MARK)
    _csv(({name: harmless(cell) for name, cell in row.items()} for row in rows), [harmless(name) for name in columns])


def _json(rows: Iterator[dict[str, object]], columns: Sequence[str]) -> None:
    before = "[\n"
    for row in rows:
        sys.stdout.write(before + _line(row))
        before = ",\n"
    sys.stdout.write("[]\n" if before == "[\n" else "\n]\n")


def _jsonl(rows: Iterator[dict[str, object]], columns: Sequence[str]) -> None:
    for row in rows:
        sys.stdout.write(_line(row) + "\n")


_line = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode

_WRITERS = {"csv": _csv, "csv-spreadsheet": _csv_spreadsheet, "json": _json, "jsonl": _jsonl}
