"""Reads results from a table: each game from one row, each session from one JSON object or several rows."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from attrs import evolve, frozen

from ratingcore.errors import BadFile, BadMapping, BadValue, ColumnNotFound
from ratingcore.events import NO_ID, Event, GamePlayed, Instant
from ratingcore.events.bounds import POINTS, check_uid
from ratingcore.events.kinds import RESULT_FIELDS
from ratingcore.events.rounds import order_on_day
from ratingcore.importer.tables.bound_mapping import Binding
from ratingcore.importer.tables.cells import DATA_FIELDS, place_on_day
from ratingcore.importer.tables.clocks import with_clock
from ratingcore.importer.tables.counts import columns_of_counts, score_of_one_game
from ratingcore.importer.tables.fieldmap import NO_COLUMN, FieldMap, FromColumn
from ratingcore.importer.tables.game_scores import (
    score_behind_sides,
    score_from_column,
    score_from_points,
    score_from_sets,
)
from ratingcore.importer.tables.given_days import lacks_days, own_days, with_own_days
from ratingcore.importer.tables.headings import WON, columns_of_sets, meanings, readings
from ratingcore.importer.tables.json_documents import Numbered
from ratingcore.importer.tables.least_is_best import check_most_is_best
from ratingcore.importer.tables.outcomes import TYPED, Decided, Facts, Making, free_facts, outcome_of, row_outcomes
from ratingcore.importer.tables.parsers import Group, Parser
from ratingcore.importer.tables.partners import is_of_partners, score_of_singles
from ratingcore.importer.tables.score_columns import both_ways
from ratingcore.importer.tables.session_objects import Objects
from ratingcore.importer.tables.sessions import is_of_sessions, sessions_of_rows
from ratingcore.importer.tables.sheets import cells_of_object, open_table, paths_within
from ratingcore.importer.tables.split_days import parts_of_day, with_whole_days
from ratingcore.importer.tables.unplayed import UnplayedWords, is_of_unplayed, score_if_played
from ratingcore.importer.tables.win_marks import score_of_marks
from ratingcore.importer.tables.winners import compared_score, names_winner, score_from_winner
from ratingcore.importer.tables.word_meanings import Row
from ratingcore.readers import Outcome, Refused
from ratingcore.readers.contract import OF_ALL
from ratingcore.readers.files import Path
from ratingcore.readers.sheets import Sheet
from ratingcore.safe_text import Filled


def read_results(path: Path, *, pool: str | None = None, fields: FieldMap | None = None) -> Iterator[Outcome]:
    """Yields the results of a file, lazily and in file order, with one item per game or session.

    Parameters
    ----------
    path : str or path
        CSV or another delimited text, or one JSON object a line (named ``.jsonl`` or ``.ndjson``, or beginning
        with a brace), plain or gzip; a Parquet or Arrow file, a spreadsheet, or a database that the mapping queries.
    pool : str or None
        Pool of rows without one; None leaves it to the mapping.
    fields : FieldMap or None
        Columns by field. Unmapped fields are read from columns of their own names: `a`, `b`,
        `score`, `played`, `order`, `uid` or `id`, and the known fields of data (`points_a`, `home`, `event`, ...).
        Without a score column the score is derived from `points_a` and `points_b`.

    Returns
    -------
    iterator of Outcome
        `Made` with a `GamePlayed` or `SessionPlayed`; `Refused` or `Unrated` with the reason (`forfeit`, `bye`,
        `no result yet`). The uid of a result without an id is `NO_ID`: the log derives one when the file is imported.

    Raises
    ------
    BadFile
        At once if the file cannot be read or is empty; while iterating if its text is damaged further on.
    ColumnNotFound, BadMapping
        If the mapping does not fit the file, or gives no pool.

    Notes
    -----
    A session of many sides is a JSON object with `sides`, or several rows with the same pool, time and `session`. Each
    such row has a `player`, a `score` or `place`, and a `side` if several players form one side.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "games.csv")
    ...     _ = file.write_text("white,black,score,played\\nann,bo,1-0,2024-03-02\\ncy,di,+/-,2024-03-02\\n")
    ...     mapping = FieldMap.parse("a=white,b=black")
    ...     win, forfeit = read_results(file, pool="rapid", fields=mapping)
    >>> win.line, win.event.a, win.event.score
    (2, 'ann', 1.0)
    >>> forfeit
    Unrated(line=3, reason='forfeit', count=1)
    """
    fields = fields or FieldMap()
    return read_sheet(sheet_of_results(path, fields), pool, fields)


def sheet_of_results(path: Path, fields: FieldMap) -> Sheet:
    """Opens a file of results as a table; raises what `read_results` raises."""
    needs = ("session", "played") if "session" in fields.fields else ("a", "b", "played")
    reads = partial(_readings, fields)
    sheet = open_table(path, fields, ("order", *DATA_FIELDS), needs=needs, reads=lambda columns: bool(reads(columns)))
    own = own_days(sheet, fields)
    if own and not lacks_days(sheet, own):
        raise BadFile(
            sheet.path,
            Filled("it has days of its own in the column {column}, so no other day can be given", column=own),
            "leave out the day, or, if that column does not have the days of play, map played to another one",
        )
    fields = with_own_days(sheet, fields)
    return with_clock(with_whole_days(sheet, fields), fields.on(sheet.columns))


def by_headings(sheet: Sheet, fields: FieldMap, kept: Callable[[], Collection[str]] = tuple) -> FieldMap:
    """Completes the mapping of a table from its headings, if they can be read in only one way.

    Parameters
    ----------
    kept : callable
        Returns the columns that are read under their own names only; called only if headings are needed.

    Examples
    --------
    >>> sheet = Sheet("games.csv", ("Datum", "Weiß", "Schwarz", "Ergebnis"), lambda used: iter(()))
    >>> by_headings(sheet, FieldMap()).fields["a"].column
    'Weiß'
    """
    fields = fields.on(sheet.columns)
    mapped = fields.columns
    if not mapped <= {*sheet.layout} or "sides" in {*sheet.columns, *fields.fields}:
        return fields
    try:
        _read(sheet, fields, "p")
    except ColumnNotFound:
        inside = tuple(column for column in sheet.further if column in mapped)
        found = both_ways(sheet, _readings(fields, sheet.columns + inside, kept()))
        added = {name: FromColumn(column) for name, column in found[0].items()} if len(found) == 1 else {}
        return evolve(fields, fields={**added, **fields.fields})
    return fields


def _readings(fields: FieldMap, columns: Sequence[str], kept: Collection[str] = ()) -> list[dict[str, str]]:
    sources = fields.on(columns).fields.items()
    given = {name: one.column if isinstance(one, FromColumn) else "" for name, one in sources if one != NO_COLUMN}
    if not {*filter(None, given.values())} <= {*columns}:
        return []
    return readings(columns, given, [name for name, one in sources if one == NO_COLUMN], kept)


def read_sheet(sheet: Sheet, pool: str | None, fields: FieldMap) -> Iterator[Outcome]:
    """Yields the results of a table, as `read_results` does for a file."""
    return _read(sheet, fields, pool or fields.pool)[1]


def unused_columns(sheet: Sheet, pool: str | None, fields: FieldMap) -> list[str]:
    """Lists the columns that no field of a result is read from; nested objects by the paths to their values."""
    used = _read(sheet, fields, pool or fields.pool)[0]
    within = {one.partition(".")[0] for one in fields.columns if one in sheet.further}
    within |= {*parts_of_day(sheet.columns, fields)}
    unused = [name for index, name in enumerate(sheet.columns) if name and index not in used and name not in within]
    paths = paths_within(sheet, unused)
    return [path for name in unused for path in paths.get(name, (name,))]


def fields_with_columns(sheet: Sheet, fields: FieldMap) -> frozenset[str]:
    """Returns the fields that a table gives its results, by its mapping or by columns with their names."""
    columns = {*sheet.columns}
    own = (columns if columns >= OF_ALL else {"order", *DATA_FIELDS} & columns) - fields.spent
    given = {*fields.fields, *fields.kept, *own, "unit"}  # the unit may follow from places
    ground = fields.fields.get("neutral")
    by_ground = "neutral" in columns if ground is None else ground != NO_COLUMN
    return frozenset({*given, "home"} if by_ground else given)  # the home side follows from neutral ground


def _read(sheet: Sheet, fields: FieldMap, pool: str | None) -> tuple[set[int], Iterator[Outcome]]:
    """Returns the used columns of a table, and the outcomes of its rows."""
    if is_of_sessions(sheet, fields):
        bound, read = sessions_of_rows(sheet, fields, pool)
        return bound.used, read
    if sheet.objects is None:
        bound, game = _of_games(sheet, fields, pool)
        return bound.used, row_outcomes(sheet, bound, game)
    sessions = Objects(sheet, fields, pool)
    if not sessions.expected:
        bound, game = _of_games(sheet, fields, pool)
        return bound.used, _of_objects(sheet, sessions, bound, game)
    games = _of_games(sheet, fields, pool) if {"a", "b"} & {*sheet.columns, *fields.fields} else None
    used = {sheet.columns.index(sessions.column), *sessions.bound.used, *(games[0].used if games else ())}
    return used, _of_objects(sheet, sessions, *(games or (sessions.bound, _no_game)))


def _of_objects(sheet: Sheet, sessions: Objects, bound: Binding, game: Making) -> Iterator[Outcome]:
    """Yields the outcomes of the objects of a file: objects with sides are sessions, all others are games."""
    assert sheet.objects is not None
    used, examined = frozenset(bound.used), bound.learning.examined
    tail, column, objects = bound.tail, sessions.column, sheet.objects()

    def cells(some: list[Numbered]) -> list[Row]:
        games = [row for row in some if not isinstance(row, Refused) and row[1].get(column) is None]
        return [cells_of_object(*row, sheet.layout, used, examined) for row in games]

    for row in bound.learning.before(objects, cells):
        if isinstance(row, Refused):
            yield row
            continue
        line, parsed = row
        if parsed.get(column) is not None:
            yield sessions.outcome(line, parsed)
            continue
        texts = cells_of_object(line, parsed, sheet.layout, used, examined)
        yield texts if isinstance(texts, Refused) else outcome_of(sheet, bound, line, texts[1] + tail, game)
    yield from bound.notes()


def _no_game(cells: list[str]) -> str:
    raise BadValue("sides", "", "are missing, and so are the fields a and b")


def _of_games(sheet: Sheet, fields: FieldMap, pool: str | None) -> tuple[Binding, Making]:
    parsers = GameParsers.of(sheet, fields, pool)
    return parsers.bound, parsers.reader()


@frozen
class GameParsers:
    """Parsers of the fields of games, bound to the columns of one table.

    Attributes
    ----------
    bound : Binding
    a, b : Parser of str
    day : Parser of Instant
    decided : Group
        The score and the facts it was derived from, or the reason why there is no score.
    free : Group
        The other facts.
    order, uid, where : Parser or None
        Order on the day, uid and pool, if the table has them. Without an order, the round gives it.
    pool : str
        Pool of rows without one.
    unplayed : UnplayedWords
        Words in other columns that say that a game was not played.
    """

    bound: Binding
    a: Parser[str]
    b: Parser[str]
    day: Parser[Instant]
    decided: Group[Decided]
    free: Group[Facts]
    order: Parser[int] | None
    uid: Parser[str] | None
    where: Parser[str] | None
    pool: str
    unplayed: UnplayedWords

    @classmethod
    def of(cls, sheet: Sheet, fields: FieldMap, pool: str | None) -> "GameParsers":
        """The parsers of a table of games.

        Raises
        ------
        BadMapping, ColumnNotFound
            If the mapping does not fit the table.
        """
        fields = fields.with_ground()
        own = TYPED if sheet.objects is None else TYPED | {"sides"}
        foreign = sorted((RESULT_FIELDS - own) & fields.fields.keys())
        if foreign:
            raise BadMapping(fields.where, Filled("a game has no field {field}", field=foreign[0]))
        in_one = fields.fields.get("points", NO_COLUMN) != NO_COLUMN
        check_most_is_best(fields, *POINTS)
        bound = Binding(sheet, fields)
        by_winner = "score" in fields.fields and names_winner(bound.column("a"), bound.column("score"))
        if in_one and not by_winner and fields.fields.get("score", NO_COLUMN) != NO_COLUMN:
            raise BadMapping(fields.where, "the score follows from points, so map one of the two")
        by_points, a, b = not in_one and _points_decide(bound, fields), bound.player("a"), bound.player("b")
        decided = score_from_points if by_points else partial(score_from_column, field="points" if in_one else "score")
        if by_winner and not by_points:
            decided = score_from_winner
        elif in_one and bound.column("points") == bound.column("a"):
            decided = score_behind_sides
        elif sets := columns_of_sets(sheet.columns, bound.column("score")):
            decided = partial(score_from_sets, columns=sets)
        score = decided(bound)
        others = [one for one in sheet.columns if bound.owns(one) and meanings(one, WON) == {"winner"}]
        others += [one for one in bound.score_columns() if one != "score" or by_points]
        if others and not by_winner and bound.mapped.isdisjoint({"score", "points", "winner"}):
            score = compared_score(bound, score, others)
        score = score_of_marks(bound, score)
        if told := [one for one in bound.called(is_of_unplayed) if one != bound.column("played")]:
            score = score_if_played(bound, score, told)
        if partners := bound.called(partial(is_of_partners, sides=(bound.column("a"), bound.column("b")))):
            score = score_of_singles(bound, score, partners)
        if counts := columns_of_counts(sheet, bound):
            score = score_of_one_game(bound, score, counts)
        order = place_on_day
        parsers = partial(
            cls,
            bound,
            a,
            b,
            bound.played(),
            score,
            order=bound.optional("order", order, "order"),
            where=bound.pool(pool),
            uid=bound.optional("uid", check_uid, "uid", "id"),
            pool=pool or "",
        )
        further = UnplayedWords(sheet, bound, bound.others(bound.used, DATA_FIELDS))
        return parsers(free=free_facts(bound, scored_by_points=by_points or in_one), unplayed=further)

    def reader(self) -> Making:
        """Returns the function that turns the cells of a row into a game.

        That function is the hot path of every import, so it looks cells up by index and avoids calls.
        Order and uid differ in every row, so they bypass the caches of their parsers (`read` instead of `[]`).
        """
        a, b, day, decided, free = self.a, self.b, self.day, self.decided, self.free
        order, uid, where, one_pool = self.order, self.uid, self.where, self.pool
        at_a, at_b, at_day, key_decided, key_free = a.index, b.index, day.index, decided.pick, free.pick
        unplayed, words = self.unplayed, self.unplayed.words_by_column

        def game(cells: list[str]) -> Event | str:
            if words and (why := unplayed.why(cells)):
                return why
            result = decided[key_decided(cells)]
            if isinstance(result, str):
                return result
            point, given = result
            facts = free[key_free(cells)]
            if given:
                facts = {**facts, **given}
            one, other, when = a[cells[at_a]], b[cells[at_b]], day[cells[at_day]]
            place = cells[order.index].strip() if order is not None else ""
            turn = order.read(place) if order is not None and place else order_on_day(when, facts)
            scope = where[cells[where.index]] if where is not None else one_pool
            name = uid.read(cells[uid.index].strip()) if uid is not None else NO_ID
            return GamePlayed(
                uid=name or NO_ID, pool=scope, played=when, a=one, b=other, score=point, order=turn, data=facts
            )

        return game


def _points_decide(bound: Binding, fields: FieldMap) -> bool:
    """True if the score comes from points: a mapped score goes before mapped points, and these before own columns."""
    given = {name for name, source in fields.fields.items() if source != NO_COLUMN}
    if "score" in given:
        return False
    if given >= set(POINTS):
        return True
    unscored = not bound.owns("score") or "score" in fields.fields
    return unscored and all(name in given or (bound.owns(name) and name not in fields.fields) for name in POINTS)
