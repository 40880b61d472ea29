"""A small league whose pages the tests look at."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import ratingcore as rc

HOSTILE = "<script>alert(1)</script>"


def league(path: str = ":memory:") -> rc.Engine:
    """A season of five players, one of them with a hostile name, a tournament, a published list and a late result."""
    engine = rc.open(path)
    engine.declare("rapid", method="elo:k=24", digits=1)
    players = ("ann", "bo", "cy", "di", HOSTILE)
    games = [
        rc.GamePlayed(
            uid=f"g-{day}-{n}", pool="rapid", played=f"2024-03-{day:02d}", a=players[n], b=players[(n + day) % 5],
            score=(day + n) % 3 / 2, data={"event": "Spring Open"} if day > 4 else {},
        )
        for day in range(1, 10)
        for n in range(5)
        if n != (n + day) % 5
    ]  # fmt: skip
    engine.record(*games)
    engine.publish(engine.rating_list("rapid", through="2024-03-05"), "March")
    return engine


@cache
def file_of_league() -> bytes:
    """The file of a log of the league."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "club.db")
        league(str(path)).close()
        return path.read_bytes()
