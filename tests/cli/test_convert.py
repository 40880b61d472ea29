"""`ratingcore convert`: what a file says stays what its TRF report says."""

from pathlib import Path
from typing import Any

import pytest
from ratingcore_chess import CHESS_RESULTS, TRF

from ratingcore.readers import Document, Game, Source

from .conftest import Run

FORMATS = Path(__file__).parents[2] / "fixtures" / "formats"


def said(reader: Any, path: Path) -> list[Any]:
    """What a reader says about a file."""
    return list(reader.read(Source.of_bytes("file.trf", path.read_bytes()), reader.options()))


@pytest.mark.parametrize("path", sorted((FORMATS / "trf").glob("*.trf")), ids=lambda path: path.stem)
def test_a_trf_file_stays_what_it_is_with_its_unknown_records(run: Run, path: Path) -> None:
    assert run("convert", path, "again.trf").code == 0
    assert said(TRF, Path("again.trf")) == said(TRF, path)
    assert lines(Path("again.trf")) == lines(path)
    assert Path("again.trf").read_bytes().endswith(b"\r\n")


def lines(path: Path) -> list[bytes]:
    """The lines of a file without their ends and the blanks before them."""
    content = path.read_bytes().rstrip().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return [line.rstrip() for line in content.split(b"\n")]


def games(items: list[Any]) -> list[tuple[Any, ...]]:
    """Games with what both formats tell of them."""
    return sorted(
        (one.data["round"], one.a.id or one.a.name, one.b.id or one.b.name, one.score)
        for one in items
        if isinstance(one, Game)
    )


def test_a_tournament_of_another_format_has_the_same_games(run: Run) -> None:
    path = FORMATS / "chess_results" / "swiss.xml"
    code, _, err = run("convert", path, "swiss.trf")
    assert code == 0, err
    was, now = said(CHESS_RESULTS, path), said(TRF, Path("swiss.trf"))
    assert (len(games(was)) > 50, games(now)) == (True, games(was))
    assert [one[1:4] for one in now if isinstance(one, Document)] == [
        one[1:4] for one in was if isinstance(one, Document)
    ]
    run("convert", "swiss.trf", "again.trf", "--to", "trf:eol=lf")
    assert said(TRF, Path("again.trf")) == now
    assert b"\r" not in Path("again.trf").read_bytes()


def test_what_is_no_tournament_is_refused(run: Run) -> None:
    Path("games.csv").write_text("played,a,b,score\n2024-03-02,ann,bo,1\n")
    assert run("convert", "games.csv", "games.trf").code == 2
    assert run("convert", "games.csv", "games.trf", "--to", "results").code == 2
    assert not Path("games.trf").exists()
    code, _, err = run("convert", FORMATS / "opengotha" / "maple_20201026201928.xml", "go.trf")
    assert (code, Path("go.trf").exists()) == (0, True), err


def test_games_in_a_stream_and_names_of_tables_are_refused_with_the_way_out(run: Run) -> None:
    Path("game.pgn").write_text('[White "ann"]\n[Black "bo"]\n[Date "2024.03.02"]\n[Result "1-0"]\n\n1-0\n')
    code, _, err = run("convert", "game.pgn", "out.trf")
    assert (code, Path("out.trf").exists()) == (2, False)
    assert "game.pgn is a stream of games" in err
    assert "--event NAME" in err
    code, _, err = run("convert", FORMATS / "chess_results" / "swiss.xml", "out.XLSX")
    assert (code, Path("out.XLSX").exists()) == (2, False)
    assert "a TRF report is not a table: out.XLSX" in err
