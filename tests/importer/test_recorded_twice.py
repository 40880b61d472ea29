"""Games that come in again under another name, zone or tournament are pointed out, and ordinary ones are not."""

import io
import json
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from attrs import evolve

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.events import Row
from ratingcore.importer import recorded_twice
from ratingcore.importer.recorded_notes import RecordedTwice
from ratingcore.importer.report import ImportReport
from ratingcore.log import SqliteLog
from ratingcore.log.lookup import uid_at
from ratingcore.plans.notes import MergedTwice

TWO = "played,a,b,score,round"
SEASON = [f"2024-03-{day:02} 23:30,p{day % 5},q{day % 7},{day % 2}" for day in range(1, 29)]


def take(engine: Engine, rows: Sequence[str], name: str, header: str = "played,a,b,score", **said: Any) -> ImportReport:
    file = io.BytesIO("\n".join([header, *rows, ""]).encode())
    file.name = name
    return engine.import_file(file, pool="club", **said)


def twice(report: ImportReport) -> list[tuple[int, int, str]]:
    return [(note.results, note.of, note.twin) for note in report.notes if isinstance(note, RecordedTwice)]


@pytest.fixture
def engine() -> Engine:
    return rc.open(":memory:")


def test_the_games_of_another_file_in_another_zone(engine: Engine) -> None:
    """All of them were counted twice without a word."""
    assert twice(take(engine, SEASON, "a.csv", zone="Europe/Berlin")) == []
    report = take(engine, SEASON, "b.csv", zone="America/New_York")
    assert twice(report) == [(28, 28, "next day")]
    assert "the day before or after, such as positions 29 and 1" in " ".join(report.warnings)
    assert twice(take(engine, SEASON, "b.csv", zone="America/New_York")) == [], "known rows are not new games"


def test_a_game_that_was_recorded_by_hand(engine: Engine) -> None:
    engine.record(rc.GamePlayed(pool="club", played="2024-03-02", a="ann", b="bo", score=1.0))
    assert twice(take(engine, ["2024-03-02,bo,ann,0", "2024-03-09,ann,bo,1"], "a.csv")) == [(1, 2, "day")]


def test_the_other_spelling_after_a_merge(engine: Engine) -> None:
    take(engine, ["2024-01-01,ann,bo,1", "2024-01-02,ann,bo2,1"], "a.csv")
    engine.merge("bo", "bo2")
    assert twice(take(engine, ["2024-01-02,ann,bo,1", "2024-01-01,ann,bo2,1"], "b.csv")) == [(2, 2, "day")]


ROUNDS = ("ann,bo,1,1", "cy,dee,0,1", "ann,cy,1,2", "bo,dee,0.5,2", "ann,dee,1,3", "bo,cy,0,3")


def rounds(weeks: int = 0, **facts: Any) -> list[rc.GamePlayed]:
    """A tournament with some weeks between its rounds, or with all games on its first day."""
    made = []
    for a, b, score, turn in (row.split(",") for row in ROUNDS):
        day = date(2024, 9, 1) + timedelta(weeks=weeks * (int(turn) - 1))
        data = {"round": int(turn), **facts}
        made.append(rc.GamePlayed(pool="club", played=day.isoformat(), a=a, b=b, score=float(score), data=data))
    return made


def league(**facts: Any) -> list[rc.GamePlayed]:
    """A league of six rounds from September to March, or with all games on its first day."""
    made = []
    for row in rounds() + rounds():
        turn = int(str(row.data["round"])) + 3 * (len(made) >= len(ROUNDS))
        day = date(2024, 9, 1) + timedelta(weeks=0 if "dated" in facts else 5 * (turn - 1))
        made.append(
            evolve(row, played=day.isoformat(), uid=f"{facts['event']}-{len(made)}", data={"round": turn, **facts})
        )
    return made


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (rounds(1), rounds(dated="event"), 6),
        (rounds(dated="event"), rounds(1), 6),
        (rounds(1)[:1], rounds(dated="event"), 0),
        (rounds(1, event="Open (2024)")[2:3], rounds(dated="event", event="Open (2024-09-01)"), 1),
        (rounds(1, event="Open (2024)"), rounds(dated="event", event="Cup (2024-09-01)"), 6),
        (rounds(1, event="Cup (2024)")[2:4], rounds(dated="event", event="Open (2024-09-01)"), 0),
        (rounds(20), rounds(dated="event"), 0),
        (rounds(8, event="Open"), rounds(dated="event", event="Open"), 6),
        (league(event="Winter league"), league(dated="event", event="Verbandsliga"), 12),
        (league(event="Winter league")[:8], league(dated="event", event="Verbandsliga"), 0),
    ],
    ids=[
        "after", "before", "one game", "of one name", "two names", "two tournaments", "months later", "a season",
        "a league of two names", "two leagues",
    ],
)  # fmt: skip
def test_a_tournament_whose_games_have_only_its_first_day(
    engine: Engine, first: list[rc.GamePlayed], second: list[rc.GamePlayed], expected: int
) -> None:
    """Only the games of the first round were named: those of the later rounds have another day in the other file."""
    engine.record(*first)
    before = engine.log.head.position
    engine.record(*second)
    found = list(recorded_twice.recorded_twice(engine.log, before, [(before + 1, before + len(second))]))
    assert sum(len(one.found) for one in found if one.twin == "round") == expected


def test_games_of_a_table_that_the_log_has_are_left_out_if_wanted(engine: Engine) -> None:
    """`skip_known` was for tournaments only: the games of a table were named, and taken all the same."""
    take(engine, ["2024-03-01,ann,bo,1,1", "2024-03-08,bo,cy,0.5,2"], "a.csv", TWO)
    rows = ["2024-03-01,bo,ann,0,1", "2024-03-08,cy,ann,1,2", "2024-03-09,bo,cy,0.5,2", "2024-03-15,ann,cy,bye,3"]
    dry = take(engine, rows, "b.csv", TWO, skip_known=True, dry_run=True)
    report = take(engine, rows, "b.csv", TWO, skip_known=True)
    assert report.rows == dry.rows
    assert [(row.line, row.what, row.position) for row in report.rows] == [
        (2, "known", 1), (3, "taken", 0), (4, "left", 2), (5, "unrated", 0)
    ]  # fmt: skip
    assert report.warnings == ["b.csv: 1 of 3 games are in the log already, from a.csv: left out (line 4)"]
    assert report.adds_up
    assert take(engine, rows, "b.csv", TWO, skip_known=True).rows.counts() == {"known": 2, "left": 1, "unrated": 1}
    in_memory = [dict(zip(TWO.split(","), row.split(","), strict=True)) for row in rows[2:3]]
    assert engine.import_file(iter(in_memory), "club", skip_known=True).rows.counts() == {"left": 1}
    assert engine.log.head.position == 3


@pytest.mark.parametrize("first", ["days", "times"])
def test_a_file_that_comes_again_with_times_of_day_is_not_recorded_twice(engine: Engine, first: str) -> None:
    """A warning advised to read a column of times; doing so recorded each game of the file a second time."""
    rows = [f"2024-03-{day:02},{day % 24}:30,p{day % 5},q{day % 7},{day % 2}" for day in range(1, 29)]
    header, mapped = "played,Uhrzeit,a,b,score", {"fields": {"time": "Uhrzeit"}, "zone": "Europe/Berlin"}
    said: list[dict[str, Any]] = [{}, mapped] if first == "days" else [mapped, {}]
    assert take(engine, rows, "a.csv", header, **said[0]).accepted == 28
    for dry_run in (True, False):
        report = take(engine, [*rows, "2024-04-02,9:00,p1,q1,1"], "a.csv", header, dry_run=dry_run, **said[1])
        assert report.rows.counts() == {"left": 28, "taken": 1}
    assert engine.log.head.position == 29
    (known,) = (text for text in report.warnings if "already" in text)
    assert "28 of 29 games are in the log already, from a.csv, with another time of day: left out" in known
    engine.apply(engine.plan.void_all(engine.plan.chosen("a.csv")))
    assert take(engine, rows, "a.csv", header, **said[1]).accepted == 28


def test_a_file_with_a_time_at_midnight_is_not_tried_as_one_without_times(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the first game was looked at, and every file of a large table was read twice when it came again."""
    rows = ["2024-03-01T00:00Z,ann,bo,1", "2024-03-01T00:01Z,ann,cy,1"]
    assert take(engine, rows, "a.csv", "played,a,b,score").accepted == 2
    monkeypatch.setattr("ratingcore.importer.files._Files._known_rows", None)
    assert take(engine, rows, "a.csv", "played,a,b,score").rows.counts() == {"known": 2}


def trf(*games: str) -> bytes:
    """Games, such as `1 2 1-0 2 1 =-=`, as a TRF with no days of its rounds: a line a player, a column a round."""
    lines = ["012 Open", "042 2024/09/01", "052 2024/09/30"]
    for player, name in enumerate(("ann", "bo", "cy", "dee"), 1):
        seats = ""
        for a, b, score in (one.split() for one in games):
            if str(player) in (a, b):
                white = a == str(player)
                seats += f"  {b if white else a:>4} {'w' if white else 'b'} {score[0 if white else 2]}"
        lines.append(f"001 {player:>4}      {name:<33} {1500:>4} {'':>3} {'':>11} {'':>10}  0.0 {player:>4}{seats}")
    return "\n".join([*lines, ""]).encode()


def test_games_of_a_tournament_with_its_first_day_only_are_left_out_if_wanted(engine: Engine) -> None:
    """Of a TRF without days of rounds, `skip_known` left out nothing: every game counted twice."""
    weekly = [f"2024-09-{day:02},{a},{b},{score},{turn},Open (2024)" for day, a, b, score, turn in (
        (1, "ann", "bo", "1", 1), (1, "cy", "dee", "0", 1), (8, "ann", "cy", "0.5", 2),
    )]  # fmt: skip
    take(engine, weekly, "a.csv", f"{TWO},event")
    games = trf("1 2 1-0", "3 4 0-1", "1 3 =-=", "2 4 1-0")
    report = engine.import_file(io.BytesIO(games), "club", skip_known=True)
    assert sorted((row.what, row.position) for row in report.rows) == [
        ("left", 1),
        ("left", 2),
        ("left", 3),
        ("taken", 0),
    ]
    again = engine.import_file(io.BytesIO(games), "club", skip_known=True)
    assert again.rows.counts() == {"known": 1, "left": 3}


@pytest.mark.parametrize(("there", "found"), [(10, 10), (5, 5), (4, 0)])
def test_a_tournament_without_rounds_is_known_under_another_name_by_half_of_ten_games(
    engine: Engine, there: int, found: int
) -> None:
    def pgn(first: int, event: str) -> io.BytesIO:
        tags = '[Event "{}"]\n[Date "2024.03.02"]\n[White "p{}"]\n[Black "q{}"]\n[Result "1-0"]\n\n1-0\n\n'
        return io.BytesIO("".join(tags.format(event, n, n) for n in range(first, first + 10)).encode())

    engine.import_file(pgn(0, "Spring"), "club")
    again = engine.import_file(pgn(10 - there, "Cup"), "club", dry_run=True)
    assert twice(again) == [(found, 10, "day")] * bool(found)
    assert engine.import_file(pgn(10 - there, "Cup"), "club", skip_known=True).rows.count_of("left") == found


def test_games_that_count_twice_once_names_are_merged(engine: Engine) -> None:
    """They counted twice without a word: every game of both spellings, after merges in either direction."""
    take(engine, ["2024-01-01,ann,bo,1", "2024-01-02,ann,cy,1", "2024-01-08,cy,bo,0"], "a.csv")
    take(engine, ["2024-01-01,Ann,Bo,1", "2024-01-02,Cy,Ann,0", "2024-01-09,Bo,Cy,1", "2024-01-20,Ann,Bo,1"], "b.csv")
    plan = engine.plan.merge("ann", "Ann")
    assert plan.notes == (), "nobody of both files met ann"
    engine.apply(plan)
    before = engine.log.head.position
    plan = engine.plan.merge_all([("Bo", "bo"), ("cy", "Cy")])
    assert rc.Plan.from_json(json.loads(json.dumps(plan.as_json()))) == plan
    (note,) = plan.notes
    assert note == MergedTwice("club", "day", 2, (4, 1), ((4, 5),))
    assert str(note) == (
        "2 games count twice in club once these names are merged: the same players had the same score on that day, "
        "such as positions 4 and 1"
    )
    engine.apply(plan)
    merges = [row.uid for row in engine.log.rows(before, None, ("merge",))]
    engine.record(rc.GamePlayed(pool="club", played="2024-02-01", a="dee", b="bo", score=1.0))
    plan = engine.plan.merge("ann", "dee")
    assert plan.notes == (), "the others counted twice before"
    engine.apply(plan)
    engine.void(merges[0])
    notes: list[Any] = [*engine.plan.revive(merges[0]).notes]
    assert [note.results for note in notes] == [1], "the merge of bo brings one of them back"


def test_a_third_spelling_counts_three_times_once_names_are_merged(engine: Engine) -> None:
    for number, name in enumerate(("ann", "Ann", "ANN")):
        take(engine, [f"2024-01-01,{name},bo,1,1", f"2024-01-01,{name},bo,1,{number + 2}"], f"{number}.csv", TWO)
    pairs = [("ann", "Ann"), ("ann", "ANN")]
    notes: list[Any] = [*engine.plan.merge_all(pairs).notes]
    assert [(one.results, one.spans) for one in notes] == [(1, ((3, 3),)), (1, ((5, 5),))]
    engine.void(uid_at(engine.log, 3))
    notes = [*engine.plan.merge_all(pairs).notes]
    assert [one.spans for one in notes] == [((5, 5),)]


def test_a_game_whose_day_was_amended(engine: Engine) -> None:
    take(engine, ["2024-01-01,ann,bo,1"], "a.csv")
    (uid,) = (row.uid for row, _ in engine.events())
    engine.amend(uid, {"played": "2024-01-05"})
    assert twice(take(engine, ["2024-01-05,ann,bo,1"], "b.csv")) == [(1, 1, "day")]
    engine.void(uid)
    assert twice(take(engine, ["2024-01-05,bo,ann,0"], "c.csv")) == [], "the row is known, and the other is void"


def test_a_tournament_whose_first_day_was_corrected(engine: Engine) -> None:
    take(engine, ["2024-03-02,ann,bo,1,1,Open (2024-03-02)"], "a.csv", "played,a,b,score,round,event")
    report = take(engine, ["2024-03-01,ann,bo,1,1,Open (2024-03-01)"], "b.csv", "played,a,b,score,round,event")
    assert twice(report) == [(1, 1, "next day")]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        pytest.param(["02,ann,bo,1,1"], ["02,ann,bo,1,2"], id="another round"),
        pytest.param(["02,ann,bo,1,", "02,ann,bo,1,"], ["02,ann,bo,1,"] * 3, id="the file has grown"),
        pytest.param(["02,ann,bo,1,"], ["03,ann,bo,1,", "03,cy,di,1,"], id="the day after"),
        pytest.param(["02,ann,bo,1,"], ["02,ann,bo,0,"], id="another score"),
        pytest.param(["02,ann,bo,1,QF"], ["03,ann,bo,1,QF"], id="a round of several games"),
        pytest.param([f"{day:02},ann,bo,1," for day in range(2, 9)], ["09,ann,bo,1,", "12,ann,bo,1,"], id="a match"),
    ],
)
def test_ordinary_games_are_not_pointed_out(engine: Engine, first: list[str], then: list[str]) -> None:
    for name, rows in (("a.csv", first), ("b.csv", then)):
        report = take(engine, [f"2024-03-{row}" for row in rows], name, "played,a,b,score,round")
        assert twice(report) == []


@pytest.mark.parametrize(
    ("row", "expected"),
    [("bo,ann,1,3,cup", 1), ("ann,bo,3,1,", 1), ("ann,bo,3,2,cup", 0), ("bo,ann,1,3,league", 0)],
)
def test_other_points_and_other_events_are_other_games(engine: Engine, row: str, expected: int) -> None:
    facts: dict[str, Any] = {"points_a": 3, "points_b": 1, "event": "cup"}
    for data in (facts | {"points_a": 9}, facts):
        engine.record(rc.GamePlayed(pool="club", played="2024-03-02", a="ann", b="bo", score=1.0, data=data))
    report = take(engine, [f"2024-03-02,{row}"], "a.csv", "played,a,b,points_a,points_b,event")
    assert twice(report) == [(1, 1, "day")] * expected
    assert [note.first for note in report.notes if isinstance(note, RecordedTwice)] == [(3, 2)] * expected


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        pytest.param(
            ["2024-03-04,ann,bo,1", "2024-05-06,cy,di,0"], ["2024-04-03,ann,bo,1", "2024-06-05,cy,di,0"],
            [(2, 2, "exchanged")], id="day and month exchanged",
        ),
        pytest.param(["2024-03-04,ann,bo,1"], ["2024-04-03,bo,ann,0"], [(1, 1, "exchanged")], id="of one game"),
        pytest.param(
            ["2024-03-04,ann,bo,1", "2024-03-04,cy,di,0"], ["2024-03-05,ann,bo,1", "2024-03-05,cy,di,0"],
            [(2, 2, "next day")], id="two games a day off",
        ),
        pytest.param(
            ["2024-03-02T19:00:00Z,ann,bo,1"], ["2024-03-02,ann,bo,1"], [(1, 1, "day")], id="with a time and without",
        ),
        pytest.param(
            ["2024-03-02T00:00:00+02:00,ann,bo,1"], ["2024-03-02,ann,bo,1"], [(1, 1, "next day")],
            id="at midnight of a zone, and without a time",
        ),
        pytest.param(
            ["2024-03-02T19:00:00Z,ann,bo,1"], ["2024-03-02T19:00:00+02:00,ann,bo,1"], [(1, 1, "day")],
            id="at another offset",
        ),
        pytest.param(
            ["2024-03-02T19:00:00Z,ann,bo,1"], ["2024-03-02T19:07:31Z,ann,bo,1"], [], id="another game of the evening",
        ),
    ],
)  # fmt: skip
def test_days_written_in_another_way(
    engine: Engine, first: list[str], then: list[str], expected: list[tuple[int, int, str]]
) -> None:
    """They were counted twice without a word."""
    take(engine, first, "a.csv")
    report = take(engine, then, "b.csv")
    assert twice(report) == expected
    assert [note.lines for note in report.notes if isinstance(note, RecordedTwice)] == (
        [tuple(range(2, 2 + len(then)))] * len(expected)
    )


def test_a_tournament_that_was_moved_by_a_week(engine: Engine) -> None:
    pairs = [(one, other) for one in "abcde" for other in "vwxyz"]
    rows = [
        [f"2024-03-{day + at // 5:02},{a},{b},{at % 3 / 2},{at // 5 + 1}" for at, (a, b) in enumerate(pairs)]
        for day in (2, 9)
    ]
    take(engine, rows[0], "a.csv", "played,a,b,score,round")
    report = take(engine, rows[1], "b.csv", "played,a,b,score,round")
    assert twice(report) == [(25, 25, "moved")]
    assert "on the day 7 days before, such as positions 26 and 1" in " ".join(report.warnings)


def test_one_of_three_games_after_a_merge(engine: Engine) -> None:
    take(engine, ["2024-01-01,ann,bo2,1"], "a.csv")
    take(engine, ["2024-02-01,bo,cy,1"], "b.csv")
    engine.merge("bo", "bo2")
    report = take(engine, ["2024-01-01,ann,bo,1", "2024-01-03,ann,cy,1", "2024-01-04,ann,cy,0"], "c.csv")
    assert twice(report) == [(1, 3, "day")]


@pytest.mark.parametrize("header", ['[Round "1"]', '[Round "?"]\n[Site "Bonn"]', '[Round "1"]\n[Site "Bonn GER"]'])
def test_a_game_that_is_twice_in_one_file(engine: Engine, header: str) -> None:
    """A collection of games had one three times, and all of them counted."""
    game = '[Event "Open"]\n{}\n[Date "2024.03.02"]\n[White "Ann"]\n[Black "Bo"]\n[Result "1-0"]\n\n1-0\n\n'
    file = io.BytesIO((game.format('[Round "1"]') + game.format(header)).encode())
    file.name = "open.pgn"
    assert twice(engine.import_file(file, pool="club")) == [(1, 2, "file")]
    file = io.BytesIO((game.format('[Round "1"]') + game.format('[Round "2"]')).encode())
    file.name = "other.pgn"
    assert twice(rc.open(":memory:").import_file(file, pool="club")) == []


@pytest.mark.parametrize("looked", [0, 2**27])
def test_a_few_games_beside_many(engine: Engine, monkeypatch: pytest.MonkeyPatch, looked: int) -> None:
    """In a log of more than 100,000 events a few new games were not looked at."""
    rows = [f"2024-03-{at % 28 + 1:02},p{at % 5},q{at % 7},{at % 2},s{at}" for at in range(40)]
    take(engine, [*rows, "2024-05-01,ann,bo,1,t"], "a.csv", "played,a,b,score,id")
    monkeypatch.setattr(recorded_twice, "_LOOKED", looked)
    report = take(engine, ["2024-05-01,bo,ann,0,r"], "b.csv", "played,a,b,score,id")
    assert [note.first for note in report.notes if isinstance(note, RecordedTwice)] == [(42, 41)]


def test_a_first_file_of_more_players_than_a_query_has_values(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The import of a first table of more than 250,000 players was refused by SQLite after all rows were read."""
    asked, rows = list[int](), SqliteLog.rows

    def noted(self: SqliteLog, *cut: Any, **named: Any) -> Iterator[Row]:
        players = named.get("players", cut[4] if len(cut) > 4 else None)
        asked.append(len(players or ()))
        return rows(self, *cut, **named)

    monkeypatch.setattr(SqliteLog, "rows", noted)
    season = [f"2024-03-02 {at % 24:02}:30,a{at},b{at},1" for at in range(700)]
    assert twice(take(engine, season, "a.csv", zone="Europe/Berlin")) == []
    assert twice(take(engine, [*season[:3], "2024-03-02 23:31,a1,b9,1"], "b.csv", zone="America/New_York"))
    assert max(asked) <= 500
