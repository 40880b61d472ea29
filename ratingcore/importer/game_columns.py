"""The plain games of a table of columns, read part by part, with names as a log spells them."""

from collections.abc import Iterator, Mapping
from datetime import tzinfo
from itertools import repeat
from typing import Any

import numpy as np
from attrs import frozen

from ratingcore.columns.games import Floats, Ints
from ratingcore.errors import BadValue
from ratingcore.events import DAY, GamePlayed, instant, moment
from ratingcore.events.bounds import EARLIEST, LATEST, check_uid
from ratingcore.events.values import NO_ID, erased_number, nameable
from ratingcore.events.values import name as normal
from ratingcore.importer.rows import BATCH
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.fieldmap import FromColumn
from ratingcore.readers.sheets import Sheet
from ratingcore.spelling import LONGEST, flaw

ROWS = 100_000
"""Rows of one batch."""
_MOST_NAMES = 100_000
"""Names that are remembered with their spelling, of those that are not plain."""
_FIELDS = ("played", "a", "b", "score")


class NotPlain(Exception):
    """A row has to be read by itself: it is no game, or it is one that takes a closer look."""


@frozen(eq=False)
class SomeRows:
    """Some rows of a table.

    Parameters
    ----------
    first : int
        Number of the first row, from 1.
    played : (n,) int64
    names : Arrow array of strings
        Different names, in the order in which they appear.
    a, b : (n,) int
        Places of the players among the names.
    score : (n,) float64
    uids : list of str or None
        The ids that the table gives to its rows, if it does.
    """

    first: int
    played: Ints
    names: Any
    a: Ints
    b: Ints
    score: Floats
    uids: list[str] | None = None

    def games(self, pool: str) -> Iterator[tuple[int, GamePlayed]]:
        """The rows as events, with their numbers."""
        cells = (column.tolist() for column in (self.played, self.a, self.b, self.score))
        uids, names = repeat(NO_ID) if self.uids is None else self.uids, self.names.to_pylist()
        for number, (played, a, b, score, uid) in enumerate(zip(*cells, uids, strict=False), self.first):
            one, other = names[a], names[b]
            yield number, GamePlayed(pool=pool, played=played, a=one, b=other, score=score, uid=uid)


def columns_of(sheet: Sheet, fields: FieldMap, unused: list[str]) -> dict[str, str] | None:
    """The column of each field of plain games.

    None if a table has other fields or settings than these, or types that are not read by columns.

    Parameters
    ----------
    unused : list of str
        Columns that no field of a result is read from.
    """
    import pyarrow as pa  # type: ignore[import-untyped]  # no types

    if sheet.typed is None or fields.date is not None or fields.pool is not None:
        return None
    columns = {}
    for field in (*_FIELDS, "uid"):
        names = (field, "id") if field == "uid" else (field,)
        source = fields.fields.get(field) or next((FromColumn(one) for one in names if one in sheet.columns), None)
        if isinstance(source, FromColumn) and source == FromColumn(source.column):
            columns[field] = source.column
        elif field != "uid" or source is not None:
            return None
    if {*columns.values()} != {name for name in sheet.columns if name} - {*unused}:
        return None
    types = pa.types
    texts = (types.is_string, types.is_large_string, types.is_string_view)
    allowed = {
        "played": (types.is_timestamp, types.is_date32),
        "score": (types.is_float64, types.is_integer),
        "uid": (*texts, types.is_integer),
    }
    for field, column in columns.items():
        kind = sheet.typed.schema.field(column).type
        kind = kind.value_type if types.is_dictionary(kind) else kind
        if not any(fits(kind) for fits in allowed.get(field, texts)):
            return None
    return columns


def parts_of(sheet: Sheet, fields: Mapping[str, str], zone: tzinfo | None, zoned: bool = False) -> Iterator[SomeRows]:
    """The rows of a table: as many as an import reads at once, then batch by batch.

    Parameters
    ----------
    fields : mapping of str to str
        The column of each field.
    zone : tzinfo or None
        Of times that have none.
    zoned : bool
        Whether the pool has a zone before its first result: a time at midnight UTC is the microsecond after it then,
        since it would read as a day.

    Raises
    ------
    NotPlain
    """
    import pyarrow as pa

    assert sheet.typed is not None
    reader = _PartReader(fields, zone, zoned)
    read, size, schema = 0, BATCH, sheet.typed.schema
    held = pa.table({column: pa.array([], schema.field(column).type) for column in fields.values()})
    for more in sheet.typed.batches(list(fields.values())):
        held = pa.concat_tables([held, pa.Table.from_batches([more]).select(held.column_names)])
        while len(held) >= size:
            yield reader.part(held.slice(0, size), read + 1)
            held, read, size = held.slice(size), read + size, ROWS
    if len(held):
        yield reader.part(held, read + 1)


class _PartReader:
    """Reads rows of a table, and spells their names."""

    def __init__(self, fields: Mapping[str, str], zone: tzinfo | None, zoned: bool) -> None:
        self._fields, self._zone, self._zoned = fields, zone, zoned
        self._spelt = _Spelt()

    def part(self, rows: Any, first: int) -> SomeRows:
        """Some rows, of which the first has this number in the table."""
        import pyarrow as pa

        columns = {field: _whole(rows.column(column)) for field, column in self._fields.items()}
        try:
            played = self._played(columns["played"])
            score = _array(columns["score"].cast(pa.float64())) + 0.0
            a, b = (columns[field].cast(pa.string()) for field in ("a", "b"))
        except pa.ArrowException as error:
            raise NotPlain from error
        _check((played < EARLIEST) | (played > LATEST))
        _check(~((score >= 0.0) & (score <= 1.0)))
        one, other, names = self._players(a, b)
        return SomeRows(first, played, names, one, other, score, _uids(columns["uid"]) if "uid" in columns else None)

    def _played(self, when: Any) -> Ints:
        import pyarrow as pa

        timed = pa.types.is_timestamp(when.type)
        local = timed and when.type.tz is None
        shown: Ints = _array(when.cast(pa.timestamp("us", getattr(when.type, "tz", None))).cast(pa.int64()))
        played = _instants(shown, self._zone) if local else shown
        if not (timed and self._zoned):
            return played
        midnight = (played % DAY == 0) & ((shown % DAY != 0) if local else True)
        later: Ints = played + midnight
        return later

    def _players(self, a: Any, b: Any) -> tuple[Ints, Ints, Any]:
        """Places of the players among the names, and these in the order in which they are met."""
        import pyarrow as pa

        seats = pa.concat_arrays([a, b]).take(pa.array(np.arange(2 * len(a)).reshape(2, -1).T.ravel()))  # a, b, a, b...
        met = seats.dictionary_encode()
        place, names = met.indices.to_numpy(), met.dictionary
        odd = np.flatnonzero(_is_odd(names)).tolist()
        if odd:
            spelt = names.to_pylist()
            for at in odd:
                spelt[at] = self._spelt[spelt[at]]
            known = {name: at for at, name in enumerate(dict.fromkeys(spelt))}  # two spellings may be one name
            place, names = np.array([known[name] for name in spelt])[place], pa.array(known, pa.string())
        _check(place[::2] == place[1::2])
        return place[::2], place[1::2], names


def _check(wrong: Any) -> None:
    """Leaves rows to be read one by one if any is none of a game, or asks for a closer look."""
    if wrong.any():
        raise NotPlain


def _whole(column: Any) -> Any:
    """A column as one array, without missing values."""
    import pyarrow as pa

    found = column.combine_chunks()
    if isinstance(found, pa.ChunkedArray):  # of no rows
        found = pa.concat_arrays(found.chunks) if found.num_chunks else pa.array([], found.type)
    if pa.types.is_dictionary(found.type):
        found = found.dictionary_decode()
    if found.null_count:
        raise NotPlain
    return found


def _uids(column: Any) -> list[str]:
    import pyarrow as pa

    texts = column.cast(pa.string())
    uids: list[str] = texts.to_pylist()
    for at in np.flatnonzero(_is_odd(texts)).tolist():
        uids[at] = uids[at].strip()
        try:
            check_uid(nameable(uids[at], "uid"))
        except BadValue as error:
            raise NotPlain from error
    if len(set(uids)) < len(uids):
        raise NotPlain
    return uids


def _array(column: Any) -> Any:
    return column.to_numpy(zero_copy_only=False)


def _is_odd(texts: Any) -> Any:
    """Whether each text has to be looked at before it is a name: the others are ASCII without blanks at their ends."""
    _, offsets, content = texts.buffers()
    ends = np.frombuffer(offsets, np.int32, len(texts) + 1, 4 * texts.offset)
    size = np.diff(ends)
    odd = (size == 0) | (size > LONGEST)
    if odd.all():
        return odd
    code = np.frombuffer(content, np.uint8)
    seen = code[ends[0] : ends[-1]]
    strange = np.flatnonzero((seen < 32) | (seen > 126)) + ends[0]
    odd[np.searchsorted(ends, strange, side="right") - 1] = True
    first, last = code[np.minimum(ends[:-1], len(code) - 1)], code[ends[1:] - 1]
    return odd | (first == 32) | (last == 32) | (first == 40)  # an erased name is shown in brackets


def _instants(face: Ints, zone: tzinfo | None) -> Ints:
    """The instants of local times of a zone, as microseconds since 1970 on their faces; midnights are days."""
    timed = face % DAY != 0
    if not timed.any():
        return face
    if zone is None:
        raise NotPlain
    different, which = np.unique(face[timed], return_inverse=True)
    read = [instant(moment(one).replace(tzinfo=zone)) for one in different.tolist()]
    made = face.copy()
    made[timed] = np.array(read, dtype=np.int64)[which]
    return made


class _Spelt(dict[str, str]):
    """Names as a log spells them, by how a table does."""

    def __missing__(self, text: str) -> str:
        name = normal(text.strip())
        if not name or flaw(name, LONGEST) or erased_number(name):
            raise NotPlain
        if len(self) >= _MOST_NAMES:
            self.clear()
        self[text] = name
        return name
