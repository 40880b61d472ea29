"""Fields of players, from their descriptions: columns that are read once and then grow with the log."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from math import nan

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Ints, Need, frozen_array
from ratingcore.columns.log_history import FactBook, LogHistory
from ratingcore.columns.result_fields import Value, as_number
from ratingcore.errors import BadField, MissingField
from ratingcore.events import Instant, Row
from ratingcore.events.corrections import Corrections, rooted
from ratingcore.events.player_facts import with_facts
from ratingcore.gc_pause import uncollected


@frozen(eq=False)
class PlayerFields:
    """Descriptions of players in all pools, as seen by one reader, in order of (played, position).

    Parameters
    ----------
    position, played : (n,) int64
    pool, player : (n,) int32
        Ids, after merges.
    called : (n,) int32
        Id of the visible name of the player, 0 where a description gives none.
    codes : mapping of str to (n,) int32
        By field, the number of its value in each description, 0 where absent.
    values : mapping of str to sequence
        The values of each field; number 1 is the first.
    """

    position: NDArray[np.int64]
    played: NDArray[np.int64]
    pool: NDArray[np.int32]
    player: NDArray[np.int32]
    called: NDArray[np.int32]
    codes: Mapping[str, NDArray[np.int32]]
    values: Mapping[str, Sequence[Value]]

    def __len__(self) -> int:
        return len(self.position)

    @cached_property
    def called_by_player(self) -> dict[int, int]:
        """Id of the visible name of each player, by player id; the latest name counts, from any pool."""
        named = np.flatnonzero(self.called)
        return dict(zip(self.player[named].tolist(), self.called[named].tolist(), strict=True))

    def labels(self, name: str, of: "Described") -> tuple[Ints, tuple[Value, ...]]:
        """A field as a code per player, -1 where absent, and its values in the order in which they were first given.

        The last description of a player counts.
        """
        row, code = self._described(name, of)
        used, first = np.unique(code, return_index=True)
        numbers, labels = np.zeros(int(used.max(initial=0)) + 1, dtype=np.int64), dict[Value, int]()
        for number in used[np.argsort(first)].tolist():
            numbers[number] = labels.setdefault(self.values[name][number - 1], len(labels))
        codes = np.full(of.players, -1)
        codes[row] = numbers[code]  # the last assignment wins
        return codes, tuple(labels)

    def column(self, need: Need, of: "Described", method: str, names: Callable[[int], str]) -> Floats:
        """A needed field as numbers aligned with the rows of the state; the last description of a player counts.

        Raises
        ------
        MissingField
            If a player lacks the field and the need has no default.
        BadField
            If the need cannot read a value.
        """
        row, code = self._described(need.name, of)
        last = np.zeros(of.players, dtype=np.int32)
        last[row] = code
        players, first = np.unique(row, return_index=True)
        players = players[np.argsort(first)]  # labels are numbered in the order in which players were first described
        column = np.full(of.players, nan if need.default is None else need.default)
        used, first = np.unique(last[players], return_index=True)
        numbers, labels = np.zeros(int(used.max(initial=0)) + 1), dict[Value, int]()
        for number, at in sorted(zip(used.tolist(), first.tolist(), strict=True), key=lambda pair: pair[1]):
            value = self.values[need.name][number - 1]
            try:
                numbers[number] = as_number(need, labels.setdefault(value, len(labels) + 1), value)
            except ValueError as error:
                raise BadField(method, need.name, value, f"player {names(int(players[at]))}", str(error)) from None
        column[players] = numbers[last[players]]
        if need.default is None and len(players) < of.players:
            raise MissingField(method, need.name, "player", f"player {names(int(np.argmin(last > 0)))}")
        return frozen_array(column)

    def _described(self, name: str, of: "Described") -> tuple[Ints, NDArray[np.int32]]:
        """Row of the state and code of the value, for every description in the cut that has this field."""
        if name not in self.codes:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int32)
        code = self.codes[name]
        here = np.flatnonzero((code > 0) & (self.pool == of.pool) & (self.played <= of.through))
        here = here[self.player[here] < len(of.row_of)]
        row = of.row_of[self.player[here]]
        seen = (row >= 0) & (row < of.players)
        return row[seen], code[here[seen]]


@frozen(eq=False)
class Described:
    """The pool, cut and players of a view, for which descriptions are read.

    Parameters
    ----------
    pool : int
        Id of the pool.
    through : int
        Last instant from which descriptions count.
    row_of : (ids,) int32
        Row of the state by id of the player, -1 for those who have not appeared.
    players : int
        Number of rows of the state.
    """

    pool: int
    through: Instant
    row_of: NDArray[np.int32]
    players: int


class PlayerBook:
    """Descriptions of all players of a log, as they were recorded and as recent readers see them.

    A reader who sees the same descriptions as a recent one gets the same columns. Threads may share a book:
    while one of them reads, the others wait.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._begin(set())

    def _begin(self, erased: set[int]) -> None:
        """Forgets everything read, so that the next read leaves out erased facts."""
        self._erased = erased
        self._values: dict[str, list[Value]] = {}
        self._numbers: dict[str, dict[object, int]] = {}
        self._recorded = self._columns(())
        self._to = 0
        self._kept: list[tuple[int, Corrections, PlayerFields]] = []

    def read(self, log: LogHistory, names: FactBook, known_at: int, corrections: Corrections) -> PlayerFields:
        """The descriptions as seen by a reader of the first events.

        Parameters
        ----------
        log : LogHistory
        names : FactBook
            The names of the log as they are now.
        known_at : int
            Number of events the reader knows.
        corrections : Corrections
            The corrections that the reader knows.
        """
        with self._lock:
            erased = names.erased
            if erased is not self._erased and erased != self._erased:
                self._begin(erased)
            if self._to < known_at:
                with uncollected():
                    rows = log.rows(self._to, known_at, ("player",))
                    self._recorded = _joined(self._recorded, self._columns(with_facts(rows, names.facts)))
                self._to = known_at
            n = int(np.searchsorted(self._recorded.position, known_at, "right"))
            for count, known, fields in self._kept:
                if count == n and (known is corrections or self._read_alike(known, corrections)):
                    return fields
            fields = self._read(log, names, _part(self._recorded, slice(n)), corrections)
            self._kept = [(n, corrections, fields), *self._kept[: _KEPT - 1]]
            return fields

    def _read_alike(self, one: Corrections, other: Corrections) -> bool:
        """True if two readers with these corrections see the same descriptions."""
        return one.roots == other.roots and not len(self._among(one.touched(other)))

    def _among(self, positions: Iterable[int]) -> Ints:
        """Places of the descriptions among some positions."""
        return np.flatnonzero(np.isin(self._recorded.position, np.fromiter(positions, np.int64)))

    def _read(self, log: LogHistory, names: FactBook, recorded: PlayerFields, corrections: Corrections) -> PlayerFields:
        other = self._among(corrections.void | corrections.changes.keys())
        other = other[other < len(recorded)]
        fields = recorded
        if len(other):
            stays = np.ones(len(recorded), dtype=np.bool_)
            stays[other] = False
            now = filter(None, map(corrections.read, log.rows_at(recorded.position[other].tolist())))
            fields = _joined(_part(recorded, stays), self._columns(with_facts(now, names.facts)))
        fields = evolve(fields, player=rooted(fields.player, corrections.roots))
        if (np.diff(fields.played) < 0).any() or len(other):
            fields = _part(fields, np.lexsort((fields.position, fields.played)))
        return fields

    def _columns(self, described: Iterable[tuple[Row, dict[str, object]]]) -> PlayerFields:
        """Descriptions and their facts as columns, in their order."""
        head: list[tuple[int, int, int, int, int]] = []
        codes: dict[str, tuple[list[int], list[int]]] = {}
        for row, facts in described:
            called = facts.get("called")
            who = row.position, row.played or 0, row.pool or 0, row.a or 0
            for name, value in facts.items():
                if isinstance(value, str | int | float):
                    at, code = codes.setdefault(name, ([], []))
                    at.append(len(head))
                    code.append(self._number(name, value))
            head.append((*who, called[0] if isinstance(called, list) else 0))
        columns = np.array(head, dtype=np.int64).reshape(-1, 5).T
        fields = {name: np.zeros(len(head), dtype=np.int32) for name in codes}
        for name, (at, code) in codes.items():
            fields[name][at] = code
        pool, player, called = columns[2:].astype(np.int32)
        return PlayerFields(
            np.ascontiguousarray(columns[0]),
            np.ascontiguousarray(columns[1]),
            pool,
            player,
            called,
            fields,
            self._values,
        )

    def _number(self, name: str, value: Value) -> int:
        """The number of a value; 1, 1.0 and True get three numbers, since words may distinguish them."""
        numbers = self._numbers.setdefault(name, {})
        key = value if isinstance(value, str) else (type(value), value)
        if key not in numbers:
            numbers[key] = len(numbers) + 1
            self._values.setdefault(name, []).append(value)
        return numbers[key]


_KEPT = 2
"""Number of readers whose descriptions are kept: the current one, and an earlier one."""


def _part(fields: PlayerFields, which: slice | Ints | NDArray[np.bool_]) -> PlayerFields:
    """Some of the descriptions: a slice, a mask or indices."""
    return PlayerFields(
        fields.position[which], fields.played[which], fields.pool[which], fields.player[which], fields.called[which],
        {name: code[which] for name, code in fields.codes.items()}, fields.values,
    )  # fmt: skip


def _joined(one: PlayerFields, other: PlayerFields) -> PlayerFields:
    """The descriptions of one table, followed by those of another."""
    if not len(other):
        return one

    both, names = (one, other), sorted(one.codes.keys() | other.codes.keys())
    zeros = [np.zeros(len(fields), dtype=np.int32) for fields in both]
    return PlayerFields(
        np.concatenate([fields.position for fields in both]),
        np.concatenate([fields.played for fields in both]),
        np.concatenate([fields.pool for fields in both]),
        np.concatenate([fields.player for fields in both]),
        np.concatenate([fields.called for fields in both]),
        {
            name: np.concatenate([f.codes.get(name, zero) for f, zero in zip(both, zeros, strict=True)])
            for name in names
        },
        one.values,
    )
