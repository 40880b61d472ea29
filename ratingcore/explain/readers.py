"""Two readers of a log, one of whom knows events that the other does not: whom those events move, in which pool."""

from collections.abc import Iterable

from attrs import field, frozen

from ratingcore.columns import FOREVER
from ratingcore.errors import SeveralPools
from ratingcore.events import Instant, Row
from ratingcore.events.corrections import Corrections
from ratingcore.explain.impact import Impact
from ratingcore.lists.people import People
from ratingcore.log import Log
from ratingcore.methods import Method
from ratingcore.methods.text import identity
from ratingcore.replay import Columns, Standing, stand


@frozen
class Reader:
    """A log, its columns, and how many of its events are known."""

    log: Log
    columns: Columns
    known_at: int
    corrections: Corrections = field()

    @corrections.default
    def _resolved(self) -> Corrections:
        return self.log.corrections(self.known_at)

    def standing(self, pool: str, method: Method, through: Instant) -> Standing | None:
        """Where players stand in a pool; None if the log does not know the pool."""
        number = self.log.id_of("pool", pool)
        if number is None:
            return None
        view = self.columns.view(number, through, self.known_at)
        return stand(method, view, self.columns.checkpoints_of(view))

    def pools_of(self, row: Row) -> set[int]:
        """Pools in which a row counts, by id: of a merge, those where the merged record has results of its own."""
        if row.kind != "merge":
            read = self.corrections.read(row) if row.position <= self.known_at else None
            return set() if read is None or read.pool is None else {read.pool}
        assert row.a is not None, row
        assert row.b is not None, row
        other = self.corrections.root(row.b)
        if other == self.corrections.root(row.a):
            return set()
        numbers = (self.log.number_of("pool", pool) for pool in self.log.keys_of("pool"))
        known = ((pool, self.columns.view(pool, FOREVER, self.known_at)) for pool in numbers)
        return {pool for pool, view in known if (view.timeline.players.id == other).any()}


@frozen
class Effect:
    """What some events do to ratings, asked of a method.

    Parameters
    ----------
    what : str
        What the events are called.
    pool : str or None
        The one that is asked about; None for the one that the events concern.
    method : Method
    through : int
        Last instant of played time that counts.
    """

    what: str
    pool: str | None
    method: Method
    through: Instant

    def none(self, log: Log, why: str) -> Impact:
        """Nobody can have moved, and why; `UnknownName` if the log does not know the pool."""
        if self.pool is not None:
            log.number_of("pool", self.pool)
        return Impact.none(self.what, self.pool or "", identity(self.method), why)

    def between(self, rows: Iterable[Row], without: Reader, with_it: Reader) -> Impact:
        """The ratings of a reader who knows the rows beside those of one who does not.

        Raises
        ------
        SeveralPools
            If the rows concern several pools and none is asked about.
        """
        log = with_it.log
        about = _targets(log, rows)
        pools = {pool for row in about for reader in (without, with_it) for pool in reader.pools_of(row)}
        keys = [log.names_book.key(number) for number in sorted(pools)]
        if not keys:
            return self.none(log, "nothing counts in another way with it; what it speaks about may be voided already")
        if self.pool is None and len(keys) > 1:
            raise SeveralPools(self.what, tuple(keys))
        chosen = keys[0] if self.pool is None else log.names_book.key(log.number_of("pool", self.pool))
        if chosen not in keys:
            return self.none(log, f"it concerns pool {', '.join(keys)}")
        before, after = (reader.standing(chosen, self.method, self.through) for reader in (without, with_it))
        return Impact.between(self.what, chosen, before, after, People(log.names_book).keys)


def _targets(log: Log, rows: Iterable[Row]) -> list[Row]:
    """The events that corrections are about in the end, each once."""
    found: list[Row] = []
    given = list(rows)
    while given:
        found += [row for row in given if row.ref is None]
        given = list(log.rows_at(sorted({row.ref for row in given if row.ref is not None})))
    return found
