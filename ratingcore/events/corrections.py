"""Resolves corrections: how events read after all corrections, or after each of them."""

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

        A correction that a later one takes back has no effect. A void takes back the event it refers to, which may be a
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
        """Returns these corrections with further ones after them; None if a further one refers to a correction.

        In that case `of` must resolve all corrections anew; otherwise this takes a fraction of its time.
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
        """Returns the players that these corrections and others merge into different players."""
        players = self.roots.keys() | other.roots.keys()
        return {player for player in players if self.root(player) != other.root(player)}

    def root(self, player: int) -> int:
        """Returns the player that a player is merged into; a player who is not merged is their own root."""
        return self.roots.get(player, player)

    def read(self, row: Row) -> Row | None:
        """Returns a row as it reads after the corrections; None if it counts as never recorded."""
        if row.position in self.void:
            return None
        changed = self.changes.get(row.position)
        return amended(row, changed) if changed else row


class Groups:
    """Groups of players merged into one, built merge by merge.

    The smaller group moves into the larger one, whichever name is kept, so that n merges cost n log n.
    """

    def __init__(self) -> None:
        self._group: dict[int, _Group] = {}

    def merge(self, keep: int, other: int) -> int | None:
        """Merges the group of `other` into the group of `keep`.

        Returns the root of `other` before that; None if both were in one group already.
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
        kept = {key: value for key, value in facts.items() if value is not None}
        typed["data"] = canonical(kept) if kept else None
    return row._replace(**typed)


TAKING_BACK = frozenset({"void", "unmerge"})
"""Kinds of corrections that take back the event they refer to."""


class Succession:
    """Tracks which events and corrections are in force while corrections are added one by one.

    A correction is in force unless another one in force takes it back. All corrections are given beforehand: if only
    one of them takes back a void, the two always switch together. So a chain of voids, each of which takes back the
    one before, switches in one step, however long it is.

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
        """Returns the first void of the chain of a correction, and whether the two have opposite states."""
        before = None if row.ref is None else self._rows.get(row.ref)
        if row.kind not in TAKING_BACK or before is None or before.kind not in TAKING_BACK:
            return row, False
        if self._takers[row.ref] > 1:
            return row, False
        begin, other = self._chain[before.position]
        return begin, not other


def readings(event: Row, rows: Sequence[Row]) -> Iterator[Row | None]:
    """Yields how an event reads after each of its corrections, in order; None if it counts as never recorded.

    This equals `Corrections.of` of the first 1, 2, 3, ... rows, but the work only grows with their number.
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
