"""Tables in UTF-16 and UTF-32, and NUL bytes in files."""

import codecs
import gzip
import io
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.errors import BadFile

TEXT = "a,b,score,played\nÄnn,Bo,1-0,2024-03-02\nCy,Bo,1/2,2024-03-03\n"
MARKED = {
    "UTF-16": codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
    "UTF-16, high byte first": codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    "UTF-32": codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"),
}


def players(engine: rc.Engine) -> set[str]:
    return set(engine.rating_list("p").player)


@pytest.mark.parametrize("content", MARKED.values(), ids=MARKED)
@pytest.mark.parametrize("packed", [False, True])
def test_a_table_with_a_mark_is_read_in_the_encoding_that_it_names(
    tmp_path: Path, content: bytes, packed: bool
) -> None:
    """No reader knew such a file, and the one that was named took it for UTF-8."""
    file = tmp_path / ("games.csv.gz" if packed else "games.csv")
    file.write_bytes(gzip.compress(content) if packed else content)
    with rc.open(":memory:") as engine:
        assert engine.import_file(file, "p").accepted == 2
        assert engine.import_file(io.BytesIO(content), "p", reader="csv").duplicates == 2
        assert players(engine) == {"Änn", "Bo", "Cy"}


def test_objects_and_other_endings_are_known_too(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        for name, text in (("games.txt", TEXT.replace(",", "\t")), ("more.jsonl", '{"a": "Di", "b": "Bo"}\n')):
            file = tmp_path / name
            file.write_bytes(text.replace('"}', '", "score": 1, "played": "2024-03-02"}').encode("utf-16"))
            engine.import_file(file, "p")
        assert players(engine) == {"Änn", "Bo", "Cy", "Di"}


def test_text_without_a_mark_is_read_by_the_encoding_that_the_user_names(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_bytes(TEXT.encode("utf-16-le"))
    with rc.open(":memory:") as engine:
        with pytest.raises(BadFile, match="it is not text: line 1 has a NUL byte") as caught:
            engine.import_file(file, "p")
        assert "give its encoding: utf-16-le" in caught.value.hint
        assert engine.import_file(file, "p", encoding="utf-16-le").accepted == 2


def test_a_row_with_a_nul_byte_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text(TEXT.replace("Cy", "C\0y"))
    with rc.open(":memory:") as engine:
        report = engine.import_file(file, "p")
        assert report.accepted == 1
        assert [row[:2] for row in report.refused] == [(3, "a holds a control character: 'C\\x00y'")]
        other = file.rename(tmp_path / "games.txt")
        with pytest.raises(BadFile, match="it is not text: line 3 has a NUL byte"):
            engine.import_file(other, "p")
