"""A club whose tables for SQL are tested, and the rows of those tables as a stranger reads them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ratingcore_sql_tables.catch_up import CaughtUp

import ratingcore as rc
from ratingcore.log.sqlite.connection import sqlite3
from tests.log.making import game

TABLES = ("rating_tables", "ratings_current", "rating_history")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[rc.Engine]:
    """A season of twelve games, a seed, and a session in a pool of its own."""
    with rc.open(tmp_path / "club.db") as made:
        made.record(rc.RatingSeeded(pool="rapid", played="2024-01-01", player="ann", values={"rating": 1600.0}))
        for n in range(12):
            a, b = ("ann", "bo", "cy", "di")[n % 4], ("bo", "cy", "di", "ann", "cy")[n % 5]
            if a != b:
                made.record(game(f"g-{n}", a, b, (1.0, 0.5, 0.0)[n % 3], played=f"2024-0{1 + n // 4}-1{n % 4}"))
        sides = [rc.Side(["ann", "bo"], 54.0), rc.Side(["cy", "di"], 46.0)]
        made.record(rc.SessionPlayed(uid="s-1", pool="bridge", played="2024-03-02", sides=sides))
        yield made


def rows(path: Path, sql: str, *values: object) -> list[dict[str, Any]]:
    """What a stranger reads in the file."""
    db = sqlite3.connect(path)
    try:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute(sql, values)]
    finally:
        db.close()


def dump(path: Path, *, without: tuple[str, ...] = ()) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of the tables, in order of their keys."""
    order = {"rating_tables": "1, 2", "ratings_current": "1, 2, 3", "rating_history": "1, 2, 3, 4"}
    told = {}
    for name in TABLES:
        read = rows(path, f"SELECT * FROM {name} ORDER BY {order[name]}")
        told[name] = [tuple(cell for column, cell in row.items() if column not in without) for row in read]
    return told


def done(caught: list[CaughtUp]) -> list[str]:
    """What became of each table."""
    return [row.done for row in caught]


def stranger(path: Path, *statements: str) -> None:
    """Somebody else writes in the file."""
    db = sqlite3.connect(path, isolation_level=None)
    for sql in statements:
        db.execute(sql)
    db.close()


def of(path: Path, pool: str) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of one pool."""
    return {name: [row for row in table if row[0] == pool] for name, table in dump(path).items()}
