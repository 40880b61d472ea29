"""Arrow streams: tables by columns, of DataFrames, databases and files, which only those with pyarrow can read."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ratingcore.errors import BadFile, NotInstalled


def arrow(what: str) -> Any:
    """The package pyarrow; `NotInstalled` if it is not there."""
    try:
        import pyarrow  # type: ignore[import-untyped]  # large, wanted by few, and has no types
    except ImportError:
        raise NotInstalled("pyarrow", what, "tables") from None
    return pyarrow


@contextmanager
def explained(name: str) -> Iterator[None]:
    """Turns what goes wrong while Arrow reads into `BadFile`."""
    pa = arrow("a table of columns")
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, TypeError, MemoryError, OverflowError) as error:
        if isinstance(error, BadFile):
            raise
        why = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise BadFile(name, f"it cannot be read by columns: {why}") from None


def is_frame(table: object) -> bool:
    """Whether Arrow can read an object by columns."""
    frame = type(table).__module__.partition(".")[0] == "pandas" and type(table).__name__ == "DataFrame"
    return frame or hasattr(table, "__arrow_c_stream__") or type(table).__module__.startswith("pyarrow.")


def stream_of(table: object) -> Any:
    """A reader of the batches of an object."""
    pa = arrow("a table of columns")
    if isinstance(table, pa.RecordBatchReader):
        return table
    if isinstance(table, pa.RecordBatch):
        return pa.RecordBatchReader.from_batches(table.schema, [table])
    if hasattr(table, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(table)
    return pa.Table.from_pandas(table).to_reader()
