"""Binds a mapping to the columns of one file."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from ratingcore.errors import BadFile, BadMapping, BadValue, ColumnNotFound, EventError, ScoresInDoubt
from ratingcore.errors.archive import GAMES
from ratingcore.events import Fact, Instant
from ratingcore.events.bounds import POINTS, check_name
from ratingcore.events.kinds import RESULT_FIELDS
from ratingcore.importer.notes import HiddenRows, ScoresReadAs, SheetsNotRead
from ratingcore.importer.tables.both_sides import sides_in
from ratingcore.importer.tables.cells import (
    Thousands,
    fact_parser,
    fact_reader,
    is_total,
    number_parser,
    time_parser,
    written_fact,
)
from ratingcore.importer.tables.colours import colour_of
from ratingcore.importer.tables.days import UnreadDays, days_before_months, exchanged_days
from ratingcore.importer.tables.fieldmap import NO_COLUMN, Constant, FieldMap, FromColumn, Source
from ratingcore.importer.tables.given_days import with_own_days
from ratingcore.importer.tables.headings import (
    MARKS,
    OF_GAMES,
    Words,
    is_of_opponents,
    meanings,
    offered,
    plain,
    readings,
    sides_offered,
)
from ratingcore.importer.tables.parsers import Parser, V, name_in
from ratingcore.importer.tables.result_letters import languages_of
from ratingcore.importer.tables.score_columns import ScoreColumn, Scored, both_ways, points_in
from ratingcore.importer.tables.score_words import DATED
from ratingcore.importer.tables.split_days import DaysAbove
from ratingcore.importer.tables.word_meanings import Learner, Learning, Row
from ratingcore.readers import Note, Refused
from ratingcore.readers.contract import COLUMNS, OF_ALL
from ratingcore.readers.sheets import Sheet
from ratingcore.safe_text import Filled

_SURE = frozenset({"a", "b", "player", "session", "played"})
"""Fields that every row of a result has."""


_FIRST_DAYS = 1_000
"""Number of rows by which days with the year first are judged."""


class Binding:
    """Makes the parsers of one file.

    A constant of the mapping is treated as one more cell: `tail` holds the constants and is added to the end of every
    row, so parsers need not distinguish constants from columns. `used` holds the columns that parsers read.
    """

    def __init__(self, sheet: Sheet, fields: FieldMap, words: Words = OF_GAMES) -> None:
        self._columns = sheet.columns + sheet.further
        self._counts = Counter(self._columns)
        self._places = {name: at for at, name in reversed([*enumerate(self._columns)])}
        fields = with_own_days(sheet, fields)
        self._sheet, self._fields, self._words = sheet, fields.on(sheet.columns), words
        self._spent, self.kept = self._fields.spent, self._fields.kept
        self.tail: list[str] = []
        self.used: set[int] = set()
        self._sure: list[int] = []
        """Indexes of the cells that no row of a result leaves empty."""
        self.days = UnreadDays(fields.date)
        clock = fields.fields.get("time")
        clock, beside = clock if isinstance(clock, FromColumn) else None, [self.column("round"), self.column("event")]
        self.above = DaysAbove(sheet, self.column("played"), clock, beside)
        self.retired_counts = fields.retired == "counts"
        self.learning = Learning(sheet)
        self.words: Callable[[], Collection[int]] = tuple
        """Finds columns that are not read as a field, but whose words decide whether a row counts."""
        self.remarks: list[Callable[[], str]] = []
        """Functions that return a note on how scores were read; called once all rows are read."""
        self.known = None if fields.known is None else self._reader("known", FromColumn(fields.known), self.day())
        """Parser of the time at which a result became known, if requested."""

    def columns_read(self) -> frozenset[int]:
        """The indexes of the columns that are read from each row."""
        return frozenset({*self.used, *self.words()})

    @property
    def mapped(self) -> frozenset[str]:
        """The fields that the mapping names."""
        return frozenset(self._fields.fields)

    def mapping_by_points(self) -> dict[str, str]:
        """Returns the mapping of the table with points of both sides in the column of the score."""
        columns = {name: self.column(name) for name in self._fields.fields if name != "score" and self.column(name)}
        return {**columns, "points": self.column("score")}

    def heading(self, index: int) -> str:
        """The heading of a column."""
        return self._columns[index]

    def others(self, used: Collection[int], fields: Collection[str]) -> set[int]:
        """Returns the indexes of columns that have a heading, are not used, and are not excluded by the mapping."""
        given = self._fields.fields
        taken = {self.column(field) for field in fields} | {one for one, of in given.items() if of == NO_COLUMN} | {""}
        return {at for at, one in enumerate(self._columns) if at not in used and one not in taken}

    def called(self, means: Callable[[str], bool]) -> list[str]:
        """Lists the columns whose heading `means` accepts, except those mapped to another field or excluded."""
        given = self._fields.fields
        return [one for one in self._sheet.columns if self.owns(one) and given.get(one) != NO_COLUMN and means(one)]

    def free(self, own: Collection[str], taken: Collection[str]) -> "dict[str, Parser[Fact | None]]":
        """Returns the parsers of a result's further fields: of `own` if there is a column, mapped ones, kept columns.

        In a table that was exported from a log, every column is a field, and true and false are truth values.
        """
        written = self._columns if {*self._columns} >= OF_ALL else ()
        names = sorted({*own, *self.mapped, *written} - {*taken, *COLUMNS, "sides", ""})
        found = {}
        for name in names:
            read = written_fact if written else fact_reader(name, self.decimal)
            found[name] = self.optional(name, read, *((name,) if name in own or written else ()))
        for name in sorted(self.kept - found.keys()):
            if name in RESULT_FIELDS:
                raise BadMapping(
                    self._fields.where, f"the column {name} cannot be kept, since results have such a field"
                )
            found[name] = self._reader(name, FromColumn(name), fact_parser(name, self.decimal))
        return {name: reader for name, reader in found.items() if reader is not None}

    def played(self) -> "Parser[Instant]":
        """Returns the parser of the day or time of each row, which refuses a column with some days exchanged."""
        parser = self.required("played", self.day())
        sheet = self._sheet
        if not self._fields.date and not sheet.once and sheet.typed is None and parser.index < sheet.width:
            rows = islice(sheet.rows(frozenset({parser.index})), _FIRST_DAYS)
            days = ((row[0], row[1][parser.index].strip()) for row in rows if not isinstance(row, Refused))
            if (odd := days_before_months(days)) is not None:
                raise BadFile(sheet.path, *odd)
        if sheet.mixed and parser.index < sheet.width:
            texts = set[str]()

            def learn() -> str:
                if (odd := exchanged_days(texts)) is not None:
                    raise BadFile(sheet.path, *odd)
                return ""

            def meet(rows: Iterable[Row]) -> None:
                texts.update(row[1][parser.index] for row in rows if type(row) is tuple)

            self.learning.add(Learner(frozenset({parser.index}), meet, learn, str))
        return parser

    def day(self) -> Callable[[str], Instant]:
        """Returns the parser of the days and times of the file."""
        return time_parser(self._fields.date, self._sheet.zone, self.days)

    @property
    def path(self) -> str:
        """The file that is read."""
        return self._sheet.path

    def notes(self) -> Iterator[Note]:
        """Yields notes on how scores were read, and on days."""
        remarks = [*(learner.remark for learner in self.learning.learners), *self.remarks]
        for remark in filter(None, (remark() for remark in remarks)):
            yield ScoresReadAs(remark)
        yield from self.days.notes()
        yield from self.above.notes()
        if hidden := self._sheet.hidden:
            yield HiddenRows(len(hidden), hidden[0])
        if self._sheet.others:
            yield SheetsNotRead(self._sheet.name, self._sheet.others)

    def scores(self, field: str) -> "Parser[Scored]":
        """Returns the parser of a column of scores, which holds points of both sides if `field` is `points`."""
        number, by_points = number_parser(self.decimal), field == "points"
        full_time = plain(self.column(field)) in {"ftr", "full time result"}
        colours = "".join(colour_of(self.column(side)) for side in ("a", "b"))
        column = ScoreColumn(
            number, by_points=by_points, retired_counts=self.retired_counts, full_time=full_time,
            colours=colours if colours in ("wb", "bw") else "", of_wins=self._is_of_wins(field),
            languages=self._languages(field),
        )  # fmt: skip
        self.remarks += [partial(column.of_shoot_out, drawn=drawn) for drawn in (True, False)]
        home = self._fields.fields.get("home")
        if isinstance(home, FromColumn) and "b" in home.words.values():
            form = "those of {first} first, even where {column} is {word}"
            word = next(text for text, side in home.words.items() if side == "b")
            first = Filled(form, first=self.column("a"), column=home.column, word=word)
            self.remarks.append(lambda: first if column.is_of_both_sides() else "")
        parser = self.required(field, column.read)
        if parser.index < self._sheet.width:
            alone = self.required(field, column.read_alone)

            def learn() -> str:
                odd, doubtful, changed = column.learn()
                if doubtful:
                    raise self._doubt(odd, column.choice)
                self.check_thousands(column.thousands())
                parser.clear()
                return changed

            def meet(rows: Iterable[Row]) -> None:
                column.meet(Counter(row[1][parser.index] for row in rows if type(row) is tuple), alone.__getitem__)

            self.learning.add(Learner(frozenset({parser.index}), meet, learn, lambda: column.remark))
        return parser

    def _languages(self, field: str) -> frozenset[str]:
        return languages_of([self.column(one) for one in (field, "a", "b")])

    def _is_of_wins(self, field: str) -> bool:
        """True if the heading of a field's column means games won, as in `W`, `D` and `L`."""
        heading = plain(self.column(field))
        return any(heading == marks[0] for marks in MARKS)

    def score_columns(self) -> list[str]:
        """Lists the columns whose headings mean a score and that no other field is read from."""
        return [one for one in self._sheet.columns if self.owns(one) and meanings(one, OF_GAMES) == {"score"}]

    def score_words(self, heading: str) -> ScoreColumn:
        """Returns an empty `ScoreColumn` for a further column of scores."""
        return ScoreColumn(
            number_parser(self.decimal), by_points=False, retired_counts=self.retired_counts,
            languages=languages_of([heading, self.column("a"), self.column("b")]),
        )  # fmt: skip

    def _doubt(self, odd: Counter[str], choice: Sequence[str]) -> ScoresInDoubt:
        """Returns the error that a column may not hold scores, with the settings that would read it."""
        of = self.column("score")
        if len(choice) > 1:
            why = Filled("its scores may mean {one} or {other}: nothing was imported", one=choice[0], other=choice[1])
            words = re.sub(r"(\w+) = ([0-9.]+)", r'\1 = "\2"', choice[0].upper())
            advice = f'give their meaning in a mapping file: score = {{ column = "{of}", words = {{ {words} }} }}'
            return ScoresInDoubt(self._sheet.path, why, advice)
        word, most = max(odd, key=odd.__getitem__), max(odd)
        words = f'{most} = "1", 1 = "1/2", 0 = "0"' if most in {"2", "3"} else 'W = "1", D = "1/2", L = "0"'
        words = '1 = "1", 0 = "1/2", -1 = "0"' if "-1" in odd else words
        heads = [plain(self.column(side)) for side in ("a", "b")]
        if {*odd} <= {head.replace(" ", "") for head in heads}:
            words = ", ".join(f'{self.column(side)} = "{value}"' for side, value in (("a", 1), ("b", 0)))
        words = 'TRUE = "1", FALSE = "0"' if {*odd} <= {"true", "false"} else words
        words = 'Yes = "1", No = "0"' if {*odd} <= {"yes", "no"} else words
        words = '"+" = "1", "=" = "1/2", "-" = "0"' if "+" in odd else words
        advice = f'give their meaning in a mapping file: score = {{ column = "{of}", words = {{ {words} }} }}'
        advice = next((way for form, way in _WAYS if form.fullmatch(word)), advice)
        if self._is_of_wins("score"):
            advice = "if it counts games: give each game a row of its own, since a row is one result"
        points = {} if points_in(word) is None else self.mapping_by_points()
        line = self.learning.line
        form = "{n} of its scores cannot be read, such as {word}, so the others are in doubt: "
        whole = form + ("nothing after line {line} was imported" if line else "nothing was imported")
        why = Filled(whole, n=odd.total(), word=repr(word), line=line)
        return ScoresInDoubt(self._sheet.path, why, advice, points=points, column=of, words=tuple(odd))

    def check_thousands(self, points: Thousands) -> None:
        """Raises `ScoresInDoubt` if points such as 1.234 may mean 1234 and no decimal sign is given."""
        if points.hundreds and not self.decimal_given:
            raise ScoresInDoubt(self._sheet.path, *points.doubt())

    @property
    def decimal(self) -> str:
        return self._fields.decimal or "."

    @property
    def decimal_given(self) -> bool:
        """True if the mapping has a decimal sign."""
        return self._fields.decimal is not None

    def has(self, column: str) -> bool:
        """True if the file has a column of this name, mapped or not."""
        return column in self._places

    def owns(self, field: str) -> bool:
        """True if the file has a column of this name that is not mapped to another field."""
        return field in self._places and field not in self._spent

    def column(self, field: str) -> str:
        """The column that a field is mapped to, or its own name if it is unmapped; empty if it has no column."""
        source = self._fields.fields.get(field, FromColumn(field))
        return source.column if isinstance(source, FromColumn) else ""

    def optional(self, field: str, read: Callable[[str], V], *columns: str) -> Parser[V] | None:
        """Returns a parser of a field: of its mapped source, or of the first of these columns; None without any."""
        source = self._fields.fields.get(field)
        if source == NO_COLUMN:
            return None
        if source is None:
            source = next((FromColumn(column) for column in columns if self.owns(column)), None)
        return None if source is None else self._reader(field, source, read)

    def required(self, field: str, read: Callable[[str], V], *columns: str) -> Parser[V]:
        """Returns the parser of a required field, from its mapped source or from a column with its name.

        Raises
        ------
        ColumnNotFound
            If the file has no such column.
        """
        reader = self.optional(field, read, *(columns or (field,)))
        if reader is None:
            raise self.missing(field, field)
        if field in _SURE:
            self._sure.append(reader.index)
        return reader

    def is_total(self, cells: list[str]) -> bool:
        """True if a row is not a game, but holds the totals of the rows above it."""
        return any(not cells[index].strip() for index in self._sure) and is_total(cells)

    def has_day_above(self, problem: EventError, line: int, cells: list[str]) -> bool:
        """True if only the day of a row was empty, and the cell now has that of the rows above."""
        empty = isinstance(problem, BadValue) and problem.what == "played" and problem.value == ""
        return empty and sum(not cells[at].strip() for at in {*self._sure}) == 1 and self.above.fill(line, cells)

    def side(self, field: str) -> Callable[[str], str]:
        """Returns a function that takes the name of a side from its cell, which may name both sides: `Ann vs Bo`."""
        if self.column("a") == self.column("b") and field in ("a", "b"):
            return lambda text: sides_in(text)["ab".index(field)]
        if field == "b" and is_of_opponents(self.column("b")) and self.has(self.column("b")):
            return partial(_without_ground, marked=self._are_some_marked(self.column("b")))
        return name_in

    def _are_some_marked(self, column: str) -> bool:
        """True if some names of a column, but not all, follow an @, as in `@Hull` for a game away."""
        if self._sheet.once or column not in self._sheet.columns:
            return False
        return {text[0] == "@" for text in islice(self._sheet.cells(column), _SEEN) if text} == {True, False}

    def player(self, field: str, read: Callable[[str], str] | None = None) -> "Parser[str]":
        """Returns the parser of a player's name, which refuses truth values."""
        name, of_text = partial(self._fields.player, field) if read is None else read, self.side(field)
        parser = self.required(field, name if of_text is name_in else lambda text: name(of_text(text)))
        parser.naming = field
        return parser

    def pool(self, pool: str | None) -> "Parser[str] | None":
        """Returns the parser of a row's pool; None if all rows belong to the given pool.

        Raises
        ------
        BadMapping
            If neither a column nor `pool` gives one.
        """
        own = () if self._fields.one_pool else ("pool",)
        parser = self.optional("pool", lambda text: check_name("pool", text or pool or ""), *own)
        if parser is not None:
            parser.naming = "pool"
        elif pool is None:
            raise BadMapping(self._fields.where, "no pool is named")
        return parser

    def missing(self, column: str, field: str) -> ColumnNotFound:
        columns = self._sheet.columns
        given = self._fields.fields.items()
        mapped = {name: one.column for name, one in given if isinstance(one, FromColumn) and self.has(one.column)}
        mapping, found = offered(columns, mapped, self._words), list[dict[str, str]]()
        lacking: list[str] = []
        if self._words is OF_GAMES:
            none = [name for name, one in given if one == NO_COLUMN]
            known = mapped | {name: "" for name, one in given if isinstance(one, Constant)}
            found = both_ways(self._sheet, readings(columns, known, none))
            mapping = found[0] if found else mapping
            if not found and column == field:
                if {"a", "b"}.isdisjoint({*mapping, *columns}):
                    mapping = {**sides_offered(columns), **mapping, **sides_offered(columns)}
                fields = ("a", "b") if {*POINTS} <= {*mapping, *columns} else ("a", "b", "score")
                lacking = [name for name in (*fields, "played") if name not in mapping and not self.owns(name)]
                if {"a", "b"} <= {*lacking}:
                    lacking = []
                elif lacking:
                    column = field = lacking[0]
        whole = len(found) > 1 or (not lacking and field in mapping and (found or self._words is not OF_GAMES))
        return ColumnNotFound(
            self._sheet.path, column, field, columns, mapping, tuple(found or [mapping]) if whole else (),
            tuple(lacking), GAMES if self._words is OF_GAMES else (field,),
        )  # fmt: skip

    def _reader(self, field: str, source: Source, read: Callable[[str], V]) -> Parser[V]:
        if isinstance(source, Constant):
            self.tail.append(source.value)
            return Parser(self._sheet.width + len(self.tail) - 1, read)
        if not self.has(source.column):
            raise self.missing(source.column, field)
        if self._counts[source.column] > 1 or (
            source.column in self._sheet.doubled and f"{source.column} 2" not in self._fields.columns
        ):
            advice = f"map both: the second one is called {source.column} 2"
            raise BadFile(self._sheet.path, Filled("two columns are named {column}", column=source.column), advice)
        if source.column in self._sheet.unreadable:
            held = self._sheet.unreadable[source.column]
            form = "the cells of column {column} must be single values, not {held}"
            raise BadFile(self._sheet.path, Filled(form, column=source.column, held=held))
        index = self._places[source.column]
        self.used.add(index)
        if not source.words and not source.default and source.otherwise is None:
            return Parser(index, read)
        return Parser(index, lambda text: read(source.translated(text)))


_SEEN = 1_000
"""Number of rows in which names with an @ are sought."""
_GROUND = re.compile(r"(?:@|[Vv][Ss]\.?|v\.?|at)\s+(?=\S)")


def _without_ground(text: str, *, marked: bool) -> str:
    """Returns the name of an opponent without the word for the ground, as in `@ Hull`, `at Hull` and `vs. Hull`."""
    name = name_in(text)
    match = _GROUND.match(name)
    return name[match.end() :] if match else name[1:] if marked and name[0] == "@" else name


_WAYS = [
    (
        DATED,
        "a spreadsheet made dates of results such as 1-1: give the column the format text there, and enter them again",
    ),
    (
        re.compile(r"[0-9]{1,2}:[0-9]{2}:[0-9]{2}"),
        "a spreadsheet made times of results such as 2:1: give the column the format text there, and enter them again",
    ),
    (
        re.compile(r".*(?:wins?|won|beats?|defeat(?:s|ed)|gewinnt|gewann|siegt).*"),
        "if these name the winner: leave only the names in the column, and call it winner",
    ),
]
"""Patterns of texts that are not scores, without blanks, each with advice."""
