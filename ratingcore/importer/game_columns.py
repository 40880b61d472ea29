"""Reads the games of a table of columns part by part, checked and with names as a log spells them."""

from collections.abc import Callable, Iterator, Mapping, Sized
from contextlib import contextmanager
from datetime import tzinfo
from itertools import count
from typing import Any

import numpy as np
from attrs import frozen

from ratingcore.archives import Line
from ratingcore.archives.arrow import arrow, explained, is_frame, stream_of
from ratingcore.errors import BadFile, BadValue, ColumnNotFound, NoOffset
from ratingcore.events import DAY, GamePlayed, instant, moment
from ratingcore.events.bounds import EARLIEST, LATEST
from ratingcore.events.values import NO_ID, erased_number
from ratingcore.events.values import name as normal
from ratingcore.importer.rows import BATCH
from ratingcore.spelling import LONGEST, flaw
from ratingcore.tables.arrays import Floats, Ints

ROWS = 100_000
"""Rows of one batch."""
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


@contextmanager
def opened(table: object, name: str) -> Iterator[tuple[Any, int, Callable[[list[str]], Iterator[Any]]]]:
    """The columns of a Parquet file or of a table in memory, its rows if it tells, and what reads some columns."""
    pa = arrow("a table of columns")
    if is_frame(table):
        with explained(name):
            reader = stream_of(table)
        rows = len(table) if isinstance(table, Sized) else 0
        yield reader.schema, rows, lambda names: (batch.select(names) for batch in reader)
        return
    from pyarrow import parquet  # type: ignore[import-untyped]  # no types

    try:
        file = parquet.ParquetFile(table)
    except (OSError, pa.ArrowException) as error:
        raise BadFile(name, f"it is no Parquet file: {error}") from None
    with file:
        yield file.schema_arrow, file.metadata.num_rows, lambda names: file.iter_batches(ROWS, columns=names)


def parts_of(
    name: str, schema: Any, batches: Callable[[list[str]], Any], columns: Mapping[str, str], zone: tzinfo | None
) -> Iterator[Part]:
    """The rows of a table: as many as an import reads at once, then batch by batch; times are of a zone."""
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
            yield _checked(name, held.slice(0, size), columns, spelt, read + 1, zone)
            held, read, size = held.slice(size), read + size, ROWS
    if len(held):
        yield _checked(name, held, columns, spelt, read + 1, zone)


def _checked(
    name: str, rows: Any, columns: Mapping[str, str], spelt: "_Spelt", first: int, zone: tzinfo | None
) -> Part:
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
        local = pa.types.is_timestamp(when.type) and when.type.tz is None
        if pa.types.is_date(when.type) or pa.types.is_timestamp(when.type):
            when = compute.cast(compute.cast(when, pa.timestamp("us", getattr(when.type, "tz", None))), pa.int64())
        elif not pa.types.is_integer(when.type):
            raise BadFile(name, f"its column {columns['played']} holds {when.type}, not days or times")
        played = compute.cast(when, pa.int64()).to_numpy(zero_copy_only=False)
        if local:
            played = _instants(played, zone, name, first)
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


def _instants(face: Ints, zone: tzinfo | None, name: str, first: int) -> Ints:
    """The instants of local times of a zone, as microseconds since 1970 on their faces; midnights are days.

    Raises
    ------
    NoOffset
        If one is a time of day, and no zone is said; its row is named.
    """
    timed = face % DAY != 0
    if not timed.any():
        return face
    at = int(np.argmax(timed))
    if zone is None:
        text = moment(face[at]).replace(tzinfo=None).isoformat()
        advice = "say the zone of the file: zone='Europe/Prague'; zone='UTC' is as times without one were read before"
        raise NoOffset(text, f"{name}, row {first + at}", advice)
    different, which = np.unique(face[timed], return_inverse=True)
    read = [instant(moment(one).replace(tzinfo=zone)) for one in different.tolist()]
    made = face.copy()
    made[timed] = np.array(read, dtype=np.int64)[which]
    return made


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
