"""Reads short tables in which every row must be valid: merges, amendments and future games."""

from collections.abc import Iterator, Mapping
from functools import partial

from attrs import frozen

from ratingcore.errors import BadFile, BadValue, ColumnNotFound
from ratingcore.events.values import name
from ratingcore.importer.tables.fieldmap import Constant, FieldMap, FromColumn, Source
from ratingcore.importer.tables.headings import offered
from ratingcore.importer.tables.sheets import open_table
from ratingcore.readers import Refused
from ratingcore.readers.date_forms import moment_by
from ratingcore.readers.files import Path
from ratingcore.readers.sheets import Sheet

NOTHING = "(none)"
"""Text of a cell that removes a field, as the log shows it; an empty cell leaves the field unchanged."""

Amended = tuple[int, str, dict[str, str]]
"""Line, uid, and the texts of the changed fields."""


def read_merges(path: Path) -> list[tuple[str, str]]:
    """Reads pairs of names that are one player, from the columns `keep` and `other`.

    Raises
    ------
    BadFile
        Also at the first row in which either name is missing.
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
    sheet = _opened(path, {"keep": "keep", "other": "other"})
    pairs = []
    for line, row in _rows(sheet):
        if not row["keep"] or not row["other"]:
            raise BadFile(sheet.path, f"line {line} must name two players, in the columns keep and other")
        pairs.append((row["keep"], row["other"]))
    return pairs


def read_amendments(path: Path) -> list[Amended]:
    """Reads amendments: each row has the `uid` of an event, and a cell for each changed field.

    Raises
    ------
    BadFile
        Also at the first row that has no uid, changes nothing, or repeats the uid of an earlier row.
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
    sheet = _opened(path, {"uid": "uid"})
    wrong = partial(BadFile, sheet.path)
    seen: set[str] = set()
    found = []
    for line, row in _rows(sheet):
        uid = row.pop("uid")
        changed = {field: "" if text == NOTHING else text for field, text in row.items() if text}
        if not uid or not changed:
            raise wrong(f"line {line} {'changes nothing' if uid else 'has no uid'}")
        if uid in seen:
            raise wrong(f"line {line} amends {uid} a second time")
        seen.add(uid)
        found.append((line, uid, changed))
    return found


def _opened(path: Path, sources: Mapping[str, str], fields: FieldMap | None = None) -> Sheet:
    """Opens a table that must have a column for each of some fields; `fields` is the mapping, if there is one."""
    sheet = open_table(path, fields or FieldMap(), tuple(sources.values()), needs=tuple(sources))
    for field, column in sources.items():
        if column not in sheet.columns:
            guess = {name: one for name, one in offered(sheet.columns, {}).items() if name in sources}
            raise ColumnNotFound(
                sheet.path, column, field, sheet.columns, guess, (guess,) if len(guess) == len(sources) else (),
                needs=tuple(sources), mapped=fields is not None,
            )  # fmt: skip
    return sheet


def _rows(sheet: Sheet) -> Iterator[tuple[int, dict[str, str]]]:
    """Yields the line number and the cells by column of each row."""
    for row in sheet.rows(frozenset(range(len(sheet.columns)))):
        if isinstance(row, Refused):
            raise BadFile(sheet.path, f"line {row.line}: {row.reason}")
        cells = zip(sheet.columns, row[1], strict=False)
        yield row[0], {column: name(cell.strip()) for column, cell in cells if column}


@frozen
class Fixture:
    """A row of a table of future games.

    Parameters
    ----------
    line : int
    a, b : str
        The two sides, as the table spells them.
    played : str
        Day or time; empty if the row has none.
    facts : dict of str to str
        Texts of the further fields; empty ones are left out.
    """

    line: int
    a: str
    b: str
    played: str
    facts: dict[str, str]


NO_FACTS = frozenset({"score", "uid", "pool", "order"})
"""Fields that a mapping for imports may have, but that future games do not have."""


def read_fixtures(path: Path, fields: FieldMap | None = None) -> list[Fixture]:
    """Reads future games from the columns `a` and `b`, and `played` and further facts if there are any.

    Parameters
    ----------
    fields : FieldMap or None
        Columns with other names. The mapping with which the results are imported can be used: fields whose column does
        not exist yet, such as scores, are left out.

    Raises
    ------
    BadFile
        Also at the first row without two sides, or with a day that does not fit the format of the mapping.
    ColumnNotFound

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "fixtures.csv")
    ...     _ = file.write_text("a,b,played,home\\nann,bo,2024-04-06,a\\n")
    ...     read_fixtures(file)
    [Fixture(line=2, a='ann', b='bo', played='2024-04-06', facts={'home': 'a'})]
    """
    fields = fields or FieldMap()
    sources: dict[str, Source] = {"a": FromColumn("a"), "b": FromColumn("b"), **fields.fields}
    sides = {side: one.column for side in ("a", "b") if isinstance(one := sources[side], FromColumn)}
    sheet = _opened(path, sides, fields)
    used = {one.column for one in sources.values() if isinstance(one, FromColumn)}
    fixtures = []
    for line, row in _rows(sheet):
        facts = {column: text for column, text in row.items() if column not in used}
        for field, source in sources.items():
            if isinstance(source, Constant):
                facts[field] = source.value
            elif source.column in row:
                facts[field] = source.translated(row[source.column])
        a, b, played = facts.pop("a", ""), facts.pop("b", ""), facts.pop("played", "")
        if not a or not b:
            raise BadFile(sheet.path, f"line {line} must name two sides")
        if played and fields.date is not None:
            try:
                played = moment_by(fields.date, played).isoformat().removesuffix("T00:00:00")
            except BadValue:
                raise BadFile(sheet.path, f"line {line}: played is not of the form {fields.date}: {played}") from None
        known = {field: text for field, text in facts.items() if text and field not in NO_FACTS}
        fixtures.append(Fixture(line, a, b, played, known))
    return fixtures
