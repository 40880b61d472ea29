"""Makes sessions of many sides of tables whose rows name the session they belong to."""

from collections.abc import Callable, Iterator

from attrs import define, field

from ratingcore.errors import BadValue, EventError
from ratingcore.events import Fact, Instant, Side
from ratingcore.events.bounds import see_player
from ratingcore.importer.tables.binding import Binding
from ratingcore.importer.tables.fieldmap import FieldMap
from ratingcore.importer.tables.hashes import Hashes
from ratingcore.importer.tables.lines import Line, Outcome, Refused, Unrated
from ratingcore.importer.tables.numbers import required
from ratingcore.importer.tables.rows import known_at
from ratingcore.importer.tables.scores import NO_RESULT
from ratingcore.importer.tables.session_facts import PLACES, PLAYER, Common, made, place_of
from ratingcore.importer.tables.sheets import Sheet


def is_of_sessions(sheet: Sheet, fields: FieldMap) -> bool:
    """Whether the rows of a table are sides of sessions: they name their session, and a player instead of two."""
    named = {*sheet.columns, *fields.fields}
    if not fields.fields.keys().isdisjoint({"a", "b"}) or {"a", "b"} <= set(sheet.columns):
        return False
    return "session" in named and any(map(PLAYER.fullmatch, named))


@define
class _Side:
    """A side as its rows say."""

    players: list[str] = field(factory=list)
    score: float | None = None
    line: int = 0


@define
class _Session:
    """A session as its rows say."""

    line: int
    name: str
    said: dict[str, Fact] = field(factory=dict)
    lines: dict[str, int] = field(factory=dict)
    sides: dict[str | int, _Side] = field(factory=dict)
    problem: str = ""
    known: Instant | None = None

    def hear(self, line: int, said: dict[str, Fact]) -> None:
        """Takes in what a row says of the session; a row that says something else than one before is a problem."""
        for name, value in said.items():
            if self.said.setdefault(name, value) != value:
                self.refuse(
                    line,
                    f"{name} is {value!r}, on line {self.lines[name]} it is {self.said[name]!r}: "
                    "rows of one session say the same",
                )
            self.lines.setdefault(name, line)

    def seat(self, line: int, side: str, players: list[str], score: float | None) -> None:
        """Takes in the players of a row: those of a side that has rows already, or a side of their own."""
        seated = self.sides.setdefault(side or line, _Side(line=line))
        seated.players += players
        if seated.score is None:
            seated.score = score
        elif score is not None and score != seated.score:
            self.refuse(line, f"side {side} has another score on line {seated.line}")

    def refuse(self, line: int, why: str) -> None:
        self.problem = self.problem or f"line {line}: {why}"

    def as_line(self, places: bool, bound: Binding) -> Line:
        """The line of the session, at its first row; it became known when the last of its rows did."""
        outcome = self.outcome(places)
        if bound.known is None or isinstance(outcome, Refused | Unrated):
            return Line(self.line, outcome)
        if self.known is None:
            return Line(self.line, Refused("known is not given in any of its rows", f"session {self.name}"))
        return known_at(self.line, outcome, self.known, f"session {self.name}")

    def outcome(self, places: bool) -> Outcome:
        text = f"session {self.name}"
        scores = [side.score for side in self.sides.values()]
        if not self.problem and all(score is None for score in scores):
            return NO_RESULT
        missing = next((side for side in self.sides.values() if side.score is None), None)
        if missing is not None:
            who = ", ".join(missing.players)
            self.refuse(missing.line, f"{who} has no {'place' if places else 'score'}; leave out who did not play")
        if self.problem:
            return Refused(f"the session is refused as a whole: {self.problem}", text)
        if places:
            self.said.setdefault("unit", PLACES)
        # the order of rows says nothing: players go by name, and the best side comes first
        sides = [Side(sorted(side.players), side.score or 0.0) for side in self.sides.values()]
        sides.sort(key=lambda side: (-side.score, side.players))
        try:
            return made(self.said, sides, self.name)
        except EventError as error:
            return Refused(str(error), text)


def sessions_of_rows(sheet: Sheet, fields: FieldMap, pool: str | None) -> tuple[Binding, Iterator[Line]]:
    """The binding of a table whose rows are sides of sessions, and a line for each session, at its first row.

    A session is what rows of one pool and time call by one name in the column `session`. Those whose rows stand
    together are made as they come; the rows of others are kept until the end.
    """
    bound = Binding(sheet, fields)
    name = bound.required("session", str)
    common = Common(bound, fields, pool)
    side = bound.optional("side", str, "side")
    numbered = sorted(one for one in {*sheet.columns, *bound.mapped} if PLAYER.fullmatch(one))
    players = [bound.required(one, str) for one in numbered]
    score = bound.optional("score", required("score", bound.decimal), "score")
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
            session.hear(line, common.of(cells))
            if bound.known is not None and (text := cells[bound.known.index]).strip():
                session.known = max(session.known or bound.known[text], bound.known[text])
            who = [see_player("player", text) for reader in players if (text := reader[cells[reader.index]])]
            if not who:
                raise BadValue("player", "", "is no name")
            points = worth[cells[worth.index]]
            if points is not None:
                points = float(-points if place is not None else points)
            session.seat(line, "" if side is None else side[cells[side.index]], who, points)
        except EventError as error:
            session.refuse(line, str(error))

    def rows() -> Iterator[tuple[int, list[str] | Refused]]:
        tail = bound.tail
        for line, cells in sheet.rows(frozenset(bound.used)):
            yield line, cells if isinstance(cells, Refused) else cells + tail

    def lines() -> Iterator[Line]:
        scattered = _scattered(rows(), key_of)
        kept: dict[tuple[str, ...], _Session] = {}
        now: _Session | None = None
        key: tuple[str, ...] = ()
        damaged = ""
        for line, cells in rows():
            if isinstance(cells, Refused):
                damaged = damaged or f"{line}: {cells.reason}"
                if now is None:
                    yield Line(line, cells)
                else:
                    now.refuse(line, cells.reason)
                continue
            before, key = key, key_of(cells, key)
            if now is None or key != before:
                if now is not None and before not in scattered:
                    yield now.as_line(place is not None, bound)
                now = kept.get(key) or _Session(line, key[0])
                if key in scattered:
                    kept[key] = now
                if damaged:  # the row that cannot be read may be one of this session
                    now.problem = now.problem or f"line {damaged}"
            damaged = ""
            if not key[0]:
                now.refuse(line, "session is no name: ''")
            add(now, line, cells)
        if now is not None and key not in scattered:
            yield now.as_line(place is not None, bound)
        for session in kept.values():
            yield session.as_line(place is not None, bound)

    return bound, lines()


def _scattered(
    rows: Iterator[tuple[int, list[str] | Refused]], key_of: Callable[[list[str], tuple[str, ...]], tuple[str, ...]]
) -> set[tuple[str, ...]]:
    """The sessions whose rows do not stand together."""
    seen = Hashes()
    key: tuple[str, ...] = ()
    found: set[tuple[str, ...]] = set()
    for _, cells in rows:
        if isinstance(cells, Refused):
            continue
        before, key = key, key_of(cells, key)
        if key != before and seen.meet(hash(key)):
            found.add(key)
    return found
