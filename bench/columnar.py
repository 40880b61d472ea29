"""Imports of a Parquet file by columns, against imports by events, a bare executemany, and a CSV file."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]  # no types
from pyarrow import csv, parquet

import ratingcore as rc
from bench.measure import Results, wall
from bench.worlds import START, world
from ratingcore.events import DAY
from ratingcore.events.values import NO_ID
from ratingcore.importer.row_import import Import, import_rows
from ratingcore.importer.settings import Settings
from ratingcore.log.sqlite.schema import TABLES, TRIGGERS
from ratingcore.readers import Made
from ratingcore.sqlite_library import sqlite3

ROWS = 100_000
_BARE = "the rest of the time goes to names, to uids (keyed digests), and to the digests of the chain"


def run(results: Results, games: int) -> None:
    """Print the times of importing games, 500 a day."""
    count = games // 10
    made = world(count, players=count // 10)
    played = START + DAY * (np.arange(count) // 500)
    a, b = ([f"player {number}" for number in column.tolist()] for column in (made.a, made.b))
    cells = list(zip(played.tolist(), a, b, made.score.tolist(), strict=True))

    def lines() -> list[Made]:
        return [
            Made(at, rc.GamePlayed(pool="world", played=when, a=one, b=two, score=score, uid=NO_ID))
            for at, (when, one, two, score) in enumerate(cells, 1)
        ]

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        when = pa.array(played, pa.timestamp("us"))
        table = pa.table({"played": when, "a": a, "b": b, "score": made.score})
        parquet.write_table(table, folder / "games.parquet")
        parquet.write_table(table.slice(0, 10), folder / "few.parquet")
        with rc.open(":memory:") as engine:  # loads what reads tables, once in a process
            engine.import_file(folder / "few.parquet", "world")
        with rc.open(folder / "events.db") as one, rc.open(folder / "columns.db") as other:
            slow = wall(
                lambda: import_rows(Import(one.log, one.registry.method, Settings(), "games.parquet"), lines), 1
            )
            quick = wall(lambda: other.import_file(folder / "games.parquet", "world"), 1)
            same = one.rating_list("world", "elo").digest == other.rating_list("world", "elo").digest
            rows = [tuple(row) for row in other.log.rows()]
        bare = wall(lambda: _bare(folder / "bare.db", rows), 1)
        by_rows = _against_text(folder, table.slice(0, ROWS))
        sealed = _sealed(folder, 8 * count)
        peak = _peak(folder, 4 * count)
    assert same
    print(f"{count:,} games by columns: {count / quick:,.0f} a second")
    results.row(f"import of {count:,} games by columns", quick / slow, "x events", 0.5)
    results.row("  against a bare executemany of the same rows", bare / quick, "x bare", 0.4, at_most=False, note=_BARE)
    results.row(f"import of {min(count, ROWS):,} games of a Parquet file by rows", by_rows, "x CSV", 0.9)
    for work, ratio, bound in sealed:
        results.row(f"  {work}, sealed", ratio, "x rows", bound)
    results.row(f"  peak memory of a process that imports {4 * count:,} games", peak / 2**20, "MB", 300.0)


def _bare(path: Path, rows: list[tuple[Any, ...]]) -> None:
    """Writes rows into a table with the same indexes and triggers, in one durable transaction."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA cache_size = -524288")
    for statement in TABLES + TRIGGERS:
        db.execute(statement)
    db.execute("BEGIN IMMEDIATE")
    db.executemany("INSERT INTO event VALUES (?,?,?,?,?,?,?,?,?,?,?)", rows)
    db.execute("COMMIT")
    db.close()


def _sealed(folder: Path, games: int) -> list[tuple[str, float, float]]:
    """Compares sealed games with ids and the same games as rows: what is measured, the ratio and its bound."""
    games = max(games, 2**17)
    made = world(games, players=games // 50)
    ids = [f"{number * 2654435761 % 2**40:08x}" for number in range(games)]
    played = pa.array(START + 1_000_000 * np.arange(games), pa.timestamp("us", "UTC"))
    a, b = ([f"player {number}" for number in column.tolist()] for column in (made.a, made.b))
    table = pa.table({"id": ids, "played": played, "a": a, "b": b, "score": made.score})
    parquet.write_table(table, folder / "sealed.parquet")
    taken: list[list[float]] = []
    for as_rows in (True, False):
        path = folder / f"rows-{as_rows}.db"
        with rc.open(path) as engine:
            works = (
                lambda: engine.import_file(folder / "sealed.parquet", "world", as_rows=as_rows),  # noqa: B023  # run at once
                engine.verify,
            )
            taken.append([_cpu(work) for work in works])
        taken[-1].append(path.stat().st_size)
        print(
            f"  {games:,} games {'as rows' if as_rows else 'sealed'}: {games / taken[-1][0]:,.0f} a CPU second, ",
            end="",
        )
        print(f"{games / taken[-1][1]:,.0f} verified, {taken[-1][2] / games:.1f} bytes a game")
    names = f"import of {games:,} games with ids", "verify", "bytes of the file"
    return list(zip(names, (one / other for other, one in zip(*taken, strict=True)), (0.7, 0.3, 0.5), strict=True))


def _cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _peak(folder: Path, games: int) -> int:
    """Returns the peak memory of a process that imports a Parquet file."""
    made = world(games, players=games // 20)
    days = pa.array(START + DAY * (np.arange(games) // 500), pa.timestamp("us"))
    a, b = ([f"player {number}" for number in column.tolist()] for column in (made.a, made.b))
    parquet.write_table(pa.table({"played": days, "a": a, "b": b, "score": made.score}), folder / "many.parquet")
    code = (
        "from bench.measure import peak_bytes; from ratingcore.cli.main import cli\n"
        f"cli(['import', {str(folder / 'many.db')!r}, {str(folder / 'many.parquet')!r}, '--pool', 'world'],\n"
        "    standalone_mode=False)\n"
        "print(peak_bytes())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1])


def _against_text(folder: Path, table: pa.Table) -> float:
    """Returns the time of importing a Parquet file over that of a CSV file of the same games, both row by row."""
    parquet.write_table(table, folder / "rows.parquet")
    days = table.set_column(0, "played", table["played"].cast(pa.date32()))
    csv.write_csv(days, folder / "rows.csv")

    def timed(name: str) -> float:
        with rc.open(":memory:") as engine:
            return wall(lambda: engine.import_file(folder / name, pool="world"), 1)

    ratios = sorted(timed("rows.parquet") / timed("rows.csv") for _ in range(3))
    return ratios[1]
