"""Games of a Parquet file imported by columns, against the same games imported event by event."""

import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]  # no types
from pyarrow import parquet

import ratingcore as rc
from bench.measure import Results, wall
from bench.worlds import START, world
from ratingcore.archives import Line
from ratingcore.events import DAY
from ratingcore.events.values import NO_ID
from ratingcore.importer import import_lines
from ratingcore.importer.columnar import import_columns


def run(results: Results, games: int) -> None:
    """Print the time of both, of games that were played 500 a day."""
    count = games // 10
    made = world(count, players=count // 10)
    played = START + DAY * (np.arange(count) // 500)
    a, b = ([f"player {number}" for number in column.tolist()] for column in (made.a, made.b))
    cells = list(zip(played.tolist(), a, b, made.score.tolist(), strict=True))

    def lines() -> list[Line]:
        return [
            Line(at, rc.GamePlayed(pool="world", played=when, a=one, b=two, score=score, uid=NO_ID))
            for at, (when, one, two, score) in enumerate(cells, 1)
        ]

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        when = pa.array(played, pa.timestamp("us"))
        parquet.write_table(pa.table({"played": when, "a": a, "b": b, "score": made.score}), folder / "games.parquet")
        with rc.open(folder / "events.db") as one, rc.open(folder / "columns.db") as other:
            slow = wall(lambda: import_lines(one.log, "games.parquet", lines), 1)
            quick = wall(lambda: import_columns(other.log, folder / "games.parquet", "world"), 1)
            same = one.rating_list("world", "elo").digest == other.rating_list("world", "elo").digest
    assert same
    print(f"{count:,} games by columns: {count / quick:,.0f} a second")
    results.row(f"import of {count:,} games by columns", quick / slow, "x events", 0.5)
