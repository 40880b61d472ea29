"""Reads corrections from tables: which players are one, which fields of events read otherwise; all rows or none."""

from collections.abc import Iterator
from functools import partial

from ratingcore.errors import BadFile, ColumnNotFound
from ratingcore.events.values import name
from ratingcore.importer.tables.any_sheet import open_any
from ratingcore.importer.tables.fieldmap import FieldMap
from ratingcore.importer.tables.files import Path
from ratingcore.importer.tables.lines import Refused
from ratingcore.importer.tables.sheets import Sheet

NOTHING = "(none)"
"""What a cell says to take a field away, as the log shows it; an empty cell changes nothing."""

Amended = tuple[int, str, dict[str, str]]
"""Line, uid, and the texts of the fields that read otherwise."""


def read_merges(path: Path) -> list[tuple[str, str]]:
    """Pairs of players who are one, from the columns `keep` and `other`.

    Raises
    ------
    BadFile
        Also at the first row without either.
    ColumnNotFound

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "merges.csv")
    ...     _ = file.write_text("keep,other\\nann,Ann Lee\\n")
    ...     read_merges(file)
    [('ann', 'Ann Lee')]
    """
    sheet = _opened(path, "keep", "other")
    pairs = []
    for line, row in _rows(sheet):
        if not row["keep"] or not row["other"]:
            raise BadFile(sheet.path, f"line {line} names no two players")
        pairs.append((row["keep"], row["other"]))
    return pairs


def read_amendments(path: Path) -> list[Amended]:
    """What reads otherwise in which event: its `uid`, and a column for each field.

    Raises
    ------
    BadFile
        Also at the first row without a uid or a field, or with a uid that an earlier row has.
    ColumnNotFound

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "amendments.csv")
    ...     _ = file.write_text("uid,score,home\\ng-1,1/2,\\ng-2,,(none)\\n")
    ...     read_amendments(file)
    [(2, 'g-1', {'score': '1/2'}), (3, 'g-2', {'home': ''})]
    """
    sheet = _opened(path, "uid")
    wrong = partial(BadFile, sheet.path)
    seen: set[str] = set()
    found = []
    for line, row in _rows(sheet):
        uid = row.pop("uid")
        changed = {field: "" if text == NOTHING else text for field, text in row.items() if text}
        if not uid or not changed:
            raise wrong(f"line {line} {'changes nothing' if uid else 'names no event'}")
        if uid in seen:
            raise wrong(f"line {line} amends {uid} once more")
        seen.add(uid)
        found.append((line, uid, changed))
    return found


def _opened(path: Path, *wanted: str) -> Sheet:
    sheet = open_any(path, FieldMap(), wanted, needs=wanted)
    for column in wanted:
        if column not in sheet.columns:
            raise ColumnNotFound(sheet.path, column, column, sheet.columns)
    return sheet


def _rows(sheet: Sheet) -> Iterator[tuple[int, dict[str, str]]]:
    for line, cells in sheet.rows(frozenset(range(len(sheet.columns)))):
        if isinstance(cells, Refused):
            raise BadFile(sheet.path, f"line {line}: {cells.reason}")
        yield line, {column: name(cell.strip()) for column, cell in zip(sheet.columns, cells, strict=False) if column}
