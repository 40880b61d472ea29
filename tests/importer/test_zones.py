"""Times without a zone are of the zone that is said, whatever kind of table they stand in."""

import io
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import openpyxl  # type: ignore[import-untyped]  # no types
import pytest

from ratingcore.engine import open_engine
from ratingcore.events import iso
from ratingcore.importer.tables import FieldMap
from tests.guests import needs_tables

TIMES = ("2024-03-02T18:30:00", "2024-03-10T02:30:00", "2024-11-03T01:30:00", "2024-03-03T00:00:00")
"""An evening, a time that the clocks of New York skip, one that they show twice, and a day."""
PLAYED = ["2024-03-02T23:30:00Z", "2024-03-10T07:30:00Z", "2024-11-03T05:30:00Z", "2024-03-03"]


def _delimited(form: str) -> bytes:
    times = (datetime.fromisoformat(text).strftime(form) for text in TIMES)
    return "".join(["played,a,b,score\n", *(f"{text},ann,bo,1\n" for text in times)]).encode()


def _objects() -> bytes:
    return "".join(json.dumps({"played": text, "a": "ann", "b": "bo", "score": 1}) + "\n" for text in TIMES).encode()


def _parquet() -> bytes:
    import pyarrow as pa  # type: ignore[import-untyped]  # no types
    from pyarrow import parquet

    times, file = list(map(datetime.fromisoformat, TIMES)), io.BytesIO()
    rows = {"played": times, "a": ["ann"] * 4, "b": ["bo"] * 4, "score": [1.0] * 4}
    parquet.write_table(pa.table(rows), file)
    return file.getvalue()


def _sheet(typed: bool) -> bytes:
    book, file = openpyxl.Workbook(), io.BytesIO()
    sheet = book.active
    sheet.append(["played", "a", "b", "score"])
    for text in TIMES:
        sheet.append([datetime.fromisoformat(text) if typed else text, "ann", "bo", 1])
    book.save(file)
    return file.getvalue()


TABLES: dict[str, tuple[Callable[[], bytes], str | None]] = {
    "csv": (lambda: _delimited("%Y-%m-%d %H:%M"), None),
    "variant": (lambda: _delimited("%Y/%m/%d %H:%M"), None),
    "formed": (lambda: _delimited("%d.%m.%Y %H:%M"), "%d.%m.%Y %H:%M"),
    "jsonl": (_objects, None),
    "parquet": (_parquet, None),
    "xlsx": (lambda: _sheet(typed=True), None),
    "texts of xlsx": (lambda: _sheet(typed=False), None),
}


@pytest.mark.parametrize("kind", TABLES)
@needs_tables
def test_the_same_times_in_any_table_are_the_same_games(kind: str, tmp_path: Path) -> None:
    made, form = TABLES[kind]
    rows = [{"played": text, "a": "ann", "b": "bo", "score": "1"} for text in TIMES]
    with open_engine(":memory:") as engine:
        file = tmp_path / "games"
        file.write_bytes(made())
        engine.import_file(file, pool="men", zone="America/New_York", fields=FieldMap(date=form))
        assert [iso(row.played or 0) for row in engine.log.rows()] == PLAYED
        report = engine.import_file(rows, pool="men", zone="America/New_York")
        assert (report.accepted, report.duplicates) == (0, 4)


def test_a_time_with_its_own_zone_keeps_it() -> None:
    with open_engine(":memory:") as engine:
        file = io.BytesIO(b"played,a,b,score\n2024-03-02T18:30+01:00,ann,bo,1\n")
        engine.import_file(file, pool="men", zone="America/New_York")
        assert next(engine.log.rows()).played == 1_709_400_600_000_000
