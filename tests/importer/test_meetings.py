"""Names that may be those of two people, by the events of a day."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.importer import meetings


@pytest.fixture(params=["columns", "rows"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "rows":
        monkeypatch.setattr("ratingcore.importer.files.import_by_columns", lambda *given: False)
    return str(request.param)


def notes(tmp_path: Path, rows: list[str], head: str = "played,a,b,score,event") -> list[str]:
    path = tmp_path / "games.csv"
    path.write_text("\n".join([head, *rows]) + "\n")
    with rc.open(":memory:") as engine:
        return engine.import_file(path, "p").warnings


@pytest.mark.usefixtures("way")
def test_the_only_name_in_two_events_of_a_day_is_noted_with_its_lines(tmp_path: Path) -> None:
    (note,) = notes(tmp_path, ["2024-03-02,li,bo,1,Paris", "2024-03-02,bo,cy,1,Paris", "2024-03-02,di,li,1,Oslo"])
    assert note == "1 name plays in two events on one day, and nobody else in both: li, lines 2 and 4"


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    "rows",
    [
        [f"2024-03-02,p{n},p{n + 1},1,Rapid" for n in range(9)]
        + [f"2024-03-02,p{n},p{n + 1},1,Blitz" for n in range(9)],
        [f"2024-03-02,ann,p{n},1,Rapid" for n in range(9)],
        ["2024-03-02,ann,bo,1,Paris", "2024-03-03,ann,cy,1,Oslo"],
        ["2024-03-02,ann,bo,1,", "2024-03-02,ann,cy,1,Oslo"],
    ],
    ids=["two events of one club", "many games in one event", "two days", "no event"],
)
def test_who_plays_much_on_a_day_is_not_noted(rows: list[str], tmp_path: Path) -> None:
    assert notes(tmp_path, rows) == []


@pytest.mark.usefixtures("way")
def test_many_who_are_alone_in_two_events_show_that_these_are_none(tmp_path: Path) -> None:
    """Each game has an event of its own: that ann is the only one in two of them says nothing."""
    assert notes(tmp_path, [f"2024-03-02,p{n % 9},p{(n + 1) % 9},1,game {n}" for n in range(18)]) == []


@pytest.mark.usefixtures("way")
def test_a_stage_of_several_rounds_is_not_one_round(tmp_path: Path) -> None:
    rows = ["2024-03-02,ann,bo,1,Cup,RR", "2024-03-02,ann,cy,1,Cup,RR", "2024-03-02,bo,cy,1,Cup,RR"]
    assert notes(tmp_path, rows, "played,a,b,score,event,round") == []


def test_rows_and_columns_look_at_the_same_games_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meetings, "_TOGETHER", 100)
    draw = Random(1)
    rows = [f"2024-03-{n % 28 + 1:02d},p{draw.randrange(9)},q{draw.randrange(9)},1,{n % 4}" for n in range(1_000)]
    by_columns = notes(tmp_path, rows, "played,a,b,score,round")
    monkeypatch.setattr("ratingcore.importer.files.import_by_columns", lambda *given: False)
    assert notes(tmp_path, rows, "played,a,b,score,round") == by_columns
    assert any("two opponents" in note for note in by_columns)


@pytest.mark.usefixtures("way")
def test_rounds_of_so_many_players_beside_numbered_ones_are_noted(tmp_path: Path) -> None:
    """Rounds R1 to R17 of a long event: R16 was rated last, without a word."""
    rows = [f"2024-03-02,p{n},q{n},1,R{n}" for n in (1, 15, 16, 17)]
    (note,) = notes(tmp_path, rows, "played,a,b,score,round")
    assert note.startswith("rounds named by their players are rated after numbered ones: R16 after R1, R15, R17")
    assert not notes(tmp_path, [row.replace("R16", "16") for row in rows], "played,a,b,score,round")
    cup = [f"2024-03-02,p{n},q{n},1,{turn}" for n, turn in enumerate(("R32", "R16", "QF", "SF", "F"))]
    assert not notes(tmp_path, cup, "played,a,b,score,round")


@pytest.mark.parametrize(("one", "other"), [(30_000, 30_001), (69_999, 70_000), (0, 1)])
def test_a_player_at_two_boards_is_found_among_many_games_in_order(one: int, other: int) -> None:
    """Games at a time of their own are not looked at; those at the ends of a part may go on in the next one."""
    found, n = meetings.DoubtfulMeetings(), 70_000
    played = 1 + 1_000_000 * np.arange(2 * n)
    played[other] = played[one]
    names = [f"p{number}" for number in range(4 * n)]
    players = np.arange(4 * n).reshape(-1, 2)
    players[other, 0] = players[one, 1]
    for start in (0, n):
        some, zero = slice(start, start + n), np.zeros(n, np.int64)
        found.add(np.arange(1, 2 * n + 1)[some], zero, played[some], names, players[some], zero, [{}], zero)
    (note,) = found.notes()
    assert f"p{2 * one + 1}" in str(note)
