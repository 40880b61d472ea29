"""The writers of tables: results as CSV, JSON lines, Parquet or a workbook, and a rating list in the same forms."""

import csv
import io
import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from attrs import frozen

from ratingcore.errors import BadParameter, NotInstalled
from ratingcore.events import GamePlayed, SessionPlayed, iso
from ratingcore.importer.tables.workbook import workbook
from ratingcore.readers import Outgoing, Writer
from ratingcore.readers.formats import one_of

COLUMNS = ("position", "uid", "pool", "played", "order", "a", "b", "score")
"""Columns of results; those of the free fields follow, and `sides` where there are sessions."""
ROWS = 131_072
"""Rows that a Parquet file holds together."""
_FORMS = {
    ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".json": "json", ".xlsx": "xlsx",
}  # fmt: skip


@frozen
class TableForm:
    """Options of the writers of tables.

    Parameters
    ----------
    form : {"", "csv", "jsonl", "json", "parquet", "xlsx"}
        How rows are written; by the ending of the file if empty, as CSV without one.
    """

    form: str = one_of("", "csv", "jsonl", "json", "parquet", "xlsx")


def _form(out: Outgoing, options: TableForm, writer: str, forms: tuple[str, ...]) -> str:
    ending = next((form for suffix, form in _FORMS.items() if out.ends(suffix)), "csv")
    form = options.form or ending
    if form not in forms:
        raise BadParameter(writer, "form", f"is none of {', '.join(forms)}: {form}")
    return form


def _rows(out: Outgoing) -> Iterator[dict[str, Any]]:
    for position, result in out.results():
        row: dict[str, Any] = {
            "position": position, "uid": result.uid, "pool": result.pool, "played": result.played,
            "order": result.order,
        }  # fmt: skip
        if isinstance(result, GamePlayed):
            row |= {"a": result.a, "b": result.b, "score": result.score}
        else:
            row["sides"] = [{"players": list(side.players), "score": side.score} for side in result.sides]
        yield dict(result.data) | row


def _write_results(out: Outgoing, options: TableForm) -> Iterator[bytes]:
    write = {"csv": _csv, "jsonl": _jsonl, "parquet": _parquet, "xlsx": _xlsx}
    return write[_form(out, options, "results", tuple(write))](out)


def _fields(out: Outgoing) -> dict[str, set[type]]:
    """The free fields that any of the results has, with the types of their values."""
    found: dict[str, set[type]] = {}
    for _, result in out.results():
        if isinstance(result, SessionPlayed):
            found.setdefault("sides", set())
        for name, value in result.data.items():
            found.setdefault(name, set()).add(type(value))
    return dict(sorted(found.items()))


def _columns(out: Outgoing, form: str) -> tuple[str, ...]:
    """The columns of a table without nested cells."""
    fields = _fields(out)
    if "sides" in fields:
        raise BadParameter(
            "results", "form", f"{form} has no place for the sides of sessions: write .jsonl or .parquet"
        )
    return (*COLUMNS, *fields)


def _xlsx(out: Outgoing) -> Iterator[bytes]:
    columns = _columns(out, "xlsx")

    def rows() -> Iterator[list[Any]]:
        for row in _rows(out):
            row["played"] = iso(row["played"])
            yield [_plain(row.get(name)) for name in columns]

    yield workbook({"results": (columns, rows()), "made from": (("fact", "value"), [("head", out.head)])})


def _csv(out: Outgoing) -> Iterator[bytes]:
    columns = _columns(out, "csv")
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(columns)
    for row in _rows(out):
        row["played"] = iso(row["played"])
        rows.writerow([_plain(row.get(name)) for name in columns])
        if text.tell() > 2**16:
            yield _taken(text)
    yield _taken(text)


def _taken(text: io.StringIO) -> bytes:
    found = text.getvalue().encode()
    text.seek(0)
    text.truncate()
    return found


def _plain(value: Any) -> Any:
    return ("true" if value else "false") if isinstance(value, bool) else value


def _jsonl(out: Outgoing) -> Iterator[bytes]:
    for row in _rows(out):
        row["played"] = iso(row["played"])
        yield json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _parquet(out: Outgoing) -> Iterator[bytes]:
    try:
        import pyarrow  # type: ignore[import-untyped]  # large, wanted by few, and has no types
        from pyarrow import parquet
    except ImportError:
        raise NotInstalled("pyarrow", "Parquet", "tables") from None
    text = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    side = pyarrow.struct([("players", pyarrow.list_(pyarrow.string())), ("score", pyarrow.float64())])
    kinds: dict[str, Any] = {
        "position": pyarrow.int64(), "uid": pyarrow.string(), "pool": text,
        "played": pyarrow.timestamp("us", "UTC"), "order": pyarrow.int64(), "a": text, "b": text,
        "score": pyarrow.float64(),
    }  # fmt: skip
    fields = _fields(out)
    for name, types in fields.items():
        number = types <= {int, float}
        kinds[name] = pyarrow.int64() if types == {int} else pyarrow.float64() if number else text
    words = {name for name, types in fields.items() if not types <= {int, float}}
    kinds |= {"sides": pyarrow.list_(side)} if "sides" in fields else {}
    schema = pyarrow.schema(list(kinds.items()), metadata={"ratingcore.head": out.head})
    sink = _Sink()
    rows = _rows(out)
    with parquet.ParquetWriter(pyarrow.PythonFile(sink, "w"), schema, compression="zstd") as file:
        while taken := list(islice(rows, ROWS)):
            columns = {
                name: [None if row.get(name) is None else str(_plain(row[name])) for row in taken]
                if name in words - {"sides"}
                else [row.get(name) for row in taken]
                for name in kinds
            }
            file.write_table(pyarrow.table(columns, schema), ROWS)
            yield sink.taken()
    yield sink.taken()


class _Sink(io.RawIOBase):
    """Bytes that are written, until they are taken."""

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
        """What was written since the last time."""
        found = b"".join(self._parts)
        self._parts.clear()
        return found


def _write_ratings(out: Outgoing, options: TableForm) -> Iterator[bytes]:
    form = _form(out, options, "ratings", ("csv", "json", "parquet", "xlsx"))
    if out.listed is None:
        raise BadParameter("ratings", "list", "is missing: say which published list, --list NAME")
    if form == "xlsx":
        said = json.loads(out.listed.document("json", out.listed_name))
        yield workbook({"ratings": (said["columns"], said["rows"]), "made from": (("fact", "value"), _facts(said))})
        return
    if form != "parquet":
        yield out.listed.document(form, out.listed_name).encode()
        return
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise NotInstalled("pyarrow", "Parquet", "tables") from None
    table = pyarrow.table(out.listed)
    made = {"ratingcore.list": out.listed.document("json", out.listed_name)}
    sink = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata(made), sink, compression="zstd")
    yield sink.getvalue()


def _facts(said: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What a list was made from, a fact a row."""
    for name, value in said.items():
        if isinstance(value, dict):
            yield from _facts(value)
        elif name not in ("columns", "rows"):
            yield name, value


RESULTS = Writer(
    "results", "results as they read, corrections applied: .csv, .jsonl, .parquet, .xlsx", TableForm,
    write=_write_results,
)  # fmt: skip
RATINGS = Writer(
    "ratings", "a published list with what it was made from: .csv, .json, .parquet, .xlsx", TableForm,
    write=_write_ratings,
)  # fmt: skip
WRITERS = {writer.name: writer for writer in (RESULTS, RATINGS)}
"""The writers of tables, by name."""
