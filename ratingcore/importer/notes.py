"""Notes of an import about its file: one class for each kind of note, with its facts and its text.

Notes give no advice: the command line adds an option to a note, the desk a button.
"""

from collections.abc import Iterable, Sequence
from itertools import islice

from attrs import frozen

from ratingcore.readers import Note
from ratingcore.safe_text import counted

SHOWN = 3
"""Largest number of cases that one note names."""
NAMES = 5
"""Largest number of names in one note."""
_LINES = 5


def first_lines(lines: Iterable[int]) -> tuple[int, ...]:
    """The first lines: one more than `named` writes, so that it can tell whether there are more."""
    return tuple(islice(lines, _LINES + 1))


def named(lines: Sequence[int]) -> str:
    """The first lines in words: `lines 3, 7 and others`."""
    first = ", ".join(map(str, lines[:_LINES]))
    return f"line{'s' * (len(lines) > 1)} {first}{' and others' if len(lines) > _LINES else ''}"


def _cases(count: int, words: Sequence[str]) -> str:
    """The first cases in words; `count` is the number of all cases."""
    return "; ".join(words[:SHOWN]) + (f"; and {count - SHOWN} more" if count > SHOWN else "")


# names


@frozen
class Namesakes(Note):
    """Names with two opponents at one time or in one round, which may belong to two people."""

    count: int
    cases: tuple[tuple[str, int, int], ...]
    """Name and two lines of each of the first cases."""

    what = "two opponents at one time or in one round"

    def __str__(self) -> str:
        times = "1 name plays" if self.count == 1 else f"{self.count} times a name plays"
        words = [f"{name}, lines {one} and {other}" for name, one, other in self.cases]
        return f"{times} {self.what}: {_cases(self.count, words)}"


@frozen
class NamesakesInEvents(Namesakes):
    """Names that play in two events on a day while nobody else plays in both, and so may belong to two people."""

    what = "in two events on one day, and nobody else in both"


@frozen
class NearNames(Note):
    """New names of players, each with another name that may belong to the same person."""

    pairs: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        first = dict(reversed(self.pairs))
        if len(first) < 2:
            return "".join(f"new name {new} is spelt nearly like {other}" for new, other in first.items())
        some = ", ".join(f"{new} like {first[new]}" for new in sorted(first)[:NAMES])
        more = f" and {len(first) - NAMES} more" if len(first) > NAMES else ""
        return f"new names are spelt nearly like others: {some}{more}"


@frozen
class NamesOfOneId(Note):
    """Ids that a file gives to names of different people; each id counts as one player."""

    count: int
    cases: tuple[tuple[str, str, int, str, int], ...]
    """Id and two names with their lines, for each of the first ids."""

    def __str__(self) -> str:
        which = "1 id has names" if self.count == 1 else f"{self.count} ids have names"
        words = [f"{key} is {one} on line {at}, {other} on line {line}" for key, one, at, other, line in self.cases]
        return f"{which} of several people, and counts as one player: {_cases(self.count, words)}"


@frozen
class IdsOfOneName(Note):
    """Names that a file gives with several ids, or with and without an id; each name counts as several players."""

    count: int
    cases: tuple[tuple[str, str, int, str, int], ...]
    """Name and two ids with their lines, for each of the first names; the second id is empty if there is none."""

    def __str__(self) -> str:
        which = "1 name counts" if self.count == 1 else f"{self.count} names count"
        words = [
            f"{name} is {one} on line {at}, {f'{other} on line {line}' if other else 'and has no id elsewhere'}"
            for name, one, at, other, line in self.cases
        ]
        return f"{which} as several players: {_cases(self.count, words)}"


@frozen
class KnownByName(Note):
    """Players of the file without an id: their number."""

    players: int

    def __str__(self) -> str:
        return f"{counted(self.players, 'player is', 'players are')} known by name only"


@frozen
class NamesInIds(Note):
    """Ids of rows that contain a player's name, although ids can never be erased: their number, and the first."""

    count: int
    first: str

    def __str__(self) -> str:
        ids = f"the id {self.first} holds" if self.count == 1 else f"{self.count} ids, such as {self.first}, hold"
        return f"{ids} the name of a player of the row, and an id can never be erased"


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
            f"on {days} the order of games contradicts their rounds: {_cases(self.count, words)}; games of a day are "
            "rated by their order, then in the order of the rows"
        )


@frozen
class RoundsWithoutOrder(Note):
    """Games of rounds whose names give no order, on days with rounds that have one: how many, and the first cases."""

    count: int
    cases: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        games = "1 game is of a round whose name gives" if self.count == 1 else (
            f"{self.count} games are of rounds whose names give"
        )  # fmt: skip
        words = [f"{turn} on line {line}" for turn, line in self.cases]
        return (
            f"{games} no order: {_cases(self.count, words)}; they count before the other games of their day and event: "
            "give their order in a column order"
        )


@frozen
class NewestFirst(Note):
    """Rows from the newest day to the oldest, which are rated from top to bottom within a day.

    Attributes
    ----------
    player : str
        A player with several games on one day.
    lines : tuple of (int, int)
        The first two of these games.
    """

    player: str
    lines: tuple[int, int]

    def __str__(self) -> str:
        one, other = self.lines
        return (
            f"the rows are from the newest day to the oldest, but within a day the upper row is rated first: "
            f"{self.player}, line {one} before line {other}"
        )


@frozen
class RoundsOfPlayers(Note):
    """Rounds named like a round of sixteen (`R16`), in a file whose other rounds have numbers."""

    rounds: tuple[str, ...]
    numbered: tuple[str, ...]

    def __str__(self) -> str:
        which = f"{', '.join(self.rounds)} after {', '.join(self.numbered[:SHOWN])}"
        return f"rounds named by their players are rated after numbered ones: {which}; write 16 for the 16th round"


@frozen
class FarDays(Note):
    """Rows of days before 1850 or after tomorrow: their number, and line and day of the first."""

    rows: int
    line: int
    day: str

    def __str__(self) -> str:
        rows = counted(self.rows, "row is", "rows are")
        return f"{rows} of a day before 1850 or after tomorrow: line {self.line}, {self.day}"


@frozen
class FarFromPool(Note):
    """New results of a pool from years before all its others: the first of their days, and the first day until now."""

    pool: str
    day: str
    first: str

    def __str__(self) -> str:
        return f"{self.day} is years before the first day of the pool {self.pool}, {self.first}: is the year right?"


@frozen
class MidnightsAsDays(Note):
    """Times at midnight that the log cannot distinguish from days: line and day of the first."""

    cases: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        more = " and others" if len(self.cases) == SHOWN else ""
        days = ", ".join(f"line {line}: {day}" for line, day in self.cases) + more
        return f"times at midnight UTC are kept as days, since the pool had no zone before its first result: {days}"


@frozen
class DaysInUtc(Note):
    """Times whose offset makes their day another one in UTC, which counts in a pool without a zone.

    Attributes
    ----------
    times : int
        Number of different times.
    first, day : str
        The first of them, and the day on which it counts.
    """

    times: int
    first: str
    day: str

    def __str__(self) -> str:
        times = counted(self.times, "time counts", "times count")
        like = f"{self.first} on {self.day}"
        return f"{times} on another day than written, {like}: the pool has no zone, so its days are those of UTC"


@frozen
class DaysFromAbove(Note):
    """Rows without a day in a table that writes each day once: how many, and the first with the day above it."""

    rows: int
    line: int
    day: str

    def __str__(self) -> str:
        rows = counted(self.rows, "row has no day, and counts", "rows have no day, and count")
        return f"{rows} on the day above, as in merged cells: line {self.line}, {self.day}"


@frozen
class HiddenRows(Note):
    """Rows that a spreadsheet hides or filters out, and that are read like all others: how many, and the first."""

    rows: int
    line: int

    def __str__(self) -> str:
        rows = counted(self.rows, "hidden row of the sheet is", "hidden rows of the sheet are")
        return f"{rows} read like all others: {'' if self.rows == 1 else 'first '}line {self.line}"


@frozen
class SheetsNotRead(Note):
    """The sheet of a spreadsheet that was read, because only it has the columns, and the others that have rows."""

    sheet: str
    others: tuple[str, ...]

    def __str__(self) -> str:
        return f"only sheet {self.sheet} is read, and not {', '.join(self.others)}"


@frozen
class TimesOfDay(Note):
    """A column of times of day, and whether they order the games of a day.

    Attributes
    ----------
    odd : str
        A text of the column that is not a time of day, if there is any.
    gaps : bool
        Whether some rows have no time.
    half : str
        A text that may be of the morning or of the afternoon, if the column seems to be of a clock of 12 hours.
    """

    column: str
    orders: bool
    odd: str = ""
    gaps: bool = False
    half: str = ""

    def __str__(self) -> str:
        if self.half and self.orders:
            return f"the times in {self.column} are without am or pm, and {self.half} is read as of the morning"
        if self.half:
            why = f"since {self.half} may be of the afternoon: write 13:00 or 1:00 pm"
            return f"the times in {self.column} do not order the games of one day, {why}"
        if self.orders:
            gaps = "; those without a time come first" if self.gaps else ""
            return f"the games of one day are in the order of the times in {self.column}{gaps}"
        why = f"since {self.odd!r} is not a time of day" if self.odd else "which were not read before, or are ambiguous"
        return f"the times in {self.column} do not order the games of one day, {why}"


@frozen
class DaysUnread(Note):
    """Rows whose day was not read, and the formats that fit the whole column.

    Attributes
    ----------
    rows : int
    first, last : str
        First and last of the texts that were not read.
    forms : tuple of str
        Several if the days are ambiguous; empty if no single format fits.
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
        """Returns a sentence about the rows and the formats that would read them."""
        like = self.first if self.first == self.last else f"{self.first} ... {self.last}"
        rows = counted(self.rows, f"row has a day like {like}", f"rows have days like {like}")
        spelt = [form.format(f'"{one}"' if " " in one else one) for one in self.forms]
        if len(spelt) == 1:
            more = f" (and {len(self.wrong) - 1} more like it)" if len(self.wrong) > 1 else ""
            return f"{rows}: {reads.format(spelt[0])}" + (
                f", by which {self.wrong[0]}{more} is not a day" if self.wrong else ""
            )
        if spelt:
            return f"{rows}, which may mean more than one day: {several.format(' or '.join(spelt))}"
        others = f", others like {self.read}" if self.read else ""
        if self.none_fits:
            return f"{rows}{others}: no format reads this as a day, so correct the file"
        return f"{rows}{others}: no single format fits the column, so correct it, or put the rows into separate files"


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
    """Games whose points and score name different winners: their number, and line and points of the first."""

    games: int
    cases: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        games = counted(self.games, "game has", "games have")
        first = _cases(self.games, [f"line {line}: {how}" for line, how in self.cases])
        return f"{games} points that contradict the score, which decides the winner: {first}"


@frozen
class ColumnsUnused(Note):
    """Columns of a table of players that are not read."""

    columns: tuple[str, ...]

    def __str__(self) -> str:
        return f"not used: {', '.join(self.columns)}"


@frozen
class ColumnLeftOut(Note):
    """A column that differs between the rows of one session, and so belongs to players, not to the session."""

    column: str
    sessions: int

    def __str__(self) -> str:
        sessions = counted(self.sessions, "session")
        return f"the column {self.column} differs within {sessions}: it is about players, and left out there"


@frozen
class SessionsSpeltAlike(Note):
    """Sessions of one day whose names may mean one session, such as 3 and 3.0: name and line of each."""

    count: int
    cases: tuple[tuple[str, int, str, int], ...]

    def __str__(self) -> str:
        which = "1 session is" if self.count == 1 else f"{self.count} sessions are"
        words = [f"{one} on line {line}, {other} on line {at}" for one, line, other, at in self.cases]
        return f"{which} spelt nearly like another of the day, and counted separately: {_cases(self.count, words)}"


@frozen
class PlacesAgainstScores(Note):
    """Sessions in which places contradict the scores, which count: their number, and the line of the first."""

    sessions: int
    line: int

    def __str__(self) -> str:
        sessions = counted(self.sessions, "session has", "sessions have")
        return f"{sessions} places in another order than the scores, which count; the first is on line {self.line}"


@frozen
class FirstPlaceMissing(Note):
    """Sessions without place 1: their number, and the line of the first."""

    sessions: int
    line: int

    def __str__(self) -> str:
        sessions = counted(self.sessions, "session has", "sessions have")
        return f"{sessions} nobody in place 1; the first is on line {self.line}"


@frozen
class SidesLeftOut(Note):
    """Sides of sessions with a word such as DNF in place of a score: their number, and the first lines."""

    sides: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        sides = counted(self.sides, "side of a session is", "sides of sessions are")
        return f"{sides} left out, with a word in place of a result: {named(self.lines)}"


@frozen
class PoolColumnUnread(Note):
    """A column of pools that is not read, because the user gave the pool."""

    pool: str

    def __str__(self) -> str:
        return f"the column pool is not read, since the pool is given: {self.pool}"


@frozen
class MaybePools(Note):
    """A column of groups or leagues, all of whose results go to one pool.

    Attributes
    ----------
    column, pool : str
        The pool is empty if it is not known.
    values : tuple of str
        The first different values, in order of their first row.
    """

    column: str
    values: tuple[str, ...]
    pool: str

    def __str__(self) -> str:
        several = ", ".join([*self.values[:SHOWN], *["..."] * (len(self.values) > SHOWN)])
        text = f"the column {self.column} has several values, {several}, and all results go to one pool"
        return f"{text}: if these are pools, map pool to {self.column}"


@frozen
class ToldApart(Note):
    """Names to which columns about the two sides, such as their clubs, give several values.

    Attributes
    ----------
    columns : tuple of str
    count : int
        Number of names.
    cases : tuple of (str, str, int, str, int)
        A name and two values with their lines, for each of the first names.
    """

    columns: tuple[str, str]
    count: int
    cases: tuple[tuple[str, str, int, str, int], ...]

    def __str__(self) -> str:
        which = counted(self.count, "name has", "names have")
        one_each = "counts as one player" if self.count == 1 else "count as one player each"
        words = [f"{name}, {one} on line {at} and {other} on line {line}" for name, one, at, other, line in self.cases]
        return f"{which} several values in {' or '.join(self.columns)}, and {one_each}: {_cases(self.count, words)}"


@frozen
class DoubtfulGames(Note):
    """Games that count in spite of a remark or another column: their number, and line and text of the first."""

    count: int
    cases: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        which = counted(self.count, "row is", "rows are")
        words = [f"line {line}, {text}" for line, text in self.cases]
        return f"{which} read like all others in spite of another column: {_cases(self.count, words)}"


@frozen
class PoolSpeltLike(Note):
    """A new pool whose name is probably a misspelling of a known one."""

    pool: str
    like: str

    def __str__(self) -> str:
        return f"the pool {self.pool} is new, and spelt much like {self.like}"


# rows that say the same


@frozen
class Repeated(Note):
    """Rows equal to an earlier row of the file, which count as further results: their number, and the first lines."""

    rows: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        rows, count = "1 row equals", "counts as a second result"
        if self.rows > 1:
            rows, count = f"{self.rows} rows equal", "count as further results"
        return f"{rows} an earlier row of the file, and {count}: {named(self.lines)}"


@frozen
class IdsRepeated(Note):
    """Rows with the id and content of an earlier row, which are not taken: their number, and the first lines."""

    rows: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        rows, taken = "1 row repeats an earlier row of the file with its id", "is not a further result"
        if self.rows > 1:
            rows, taken = f"{self.rows} rows repeat earlier rows of the file with their ids", "are not further results"
        return f"{rows}, and {taken}: {named(self.lines)}"


@frozen
class Mirrored(Note):
    """Games that two rows report, one from each side, and that count twice.

    Attributes
    ----------
    games : int
    every : bool
        Whether every row of the file belongs to such a game.
    lines : tuple of (int, int)
        Both rows of the first games.
    """

    games: int
    every: bool
    lines: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        which = "every game is" if self.every else counted(self.games, "game is", "games are")
        words = [f"{one} and {other}" for one, other in self.lines]
        return f"{which} reported from both sides, on two rows, and counted twice: lines {_cases(self.games, words)}"


@frozen
class OneSided(Note):
    """Games that only one side reports, in a file in which both sides do: their number, and the first lines."""

    games: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        games = counted(self.games, "game is", "games are")
        return f"{games} reported by one side only, and taken: {named(self.lines)}"
