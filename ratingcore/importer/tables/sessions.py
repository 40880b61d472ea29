"""Sessions of many sides in tables: rows that name their session, and JSON objects with `sides`."""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property, partial
from operator import attrgetter, itemgetter
from typing import TypeVar

from attrs import define, evolve, field

from ratingcore.errors import Absent, BadMapping, BadValue, EventError, NotANumber
from ratingcore.events import Fact, Instant, SessionPlayed, Side
from ratingcore.events.bounds import check_counted, check_player, check_points, check_uid
from ratingcore.events.missing_uids import within_session
from ratingcore.events.rounds import order_on_day
from ratingcore.importer.notes import ColumnLeftOut
from ratingcore.importer.tables.cells import COUNTED, DATA_FIELDS, NO_RESULT, numeric_parser, whole_number
from ratingcore.importer.tables.fieldmap import NO_COLUMN, FieldMap, FromColumn
from ratingcore.importer.tables.rows import Binding, Hashes, became_known, outcome_of
from ratingcore.importer.tables.sheets import cells_of_object
from ratingcore.readers import Made, Outcome, Reason, Refused, Unrated
from ratingcore.readers.sheets import Object, Rows, Sheet

S = TypeVar("S")
P = TypeVar("P")

FACTS = tuple(name for name in DATA_FIELDS if name not in ("handicap", "home", "points_a", "points_b"))
"""Fields of a session's `data` that are read from columns of these names even without a mapping."""

_TYPED = frozenset({"session", "side", "line", "score", "place", "played", "order", "uid", "pool", "sides"})
PLAYER = re.compile(r"player[0-9]?")
"""Columns of the players of a side."""
_FOREIGN = ("a", "b", "values")
PLACES = "place"
"""Value of `unit` for scores that are places, the first the best."""


class _Common:
    """Readers of the common facts of a session."""

    def __init__(
        self, bound: Binding, fields: FieldMap, pool: str | None, own: Collection[str] = FACTS, taken: str = ""
    ) -> None:
        foreign = next((name for name in _FOREIGN if name in fields.fields), None)
        if foreign is not None:
            raise BadMapping(fields.where, f"a session has no field {foreign}")
        self.played = bound.required("played", bound.day())
        self.order = bound.optional("order", partial(whole_number, "order"), "order")
        self.pool = bound.pool(pool)
        self.one_pool = pool or ""
        self.uid = bound.optional("uid", check_uid, "uid", "id")
        self.session = bound.optional("session", str, "session")
        self.free = bound.free(own, {*_TYPED, taken, *filter(PLAYER.fullmatch, bound.mapped)})

    def of(self, cells: list[str]) -> dict[str, Fact]:
        """The session's facts in a row, without empty ones."""
        order, uid = self.order, self.uid
        said: dict[str, Fact | None] = {name: reader[cells[reader.index]] for name, reader in self.free.items()}
        if cells[self.played.index].strip():
            said["played"] = self.played[cells[self.played.index]]
        if order is not None and cells[order.index].strip():
            said["order"] = order[cells[order.index]]
        if uid is not None:
            said["uid"] = uid.read(cells[uid.index].strip())
        said["pool"] = self.one_pool if self.pool is None else self.pool[cells[self.pool.index]]
        return {name: value for name, value in said.items() if value is not None and value != ""}


def with_somebody(sides: Iterable[S], players: Callable[[S], Sequence[P]], check: Callable[[P], object]) -> list[S]:
    """The sides of a session without empty ones, such as a bye.

    Parameters
    ----------
    check : callable
        Raises `Absent` for a player who is nobody.

    Raises
    ------
    Absent
        If fewer than two sides are left, or a player sits with nobody.
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


def made(said: dict[str, Fact], sides: list[Side], name: str) -> SessionPlayed:
    """The session with these facts, with a placeholder for its uid if it has none."""
    facts = dict(said)
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
    """The part of a session that a player took part in, as written or as a decimal number."""
    return text if _SHARE.fullmatch(text) else str(number(text))


_SHARE = re.compile(r"[0-9]+/[0-9]+")


def place_of(text: str) -> int | None:
    place = whole_number("place", text)
    if text and place < 1:
        raise BadValue("place", text, "is not a place from 1 on")
    return place or None


class Objects:
    """Makes sessions of the objects of a file that have `sides`."""

    def __init__(self, sheet: Sheet, fields: FieldMap, pool: str | None) -> None:
        source = fields.fields.get("sides", FromColumn("sides"))
        if not isinstance(source, FromColumn):
            raise BadMapping(fields.where, "the sides of a session are in a column")
        self.column = source.column
        # identifiers of sessions must not be missed if the first objects of a file are games
        named = {"uid", "id", "session"} & {*sheet.layout}
        late = ("session",) * ("session" not in named) + ("uid",) * named.isdisjoint({"uid", "id"})
        self._sheet, self._fields, self._pool = evolve(sheet, further=sheet.further + late), fields, pool

    @property
    def expected(self) -> bool:
        """True if the first objects of the file have sides."""
        return self.column in self._sheet.columns

    @property
    def bound(self) -> Binding:
        """The columns of a session's facts."""
        return self._common[0]

    @cached_property
    def _common(self) -> tuple[Binding, _Common]:
        fields = evolve(
            self._fields, fields={name: one for name, one in self._fields.fields.items() if name != "sides"}
        )
        bound = Binding(self._sheet, fields)
        return bound, _Common(bound, fields, self._pool, (*FACTS, "first_line"))

    def outcome(self, line: int, parsed: Object) -> Outcome:
        """The outcome of an object with sides."""
        bound, sides = self.bound, parsed[self.column]
        parsed = parsed if "id" in self._fields.spent else {"uid": parsed.get("id")} | parsed
        row = cells_of_object(line, parsed, self._sheet.layout, frozenset(bound.used))
        if isinstance(row, Refused):
            return row
        found = outcome_of(self._sheet, bound, line, row[1] + bound.tail, lambda cells: self._made(cells, sides))
        if isinstance(found, Refused):
            return found._replace(text=json.dumps(parsed, ensure_ascii=False)[:200])
        return found

    def _made(self, cells: list[str], sides: object) -> SessionPlayed | str:
        bound, common = self._common
        number = numeric_parser("score", bound.decimal)
        if not isinstance(sides, list):
            raise BadValue("sides", str(sides)[:60], 'are no list of objects such as {"players": ["ann"], "score": 3}')
        said = common.of(cells)
        name = "" if common.session is None else common.session[cells[common.session.index]]
        given = [_side_of(side, number) for side in sides]
        read = with_somebody(given, itemgetter(0), partial(self._fields.player, "player"))
        scores = [score for _, score, _ in read]
        if read and all(score is None for score in scores):
            return NO_RESULT
        if len({places for _, _, places in read}) > 1:
            raise BadValue("sides", "", "are given a score and a place: one of them for all")
        if any(places for _, _, places in read):
            said.setdefault("unit", PLACES)
        return made(said, [Side(players, _known(players, score)) for players, score, _ in read], name)


def _known(players: list[str], score: float | None) -> float:
    if score is None:
        raise BadValue("score", ", ".join(players), "is missing of a side; leave out who did not play")
    return score


def _side_of(side: object, number: Callable[[str], float | None]) -> tuple[list[str], float | None, bool]:
    """Players and score of a side of an object, and whether the score was given as a place."""
    if not isinstance(side, dict):
        raise BadValue("sides", str(side)[:60], 'must hold objects such as {"players": ["ann"], "score": 3}')
    foreign = next((key for key in side if key not in ("players", "score", "place")), None)
    if foreign is not None:
        raise BadValue("sides", foreign, "may not have this field: a side has players, and a score or a place")
    players = side.get("players")
    players = [players] if isinstance(players, str) else players
    if not isinstance(players, list) or not players or not all(isinstance(one, str) for one in players):
        raise BadValue("players", str(players)[:60], "are no names")
    given, place = (side.get(key) for key in ("score", "place"))
    for text in (given, place):
        if not isinstance(text, str | None):
            raise NotANumber("score", str(text)[:60], "is not a finite number")
    who = [check_player("player", one.strip()) for one in players]
    if given is None and place is not None:
        rank = place_of(place.strip())
        return who, None if rank is None else float(-rank), True
    score = None if given is None else number(given.strip())
    return who, None if score is None else float(score), False


def is_of_sessions(sheet: Sheet, fields: FieldMap) -> bool:
    """True if the rows of a table are sides of sessions: they name their session, and a player instead of two."""
    own = {*sheet.columns} - fields.spent
    named = {*own, *fields.fields} - {name for name, one in fields.fields.items() if one == NO_COLUMN}
    if not fields.fields.keys().isdisjoint({"a", "b"}) or {"a", "b"} <= own:
        return False
    return "session" in named and any(map(PLAYER.fullmatch, named))


@define
class _Side:
    """A side, from its rows."""

    players: list[str] = field(factory=list)
    score: float | None = None
    row: int = 0
    boards: Fact | None = None
    line: int | None = None
    """Line of the side at bridge: 1, that of North-South, or 2."""
    weights: dict[str, str] = field(factory=dict)
    """Part of the session that each player took part in, if their rows give it."""

    def place(self) -> tuple[int, float, list[str]]:
        """Sort key of sides: their line, the best score first, then their players."""
        return self.line or 0, -(self.score or 0.0), sorted(self.players)


WEIGHTS = "weights"
_OF_ALL_ROWS = frozenset({*FACTS, *_TYPED, WEIGHTS})
"""Facts that all rows of a session share; other facts may be of the player of a row."""
_OF_SIDE = {"score": "score", "boards": "number of boards", "line": "direction"}
"""Facts that all rows of a side share, and their names in errors."""


@define
class _Session:
    """A session, from its rows."""

    line: int
    name: str
    said: dict[str, Fact] = field(factory=dict)
    lines: dict[str, int] = field(factory=dict)
    sides: dict[str | int, _Side] = field(factory=dict)
    problem: str = ""
    known: Instant | None = None
    apart: set[str] = field(factory=set)
    """Facts of single players, since rows differ in them: a team, a seat."""

    def add_facts(self, line: int, said: dict[str, Fact]) -> None:
        """Adds the facts of a row; one that differs from an earlier row of the session is a problem."""
        for name, value in said.items():
            if self.said.setdefault(name, value) != value:
                if name not in _OF_ALL_ROWS:
                    self.apart.add(name)
                    continue
                self.refuse(
                    line,
                    f"{name} is {value!r}, on line {self.lines[name]} it is {self.said[name]!r}: "
                    "rows of one session say the same",
                )
            self.lines.setdefault(name, line)

    def seat(self, row: int, side: str, given: _Side) -> None:
        """Adds the players of a row to their side, or as a side of their own."""
        seated = self.sides.setdefault(side or row, _Side(row=row))
        seated.players += given.players
        seated.weights |= given.weights
        for name, what in _OF_SIDE.items():
            before, now = getattr(seated, name), getattr(given, name)
            if before is None:
                setattr(seated, name, now)
            elif now is not None and now != before:
                self.refuse(row, f"side {side} has another {what} on line {seated.row}")

    def refuse(self, line: int, why: EventError | str) -> None:
        self.problem = self.problem or Reason.of(why, f"line {line}")

    def outcome(self, places: bool, bound: Binding, fields: FieldMap) -> Outcome:
        """The outcome of the session, placed at its first row and known since its last row was."""
        text, player = f"session {self.name}", partial(fields.player, "player")
        try:
            there = with_somebody(self.sides.values(), attrgetter("players"), player)
        except Absent as problem:
            return Unrated(self.line, problem.reason)
        scores = [side.score for side in there]
        if not self.problem and all(score is None for score in scores):
            return Unrated(self.line, NO_RESULT)
        missing = next((side for side in there if side.score is None), None)
        if missing is not None:
            who = ", ".join(missing.players)
            self.refuse(missing.row, f"{who} has no {'place' if places else 'score'}; leave out who did not play")
        if self.problem:
            return Refused(self.line, Reason.of(self.problem, "the session is refused as a whole"), text)
        if places:
            self.said.setdefault("unit", PLACES)
        # the order of rows means nothing: players are sorted by name
        seated = sorted(there, key=_Side.place)
        sides = [Side(sorted(side.players), side.score or 0.0) for side in seated]
        self.said = {name: one for name, one in self.said.items() if name not in self.apart}
        self.said |= _boards_of(seated) | _line_of(seated) | _weights_of(seated)
        try:
            session = made(self.said, sides, self.name)
        except EventError as error:
            return Refused(self.line, Reason.of(error), text)
        if bound.known is None:
            return Made(self.line, session)
        if self.known is None:
            return Refused(self.line, "known is not given in any of its rows", text)
        return became_known(self.line, session, self.known, text)


def _boards_of(sides: list[_Side]) -> dict[str, Fact]:
    """Number of boards that most of the sides played, and those of each side if they differ."""
    given = Counter(side.boards for side in sides if side.boards is not None)
    if not given:
        return {}
    most: Fact = given.most_common(1)[0][0]
    if len(given) == 1:
        return {"boards": most}
    each = " ".join(str(most if side.boards is None else side.boards) for side in sides)
    return {"boards": most, "boards_by_side": each}


def _weights_of(sides: list[_Side]) -> dict[str, Fact]:
    """Part of the session that each player took part in, in the order of sides and names; 1 if unknown."""
    if not any(side.weights for side in sides):
        return {}
    return {WEIGHTS: " ".join(side.weights.get(player, "1") for side in sides for player in sorted(side.players))}


def _line_of(sides: list[_Side]) -> dict[str, Fact]:
    """Number of sides in the first line, which come first, if there are two lines."""
    first = sum(side.line == 1 for side in sides)
    return {"first_line": first} if 0 < first < len(sides) else {}


_LINES = {"ns": 1, "n-s": 1, "n/s": 1, "1": 1, "ew": 2, "e-w": 2, "e/w": 2, "ow": 2, "o-w": 2, "o/w": 2, "2": 2}
"""How tables call the two lines of a session."""


def line_of(text: str) -> int | None:
    """The line of a pair: 1 for North-South, 2 for East-West; None where the cell is empty."""
    line = _LINES.get(text.casefold())
    if line is None and text:
        raise BadValue("line", text, "is neither NS nor EW; if the column is something else, map line to none: line=")
    return line


def sessions_of_rows(sheet: Sheet, fields: FieldMap, pool: str | None) -> tuple[Binding, Iterator[Outcome]]:
    """The binding of a table whose rows are sides of sessions, and the outcome of each session, at its first row.

    A session consists of the rows of one pool and time with one name in the column `session`. Those whose rows are
    together are made as they come; the rows of others are kept until the end.
    """
    bound = Binding(sheet, fields)
    name = bound.required("session", str)
    common = _Common(bound, fields, pool, taken=WEIGHTS)
    side = bound.optional("side", str, "side")
    in_line = bound.optional("line", line_of, "line")
    part = bound.optional(WEIGHTS, str, WEIGHTS, "weight")
    number = numeric_parser(WEIGHTS, bound.decimal)
    numbered = sorted({*filter(PLAYER.fullmatch, {*filter(bound.owns, sheet.columns), *bound.mapped})})
    apart: dict[str, int] = {}
    players = [bound.player(one, str) for one in numbered]
    score = bound.optional("score", numeric_parser("score", bound.decimal), "score")
    place = bound.optional("place", place_of, "place") if score is None else None
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
            said = common.of(cells)
            boards = said.pop("boards", None)
            parts = [] if part is None else part[cells[part.index]].split()
            if bound.known is not None and (text := cells[bound.known.index]).strip():
                session.known = max(session.known or bound.known[text], bound.known[text])
            who = [check_player("player", text) for reader in players if (text := reader[cells[reader.index]])]
            if not who:
                raise BadValue("player", "", "is no name")
            if len(parts) not in (0, 1, len(who)):  # those of all players, in each row
                said[WEIGHTS], parts = " ".join(parts), []
            session.add_facts(line, said)
            shares = [_part(one, number) for one in parts] * (len(who) if len(parts) == 1 else 1)
            weights = dict(zip(who, shares, strict=bool(shares)))
            points = worth[cells[worth.index]]
            if points is not None:
                points = float(-points if place is not None else points)
            sat = None if in_line is None else in_line[cells[in_line.index]]
            session.seat(
                line, "" if side is None else side[cells[side.index]], _Side(who, points, line, boards, sat, weights)
            )
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
        return session.outcome(place is not None, bound, fields)

    def sessions() -> Iterator[Outcome]:
        scattered = _scattered(rows(), key_of)
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
                if damaged:  # the unreadable row may be one of this session
                    now.problem = now.problem or f"line {damaged}"
            damaged = ""
            if not key[0]:
                now.refuse(line, "session is no name: ''")
            add(now, line, cells)
        if now is not None and key not in scattered:
            yield ended(now)
        yield from map(ended, kept.values())
        yield from bound.notes()
        for name, count in sorted(apart.items()):
            yield ColumnLeftOut(bound.column(name), count)

    return bound, sessions()


def _scattered(rows: Rows, key_of: Callable[[list[str], tuple[str, ...]], tuple[str, ...]]) -> set[tuple[str, ...]]:
    """The sessions whose rows are not together."""
    seen = Hashes()
    key: tuple[str, ...] = ()
    found: set[tuple[str, ...]] = set()
    for row in rows:
        if isinstance(row, Refused):
            continue
        before, key = key, key_of(row[1], key)
        if key != before and seen.meet(hash(key)):
            found.add(key)
    return found
