"""The kind of table of `docs/writing/table.md` does what the guide says, loaded as it is written there."""

from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.errors import BadFile
from ratingcore.importer.reader_choice import InstalledReaders
from ratingcore.registry import Registry
from tests.plugins.test_guide_methods import module_of

GAMES = """TABLE games of March
played      white    black  score
2024-03-02  Ann Lee  bo     1-0
2024-03-09  bo       cy     1/2

2024-03-16  cy       bo     +/-
"""
MAP = {"a": "white", "b": "black"}


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    """A registry of nothing but the stranger's kind of table."""
    made = Registry()
    made.register(module_of("ratingcore_aligned", tmp_path, monkeypatch), "aligned")
    return made


def test_a_strangers_tables_are_recognised_imported_and_written(registry: Registry, tmp_path: Path) -> None:
    (tmp_path / "march.table").write_text(GAMES)
    (tmp_path / "list.txt").write_text("TABLE list\nplayer   rating\nAnn Lee  1650\nbo       1500.5\n")
    with rc.open(":memory:", registry=registry) as engine:
        report = engine.import_file(tmp_path / "march.table", "rapid", MAP)
        assert (report.reader, report.accepted, report.unrated) == ("aligned", 2, {"forfeit": [6]})
        assert engine.import_seeds(tmp_path / "list.txt", "rapid", at="2024-01-01").accepted == 2
        out = b"".join(engine.written("results", "again.table"))
    assert out.splitlines()[0] == b"TABLE results"
    (tmp_path / "again.table").write_bytes(out)
    with rc.open(":memory:", registry=registry) as engine:
        assert engine.import_file(tmp_path / "again.table").accepted == 2
        assert engine.log.book.keys_of("player") == ["Ann Lee", "bo", "cy"]


def test_without_a_plugin_text_is_read_and_other_tables_are_refused(tmp_path: Path) -> None:
    (tmp_path / "march.csv").write_text("played,a,b,score\n2024-03-02,ann,bo,1-0\n")
    (tmp_path / "march.parquet").write_bytes(b"PAR1" + bytes(600))
    with rc.open(":memory:", registry=Registry()) as engine:
        assert list(InstalledReaders(engine.registry)) == ["csv", "jsonl"]
        assert engine.import_file(tmp_path / "march.csv", "rapid").accepted == 1
        with pytest.raises(BadFile, match="no reader recognises it"):
            engine.import_file(tmp_path / "march.parquet", "rapid")
