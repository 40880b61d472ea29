"""Corrections taken in one after another: what stands after each of them, and how an event then reads."""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ratingcore.events.corrections import amended
from ratingcore.events.rows import Row

TAKING_BACK = frozenset({"void", "unmerge"})
"""Kinds of corrections that take back what they speak about."""


class Succession:
    """Which events and corrections stand, as corrections are taken in one after another.

    A correction stands unless one that stands takes it back. Only the corrections that may ever come are given
    beforehand: a void that a single other one takes back always turns over with it, so that a chain of voids, each of
    the one before, turns over in one step however long it is.

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
        """Takes in a correction; yields positions that turned over, and whether they stand now, its own first.

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
        """The first void of the chain that turns over with this one, and whether it stands when this one does not."""
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
    """Amendments of each field that stand, by position: the last one counts."""
    void = False
    for row in rows:
        for position, stands in succession.take(row):
            if position == event.position:
                void = not stands
            for field in amendments.get(position, ()):
                places = standing.setdefault(field, [])
                if stands:
                    insort(places, position)
                else:
                    del places[bisect_left(places, position)]
        changed: dict[str, Any] = {field: amendments[at[-1]][field] for field, at in standing.items() if at}
        yield None if void else amended(event, changed) if changed else event
