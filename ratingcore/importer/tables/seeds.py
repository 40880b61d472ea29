"""Reads ratings from a file: each row seeds columns of the state of one player."""

from collections.abc import Callable, Iterator
from functools import partial

from ratingcore.errors import BadMapping, BadValue
from ratingcore.events import NO_ID, RatingSeeded, When, instant
from ratingcore.events.bounds import see_played, see_player, see_uid
from ratingcore.importer.tables.any_sheet import open_any
from ratingcore.importer.tables.binding import Binding, Reader
from ratingcore.importer.tables.dates import played
from ratingcore.importer.tables.fieldmap import FieldMap
from ratingcore.importer.tables.files import Path
from ratingcore.importer.tables.lines import Line, Outcome
from ratingcore.importer.tables.numbers import required, whole
from ratingcore.importer.tables.rows import lines
from ratingcore.importer.tables.sheets import Sheet

STATE_COLUMNS = ("counted", "deviation", "rating", "volatility")
"""Columns of the state that are read from columns of these names even without a mapping."""

_TYPED = frozenset({"player", "at", "played", "order", "uid", "pool"})
_FOREIGN = ("a", "b", "score", "sides", "values")


def read_seeds(
    path: Path, *, pool: str | None = None, fields: FieldMap | None = None, at: When | None = None
) -> Iterator[Line]:
    """Yields the ratings in a file as seeds, lazily and in its order; every data row gives exactly one line.

    Parameters
    ----------
    path, pool
        As for `read_results`.
    fields : FieldMap or None
        `player`, `at` (or `played`), `pool`, `order` and `uid`; every other name is a column of the state. Unmapped
        fields are read from columns of their own names: `player`, `at` or `played`, `rating`,
        `deviation`, `volatility`, `counted`.
    at : str, date, datetime or None
        Time of rows that name none; it has precedence over a column that is not mapped.

    Returns
    -------
    iterator of Line
        The outcome of a line is a `RatingSeeded`, or `Refused` with its reason.

    Raises
    ------
    BadFile
        At once if the file cannot be read or is empty; while iterating if its text is damaged further on.
    ColumnNotFound, BadMapping
        If the mapping does not fit the file, or gives no pool or no time.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "list.csv")
    ...     _ = file.write_text("name;elo\\nann;1612,5\\n")
    ...     (line,) = read_seeds(
    ...         file, pool="rapid", at="2024-01-01",
    ...         fields=FieldMap(FieldMap.parse("player=name,rating=elo").fields, decimal=","),
    ...     )
    >>> line.outcome.player, dict(line.outcome.values)
    ('ann', {'rating': 1612.5})
    """
    fields = fields or FieldMap()
    foreign = [name for name in _FOREIGN if name in fields.fields]
    if foreign:
        raise BadMapping(fields.where, f"a seed has no field {foreign[0]}")
    sheet = open_any(path, fields, STATE_COLUMNS, needs=("player",))
    start = None if at is None else see_played(instant(at))
    return lines(sheet, *_compiled(sheet, fields, pool or fields.pool, start))


def unused_columns(
    path: Path, *, pool: str | None = None, fields: FieldMap | None = None, at: When | None = None
) -> tuple[str, ...]:
    """Names of the columns of which seeds read nothing, such as facts of players; parameters as for `read_seeds`."""
    fields = fields or FieldMap()
    sheet = open_any(path, fields, STATE_COLUMNS, needs=("player",))
    bound, _ = _compiled(sheet, fields, pool or fields.pool, None if at is None else instant(at))
    return tuple(name for number, name in enumerate(sheet.columns) if number not in bound.used)


def _compiled(
    sheet: Sheet, fields: FieldMap, pool: str | None, start: int | None
) -> tuple[Binding, Callable[[list[str]], Outcome]]:
    """Returns the binding of a file and the function that makes a seed of a row."""
    bound = Binding(sheet, fields)
    who_of = bound.required("player", partial(see_player, "player"))
    time, where = _time(bound, fields, start), bound.pool(pool)
    order = bound.optional("order", lambda text: whole("order", text))
    uid = bound.optional("uid", see_uid)
    values = _values(bound)
    if not any(name in bound.mapped or name in sheet.columns for name in values):
        raise bound.missing("rating", "rating")

    def seed(cells: list[str]) -> Outcome:
        who, when = who_of[cells[who_of.index]], time(cells)
        scope = where[cells[where.index]] if where is not None else pool or ""
        turn = order[cells[order.index]] if order is not None else 0
        numbers = {name: reader[cells[reader.index]] for name, reader in values.items()}
        given = {name: float(value) for name, value in numbers.items() if value is not None}
        if not given:
            raise BadValue("seed", who, "gives no value to a player")
        own = uid.read(cells[uid.index].strip()) if uid is not None else ""
        return RatingSeeded(uid=own or NO_ID, pool=scope, played=when, player=who, values=given, order=turn)

    return bound, seed


def _values(bound: Binding) -> dict[str, Reader[int | float | None]]:
    """Readers of the columns of the state, sorted by name."""
    readers = {}
    for name in sorted({*STATE_COLUMNS, *bound.mapped} - _TYPED):
        own = (name,) if name in STATE_COLUMNS else ()
        reader = bound.optional(name, required(name, bound.decimal), *own)
        if reader is not None:
            readers[name] = reader
    return readers


def _time(bound: Binding, fields: FieldMap, start: int | None) -> Callable[[list[str]], int]:
    """Reader of the time of a row: a mapped column, else the one time for all rows, else a column named like it."""
    mapped = [name for name in ("at", "played") if name in fields.fields]
    if len(mapped) == 2:
        raise BadMapping(fields.where, "at and played are the same field of a seed")
    if start is not None and not mapped:
        return lambda cells: start
    read = played(fields.date)
    reader = bound.optional(
        mapped[0] if mapped else "at", lambda text: read(text) if text or start is None else start, "at", "played"
    )
    if reader is None:
        raise BadMapping(fields.where, "no time: map at to a column, or give one time for all rows")
    return lambda cells: reader[cells[reader.index]]
