"""Corrections resolved: the content of events after all corrections of a log, or after each of them."""

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
    """The combined effect of the corrections among a log's first events.

    Parameters
    ----------
    void : frozenset of int
        Positions of events that count as never recorded.
    changes : mapping of int to mapping
        By position, the amended fields and their new values; the latest amendment of a field counts.
    roots : mapping of int to int
        By id of a merged player, the id of the player for whom their results count.
    positions : frozenset of int
        Positions of the corrections themselves.
    """

    void: frozenset[int] = frozenset()
    changes: Mapping[int, Mapping[str, Any]] = field(factory=dict)
    roots: Mapping[int, int] = field(factory=dict)
    positions: frozenset[int] = field(default=frozenset(), eq=False, repr=False)

    @classmethod
    def of(cls, rows: Iterable[Row]) -> "Corrections":
        """Resolves the corrections among rows in order of position.

        A correction that a later one takes back has no effect. A void takes back the event it refers to, which may be a
        correction; an unmerge takes back a merge.
        """
        corrections = [row for row in rows if row.kind in CORRECTIONS]
        taken_back: set[int] = set()
        for row in reversed(corrections):
            if row.kind in {"void", "unmerge"} and row.position not in taken_back and row.ref is not None:
                taken_back.add(row.ref)
        changes: dict[int, dict[str, Any]] = {}
        groups = Groups()
        for row in corrections:
            if row.position in taken_back:
                continue
            if row.kind == "amend" and row.ref is not None:
                changes.setdefault(row.ref, {}).update(row.facts["set"])
            elif row.kind == "merge" and row.a is not None and row.b is not None:
                groups.merge(row.a, row.b)
        void = frozenset(taken_back)
        changed = {at: fields for at, fields in changes.items() if at not in void}
        return cls(void, changed, groups.roots(), frozenset(row.position for row in corrections))

    def then(self, rows: Sequence[Row]) -> "Corrections | None":
        """Returns these corrections with further ones after them; None if a further one refers to a correction.

        After None, `of` must resolve all corrections anew. This method takes a fraction of its time.
        """
        positions = self.positions.union(row.position for row in rows)
        if not positions.isdisjoint(row.ref for row in rows if row.ref is not None):
            return None
        void = self.void.union(row.ref for row in rows if row.kind == "void" and row.ref is not None)
        changes = dict(self.changes)
        for row in rows:
            if row.kind == "amend" and row.ref is not None:
                changes[row.ref] = {**changes.get(row.ref, {}), **row.facts["set"]}
        for at in void & changes.keys():
            del changes[at]
        return Corrections(void, changes, self._merged(rows), positions)

    def _merged(self, rows: Sequence[Row]) -> Mapping[int, int]:
        """Returns `roots` after further merges."""
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
        """Returns the players whose root differs between these and other corrections."""
        players = self.roots.keys() | other.roots.keys()
        return {player for player in players if self.root(player) != other.root(player)}

    def root(self, player: int) -> int:
        """Returns the player that a player is merged into; a player who is not merged is their own root."""
        return self.roots.get(player, player)

    def read(self, row: Row) -> Row | None:
        """Returns a row with the corrections applied; None if it counts as never recorded."""
        if row.position in self.void:
            return None
        changed = self.changes.get(row.position)
        return amended(row, changed) if changed else row


class Groups:
    """Groups of players merged into one, built merge by merge.

    Whichever name is kept, the smaller group is moved into the larger one, so n merges take n log n steps.
    """

    def __init__(self) -> None:
        self._group: dict[int, _Group] = {}

    def merge(self, keep: int, other: int) -> int | None:
        """Merges the group of `other` into the group of `keep`.

        Returns the previous root of `other`; None if both were already in one group.
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
        """Returns the player that a player is merged into; a player who is not merged is their own root."""
        group = self._group.get(player)
        return player if group is None else group.root

    def roots(self) -> dict[int, int]:
        """Returns the root of each player who is not their own root."""
        return {player: group.root for player, group in self._group.items() if player != group.root}


def rooted(players: NDArray[Any], roots: Mapping[int, int]) -> NDArray[Any]:
    """Replaces ids of players by the ids of their roots."""
    if not roots or not len(players):
        return players
    root: NDArray[Any] = np.arange(max(int(players.max()), *roots) + 1, dtype=players.dtype)
    root[list(roots)] = list(roots.values())
    return root[players]  # type: ignore[no-any-return]  # of an index array


@define(eq=False)
class _Group:
    """Players merged into one of them, the root."""

    root: int
    members: list[int]


def amended(row: Row, changed: Mapping[str, Any]) -> Row:
    """Returns a row with amended fields; the value None removes a field."""
    typed = {key: changed[key] for key in _COLUMNS if key in changed}
    if "player" in changed:
        typed["a"] = changed["player"]
    free = {key: value for key, value in changed.items() if key not in _COLUMNS and key != "player"}
    if free:
        facts = (json.loads(row.data) if row.data else {}) | free
        facts = {key: value for key, value in facts.items() if value is not None}
        typed["data"] = canonical(facts) if facts else None
    return row._replace(**typed)


TAKING_BACK = frozenset({"void", "unmerge"})
"""Kinds of corrections that take back the event they refer to."""


class Succession:
    """Tracks which events and corrections are in force while corrections are added one by one.

    A correction is in force unless another one in force takes it back. A chain of voids, each of which takes back the
    one before, is switched in one step, however long it is. For this, all corrections are given beforehand: a void and
    the only correction that takes it back always have opposite states.

    Parameters
    ----------
    rows : sequence of Row
        All corrections that will be added, in order of position.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = {row.position: row for row in rows}
        self._takers = Counter(row.ref for row in rows if row.kind in TAKING_BACK)
        self._chain: dict[int, tuple[Row, bool]] = {}
        self._against: Counter[int] = Counter()

    def take(self, row: Row) -> Iterator[tuple[int, bool]]:
        """Adds a correction; yields the positions whose state it switches, its own first, each with its new state.

        The state is True for a position in force. Voids within a chain are left out.
        """
        self._chain[row.position] = self._begin(row)
        yield row.position, True
        at: Row | None = row
        in_force = True
        while at is not None and at.kind in TAKING_BACK and at.ref is not None:
            begin, opposite = self._chain[at.position]
            assert begin.ref is not None
            before = self._against[begin.ref]
            self._against[begin.ref] = now = before + (1 if in_force != opposite else -1)
            if (before == 0) == (now == 0):
                return
            in_force = now == 0
            yield begin.ref, in_force
            at = self._rows.get(begin.ref)

    def _begin(self, row: Row) -> tuple[Row, bool]:
        """Returns the first void of the chain of a correction, and whether the two have opposite states."""
        before = None if row.ref is None else self._rows.get(row.ref)
        if row.kind not in TAKING_BACK or before is None or before.kind not in TAKING_BACK:
            return row, False
        if self._takers[row.ref] > 1:
            return row, False
        begin, opposite = self._chain[before.position]
        return begin, not opposite


def readings(event: Row, rows: Sequence[Row]) -> Iterator[Row | None]:
    """Yields an event as changed by the first 1, 2, 3, ... of its corrections; None if it counts as never recorded.

    The result is that of `Corrections.of` for each of these beginnings, but the work is linear in their number.
    """
    succession = Succession(rows)
    amendments = {row.position: row.facts["set"] for row in rows if row.kind == "amend"}
    by_field: dict[str, list[int]] = {}
    """Positions of the amendments in force, by field: the last one counts."""
    void = False
    for row in rows:
        for position, in_force in succession.take(row):
            if position == event.position:
                void = not in_force
            for name in amendments.get(position, ()):
                places = by_field.setdefault(name, [])
                if in_force:
                    insort(places, position)
                else:
                    del places[bisect_left(places, position)]
        changed: dict[str, Any] = {name: amendments[at[-1]][name] for name, at in by_field.items() if at}
        yield None if void else amended(event, changed) if changed else event
