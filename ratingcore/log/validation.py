"""Checks that batches, names and rows are what an append would have written, in logs made or changed by others."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from operator import eq
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ratingcore.errors import BadValue, RatingCoreError
from ratingcore.events import KINDS, Called, Fact, GamePlayed, Row, decode, encode, iso
from ratingcore.events.bounds import check_name, check_new, check_player
from ratingcore.events.canonical_json import json_of
from ratingcore.events.player_facts import fact_key
from ratingcore.events.rows import Stored
from ratingcore.events.times import FIRST, LAST
from ratingcore.events.values import ERASED, checked_facts, erased_number, name, nameable, text
from ratingcore.log.chain import ERASABLE, NAMED, Batch, Name
from ratingcore.log.segments import Segment, are_ids
from ratingcore.safe_text import are_plain

_DIGEST = re.compile(r"[0-9a-f]{64}")
_TOKEN = re.compile(r"name [0-9]+")
"""Placeholder for a name while a row is checked."""
_SHORT = 200
"""Longest `data` whose check is remembered: most games have short data, which repeats."""

_LONGEST = 1000
"""Largest length of a name or a uid; appends allow less today, but records of older versions stay valid."""

_REMARKS = 20

_MARKED = 2**28
"""Ids from this one on are left out of the mask of ids, which they would make too large."""

_TOGETHER = 1_000
"""Number of rows that are checked at once; if any of them is not plain, each is checked by itself."""

UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, AssertionError, ArithmeticError, RecursionError)
"""Errors from decoding a row with values that no event has."""


class Validation:
    """Checks a history from its beginning, batch by batch; a fault is a text, empty if there is none.

    Names are checked first, then the rows that use their ids, then the batch. Rows are decoded by the constructors of
    the events and encoded again: the result must equal the input.

    Parameters
    ----------
    key : str
        Key of the log.
    rows_at : callable
        Returns the rows of earlier batches by their positions.
    """

    def __init__(self, key: str, rows_at: Callable[[Iterable[int]], Iterator[Row]]) -> None:
        self._key = key
        self._rows_at = rows_at
        self._ids: dict[str, set[int]] = {kind: set() for kind in NAMED}
        self._keys: dict[str, set[str]] = {kind: set() for kind in NAMED}
        self._marks, self._unmarked = np.zeros(1, np.bool_), list[int]()
        """Mask of the ids of players, for games that are checked together, and ids that are not in it yet."""
        self._erased: set[int] = set()
        """Ids of erased players."""
        self._labels: dict[int, int] = {}
        """Ids of players whose name looks like the label of an erased name, by the id in that label."""
        self._unstated: dict[int, tuple[int, str] | None] = {}
        """Position and field of each fact of a player that no row has stated yet, by id; None for an erased one."""
        self._rows: Sequence[Row] = ()
        self._recorded = FIRST
        self.remarks: list[str] = []
        """Sentences about the first names and rows that an older version recorded and that logs refuse today."""

    @property
    def bound(self) -> bool:
        """True if a batch has named the key of the log."""
        return bool(self._ids["key"])

    def name(self, given: Name) -> str:
        """Returns the fault of a name; rows that are checked later may use its id."""
        if type(given.kind) is not str or given.kind not in NAMED:
            return f"{given.kind!r} is not a kind of name: known are {', '.join(NAMED)}"
        if type(given.id) is not int or type(given.batch) is not int:
            return f"id and batch of a name are not whole numbers: {given.id!r}, {given.batch!r}"
        if type(given.digest) is not str or not _DIGEST.fullmatch(given.digest):
            return f"name {given.id} has no digest: {given.digest!r}"
        if given.kind == "key" and (self.bound or given.key != self._key):
            return "the key of the log differs from the one that the digests cover"
        self._ids[given.kind].add(given.id)
        if given.kind == "player":
            self._unmarked.append(given.id)
        if given.key is None:
            if given.kind == "player":
                self._erased.add(given.id)
            if given.kind == "fact":
                self._unstated[given.id] = None
            return "" if given.kind in ERASABLE else f"a {given.kind} has no text, although it cannot be erased"
        if why := _unnameable(given.kind, given.key) or _unsalted(given):
            return why
        if given.kind == "fact":  # if a second fact has the same key, no event states it
            position, field, _ = json.loads(given.key)
            self._unstated[given.id] = position, field
            return ""
        if given.key in self._keys[given.kind]:
            return f"there is a {given.kind} of this name already: {given.key}"
        self._keys[given.kind].add(given.key)
        if given.kind == "player" and (number := erased_number(given.key)):
            self._labels[number] = given.id
        see = check_player if given.kind in ("player", "called") else check_name
        self._remark(f"name {given.id}", partial(see, given.kind, given.key))
        return ""

    def _without_plain(self, names: list[Name]) -> list[Name]:
        """Accepts the players among the names if all are ordinary, and returns the names that still need a check."""
        players = [given for given in names if given.kind == "player" and given.key is not None]
        if not players or not _are_plain_players(players):
            return names
        keys, known = {given.key for given in players if given.key is not None}, self._keys["player"]
        if len(keys) < len(players) or not keys.isdisjoint(known):
            return names
        known |= keys
        ids = [given.id for given in players]
        self._ids["player"].update(ids)
        self._unmarked += ids
        return [given for given in names if given.kind != "player" or given.key is None]

    def ambiguous(self, given: Name) -> str:
        """Returns a fault if a player's name equals the label of an erased player, which a loaded log must not have.

        An existing log in which an older version recorded both stays readable.
        """
        number = given.id if given.key is None else erased_number(given.key)
        if given.kind != "player" or number not in self._erased or number not in self._labels:
            return ""
        label, other = ERASED.format(number), self._labels[number]
        return (
            f"name {other} is {label}, the label of name {number}, which was erased: erase name {other} in the log "
            f"from which the export was made"
        )

    def batch(self, batch: Batch, latest: int = LAST) -> str:
        """Returns the fault of a batch whose names and rows were checked; it must be recorded by `latest`."""
        if self._unstated:
            return f"name {next(iter(self._unstated))} is a fact of a player, and no event of the batch uses it"
        if any(type(value) is not int for value in batch[:3]) or not FIRST <= batch.recorded <= LAST:
            return f"the time at which the batch was recorded is not valid: {batch.recorded!r}"
        if batch.recorded < self._recorded:
            return f"recorded at {iso(batch.recorded)}, before the batch before it: {iso(self._recorded)}"
        if batch.recorded > latest:
            return f"recorded in the future: {iso(batch.recorded)}"
        self._recorded = batch.recorded
        if batch.source is not None and not self._is(batch.source, "source"):
            return f"its source is not the name of a source: {batch.source!r}"
        return ""

    def rows(self, rows: Sequence[Row]) -> Iterator[tuple[int, str]]:
        """Yields index and fault of each row of a batch that no append would have written."""
        self._rows = rows
        pools, players = self._ids["pool"], self._ids["player"]
        for start in range(0, len(rows), _TOGETHER):
            some = rows[start : start + _TOGETHER]
            if _are_plain(some, pools, players):
                continue
            for index, row in enumerate(some, start):
                why = self._row(row)
                if why:
                    yield index, why

    def _row(self, row: Row) -> str:
        names = _Numbers(self, row)
        try:
            if type(row.position) is not int or type(row.uid) is not str or type(row.kind) is not str:
                return "position, uid and kind are not a number and two texts"
            if len(row.uid) > _LONGEST:
                return f"uid has {len(row.uid)} characters, more than {_LONGEST}"
            event = decode(row, names)
            fields = encode(event, names)
        except RatingCoreError as error:
            return str(error)
        except UNREADABLE:
            return f"no {row.kind} has these fields" if row.kind in KINDS else f"there is no such kind: {row.kind!r}"
        for field, written, given in zip(Row._fields[3:], fields, row[3:], strict=True):
            if repr(written) != repr(given):  # 1, 1.0 and true are equal, and have different digests
                return f"{field} is not as an append writes it: {_shortened(given)}"
        self._remark(f"position {row.position}", partial(check_new, event))
        return ""

    def _remark(self, where: str, see: Callable[[], object]) -> None:
        """Adds a remark if `see` refuses a value that older versions accepted."""
        try:
            see()
        except BadValue as error:
            if len(self.remarks) < _REMARKS:
                self.remarks.append(f"{where}: {error}; an older version recorded it, and it is kept")

    def _is(self, number: object, kind: str) -> bool:
        return type(number) is int and number in self._ids[kind]

    def faults_of_segment(self, batch: Batch, names: Iterable[Name], segment: Segment) -> Iterator[str]:
        """All faults of a batch whose games are sealed; of each kind of fault, only the first game."""
        for given in self._without_plain(list(names)):
            if why := self.name(given):
                yield f"name {given.id}: {why}"
        if segment.pool not in self._ids["pool"]:
            yield f"position {segment.first}: {segment.pool} is not the id of a pool"
        a, b, share = segment.a, segment.b, segment.score
        wrong = {
            "it has a time that no event has": (segment.played < FIRST) | (segment.played > LAST),
            "its players have an id that is not a player's": ~(self._are_players(a) & self._are_players(b)),
            "a player plays against themselves": a == b,
            "its score is not a share from 0 to 1": ~((share >= 0.0) & (share <= 1.0) & ~np.signbit(share)),
            "its uid cannot be from a file": ~are_ids(segment.uid),
        }
        for why, places in wrong.items():
            if places.any():
                yield f"position {segment.first + int(places.argmax())}: {why}"
        if why := self.batch(batch):
            yield f"batch {batch.first} to {batch.last}: {why}"

    def _are_players(self, numbers: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Mask of the numbers that are ids of players."""
        if self._unmarked:
            fresh, self._unmarked = np.array(self._unmarked, np.object_), []
            fresh = fresh[(fresh > 0) & (fresh < _MARKED)].astype(np.int64)
            grown = np.zeros(max(int(fresh.max(initial=0)) + 1, len(self._marks)), np.bool_)
            grown[: len(self._marks)] = self._marks
            grown[fresh] = True
            self._marks = grown
        known = np.take(self._marks, numbers, mode="clip") & (numbers >= 0) & (numbers < len(self._marks))
        strangers = set(numbers[~known].tolist()) - self._ids["player"]
        return ~np.isin(numbers, list(strangers)) if strangers else np.ones(len(numbers), np.bool_)

    def faults(self, batch: Batch, names: Iterable[Name], rows: Sequence[Row]) -> Iterator[str]:
        """All faults of a batch, each in a sentence with its place."""
        for given in self._without_plain(list(names)):
            if why := self.name(given):
                yield f"name {given.id}: {why}"
        for index, why in self.rows(rows):
            yield f"position {rows[index].position}: {why}"
        if why := self.batch(batch):
            yield f"batch {batch.first} to {batch.last}: {why}"

    def row_at(self, position: int) -> Row:
        """The row at an earlier position, in this batch or in one before it."""
        first = self._rows[0].position
        if position >= first:
            return self._rows[position - first]
        return next(self._rows_at([position]))


class _Numbers:
    """Decoder and encoder that use ids as names and positions as uids, so that a valid row stays the same."""

    def __init__(self, validation: Validation, row: Row) -> None:
        self._validation = validation
        self._row = row

    def key(self, number: int) -> str:
        if type(number) is not int:
            raise BadValue(self._row.kind, number, "has no id of a name where one belongs")
        return f"name {number}"

    def fact(self, number: int) -> str:
        self.key(number)
        return _FactToken(number)

    def uid(self, position: int) -> str:
        if type(position) is not int or not 0 < position < self._row.position:
            raise BadValue(self._row.kind, position, "refers to something not before it")
        return f"position {position}"

    def target(self, uid: str) -> Row:
        return self._validation.row_at(_number(uid))

    def pool(self, key: str) -> int:
        return self._id("pool", key)

    def player(self, key: str) -> int:
        return self._id("player", key)

    def note(self, key: str) -> int:
        return self._id("note", key)

    def stated(self, field: str, value: Fact) -> Stored:
        """The id of a fact that this row states, or the fact itself, which older versions kept in the row."""
        if not isinstance(value, _FactToken):
            return value
        number = self._id("fact", value)
        states = self._validation._unstated.pop(number, (0, ""))
        if states not in (None, (self._row.position, field)):
            raise BadValue(field, number, "is the id of a fact that another event states")
        return [number]

    def called(self, key: str) -> Called:
        """The id that a row was decoded from, or the text of a free field, which older versions kept."""
        return [self._id("called", key)] if _TOKEN.fullmatch(key) else key

    def labelled(self, label: str) -> None:
        """Returns None: erased names have ids like any others."""

    def _id(self, kind: str, key: str) -> int:
        number = _number(key)
        if not self._validation._is(number, kind):
            raise BadValue(kind, number, f"is not the id of a {kind}")
        return number


class _FactToken(str):
    """Placeholder for a fact of a player, different from every text of an older row."""

    __slots__ = ()

    def __new__(cls, number: int) -> Self:
        """The placeholder of an id."""
        return super().__new__(cls, f"fact {number}")


def _number(token: str) -> int:
    return int(token.rpartition(" ")[2])


_TYPES: tuple[set[type], ...] = (
    {int}, {str}, {str}, {int}, {int}, {int}, {int}, {int}, {float}, {type(None)}, {str, type(None)},
)  # fmt: skip
"""Types of the cells of a game; not `isinstance`, since `True` is an `int` that has another digest."""


def _are_plain(rows: Sequence[Row], pools: set[int], players: set[int]) -> bool:
    """True if all rows are ordinary games, as nearly all are; checking them together is quick."""
    columns: Any = list(zip(*rows, strict=True))
    if not all(set(map(type, column)) <= types for column, types in zip(columns, _TYPES, strict=True)):
        return False
    _, uid, kind, pool, played, order, a, b, score, _, data = columns
    uids, share = "".join(uid), np.array(score)
    return (
        set(kind) == {"game"}
        and uids.isascii() and uids.isprintable() and not any(map(str.isspace, uid))
        and min(map(len, uid)) > 0 and max(map(len, uid)) <= _SHORT
        and pools.issuperset(pool)
        and min(played) >= FIRST and max(played) <= LAST
        and min(order) >= -(2**31) and max(order) < 2**31
        and players.issuperset(a) and players.issuperset(b) and not any(map(eq, a, b))
        and bool(((share >= 0.0) & (share <= 1.0) & ~np.signbit(share)).all())
        and all(facts is None or (len(facts) <= _SHORT and _plain_data(facts)) for facts in set(data))
    )  # fmt: skip


def _are_plain_players(names: Sequence[Name]) -> bool:
    """True if all names are ordinary names of players, as nearly all are."""
    columns: Any = list(zip(*names, strict=True))
    types: tuple[type, ...] = (int, str, str, str, str, int)
    if not all(set(map(type, column)) == {kind} for column, kind in zip(columns, types, strict=True)):
        return False
    _, _, keys, salts, digests, _ = columns
    salt, digest = "".join(salts), "".join(digests).encode(errors="replace")
    return (
        are_plain(keys) and salt.isascii() and "\0" not in salt
        and set(map(len, digests)) == {64} and not digest.translate(None, b"0123456789abcdef")
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _plain_data(data: str) -> bool:
    """True if `data` holds further facts of a game exactly as an append writes them."""
    try:
        facts = json.loads(data)
        event = GamePlayed(uid="g", pool="p", played=0, a="a", b="b", score=1.0, data=facts)
        return bool(event.data) and json_of(event.data) == data
    except (RatingCoreError, *UNREADABLE):
        return False


def _unnameable(kind: str, key: object) -> str:
    """The fault of the key of a name, by the rules of every version."""
    try:
        if kind == "fact":
            return "" if _is_fact(key) else f"a fact of a player is not as an append writes it: {_shortened(key)}"
        read = text(key, kind)
        if not read:
            return f"a {kind} has no name"
        if kind in ("pool", "player", "called"):
            nameable(read, kind)
            if len(read) > _LONGEST:
                return f"the name of a {kind} has {len(read)} characters, more than {_LONGEST}"
            if name(read) != read:
                return f"the name of a {kind} is not in Unicode form NFC: {read!r}"
    except BadValue as error:
        return str(error)
    return ""


def _is_fact(key: object) -> bool:
    """True if the key of a fact has the form that an append writes."""
    try:
        position, field, value = json.loads(text(key, "fact"))
        checked_facts({field: value})
        return type(position) is int and value is not None and fact_key(position, field, value) == key
    except (RatingCoreError, *UNREADABLE):
        return False


def _unsalted(given: Name) -> str:
    """The fault of the salt of a name."""
    try:
        text(given.salt, "salt")
    except BadValue:
        return f"the salt of name {given.id} is not text: {_shortened(given.salt)}"
    return ""


def _shortened(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:60]}... ({len(shown)} characters)"
