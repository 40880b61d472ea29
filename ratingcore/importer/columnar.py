"""Imports games of a table by columns, for archives that are too large to make an event of every row.

The first rows go the ordinary way and give the log its names of pool and source; all others become rows of the log
without being events. Uids, ids of names and lists are those that the ordinary way gives.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import tzinfo
from itertools import count
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ratingcore.archives.arrow import is_frame
from ratingcore.errors import BadValue
from ratingcore.events import canonical
from ratingcore.events.values import NO_ID
from ratingcore.importer.game_columns import COLUMNS, Part, opened, parts_of
from ratingcore.importer.inputs import zone_of
from ratingcore.importer.report import ImportReport
from ratingcore.importer.rows import import_lines
from ratingcore.log import Log, SqliteLog
from ratingcore.log.chain import digest_of_texts
from ratingcore.log.facts import Batch
from ratingcore.log.identity import Identity, Uids
from ratingcore.tables.arrays import Ints

_MOST_LATEST = 1_000_000
"""Games of the latest time whose uids are remembered."""


def import_columns(
    log: Log,
    path: object,
    pool: str,
    columns: Mapping[str, str] | None = None,
    progress: Callable[[int], None] = lambda read: None,
    zone: str | tzinfo | None = None,
) -> ImportReport:
    """Appends the games of a table of columns to a log in a file, as a pool that the log does not have yet.

    Parameters
    ----------
    path : path or table
        A Parquet file, or whatever offers an Arrow stream.
    columns : mapping of str to str or None
        Names of the columns that hold `played`, `a`, `b` and `score`, where they are called otherwise.
    progress : callable
        Called with the number of rows read.
    zone : str, tzinfo or None
        Zone of times that have none.

    Raises
    ------
    NoOffset
        If a time of day has no zone, and none is said.
    BadValue
        If the log is not in a file, or has the pool.
    BadFile, ColumnNotFound
        If the file cannot be read, or a row is no game: the row is named, and nothing of the file is written.
    NotInstalled
        If the extra `tables` is not there.
    """
    if not is_frame(path) and not isinstance(path, str | PathLike):
        raise BadValue("path", type(path).__name__, "is neither a Parquet file nor a table of columns")
    table, name = (Path(path), str(path)) if isinstance(path, str | PathLike) else (path, "table")
    source = Path(name).name
    if not isinstance(log, SqliteLog):
        raise BadValue("log", type(log).__name__, "is no log in a file; import the file with import_file")
    with opened(table, name) as (schema, rows, batches), log.loading():  # one transaction: all of it or nothing
        if log.names_book.find("pool", pool) is not None:
            raise BadValue("pool", pool, "is in the log already; import the file with import_file")
        parts = parts_of(name, schema, batches, {**COLUMNS, **(columns or {})}, zone_of(zone))
        first = next(parts, None)
        report = import_lines(log, source, lambda: () if first is None else first.lines(pool))
        progress(report.read)
        if first is not None:
            _import_rest(log, parts, rows, _Writing(log, pool, source, int(first.played.max())), report, progress)
        report.head = log.head
    return report


def _import_rest(
    log: SqliteLog,
    parts: Iterator[Part],
    rows: int,
    writing: "_Writing",
    report: ImportReport,
    progress: Callable[[int], None],
) -> None:
    """Writes the parts after the first one; `rows` are those of the whole table, as far as that is known."""

    def write(part: Part) -> None:
        writing.write(part)
        report.read += len(part.played)
        report.accepted += len(part.played)
        progress(report.read)

    more = next(parts, None)
    # an index is sorted anew in the time in which as many rows are added to it
    if more is not None and rows - report.read >= log.head.position and writing.goes_on(more):
        with log.uids_indexed_last() as writing.late:
            while more is not None and writing.goes_on(more):
                write(more)
                more = next(parts, None)
        writing.late = False
    while more is not None:
        write(more)
        more = next(parts, None)


class _Writing:
    """Rows on their way into the log."""

    def __init__(self, log: SqliteLog, pool: str, source: str, newest: int) -> None:
        self._log, self._pool, self._source = log, pool, source
        self._uids = Uids(log.key)
        self._newest = newest
        """Nothing that was written so far was played later."""
        self.late = False
        """Whether events cannot be found by their uids, which are indexed later."""
        self._latest = self._recorded_at(newest)
        """Uids of the games of that time."""
        self._ids: dict[str, int] = {}

    def _recorded_at(self, played: int) -> set[str]:
        pool = self._log.names_book.find("pool", self._pool)
        assert pool is not None, "the first rows are there"
        start = self._uids.start(Identity("game", pool, played, 0, 0))
        return {row.uid for row in self._log.rows_between(start, start[:-1] + ".")}

    def goes_on(self, part: Part) -> bool:
        """Whether no game of a part was played before those that are written, so that only the latest may recur."""
        return bool(part.played.min() >= self._newest) and len(self._latest) < _MOST_LATEST

    def write(self, part: Part) -> None:
        """Writes one batch."""
        log, draft = self._log, self._log.draft
        last = log.last_batch()
        assert last is not None, "the first rows are there"
        first, before = last.last + 1, draft.count
        stop = last.last + len(part.played)
        draft.begin(first)
        known = self._ids
        new = [name for name in part.names if name not in known]
        draft.expect("player", new)
        known.update(zip(new, map(draft.getter("player"), new), strict=True))
        ids = np.fromiter(map(known.__getitem__, part.names), np.int64, len(part.names))
        pool, source = draft.getter("pool")(self._pool), draft.getter("source")(self._source)
        a, b = ids[part.a], ids[part.b]
        uids = self._named(pool, part.played, np.minimum(a, b), np.maximum(a, b))
        recorded, names = max(log.now(), last.recorded), draft.since(before)
        head = (last.digest, first, stop, recorded, source, names)
        digest = digest_of_texts(*head, _texts(first, uids, pool, part, a, b))
        cells = (column.tolist() for column in (part.played, a, b, part.score))
        rows = zip(range(first, stop + 1), uids, *cells, strict=True)
        log.write_games(Batch(first, stop, recorded, source, digest), names, pool, rows)

    def _named(self, pool: int, played: Ints, low: Ints, high: Ints) -> list[str]:
        """Uids of games; those of players who met at the same time before are counted on."""
        uids = self._uids.of_games(pool, played, low, high)
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
    import pyarrow as pa  # type: ignore[import-untyped]  # no types
    from pyarrow import compute

    def text(column: Ints) -> Any:
        return compute.cast(pa.array(column), pa.string())

    scores, which = np.unique(part.score, return_inverse=True)
    spelt = pa.array([canonical(score) for score in scores.tolist()])
    rows = compute.binary_join_element_wise(
        "[", text(np.arange(first, first + len(uids))), ',"', pa.array(uids), f'","game",{pool},', text(part.played),
        ",0,", text(a), ",", text(b), ",", spelt.take(pa.array(which)), ",null,null],", "",
    )  # fmt: skip
    end = int(np.frombuffer(rows.buffers()[1], dtype=np.int32)[len(rows)])
    return memoryview(rows.buffers()[2])[: end - 1].tobytes()  # the last comma is one too many
