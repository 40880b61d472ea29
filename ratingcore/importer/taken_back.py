"""Finds events that are void because their whole source was taken back, as by the undo of an import."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import cached_property

from attrs import frozen

from ratingcore.events import Row
from ratingcore.log import Log
from ratingcore.log.chain import Batch, is_taken_back
from ratingcore.log.derived_uids import Identity, is_given
from ratingcore.log.lookup import corrections_of


@frozen
class TakenBack:
    """Events that are void because their whole source was taken back.

    An event that was voided by itself is not among them: it stays void, whatever file is imported.

    Parameters
    ----------
    voids : dict of int to tuple of Row
        By position of an event, the voids against it.
    since : dict of int to int
        By position of an event, the first position of the batch that took it back last.
    """

    voids: dict[int, tuple[Row, ...]]
    since: dict[int, int]

    @classmethod
    def of(cls, log: Log) -> "TakenBack":
        """The events taken back in a log."""
        void = corrections_of(log).void
        against: dict[int, list[tuple[Row, bool]]] = defaultdict(list)
        since = dict[int, int]()
        batch: Batch | None = None
        for row in log.rows(0, None, ("void",)) if void else ():
            if row.ref not in void or row.position in void or row.ref is None:
                continue
            if batch is None or row.position > batch.last:
                batch = next(log.batches(row.position - 1))
            whole = batch.source is not None and is_taken_back(log.book.key(batch.source))
            against[row.ref].append((row, whole))
            since[row.ref] = batch.first
        every = {at: some for at, some in against.items() if all(whole for _, whole in some)}
        return cls({at: tuple(row for row, _ in some) for at, some in every.items()}, since)

    @cached_property
    def uids(self) -> frozenset[str]:
        """Uids of the voids."""
        return frozenset(row.uid for some in self.voids.values() for row in some)

    def last(self, rows: Collection[Row]) -> list[Row]:
        """Returns those of some events that were taken back last, if one file was imported several times."""
        last = max((self.since[row.position] for row in rows), default=0)
        return sorted(row for row in rows if self.since[row.position] == last)

    def without_earlier(self, rows: Iterable[Row]) -> list[Row]:
        """Returns events without those whose place a later import filled with others, because they have no id."""
        places = defaultdict[Identity | int, list[Row]](list)
        for row in rows:
            places[row.position if is_given(row.uid) else Identity.of(row)].append(row)
        left = list[Row]()
        for some in places.values():
            there = [row for row in some if row.position not in self.voids]
            left += there or self.last(some)
        return sorted(left)
