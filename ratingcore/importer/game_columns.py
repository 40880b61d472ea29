"""Reads the games of a table of columns part by part, checked and with names as a log spells them."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sized
from contextlib import contextmanager
from datetime import tzinfo
from itertools import repeat
from os import PathLike
from typing import Any

import numpy as np
from attrs import frozen

from ratingcore.columns.arrays import Floats, Ints
from ratingcore.errors import BadFile, BadValue, ColumnNotFound, NoOffset
from ratingcore.events import DAY, GamePlayed, instant, moment
from ratingcore.events.bounds import EARLIEST, LATEST, see_uid
from ratingcore.events.values import NO_ID, erased_number, nameable
from ratingcore.events.values import name as normal
from ratingcore.importer.rows import BATCH
from ratingcore.importer.tables import Line
from ratingcore.readers.arrow import arrow, explained, is_frame, stream_of
from ratingcore.readers.files import check_file
from ratingcore.spelling import LONGEST, flaw

ROWS = 100_000
"""Rows of one batch."""
_MOST_NAMES = 100_000
"""Names that are remembered with their spelling, of those that are not plain."""
COLUMNS = {"played": "played", "a": "a", "b": "b", "score": "score"}
_UID = "uid", "id"
"""What a column of ids is called."""
ONCE = "each game has an id of its own: leave doubled rows out, or the column of ids"
"""What to do about an id that stands in two rows."""
_SCORES = "scores are numbers from 0 to 1; import_file reads texts such as 1-0 and 1/2 as well"
_HOW = (
    "a column of dates, timestamps, or whole microseconds since 1970 is read; with pyarrow, "
    "column.cast('date32') makes days of texts like 2024-03-02, and column.cast(pyarrow.timestamp('us')) makes times"
)


@frozen(eq=False)
class Part:
    """Some rows of a file, checked.

    Parameters
    ----------
    played : (n,) int64
    names : Arrow array of strings
        Different names, in the order in which they appear.
    a, b : (n,) int
        Places of the players among the names.
    score : (n,) float64
    uids : list of str or None
        The ids that the file gives to its rows, if it does.
    """

    played: Ints
    names: Any
    a: Ints
    b: Ints
    score: Floats
    uids: list[str] | None = None

    def lines(self, pool: str) -> Iterator[Line]:
        """The rows as events, numbered from 1."""
        cells = (column.tolist() for column in (self.played, self.a, self.b, self.score))
        uids, names = repeat(NO_ID) if self.uids is None else self.uids, self.names.to_pylist()
        for number, (played, a, b, score, uid) in enumerate(zip(*cells, uids, strict=False), 1):
            one, other = names[a], names[b]
            yield Line(number, GamePlayed(pool=pool, played=played, a=one, b=other, score=score, uid=uid))


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

    if isinstance(table, str | PathLike):
        check_file(table)
    try:
        file = parquet.ParquetFile(table)
    except (OSError, pa.ArrowException) as error:
        raise BadFile(name, f"it is no Parquet file: {error}") from None
    with file:
        yield file.schema_arrow, file.metadata.num_rows, lambda names: file.iter_batches(ROWS, columns=names)


def fields_of(name: str, schema: Any, columns: Mapping[str, str]) -> dict[str, str]:
    """The column of each field that is read; that of the ids only if there is one.

    Raises
    ------
    BadValue
        If a field is named that is not read.
    ColumnNotFound
    """
    named = {"uid" if field == "id" else field: column for field, column in columns.items()}
    for field in named:
        if field not in (*COLUMNS, "uid"):
            raise BadValue("columns", field, f"is none of {', '.join(COLUMNS)}, uid")
    fields = COLUMNS | named
    ids = [column for column in _UID if column in schema.names and column not in fields.values()]
    if ids and "uid" not in named:
        fields["uid"] = ids[0]
    for field, column in fields.items():
        if column not in schema.names:
            raise ColumnNotFound(name, column, field, schema.names, argument="columns")
    return fields


def parts_of(
    name: str,
    schema: Any,
    batches: Callable[[list[str]], Any],
    fields: Mapping[str, str],
    zone: tzinfo | None,
    zoned: bool = False,
) -> Iterator[Part]:
    """The rows of a table: as many as an import reads at once, then batch by batch.

    Parameters
    ----------
    zone : tzinfo or None
        Of times that have none.
    zoned : bool
        Whether the pool has a zone before its first result: a time at midnight UTC is the microsecond after it then,
        since it would read as a day.
    """
    import pyarrow as pa

    checks = _Checks(name, fields, zone, zoned)
    read, size = 0, BATCH
    held = pa.table({column: pa.array([], schema.field(column).type) for column in fields.values()})
    for more in batches(list(fields.values())):
        held = pa.concat_tables([held, pa.Table.from_batches([more]).select(held.column_names)])
        while len(held) >= size:
            yield checks.part(held.slice(0, size), read + 1)
            held, read, size = held.slice(size), read + size, ROWS
    if len(held):
        yield checks.part(held, read + 1)


class _Checks:
    """Checks rows of a table, and spells their names."""

    def __init__(self, name: str, fields: Mapping[str, str], zone: tzinfo | None, zoned: bool) -> None:
        self._name, self._fields, self._zone, self._zoned = name, fields, zone, zoned
        self._spelt, self._first = _Spelt(), 1

    def part(self, rows: Any, first: int) -> Part:
        """Some rows, of which the first has this number in the file.

        Raises
        ------
        BadFile
            If one is no game.
        """
        import pyarrow as pa

        self._first = first
        columns = {field: self._column(rows, field) for field in self._fields}
        played = self._played(columns["played"])
        score = _array(self._cast("score", columns["score"], pa.float64(), _SCORES)) + 0.0
        a, b = (self._cast(field, columns[field], pa.string()) for field in ("a", "b"))
        self._refuse((played < EARLIEST) | (played > LATEST), "was played outside the years 1400 to 2199")
        self._refuse(~((score >= 0.0) & (score <= 1.0)), "has a score that is not a number from 0 to 1")
        one, other, names = self._players(a, b)
        return Part(played, names, one, other, score, self._uids(columns["uid"]) if "uid" in columns else None)

    def _cast(self, field: str, found: Any, kind: Any, advice: str = "") -> Any:
        """A column as one of another type; `BadFile` names the first row that cannot be."""
        import pyarrow as pa

        try:
            return found.cast(kind)
        except pa.ArrowException as error:
            at = bisect_left(range(1, len(found)), True, key=lambda count: not _casts(found[:count], kind))
            why = f"has another {field} than can be read, in the column {self._fields[field]} of {found.type}: {error}"
            raise BadFile(self._name, f"row {self._first + at} {why}", advice) from None

    def _refuse(self, wrong: Any, why: str, advice: str = "") -> None:
        bad = np.flatnonzero(wrong)
        if len(bad):
            raise BadFile(self._name, f"row {self._first + int(bad[0])} {why}", advice)

    def _column(self, rows: Any, field: str) -> Any:
        import pyarrow as pa

        found = rows.column(self._fields[field]).combine_chunks()
        if pa.types.is_dictionary(found.type):
            found = found.dictionary_decode()
        if found.null_count:
            self._refuse(found.is_null().to_numpy(zero_copy_only=False), f"has no {field}")
        return found

    def _played(self, when: Any) -> Ints:
        import pyarrow as pa

        timed = pa.types.is_timestamp(when.type)
        local = timed and when.type.tz is None
        if timed or pa.types.is_date(when.type):
            when = self._cast("played", when, pa.timestamp("us", getattr(when.type, "tz", None)), _HOW)
        elif not pa.types.is_integer(when.type):
            why = f"its column {self._fields['played']} holds {when.type}, not days or times"
            raise BadFile(self._name, why, _HOW)
        shown: Ints = _array(self._cast("played", when, pa.int64(), _HOW))
        played = _instants(shown, self._zone, self._name, self._first) if local else shown
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
            if "" in spelt:
                flawed = np.array([not name for name in spelt])
                self._refuse(flawed[place[::2]] | flawed[place[1::2]], "names a player whom nobody can be called")
            known = {name: at for at, name in enumerate(dict.fromkeys(spelt))}  # two spellings may be one name
            place, names = np.array([known[name] for name in spelt])[place], pa.array(known, pa.string())
        self._refuse(place[::2] == place[1::2], "has somebody who played themselves")
        return place[::2], place[1::2], names

    def _uids(self, column: Any) -> list[str]:
        import pyarrow as pa

        if not (
            pa.types.is_integer(column.type) or pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
        ):
            raise BadFile(self._name, f"its column {self._fields['uid']} holds {column.type}, not ids of games")
        texts = column.cast(pa.string())
        uids: list[str] = texts.to_pylist()
        for at in np.flatnonzero(_is_odd(texts)).tolist():
            uids[at] = uids[at].strip()
            try:
                see_uid(nameable(uids[at], "uid"))
            except BadValue as error:
                raise BadFile(self._name, f"row {self._first + at} has an id that no game can have: {error}") from None
        if len(set(uids)) < len(uids):
            last = {uid: at for at, uid in enumerate(uids)}
            once = next(at for at, uid in enumerate(uids) if last[uid] != at)
            raise BadFile(self._name, f"row {self._first + once} has the uid of another row: {uids[once]}", ONCE)
        return uids


def _array(column: Any) -> Any:
    return column.to_numpy(zero_copy_only=False)


def _casts(column: Any, kind: Any) -> bool:
    import pyarrow as pa

    try:
        column.cast(kind)
    except pa.ArrowException:
        return False
    return True


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
