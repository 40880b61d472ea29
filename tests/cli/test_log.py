"""`ratingcore log`: the events, a sentence each."""

import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

from ratingcore import Engine, GamePlayed, PeriodClosed, PlayerDescribed, SqliteLog
from ratingcore import open as open_log
from ratingcore.events import instant

from .conftest import Run


def rows(run: Run, *words: object) -> list[dict[str, str]]:
    code, out, _ = run("log", "club.db", "--format", "csv", *words)
    assert code == 0
    return list(csv.DictReader(io.StringIO(out, newline="")))


def uids(run: Run, *words: object) -> list[str]:
    return [row["uid"] for row in rows(run, *words)]


def test_the_rows_have_the_promised_names(run: Run, club: Path) -> None:
    found = rows(run)
    assert list(found[0]) == ["position", "recorded", "kind", "pool", "played", "uid", "text"]
    assert [row["text"] for row in found] == [
        "ann is given rating 1600",
        "ann beat bo 3-1 (ann at home)",
        "bo and cy drew (event Open)",
        "ann beat cy",
        "ann beat bo (guest)",
    ]
    assert [row["position"] for row in found] == list("12345")
    assert all(row["recorded"].endswith("Z") for row in found)


def test_what_is_printed_as_recorded_is_a_cut_right_after_the_batch(run: Run, club: Path) -> None:
    """A batch at exact midnight was printed as a bare day, which as `known_at` means the end of that day."""
    clock = iter([instant("2024-05-01"), instant("2024-05-01T09:00")])
    with Engine(SqliteLog("night.db", clock=lambda: next(clock))) as engine:
        for day in ("2024-04-01", "2024-04-02"):
            engine.record(GamePlayed(pool="rapid", played=day, a="ann", b="bo", score=1.0))
        printed = json.loads(run("log", "night.db", "--format", "json").out)
        assert [engine.core.position(row["recorded"]) for row in printed] == [1, 2]


def test_filters_choose_and_combine(run: Run, club: Path) -> None:
    run("record", "club.db", "--pool", "blitz", "--played", "2024-05-01", "cy", "di", "1-0", "--uid", "b-1")
    assert uids(run, "--after", 3) == ["g-3", "g-4", "b-1"]
    assert uids(run, "--last", 2) == ["g-4", "b-1"]
    assert uids(run, "--kind", "seed") == ["s-1"]
    assert uids(run, "--player", "cy") == ["g-2", "g-3", "b-1"]
    assert uids(run, "--player", "cy", "--pool", "rapid", "--last", 1) == ["g-3"]
    assert uids(run, "--pool", "blitz") == ["b-1"]
    assert uids(run, "--after", 99) == []


def test_corrections_concern_whom_they_speak_about(run: Run, club: Path) -> None:
    void = run("void", "club.db", "g-2").out.strip()
    back = run("void", "club.db", void).out.strip()
    amend = run("amend", "club.db", "g-1", "b=di").out.strip()
    merge = run("merge", "club.db", "bo", "bo (guest)").out.strip()
    assert uids(run, "--player", "cy") == ["g-2", "g-3", void, back]
    assert uids(run, "--player", "di") == [amend]
    assert uids(run, "--player", "bo") == ["g-1", "g-2", void, back, amend, merge]
    assert uids(run, "--pool", "rapid", "--after", 5) == [void, back, amend, merge]
    assert uids(run, "--kind", "void", "--kind", "merge") == [void, back, merge]


def test_every_kind_has_a_sentence(run: Run, club: Path) -> None:
    with open_log(club) as engine:
        engine.record(
            PlayerDescribed(pool="rapid", player="ann", played="2024-01-01", data={"born": 1990}),
            PeriodClosed(pool="rapid", played="2024-03-31"),
        )
    assert [row["text"] for row in rows(run, "--after", 5)] == [
        "ann is described: born 1990",
        "the period through 2024-03-31 is closed",
    ]


def test_unknown_names_are_mistakes(run: Run, club: Path) -> None:
    assert run("log", "club.db", "--player", "cyy").code == 2
    assert run("log", "club.db", "--pool", "rapids") == (
        2, "", "error: the log has no pool named: rapids\n\nhint: did you mean rapid?\n",
    )  # fmt: skip
    assert run("log", "club.db", "--kind", "games").code == 2


def test_a_row_beyond_the_head_is_told_as_verify_tells_it(run: Run, club: Path) -> None:
    with closing(sqlite3.connect(club, isolation_level=None)) as hand:
        hand.execute(
            """INSERT INTO event SELECT 9, 'late', kind, pool, played, "order", a, b, score, ref, data
            FROM event WHERE kind = 'game' LIMIT 1"""
        )
    ran = run("log", "club.db")
    assert ran.code == 1
    assert ran.err.startswith("error: the chain breaks at position 9: events belong to no batch")
    assert "ratingcore verify LOG" in ran.err


def test_events_are_shown_with_their_source_and_chosen_by_it(run: Run, club: Path) -> None:
    assert run("log", "club.db").out.splitlines()[0] == "position,recorded,kind,pool,played,uid,text"
    Path("may.csv").write_text("played,a,b,score\n2024-05-01,ann,bo,1-0\n", encoding="utf-8")
    run("import", "club.db", "may.csv")
    run("void", "club.db", "g-1")
    assert run("log", "club.db").out.splitlines()[0] == "position,recorded,kind,pool,played,uid,text"
    rows = [json.loads(row) for row in run("log", "club.db", "--format", "jsonl").out.splitlines()]
    assert [row["source"] for row in rows] == [None] * 5 + ["may.csv", None]
    (row,) = run("log", "club.db", "--source", "m*.csv", "--last", 2).out.splitlines()[1:]
    assert row.endswith(",may.csv,ann beat bo")
    assert run("log", "club.db", "--source", "june.csv").code == 2
