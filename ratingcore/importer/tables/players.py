"""Reads facts of players from a file: what people see them called, birth year, title, federation."""

from collections.abc import Callable, Iterator
from functools import partial

from ratingcore.errors import BadMapping, BadValue
from ratingcore.events import Fact, PlayerDescribed, When, instant
from ratingcore.events.bounds import EARLIEST, see_played, see_player
from ratingcore.events.kinds import RESULT_FIELDS
from ratingcore.importer.tables.any_sheet import open_any
from ratingcore.importer.tables.binding import Binding
from ratingcore.importer.tables.dates import played
from ratingcore.importer.tables.fieldmap import FieldMap
from ratingcore.importer.tables.files import Path
from ratingcore.importer.tables.lines import Line, Outcome
from ratingcore.importer.tables.numbers import fact
from ratingcore.importer.tables.rows import lines
from ratingcore.importer.tables.sheets import Sheet

FACTS = ("born", "club", "federation", "sex", "title")
"""Facts that are read from columns of these names even without a mapping; others may hold what has to be erasable."""

_TYPED = frozenset({"player", "at", "played", "called"})


def read_players(
    path: Path, *, pool: str, fields: FieldMap | None = None, at: When | None = None
) -> tuple[tuple[str, ...], Iterator[Line]]:
    """Reads the facts of players in a file: the names of the columns that are not used, and a line for each row.

    Parameters
    ----------
    path : path
        Delimited text with a header, or JSON lines.
    pool : str
        Where methods find the facts.
    fields : FieldMap or None
        `player`, `called`, `at` (or `played`); every other name is a fact. Unmapped fields are read from columns of
        their own names: these, and `FACTS`.
    at : str, date, datetime or None
        From when facts hold of rows that do not say; None for the first day that a log takes.

    Raises
    ------
    BadFile
        At once if the file cannot be read or is empty; while iterating if its text is damaged further on.
    ColumnNotFound, BadMapping
        If the mapping does not fit the file, or no column says anything of a player.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "players.csv")
    ...     _ = file.write_text("player,called,born,rating\\nfide:1503014,Ann Lee,1990,2850\\n")
    ...     unused, lines = read_players(file, pool="rapid")
    ...     (line,) = lines
    >>> unused, line.outcome.called, dict(line.outcome.data)
    (('rating',), 'Ann Lee', {'born': 1990})
    """
    fields = fields or FieldMap()
    foreign = sorted((RESULT_FIELDS - _TYPED) & fields.fields.keys())
    if foreign:
        raise BadMapping(fields.where, f"a player has no field {foreign[0]}")
    sheet = open_any(path, fields, ("called", *FACTS), needs=("player",))
    bound, describe = _compiled(sheet, fields, pool, EARLIEST if at is None else see_played(instant(at)))
    unused = tuple(name for number, name in enumerate(sheet.columns) if number not in bound.used)
    return unused, lines(sheet, bound, describe)


def _compiled(sheet: Sheet, fields: FieldMap, pool: str, start: int) -> tuple[Binding, Callable[[list[str]], Outcome]]:
    bound = Binding(sheet, fields)
    who = bound.required("player", partial(see_player, "player"))
    called = bound.optional("called", lambda text: see_player("called", text) if text else "", "called")
    read, mapped = played(fields.date), "played" if "played" in fields.fields else "at"
    time = bound.optional(mapped, lambda text: read(text) if text else start, "at", "played")
    own = {name: (name,) for name in FACTS}
    wanted = sorted({*FACTS, *bound.mapped} - _TYPED)
    found = {name: bound.optional(name, fact(name, bound.decimal), *own.get(name, ())) for name in wanted}
    readers = {name: reader for name, reader in found.items() if reader is not None}
    if not readers and called is None:
        raise bound.missing("called", "called")

    def describe(cells: list[str]) -> Outcome:
        key = who[cells[who.index]]
        shown = called[cells[called.index]] if called is not None else ""
        when = time[cells[time.index]] if time is not None else start
        values = {name: reader[cells[reader.index]] for name, reader in readers.items()}
        facts: dict[str, Fact] = {name: value for name, value in values.items() if value is not None}
        if not facts and not shown:
            raise BadValue("player", key, "is given no fact")
        return PlayerDescribed(pool=pool, player=key, played=when, called=shown, data=facts)

    return bound, describe
