"""Corrections resolved in one place: what each event reads as, once all that was said of it is known."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import define, field, frozen

from ratingcore.events import CORRECTIONS, Row, canonical

_COLUMNS = ("pool", "played", "order", "a", "b", "score")


@frozen
class Corrections:
    """What a reader of a log's first events knows about its corrections.

    Parameters
    ----------
    void : frozenset of int
        Positions of results, seeds and descriptions that count as never recorded.
    changes : mapping of int to mapping
        Fields that read otherwise, by position; later amendments stand.
    roots : mapping of int to int
        Id of the player as whom a merged player counts.
    """

    void: frozenset[int] = frozenset()
    changes: Mapping[int, Mapping[str, Any]] = field(factory=dict)
    roots: Mapping[int, int] = field(factory=dict)

    @classmethod
    def of(cls, rows: Iterable[Row]) -> "Corrections":
        """Resolve the corrections among rows in order of position.

        A correction that a later one took back says nothing. A void takes back what it speaks
        about, be it a result or a correction; an unmerge takes back a merge.
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
        return cls(void, {at: changed for at, changed in changes.items() if at not in void}, groups.roots())

    def touched(self, other: "Corrections") -> set[int]:
        """Positions that read otherwise under the one than under the other."""
        amended = self.changes.keys() | other.changes.keys()
        differs = {at for at in amended if self.changes.get(at) != other.changes.get(at)}
        return differs | (self.void ^ other.void)

    def moved(self, other: "Corrections") -> set[int]:
        """Players who count as someone else under the one than under the other."""
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
    """Players who count as one, as merges are taken in one after another.

    The smaller group is moved into the larger one, whichever keeps its name: a chain of merges costs n log n.
    """

    def __init__(self) -> None:
        self._group: dict[int, _Group] = {}

    def merge(self, keep: int, other: int) -> int | None:
        """`other`, and all who count as `other`, count as `keep` from here on.

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
        """The player as whom a player counts, of those who count as another."""
        return {player: group.root for player, group in self._group.items() if player != group.root}


@define(eq=False)
class _Group:
    """Players who count as one of them."""

    root: int
    members: list[int]


def amended(row: Row, changed: Mapping[str, Any]) -> Row:
    """The row with fields that read otherwise; None takes a field away."""
    typed = {key: changed[key] for key in _COLUMNS if key in changed}
    if "player" in changed:
        typed["a"] = changed["player"]
    free = {key: value for key, value in changed.items() if key not in _COLUMNS and key != "player"}
    if free:
        facts = (json.loads(row.data) if row.data else {}) | free
        kept = {key: value for key, value in facts.items() if value is not None}
        typed["data"] = canonical(kept) if kept else None
    return row._replace(**typed)
