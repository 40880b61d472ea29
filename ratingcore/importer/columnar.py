"""Imports games of a table by columns, for archives that are too large to make an event of every row.

The first rows go the ordinary way and give the log its names of pool and source; all others become rows of the log
without being events, in the same transaction. Uids, ids of names and lists are those that the ordinary way gives.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import tzinfo
from itertools import count
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ratingcore.columns.arrays import Ints
from ratingcore.errors import BadFile, BadValue
from ratingcore.events import PoolDeclared, canonical
from ratingcore.events.values import NO_ID
from ratingcore.importer.game_columns import ONCE, Part, fields_of, opened, parts_of
from ratingcore.importer.inputs import zone_of
from ratingcore.importer.many_names import ManyNames
from ratingcore.importer.report import ImportReport
from ratingcore.importer.rows import Import, import_rows, uncollected
from ratingcore.importer.settings import Settings
from ratingcore.log import Log, SqliteLog
from ratingcore.log.append import UidTaken, UidTwice
from ratingcore.log.chain import digest_of_texts
from ratingcore.log.facts import Batch, Name
from ratingcore.log.identity import Identity, Uids
from ratingcore.log.local_times import RESULTS, began_with_zone
from ratingcore.readers.arrow import is_frame
from ratingcore.replay.declared import MethodOf, declared, odd_results

_MOST_LATEST = 1_000_000
"""Games of the latest time whose uids are remembered."""


def import_columns(
    log: Log,
    method: MethodOf,
    path: object,
    pool: str,
    columns: Mapping[str, str] | None = None,
    progress: Callable[[int], None] = lambda read: None,
    zone: str | tzinfo | None = None,
) -> ImportReport:
    """Appends the games of a table of columns to a log in a file, as a pool that has no results there yet.

    Parameters
    ----------
    path : path or table
        A Parquet file, or whatever offers an Arrow stream.
    columns : mapping of str to str or None
        Names of the columns that hold `played`, `a`, `b`, `score` and `uid`, where they are called otherwise.
    progress : callable
        Called with the number of rows read.
    zone : str, tzinfo or None
        Zone of times that have none; that of the pool for None.

    Raises
    ------
    NoOffset
        If a time of day has no zone, none is said, and the pool has none.
    BadValue
        If the log is not in a file, or has results of the pool.
    BadFile, ColumnNotFound
        If the file cannot be read, or a row is no game, or none that the pool is declared to take: the row is named,
        and nothing of the file is written.
    NotInstalled
        If the extra `tables` is not there.
    """
    if not is_frame(path) and not isinstance(path, str | PathLike):
        raise BadValue("path", type(path).__name__, "is neither a Parquet file nor a table of columns")
    table, name = (Path(path), str(path)) if isinstance(path, str | PathLike) else (path, "table")
    source = Path(name).name
    if not isinstance(log, SqliteLog):
        raise BadValue("log", type(log).__name__, "is no log in a file; import the file with import_file")
    # one transaction: all of it or nothing
    with opened(table, name) as (schema, rows, batches), log.loading(), uncollected():
        before, declaration = log.head.position, _declared(log, pool)
        fields = fields_of(name, schema, columns or {})
        zone = zone_of((declaration.zone or None) if zone is None else zone)
        parts = parts_of(name, schema, batches, fields, zone, _began_with_zone(log, pool))
        first = next(parts, None)
        if first is not None and first.uids is not None and (there := log.find(first.uids)):
            raise BadFile(name, f"a game of the log has the uid of a row: {min(there)}", ONCE)
        file = Import(log, method, Settings(pool=pool), name, source)
        report = import_rows(file, lambda: () if first is None else first.lines(pool))
        if report.refused:
            line, why, _ = report.refused[0]
            raise BadFile(name, f"row {line}: {why}")
        progress(report.read)
        if first is not None:
            writing = _Writing(log, pool, source, int(first.played.max()))
            try:
                # an index is sorted anew in the time in which as many rows are added to it
                _import_rest(log, parts, rows >= before, writing, report, progress)
            except UidTwice as twice:
                raise BadFile(name, f"two rows, or one and a game of the log, have the uid {twice.uid}", ONCE) from None
        if declaration.fits:
            _check_fits(log, method, declaration, name, before)
        report.unused_columns = [column for column in schema.names if column not in fields.values()]
        report.head = log.head
    return report


def _declared(log: Log, pool: str) -> PoolDeclared:
    """What a pool without results is declared to take; `BadValue` if it has results."""
    number = log.id_of("pool", pool)
    if number is not None and any(True for _ in log.rows(0, None, RESULTS, number)):
        raise BadValue("pool", pool, "has results in the log already; import the file with import_file")
    return declared(log, pool) or PoolDeclared(pool=pool)


def _began_with_zone(log: Log, pool: str) -> bool:
    number = log.id_of("pool", pool)
    return number is not None and bool(began_with_zone(log, number))


def _check_fits(log: Log, method: MethodOf, declaration: PoolDeclared, name: str, before: int) -> None:
    """Refuses a file the rows of which, in the log behind a position now, are none that its pool takes."""
    odd = odd_results(log, declaration.pool, method(declaration.fits))
    if odd:
        at = min(odd)
        takes = f"pool {declaration.pool} takes what {declaration.fits} can read"
        raise BadFile(name, f"row {at - before}: {odd[at]}: {takes}")


def _import_rest(
    log: SqliteLog,
    parts: Iterator[Part],
    anew: bool,
    writing: "_Writing",
    report: ImportReport,
    progress: Callable[[int], None],
) -> None:
    """Writes the parts after the first one; `anew` says whether indexes are made again, where that can be done."""

    def write(part: Part) -> None:
        writing.write(part)
        report.read += len(part.played)
        report.accepted += len(part.played)
        progress(report.read)

    more = next(parts, None)
    if more is not None and anew and writing.goes_on(more):
        with log.indexed_last(names=writing.knows_all) as writing.late:
            while more is not None and writing.goes_on(more):
                write(more)
                more = next(parts, None)
        writing.late = False
    while more is not None:
        write(more)
        more = next(parts, None)


class _Writing:
    """Rows on their way into the log, of which it has the first ones; nobody else writes meanwhile."""

    def __init__(self, log: SqliteLog, pool: str, source: str, newest: int) -> None:
        import pyarrow as pa  # type: ignore[import-untyped]  # no types

        self._log = log
        self._uids = Uids(log.key)
        self._newest = newest
        """Nothing that was written so far was played later."""
        self.late = False
        """Whether events cannot be found by their uids, which are indexed later."""
        draft = log.draft
        self._pool, self._source = draft.getter("pool")(pool), draft.getter("source")(source)
        self.knows_all = not any(draft.name(number).kind == "player" for number in range(1, draft.below + 1))
        """Whether the log has no players but those that are known here."""
        self._ids = ManyNames()
        fresh = [name for name in draft.since(draft.below) if name.kind == "player"]
        self._ids.add(pa.array([name.key for name in fresh], pa.string()), np.array([name.id for name in fresh]))
        self._latest = self._recorded_at(newest)
        """Uids of the games of that time."""
        draft.let_go()

    def _recorded_at(self, played: int) -> set[str]:
        start = self._uids.start(Identity("game", self._pool, played, 0, 0))
        return {row.uid for row in self._log.rows_between(start, start[:-1] + ".")}

    def goes_on(self, part: Part) -> bool:
        """Whether no uid of a part that is not its own may recur but those of the latest games that are written."""
        in_order = bool(part.played.min() >= self._newest) and len(self._latest) < _MOST_LATEST
        return in_order or part.uids is not None

    def write(self, part: Part) -> None:
        """Writes one batch.

        Raises
        ------
        UidTwice
            If the log has the uid that a row was given.
        """
        log = self._log
        last = log.last_batch()
        assert last is not None, "the first rows are there"
        first, stop = last.last + 1, last.last + len(part.played)
        log.draft.begin(first)
        ids, names = self._numbered(part.names)
        a, b = ids[part.a], ids[part.b]
        uids = part.uids or self._named(part.played, np.minimum(a, b), np.maximum(a, b))
        recorded = max(log.now(), last.recorded)
        head = (last.digest, first, stop, recorded, self._source, names)
        digest = digest_of_texts(*head, _texts(first, uids, self._pool, part, a, b))
        columns = [uids, *(column.tolist() for column in (part.played, a, b, part.score))]
        try:
            log.write_games(Batch(first, stop, recorded, self._source, digest), names, self._pool, columns)
        except UidTaken:
            raise UidTwice(min(log.find(uids))) from None
        log.draft.let_go()

    def _numbered(self, names: Any) -> tuple[Ints, list[Name]]:
        """Ids of players, and the names of those who are new."""
        ids, draft = self._ids.find(names), self._log.draft
        unmet = np.flatnonzero(ids == 0)
        keys = names.take(unmet).to_pylist()
        there = {} if self.knows_all or not keys else draft.known("player", keys)
        fresh = draft.add_all("player", [key for key in keys if key not in there] if there else keys)
        known = there | {name.key: name.id for name in fresh if name.key is not None}
        ids[unmet] = [known[key] for key in keys]
        self._ids.add(names.take(unmet), ids[unmet])
        return ids, fresh

    def _named(self, played: Ints, low: Ints, high: Ints) -> list[str]:
        """Uids of games; those of players who met at the same time before are counted on."""
        pool, uids = self._pool, self._uids.of_games(self._pool, played, low, high)
        again = np.flatnonzero(played <= self._newest).tolist()
        there = self._there({uids[at] for at in again})
        if there or len(set(uids)) < len(uids):
            turns = {}
            for at in again:
                if uids[at] in there:
                    one = Identity("game", pool, int(played[at]), int(low[at]), int(high[at]))
                    turns[uids[at]] = next(turn for turn in count(1) if not self._there({self._uids.uid(one, turn)}))
            name = self._uids.naming(turns)
            cells = zip(played.tolist(), low.tolist(), high.tolist(), strict=True)
            uids = [name((0, NO_ID, "game", pool, at, 0, one, other)) for at, one, other in cells]
        newest = int(played.max())
        if newest >= self._newest:
            latest = {uids[at] for at in np.flatnonzero(played == newest).tolist()}
            self._latest = latest | self._latest if newest == self._newest else latest
            self._newest = newest
        return uids

    def _there(self, uids: set[str]) -> set[str]:
        """Those of some uids that are taken; where they are indexed later, ask for games of the latest time only."""
        if self.late:
            return uids & self._latest
        return set(self._log.find(list(uids))) if uids else uids


def _texts(first: int, uids: list[str], pool: int, part: Part, a: Ints, b: Ints) -> bytes:
    """The rows in canonical JSON, parted by commas."""
    import pyarrow as pa
    from pyarrow import compute

    def text(column: Ints) -> Any:
        return compute.cast(pa.array(column), pa.string())

    together = "".join(uids)
    if '"' in together or "\\" in together:
        uids = [canonical(uid)[1:-1] for uid in uids]
    scores, which = np.unique(part.score, return_inverse=True)
    spelt = pa.array([canonical(score) for score in scores.tolist()])
    rows = compute.binary_join_element_wise(
        "[", text(np.arange(first, first + len(uids))), ',"', pa.array(uids), f'","game",{pool},', text(part.played),
        ",0,", text(a), ",", text(b), ",", spelt.take(pa.array(which)), ",null,null],", "",
    )  # fmt: skip
    end = int(np.frombuffer(rows.buffers()[1], dtype=np.int32)[len(rows)])
    return memoryview(rows.buffers()[2])[: end - 1].tobytes()  # the last comma is one too many
