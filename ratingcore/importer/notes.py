"""Notes of an import about its columns and rows: one class for each kind of note, with its facts and its text.

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


def cases(count: int, words: Sequence[str]) -> str:
    """The first cases in words; `count` is the number of all cases."""
    return "; ".join(words[:SHOWN]) + (f"; and {count - SHOWN} more" if count > SHOWN else "")


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
        first = cases(self.games, [f"line {line}: {how}" for line, how in self.cases])
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
        return f"{which} spelt nearly like another of the day, and counted separately: {cases(self.count, words)}"


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
class DoubtfulGames(Note):
    """Games that count in spite of a remark or another column: their number, and line and text of the first."""

    count: int
    cases: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        which = counted(self.count, "row is", "rows are")
        words = [f"line {line}, {text}" for line, text in self.cases]
        return f"{which} read like all others in spite of another column: {cases(self.count, words)}"


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
        return f"{which} reported from both sides, on two rows, and counted twice: lines {cases(self.games, words)}"


@frozen
class OneSided(Note):
    """Games that only one side reports, in a file in which both sides do: their number, and the first lines."""

    games: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        games = counted(self.games, "game is", "games are")
        return f"{games} reported by one side only, and taken: {named(self.lines)}"
