"""Reads Parquet and Arrow files, and Arrow streams, as tables: batch by batch, and only the used columns."""

import weakref
from collections.abc import Callable, Iterator, Mapping, Sized
from contextlib import contextmanager
from datetime import tzinfo
from io import BytesIO, RawIOBase
from itertools import count, islice
from typing import IO, TYPE_CHECKING, Any, BinaryIO
from zoneinfo import ZoneInfo

from ratingcore.plugin.readers import (
    LONGEST_CELL,
    BadFile,
    Filled,
    Moment,
    NotInstalled,
    Outgoing,
    Refused,
    Rows,
    Sample,
    Sheet,
    SheetForm,
    SheetKind,
    Source,
    Truth,
    Typed,
    TypedRows,
    Values,
    Wanted,
    is_frame,
)

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]  # no types

BATCH = 65_536
"""Number of rows read at once."""
LARGEST = 2**29
"""Largest size, in bytes, of a file within an archive, since it is read into memory."""
DAY = 86_400_000_000
_BUFFER = 2**18
"""Bytes of a column read at once; by default, a whole row group would be."""
_PART = 5_000
"""Number of rows whose distinct texts are collected at once, and of the first rows, which are read by themselves."""
_THRIFT = 2**24
"""Limits of the Thrift description of a Parquet file: bytes of a text, and members of a list."""

_TOO_LONG = Filled("a cell has more than {most} characters", most=f"{LONGEST_CELL:,}")

Batches = Callable[[list[str]], "Iterator[pa.RecordBatch]"]
"""Reads the named columns from the beginning, batch by batch."""


def arrow(what: str) -> Any:
    """Imports and returns the package pyarrow; raises `NotInstalled` if it is missing."""
    try:
        import pyarrow  # the import is slow, and rarely needed
    except ImportError:
        raise NotInstalled("pyarrow", what, "tables") from None
    return pyarrow


@contextmanager
def explained(name: str) -> Iterator[None]:
    """Turns errors of Arrow into `BadFile`."""
    pa = arrow("a table of columns")
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, TypeError, MemoryError, OverflowError) as error:
        if isinstance(error, BadFile):
            raise
        why = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise BadFile(name, Filled("it cannot be read by columns: {why}", why=why)) from None


@contextmanager
def seekable(source: Source) -> Iterator[IO[bytes]]:
    """Opens a seekable file; a member of an archive is unpacked into memory."""
    with source.reusable().open() as stream:
        yield stream if stream.seekable() else BytesIO(_content(source, stream))


def _content(source: Source, stream: BinaryIO) -> bytes:
    found = stream.read(LARGEST + 1)
    if len(found) > LARGEST:
        source.refuse(Filled("it has more than {most} MB within an archive", most=LARGEST // 2**20), "unpack it")
    return found


def open_arrow(source: Source, wanted: Wanted) -> Sheet:
    """Opens a Parquet or Arrow IPC (Feather) file.

    Raises
    ------
    BadFile
        If it cannot be read.
    NotInstalled
        If the extra `tables` is not installed.
    """
    name = source.name
    pa = arrow("a Parquet or Arrow file")
    with seekable(source) as file, explained(name):
        parquet = file.read(4) == b"PAR1"
        found = _parquet(file) if parquet else pa.ipc.open_file(file)
        schema, rows = (found.schema_arrow, found.metadata.num_rows) if parquet else (found.schema, 0)

    def batches(columns: list[str]) -> Iterator[Any]:
        with seekable(source) as file:
            if parquet:
                for batch in _parquet(file).iter_batches(BATCH, columns=columns, use_threads=False):
                    pa.default_memory_pool().release_unused()  # else the process would keep their memory
                    yield batch
                return
            found = pa.ipc.open_file(file, options=pa.ipc.IpcReadOptions(ensure_native_endian=True))
            for number in range(found.num_record_batches):
                batch = found.get_batch(number)
                batch.validate(full=True)  # sizes declared in the file cannot be trusted
                yield batch

    with explained(name):  # names of columns may be damaged too
        return sheet_of(name, schema, batches, source.zone, rows)


def _parquet(file: IO[bytes]) -> Any:
    from pyarrow import parquet

    file.seek(0)
    return parquet.ParquetFile(
        file, buffer_size=_BUFFER, thrift_string_size_limit=_THRIFT, thrift_container_size_limit=_THRIFT
    )


def sheet_of(
    name: str, schema: "pa.Schema", batches: Batches, zone: tzinfo | None, rows_known: int | None = None
) -> Sheet:
    """Returns a table of typed columns.

    Parameters
    ----------
    rows_known : int or None
        Number of rows, 0 if unknown; None for a table that can be read only once.
    """
    pa = arrow("a table of columns")
    schema, batches = _flat(pa, schema, batches)
    columns = tuple("" if column.startswith("__index_level_") else column for column in schema.names)
    values = Values(zone)

    def cells_of(batch: Any, used: frozenset[int]) -> tuple[list[list[str]], set[int]]:
        """Returns the rows of a batch as texts, and the indexes of rows with a cell that is too long."""
        cells: list[Any] = [[""] * len(batch)] * len(columns)
        long: set[int] = set()
        for index in used:
            column = batch.column(columns[index])
            cells[index] = _texts(column, values)
            if column.nbytes > LONGEST_CELL:
                long.update(place for place, text in enumerate(cells[index]) if len(text) > LONGEST_CELL)
        return cells, long

    def rows(used: frozenset[int]) -> Rows:
        number = 0
        with explained(name):
            for batch in batches([columns[index] for index in sorted(used)]):
                # often only the first rows are read, to see what a column holds
                for some in (batch,) if number else (batch.slice(0, _PART), batch.slice(_PART)):
                    cells, long = cells_of(some, used)
                    numbered = zip(count(number + 1), map(list, zip(*cells, strict=True)), strict=False)
                    if not long:
                        yield from numbered
                    for place, (line, row) in enumerate(numbered):
                        yield Refused(line, _TOO_LONG) if place in long else (line, row)
                    number += len(some)

    unreadable = {
        one.name: str(one.type) for one in schema if (pa.types.is_nested(one.type) or _is_opaque(pa, one.type))
    }
    lists = [one.name for one in schema if _is_list_of_objects(pa, one.type)]

    def objects() -> Iterator[tuple[int, dict[str, Any]] | Refused]:
        plain = frozenset(index for index, column in enumerate(columns) if column and column not in unreadable)
        number = 0
        with explained(name):
            for batch in batches([*(columns[index] for index in sorted(plain)), *lists]):
                cells, long = cells_of(batch, plain)
                for place, given in enumerate(batch.select(lists).to_pylist()):
                    line, texts = number + place + 1, {columns[index]: cells[index][place] or None for index in plain}
                    yield Refused(line, _TOO_LONG) if place in long else (line, texts | _spelt(given))
                number += len(batch)

    def different(index: int) -> Iterator[set[str]]:
        kind = schema.field(index).type
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or str(kind) == "string_view"):
            return
        with explained(name):
            for batch in batches([columns[index]]):
                for start in range(0, len(batch), _PART):
                    yield {*_texts(batch.column(columns[index]).slice(start, _PART), values)}

    def typed(names: list[str]) -> Iterator[Any]:
        with explained(name):
            yield from batches(names)

    def games(fields: Mapping[str, str], first: int, then: int) -> Iterator[TypedRows | None] | None:
        from ratingcore_tables.games import are_games, games

        return games(schema, typed, fields, first, then) if are_games(schema, fields) else None

    return Sheet(
        name, columns, rows, unreadable=unreadable, objects=objects if lists else None, zone=zone,
        typed=None if rows_known is None else Typed(games, rows_known), once=rows_known is None,
        texts=None if rows_known is None or lists else different,
    )  # fmt: skip


def _flat(pa: Any, schema: "pa.Schema", batches: Batches) -> tuple["pa.Schema", Batches]:
    """Returns the table with a column for each field of its structs, named like nested JSON values: `style.words`."""
    fields = [(one.name, one) for one in schema]
    while any(pa.types.is_struct(one.type) for _, one in fields):
        fields = [(name, inner) for name, one in fields for inner in _within(pa, one)]
    names = [one.name for _, one in fields]
    if names == schema.names or len({*names}) < len(names):
        return schema, batches
    owner = {one.name: name for name, one in fields}

    def flat(wanted: list[str]) -> Iterator[Any]:
        for batch in batches(list(dict.fromkeys(owner[name] for name in wanted))):
            columns = [*zip(batch.schema, batch.columns, strict=True)]
            while any(pa.types.is_struct(one.type) for one, _ in columns):
                columns = [
                    cells for one, column in columns
                    for cells in (zip(_within(pa, one), column.flatten(), strict=True)
                                  if pa.types.is_struct(one.type) else [(one, column)])
                ]  # fmt: skip
            found = {one.name: column for one, column in columns}
            yield pa.RecordBatch.from_arrays([found[name] for name in wanted], wanted)

    return pa.schema([one for _, one in fields]), flat


def _within(pa: Any, one: "pa.Field") -> list["pa.Field"]:
    """Returns the columns of a struct; any other column unchanged."""
    if not pa.types.is_struct(one.type):
        return [one]
    return [pa.field(f"{one.name}.{inner.name}", inner.type) for inner in one.type]


def _is_list_of_objects(pa: Any, kind: "pa.DataType") -> bool:
    """True if a column is a list of structs, as the sides of sessions are."""
    types = pa.types
    return bool((types.is_list(kind) or types.is_large_list(kind)) and types.is_struct(kind.value_type))


def _spelt(value: Any) -> Any:
    """Converts the numbers in a nested value to texts, as in objects of JSON."""
    if isinstance(value, dict):
        return {name: _spelt(one) for name, one in value.items() if one is not None}
    if isinstance(value, list):
        return [_spelt(one) for one in value]
    return value if isinstance(value, str) else str(value)


def _is_opaque(pa: Any, kind: "pa.DataType") -> bool:
    """True if values of a type cannot be written as text."""
    types = pa.types
    return bool(
        types.is_duration(kind) or types.is_interval(kind) or types.is_binary(kind) or types.is_large_binary(kind)
        or types.is_fixed_size_binary(kind) or types.is_union(kind)
    )  # fmt: skip


def _texts(column: "pa.Array", values: Values) -> list[str]:
    """Returns the cells of a column as texts; missing values are empty."""
    import pyarrow as pa
    from pyarrow import compute

    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return [values.text(value) or "" for value in column.to_pylist()]
    if _recurs(pa.types, kind):
        encoded = column.dictionary_encode()
        if 2 * len(encoded.dictionary) < len(column):  # recurring texts are converted once
            column, kind = encoded, encoded.type
    if pa.types.is_dictionary(kind):
        spelt = [*_texts(column.dictionary, values), ""]
        return [spelt[index] for index in compute.fill_null(column.indices.cast(pa.int64()), -1).to_pylist()]
    if pa.types.is_timestamp(kind):
        return _times(column, values)
    if pa.types.is_date(kind):
        return [Moment(text) for text in _filled(column.cast(pa.date32()))]
    if pa.types.is_decimal(kind):
        column = column.cast(pa.float64())
    elif pa.types.is_run_end_encoded(kind):
        return _texts(compute.run_end_decode(column), values)
    texts = _filled(column)
    if pa.types.is_boolean(kind):
        return [Truth(text) if text else "" for text in texts]
    if pa.types.is_floating(column.type) and "nan" in texts:
        return ["" if text == "nan" else text for text in texts]
    return texts


def _recurs(types: Any, kind: "pa.DataType") -> bool:
    """True if values of a type may recur in many rows, and can be compared by their bytes."""
    return bool(
        types.is_timestamp(kind) or types.is_date(kind) or types.is_string(kind) or types.is_large_string(kind)
        or types.is_floating(kind)
    )  # fmt: skip


def _filled(column: "pa.Array") -> list[str]:
    import pyarrow as pa

    texts: list[str] = column.cast(pa.string()).fill_null("").to_pylist()
    return texts


def _times(column: "pa.Array", values: Values) -> list[str]:
    """Converts times to texts to the microsecond, in UTC or without a zone; midnights without a zone become days."""
    import pyarrow as pa
    from pyarrow import compute

    exact = column.type.unit != "ns"  # casts from coarser units are checked, since they may overflow
    if column.type.tz is not None:
        zoned = column.cast(pa.timestamp("us", column.type.tz), safe=exact).cast(pa.timestamp("us", "UTC"))
        return [Moment(text) for text in _filled(zoned)]
    local = column.cast(pa.timestamp("us"), safe=exact)
    past = compute.subtract(local.cast(pa.int64()), compute.floor_temporal(local, unit="day").cast(pa.int64()))
    if not compute.any(compute.not_equal(past, 0)).as_py():
        return [Moment(text) for text in _filled(local.cast(pa.date32()))]
    if isinstance(values.zone, ZoneInfo):
        try:
            zoned = compute.assume_timezone(local, values.zone.key, ambiguous="earliest")
        except pa.ArrowInvalid:  # a local time skipped by a clock change is read as in any other table
            return [values.moment(value) if value is not None else "" for value in local.to_pylist()]
        utc = zoned.cast(pa.timestamp("us", "UTC"))
    elif values.zone is not None:
        return [values.moment(value) if value is not None else "" for value in local.to_pylist()]
    else:
        utc = local
    times, days = utc.cast(pa.string()), local.cast(pa.date32()).cast(pa.string())
    mixed = compute.if_else(compute.equal(past, 0), days, times)
    return [Moment(text) for text in mixed.fill_null("").to_pylist()]


def stream_sheet(table: object, name: str, zone: tzinfo | None, again: bool) -> Sheet:
    """Returns the table of an object with an Arrow stream, such as a DataFrame, a table or a database result.

    Parameters
    ----------
    again : bool
        Whether the table will be read more than once. A stream that can be read only once is then stored in a
        temporary file.
    """
    arrow("a table of columns")
    with explained(name):
        first = _stream_of(table)
    lasting = hasattr(table, "__len__") or hasattr(table, "shape") or hasattr(table, "num_rows")
    if again and not lasting:
        first, table, lasting = *_stored(name, first), True
    fresh = [first]

    def batches(columns: list[str]) -> Iterator[Any]:
        if not fresh and not lasting:
            raise BadFile(name, "it can be read once only", "make a table of it first")
        reader = fresh.pop() if fresh else _stream_of(table)
        for batch in reader:
            for start in range(0, len(batch), BATCH):
                yield batch.slice(start, BATCH)

    rows = len(table) if isinstance(table, Sized) else 0
    return sheet_of(name, first.schema, batches, zone, rows if lasting else None)


def _stream_of(table: object) -> Any:
    """Returns a reader of the batches of a table."""
    pa = arrow("a table of columns")
    if isinstance(table, _StoredStream):
        return table.reader()
    if isinstance(table, pa.RecordBatchReader):
        return table
    if isinstance(table, pa.RecordBatch):
        return pa.RecordBatchReader.from_batches(table.schema, [table])
    if hasattr(table, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(table)
    return pa.Table.from_pandas(table).to_reader()


class _StoredStream:
    """A stream stored in a temporary file, to be read repeatedly."""

    def __init__(self, reader: Any) -> None:
        from tempfile import TemporaryFile

        import pyarrow as pa

        self._file = TemporaryFile()  # noqa: SIM115  # stays open as long as the table
        weakref.finalize(self, self._file.close)
        with pa.ipc.new_stream(self._file, reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)

    def reader(self) -> Any:
        import pyarrow as pa

        self._file.seek(0)
        return pa.ipc.open_stream(pa.PythonFile(self._file, "r"))


def _stored(name: str, reader: Any) -> tuple[Any, _StoredStream]:
    with explained(name):
        stored = _StoredStream(reader)
    return stored.reader(), stored


# Writing

ROWS = 131_072
"""Number of rows in a group of a Parquet file."""


def write_results(out: Outgoing) -> Iterator[bytes]:
    """Writes results as a Parquet file, with the head of their log in its metadata."""
    pyarrow = arrow("Parquet")
    from pyarrow import parquet

    text = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    side = pyarrow.struct([("players", pyarrow.list_(pyarrow.string())), ("score", pyarrow.float64())])
    kinds: dict[str, Any] = {
        "position": pyarrow.int64(), "uid": pyarrow.string(), "pool": text,
        "played": pyarrow.timestamp("us", "UTC"), "order": pyarrow.int64(), "a": text, "b": text,
        "score": pyarrow.float64(),
    }  # fmt: skip
    fields = out.fields()
    for name, types in fields.items():
        number = types <= {int, float}
        kinds[name] = pyarrow.int64() if types == {int} else pyarrow.float64() if number else text
    words = {name for name, types in fields.items() if not types <= {int, float}}
    kinds |= {"sides": pyarrow.list_(side)} if "sides" in fields else {}
    schema = pyarrow.schema(list(kinds.items()), metadata={"ratingcore.head": out.head})
    sink = _Sink()
    rows = out.rows()
    with parquet.ParquetWriter(pyarrow.PythonFile(sink, "w"), schema, compression="zstd") as file:
        while taken := list(islice(rows, ROWS)):
            columns = {
                name: [None if row.get(name) is None else str(row[name]) for row in taken]
                if name in words - {"sides"}
                else [row.get(name) for row in taken]
                for name in kinds
            }
            file.write_table(pyarrow.table(columns, schema), ROWS)
            yield sink.taken()
    yield sink.taken()


class _Sink(RawIOBase):
    """A buffer of written bytes that `taken` empties."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        return True

    def write(self, part: Any) -> int:
        found = bytes(part)
        self._parts.append(found)
        self._size += len(found)
        return len(found)

    def tell(self) -> int:
        return self._size

    def taken(self) -> bytes:
        """Returns the bytes written since the last call."""
        found = b"".join(self._parts)
        self._parts.clear()
        return found


def write_ratings(out: Outgoing) -> Iterator[bytes]:
    """Writes a rating list as a Parquet file, with its provenance in its metadata."""
    pyarrow = arrow("Parquet")
    from pyarrow import parquet

    assert out.listed is not None, "the writer has checked it"
    table = pyarrow.table(out.listed)
    made = {"ratingcore.list": out.listed.document("json", out.listed_name)}
    sink = BytesIO()
    parquet.write_table(table.replace_schema_metadata(made), sink, compression="zstd")
    yield sink.getvalue()


def sniff(sample: Sample) -> int:
    """Recognises Parquet and Arrow files by their first bytes, with certainty."""
    return 95 if sample.head.startswith((b"PAR1", b"ARROW1")) and b"\0" in sample.head[:512] else 0


PARQUET = SheetKind(
    "parquet", "Parquet, Arrow IPC and Feather files, by columns", "Parquet or Arrow file", sniff, open_arrow,
    suffixes=(".parquet", ".arrow", ".feather", ".ipc"), takes=is_frame, open_object=stream_sheet,
    form=SheetForm("parquet", (".parquet",), write_results, write_ratings),
)  # fmt: skip
