"""Files of any format, recognised by content, each with a report."""

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ratingcore.engine import Engine, open_engine
from ratingcore.errors import BadFile, BadParameter, BadValue, ColumnNotFound, RowsRefused
from ratingcore.events import Event, GamePlayed, iso
from ratingcore.importer.inputs import Found, Opening
from ratingcore.importer.reader_choice import InstalledReaders, guesses
from ratingcore.importer.tables import FieldMap
from ratingcore.log import SqliteLog
from ratingcore.log.lookup import corrections_of
from ratingcore.readers import Game, Reader, Sample, Source, Who, at, day_of
from ratingcore.registry import Registry
from tests.importer.tournaments import READER, bytes_of

CSV = b"played,a,b,score\n2024-03-02,ann,bo,1\n2024-03-09,bo,cy,0.5\n"


def lines(source: Source, options: Any) -> Iterator[Game]:
    """`id WHITE BLACK SCORE SPEED DAY`."""
    for number, line in source.lines():
        uid, a, b, score, speed, day = line.split()
        key = (f"site:{uid}",) if uid != "-" else (speed, day)
        yield Game(number, key, Who(None, a), Who(None, b), float(score), at(day_of(day)), tables={"speed": speed})


def plain(path: str) -> Iterator[Event]:
    """Games of two letters a line."""
    for line in Path(path).read_text().split():
        yield GamePlayed(pool="old", played="2024-03-02", a=line[0], b=line[1], score=1.0)


SITE = Reader(
    "site", "games of a site", sniff=lambda sample: 90 * sample.head.startswith(b"id"), read=lines, tables=("speed",)
)


@pytest.fixture
def engine() -> Iterator[Engine]:
    registry = Registry.installed()
    registry.readers.update({"cross": READER, "site": SITE, "plain": plain})
    with open_engine(":memory:", registry=registry) as engine:
        yield engine


def test_formats_are_recognised_by_content(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(CSV)
    (tmp_path / "two").write_bytes(bytes_of("1 ann bo 1"))
    (tmp_path / "three").write_bytes(b"\x00\x01nothing")
    reports = {Path(report.source).name: report for report in engine.import_file(tmp_path, pool="club").reports}
    assert {name: (one.reader, one.accepted) for name, one in reports.items()} == {
        "one": ("csv", 2), "two": ("cross", 1), "other files": ("", 0),
    }  # fmt: skip
    assert [Path(name).name for name in reports["other files"].unknown] == ["three"]


def test_text_that_is_no_table_is_left_out_of_a_folder_and_read_as_one_when_it_is_named(
    engine: Engine, tmp_path: Path
) -> None:
    (tmp_path / "README.md").write_text("# games, and more\n\nsome, words\n")
    (tmp_path / "games.csv").write_bytes(CSV)
    first, others = engine.import_file(tmp_path, pool="club").reports
    assert (first.accepted, len(others.unknown)) == (2, 1)
    with pytest.raises(ColumnNotFound):
        engine.import_file(tmp_path / "README.md", pool="club")


def test_a_file_that_no_reader_knows_is_refused_before_anything_is_written(engine: Engine, tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_bytes(CSV)
    bad.write_bytes(b"\x00")
    with pytest.raises(BadFile, match="no reader recognises it"):
        engine.import_file([good, bad], pool="club")
    assert engine.log.head.position == 0
    first, second = engine.import_file([bad, good], pool="club", keep_going=True).reports
    assert ("no reader recognises it" in first.failed, second.accepted) == (True, 2)


@pytest.mark.parametrize("start", [b"<html><table>", b"\xef\xbb\xbf<!DOCTYPE html>", b"%PDF-1.4", rb"{\rtf1"])
def test_a_page_that_is_called_a_spreadsheet_is_refused_as_one(engine: Engine, tmp_path: Path, start: bytes) -> None:
    """Sites export pages of HTML as `.xls`, and the hint was to name a reader."""
    (tmp_path / "results.xls").write_bytes(start)
    with pytest.raises(BadFile, match="it is a web page or a document to print") as refused:
        engine.import_file(tmp_path / "results.xls", pool="club")
    assert "save that as CSV" in str(refused.value.hint)


def test_a_file_that_ends_badly_ends_the_import_or_does_not(engine: Engine) -> None:
    def files() -> list[Any]:
        return [io.BytesIO(b"id ann bo 1 blitz 2024-03-02\n\0"), io.BytesIO(CSV)]

    with pytest.raises(BadFile, match="NUL"):
        engine.import_file(files(), pool="club")
    assert engine.log.head.position == 0
    first, second = engine.import_file(files(), pool="club", keep_going=True).reports
    assert (bool(first.failed), second.accepted) == (True, 2)


def test_a_folder_goes_on_after_a_file_that_cannot_be_read(engine: Engine, tmp_path: Path) -> None:
    (folder := tmp_path / "season").mkdir()
    (folder / "1.csv").write_bytes(b"a,b\nann,bo\n")
    (folder / "2.csv").write_bytes(CSV)
    (folder / "3.zip").write_bytes(b"PK\x03\x04")
    broken, first, second = engine.import_file(folder, pool="club").reports
    assert (bool(broken.failed), bool(first.failed), second.accepted) == (True, True, 2)
    with pytest.raises(ColumnNotFound):
        engine.import_file([folder / "1.csv", folder / "2.csv"], pool="club")


def test_a_folder_without_files_is_said_to_be_one(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="the folder holds no files"):
        engine.import_file(tmp_path, pool="club")


@pytest.mark.parametrize("length", [300, 2_000])
def test_a_tar_file_that_ends_early_is_said_to(engine: Engine, tmp_path: Path, length: int) -> None:
    with tarfile.open(tmp_path / "season.tar", "w") as made:
        for name in ("1.csv", "2.csv"):
            part = tarfile.TarInfo(name)
            part.size = len(long := CSV + b" " * 5_000)
            made.addfile(part, io.BytesIO(long))
    (tmp_path / "cut.tar").write_bytes((tmp_path / "season.tar").read_bytes()[:length])
    with pytest.raises(BadFile, match=r"cut\.tar: the tar file (ends early|is damaged)"):
        engine.import_file(tmp_path / "cut.tar", pool="club")


def test_a_template_of_pools_is_filled_in(engine: Engine) -> None:
    games = b"id1 ann bo 1 blitz 2024-03-02\nid2 ann bo 1 rapid 2024-03-02\n"
    assert engine.import_file(io.BytesIO(games), pool="site-{speed}").accepted == 2
    assert engine.pools() == ["site-blitz", "site-rapid"]
    again = engine.import_file(io.BytesIO(games), pool="{nothing}")
    assert len(again.refused) == 2


def test_public_ids_are_uids_and_other_keys_never_name_anybody(engine: Engine) -> None:
    games = b"id1 ann bo 1 blitz 2024-03-02\n- ann bo 1 blitz 2024-03-02\n- ann bo 0 blitz 2024-03-02\n"
    assert engine.import_file(io.BytesIO(games), pool="club").accepted == 3
    uids = [row.uid for row in engine.log.rows(0, None, ("game",))]
    assert uids[0] == "site:id1"
    assert all(uid.startswith("site-") and len(uid) == 38 for uid in uids[1:])
    assert engine.import_file(io.BytesIO(games), pool="club").duplicates == 3


def test_a_row_of_a_stream_that_says_otherwise_is_refused_or_amended(engine: Engine) -> None:
    engine.import_file(io.BytesIO(b"id1 ann bo 1 blitz 2024-03-02\n"), pool="club")
    other = b"id1 ann bo 0 blitz 2024-03-03\n"
    assert len(engine.import_file(io.BytesIO(other), pool="club").refused) == 1
    report = engine.import_file(io.BytesIO(other), pool="club", amend=True)
    assert (report.amended, report.adds_up) == (1, True)
    assert engine.import_file(io.BytesIO(other), pool="club", amend=True).duplicates == 1
    (row,) = engine.log.rows(0, None, ("game",))
    now = corrections_of(engine.log).read(row)
    assert now is not None
    assert (now.score, iso(now.played or 0)) == (0.0, "2024-03-03")


def test_a_row_of_a_table_that_says_otherwise_is_amended_when_asked(engine: Engine) -> None:
    engine.import_file(io.BytesIO(CSV), pool="club")
    other = CSV.replace(b"ann,bo,1", b"ann,bo,0")
    assert engine.import_file(io.BytesIO(other), pool="club").changed == 1
    assert engine.import_file(io.BytesIO(other), pool="club", amend=True).amended == 1
    assert engine.import_file(io.BytesIO(other), pool="club").duplicates == 2


def test_a_plain_function_is_a_reader_and_doubles_nothing(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_text("ab ac bc")
    assert engine.import_file(path, reader="plain").accepted == 3
    assert engine.import_file(path, reader="plain").duplicates == 3
    assert engine.pools() == ["old"]


def test_options_are_those_of_the_reader(engine: Engine) -> None:
    assert engine.import_file(io.BytesIO(bytes_of("1 ann bo 1")), "club", reader="cross:players=name").accepted == 1
    with pytest.raises(BadParameter, match="playing"):
        engine.import_file(io.BytesIO(bytes_of("1 ann bo 1")), "club", reader="cross", playing="name")
    with pytest.raises(BadFile, match="no reader is named chess960") as told:
        engine.import_file(io.BytesIO(CSV), "club", reader="chess960", name="march.csv")
    assert told.value.path == "march.csv", "it was the repr of the file"


def test_strict_takes_all_or_nothing(engine: Engine) -> None:
    with pytest.raises(RowsRefused):
        engine.import_file(io.BytesIO(CSV + b"x,y\n"), pool="club", strict=True)
    with pytest.raises(RowsRefused):
        engine.import_file(io.BytesIO(bytes_of("1 ann bo 1", "1 cy di bad")), pool="club", strict=True)
    assert engine.log.head.position == 0


def test_readers_say_how_sure_they_are(engine: Engine) -> None:
    (found,) = Opening().found([io.BytesIO(bytes_of("1 ann bo 1"))])
    assert isinstance(found, Found)
    first, *_ = guesses(InstalledReaders(engine.registry), found.sample)
    assert (first.reader.name, first.sure) == ("cross", 90)


def test_two_readers_that_are_equally_sure_are_both_named(engine: Engine) -> None:
    def sure(sample: Sample) -> int:
        return 90 * sample.head.startswith(b"id")

    engine.core.registry.readers["other"] = Reader("other", "", sniff=sure, read=lines)
    with pytest.raises(BadFile, match="two readers") as refused:
        engine.import_file(io.BytesIO(b"id1 ann bo 1 blitz 2024-03-02\n"), pool="club")
    assert refused.value.hint == "name its reader: other or site"


def test_a_key_of_a_reader_that_is_no_text_is_refused_with_the_reader_and_the_line(engine: Engine) -> None:
    def numbered(source: Source, options: Any) -> Iterator[Game]:
        for game in lines(source, options):
            yield game._replace(key=(game.line,))  # type: ignore[arg-type]  # the mistake

    engine.core.registry.readers["numbered"] = Reader("numbered", "", sniff=lambda sample: 0, read=numbered)
    report = engine.import_file(io.BytesIO(b"id1 ann bo 1 blitz 2024-03-02\n"), pool="club", reader="numbered")
    assert [line for line, *_ in report.refused] == [1]
    assert "the reader numbered fails: a key of a result is (1,), not texts" in report.refused[0][1]


def test_a_table_with_columns_of_its_own_or_a_mapping_is_read_without_loading_any_plugin(tmp_path: Path) -> None:
    registry = Registry()
    registry._load_waiting = lambda: pytest.fail("no plugin is needed")  # type: ignore[method-assign]  # to see it
    plain, mapped = tmp_path / "games.csv", tmp_path / "others.csv"
    plain.write_text("a,b,score,played\nann,bo,1,2024-03-02\n")
    mapped.write_text("white,black,score,played\ncy,di,1,2024-03-02\n")
    engine = Engine(SqliteLog(":memory:"), registry)
    assert engine.import_file(plain, "club").accepted == 1
    assert engine.import_file(mapped, "club", {"a": "white", "b": "black"}).accepted == 1


def pgn(day: str) -> bytes:
    return f'[Event "Cup"]\n[Date "{day}"]\n[White "ann"]\n[Black "bo"]\n[Result "1-0"]\n\n1-0\n'.encode()


@pytest.mark.parametrize(
    ("name", "content", "wrong"),
    [
        ("a.pgn", pgn("05/09/2024"), "may mean more than one day: give the format of the dates, %d/%m/%Y or %m/%d/%Y"),
        ("a.sgf", b"(;GM[1]PB[ann]PW[bo]RE[B+R]DT[05/09/2024];B[pd];W[dp])", "may mean more than one day"),
        ("a.csv", b"played,a,b,score\n05/09/2024,ann,bo,1\n", "must be an ISO date"),
        ("a.trf", b"012 Cup\n042 05/09/2024\n001    1      " + f"{'ann':66} 1.0       ".encode()
         + b"   2 w 1\n001    2      " + f"{'bo':66} 0.0       ".encode() + b"   1 b 0\n", "mean more than one day"),
    ],
)  # fmt: skip
def test_every_reader_heeds_the_date_format_that_is_said(
    engine: Engine, tmp_path: Path, name: str, content: bytes, wrong: str
) -> None:
    """Only tables did: no day of another file was read by it."""
    path = tmp_path / name
    path.write_bytes(content)
    for days, options in (
        ("2024-09-05", {"date_format": "%d/%m/%Y"}),
        ("2024-05-09", {"fields": FieldMap(date="%m/%d/%Y")}),
    ):
        with open_engine(":memory:") as fresh:
            assert wrong in str(fresh.import_file(path, "p").refused)
            assert fresh.import_file(path, "p", **options).accepted == 1  # type: ignore[arg-type]  # options
            (row,) = fresh.log.rows(0, None, ("game",))
            assert row.played is not None
            assert iso(row.played) == days
    with pytest.raises(BadParameter, match="must be a format of whole days"):
        engine.import_file(path, "p", date_format="%d/%m")


def test_a_date_format_that_finds_no_month_is_not_trusted_with_other_games_of_the_file(
    engine: Engine, tmp_path: Path
) -> None:
    (tmp_path / "a.pgn").write_bytes(pgn("05/09/2024") + b"\n" + pgn("21/09/2024"))
    with pytest.raises(BadFile, match="those of 1 other row cannot be trusted, and nothing is imported"):
        engine.import_file(tmp_path / "a.pgn", "p", date_format="%m/%d/%Y")
    assert engine.import_file(tmp_path / "a.pgn", "p", date_format="%d/%m/%Y").accepted == 2


def test_an_open_file_has_the_name_that_is_given(engine: Engine, tmp_path: Path) -> None:
    """The name of a stream was dropped without a word, so that its rows had no source."""
    first = io.BytesIO(b"played,a,b,score\n2024-01-01,x,y,1\n")
    assert engine.import_file(first, "p", name="f.csv").source == "f.csv"
    assert engine.plan.void_all(engine.plan.chosen(source="f.csv")).events
    second = io.BytesIO(b"played,a,b,score\n2024-01-01,x,y,0\n")
    assert engine.import_file(second, "p", name="f.csv", reissue=True).amended == 1
    (tmp_path / "g.csv").write_bytes(second.getvalue())
    for paths in (tmp_path / "g.csv", [tmp_path / "g.csv"]):
        with pytest.raises(BadValue, match="paths have names of their own"):
            engine.import_file(paths, "p", name="f.csv")
