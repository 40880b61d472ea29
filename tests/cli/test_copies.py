"""Copies of the log, and files of other formats: backup, export and load."""

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import polars as pl
import pyarrow.parquet
import pytest

import ratingcore as rc
from ratingcore.cli.copies import LONGEST
from ratingcore.errors import BadTransfer, BrokenChain
from ratingcore.log import SqliteLog, export_lines, load_lines, verify
from tests.guests import needs_tables
from tests.log import conftest
from tests.log.forging import reforged, spoil
from tests.log.making import Clock, Salts, fill, games

from .conftest import Run

address, places = conftest.address, conftest.places


def test_a_backup_is_the_same_log_and_replaces_nothing(run: Run, club: Path) -> None:
    assert run("backup", "club.db", "copy.db").code == 0
    assert run("verify", "copy.db").out == run("verify", "club.db").out
    code, out, err = run("backup", "club.db", "copy.db")
    assert (code, out) == (2, "")
    assert err.startswith("error: this path exists already: copy.db\n\nhint: ")


def test_a_backup_goes_back_by_restore_and_not_by_moving_it(run: Run, club: Path) -> None:
    run("backup", "club.db", "copy.db")
    was = run("verify", "club.db").out
    run("record", "club.db", "--pool", "rapid", "--played", "2024-05-01", "ann", "bo", "1-0")
    code, out, err = run("restore", "copy.db", "club.db")
    assert (code, out) == (0, was)
    assert "the log that was there is kept as" in err
    assert run("verify", "club.db").out == was
    assert run("verify", "club.db.replaced").out != was
    Path("club.db-wal").write_bytes(b"of another file")
    code, out, err = run("restore", "club.db.replaced", "postgresql:///club")
    assert (code, out) == (2, "")
    Path("copy.db").replace("club.db")
    code, out, err = run("list", "club.db")
    assert (code, out) == (2, "")
    assert err.startswith(
        "error: not a ratingcore log: club.db is a backup beside club.db-wal, which belongs to another file"
    )
    assert "\n\nhint: ratingcore restore BACKUP LOG" in err


def corrected(path: Path) -> None:
    """A log in which everything happened that can happen to a result."""
    with rc.open(path) as engine:
        games = [
            ("g-1", "2024-03-02T10:00Z", "ann", "bo", 1.0, 0, {"event": "Open", "lot": 3, "late": True}),
            ("g-2", "2024-03-02", "bo", "cy", 0.5, 2, {"points_a": 1, "points_b": 1}),
            ("g-3", "2024-03-02", "cy", "ann", 0.0, 1, {}),
            ("g-4", "2024-03-09", "Bo", "ann", 1.0, 0, {"home": "b", "lot": 2.5}),
            ("g-6", "2024-03-10", '=di "the, one"', "ann", 0.25, 0, {"round": "1b"}),
        ]
        for uid, played, a, b, score, order, data in games:
            engine.record(
                rc.GamePlayed(uid=uid, pool="rapid", played=played, a=a, b=b, score=score, order=order, data=data)
            )
        engine.record(rc.GamePlayed(uid="h-1", pool="blitz", played="2024-03-01", a="ann", b="bo", score=1.0))
        engine.merge("bo", "Bo")
        engine.record(rc.GamePlayed(uid="g-5", pool="rapid", played="2024-03-09", a="Bo", b="bo", score=1.0))
        engine.void("g-2")
        engine.amend("g-3", {"score": 0.5, "played": "2024-03-04", "lot": 1})
        engine.amend("h-1", {"pool": "rapid"})


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_results_give_the_same_lists_in_an_empty_log(run: Run, form: str) -> None:
    corrected(Path("club.db"))
    code, _, err = run("export", "club.db", f"results.{form}", "--to", "results")
    assert (code, err.startswith(f"results.{form}: results of head ")) == (0, True)
    code, out, _ = run("import", "copy.db", f"results.{form}")
    assert (code, "5 accepted" in out, "0 refused" in out) == (0, True, True), out
    with rc.open("club.db") as engine, rc.open("copy.db") as copy:
        for method in ("elo", "periodic"):
            assert copy.rating_list("rapid", method).digest == engine.rating_list("rapid", method).digest
        before = engine.rating_list("rapid", "elo", known_at=4)
    run("export", "club.db", f"then.{form}", "--to", "results", "--known-at", 4, "--pool", "rapid")
    run("import", "then.db", f"then.{form}")
    with rc.open("then.db") as then:
        assert then.rating_list("rapid", "elo").digest == before.digest


def test_results_that_came_from_a_file_without_ids_come_again(run: Run) -> None:
    Path("games.csv").write_text("played,a,b,score\n2024-03-02,ann,bo,1\n2024-03-02,ann,bo,1\n2024-03-09,bo,ann,0.5\n")
    run("import", "club.db", "games.csv", "--pool", "rapid")
    run("export", "club.db", "results.csv", "--to", "results")
    for _ in range(2):
        assert "3 duplicates" in run("import", "club.db", "results.csv").out
        code, out, _ = run("import", "copy.db", "results.csv")
        assert (code, "0 refused" in out) == (0, True), out
    with rc.open("club.db") as engine, rc.open("copy.db") as copy:
        assert copy.rating_list("rapid", "elo").digest == engine.rating_list("rapid", "elo").digest


@needs_tables
def test_results_as_parquet_have_types_and_the_head(run: Run) -> None:
    corrected(Path("club.db"))
    assert run("export", "club.db", "results.parquet", "--to", "results", "--through", "2024-03-09").code == 0
    table = pyarrow.parquet.read_table("results.parquet")
    with rc.open("club.db", read_only=True) as engine:
        assert table.schema.metadata[b"ratingcore.head"].decode() == str(engine.log.head)
        days = [event.played for _, event in engine.events(kinds=["game"])]
    rows = table.to_pylist()
    assert [row["uid"] for row in rows] == ["g-1", "g-3", "g-4", "h-1"]
    assert table.schema.field("played").type == pyarrow.timestamp("us", "UTC")
    assert table.column("played").cast(pyarrow.int64())[0].as_py() == days[0]
    assert [(row["a"], row["b"], row["lot"]) for row in rows] == [
        ("ann", "bo", 3.0), ("cy", "ann", 1.0), ("bo", "ann", 2.5), ("ann", "bo", None),
    ]  # fmt: skip


@needs_tables
def test_sessions_are_written_as_sides_and_never_lost(run: Run) -> None:
    with rc.open("bridge.db") as engine:
        sides = [rc.Side(("a", "b"), 55.0), rc.Side(("c", "d"), 45.0)]
        engine.record(rc.SessionPlayed(uid="s", pool="p", played="2024-03-02", sides=sides, data={"unit": "percent"}))
    code, _, err = run("export", "bridge.db", "sessions.csv", "--to", "results")
    assert (code, "write .jsonl or .parquet" in err, Path("sessions.csv").exists()) == (2, True, False)
    assert run("export", "bridge.db", "sessions.jsonl", "--to", "results").code == 0
    assert json.loads(Path("sessions.jsonl").read_text())["sides"] == [
        {"players": ["a", "b"], "score": 55.0}, {"players": ["c", "d"], "score": 45.0},
    ]  # fmt: skip
    run("export", "bridge.db", "sessions.parquet", "--to", "results")
    assert pyarrow.parquet.read_table("sessions.parquet").to_pylist()[0]["sides"][1]["players"] == ["c", "d"]


@needs_tables
def test_ratings_are_a_published_list_with_what_it_was_made_from(run: Run, club: Path) -> None:
    run("publish", "club.db", "2024-03", "--through", "2024-03-31")
    run("void", "club.db", "g-3")
    assert run("export", "club.db", "list.csv", "--to", "ratings", "--list", "2024-03").code == 0
    assert Path("list.csv").read_text() == run("show", "club.db", "2024-03", "--format", "csv").out
    assert run("export", "club.db", "list.parquet", "--to", "ratings", "--list", "2024-03").code == 0
    table = pyarrow.parquet.read_table("list.parquet")
    Path("list.json").write_bytes(table.schema.metadata[b"ratingcore.list"])
    assert run("prove", "list.json", "club.db").code == 0
    assert table.column("player").to_pylist()[0] == "ann"
    assert run("export", "club.db", "-", "--to", "ratings").code == 2


def test_options_of_two_kinds_of_export_do_not_mix(run: Run, club: Path) -> None:
    assert run("export", "club.db", "-", "--pool", "rapid").code == 2
    assert run("export", "club.db", "-", "--to", "nothing").code == 2
    assert run("export", "club.db", "-", "--to", "results", "--pool", "nobody").code == 2
    code, out, err = run("export", "club.db", "-", "--to", "results")
    assert (code, out.splitlines()[0]) == (0, "position,uid,pool,played,order,a,b,score,event,home,points_a,points_b")
    assert "1 first ratings and facts" in err


def test_an_export_replaces_nothing_and_leaves_no_part(run: Run, club: Path) -> None:
    Path("club.jsonl").write_text("precious")
    assert run("export", "club.db", "club.jsonl").code == 2
    assert Path("club.jsonl").read_text() == "precious"
    code, _, err = run("export", "club.db", "nowhere/club.jsonl")
    assert (code, err) == (1, "error: no such file or directory: nowhere/club.jsonl\n")


def test_a_tournament_is_written_as_a_report(run: Run) -> None:
    trf = Path(__file__).parents[2] / "fixtures" / "formats" / "trf" / "loose_title_column.trf"
    run("import", "club.db", trf, "--pool", "p")
    event = "FIDE Grand Prix 2025 (2025-01-15)"
    code, _, err = run("export", "club.db", "out.trf", "--to", "trf:version=26,eol=lf", "--event", event)
    assert (code, err.startswith("out.trf: trf:version=26,eol=lf of head ")) == (0, True), err
    assert "4 accepted" in run("import", "copy.db", "out.trf", "--pool", "p").out
    with rc.open("club.db") as engine, rc.open("copy.db") as copy:
        assert copy.rating_list("p", "elo").digest == engine.rating_list("p", "elo").digest
    code, _, err = run("export", "club.db", "no.trf", "--to", "trf", "--event", "Grand Prix 2025")
    assert (code, Path("no.trf").exists(), "did you mean" in err) == (2, False, True), err
    code, _, err = run("export", "club.db", "no.trf", "--to", "trf")
    assert (code, err) == (
        2,
        f"error: trf: parameter event is missing: choose a tournament: {event}\n\n"
        "hint: choose the tournament: --event NAME\n",
    )
    assert run("export", "club.db", "no.jsonl", "--event", event).code == 2


@needs_tables
def test_sessions_that_were_written_as_parquet_are_read_again(run: Run) -> None:
    """Each was taken for a game without a result, and --reissue voided all of them."""
    with rc.open("club.db") as engine:
        for day in (2, 3, 4):
            sides = [rc.Side(["ann", "bo"], 3.0), rc.Side(["cy"], 1.5)]
            engine.record(
                rc.SessionPlayed(uid=f"s-{day}", pool="p", played=f"2024-03-0{day}", sides=sides, data={"event": "x"})
            )
        points = {"points_a": 2, "points_b": 1}
        engine.record(
            rc.GamePlayed(uid="g", pool="p", played="2024-03-05T10:30Z", a="ann", b="cy", score=1.0, data=points)
        )
        digest = engine.rating_list("p", "weng-lin").digest
    run("export", "club.db", "all.parquet", "--to", "results")
    told = run("import", "copy.db", "all.parquet")
    assert "4 rows read, 4 accepted" in told.out, told
    with rc.open("copy.db") as copy:
        assert copy.rating_list("p", "weng-lin").digest == digest
    assert "4 duplicates" in run("import", "copy.db", "all.parquet", "--reissue").out
    assert "4 duplicates" in run("import", "club.db", "all.parquet").out


@needs_tables
def test_a_table_in_memory_may_hold_sides() -> None:
    sides = [{"players": ["ann"], "place": 1}, {"players": ["bo", "cy"], "place": 2}]
    table = pl.DataFrame({"played": ["2024-03-02"] * 2, "a": ["ann", None], "b": ["bo", None], "score": [1.0, None],
                          "sides": [None, sides]})  # fmt: skip
    for given in (table, table.to_arrow().to_reader()):
        with rc.open(":memory:") as engine:
            assert engine.import_file(given, pool="p").accepted == 2
            assert [row.kind for row in engine.log.rows(0, None)] == ["game", "session"]
    with rc.open(":memory:") as engine:
        odd = pl.DataFrame({"played": ["2024-03-02"], "sides": [[{"players": ["ann"], "mark": 1}]]})
        assert "mark" in engine.import_file(odd, pool="p").refused[0][1]


def test_an_export_loads_into_an_equal_log(run: Run, club: Path) -> None:
    plain = run("export", "club.db")
    assert plain.err.startswith("stdout: head 5:")
    assert run("export", "club.db", "club.jsonl").out == ""
    assert run("export", "club.db", "club.jsonl.gz").out == ""
    assert Path("club.jsonl").read_text() == plain.out == gzip.decompress(Path("club.jsonl.gz").read_bytes()).decode()
    loads = [
        run("load", "a.db", "club.jsonl"),
        run("load", "b.db", "club.jsonl.gz"),
        run("load", "c.db", "-", stdin=plain.out),
    ]
    assert [ran.code for ran in loads] == [0, 0, 0]
    for name in ("a.db", "b.db", "c.db"):
        assert run("verify", name).out == run("verify", "club.db").out
        assert run("list", name) == run("list", "club.db")
        assert not Path(f"{name}.part").exists()


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("", 1, "the export: it is empty"),
        ("hello\n", 1, "line 1 of the export: this is not a line of an export"),
        ("changed", 1, "the chain breaks at position "),
        ("cut", 1, "line "),
    ],
)
def test_a_bad_export_makes_no_log(run: Run, club: Path, tmp_path: Path, text: str, code: int, told: str) -> None:
    lines = run("export", "club.db").out
    bad = {"changed": lines.replace("1600.0", "1700.0"), "cut": "".join(lines.splitlines(keepends=True)[:-3])}
    Path("bad.jsonl").write_text(bad.get(text, text))
    ran = run("load", "new.db", "bad.jsonl")
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith(f"error: {told}")
    assert not list(tmp_path.glob("new.db*"))


def test_a_stream_without_lines_ends_with_an_error(tmp_path: Path) -> None:
    """A fixed bug: the end of a line that is too long was looked for, and `load` from /dev/zero never ended."""
    call = [sys.executable, "-m", "ratingcore", "load", "new.db", "-"]
    with open("/dev/zero", "rb") as endless:
        done = subprocess.run(call, stdin=endless, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"error: line 1 of the export: it is longer than {LONGEST:,} characters")
    assert not list(tmp_path.iterdir())


def test_a_log_moves_to_an_address_and_back(run: Run, club: Path, address: Callable[[str], str]) -> None:
    there, lines = address("there"), run("export", "club.db").out
    with SqliteLog(club) as log:
        head = str(log.head)
    assert run("load", there, "-", stdin=lines).out.strip() == head
    assert run("export", there).out == lines
    assert run("load", "back.db", "-", stdin=run("export", there).out).out.strip() == head
    again = run("load", there, "-", stdin=lines)
    assert again.code != 0
    assert "is not empty" in again.err or "this path exists already" in again.err  # in a database, or a file


def test_load_replaces_nothing(run: Run, club: Path) -> None:
    run("export", "club.db", "club.jsonl")
    assert run("load", "club.db", "club.jsonl").code == 2
    assert run("load", "new.db", "none.jsonl") == (2, "", "error: cannot read none.jsonl: there is no such file\n")
    swapped = run("load", "club.jsonl", "new.db")
    assert swapped.err == "error: cannot read new.db: there is no such file\n"


def test_whatever_is_forged_is_refused_or_can_be_used(run: Run) -> None:
    """A fuzz: a good export is spoilt somewhere, every digest made anew; what is loaded must serve every command."""
    log = fill(SqliteLog(":memory:", clock=Clock(), salt=Salts()))
    log.append(games(20, 24, played="2024-05-01"))
    whole, random, refused, used = list(export_lines(log)), Random(1912), 0, 0
    for number in range(400):
        lines = reforged(whole, lambda given: spoil(given, random))
        copy = SqliteLog(":memory:", clock=Clock(), salt=Salts())
        try:
            load_lines(copy, lines)
        except (BadTransfer, BrokenChain):
            refused += 1
            continue
        verify(copy)
        if lines == whole or number % 5:
            continue
        used += 1
        Path("new.db").unlink(missing_ok=True)
        Path("new.jsonl").write_text("\n".join(lines))
        assert run("load", "new.db", "new.jsonl").code == 0
        pools, players = copy.book.keys_of("pool"), copy.book.keys_of("player")
        pool = "rapid" if "rapid" in pools else pools[0]
        commands = [
            ("verify", "new.db"), ("log", "new.db"), ("list", "new.db", "--pool", pool, "--method", "elo"),
            ("player", "new.db", players[0], "--pool", pool, "--method", "elo"),
            ("explain", "new.db", players[-1], "--pool", pool, "--method", "elo"),
        ]  # fmt: skip
        for command in commands:
            ran = run(*command)
            # a game may have gone to another pool, or a player to nobody: then this is told
            assert ran.code == 0 or (ran.code < 3 and ran.err.startswith("error: ")), (command, ran)
            assert "should not happen" not in ran.err, (command, ran)
            assert ran.code == 0 or command[0] not in ("verify", "log"), ran
    assert refused > 200
    assert used > 10, used


def test_a_line_on_stdin_is_bounded_as_in_a_file(run: Run, club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ratingcore.cli import copies

    monkeypatch.setattr(copies, "LONGEST", 100)
    ran = run("load", "new.db", "-", stdin=run("export", "club.db").out)
    assert (ran.code, ran.out) == (1, "")
    assert "line 1 of the export: it is longer than 100 characters" in ran.err
