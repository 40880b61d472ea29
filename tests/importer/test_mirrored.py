"""Games that both sides report: on two rows of a file, or in two files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from attrs import evolve

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.events import DAY
from ratingcore.importer.game_columns import SomeRows
from ratingcore.importer.game_writer import note_games
from ratingcore.importer.notes import Mirrored, Repeated
from ratingcore.importer.remarks import ResultRemarks, TableRemarks
from ratingcore.importer.report import ImportReport
from ratingcore.importer.tables import FieldMap
from ratingcore.log.lookup import as_read, decoder_of, uid_at
from tests.importer.test_row_import import counts

HEAD = "played,a,b,points_a,points_b,home"
BOTH = [
    "2024-01-01,ann,bo,2,1,a", "2024-01-01,bo,ann,1,2,b",
    "2024-01-02,cy,di,3,3,", "2024-01-02,di,cy,3,3,",
    "2024-01-03,ann,cy,4,0,b", "2024-01-03,cy,ann,0,4,a",
]  # fmt: skip
"""Three games, from either side."""


@pytest.fixture(params=["columns", "rows"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "rows":
        monkeypatch.setattr("ratingcore.importer.files.import_by_columns", lambda *given: False)
    return str(request.param)


def imported(engine: Engine, tmp_path: Path, rows: list[str], head: str = HEAD, **given: Any) -> ImportReport:
    path = tmp_path / "games.csv"
    path.write_text("\n".join([head, *rows]) + "\n")
    report = engine.import_file(path, "p", **given)
    assert report.adds_up
    return report


def recorded(engine: Engine) -> list[Any]:
    return list(map(decoder_of(engine.log), engine.log.rows(0, None, ("game",))))


@pytest.mark.usefixtures("way")
def test_mirrored_rows_are_named_with_their_lines(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        report = imported(engine, tmp_path, BOTH)
        assert report.accepted == 6
        assert report.warnings == [
            "every game is reported from both sides, on two rows, and counted twice: lines 2 and 3; 4 and 5; 6 and 7"
        ]
    with rc.open(":memory:") as engine:
        (note,) = imported(engine, tmp_path, [*BOTH[:3], "2024-01-05,ann,bo,1,0,a"]).warnings
        assert note.startswith("1 game is reported from both sides, on two rows,")
        assert note.endswith("counted twice: lines 2 and 3")


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    "rows",
    [
        ["2024-01-01,ann,bo,2,1,a", "2024-01-01,bo,ann,2,1,a"],
        ["2024-01-01,ann,bo,2,1,a", "2024-01-01,bo,ann,1,2,a"],
        ["2024-01-01,ann,bo,2,1,a", "2024-01-02,bo,ann,1,2,b"],
        ["2024-01-01,ann,bo,2,1,a", "2024-01-01,bo,ann,0,2,b"],
    ],
    ids=["each won", "each was at home", "another day", "other points"],
)
def test_games_that_say_something_else_are_no_mirrors(rows: list[str], tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        assert imported(engine, tmp_path, rows).warnings == []


def test_mirrored_rows_are_taken_once_where_the_file_has_a_row_of_each_side(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        report = imported(engine, tmp_path, BOTH, mirrored=True)
        assert counts(report) == {"read": 6, "accepted": 3, "unrated": 0, "refused": 0, "duplicates": 3}
        assert report.warnings == []
        listed = engine.rating_list("p")
        assert dict(zip(listed.player, listed.games.tolist(), strict=True)) == {"ann": 2, "bo": 1, "cy": 2, "di": 1}
        head = engine.log.head
        assert imported(engine, tmp_path, BOTH[::-1], mirrored=True).duplicates == 6
        assert engine.log.head == head


IDS = [f"{row},g-{number}" for number, row in enumerate(BOTH)]


@pytest.mark.parametrize(("head", "rows"), [(HEAD, BOTH), (f"{HEAD},uid", IDS)], ids=["bare", "ids"])
@pytest.mark.parametrize("dry_run", [False, True])
def test_a_file_that_was_imported_with_each_game_twice_is_not_right_by_taking_it_once(
    head: str, rows: list[str], dry_run: bool, tmp_path: Path
) -> None:
    """It added nothing and every game counted twice still, without a word."""
    with rc.open(":memory:") as engine:
        imported(engine, tmp_path, rows, head)
        report = imported(engine, tmp_path, rows, head, mirrored=True, dry_run=dry_run)
        assert (report.accepted, report.duplicates) == (0, 6)
        assert report.warnings == ["3 games of the file are in the log twice, from both sides: lines 3, 5, 7"]
        engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
        report = imported(engine, tmp_path, rows, head, mirrored=True)
        assert (report.accepted, report.duplicates) == (3, 3)
        assert not [one for one in report.warnings if "twice" in one]
        again = imported(engine, tmp_path, rows, head, mirrored=True)
        assert (again.duplicates, again.warnings) == (6, [])
        games = engine.rating_list("p")
        assert dict(zip(games.player, games.games.tolist(), strict=True)) == {"ann": 2, "bo": 1, "cy": 2, "di": 1}


def test_the_one_game_that_is_in_the_log_twice_is_named_by_its_line(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        imported(engine, tmp_path, [BOTH[0], *BOTH[2:4]])
        (note,) = imported(engine, tmp_path, BOTH[:4], mirrored=True).warnings
        assert note == "1 game of the file is in the log twice, from both sides: line 5"
        engine.void(uid_at(engine.log, 3), why="the other side")
        assert imported(engine, tmp_path, BOTH[:4], mirrored=True).warnings == []


def test_a_table_in_memory_a_mapping_file_and_json_lines_may_have_a_row_of_each_side(tmp_path: Path) -> None:
    rows = [dict(zip(HEAD.split(","), row.split(","), strict=True)) for row in BOTH]
    lines, toml = tmp_path / "games.jsonl", tmp_path / "mapping.toml"
    lines.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    toml.write_text("mirrored = true\n")
    with rc.open(":memory:") as engine:
        assert engine.import_file(pl.DataFrame(rows), "p", mirrored=True).accepted == 3
        assert engine.import_file(lines, "q", FieldMap.load(toml)).accepted == 3


def test_two_games_of_a_pair_on_a_day_are_two_where_each_has_its_mirror(tmp_path: Path) -> None:
    rows = ["2024-01-01,ann,bo,1,0,", "2024-01-01,bo,ann,1,0,", "2024-01-01,bo,ann,0,1,", "2024-01-01,ann,bo,0,1,"]
    with rc.open(":memory:") as engine:
        report = imported(engine, tmp_path, rows, mirrored=True)
        assert (report.accepted, report.duplicates, report.warnings) == (2, 2, [])


def test_a_game_that_one_side_reports_is_taken_and_noted(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        report = imported(engine, tmp_path, [*BOTH, "2024-01-04,di,bo,1,0,a"], mirrored=True)
        assert (report.accepted, report.duplicates) == (4, 3)
        assert report.warnings == ["1 game is reported by one side only, and taken: line 8"]


def test_two_sides_that_contradict_each_other_are_refused_with_both_lines(tmp_path: Path) -> None:
    rows = [*BOTH[2:], "2024-01-05,ann,bo,1,0,a", "2024-01-05,bo,ann,1,0,b"]
    with rc.open(":memory:") as engine:
        report = imported(engine, tmp_path, rows, mirrored=True)
        assert (report.accepted, report.duplicates) == (2, 2)
        assert [(line, why) for line, why, _ in report.refused] == [
            (6, "line 7 reports this game from the other side, and differs: score 1.0 here, 0.0 there; "
                "points_a 1 here, 0 there; points_b 0 here, 1 there"),
            (7, "line 6 reports this game from the other side, and differs: score 1.0 here, 0.0 there; "
                "points_a 1 here, 0 there; points_b 0 here, 1 there"),
        ]  # fmt: skip


SECOND = {
    "points and home": (HEAD, "2024-01-01,ann,bo,2,1,a", "2024-01-01,bo,ann,1,2,b"),
    "score": ("played,a,b,score", "2024-01-01,ann,bo,1-0", "2024-01-01,bo,ann,0-1"),
    "share": ("played,a,b,score", "2024-01-01,bo,ann,0.7", "2024-01-01,ann,bo,0.3"),
    "draw": ("played,a,b,score", "2024-01-01,ann,bo,1/2", "2024-01-01,bo,ann,1/2"),
    "id": (f"uid,{HEAD}", "g-1,2024-01-01,ann,bo,2,1,a", "g-1,2024-01-01,bo,ann,1,2,b"),
    "teams": ("played,a,b,score,team_a,team_b", "2024-01-01,ann,bo,1,X,Y", "2024-01-01,bo,ann,0,Y,X"),
}


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("what", SECOND)
def test_a_file_of_the_other_side_adds_nothing(what: str, tmp_path: Path) -> None:
    """It was refused as changed, with the advice to amend."""
    head, first, second = SECOND[what]
    fields = {"team_a": "team_a", "team_b": "team_b"} if what == "teams" else {}
    with rc.open(":memory:") as engine:
        for name, row in (("home.csv", first), ("guests.csv", second)):
            path = tmp_path / name
            path.write_text(f"{head}\n{row}\n")
            report = engine.import_file(path, "p", fields)
        assert (report.duplicates, report.refused, report.warnings) == (1, [], [])
        assert engine.log.head.position == 1


def test_a_file_of_the_other_side_in_memory_adds_nothing() -> None:
    with rc.open(":memory:") as engine:
        engine.import_file(pl.DataFrame({"played": ["2024-01-01"], "a": ["ann"], "b": ["bo"], "score": [1.0]}), "p")
        other = pl.DataFrame({"played": ["2024-01-01"], "a": ["bo"], "b": ["ann"], "score": [0.0]})
        assert engine.import_file(other, "p").duplicates == 1


def test_what_the_other_side_says_otherwise_is_named_from_the_recorded_side_and_amended_so(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        imported(engine, tmp_path, ["2024-01-01,ann,bo,2,1,a"])
        report = imported(engine, tmp_path, ["2024-01-01,bo,ann,1,3,b"])
        ((line, why, _),) = report.refused
        assert (line, why) == (2, "changed: position 1, points_a: 2 recorded, 3 in the file")
        assert imported(engine, tmp_path, ["2024-01-01,bo,ann,1,3,b"], amend=True).amended == 1
        row = as_read(engine.log, uid_at(engine.log, 1))
        assert row is not None
        game: Any = decoder_of(engine.log)(row)
        assert (game.a, game.b, game.score, dict(game.data)) == (
            "ann", "bo", 1.0, {"points_a": 3, "points_b": 1, "home": "a"},
        )  # fmt: skip


def test_a_game_of_the_other_side_with_an_erased_name_is_known(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        imported(engine, tmp_path, ["2024-01-01,ann,bo,2,1,a"])
        engine.erase("ann")
        assert imported(engine, tmp_path, ["2024-01-01,bo,ann,1,2,b"]).duplicates == 1


def test_both_of_two_games_with_colours_exchanged_are_known_again(tmp_path: Path) -> None:
    """Ann won twice on a day, once as a and once as b; the rows come back in another order."""
    rows = ["2024-01-01,ann,bo,1-0", "2024-01-01,bo,ann,0-1"]
    with rc.open(":memory:") as engine:
        assert imported(engine, tmp_path, rows, "played,a,b,score").accepted == 2
        assert imported(engine, tmp_path, rows[::-1], "played,a,b,score").duplicates == 2
    with rc.open(":memory:") as engine:
        imported(engine, tmp_path, rows[1:], "played,a,b,score")
        assert imported(engine, tmp_path, rows, "played,a,b,score").accepted == 1
        assert sorted(game.a for game in recorded(engine)) == ["ann", "bo"]


@pytest.mark.parametrize("games", [4, 10])
def test_all_games_beyond_the_named_ones_are_counted(games: int) -> None:
    """There was always one more."""
    note = Mirrored(games, True, ((2, 3), (4, 5), (6, 7), (8, 9)))
    assert str(note).endswith(f"lines 2 and 3; 4 and 5; 6 and 7; and {games - 3} more")


def test_games_of_parts_with_further_facts_and_without_are_compared() -> None:
    pair = np.array([0, 0]), np.array([1, 1])
    plain = SomeRows(range(1, 3), np.array([0, DAY]), ["ann", "bo"], *pair, np.array([1.0, 0.5]))
    remarks, met = TableRemarks(), ResultRemarks()
    note_games(plain, *pair, "p", remarks, met)
    assert remarks.contents.all_differ()
    further = evolve(plain, lines=range(3, 5), facts=[{}, {"round": 1}])
    note_games(further, *pair, "p", remarks, met)
    assert remarks.contents.notes() == [Repeated(1, (3,))]
    assert not remarks.contents.all_differ()
