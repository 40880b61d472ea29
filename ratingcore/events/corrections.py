"""Resolves corrections: how each event reads once all corrections are known, or after each of them."""

import json
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from ratingcore.events import CORRECTIONS, Row, canonical

_COLUMNS = ("pool", "played", "order", "a", "b", "score")


@frozen
class Corrections:
    """The corrections among a log's first events, resolved.

    Parameters
    ----------
    void : frozenset of int
        Positions of results, seeds and descriptions that count as never recorded.
    changes : mapping of int to mapping
        Amended fields and their new values, by position; of several amendments of a field the latest counts.
    roots : mapping of int to int
        Id of the player as whom a merged player counts.
    said : frozenset of int
        Positions of the corrections themselves.
    """

    void: frozenset[int] = frozenset()
    changes: Mapping[int, Mapping[str, Any]] = field(factory=dict)
    roots: Mapping[int, int] = field(factory=dict)
    said: frozenset[int] = field(default=frozenset(), eq=False, repr=False)

    @classmethod
    def of(cls, rows: Iterable[Row]) -> "Corrections":
        """Resolves the corrections among rows in order of position.

        A correction that a later one took back has no effect. A void takes back the event it refers to, a result or a
        correction; an unmerge takes back a merge.
        """
        said = [row for row in rows if row.kind in CORRECTIONS]
        taken_back: set[int] = set()
        for row in reversed(said):
            if row.kind in {"void", "unmerge"} and row.position not in taken_back and row.ref is not None:
                taken_back.add(row.ref)
        changes: dict[int, dict[str, Any]] = {}
        groups = Groups()
        for row in said:
            if row.position in taken_back:
                continue
            if row.kind == "amend" and row.ref is not None:
                changes.setdefault(row.ref, {}).update(row.facts["set"])
            elif row.kind == "merge" and row.a is not None and row.b is not None:
                groups.merge(row.a, row.b)
        void = frozenset(taken_back)
        changed = {at: fields for at, fields in changes.items() if at not in void}
        return cls(void, changed, groups.roots(), frozenset(row.position for row in said))

    def then(self, rows: Sequence[Row]) -> "Corrections | None":
        """These corrections and the ones that came next; None if one of those refers to a correction.

        In that case all must be resolved anew by `of`. Otherwise this takes a fraction of the time.
        """
        said = self.said.union(row.position for row in rows)
        if not said.isdisjoint(row.ref for row in rows if row.ref is not None):
            return None
        void = self.void.union(row.ref for row in rows if row.kind == "void" and row.ref is not None)
        changes = dict(self.changes)
        for row in rows:
            if row.kind == "amend" and row.ref is not None:
                changes[row.ref] = {**changes.get(row.ref, {}), **row.facts["set"]}
        for at in void & changes.keys():
            del changes[at]
        return Corrections(void, changes, self._merged(rows), said)

    def _merged(self, rows: Sequence[Row]) -> Mapping[int, int]:
        """The player as whom each player counts after further merges."""
        merges = [(row.a, row.b) for row in rows if row.kind == "merge"]
        if not merges:
            return self.roots
        groups = Groups()
        for player, root in self.roots.items():
            groups.merge(root, player)
        for keep, other in merges:
            assert keep is not None, rows
            assert other is not None, rows
            groups.merge(keep, other)
        return groups.roots()

    def touched(self, other: "Corrections") -> set[int]:
        """Returns the positions of events that these and other corrections change in different ways."""
        amended = self.changes.keys() | other.changes.keys()
        differs = {at for at in amended if self.changes.get(at) != other.changes.get(at)}
        return differs | (self.void ^ other.void)

    def moved(self, other: "Corrections") -> set[int]:
        """Returns the players whom these and other corrections merge into different players."""
        players = self.roots.keys() | other.roots.keys()
        return {player for player in players if self.root(player) != other.root(player)}

    def root(self, player: int) -> int:
        """The player as whom a player counts."""
        return self.roots.get(player, player)

    def read(self, row: Row) -> Row | None:
        """The row as it reads now; None if it counts as never recorded."""
        if row.position in self.void:
            return None
        changed = self.changes.get(row.position)
        return amended(row, changed) if changed else row


class Groups:
    """Players who count as one, with merges taken in one after another.

    The smaller group moves into the larger one, regardless of which name is kept: a chain of merges costs n log n.
    """

    def __init__(self) -> None:
        self._group: dict[int, _Group] = {}

    def merge(self, keep: int, other: int) -> int | None:
        """From here on `other`, and all who count as `other`, count as `keep`.

        Returns the player as whom `other` counted until then; None if they were one already.
        """
        kept, moved = (self._group.setdefault(player, _Group(player, [player])) for player in (keep, other))
        if kept is moved:
            return None
        was, root = moved.root, kept.root
        small, large = (moved, kept) if len(moved.members) <= len(kept.members) else (kept, moved)
        large.members += small.members
        large.root = root
        self._group |= dict.fromkeys(small.members, large)
        return was

    def root(self, player: int) -> int:
        """The player as whom a player counts."""
        group = self._group.get(player)
        return player if group is None else group.root

    def roots(self) -> dict[int, int]:
        """The player as whom each other player counts, for those who count as another."""
        return {player: group.root for player, group in self._group.items() if player != group.root}


def rooted(players: NDArray[Any], roots: Mapping[int, int]) -> NDArray[Any]:
    """Replaces ids of players by the ids of the players as whom they count."""
    if not roots or not len(players):
        return players
    root: NDArray[Any] = np.arange(max(int(players.max()), *roots) + 1, dtype=players.dtype)
    root[list(roots)] = list(roots.values())
    return root[players]  # type: ignore[no-any-return]  # of an index array


@define(eq=False)
class _Group:
    """Players who count as one of them."""

    root: int
    members: list[int]


def amended(row: Row, changed: Mapping[str, Any]) -> Row:
    """Returns the row with amended fields; the value None removes a field."""
    typed = {key: changed[key] for key in _COLUMNS if key in changed}
    if "player" in changed:
        typed["a"] = changed["player"]
    free = {key: value for key, value in changed.items() if key not in _COLUMNS and key != "player"}
    if free:
        facts = (json.loads(row.data) if row.data else {}) | free
        kept = {key: value for key, value in facts.items() if value is not None}
        typed["data"] = canonical(kept) if kept else None
    return row._replace(**typed)


TAKING_BACK = frozenset({"void", "unmerge"})
"""Kinds of corrections that take back the event they refer to."""


class Succession:
    """Tracks which events and corrections are in force, as corrections are taken in one after another.

    A correction is in force unless another one in force takes it back. The corrections that may ever come are
    given beforehand: a void that only one other takes back always switches with it. So a chain of voids, each of
    the one before, switches in one step, however long it is.

    Parameters
    ----------
    rows : sequence of Row
        All corrections that will be taken in, in order of position.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = {row.position: row for row in rows}
        self._takers = Counter(row.ref for row in rows if row.kind in TAKING_BACK)
        self._chain: dict[int, tuple[Row, bool]] = {}
        self._against: Counter[int] = Counter()

    def take(self, row: Row) -> Iterator[tuple[int, bool]]:
        """Takes in a correction; yields the positions whose state it switched, and whether each is in force, its own
        first.

        Voids in the middle of a chain are left out.
        """
        self._chain[row.position] = self._begin(row)
        yield row.position, True
        at: Row | None = row
        stands = True
        while at is not None and at.kind in TAKING_BACK and at.ref is not None:
            begin, other = self._chain[at.position]
            assert begin.ref is not None
            before = self._against[begin.ref]
            self._against[begin.ref] = now = before + (1 if stands != other else -1)
            if (before == 0) == (now == 0):
                return
            stands = now == 0
            yield begin.ref, stands
            at = self._rows.get(begin.ref)

    def _begin(self, row: Row) -> tuple[Row, bool]:
        """Returns the first void of the chain that switches with this one, and whether the two have opposite states."""
        before = None if row.ref is None else self._rows.get(row.ref)
        if row.kind not in TAKING_BACK or before is None or before.kind not in TAKING_BACK:
            return row, False
        if self._takers[row.ref] > 1:
            return row, False
        begin, other = self._chain[before.position]
        return begin, not other


def readings(event: Row, rows: Sequence[Row]) -> Iterator[Row | None]:
    """How an event reads after each of its corrections, in order; None where it counts as never recorded.

    The same as `Corrections.of` of the first 1, 2, 3, ... rows, in work that grows with their number.
    """
    succession = Succession(rows)
    amendments = {row.position: row.facts["set"] for row in rows if row.kind == "amend"}
    standing: dict[str, list[int]] = {}
    """Positions of the amendments in force, by field: the last one counts."""
    void = False
    for row in rows:
        for position, stands in succession.take(row):
            if position == event.position:
                void = not stands
            for name in amendments.get(position, ()):
                places = standing.setdefault(name, [])
                if stands:
                    insort(places, position)
                else:
                    del places[bisect_left(places, position)]
        changed: dict[str, Any] = {name: amendments[at[-1]][name] for name, at in standing.items() if at}
        yield None if void else amended(event, changed) if changed else event
