"""Arguments and options that commands share: their help and their examples."""

import gzip
import json
import shlex
from datetime import date
from pathlib import Path
from random import Random
from zipfile import ZipFile

import openpyxl
import pytest

from ratingcore import GamePlayed, SessionPlayed, Side
from ratingcore import open as open_log
from ratingcore.sqlite_library import sqlite3
from tests.guests import HAS_TABLES
from tests.lists.keys import write_keys

from .conftest import Run
from .test_main import COMMANDS

FORMATS = Path(__file__).parents[2] / "fixtures" / "formats"
TRF = "trf/loose_title_column.trf"

MAPPING = """
[fields]
a = "home_team"
b = "away_team"
played = "day"
points_a = "home"
points_b = "away"
home = {value = "a"}
"""


@pytest.fixture
def folder(club: Path) -> Path:
    """The files that examples speak of."""
    folder = club.parent
    with open_log(club) as engine:
        engine.record(GamePlayed(uid="g-5", pool="rapid", played="2024-04-02", a="cy", b="bob", score=1.0))
    rng = Random(3)
    with open_log(folder / "bridge.db") as engine:
        for day in range(1, 29):
            seats, score = rng.sample(["ann", "bo", "cy", "di", "ed", "flo"], 4), rng.gauss(50.0, 6.0)
            pairs = [Side(seats[:2], score), Side(seats[2:], 100.0 - score)]
            engine.record(SessionPlayed(pool="club", played=f"2024-03-{day:02d}", sides=pairs))
    (folder / "games.csv").write_text("a,b,score,played\nann,bo,1-0,2024-05-02\nbo,cy,1/2,2024-05-03\n")
    (folder / "history.csv").write_text("a,b,score,played,reported\nann,bo,1-0,2019-05-02,2019-05-03\n")
    (folder / "white-black.csv").write_text("white;black;result;date\nann;cy;0-1;2024-05-04\n")
    (folder / "ratings.csv").write_text("player,rating\nbo,1550\n")
    (folder / "teams.csv").write_text("team,elo,since\nreds,1480,2023-08-01\n")
    (folder / "mapping.toml").write_text(MAPPING)
    plan = 'old = "elo"\nnew = "elo:k=40"\nstart = ["today", 2024-03-05, "beginning"]\nthresholds = [1550]\n'
    (folder / "plan.toml").write_text(plan)
    league = "home_team,away_team,day,home,away\nreds,blues,2024-02-03,2,1\n"
    (folder / "fixtures.csv").write_text("a,b,played,home\nann,bo,2024-06-01,a\nbo,cy,2024-06-02,\n")
    (folder / "league.csv.gz").write_bytes(gzip.compress(league.encode()))
    more = '{"home_team": "blues", "away_team": "reds", "day": "2024-02-10", "home": 0, "away": 0}\n'
    (folder / "more.jsonl").write_text(more)
    write_formats(folder)
    write_tables(folder)
    return folder


def write_tables(folder: Path) -> None:
    """A spreadsheet and a database."""
    book = openpyxl.Workbook()
    book.active.title = "Rapid"
    for row in (["White", "Black", "score", "played"], ["ann", "bo", 1, date(2024, 5, 9)]):
        book.active.append(row)
    book.save(folder / "season.xlsx")
    db = sqlite3.connect(folder / "league.sqlite")
    db.execute("CREATE TABLE game AS SELECT '2024-05-10' AS day, 'ann' AS a, 'bo' AS b, 0.5 AS score")
    db.commit()
    db.close()


def write_formats(folder: Path) -> None:
    """Files of other formats, tables of corrections, and names."""
    (folder / "season").mkdir()
    for source, name in (
        ("egf-h9/tilleuls.h9", "season/tilleuls.h9"), ("chess_results/swiss.xml", "open.xml"), (TRF, "open.trf"),
        (TRF, "old.trf"), ("fide_list/standard_2011.txt", "standard_oct26.txt"),
        ("fide_list/standard_2011.txt", "standard_mar24.txt"), ("egf-h9/lotus.h9", "unknown.xml"),
    ):  # fmt: skip
        (folder / name).write_bytes((FORMATS / source).read_bytes())
    with ZipFile(folder / "archive.zip", "w") as archive:
        archive.write(FORMATS / "egf-h9" / "T240420X.h9", "T240420X.h9")
    (folder / "amendments.csv").write_text("uid,score\ng-1,0.5\n")
    (folder / "merges.csv").write_text("keep,other\nann,bob\n")
    (folder / "names.csv").write_text("player,called\nbo,Bo Lund\n")
    (folder / "members.csv").write_text("id,name,born\nbo,Bo Lund,1990\n")
    (folder / "theirs.csv").write_text("name,elo\nann,1500\n")


def prepared(name: str, run: Run, folder: Path) -> dict[str, str]:
    """What the examples of a command need to find; words in them that only the log knows."""
    words: dict[str, str] = {}
    if name == "unmerge":
        run("merge", "club.db", "bo", "bob")
        words["m-1"] = run("merge", "club.db", "cy", "bo (guest)").out.strip()
    elif name == "revive":
        run("void", "club.db", "g-1")
    if name in ("publish", "show", "prove"):
        write_keys(folder)
    if name in ("convert", "export"):
        (folder / "open.trf").unlink()
    if name == "export":
        row = {"a": "ann", "b": "bo", "score": 1, "played": "2024-03-02", "event": "Open (2024-03-02)", "round": 1}
        (folder / "open.jsonl").write_text(json.dumps(row))
        run("import", "club.db", "open.jsonl", "--pool", "rapid")
    if name in ("void", "log", "split"):
        run("import", "club.db", "games.csv", "--pool", "rapid")
    if name in ("lists", "show", "diff", "prove", "export"):
        run("publish", "club.db", "2024-03", "--through", "2024-03-31")
        run("publish", "club.db", "2024-04", "--through", "2024-04-30")
        (folder / "list.json").write_text(run("show", "club.db", "2024-03", "--format", "json").out)
    if name == "prove":
        run("show", "club.db", "2024-03", "--sign", "key.pem", "--to", "signed.json")
    elif name in ("void", "declare"):
        fields = ("--set", "category=coding", "--set", "judge=j7")
        run("record", "arena.db", "--pool", "arena", "--played", "2024-03-02", "ann", "bo", "1-0", *fields)
    elif name == "restore":
        run("backup", "club.db", "club-2024-03.db")
    elif name == "load":
        run("export", "club.db", "club.jsonl.gz")
        (folder / "club.jsonl").write_text(run("export", "club.db").out)
    elif name == "verify":
        with open_log(folder / "club.db", read_only=True) as engine:
            words["2:HEAD2"] = f"2:{engine.log.digest_at(2)}"
        (folder / "anchors.txt").write_text(run("anchor", "club.db").out)
    return words


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("demo", "check")])
def test_examples_run(run: Run, folder: Path, name: str) -> None:
    words = prepared(name, run, folder)
    for example in COMMANDS[name].examples:  # type: ignore[union-attr]  # every command of ours has examples
        if not HAS_TABLES and (".xlsx" in example or ".sqlite" in example or ".parquet" in example):
            continue
        line, _, file = example.replace(" >> ", " > ").partition(" > ")
        line, _, given = line.partition(" < ")
        command, *rest = (words.get(word, word) for word in shlex.split(line))
        assert command == "ratingcore"
        stdin = (folder / given).read_text() if given else None
        ran = run(*rest, stdin=stdin)
        differs = "--against" in rest  # ratings of others may be others: then the code is 1
        assert ran.code in ((0, 1) if differs else (0,)), (example, ran)
        assert (
            ran.out
            or name in ("backup", "export", "convert")
            or {"--to", "--positions"} & {*rest}
            or (name, rest[2]) == ("void", "--pool")
        ), example
        if file:
            (folder / file).write_text(ran.out)
