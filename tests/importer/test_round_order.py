"""Games of one day in the order of their rounds: of tables and documents, in old logs, and in files that come again."""

import csv
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.log.lookup import as_read, decoder_of, uid_at

CUP = (
    "played,a,b,score,event,round\n"
    "2024-05-06,ann,bo,1-0,Cup,F\n"
    "2024-05-06,ann,cy,1-0,Cup,SF\n"
    "2024-05-06,bo,di,1-0,Cup,SF\n"
)
PGN = (
    '[Event "Cup"]\n[Date "2024.05.06"]\n[Round "Final"]\n[White "ann"]\n[Black "bo"]\n[Result "1-0"]\n\n1-0\n\n'
    '[Event "Cup"]\n[Date "2024.05.06"]\n[Round "R16"]\n[White "ann"]\n[Black "cy"]\n[Result "1-0"]\n\n1-0\n'
)


@pytest.fixture(params=["columns", "rows"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "rows":
        monkeypatch.setattr("ratingcore.importer.files.import_by_columns", lambda *given: False)
    return str(request.param)


def file(tmp_path: Path, text: str, name: str = "cup.csv") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def rating(engine: Engine, player: str) -> float:
    listed = engine.rating_list("p", "elo:k=20")
    return float(dict(zip(listed.player, listed.exact["rating"], strict=True))[player])


def recorded(engine: Engine) -> list[Any]:
    return list(map(decoder_of(engine.log), engine.log.rows(0, None, ("game", "session"))))


def as_by_an_older_version(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("tables.results", "tables.sessions", "game_columns", "event_maker"):
        monkeypatch.setattr(f"ratingcore.importer.{module}.order_on_day", lambda played, facts: 0)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("name", ["cup.csv", "cup.jsonl"])
def test_a_final_that_is_listed_first_is_rated_last(name: str, tmp_path: Path) -> None:
    """By hand: ann gains 10 from cy, bo 10 from di; both have 1510 then, so ann gains 10 more."""
    text = CUP
    if name == "cup.jsonl":
        text = "".join(f"{json.dumps(row)}\n" for row in csv.DictReader(io.StringIO(CUP)))
    with rc.open(":memory:") as engine:
        assert engine.import_file(file(tmp_path, text, name), "p").warnings == []
        assert rating(engine, "ann") == 1520.0


def elo(games: list[tuple[str, str]]) -> dict[str, float]:
    ratings: dict[str, float] = {}
    for a, b in games:
        one, other = ratings.get(a, 1500.0), ratings.get(b, 1500.0)
        change = 20.0 - 20.0 / (1.0 + 10.0 ** ((other - one) / 400.0))
        ratings[a], ratings[b] = one + change, other - change
    return ratings


@pytest.mark.usefixtures("way")
def test_a_season_of_tournaments_dated_by_their_first_day_is_rated_round_by_round(tmp_path: Path) -> None:
    """The plain loop rates the games as they were drawn; the file lists each tournament backwards or shuffled."""
    draw, games, lines = random.Random(7), list[tuple[str, str]](), list[str]()
    for week in range(40):
        left, own = draw.sample([f"p{n}" for n in range(24)], 8), list[str]()
        for turn in ("QF", "SF", "F"):
            pairs = list(zip(left[::2], left[1::2], strict=True))
            games += pairs
            own += [f"2024-{week // 4 + 1:02d}-{7 * (week % 4) + 1:02d},{a},{b},1,T{week},{turn}" for a, b in pairs]
            left = [a for a, _ in pairs]
        lines += own[::-1] if week % 2 else draw.sample(own, len(own))
    want = elo(games)
    with rc.open(":memory:") as engine:
        engine.import_file(file(tmp_path, "\n".join(["played,a,b,score,event,round", *lines]) + "\n"), "p")
        assert {name: rating(engine, name) for name in want} == pytest.approx(want, abs=1e-9)


@pytest.mark.usefixtures("way")
def test_an_order_column_counts_for_more_than_the_rounds_and_the_contradiction_is_noted(tmp_path: Path) -> None:
    rows = CUP.splitlines()
    text = "\n".join(f"{row},{order}" for row, order in zip(rows, ("order", 1, 2, 3), strict=True)) + "\n"
    with rc.open(":memory:") as engine:
        (note,) = engine.import_file(file(tmp_path, text), "p").warnings
        assert note == (
            "on 1 day of an event the order of games contradicts their rounds: F on line 2, then SF on line 3; "
            "games of a day are rated by their order, then in the order of the rows"
        )
        assert [game.order for game in recorded(engine)] == [1, 2, 3]


@pytest.mark.usefixtures("way")
def test_rounds_that_give_no_order_are_named_where_others_do(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        report = engine.import_file(file(tmp_path, CUP + "2024-05-06,ann,bo,1-0,Cup,armageddon\n"), "p")
    assert report.warnings == [
        "1 game is of a round whose name gives no order: armageddon on line 5; they count before the other games of "
        "their day and event: give their order in a column order"
    ]


@pytest.mark.usefixtures("way")
def test_games_with_a_time_of_day_are_in_the_order_of_their_times(tmp_path: Path) -> None:
    text = CUP.replace("2024-05-06,ann,bo", "2024-05-06T19:00Z,ann,bo").replace("-06,ann,cy", "-06T18:00Z,ann,cy")
    with rc.open(":memory:") as engine:
        engine.import_file(file(tmp_path, text), "p")
        games = recorded(engine)
    assert [game.order != 0 for game in games] == [False, False, True]


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(("name", "text"), [("cup.csv", CUP), ("cup.pgn", PGN)])
def test_the_same_file_after_a_log_without_the_orders_of_rounds_changes_nothing(
    name: str, text: str, tmp_path: Path
) -> None:
    path = file(tmp_path, text, name)
    with rc.open(":memory:") as engine:
        with pytest.MonkeyPatch.context() as older:
            as_by_an_older_version(older)
            if name == "cup.pgn":
                older.setattr("ratingcore_chess.pgn.round_order", {"Final": 0, "R16": 16_000}.__getitem__)
            engine.import_file(path, "p")
        head = engine.log.head
        orders = [game.order for game in recorded(engine)]
        assert max(orders) in (0, 16_000)
        ways: list[dict[str, Any]] = [{}, {"amend": True}, {"strict": True}]
        for given in [*ways, *([{"reissue": True}] if name == "cup.csv" else [])]:
            report = engine.import_file(path, "p", **given)
            assert report.duplicates == report.read
            assert [note for note in report.warnings if "by name only" not in note] == []
            assert engine.log.head == head


def test_a_round_that_is_corrected_takes_its_order_along(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        engine.import_file(file(tmp_path, CUP.replace("SF\n2024-05-06,bo", "QF\n2024-05-06,bo")), "p")
        assert engine.import_file(file(tmp_path, CUP), "p", amend=True).amended == 1
        games = [as_read(engine.log, uid_at(engine.log, position)) for position in (2, 3)]
        assert len({game.order for game in games if game is not None} - {0}) == 1


def test_rounds_that_a_file_adds_are_one_new_column_and_give_their_order(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        bare = "\n".join(row.rpartition(",")[0] for row in CUP.splitlines()) + "\n"
        engine.import_file(file(tmp_path, bare), "p")
        report = engine.import_file(file(tmp_path, CUP), "p")
        assert report.refused[0][1] == "changed: position 1, round: nothing recorded, F in the file"
        assert report.warnings == [
            "one column is new: 3 rows have round, which the log lacks, and all else is the same"
        ]
        assert engine.import_file(file(tmp_path, CUP), "p", amend=True).amended == 3
        assert rating(engine, "ann") == 1520.0


def test_a_round_corrected_in_a_log_without_orders_stays_among_the_others_of_its_day(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        with pytest.MonkeyPatch.context() as older:
            as_by_an_older_version(older)
            engine.import_file(file(tmp_path, CUP), "p")
        before = rating(engine, "ann")
        assert engine.import_file(file(tmp_path, CUP.replace("Cup,SF", "Cup,QF", 1)), "p", amend=True).amended == 1
        assert rating(engine, "ann") == before


def test_sessions_of_a_day_are_in_the_order_of_their_rounds(tmp_path: Path) -> None:
    rows = [f"2024-05-06,s{turn},{turn},{name},{score}" for turn in (2, 1) for name, score in (("ann", 3), ("bo", 1))]
    with rc.open(":memory:") as engine:
        engine.import_file(file(tmp_path, "\n".join(["played,session,round,player,score", *rows]) + "\n"), "p")
        assert [one.order for one in recorded(engine)] == [2000, 1000]
