"""Reads games to come from tables: who meets whom, when, and what else is known of it."""

from collections.abc import Mapping

from attrs import frozen

from ratingcore.errors import BadFile, ColumnNotFound
from ratingcore.events.values import name
from ratingcore.importer.tables.files import Path
from ratingcore.importer.tables.lines import Refused
from ratingcore.importer.tables.sheets import open_sheet

ADVICE = "say which columns name the two sides: --map a=home_team,b=away_team"


@frozen
class Fixture:
    """A row of a table of games to come.

    Parameters
    ----------
    line : int
    a, b : str
        The two sides, as they are spelt.
    played : str
        When; empty if the table does not say it.
    facts : dict of str to str
        Texts of the further columns that have one.
    """

    line: int
    a: str
    b: str
    played: str
    facts: dict[str, str]


def read_fixtures(path: Path, mapped: Mapping[str, str] | None = None) -> list[Fixture]:
    """Games to come, from the columns `a` and `b`, a column `played` if there is one, and further facts.

    Parameters
    ----------
    mapped : mapping of str to str
        Columns that are called otherwise, by field: `{"a": "home_team", "b": "away_team"}`.

    Raises
    ------
    BadFile
        Also at the first row without two sides.
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
    sources = {"a": "a", "b": "b"} | dict(mapped or {})
    sheet = open_sheet(path, None, None, tuple(sources.values()))
    for field, column in sources.items():
        if column not in sheet.columns:
            raise ColumnNotFound(sheet.path, column, field, sheet.columns, ADVICE)
    fields = {column: field for field, column in sources.items()}
    taken = [fields.get(column, "" if column in sources else column) for column in sheet.columns]
    fixtures = []
    for line, cells in sheet.rows(frozenset(range(len(sheet.columns)))):
        if isinstance(cells, Refused):
            raise BadFile(sheet.path, f"line {line}: {cells.reason}")
        row = {column: name(cell.strip()) for column, cell in zip(taken, cells, strict=False) if column}
        a, b, played = row.pop("a"), row.pop("b"), row.pop("played", "")
        if not a or not b:
            raise BadFile(sheet.path, f"line {line} names no two sides")
        fixtures.append(Fixture(line, a, b, played, {field: text for field, text in row.items() if text}))
    return fixtures
