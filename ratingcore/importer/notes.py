"""Notes of an import on a file beside its numbers: a class for each kind, with the facts, in words without advice.

What can be done about a note is for those to say who show it: an option of a command, or a button.
"""

from collections.abc import Iterable, Sequence
from itertools import islice

from attrs import frozen

from ratingcore.readers import Note, OfLine
from ratingcore.spelling import counted

SHOWN = 3
"""Number of cases of a kind that are named, at most."""
_LINES, _NAMES = 5, 5


def first_lines(lines: Iterable[int]) -> tuple[int, ...]:
    """The first of some lines, one more than are named."""
    return tuple(islice(lines, _LINES + 1))


def named(lines: Sequence[int]) -> str:
    """Lines in words, the first of them."""
    first = ", ".join(map(str, lines[:_LINES]))
    return f"line{'s' * (len(lines) > 1)} {first}{', ...' if len(lines) > _LINES else ''}"


def _at(lines: Sequence[int]) -> str:
    return f" ({named(sorted(lines))})" if lines else ""


def _cases(count: int, words: Sequence[str]) -> str:
    """Cases in words, with the number of all cases."""
    return "; ".join(words[:SHOWN]) + ("; ..." if count > SHOWN else "")


# names


@frozen
class Namesakes(Note):
    """Names that play two opponents at one time or in one round, and so may be those of two people."""

    count: int
    cases: tuple[tuple[str, int, int], ...]
    """Name and two lines of the first."""

    what = "two opponents at one time or in one round"

    def __str__(self) -> str:
        times = "1 name plays" if self.count == 1 else f"{self.count} times a name plays"
        words = [f"{name}, lines {one} and {other}" for name, one, other in self.cases]
        return f"{times} {self.what}: {_cases(self.count, words)}"


@frozen
class NamesakesInEvents(Namesakes):
    """Names that alone play in both of two events of a day, and so may be those of two people; how often."""

    what = "in two events on one day, and nobody else in both"


@frozen
class NearNames(Note):
    """Names of players that are new, each with another one that may be of the same person."""

    pairs: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        first = dict(reversed(self.pairs))
        if len(first) < 2:
            return "".join(f"new name {new} is spelt nearly like {other}" for new, other in first.items())
        some = [f"{new} like {first[new]}" for new in sorted(first)[:_NAMES]] + ["..."] * (len(first) > _NAMES)
        return f"new names are spelt nearly like others: {', '.join(some)}"


@frozen
class KnownByName(Note):
    """Number of players of the file without an id."""

    players: int

    def __str__(self) -> str:
        return f"{counted(self.players, 'player is', 'players are')} known by name only"


@frozen
class NamesInIds(Note):
    """Ids of rows that hold the name of a player, and can never be erased: their number, and the first."""

    count: int
    first: str

    def __str__(self) -> str:
        ids = f"the id {self.first} holds" if self.count == 1 else f"{self.count} ids, such as {self.first}, hold"
        return f"{ids} the name of a player of the row, and an id can never be erased"


@frozen
class ErasedReturn(Note):
    """Names that new rows bring, and that may be those of erased players."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        first = ", ".join(self.names[:_NAMES]) + (", ..." if len(self.names) > _NAMES else "")
        return f"names of erased players may have come back with rows that are new: {first}; erase them again if so"


@frozen
class Renamed(OfLine):
    """A player who has another name in the new issue of a document or table."""

    old: str
    new: str

    @property
    def text(self) -> str:
        return f"{self.old} is called {self.new} now"


@frozen
class BetweenOnePerson(Note):
    """Results between two names that are merged into one player, and the position of the first."""

    results: int
    position: int

    def __str__(self) -> str:
        return (
            f"{counted(self.results, 'result is', 'results are')} between two names that are merged into one player, "
            f"and counts in no list: the first at position {self.position}; unmerge them, or amend the name"
        )


# rounds and times


@frozen
class RoundsAgainstRows(Note):
    """Days of events on which the order of games contradicts their rounds, and their number."""

    count: int
    cases: tuple[tuple[str, int, str, int], ...]
    """Round and line of two consecutive games, for the first days."""

    def __str__(self) -> str:
        days = "1 day of an event" if self.count == 1 else f"{self.count} days of events"
        words = [f"{before} on line {line}, then {after} on line {at}" for before, line, after, at in self.cases]
        return (
            f"on {days} the order of games runs against their rounds: {_cases(self.count, words)}; games of a day are "
            "rated by their order, then in that of the rows"
        )


@frozen
class RoundsWithoutOrder(Note):
    """Games of rounds whose names give no order, on days of others that have one; how many, round and line of each."""

    count: int
    cases: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        games = "1 game is of a round whose name gives" if self.count == 1 else (
            f"{self.count} games are of rounds whose names give"
        )  # fmt: skip
        words = [f"{turn} on line {line}" for turn, line in self.cases]
        return (
            f"{games} no order: {_cases(self.count, words)}; they count before the other games of their day and event: "
            "a column order says more"
        )


@frozen
class RoundsOfPlayers(Note):
    """Rounds that are read as those of so many players, beside others that have numbers."""

    rounds: tuple[str, ...]
    numbered: tuple[str, ...]

    def __str__(self) -> str:
        which = f"{', '.join(self.rounds)}, beside {', '.join(self.numbered[:SHOWN])}"
        return f"rounds of so many players are rated after those with a number: {which}; write 16 for the 16th round"


@frozen
class FarDays(Note):
    """Rows of days before 1850 or after tomorrow: how many, line and day of the first."""

    rows: int
    line: int
    day: str

    def __str__(self) -> str:
        rows = counted(self.rows, "row is", "rows are")
        return f"{rows} of a day before 1850 or after tomorrow: line {self.line}, {self.day}"


@frozen
class MidnightsAsDays(Note):
    """Times at midnight that the log cannot distinguish from days: line and day of the first."""

    cases: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        days = ", ".join([f"line {line}: {day}" for line, day in self.cases] + ["..."] * (len(self.cases) == SHOWN))
        return f"times at midnight UTC are kept as days, since the pool had no zone before its first result: {days}"


@frozen
class DaysUnread(Note):
    """Rows whose day was not read, and the formats that read all of the column.

    Attributes
    ----------
    rows : int
    first, last : str
        Of the texts that were not read.
    forms : tuple of str
        Several if the days may mean more than one; empty if no single format fits.
    wrong : tuple of str
        Texts that are not a day in any format.
    read : str
        A text of the column that was read, if any was.
    none_fits : bool
        Whether a format was given, and the texts it cannot read are not days in any other format.
    """

    rows: int
    first: str
    last: str
    forms: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    read: str = ""
    none_fits: bool = False

    def __str__(self) -> str:
        return self.worded("the format {} reads them", "{}", "one of these formats: {}")

    def worded(self, reads: str, form: str, several: str) -> str:
        """The rows, and the formats that would read them: a sentence for one or for several."""
        like = self.first if self.first == self.last else f"{self.first} ... {self.last}"
        rows = counted(self.rows, f"row has a day like {like}", f"rows have days like {like}")
        spelt = [form.format(f'"{one}"' if " " in one else one) for one in self.forms]
        if len(spelt) == 1:
            more = f" (and {len(self.wrong) - 1} more like it)" if len(self.wrong) > 1 else ""
            return f"{rows}: {reads.format(spelt[0])}" + (
                f", by which {self.wrong[0]}{more} is no day" if self.wrong else ""
            )
        if spelt:
            return f"{rows}, which may mean more than one day: {several.format(' or '.join(spelt))}"
        others = f", others like {self.read}" if self.read else ""
        if self.none_fits:
            return f"{rows}{others}: no format makes a day of it, so correct the file"
        return f"{rows}{others}: no one format fits the column, so correct it, or give the rows in files of their own"


# columns and texts


@frozen
class ScoresReadAs(Note):
    """How the scores of a table were read."""

    how: str

    def __str__(self) -> str:
        return f"its scores are read as {self.how}"


@frozen
class ReadAs(Note):
    """The encoding of the text, which is not UTF-8."""

    encoding: str

    def __str__(self) -> str:
        return f"its text was read as {self.encoding}, since it is not UTF-8"


@frozen
class PointsAgainstScore(Note):
    """Games whose points name another winner than the score: how many, line and points of the first."""

    games: int
    cases: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        games = counted(self.games, "game has", "games have")
        first = _cases(self.games, [f"line {line}: {how}" for line, how in self.cases])
        return f"{games} points that name another winner than the score, which counts: {first}"


@frozen
class ColumnsUnused(Note):
    """Columns of a table of players that are not read."""

    columns: tuple[str, ...]

    def __str__(self) -> str:
        return f"not used: {', '.join(self.columns)}"


@frozen
class ColumnLeftOut(Note):
    """A column that differs in the rows of sessions, and so is of the players."""

    column: str
    sessions: int

    def __str__(self) -> str:
        sessions = counted(self.sessions, "session")
        return f"the column {self.column} differs in the rows of {sessions}: it is of the players, and left out there"


@frozen
class PoolColumnUnread(Note):
    """A column of pools is not read, since the pool is given."""

    pool: str

    def __str__(self) -> str:
        return f"the column pool is not read, as the pool is given: {self.pool}"


@frozen
class PoolSpeltLike(Note):
    """A pool that is new, and that is probably another one with a slip."""

    pool: str
    like: str

    def __str__(self) -> str:
        return f"the pool {self.pool} is new, and spelt much like {self.like}"


@frozen
class ColumnsKept(Note):
    """Fields that the log keeps, since the file has no column of them, each with the number of results."""

    fields: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        fields = ", ".join(f"{name} ({counted(count, 'result')})" for name, count in self.fields)
        return f"no column of the file says {fields}: what is recorded stays; an empty column takes it away"


# rows that say the same


@frozen
class Repeated(Note):
    """Rows with the content of an earlier row of the file, which count once more: their number, and the first lines."""

    rows: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        rows, count = "1 row says", "counts as a second result"
        if self.rows > 1:
            rows, count = f"{self.rows} rows say", "count as further results"
        return f"{rows} the same as an earlier row of the file, and {count}: {named(self.lines)}"


@frozen
class Mirrored(Note):
    """Games on two rows that mirror each other, from either side, and count twice.

    Attributes
    ----------
    games : int
    every : bool
        Whether each row of the file is of one.
    lines : tuple of (int, int)
        Of the first ones.
    """

    games: int
    every: bool
    lines: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        which = "every game is" if self.every else counted(self.games, "game is", "games are")
        words = [f"{one} and {other}" for one, other in self.lines]
        return (
            f"{which} on two rows that mirror each other, from either side, and counted twice: "
            f"lines {_cases(len(words), words)}"
        )


@frozen
class OneSided(Note):
    """Games that only one side reports in a file where each side does: their number, and the first lines."""

    games: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        games = counted(self.games, "game is", "games are")
        return f"{games} on one row only, not mirrored by the other side, and taken: {named(self.lines)}"


@frozen
class TwiceInLog(Note):
    """Games that the log has from either side, although their file is to be taken once."""

    games: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        games = counted(self.games, "game of the file is", "games of the file are")
        return f"{games} in the log twice, from either side: {named(self.lines)}"


# rows and what is recorded


@frozen
class Differing(Note):
    """Rows that the log has with other content: their number, and kind."""

    rows: int
    noun: str

    def __str__(self) -> str:
        return f"{counted(self.rows, 'row is', 'rows are')} recorded with other content, which stands"


@frozen
class ColumnAdded(Note):
    """Rows with one field that the log lacks, and otherwise the same: their number, and the field."""

    rows: int
    field: str

    def __str__(self) -> str:
        say = counted(self.rows, "row says", "rows say")
        return f"one column is new: {say} {self.field}, of which the log has nothing, and else the same"


@frozen
class Retimed(Note):
    """Games that are recorded at another time."""

    games: int

    def __str__(self) -> str:
        return f"{counted(self.games, 'game is', 'games are')} recorded at another time, which stands"


@frozen
class Voided(Note):
    """Rows whose events count as never recorded.

    Attributes
    ----------
    rows : int
    uid : str
        Of the event, if it is one.
    voids : tuple of (int, int)
        First and last positions of what takes them back.
    """

    rows: int
    uid: str
    voids: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        them = "it counts" if self.rows == 1 else "they count"
        return f"{counted(self.rows, 'row is', 'rows are')} in the log, but voided there, so {them} nowhere"


@frozen
class CorrectedByHand(OfLine):
    """A field that was corrected in the log, and that the new issue of the file changes."""

    field: str

    @property
    def text(self) -> str:
        return f"{self.field} was corrected in the log, what the file says now stands"


@frozen
class ImportedBefore(Note):
    """New rows of a file whose name is known: without ids, changed ones are among them. With the first lines."""

    source: str
    new: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        rows = counted(self.new, "of its rows is", "of its rows are")
        return (
            f"{self.source} was imported before, and {rows} new to the log{_at(self.lines)}. If it has grown, or its "
            f"import was interrupted, all is well. {_IF_CHANGED}"
        )


_IF_CHANGED = "If a row was changed (another day, another player), the old result still counts"


@frozen
class MostlyKnown(Note):
    """New rows of a file whose name is new, while the log has most of its rows from elsewhere."""

    source: str
    known: int
    new: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        rows, new = counted(self.known, "row"), counted(self.new, "is", "are")
        return (
            f"{rows} of {self.source} came from elsewhere before, and {new} new to the log{_at(self.lines)}. If the "
            f"file has grown, all is well. {_IF_CHANGED}"
        )


@frozen
class KnownElsewhere(Note):
    """Games of a document that the log has from another source, and that count twice."""

    event: str
    known: int
    games: int
    source: str

    def __str__(self) -> str:
        games = f"{self.known} of {self.games} games are in the log already, from {self.source or 'somewhere else'}"
        return f"{self.event}: {games}"


@frozen
class LeftOut(KnownElsewhere):
    """Games of a document that the log has from another source, and that were left out."""

    def __str__(self) -> str:
        return f"{super().__str__()}: left out"


@frozen
class LaterIssue(Note):
    """A document of which the log has a later issue than the one that came."""

    event: str

    def __str__(self) -> str:
        return f"{self.event}: the log has a later issue than this one"


@frozen
class MissingStay(Note):
    """Results that are missing from the new issue of a table, and stay since rows of it are refused."""

    results: int

    def __str__(self) -> str:
        results = counted(self.results, "result that is", "results that are")
        return f"{results} missing from the file stay, since rows of it are refused"


@frozen
class SourceUnknown(Note):
    """A table that is issued again, while nothing came from its source.

    Attributes
    ----------
    source : str
    known, new : int
        Rows that the log has from elsewhere, and new ones.
    sources : tuple of str
        The last ones that the log has.
    """

    source: str
    known: int
    new: int
    sources: tuple[str, ...]

    def __str__(self) -> str:
        there = "all of it is new" if self.new else "nothing that is missing is voided"
        if self.known:
            there = "its rows that are in the log came from elsewhere, and nothing that is missing is voided"
        return f"nothing was imported from {self.source or 'a stream without a name'} before: {there}"
