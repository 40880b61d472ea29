"""Notes of an import about rounds, days and times."""

from attrs import frozen

from ratingcore.importer.notes import SHOWN, cases
from ratingcore.readers import Note
from ratingcore.safe_text import counted


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
            f"on {days} the order of games contradicts their rounds: {cases(self.count, words)}; games of a day are "
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
            f"{games} no order: {cases(self.count, words)}; they count before the other games of their day and event: "
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
