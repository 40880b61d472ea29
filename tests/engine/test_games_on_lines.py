"""Lines of a file that was imported, as the results of the log that they stand for."""

from collections.abc import Callable
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.errors import NotOnLines, UnknownName
from ratingcore.events import iso
from ratingcore.importer.tables import FieldMap
from ratingcore.log.lookup import row_of
from tests.log.conftest import INSTALLED, Make

ROWS = (
    "played,a,b,score,points_a,points_b",
    "2024-03-02,J Lee,Bo,1-0,,",
    "2024-03-02,J Lee,Cy,1/2,,",
    "2024-03-02,J Lee,Cy,1/2,,",
    "2024-03-03,Cy,Bo,1-0,,",
    "2024-03-04,Bo,Bo,1-0,,",
    "2024-03-05,Di,J Lee,0-1,,",
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.csv"
    path.write_text("\n".join(ROWS) + "\n")
    return path


@pytest.fixture(params=["memory", *INSTALLED])
def engine(request: pytest.FixtureRequest, in_store: Callable[[str], Make], file: Path) -> rc.Engine:
    made = rc.Engine(in_store(request.param)())
    made.import_file(file, "rapid")
    return made


def opponent(engine: rc.Engine, uid: str) -> str | None:
    """Who sits on the second side of a game."""
    return engine.log.book.key(row_of(engine.log, uid).b or 0)


def test_lines_are_the_games_that_they_hold_also_after_corrections(engine: rc.Engine, file: Path) -> None:
    head = engine.log.head
    (second,) = engine.games_on_lines(file, [3], "J Lee")
    uids = engine.games_on_lines(file, [(2, 5), 7, 3], "J Lee")
    assert engine.log.head == head
    assert uids[1] == second
    assert len(set(uids)) == len(uids) == 4
    days = [iso(row_of(engine.log, uid).played or 0)[-2:] for uid in uids]
    assert days == ["02", "02", "02", "05"]
    engine.amend(second, {"score": 1.0})
    engine.void(uids[0])
    assert engine.games_on_lines(file, [(2, 5), 7], "J Lee") == uids
    engine.split("J Lee", "Jo Lee", games=engine.games_on_lines(file, [3, 7], "J Lee"))
    assert set(engine.rating_list("rapid").player) == {"J Lee", "Jo Lee", "Bo", "Cy", "Di"}
    assert engine.games_on_lines(file, [3, 7], "Jo Lee") == (second, uids[3])
    with pytest.raises(NotOnLines, match="line 7 has no result of J Lee"):
        engine.games_on_lines(file, [7], "J Lee")


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([5], "line 5 has no result of J Lee"),
        ([(5, 6)], "none of the lines 5 to 6 has a result of J Lee"),
        ([2, 1], "line 1 has no result that the log has from this file"),
        ([6], "line 6 has no result that the log has from this file: a player cannot meet themselves: Bo"),
        ([(8, 99)], "none of the lines 8 to 99 has a result that the log has from this file"),
    ],
)
def test_lines_without_a_result_of_the_player_are_refused(
    engine: rc.Engine, file: Path, lines: list[int | tuple[int, int]], why: str
) -> None:
    with pytest.raises(NotOnLines) as caught:
        engine.games_on_lines(file, lines, "J Lee")
    assert str(caught.value).startswith(f"games.csv: {why}")
    assert "report" in caught.value.hint


def test_a_file_under_another_name_is_found_by_its_source(engine: rc.Engine, file: Path) -> None:
    other = file.rename(file.with_name("old.csv"))
    with pytest.raises(NotOnLines, match="line 2 has no result that the log has from this file") as caught:
        engine.games_on_lines(other, [2], "J Lee")
    assert caught.value.hint.endswith("; sources are games.csv")
    assert len(engine.games_on_lines(other, [2], "J Lee", source="games.csv")) == 1
    with pytest.raises(UnknownName):
        engine.games_on_lines(other, [2], "Zoe", source="games.csv")


def test_rows_are_read_by_the_mapping_of_their_import(file: Path) -> None:
    file.write_text("when,white,black,result\n31/03/2024,ann,bo,1-0\n01/04/2024,ann,cy,0-1\n")
    fields = FieldMap.parse("played=when,a=white,b=black,score=result").merged(FieldMap(date="%d/%m/%Y"))
    with rc.open(":memory:") as engine:
        engine.record(rc.GamePlayed(pool="blitz", played="2024-03-31", a="ann", b="bo", score=1.0))
        engine.import_file(file, "rapid", fields)
        (uid,) = engine.games_on_lines(file, [3], "ann", fields=fields)
        assert opponent(engine, uid) == "cy"


def test_results_of_tournaments_are_found_too(file: Path) -> None:
    tags = {"Event": "Open", "Date": "2024.03.02", "White": "Lee, J", "Black": "Bo", "Result": "1-0"}
    pgn = "".join(f'[{tag} "{value}"]\n' for tag, value in tags.items()) + "\n1-0\n"
    path = file.with_name("games.pgn")
    path.write_text(pgn + "\n" + pgn.replace("Bo", "Cy"))
    with rc.open(":memory:") as engine:
        engine.import_file(path, "rapid")
        both = engine.games_on_lines(path, [(1, 99)], "Lee, J")
        assert [opponent(engine, uid) for uid in both] == ["Bo", "Cy"]
