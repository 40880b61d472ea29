"""Leagues of which something is supposed."""

from random import Random
from typing import Any

from ratingcore.engine import Engine
from ratingcore.events import Event
from ratingcore.log import SqliteLog, load_lines
from tests.laws.histories import League

METHODS = ("elo:k=24", "elo:period=days(2)", "elo:k=15,entry=trial(2)", "periodic:period=days(3)")


def copied(eng: Engine, *events: Event) -> Engine:
    """Another log of the same history, with further events recorded."""
    other = Engine(SqliteLog(":memory:"), eng.registry)
    load_lines(other.log, eng.export())
    other.record(*events)
    return other


def league(seed: int, batches: int = 8) -> tuple[Engine, League]:
    """A random league, and what makes more of it."""
    made, more = Engine(SqliteLog(":memory:")), League(Random(seed))
    for _ in range(batches):
        made.record(*more.batch())
    return made, more


def unrounded(eng: Engine, pool: str, method: Any, **cut: Any) -> dict[str, float]:
    """Ratings by name, to the bit."""
    replay = eng.core.replay(pool, method, **cut)
    return dict(zip(replay.view.names(), replay.state["rating"].tolist(), strict=True))
