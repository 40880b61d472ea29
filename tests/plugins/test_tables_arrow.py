"""Parquet and Arrow files, and streams: cells read like those of text, whatever their types."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]  # no types
import pytest
from pyarrow import feather, parquet
from ratingcore_tables import arrow
from ratingcore_tables.arrow import open_arrow, sheet_of, stream_sheet

from ratingcore.errors import BadFile, NotInstalled
from ratingcore.readers import Refused, Source
from ratingcore.readers.sheets import Sheet, Wanted
from tests.plugins.table_files import TABLES, outcomes, read_results, source


def cells(sheet: Sheet, *columns: str) -> list[Any]:
    used = frozenset(map(sheet.columns.index, columns))
    found = []
    for row in sheet.rows(used):
        found.append(row if isinstance(row, Refused) else [row[1][sheet.columns.index(name)] for name in columns])
    return found


def column(values: pa.Array, zone: Any = None) -> list[Any]:
    return [
        row if isinstance(row, Refused) else row[0]
        for row in cells(stream_sheet(pa.table({"c": values}), "t", zone, False), "c")
    ]


@pytest.mark.parametrize("name", ["games.parquet", "games.arrow"])
def test_a_file_says_what_the_csv_of_the_same_games_says(name: str) -> None:
    assert outcomes(TABLES / name) == outcomes(TABLES / "games.csv")
    assert [line.line for line in read_results(TABLES / name, pool="p")] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        (pa.array([1, None, -3], pa.int8()), ["1", "", "-3"]),
        (pa.array([2**64 - 1], pa.uint64()), [str(2**64 - 1)]),
        (pa.array([12345678.0, 0.5, float("nan"), None]), ["12345678", "0.5", "", ""]),
        (pa.array([0.1], pa.float32()), ["0.1"]),
        (pa.array([Decimal("2.50"), None]), ["2.5", ""]),
        (pa.array([True, None]), ["true", ""]),
        (pa.array(["nan", None, " x "], pa.large_string()), ["nan", "", " x "]),
        (pa.array(["ann", None, "bo", "ann"]).dictionary_encode(), ["ann", "", "bo", "ann"]),
        (pa.nulls(2), ["", ""]),
        (pa.array([UUID(int=5).bytes], pa.uuid()), [str(UUID(int=5))]),
        (pa.array([date(2024, 3, 2), None]), ["2024-03-02", ""]),
        (pa.array([datetime(2024, 3, 2)], pa.timestamp("ns")), ["2024-03-02"]),
        (pa.array([-1000], pa.timestamp("ns", "UTC")), ["1969-12-31 23:59:59.999999Z"]),
        (pa.array([1], pa.timestamp("s", "Asia/Tokyo")), ["1970-01-01 00:00:01.000000Z"]),
    ],
)  # fmt: skip
def test_a_value_of_any_type_is_the_text_that_a_file_of_text_has(values: pa.Array, texts: list[str]) -> None:
    assert column(values) == texts


@pytest.mark.parametrize("zone", [ZoneInfo("Europe/Paris"), timezone(timedelta(hours=1))])
def test_times_without_a_zone_are_of_the_zone_that_is_named_and_midnight_is_a_day(zone: Any) -> None:
    values = pa.array([datetime(2024, 3, 2, 19, 30), datetime(2024, 3, 3), None])
    evening, day, nothing = column(values, zone)
    assert datetime.fromisoformat(evening) == datetime(2024, 3, 2, 18, 30, tzinfo=UTC)
    assert (day, nothing) == ("2024-03-03", "")


def test_times_without_a_zone_are_of_none_where_none_is_named() -> None:
    sheet = stream_sheet(
        pa.table({"c": pa.array([datetime(2024, 3, 2, 19, 30), datetime(2024, 3, 2)])}), "t", None, False
    )
    assert cells(sheet, "c") == [["2024-03-02 19:30:00.000000"], ["2024-03-02"]]


def test_only_the_columns_that_are_used_are_read() -> None:
    asked: list[list[str]] = []

    def batches(columns: list[str]) -> Iterator[pa.RecordBatch]:
        asked.append(columns)
        yield pa.record_batch({name: ["x"] for name in columns})

    schema = pa.schema({"a": pa.string(), "b": pa.string(), "c": pa.list_(pa.string())})
    sheet = sheet_of("t", schema, batches, None)
    assert list(sheet.rows(frozenset({1}))) == [(1, ["", "x", ""])]
    assert asked == [["b"]]
    assert sheet.unreadable == {"c": "list<item: string>"}


def test_a_column_without_single_values_is_refused_by_name(tmp_path: Path) -> None:
    table = pa.table({"a": [["ann"]], "b": ["bo"], "played": ["2024-03-02"], "score": ["1"]})
    parquet.write_table(table, tmp_path / "games.parquet")
    with pytest.raises(BadFile, match=r"the cells of column a must be single values, not list<.*string>"):
        read_results(tmp_path / "games.parquet", pool="p")


def test_batches_go_on_counting_rows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(arrow, "BATCH", 2)
    parquet.write_table(pa.table({"c": list("vwxyz")}), tmp_path / "t.parquet", row_group_size=3)
    rows = list(open_arrow(source(tmp_path / "t.parquet"), Wanted()).rows(frozenset({0})))
    assert rows == [(1, ["v"]), (2, ["w"]), (3, ["x"]), (4, ["y"]), (5, ["z"])]


def test_a_cell_that_is_too_long_refuses_its_row_only() -> None:
    texts = column(pa.array(["x", "y" * (2**20 + 1), "z"]))
    assert texts[::2] == ["x", "z"]
    assert isinstance(texts[1], Refused)
    assert "more than 1,048,576 characters" in texts[1].reason


def test_a_file_in_memory_or_in_an_archive_is_read(tmp_path: Path) -> None:
    buffer = BytesIO()
    feather.write_feather(pa.table({"c": ["x"]}), buffer)
    assert cells(open_arrow(Source.of_bytes("t.arrow", buffer.getvalue()), Wanted()), "c") == [["x"]]


@pytest.mark.parametrize("content", [b"PAR1\0", b"ARROW1\0\0", b"PAR1" + bytes(100) + b"PAR1"])
def test_a_damaged_file_is_refused(content: bytes) -> None:
    with pytest.raises(BadFile, match="cannot be read by columns"):
        open_arrow(Source.of_bytes("t.parquet", content), Wanted())


def test_indexes_that_point_outside_a_dictionary_are_refused() -> None:
    wrong = pa.DictionaryArray.from_arrays(pa.array([7], pa.int8()), pa.array(["ann"]), safe=False)
    buffer = BytesIO()
    with pa.ipc.new_file(buffer, pa.schema({"c": wrong.type})) as writer:
        writer.write_batch(pa.record_batch([wrong], names=["c"]))
    sheet = open_arrow(Source.of_bytes("t.arrow", buffer.getvalue()), Wanted())
    with pytest.raises(BadFile, match="cannot be read by columns"):
        list(sheet.rows(frozenset({0})))


def test_a_stream_is_read_once_unless_it_is_kept() -> None:
    table = pa.table({"c": ["x", "y"]})
    once = stream_sheet(table.to_reader(), "t", None, False)
    assert len(list(once.rows(frozenset({0})))) == 2
    with pytest.raises(BadFile, match="can be read once only"):
        list(once.rows(frozenset({0})))
    kept = stream_sheet(table.to_reader(), "t", None, True)
    assert list(kept.rows(frozenset({0}))) == list(kept.rows(frozenset({0})))
    lasting = stream_sheet(table, "t", None, False)
    assert list(lasting.rows(frozenset({0}))) == list(lasting.rows(frozenset({0})))


def test_times_far_beyond_the_calendar_are_refused_and_not_turned_into_other_days() -> None:
    for zone in (None, "UTC"):
        table = pa.table({"played": pa.array([2**62, 1], pa.timestamp("s", zone))})
        with pytest.raises(BadFile, match="out of bounds timestamp"):
            cells(stream_sheet(table, "t", None, False), "played")


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(NotInstalled) as refused:
        open_arrow(source(TABLES / "games.parquet"), Wanted())
    assert refused.value.hint == 'pip install "ratingcore[tables]"'


@pytest.mark.parametrize(
    ("ids", "as_bytes"),
    [
        (["g1", "g22", "g333"], True), (["g1", "g2", "g3"], True), (["g 1", "g2", "g3"], True), ([1, 22, 333], True),
        (["g1", "", "g3"], False), (["g1", "gö", "g3"], False), (["g1", "g\n2", "g3"], False),
        (["g1", "g\x002", "g3"], False), (["g1", "g" * 256, "g3"], False),
    ],
)  # fmt: skip
def test_ids_of_short_ascii_are_read_as_bytes(ids: list[Any], as_bytes: bool) -> None:
    """They are the texts of the column, also within a table that is cut anywhere."""
    day = date(2024, 3, 2)
    rows = {"id": ids * 3, "played": [day] * 9, "a": ["ann"] * 9, "b": ["bo"] * 9, "score": [1.0] * 9}
    columns = {"uid": "id", **{name: name for name in ("played", "a", "b", "score")}}
    typed = stream_sheet(pa.table(rows).slice(1), "t", None, False).typed
    assert typed is not None
    parts = typed.games(columns, 3, 5)
    assert parts is not None
    found: list[str] = []
    for part in parts:
        assert part is not None
        assert isinstance(part.uids, np.ndarray) == as_bytes
        found += [uid.decode() if isinstance(uid, bytes) else uid for uid in part.uids if part.uids is not None]
    assert found == [str(one) for one in (ids * 3)[1:]]
