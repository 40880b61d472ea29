"""Tables in memory: whatever they are made with, they are known again, amended and issued again as files are."""

import io
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]  # no types
import pytest

import ratingcore as rc
from ratingcore.errors import BadFile, BadMapping, BadValue, ColumnNotFound, NotInstalled
from ratingcore.events import Row
from ratingcore.importer.tables import FieldMap
from ratingcore.sqlite_library import sqlite3
from tests.guests import needs_tables

MAP = {"a": "white", "b": "black", "played": "day", "score": "result"}
ROWS: list[dict[str, Any]] = [
    {"day": date(2024, 3, 2), "white": "ann", "black": "bo", "result": 1.0, "round": 1},
    {"day": date(2024, 3, 9), "white": "bo", "black": "cy", "result": 0.5, "round": None},
    {"day": date(2024, 3, 9), "white": "cy", "black": "ann", "result": None, "round": 2},
    {"day": date(2024, 3, 16), "white": "di", "black": "di", "result": 0.0, "round": 3},
]
CSV = "day,white,black,result,round\n" + "".join(
    ",".join("" if value is None else str(value) for value in row.values()) + "\n" for row in ROWS
)


def cursor() -> Any:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE g (day TEXT, white TEXT, black TEXT, result REAL, round INTEGER)")
    values = [(str(row["day"]), *list(row.values())[1:]) for row in ROWS]
    db.executemany("INSERT INTO g VALUES (?,?,?,?,?)", values)
    return db.execute("SELECT * FROM g")


class Capsule:
    """What offers an Arrow stream, and nothing else."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return pa.Table.from_pylist(ROWS).__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("given", [None, {"a": "whites"}])
def test_the_hint_to_map_columns_names_the_argument(tmp_path: Path, given: dict[str, str] | None) -> None:
    """It named options of the command line."""
    games = tmp_path / "games.csv"
    games.write_text(CSV)
    with rc.open(":memory:") as engine:
        for what in (ROWS, games):
            with pytest.raises(ColumnNotFound) as found:
                engine.import_file(what, "p", given)
            mapping = {"a": "white", "b": "black", "score": "result", "played": "day"}
            assert found.value.hint == f"if these are the columns: fields={mapping}"


def test_a_file_is_read_by_a_mapping_of_fields_to_columns(tmp_path: Path) -> None:
    """As a table in memory is; before, only a FieldMap was taken."""
    games, seeds, people = (tmp_path / name for name in ("games.csv", "seeds.csv", "people.csv"))
    games.write_text(CSV)
    seeds.write_text("who,elo\nann,1650\n")
    people.write_text("who,called\nann,Ann Lee\n")
    with rc.open(":memory:") as engine:
        assert engine.import_file(games, pool="p", fields=MAP).accepted == 2
        assert engine.import_file(games, "p", MAP).duplicates == 2
        assert engine.import_seeds(seeds, "p", {"player": "who", "rating": "elo"}, at="2024-01-01").accepted == 1
        assert engine.import_players(people, "p", {"player": "who"}).accepted == 1
        wrong: Any = {"a": 1}
        with pytest.raises(BadMapping, match=r"^fields: must have names of fields and columns: 'a': 1$"):
            engine.import_file(games, pool="p", fields=wrong)
        wrong = "a=white"
        with pytest.raises(BadValue, match=r"must be Mapping\[str, str\] \| FieldMap \| None, not str"):
            engine.import_file(games, pool="p", fields=wrong)


def indexed() -> pd.DataFrame:
    return pd.DataFrame(ROWS).set_index("day")


MADE: dict[str, Callable[[], Any]] = {
    "list": lambda: ROWS,
    "generator": lambda: iter(ROWS),
    "table": lambda: pa.Table.from_pylist(ROWS),
    "batch": lambda: pa.RecordBatch.from_pylist(ROWS),
    "reader": lambda: pa.Table.from_pylist(ROWS).to_reader(1),
    "pandas": lambda: pd.DataFrame(ROWS),
    "pandas, days as times": lambda: pd.DataFrame(ROWS).astype({"day": "datetime64[ns]"}),
    "pandas, shuffled index": lambda: pd.DataFrame(ROWS, index=[5, 3, 9, 1]),
    "pandas, index": indexed,
    "polars": lambda: pl.DataFrame(ROWS),
    "capsule": Capsule,
    "cursor": cursor,
}


@pytest.fixture
def engine() -> Iterator[rc.Engine]:
    with rc.open(":memory:") as engine:
        yield engine


def rows(engine: rc.Engine) -> list[Row]:
    return list(engine.log.rows())


@pytest.mark.parametrize("kind", MADE)
@needs_tables
def test_a_table_says_what_the_file_of_its_rows_says(engine: rc.Engine, kind: str) -> None:
    report = engine.import_file(MADE[kind](), "rapid", MAP)
    assert report.adds_up
    assert (report.read, report.accepted, report.unrated) == (4, 2, {"no result yet": [3]})
    assert [(line, reason) for line, reason, _ in report.refused] == [(4, "a player cannot meet themselves: di")]
    assert (report.source, report.reader, report.unused_columns) == ("table", "table", [])
    with rc.open(":memory:") as other:
        other.log.adopt(engine.log.key)
        theirs = other.import_file(io.BytesIO(CSV.encode()), pool="rapid", fields=FieldMap.parse(mapped(MAP)))
        assert [row[1:] for row in rows(other)] == [row[1:] for row in rows(engine)]
        assert theirs.unrated == {"no result yet": [4]}  # of a file, the header is a line too
        again = other.import_file(MADE[kind](), "rapid", MAP)
        assert (again.accepted, again.duplicates) == (0, 2)


def mapped(pairs: dict[str, str]) -> str:
    return ",".join(f"{field}={column}" for field, column in pairs.items())


def test_a_table_stands_for_its_source_when_it_is_issued_again(engine: rc.Engine) -> None:
    engine.import_file(ROWS[:2], "rapid", MAP, name="league")
    turned = {**ROWS[0], "white": "bo", "black": "ann", "result": 0.0}
    fresh = {**ROWS[1], "day": date(2024, 4, 6)}
    report = engine.import_file([turned, fresh], fields=MAP, name="league", reissue=True)
    assert (report.amended, report.voided, report.accepted) == (1, 1, 1)
    named = engine.import_file(ROWS[:2], fields=MAP, reissue="league", dry_run=True)
    assert {what: len(lines) for what, lines in named.listed.items()} == {"changed": 1, "missing": 1, "new": 0}
    with pytest.raises(BadValue, match="needs the source of the table"):
        engine.import_file(ROWS, fields=MAP, reissue=True)


@pytest.mark.parametrize("made", [lambda rows: pa.Table.from_pylist(rows).to_reader(), iter])
@needs_tables
def test_days_in_doubt_take_nothing_of_a_stream_either(engine: rc.Engine, made: Callable[[Any], Any]) -> None:
    days = [{"played": day, "a": "ann", "b": "bo", "score": 1.0} for day in ("01.02.2024", "13.02.2024")]
    form = FieldMap(date="%d.%m.%Y")
    assert engine.import_file(made(days), "rapid", form).accepted == 2
    with pytest.raises(BadFile, match="cannot be trusted"):
        engine.import_file(made([*days, {**days[0], "played": "02.13.2024"}]), "blitz", form)


def test_a_row_without_a_column_or_of_another_type_is_one_refused_row(engine: rc.Engine) -> None:
    given = [ROWS[0], "ann - bo", {"day": "2024-03-02"}, {**ROWS[1], "result": [1]}]
    report = engine.import_file(given, "rapid", MAP)
    reasons = [reason for _, reason, _ in report.refused]
    assert report.accepted == 1
    assert reasons[0] == "the row is not a mapping: str"
    assert reasons[-1] == "result is not a single value"


@pytest.mark.parametrize("wrong", [b"x", {"a": [1]}, 5, None, object()])
def test_what_is_no_table_is_refused(engine: rc.Engine, wrong: Any) -> None:
    with pytest.raises(BadValue, match="is not a table"):
        engine.import_file(wrong, pool="rapid")


@needs_tables
def test_a_table_that_the_mapping_does_not_fit_is_refused(engine: rc.Engine) -> None:
    with pytest.raises(BadFile, match=r"cannot read .*: it is empty"):
        engine.import_file([], pool="rapid")
    with pytest.raises(ColumnNotFound, match="no column 'a'"):
        engine.import_file(ROWS, pool="rapid")
    with pytest.raises(ColumnNotFound, match="no column 'a'"):
        engine.import_file(ROWS, "rapid", {"a": ""})  # a column that is mapped away
    with pytest.raises(BadFile, match="the cells of column tags must be single values"):
        engine.import_file(pa.table({"tags": [[1]]}), "rapid", {"a": "tags"})
    with pytest.raises(BadFile, match="cannot be read by columns"):
        engine.import_file(pd.DataFrame({"a": ["x", 1.5, b"z"]}), pool="rapid")
    assert engine.core.position() == 0


@needs_tables
def test_frames_need_the_extra_and_mappings_do_not(engine: rc.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    assert engine.import_file(ROWS[:1], "rapid", MAP).accepted == 1
    with pytest.raises(NotInstalled, match="pyarrow"):
        engine.import_file(pl.DataFrame(ROWS), "rapid", MAP)
