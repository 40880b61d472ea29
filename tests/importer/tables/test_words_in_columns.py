"""Words for unplayed games under any heading: the same answers by columns as by rows."""

from pathlib import Path

import pytest

import ratingcore as rc

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
feather = pytest.importorskip("pyarrow.feather")

WORDS = ["", "forfeit", "cup", "walkover", "cancelled", "void", "unrated", "cup"]


def table(texts: str, rows: int = 1) -> "pa.Table":
    words = [f"{word}" for word in WORDS for _ in range(rows)]
    people = [f"p{number}" for number in range(2 * len(words))]
    text = pa.dictionary(pa.int32(), pa.string()) if texts == "dictionary" else getattr(pa, texts)()
    return pa.table(
        {
            "played": pa.array(["2024-03-02"] * len(words)).cast(pa.date32()), "a": people[::2], "b": people[1::2],
            "score": [1.0] * len(words), "info": pa.array(words).cast(text), "number": list(range(len(words))),
        }
    )  # fmt: skip


@pytest.mark.parametrize("texts", ["string", "large_string", "dictionary"])
@pytest.mark.parametrize("form", ["parquet", "arrow", "frame"])
@pytest.mark.parametrize("rows", [1, 1_000])
def test_words_under_any_heading_are_read_by_columns_too(tmp_path: Path, form: str, texts: str, rows: int) -> None:
    """A column of forfeits in a Parquet file was not examined, as it is in CSV: they counted as wins."""
    given = table(texts, rows)
    lines = [",".join(map(str, row.values())) for row in given.to_pylist()]
    (tmp_path / "games.csv").write_text("\n".join(["played,a,b,score,info,number", *lines]) + "\n")
    parquet.write_table(given, tmp_path / "games.parquet")
    feather.write_feather(given, tmp_path / "games.arrow")
    with rc.open(":memory:") as engine:
        by_rows = engine.import_file(tmp_path / "games.csv", pool="rows")
        by_columns = engine.import_file(given if form == "frame" else tmp_path / f"games.{form}", pool="columns")
        below = {why: [line - 1 for line in lines] for why, lines in by_rows.unrated.items()}  # the header
        assert sum(map(len, below.values())) == 4 * rows
        assert below == by_columns.unrated
        assert by_rows.accepted == by_columns.accepted
        assert list(map(str, by_columns.notes)) == list(map(str, by_rows.notes))


def test_a_column_without_such_words_is_read_no_further() -> None:
    """It is dropped as soon as it has many texts; the table is still read by columns."""
    given = table("string", 1_000).set_column(4, "info", pa.array([f"text {number}" for number in range(8_000)]))
    with rc.open(":memory:") as engine:
        assert engine.import_file(given, pool="columns").accepted == 8_000
