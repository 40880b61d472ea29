"""Imports games of a table by columns, for archives that are too large to make an event of every row.

The first rows go the ordinary way and give the log its names of pool and source; all others become rows of the log
without being events. Uids, ids of names and lists are those that the ordinary way gives.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from ratingcore.archives import Line
from ratingcore.archives.arrow import arrow, explained, is_frame, stream_of
from ratingcore.errors import BadFile, BadValue, ColumnNotFound
from ratingcore.events import GamePlayed, Row, canonical
from ratingcore.events.bounds import EARLIEST, LATEST
from ratingcore.events.values import NO_ID, erased_number
from ratingcore.events.values import name as normal
from ratingcore.importer.report import ImportReport
from ratingcore.importer.rows import BATCH, import_lines
from ratingcore.log import Log, SqliteLog
from ratingcore.log.chain import digest_of_texts
from ratingcore.log.facts import Batch
from ratingcore.log.identity import Identity, Uids
from ratingcore.spelling import LONGEST, flaw
from ratingcore.tables.arrays import Floats, Ints

ROWS = 100_000
"""Rows of one batch."""
TOGETHER = 10
"""Batches of one transaction."""
_MOST_NAMES = 1_000_000
"""Names that are remembered with their spelling."""
COLUMNS = {"played": "played", "a": "a", "b": "b", "score": "score"}


@frozen(eq=False)
class Part:
    """Some rows of a file, checked.

    Parameters
    ----------
    played : (n,) int64
    name : array of str
        Different names, in the order in which they appear.
    a, b : (n,) int
        Places of the players among the names.
    score : (n,) float64
    """

    played: Ints
    names: list[str]
    a: Ints
    b: Ints
    score: Floats

    def lines(self, pool: str) -> Iterator[Line]:
        """The rows as events, numbered from 1."""
        cells = (column.tolist() for column in (self.played, self.a, self.b, self.score))
        for number, (played, a, b, score) in enumerate(zip(*cells, strict=True), 1):
            one, other = self.names[a], self.names[b]
            yield Line(number, GamePlayed(pool=pool, played=played, a=one, b=other, score=score, uid=NO_ID))


def import_columns(
    log: Log,
    path: object,
    pool: str,
    columns: Mapping[str, str] | None = None,
    progress: Callable[[int], None] = lambda read: None,
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

    Raises
    ------
    BadValue
        If the log is not in a file, or has the pool.
    BadFile, ColumnNotFound
        If the file cannot be read, or a row is no game: the row is named. What was written before it stays.
    NotInstalled
        If the extra `tables` is not there.
    """
    if not is_frame(path) and not isinstance(path, str | PathLike):
        raise BadValue("path", type(path).__name__, "is neither a Parquet file nor a table of columns")
    table, name = (Path(path), str(path)) if isinstance(path, str | PathLike) else (path, "table")
    source = Path(name).name
    if not isinstance(log, SqliteLog):
        raise BadValue("log", type(log).__name__, "is no log in a file; import the file with import_file")
    if log.names_book.find("pool", pool) is not None:
        raise BadValue("pool", pool, "is in the log already; import the file with import_file")
    parts = _parts(table, name, {**COLUMNS, **(columns or {})})
    first = next(parts, None)
    report = import_lines(log, source, lambda: () if first is None else first.lines(pool))
    progress(report.read)
    if first is None:
        return report
    writing, more = _Writing(log, pool, source, int(first.played.max())), next(parts, None)
    while more is not None:
        with log.loading():
            for _ in range(TOGETHER):
                if more is None:
                    break
                writing.write(more)
                report.read += len(more.played)
                report.accepted += len(more.played)
                progress(report.read)
                more = next(parts, None)
    report.head = log.head
    return report


class _Writing:
    """Rows on their way into the log."""

    def __init__(self, log: SqliteLog, pool: str, source: str, newest: int) -> None:
        self._log, self._pool, self._source = log, pool, source
        self._uids = Uids(log.key)
        self._newest = newest
        """Nothing that was written so far was played later."""
        self._draft: object = None
        self._ids: dict[str, int] = {}

    def write(self, part: Part) -> None:
        """Writes one batch."""
        log, draft = self._log, self._log.draft
        last = log.last_batch()
        assert last is not None, "the first rows are there"
        first, before = last.last + 1, draft.count
        stop = last.last + len(part.played)
        draft.begin(first)
        if draft is not self._draft:  # ids hold for one transaction: between two, names may be erased
            self._draft, self._ids = draft, {}
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
        again = {uids[at] for at in np.flatnonzero(played <= self._newest).tolist()}
        there = self._log.find(list(again)) if again else {}
        self._newest = max(int(played.max()), self._newest)
        if not there and len(set(uids)) == len(uids):
            return uids
        name = self._uids.naming({uid: self._turns(row) for uid, row in there.items()})
        cells = zip(played.tolist(), low.tolist(), high.tolist(), strict=True)
        return [name((0, NO_ID, "game", pool, at, 0, one, other)) for at, one, other in cells]

    def _turns(self, row: Row) -> int:
        """How many games the log has of those two players at that time."""
        identity = Identity.of(row._replace(uid=NO_ID))
        return next(turn for turn in count(1) if not self._log.find([self._uids.uid(identity, turn)]))


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


@contextmanager
def _opened(table: object, name: str) -> Iterator[tuple[Any, Callable[[list[str]], Iterator[Any]]]]:
    """The columns of a Parquet file or of a table in memory, and what reads some of them batch by batch."""
    pa = arrow("a table of columns")
    if is_frame(table):
        with explained(name):
            reader = stream_of(table)
        yield reader.schema, lambda names: (batch.select(names) for batch in reader)
        return
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(table)
    except (OSError, pa.ArrowException) as error:
        raise BadFile(name, f"it is no Parquet file: {error}") from None
    with file:
        yield file.schema_arrow, lambda names: file.iter_batches(ROWS, columns=names)


def _parts(table: object, name: str, columns: Mapping[str, str]) -> Iterator[Part]:
    """The rows of a table: as many as an import reads at once, then batch by batch."""
    with _opened(table, name) as (schema, batches):
        import pyarrow as pa

        for field, column in columns.items():
            if field not in COLUMNS:
                raise BadValue("columns", field, f"is none of {', '.join(COLUMNS)}")
            if column not in schema.names:
                raise ColumnNotFound(name, column, field, schema.names)
        read, size, spelt = 0, BATCH, _Spelt()
        held = pa.table({column: pa.array([], schema.field(column).type) for column in columns.values()})
        for more in batches(list(columns.values())):
            held = pa.concat_tables([held, pa.Table.from_batches([more]).select(held.column_names)])
            while len(held) >= size:
                yield _checked(name, held.slice(0, size), columns, spelt, read + 1)
                held, read, size = held.slice(size), read + size, ROWS
        if len(held):
            yield _checked(name, held, columns, spelt, read + 1)


def _checked(name: str, rows: Any, columns: Mapping[str, str], spelt: "_Spelt", first: int) -> Part:
    """Some rows, of which the first has this number in the file.

    Raises
    ------
    BadFile
        If one is no game.
    """
    import pyarrow as pa
    from pyarrow import compute

    def refuse(wrong: Any, why: str) -> None:
        bad = np.flatnonzero(wrong)
        if len(bad):
            raise BadFile(name, f"row {first + int(bad[0])} {why}")

    def column(field: str) -> Any:
        found = rows.column(columns[field]).combine_chunks()
        if pa.types.is_dictionary(found.type):
            found = found.dictionary_decode()
        refuse(compute.is_null(found).to_numpy(zero_copy_only=False), f"has no {field}")
        return found

    try:
        when = column("played")
        if pa.types.is_date(when.type) or pa.types.is_timestamp(when.type):
            when = compute.cast(compute.cast(when, pa.timestamp("us", getattr(when.type, "tz", None))), pa.int64())
        elif not pa.types.is_integer(when.type):
            raise BadFile(name, f"its column {columns['played']} holds {when.type}, not days or times")
        played = compute.cast(when, pa.int64()).to_numpy(zero_copy_only=False)
        score = compute.cast(column("score"), pa.float64()).to_numpy(zero_copy_only=False) + 0.0
        one, other = (compute.cast(column(field), pa.string()) for field in ("a", "b"))
    except pa.ArrowException as error:
        raise BadFile(name, f"rows from {first} on hold something else: {error}") from None
    refuse((played < EARLIEST) | (played > LATEST), "was played outside the years 1400 to 2199")
    refuse(~((score >= 0.0) & (score <= 1.0)), "has a score that is not a number from 0 to 1")
    # a, b, a, b, ...: names get their ids in the order in which they are met
    seats = pa.concat_arrays([one, other]).take(pa.array(np.arange(2 * len(rows)).reshape(2, -1).T.ravel()))
    met = seats.dictionary_encode()
    place, names = met.indices.to_numpy(), list(map(spelt.__getitem__, met.dictionary.to_pylist()))
    if "" in names:
        flawed = np.array([not name for name in names])
        refuse(flawed[place[::2]] | flawed[place[1::2]], "names a player whom nobody can be called")
    known = dict(zip(names, count(), strict=False))
    if len(known) < len(names):  # two spellings of one name
        known = {name: at for at, name in enumerate(known)}
        place = np.array([known[name] for name in names], dtype=np.int64)[place]
    refuse(place[::2] == place[1::2], "has somebody who played themselves")
    return Part(played, list(known), place[::2], place[1::2], score)


class _Spelt(dict[str, str]):
    """Names as a log spells them, by how a file does; empty where nobody can be called so."""

    def __missing__(self, text: str) -> str:
        name = normal(text.strip())
        if not name or flaw(name, LONGEST) or erased_number(name):
            name = ""
        if len(self) >= _MOST_NAMES:
            self.clear()
        self[text] = name
        return name
