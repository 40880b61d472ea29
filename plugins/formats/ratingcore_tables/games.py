"""Reads the games of an Arrow table as columns: players as indexes into names, times and scores as numbers."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]  # no types
from numpy.typing import NDArray

from ratingcore.plugin.readers import TypedRows

_TYPES = pa.types
_TEXTS = (_TYPES.is_string, _TYPES.is_large_string, _TYPES.is_string_view)
_WIDEST = 255
"""Largest length of ids that are read as bytes."""
_ALLOWED = {
    "played": (_TYPES.is_timestamp, _TYPES.is_date32),
    "score": (_TYPES.is_float64, _TYPES.is_integer),
    "uid": (*_TEXTS, _TYPES.is_integer),
}


def are_games(schema: pa.Schema, columns: Mapping[str, str]) -> bool:
    """True if the columns mapped to fields of games have types that can be read as whole arrays."""
    for field, column in columns.items():
        kind = schema.field(column).type
        kind = kind.value_type if _TYPES.is_dictionary(kind) else kind
        if not any(fits(kind) for fits in _ALLOWED.get(field, _TEXTS)):
            return False
    return True


def games(
    schema: pa.Schema,
    batches: Callable[[list[str]], Iterator[pa.RecordBatch]],
    columns: Mapping[str, str],
    first: int,
    then: int,
) -> Iterator[TypedRows | None]:
    """Yields the games of a table: `first` rows, then `then` at a time; None for rows with an invalid value."""
    held = pa.Table.from_batches([], pa.schema([schema.field(column) for column in columns.values()]))
    size = first
    for more in batches(list(columns.values())):
        held = pa.concat_tables([held, pa.Table.from_batches([more]).select(held.column_names)])
        while len(held) >= size:
            yield _rows(held.slice(0, size), columns)
            held, size = held.slice(size), then
    if len(held):
        yield _rows(held, columns)


def _rows(table: pa.Table, columns: Mapping[str, str]) -> TypedRows | None:
    whole = {field: _whole(table.column(column)) for field, column in columns.items()}
    if any(column.null_count for column in whole.values()):
        return None
    when = whole["played"]
    zone = getattr(when.type, "tz", None)
    try:
        played = _numbers(when.cast(pa.timestamp("us", zone)).cast(pa.int64()), np.int64)
        score = _numbers(whole["score"].cast(pa.float64()), np.float64)
        a, b = (whole[field].cast(pa.string()) for field in ("a", "b"))
        uids = _texts(whole["uid"].cast(pa.string())) if "uid" in whole else None
    except pa.ArrowException:
        return None
    timed = _TYPES.is_timestamp(when.type)
    turns = pa.py_buffer(np.arange(2 * len(a), dtype=np.int64).reshape(2, -1).T.ravel())  # a, b, a, b, ...
    seats = pa.concat_arrays([a, b]).take(pa.Array.from_buffers(pa.int64(), 2 * len(a), [None, turns]))
    met = seats.dictionary_encode()
    place = _numbers(met.indices, np.int32)
    return TypedRows(
        played, timed, timed and zone is None, place[::2], place[1::2], met.dictionary.to_pylist(), score, uids
    )


def _whole(column: pa.ChunkedArray) -> pa.Array:
    found = column.combine_chunks()
    if isinstance(found, pa.ChunkedArray):  # no rows
        found = pa.concat_arrays(found.chunks) if found.num_chunks else pa.array([], found.type)
    if not _TYPES.is_dictionary(found.type):
        return found
    words = found.dictionary
    if str(words.type).endswith("_view"):  # the indices of polars' categories cannot be used
        words = words.cast(pa.string())
    return words.take(found.indices)


def _texts(column: pa.Array) -> "NDArray[np.bytes_] | list[str]":
    """Returns the texts of a column as bytes of one width if they are short and printable ASCII."""
    _, offsets, letters = column.buffers()
    end = np.frombuffer(offsets, np.int32, len(column) + 1, column.offset * 4)
    every = np.frombuffer(letters or b"", np.uint8)[end[0] : end[-1]]
    length = np.diff(end)
    width = int(length.max(initial=1))
    if width > _WIDEST or not length.all() or (every - np.uint8(0x20) >= 0x5F).any():  # not printable; wraps below 0
        return column.to_pylist()  # type: ignore[no-any-return]  # pyarrow has no types
    if len(every) < width * len(column):
        cells = np.zeros((len(column), width), np.uint8)
        cells[np.arange(width) < length[:, None]] = every
        every = cells.reshape(-1)
    return every.view(f"S{width}")


def _numbers(column: pa.Array, kind: type[np.number[Any]]) -> Any:
    """Returns the numbers of a column without missing values; Arrow's own conversion to numpy would load pandas."""
    return np.frombuffer(column.buffers()[1], kind, len(column), column.offset * np.dtype(kind).itemsize)
