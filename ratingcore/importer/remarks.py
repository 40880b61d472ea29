"""Remarks on rows that are imported unchanged, but may be mistakes, or count nowhere."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from ratingcore.columns.games import Ints
from ratingcore.corrections.mentions import Mentions
from ratingcore.errors import BadFile, BadValue, NotOfForm
from ratingcore.events import DAY, Event, GamePlayed, Instant, SessionPlayed, instant, iso
from ratingcore.events.kinds import players_of
from ratingcore.events.missing_uids import is_nameless
from ratingcore.events.values import contrary_points
from ratingcore.importer.day_notes import FarDays, NewestFirst
from ratingcore.importer.differences import seated
from ratingcore.importer.meetings import DoubtfulMeetings
from ratingcore.importer.mirrored import Contents
from ratingcore.importer.name_notes import NamesInIds
from ratingcore.importer.notes import SHOWN, PointsAgainstScore
from ratingcore.importer.recorded_notes import Voided
from ratingcore.importer.report import ImportReport
from ratingcore.importer.tables.days import DOUBTFUL_DAYS
from ratingcore.log import Log
from ratingcore.log.lookup import corrections_of
from ratingcore.log.segments import texts
from ratingcore.plans.doubts import LIKELY_FROM
from ratingcore.readers import Made, Note, Outcome, Reason, Refused
from ratingcore.readers.date_forms import moment_like
from ratingcore.safe_text import Filled, counted

_TOGETHER = 2**10
"""Number of games examined together."""


_BEGIN = 4
"""Number of bytes at the beginning of a name that are looked for in ids."""
_MASKS = np.array([2 ** (8 * size) - 1 for size in range(_BEGIN + 1)], "<u4")
_WORD = np.array([chr(code).isascii() and chr(code).isalnum() for code in range(256)])
"""True for the codes of ASCII letters and digits."""


def _folded(given: NDArray[np.bytes_] | Sequence[str]) -> NDArray[np.bytes_]:
    """Texts as bytes, without regard to case."""
    if not isinstance(given, np.ndarray):
        return np.array("\n".join(given).casefold().encode("utf-8", "surrogatepass").split(b"\n"))
    letters = given.view(np.uint8)
    upper = letters - np.uint8(ord("A")) < 26  # codes below A wrap around
    return (letters | upper.view(np.uint8) << np.uint8(5)).view(given.dtype)


class _Beginnings:
    """The beginnings of players' names, without regard to case, which are looked for in ids."""

    _KIND = np.dtype([("begin", "<u4"), ("length", np.uint8), ("end", np.uint8)], align=True)

    def __init__(self) -> None:
        self._names: Sequence[str] = ()
        self._met = 0
        self._of_names = np.zeros(0, self._KIND)
        """First letters, length in bytes up to 255, and last letter of each of the names met."""

    def meet(self, names: Sequence[str]) -> None:
        """Sets the names: the same list as before, which may have grown, or another one."""
        if names is not self._names:
            self._names, self._met = names, 0
        if not (fresh := names[self._met :]):
            return
        folded = _folded(fresh)
        length = np.char.str_len(folded)
        letters = np.zeros((len(fresh), max(folded.itemsize, _BEGIN)), np.uint8)
        letters[:, : folded.itemsize] = folded.view(np.uint8).reshape(len(fresh), -1)
        if len(names) > len(self._of_names):
            self._of_names = np.concatenate((self._of_names, np.zeros(len(names), self._KIND)))  # more than needed now
        some = self._of_names[self._met : len(names)]
        some["begin"] = np.ascontiguousarray(letters[:, :_BEGIN]).view("<u4").reshape(-1)
        some["length"], some["end"] = np.minimum(length, 255), letters[np.arange(len(fresh)), length - 1]
        self._met = len(names)

    def suspects(self, uids: NDArray[np.bytes_], sides: Iterable[Ints]) -> Iterator[tuple[int, int]]:
        """Yields rows whose id, in lower case, may mention the player on a side, and the places of these players."""
        width = uids.itemsize
        cells = np.zeros((len(uids), width + _BEGIN), np.uint8)
        cells[:, :width] = uids.view(np.uint8).reshape(len(uids), -1)
        words = np.ascontiguousarray(_WORD[cells.T])
        for side in sides:
            players = self._of_names[side]
            begin, length, cut = players["begin"], players["length"], np.minimum(players["length"], _BEGIN)
            # only whole words count: nothing begins after a letter, nor ends before one
            bare, longer = ~_WORD[begin & 0xFF], (length > _BEGIN) | ~_WORD[players["end"]]
            for place in range(width):
                rows = np.flatnonzero((length <= width) & (bare | ~words[place - 1] if place else True))
                here: NDArray[np.uint32] = np.ndarray(len(uids), "<u4", cells.data, place, (cells.shape[1],))
                rows = rows[here[rows] & _MASKS[cut[rows]] == begin[rows]]
                rows = rows[longer[rows] | ~words[place + cut[rows], rows]]
                yield from zip(rows.tolist(), side[rows].tolist(), strict=True)


@define
class ResultRemarks:
    """Rows whose id names a player, points that contradict the score, and names that play twice at once."""

    _speaking: int = field(default=0, init=False)
    _id: str = field(default="", init=False)
    _contrary: int = field(default=0, init=False)
    _first: list[tuple[int, str]] = field(factory=list, init=False)
    _games: list[tuple[int, GamePlayed]] = field(factory=list, init=False)
    """Games not handed to `meetings` yet."""
    _beginnings: _Beginnings = field(factory=_Beginnings, init=False)
    meetings: DoubtfulMeetings = field(factory=DoubtfulMeetings, init=False)

    def add(self, line: int, event: Event) -> None:
        """Adds a row."""
        if not is_nameless(event.uid) and _speaks(event):
            self._speaking += 1
            self._id = self._id or event.uid
        if not isinstance(event, GamePlayed):
            return
        data = event.data
        if "points_a" in data and (how := contrary_points(event.score, data)):
            self._contrary += 1
            if self._contrary <= SHOWN:
                self._first.append((line, how))
        if data or event.played % DAY:
            self._games.append((line, event))
            if len(self._games) == _TOGETHER:
                self._take_games()

    def add_ids(self, uids: NDArray[np.bytes_] | Sequence[str], names: Sequence[str], *sides: Ints) -> bool:
        """Adds ids of games of columns; each side has places of players among the names. True if one names a player."""
        if not len(uids):
            return self._speaking > 0
        folded = _folded(uids)
        self._beginnings.meet(names)
        found = {(row, names[at]) for row, at in self._beginnings.suspects(folded, sides)}
        of, mentioned = {name: Mentions([name]) for _, name in found}, dict[int, str]()
        for row, name in found:
            uid = texts(uids[[row]])[0] if isinstance(uids, np.ndarray) else uids[row]
            if of[name].within(uid) and not is_nameless(uid):
                mentioned[row] = uid
        self._speaking += len(mentioned)
        self._id = self._id or (mentioned[min(mentioned)] if mentioned else "")
        return self._speaking > 0

    def _take_games(self) -> None:
        self.meetings.add_all(self._games)
        self._games.clear()

    def notes(self) -> list[Note]:
        """The remarks, a note of each kind."""
        self._take_games()
        found = self.meetings.notes()
        found += [NamesInIds(self._speaking, self._id)] if self._speaking else []
        return [*found, *([PointsAgainstScore(self._contrary, tuple(self._first))] if self._contrary else [])]


def _speaks(event: Event) -> bool:
    """True if the id of an event mentions one of its players."""
    uid = event.uid.casefold()
    return any(name.casefold() in uid and Mentions([name]).within(event.uid) for name in players_of(event))


class Descent:
    """Finds out whether rows go from the newest day to the oldest, with several games of a player on one day."""

    def __init__(self) -> None:
        self._day: Instant | None = None
        self._steps = 0
        self._rises = False
        self._lines = dict[str, int]()
        """The line of each player on the last day."""
        self._twice: NewestFirst | None = None

    def needs(self, played: Ints) -> bool:
        """True if the rows with these days must be added one by one; if not, only their days are heeded."""
        if self._rises or not len(played):
            return False
        steps = np.diff(played, prepend=played[:1] if self._day is None else np.array([self._day]))
        self._rises = bool((steps > 0).any())
        if self._rises:
            return False
        if self._twice is None and not (played % DAY).all():
            return True
        self._day, self._steps = int(played[-1]), self._steps + int((steps < 0).sum())
        self._lines.clear()
        return False

    def add(self, line: int, played: Instant, order: int, players: Iterable[str]) -> None:
        """Adds a row."""
        if self._rises:
            return
        if self._day != played:
            self._rises = self._day is not None and played > self._day
            self._steps += self._day is not None
            self._day = played
            self._lines.clear()
        if self._twice is None and not order and played % DAY == 0:
            for player in players:
                if (above := self._lines.setdefault(player, line)) != line:
                    self._twice = NewestFirst(player, (above, line))

    def notes(self) -> list[Note]:
        """Returns a note if the rows are of at least three days."""
        return [self._twice] if self._twice is not None and self._steps > 1 and not self._rises else []


class TableRemarks:
    """Examines rows of a table: equal ones, and days that are far off."""

    def __init__(self) -> None:
        self._latest = instant(datetime.now(UTC) + timedelta(days=1))
        self.contents = Contents()
        self._far, self._first_far = 0, (0, "")
        """Number of far days, and line and day of the first."""
        self._descent = Descent()
        self.first: list[str] = []
        """The first games as understood."""

    def add(self, row: Outcome) -> Outcome:
        """Adds a row, and returns it."""
        if isinstance(row, Made) and isinstance(row.event, GamePlayed | SessionPlayed):
            line, event = row.line, row.event
            if len(self.first) < SHOWN:
                self.show(line, event)
            if not LIKELY_FROM <= event.played <= self._latest:
                self._add_far(1, line, event.played)
            self._descent.add(line, event.played, event.order, players_of(event))
            self.contents.add(line, event)
        return row

    def show(self, line: int, event: GamePlayed | SessionPlayed) -> None:
        """Keeps the words that show how a result was understood."""
        text = f"{event.pool}, {iso(event.played)}, {_sides(event)}"
        facts = ", ".join(f"{name} {value}" for name, value in event.data.items())
        self.first.append(f"line {line}: {text}" + (f" ({facts})" if facts else ""))

    def add_games(
        self, lines: Sequence[int], played: Ints, order: Ints, players: Callable[[int], Iterable[str]]
    ) -> None:
        """Adds rows that were read as columns; only their days are examined. `players` returns those of a row."""
        if self._descent.needs(played):
            for place, day in enumerate(played.tolist()):
                self._descent.add(lines[place], day, int(order[place]), players(place))
        far = np.flatnonzero((played < LIKELY_FROM) | (played > self._latest))
        if len(far):
            self._add_far(len(far), lines[far[0]], int(played[far[0]]))

    def _add_far(self, rows: int, line: int, played: Instant) -> None:
        self._first_far = self._first_far if self._far else (line, iso(played))
        self._far += rows

    def notes(self) -> list[Note]:
        """The remarks, a note of each kind."""
        far = [FarDays(self._far, *self._first_far)] if self._far else []
        return [*self.contents.notes(), *far, *self._descent.notes()]


def _sides(event: GamePlayed | SessionPlayed) -> str:
    """Players and scores, for the first sides of a session."""
    if isinstance(event, GamePlayed):
        return f"{event.a} - {event.b} {event.score:g}"
    return f"{len(event.sides)} sides: {seated(event.sides)}"


def is_ambiguous(form: str | None) -> bool:
    """True if a date format has a day and a month in numbers, so that one may be mistaken for the other."""
    return form is not None and "%d" in form and "%m" in form


def _is_exchanged(form: str, text: str) -> bool:
    """True if a text is a day once day and month of a format are exchanged, such as `03/25/24` for `%d/%m/%y`."""
    other = form.translate(str.maketrans("dm", "md"))
    with suppress(BadValue, OverflowError):
        return bool(moment_like(other, text))
    return False


def check_date_format(name: str, form: str, outcomes: Iterable[Outcome], advice: Sequence[Note]) -> None:
    """Refuses a file if its date format fails on a row while others would be valid with day and month exchanged.

    A row with 25 in the place of the month shows that the format is wrong, so that 03.04. cannot be trusted either. A
    day that does not exist, such as 31.02., shows nothing, nor does an empty cell.

    Parameters
    ----------
    outcomes : iterable of Outcome
        Outcomes of all rows.
    advice : sequence of Note
        Further notes of the reader, once all rows are read.

    Raises
    ------
    BadFile
    """
    failed: dict[str, object] = {}
    ambiguous = 0
    for row in outcomes:
        if isinstance(row, Refused) and isinstance(row.reason, Reason) and row.reason.kind is NotOfForm:
            value = str(row.reason.facts["value"])
            failed = failed or ({"line": row.line, "value": value} if _is_exchanged(form, value) else {})
        elif isinstance(row, Made) and isinstance(row.event, GamePlayed | SessionPlayed):
            month, day = iso(row.event.played)[5:10].split("-")
            ambiguous += day <= "12" and day != month
    if failed and ambiguous:
        why = Filled(DOUBTFUL_DAYS, **failed, rows=counted(ambiguous, "other row"))
        raise BadFile(name, why, "; ".join(map(str, advice)))


def voided_rows(log: Log, report: ImportReport) -> list[Note]:
    """Returns a note on rows whose events are void in the log, and records in the report which voids these are."""
    gone = {row.position for row in report.settled.only("voided")}
    if not gone:
        return []
    taken_back = corrections_of(log).void
    against = [row for row in log.rows(0, None, ("void",)) if row.ref in gone and row.position not in taken_back]
    report.settled.note_voids({row.ref: row.position for row in against if row.ref is not None})
    spans: list[tuple[int, int]] = []
    for at in [row.position for row in against]:
        first = spans.pop()[0] if spans and at == spans[-1][1] + 1 else at
        spans.append((first, at))
    (uid,) = [row.uid for row in log.rows_at(list(gone))] if len(gone) == 1 else [""]
    return [Voided(len(gone), uid, tuple(spans))]
