"""Appending and importing against a bare executemany into the same table."""

import shutil
import tempfile
from pathlib import Path

import ratingcore as rc
from bench.measure import Results, wall
from bench.worlds import MINUTE, START, world
from ratingcore.importer.tables import FieldMap
from ratingcore.log import SqliteLog
from ratingcore.log.sqlite.connection import sqlite3
from ratingcore.log.sqlite.schema import TABLES, TRIGGERS

_APPENDING = (
    "commits cost almost nothing on this disk, so the other work shows: making rows of events (0.4 us each), finding "
    "the ids of players (0.4), digests (0.2) and look-ups (0.1) of batches; the insert alone takes 0.6 of the bare one"
)

FOOTBALL = Path(__file__).parents[1] / "fixtures/archives/football"


def run(results: Results, games: int) -> None:
    """Print the speeds of appending and importing."""
    n = min(games, 200_000)
    made = world(n)
    cells = zip(made.a.tolist(), made.b.tolist(), made.score.tolist(), strict=True)
    events = [
        rc.GamePlayed(pool="p", played=START + MINUTE * g, a=f"player {a}", b=f"player {b}", score=s, uid=f"g{g}")
        for g, (a, b, s) in enumerate(cells)
    ]
    folder = Path(tempfile.mkdtemp(prefix="ratingcore-bench-"))

    def ours() -> None:
        (folder / "ours.db").unlink(missing_ok=True)
        with SqliteLog(folder / "ours.db") as log:
            for start in range(0, n, 1000):
                log.append(events[start : start + 1000])

    ours()
    with SqliteLog(folder / "ours.db") as log:
        rows = [tuple(row) for row in log.rows()]

    def theirs() -> None:
        (folder / "bare.db").unlink(missing_ok=True)
        db = sqlite3.connect(folder / "bare.db", isolation_level=None)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        for statement in TABLES + TRIGGERS:
            db.execute(statement)
        for start in range(0, n, 1000):
            db.execute("BEGIN IMMEDIATE")
            db.executemany("INSERT INTO event VALUES (?,?,?,?,?,?,?,?,?,?,?)", rows[start : start + 1000])
            db.execute("COMMIT")
        db.close()

    ratios = sorted(wall(theirs, 1) / wall(ours, 1) for _ in range(5))
    results.row("append in batches of 1000, fully durable", ratios[2], "x bare", 0.8, at_most=False, note=_APPENDING)
    fields = FieldMap.load(FOOTBALL / "mapping.toml")

    def football() -> None:
        for old in folder.glob("football.db*"):
            old.unlink()
        with rc.open(folder / "football.db") as engine:
            engine.import_file(FOOTBALL / "results.csv.gz", "football", fields)

    results.row("football internationals imported", 41_300 / wall(football, 3) / 1e3, "k rows/s", 50.0, at_most=False)
    shutil.rmtree(folder)
