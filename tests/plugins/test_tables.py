"""Tables are known by their content, whatever they are called."""

import re
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]  # no types
import pytest
from pyarrow import parquet

from ratingcore.errors import BadFile
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.sheets import kind_of
from ratingcore.importer.tables.short_tables import read_merges
from ratingcore.readers import Made, Sample, Unrated
from tests.plugins.table_files import SHEETS, TABLES, read_results, source


@pytest.mark.parametrize(
    ("name", "kind"),
    [("csv", ""), ("parquet", "parquet"), ("arrow", "parquet"), ("xlsx", "sheet"), ("xls", "sheet"), ("ods", "sheet")],
)
def test_a_file_is_known_by_its_beginning(name: str, kind: str, tmp_path: Path) -> None:
    content = (TABLES / f"games.{name}").read_bytes()
    found = kind_of(SHEETS, Sample("games", content[: 2**16]))
    assert (found.name if found else "") == kind
    (tmp_path / "games.csv").write_bytes(content)
    assert sum(isinstance(row, Made | Unrated) for row in read_results(tmp_path / "games.csv", pool="p")) == 6


def test_text_that_begins_like_a_binary_file_is_text(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text("PAR1,a,b,played,score\nx,ann,bo,2024-03-02,1\n")
    assert len(list(read_results(tmp_path / "games.csv", pool="p"))) == 1


def test_a_query_or_a_sheet_is_not_passed_over_in_silence() -> None:
    with pytest.raises(BadFile, match="it is not a SQLite database, and takes no query") as refused:
        read_results(TABLES / "games.csv", pool="p", fields=FieldMap(query="SELECT 1"))
    assert "engine.import_file" in refused.value.hint
    with pytest.raises(BadFile, match="it is not a spreadsheet, and has no sheet Games"):
        read_results(TABLES / "games.parquet", pool="p", fields=FieldMap(sheet="Games"))


def test_corrections_come_from_any_table_too(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"keep": ["ann"], "other": ["Ann Lee"]}), tmp_path / "merges.parquet")
    assert read_merges(source(tmp_path / "merges.parquet")) == [("ann", "Ann Lee")]


def test_nothing_but_its_own_tests_knows_the_plugin() -> None:
    root = Path(__file__).parents[2]
    own = {*Path(__file__).parent.glob("test_tables*.py"), Path(__file__).parent / "table_files.py"}
    others = [*(root / "ratingcore").rglob("*.py"), *(root / "tests").rglob("*.py"), *(root / "plugins").rglob("*.py")]
    knows = re.compile(r"^\s*(?:from|import) ratingcore_tables", re.MULTILINE)
    found = {path for path in others if path not in own and "ratingcore_tables" not in path.parts}
    assert [path.name for path in sorted(found) if knows.search(path.read_text(encoding="utf-8"))] == []
