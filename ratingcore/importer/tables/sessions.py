"""Reads sessions of many sides from tables in which each row names its session."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import TypeVar

from attrs import define, field

from ratingcore.errors import Absent, BadMapping, BadValue, EventError
from ratingcore.events import Fact, Instant, SessionPlayed, Side
from ratingcore.events.bounds import COUNTED, check_counted, check_player, check_points, check_uid
from ratingcore.events.missing_uids import within_session
from ratingcore.events.rounds import order_on_day
from ratingcore.importer.notes import ColumnLeftOut, FirstPlaceMissing, PlacesAgainstScores, SidesLeftOut, first_lines
from ratingcore.importer.tables.bound_mapping import Binding
from ratingcore.importer.tables.cells import DATA_FIELDS, numeric_parser, whole_number
from ratingcore.importer.tables.fieldmap import NO_COLUMN, FieldMap
from ratingcore.importer.tables.headings import is_of_opponents, is_of_places
from ratingcore.importer.tables.least_is_best import check_most_is_best, is_of_times, seconds_of
from ratingcore.importer.tables.outcomes import became_known
from ratingcore.importer.tables.score_words import NO_RESULT, unplayed
from ratingcore.importer.tables.session_survey import survey
from ratingcore.readers import Made, Outcome, Reason, Refused, Unrated
from ratingcore.readers.sheets import Rows, Sheet
from ratingcore.safe_text import Filled

S = TypeVar("S")
P = TypeVar("P")

FACTS = tuple(name for name in DATA_FIELDS if name not in ("handicap", "home", "points_a", "points_b"))
"""Fields of a session's `data` that are read from columns with the same name even without a mapping."""

_TYPED = frozenset({"session", "side", "line", "score", "place", "played", "order", "uid", "pool", "sides"})
PLAYER = re.compile(r"player[0-9]?")
"""Names of the columns that hold the players of a side."""
_FOREIGN = ("a", "b", "values")
PLACES = "place"
"""Value of `unit` if scores are places, of which the first is the best."""


class CommonFacts:
    """Parsers of the facts that a whole session shares."""

    def __init__(
        self, bound: Binding, fields: FieldMap, pool: str | None, own: Collection[str] = FACTS, taken: str = ""
    ) -> None:
        foreign = next((name for name in _FOREIGN if name in fields.fields), None)
        if foreign is not None:
            raise BadMapping(fields.where, Filled("a session has no field {field}", field=foreign))
        self.played = bound.required("played", bound.day())
        self.order = bound.optional("order", partial(whole_number, "order"), "order")
        self.pool = bound.pool(pool)
        self.one_pool = pool or ""
        self.uid = bound.optional("uid", check_uid, "uid", "id")
        self.session = bound.optional("session", str, "session")
        self.free = bound.free(own, {*_TYPED, taken, *filter(PLAYER.fullmatch, bound.mapped)})

    def of(self, cells: list[str]) -> dict[str, Fact]:
        """Returns the facts that a row gives its session, without empty ones."""
        order, uid = self.order, self.uid
        facts: dict[str, Fact | None] = {name: reader[cells[reader.index]] for name, reader in self.free.items()}
        if cells[self.played.index].strip():
            facts["played"] = self.played[cells[self.played.index]]
        if order is not None and cells[order.index].strip():
            facts["order"] = order[cells[order.index]]
        if uid is not None:
            facts["uid"] = uid.read(cells[uid.index].strip())
        facts["pool"] = self.one_pool if self.pool is None else self.pool[cells[self.pool.index]]
        return {name: value for name, value in facts.items() if value is not None and value != ""}


def with_somebody(sides: Iterable[S], players: Callable[[S], Sequence[P]], check: Callable[[P], object]) -> list[S]:
    """Returns the sides of a session without those that are nobody, such as a bye.

    Parameters
    ----------
    check : callable
        Raises `Absent` for a player who is nobody.

    Raises
    ------
    Absent
        If a side was left out and fewer than two are left, or if a side has several players and one is nobody.
    """
    there, alone = [], list[Absent]()
    for side in sides:
        try:
            for player in players(side):
                check(player)
        except Absent as problem:
            if len(players(side)) > 1:
                raise
            alone.append(problem)
        else:
            there.append(side)
    if alone and len(there) < 2:
        raise alone[0]
    return there


def made(facts: dict[str, Fact], sides: list[Side], name: str) -> SessionPlayed:
    """Makes a session from its facts; if they have no uid, it gets a placeholder."""
    facts = dict(facts)
    if "played" not in facts:
        raise BadValue("played", "", "is not given")
    day, pool = facts.pop("played"), str(facts.pop("pool", ""))
    assert isinstance(day, int)
    order = facts.pop("order", None)
    order = order_on_day(day, facts) if order is None else order
    assert isinstance(order, int)
    for side in sides:
        check_points("score", side.score, facts.get("unit"))
    for name_of in COUNTED:
        check_counted(name_of, facts.get(name_of))
    players = [player for side in sides for player in side.players]
    uid = str(facts.pop("uid", "")) or within_session(pool, day, name, players)
    return SessionPlayed(uid=uid, pool=pool, played=day, sides=sides, order=order, data=facts)


def _part(text: str, number: Callable[[str], float | None]) -> str:
    """Returns the share of a session that a player took part in: a fraction as written, or a decimal number."""
    return text if _SHARE.fullmatch(text) else str(number(text))


_SHARE = re.compile(r"[0-9]+/[0-9]+")


_PLACE = re.compile(r"(?:t-?|=|ex ?)?([0-9]{1,9})(?:\.0+|[.=t]|st|nd|rd|th|er|e|º|ª|°)?", re.IGNORECASE)
"""Places as tables write them: 1, T1, 1=, 1st, 1.0."""


def place_of(text: str) -> int | None:
    """Returns the place that a cell gives; None for an empty cell.

    Examples
    --------
    >>> place_of("3"), place_of("T3"), place_of("3="), place_of("3rd"), place_of("3.0"), place_of("")
    (3, 3, 3, 3, 3, None)
    """
    match = _PLACE.fullmatch(text)
    place = whole_number("place", match[1] if match else text)
    if text and place < 1:
        raise BadValue("place", text, "must be a place of 1 or more")
    return place or None


def is_of_sessions(sheet: Sheet, fields: FieldMap) -> bool:
    """True if the rows of a table belong to sessions: they name a session and a player, but no opponent."""
    own = {*sheet.columns} - fields.spent
    named = {*own, *fields.fields} - {name for name, one in fields.fields.items() if one == NO_COLUMN}
    if not fields.fields.keys().isdisjoint({"a", "b"}) or {"a", "b"} <= own:
        return False
    return "session" in named and any(map(PLAYER.fullmatch, named)) and not any(map(is_of_opponents, own))


@define
class _Side:
    """A side of a session, collected from its rows."""

    players: list[str] = field(factory=list)
    score: float | None = None
    row: int = 0
    boards: Fact | None = None
    line: int | None = None
    """Line of the side at bridge: 1 for North-South, 2 for East-West."""
    rank: float | None = None
    """Place of the side, in a table that has scores as well."""
    absent: str = ""
    """Reason why the side has no score, from a word such as DNF."""
    weights: dict[str, str] = field(factory=dict)
    """Share of the session that each player took part in, if the rows give it."""

    def place(self) -> tuple[int, float, list[str]]:
        """Sort key of sides: the line, then the highest score first, then the players."""
        return self.line or 0, -(self.score or 0.0), sorted(self.players)


WEIGHTS = "weights"
_OF_ALL_ROWS = frozenset({*FACTS, *_TYPED, WEIGHTS})
"""Facts that must be equal in all rows of a session; other facts may belong to the player of a row."""
_OF_SIDE = {"score": "score", "boards": "number of boards", "line": "direction"}
"""Facts that must be equal in all rows of a side, and their names in errors."""


@define
class _Session:
    """A session, collected from its rows."""

    line: int
    name: str
    facts: dict[str, Fact] = field(factory=dict)
    lines: dict[str, int] = field(factory=dict)
    sides: dict[str | int, _Side] = field(factory=dict)
    problem: str = ""
    known: Instant | None = None
    left_out: list[int] = field(factory=list)
    """Lines of the sides that are left out because they have a word in place of a score."""
    in_order: bool = True
    """Whether places and scores give the sides the same order."""
    apart: set[str] = field(factory=set)
    """Facts such as a team or a seat that differ between rows, and so belong to players rather than the session."""

    def add_facts(self, line: int, facts: dict[str, Fact]) -> None:
        """Adds the facts of a row; the session is refused if a shared fact differs from an earlier row."""
        for name, value in facts.items():
            if self.facts.setdefault(name, value) != value:
                if name not in _OF_ALL_ROWS:
                    self.apart.add(name)
                    continue
                self.refuse(
                    line,
                    f"{name} is {value!r}, on line {self.lines[name]} it is {self.facts[name]!r}: "
                    "rows of one session must agree",
                )
            self.lines.setdefault(name, line)

    def seat(self, row: int, side: str, given: _Side) -> None:
        """Adds the players of a row to the side that it names, or as a new side."""
        seated = self.sides.setdefault(side or row, _Side(row=row))
        seated.players += given.players
        seated.weights |= given.weights
        seated.rank, seated.absent = seated.rank or given.rank, seated.absent or given.absent
        for name, what in _OF_SIDE.items():
            before, now = getattr(seated, name), getattr(given, name)
            if before is None:
                setattr(seated, name, now)
            elif now is not None and now != before:
                self.refuse(row, f"side {side} has a different {what} on line {seated.row}")

    def refuse(self, line: int, why: EventError | str) -> None:
        self.problem = self.problem or Reason.of(why, f"line {line}")

    def rank_times(self) -> None:
        """Replaces the times of sides by places. Both are stored as negative numbers, so that less is better."""
        times = sorted(-side.score for side in self.sides.values() if side.score is not None)
        for side in self.sides.values():
            if side.score is not None:
                side.score = -float(times.index(-side.score) + 1)

    def check_places(self, sides: Sequence[_Side]) -> None:
        """Compares the places of sides with their scores; refuses the session if higher scores have worse places."""
        some = [(side.rank, -side.score, side) for side in sides if side.rank and side.score is not None]
        ranked = sorted(some, key=itemgetter(0, 1))
        steps = [(one, other) for one, other in pairwise(ranked) if one[0] != other[0] and one[1] != other[1]]
        against = [(one[2], other[2]) for one, other in steps if one[1] > other[1]]
        self.in_order = not against
        if len(against) > len(steps) / 2:
            words = [f"{', '.join(side.players)} {side.score:g} in place {side.rank}" for side in against[0]]
            self.refuse(
                against[0][0].row,
                f"score and place contradict each other: {', '.join(words)}; if less is better, let the places count: "
                "map score to none (score=)",
            )

    def outcome(self, places: bool, bound: Binding, fields: FieldMap) -> Outcome:
        """Returns the outcome, reported at the line of its first row, although it is complete only at its last."""
        text, player = f"session {self.name}", partial(fields.player, "player")
        try:
            there = with_somebody(self.sides.values(), attrgetter("players"), player)
        except Absent as problem:
            return Unrated(self.line, problem.reason)
        absent = [side for side in there if side.absent and side.score is None]
        there = [side for side in there if not side.absent or side.score is not None]
        if absent and len(there) < 2 and not self.problem:
            return Unrated(self.line, absent[0].absent)
        self.left_out = [side.row for side in absent]
        scores = [side.score for side in there]
        if not self.problem and all(score is None for score in scores):
            return Unrated(self.line, NO_RESULT)
        missing = next((side for side in there if side.score is None), None)
        if missing is not None:
            who = ", ".join(missing.players)
            self.refuse(missing.row, f"{who} has no {'place' if places else 'score'}; leave out those who did not play")
        self.check_places(there)
        if self.problem:
            return Refused(self.line, Reason.of(self.problem, "the session is refused as a whole"), text)
        if places:
            self.facts.setdefault("unit", PLACES)
        # the order of rows has no meaning, so players are sorted by name
        seated = sorted(there, key=_Side.place)
        sides = [Side(sorted(side.players), side.score or 0.0) for side in seated]
        self.facts = {name: one for name, one in self.facts.items() if name not in self.apart}
        self.facts |= _boards_of(seated) | _line_of(seated) | _weights_of(seated)
        try:
            session = made(self.facts, sides, self.name)
        except EventError as error:
            return Refused(self.line, Reason.of(error), text)
        if bound.known is None:
            return Made(self.line, session)
        if self.known is None:
            return Refused(self.line, "known is not given in any of its rows", text)
        return became_known(self.line, session, self.known, text)


def _boards_of(sides: list[_Side]) -> dict[str, Fact]:
    """Returns the number of boards that most sides played, and the number of each side if they differ."""
    given = Counter(side.boards for side in sides if side.boards is not None)
    if not given:
        return {}
    most: Fact = given.most_common(1)[0][0]
    if len(given) == 1:
        return {"boards": most}
    each = " ".join(str(most if side.boards is None else side.boards) for side in sides)
    return {"boards": most, "boards_by_side": each}


def _weights_of(sides: list[_Side]) -> dict[str, Fact]:
    """Returns the share of the session that each player took part in, by side and name; 1 if unknown."""
    if not any(side.weights for side in sides):
        return {}
    return {WEIGHTS: " ".join(side.weights.get(player, "1") for side in sides for player in sorted(side.players))}


def _line_of(sides: list[_Side]) -> dict[str, Fact]:
    """Returns the number of sides in the first line if there are two lines; these sides come first."""
    first = sum(side.line == 1 for side in sides)
    return {"first_line": first} if 0 < first < len(sides) else {}


_LINES = {"ns": 1, "n-s": 1, "n/s": 1, "1": 1, "ew": 2, "e-w": 2, "e/w": 2, "ow": 2, "o-w": 2, "o/w": 2, "2": 2}
"""Names that tables give the two lines of a session."""


def line_of(text: str) -> int | None:
    """Returns the line of a pair: 1 for North-South, 2 for East-West; None for an empty cell."""
    line = _LINES.get(text.casefold())
    if line is None and text:
        raise BadValue("line", text, "must be NS or EW; if the column is something else, map line to none: line=")
    return line


_UNPLACED = frozenset({"cut", "mc", "mdf", "wd", "ab", "otl", "abs", "absent"})
"""Further words for sides without a place or score; words for games that were not played count as well."""


def absence(text: str) -> str:
    """Returns why a side has no score, from a word such as DNF or CUT; empty for other texts.

    Examples
    --------
    >>> absence("DNF"), absence("w/o"), absence("12"), absence("")
    ('retired', 'forfeit', '', '')
    """
    return unplayed(text) or ("absent" if text.strip().casefold() in _UNPLACED else "")


def sessions_of_rows(sheet: Sheet, fields: FieldMap, pool: str | None) -> tuple[Binding, Iterator[Outcome]]:
    """Reads a table of sessions: returns its binding, and the outcome of each session, at the line of its first row.

    A session consists of the rows with the same pool, time and name in the column `session`. A session whose rows are
    consecutive is made when they end; the rows of any other session are kept until the end of the table.
    """
    check_most_is_best(fields, "score")
    bound = Binding(sheet, fields)
    name = bound.required("session", str)
    common = CommonFacts(bound, fields, pool, taken=WEIGHTS)
    side = bound.optional("side", str, "side")
    in_line = bound.optional("line", line_of, "line")
    part = bound.optional(WEIGHTS, str, WEIGHTS, "weight")
    number = numeric_parser(WEIGHTS, bound.decimal)
    numbered = sorted({*filter(PLAYER.fullmatch, {*filter(bound.owns, sheet.columns), *bound.mapped})})
    apart: dict[str, int] = {}
    left_out, unordered, unled = list[int](), list[int](), list[int]()
    players = [bound.player(one, str) for one in numbered]
    read_score = numeric_parser("score", bound.decimal)
    score = bound.optional("score", lambda text: read_score(text.removesuffix("%").rstrip()), "score")
    ranks = [] if "score" in bound.mapped else [one for one in sheet.columns if bound.owns(one) and is_of_places(one)]
    timed = score is None and is_of_times(bound.column("place"))
    read_place: Callable[[str], float | None] = seconds_of if timed else place_of
    place = bound.optional("place", read_place, "place", *(ranks if score is not None else ()))
    worth = place if score is None else score
    if worth is None:
        raise bound.missing("score", "score")

    def key_of(cells: list[str], before: tuple[str, ...]) -> tuple[str, ...]:
        where = "" if common.pool is None else cells[common.pool.index].strip()
        day = cells[common.played.index].strip()
        key = (cells[name.index].strip(), where, day)
        return before if not day and key[:2] == before[:2] else key

    def add(session: _Session, line: int, cells: list[str]) -> None:
        try:
            facts = common.of(cells)
            boards = facts.pop("boards", None)
            parts = [] if part is None else part[cells[part.index]].split()
            if bound.known is not None and (text := cells[bound.known.index]).strip():
                session.known = max(session.known or bound.known[text], bound.known[text])
            who = [check_player("player", text) for reader in players if (text := reader[cells[reader.index]])]
            if not who:
                raise BadValue("player", "", "must be a name")
            if len(parts) not in (0, 1, len(who)):  # each row has the shares of all players
                facts[WEIGHTS], parts = " ".join(parts), []
            session.add_facts(line, facts)
            shares = [_part(one, number) for one in parts] * (len(who) if len(parts) == 1 else 1)
            weights = dict(zip(who, shares, strict=bool(shares)))
            points, rank, absent = None, None, absence(cells[worth.index])
            if not absent:
                points = worth[cells[worth.index]]
            if score is not None and place is not None:
                with suppress(EventError):
                    rank = place[cells[place.index]]
            if points is not None:
                points = float(-points if score is None else points)
            sat = None if in_line is None else in_line[cells[in_line.index]]
            seat = "" if side is None else side[cells[side.index]]
            session.seat(line, seat, _Side(who, points, line, boards, sat, rank, absent, weights))
        except EventError as error:
            bound.days.miss(error)
            session.refuse(line, error)

    def rows() -> Rows:
        tail = bound.tail
        for row in sheet.rows(frozenset(bound.used)):
            yield row if isinstance(row, Refused) else (row[0], row[1] + tail)

    def ended(session: _Session) -> Outcome:
        for name in session.apart:
            apart[name] = apart.get(name, 0) + 1
        if timed:
            session.rank_times()
        best = min((-side.score for side in session.sides.values() if side.score is not None), default=1.0)
        outcome = session.outcome(score is None, bound, fields)
        if isinstance(outcome, Made):
            left_out.extend(session.left_out)
            unordered.extend([] if session.in_order else [session.line])
            unled.extend([session.line] if score is None and best > 1 else [])
        return outcome

    def sessions() -> Iterator[Outcome]:
        seen = survey(bound, rows(), key_of, common.played, None if timed else place, score)
        scattered = seen.scattered
        kept: dict[tuple[str, ...], _Session] = {}
        now: _Session | None = None
        key: tuple[str, ...] = ()
        damaged = ""
        for row in rows():
            if isinstance(row, Refused):
                damaged = damaged or f"{row.line}: {row.reason}"
                if now is None:
                    yield row
                else:
                    now.refuse(row.line, row.reason)
                continue
            line, cells = row
            before, key = key, key_of(cells, key)
            if now is None or key != before:
                if now is not None and before not in scattered:
                    yield ended(now)
                now = kept.get(key) or _Session(line, key[0])
                if key in scattered:
                    kept[key] = now
                if damaged:  # the unreadable row may belong to this session
                    now.problem = now.problem or f"line {damaged}"
            damaged = ""
            if not key[0]:
                now.refuse(line, "session must be a name: ''")
            elif key in seen.torn:
                now.refuse(line, seen.torn[key])
            add(now, line, cells)
        if now is not None and key not in scattered:
            yield ended(now)
        yield from map(ended, kept.values())
        yield from bound.notes()
        yield from seen.notes()
        if left_out:
            yield SidesLeftOut(len(left_out), first_lines(sorted(left_out)))
        if unordered:
            yield PlacesAgainstScores(len(unordered), min(unordered))
        if unled:
            yield FirstPlaceMissing(len(unled), min(unled))
        for name, count in sorted(apart.items()):
            yield ColumnLeftOut(bound.column(name), count)

    return bound, sessions()
