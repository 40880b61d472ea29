"""Reads tables of players: ratings given from outside, and facts such as birth years."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime

from attrs import evolve

from ratingcore.errors import BadMapping, BadValue, NotANumber
from ratingcore.events import NO_ID, Event, Fact, PlayerDescribed, RatingSeeded, When, instant
from ratingcore.events.bounds import EARLIEST, check_played, check_player, check_uid
from ratingcore.events.kinds import RESULT_FIELDS
from ratingcore.importer.tables.bound_mapping import Binding
from ratingcore.importer.tables.cells import Number, fact_parser, numeric_parser, time_parser, whole_number
from ratingcore.importer.tables.fieldmap import FieldMap
from ratingcore.importer.tables.headings import OF_PLAYERS, OF_SEEDS, plain, word_list
from ratingcore.importer.tables.outcomes import Making, row_outcomes
from ratingcore.importer.tables.parsers import Parser
from ratingcore.importer.tables.sheets import open_table
from ratingcore.importer.tables.word_meanings import Learner, Row
from ratingcore.readers import Outcome, Refused
from ratingcore.readers.files import Path
from ratingcore.readers.sheets import Rows, Sheet
from ratingcore.safe_text import Filled

STATE_COLUMNS = ("counted", "deviation", "rating", "volatility")
"""Columns of a method's state that are read from columns with the same name even without a mapping."""

JOINED = "full name"
_FIRST = word_list(
    "first name, firstname, given name, forename, vorname, prenom, nombre, nome, nome proprio, imie, jmeno, krestni "
    "jmeno, имя"
)
_LAST = word_list(
    "last name, lastname, surname, family name, name, nachname, familienname, nom, nom de famille, apellido, "
    "apellidos, cognome, apelido, sobrenome, nazwisko, prijmeni, фамилия"
)


def open_players(path: Path, fields: FieldMap, further: tuple[str, ...]) -> Sheet:
    """Opens a table of players; columns of first and last names become one column `JOINED`, unless one is mapped.

    Examples
    --------
    >>> from ratingcore.readers import Source
    >>> sheet = open_players(Source.of_bytes("a.csv", b"Nachname,Vorname\\nLee,Ann\\n"), FieldMap(), ())
    >>> sheet.columns, list(sheet.rows(frozenset({0})))
    (('full name', ''), [(2, ['Ann Lee', 'Ann'])])
    """
    sheet = open_table(path, fields, further, needs=("player",))
    firsts, lasts = ([one for one in sheet.columns if plain(one) in words] for words in (_FIRST, _LAST))
    if len(firsts) != 1 or len(lasts) != 1 or {*firsts, *lasts} & {*fields.columns} or sheet.objects is not None:
        return sheet
    first, last = sheet.columns.index(firsts[0]), sheet.columns.index(lasts[0])

    def rows(used: frozenset[int]) -> Rows:
        for row in sheet.rows(used | {first, last}):
            if not isinstance(row, Refused):
                row[1][last] = f"{row[1][first].strip()} {row[1][last].strip()}".strip()
            yield row

    columns = list(sheet.columns)
    columns[first], columns[last] = "", JOINED
    return evolve(sheet, columns=tuple(columns), rows=rows, typed=None)


_OF_SEED = frozenset({"player", "at", "played", "order", "uid", "pool"})
_FOREIGN = ("a", "b", "score", "sides", "values")


def read_seeds(
    path: Path, *, pool: str | None = None, fields: FieldMap | None = None, at: When | None = None
) -> Iterator[Outcome]:
    """Yields the ratings in a file as seeds, lazily and in file order; every data row gives exactly one outcome.

    Parameters
    ----------
    path, pool
        As for `read_results`.
    fields : FieldMap or None
        `player`, `at` (or `played`), `pool`, `order` and `uid`; every other name is a column of the state. Unmapped
        fields are read from columns of their own names: `player`, `at` or `played`, `rating`,
        `deviation`, `volatility`, `counted`.
    at : str, date, datetime or None
        Time of rows without one; it has precedence over a column that is not mapped.

    Returns
    -------
    iterator of Outcome
        `Made` with a `RatingSeeded`, or `Refused` with its reason.

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
    ...     (row,) = read_seeds(
    ...         file, pool="rapid", at="2024-01-01",
    ...         fields=FieldMap(FieldMap.parse("player=name,rating=elo").fields, decimal=","),
    ...     )
    >>> row.event.player, dict(row.event.values)
    ('ann', {'rating': 1612.5})
    """
    fields = fields or FieldMap()
    foreign = [name for name in _FOREIGN if name in fields.fields]
    if foreign:
        raise BadMapping(fields.where, f"a seed has no field {foreign[0]}")
    sheet = open_players(path, fields, STATE_COLUMNS)
    start = None if at is None else check_played(instant(at))
    return row_outcomes(sheet, *_seeded(sheet, fields, pool or fields.pool, start))


def unused_columns(
    path: Path, *, pool: str | None = None, fields: FieldMap | None = None, at: When | None = None
) -> tuple[str, ...]:
    """Lists the columns that `read_seeds` does not use, such as facts of players; it takes the same parameters."""
    fields = fields or FieldMap()
    sheet = open_players(path, fields, STATE_COLUMNS)
    bound, _ = _seeded(sheet, fields, pool or fields.pool, None if at is None else instant(at))
    return tuple(name for number, name in enumerate(sheet.columns) if name and number not in bound.used)


def _seeded(sheet: Sheet, fields: FieldMap, pool: str | None, start: int | None) -> tuple[Binding, Making]:
    """Returns the binding of a file, and the function that turns a row into a seed."""
    bound = Binding(sheet, fields, OF_SEEDS)
    who_of = bound.player("player")
    time, where = _time(bound, fields, start), bound.pool(pool)
    order = bound.optional("order", lambda text: whole_number("order", text))
    uid = bound.optional("uid", check_uid)
    values = _values(bound)
    if not any(name in bound.mapped or name in sheet.columns for name in values):
        raise bound.missing("rating", "rating")

    given_before = dict[tuple[str, str, int, int], dict[str, float]]()

    def seed(cells: list[str]) -> Event:
        who, when = who_of[cells[who_of.index]], time(cells)
        scope = where[cells[where.index]] if where is not None else pool or ""
        turn = order[cells[order.index]] if order is not None else 0
        numbers = {name: reader[cells[reader.index]] for name, reader in values.items()}
        given = {name: float(value) for name, value in numbers.items() if value is not None}
        if not given:
            raise BadValue("seed", who, "has no value")
        own = uid.read(cells[uid.index].strip()) if uid is not None else ""
        earlier = given_before.setdefault((scope, who, when, turn), given)
        for name in sorted(given.keys() & earlier.keys()):
            if given[name] != earlier[name]:
                form = "differs from an earlier row for {player}: {value}"
                raise BadValue(name, given[name], Filled(form, player=who, value=f"{earlier[name]:g}"))
        return RatingSeeded(uid=own or NO_ID, pool=scope, played=when, player=who, values=given, order=turn)

    return bound, seed


def _values(bound: Binding) -> dict[str, Parser[int | float | None]]:
    """Returns the parsers of the columns of the method's state, sorted by name."""
    readers = {}
    for name in sorted({*STATE_COLUMNS, *bound.mapped} - _OF_SEED):
        own = (name,) if name in STATE_COLUMNS else ()
        read = numeric_parser(name, bound.decimal)
        reader = bound.optional(name, _unless_zero(_of_rating(read, bound), bound) if name == "rating" else read, *own)
        if reader is not None:
            readers[name] = reader
    return readers


_THOUSANDS = re.compile("[1-9][0-9]{0,2}([.,])[0-9]{3}")


def _of_rating(read: Number, bound: Binding) -> Number:
    """Returns a parser of ratings in which a point or a comma that is not the decimal sign separates thousands.

    If the mapping gives no decimal sign, 1.650 is refused, since it may mean 1650; 1650,5 has a decimal comma. The
    index of a German rating, the number of its evaluations, is left out: 1712-45.
    """

    def rating(text: str) -> int | float | None:
        if with_index := _WITH_INDEX.fullmatch(text):
            return read(with_index[1])
        if not bound.decimal_given and _WITH_COMMA.fullmatch(text):
            return read(text.replace(",", "."))
        match = _THOUSANDS.fullmatch(text)
        if match is None or (bound.decimal_given and match[1] == bound.decimal):
            return read(text)
        whole = text.replace(match[1], "")
        if not bound.decimal_given and len(whole) <= _DIGITS:
            raise NotANumber("rating", text, f"may mean {whole} or {float(whole) / 1000:g}")
        return read(whole) if bound.decimal_given else read(text)

    return rating


_WITH_INDEX = re.compile("([1-9][0-9]{2,3}) ?[-\u2013] ?[0-9]{1,3}")
_WITH_COMMA = re.compile("[0-9]+,[0-9]{1,2}")
_DIGITS = 4
"""Largest number of digits for which a rating such as 1.650 may mean a whole number, 1650."""


def _unless_zero(read: Number, bound: Binding) -> Number:
    """Returns a parser that refuses a rating of 0 in a column with ratings of hundreds and none below 0."""
    numbers = {0.0}

    def rating(text: str) -> int | float | None:
        found = read(text)
        if found == 0 and min(numbers) == 0 and max(numbers) >= _HUNDREDS:
            raise BadValue(
                "rating", text, "is 0 among ratings of hundreds: leave the row out if the player has no rating"
            )
        return found

    column = bound.optional("rating", read, "rating")
    if column is not None:
        place = column.index

        def meet(rows: Iterable[Row]) -> None:
            for text in {row[1][place] for row in rows if type(row) is tuple}:
                with suppress(BadValue, NotANumber):
                    numbers.add(float(read(text) or 0.0))

        bound.learning.add(Learner(frozenset({place}), meet, str, str))
    return rating


_HUNDREDS = 100
"""If a column holds a rating this large, 0 is not a rating on its scale."""


def _time(bound: Binding, fields: FieldMap, start: int | None) -> Callable[[list[str]], int]:
    """Returns the reader of a row's time: from a mapped column, else `start`, else from a column `at` or `played`."""
    mapped = [name for name in ("at", "played") if name in fields.fields]
    if len(mapped) == 2:
        raise BadMapping(fields.where, "at and played are the same field of a seed")
    if start is not None and not mapped:
        return lambda cells: start
    read = time_parser(fields.date)
    reader = bound.optional(
        mapped[0] if mapped else "at", lambda text: read(text) if text or start is None else start, "at", "played"
    )
    if reader is None:
        raise BadMapping(fields.where, "no time: map at to a column, or give one time for all rows")
    return lambda cells: reader[cells[reader.index]]


FACTS = ("born", "club", "federation", "sex", "title")
"""Facts of players that are read from columns with the same name even without a mapping."""

_OF_PLAYER = frozenset({"player", "at", "played", "called"})


def read_players(
    path: Path, *, pool: str, fields: FieldMap | None = None, at: When | None = None
) -> tuple[tuple[str, ...], Iterator[Outcome]]:
    """Reads the facts of players in a file: returns the names of the unused columns, and the outcome of each row.

    Parameters
    ----------
    path : path
        Delimited text with a header, or JSON lines.
    pool : str
        Pool whose methods can read the facts.
    fields : FieldMap or None
        `player`, `called`, `at` (or `played`); every other name is a fact. Unmapped fields are read from columns of
        their own names: these, and `FACTS`.
    at : str, date, datetime or None
        Time from which facts hold, for rows without a time; None for the first day that a log accepts.

    Raises
    ------
    BadFile
        At once if the file cannot be read or is empty; while iterating if its text is damaged further on.
    ColumnNotFound, BadMapping
        If the mapping does not fit the file, or no column has a fact of a player.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "players.csv")
    ...     _ = file.write_text("player,called,born,rating\\nfide:1503014,Ann Lee,1990,2850\\n")
    ...     unused, rows = read_players(file, pool="rapid")
    ...     (row,) = rows
    >>> unused, row.event.called, dict(row.event.data)
    (('rating',), 'Ann Lee', {'born': 1990})
    """
    fields = fields or FieldMap()
    foreign = sorted((RESULT_FIELDS - _OF_PLAYER) & fields.fields.keys())
    if foreign:
        raise BadMapping(fields.where, f"a player has no field {foreign[0]}")
    sheet = open_players(path, fields, ("called", *FACTS))
    bound, describe = _described(sheet, fields, pool, EARLIEST if at is None else check_played(instant(at)))
    unused = tuple(name for number, name in enumerate(sheet.columns) if name and number not in bound.used)
    return unused, row_outcomes(sheet, bound, describe)


_YEAR = re.compile(r"[0-9]{2}|[0-9]{1,2}([./-] ?)[0-9]{1,2}\1([0-9]{4})")
_YOUNGEST = 3
"""Least age, in years, of a player whose birth is written with two digits."""


def _of_birth(text: str) -> str | int | float | None:
    """Parses a birth: `61` is 1961, and `12.03.1970` is 1970, since the order of day and month does not matter."""
    match = _YEAR.fullmatch(text)
    if match is None:
        return fact_parser("born", ".")(text)
    latest = datetime.now(UTC).year - _YOUNGEST
    return int(match[2]) if match[2] else latest - (latest - int(text)) % 100


def _described(sheet: Sheet, fields: FieldMap, pool: str, start: int) -> tuple[Binding, Making]:
    bound = Binding(sheet, fields, OF_PLAYERS)
    who = bound.player("player")
    called = bound.optional("called", lambda text: check_player("called", text) if text else "", "called")
    if called is not None:
        called.naming = "called"
    read, mapped = time_parser(fields.date), "played" if "played" in fields.fields else "at"
    time = bound.optional(mapped, lambda text: read(text) if text else start, "at", "played")
    own = {name: (name,) for name in FACTS}
    wanted = sorted({*FACTS, *bound.mapped} - _OF_PLAYER)
    facts_of = {name: _of_birth if name == "born" else fact_parser(name, bound.decimal) for name in wanted}
    found = {name: bound.optional(name, parse, *own.get(name, ())) for name, parse in facts_of.items()}
    readers = {name: reader for name, reader in found.items() if reader is not None}
    if not readers and called is None:
        raise bound.missing("called", "called")
    columns = [(name, reader, reader.index) for name, reader in readers.items()]

    def describe(cells: list[str]) -> Event:
        key = who[cells[who.index]]
        shown = called[cells[called.index]] if called is not None else ""
        when = time[cells[time.index]] if time is not None else start
        facts: dict[str, Fact] = {}
        for name, reader, index in columns:
            value = reader[cells[index]]
            if value is not None:
                facts[name] = value
        if not facts and not shown:
            raise BadValue("player", key, "has no facts")
        return PlayerDescribed(pool=pool, player=key, played=when, called=shown, data=facts)

    return bound, describe
