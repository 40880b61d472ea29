"""What tests of tables are made of: a pool of games by day, and timelines taken apart for comparing."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ratingcore.columns import Timeline, known_at
from ratingcore.columns.timeline import empty
from ratingcore.engine import Engine
from ratingcore.events import DAY, Event, GamePlayed, RatingSeeded, SessionPlayed, Side
from ratingcore.log import Log as AnyLog
from ratingcore.log import SqliteLog
from ratingcore.registry import Registry

POOL = "club"


def game(day: float, a: str, b: str, score: float = 1.0, **more: Any) -> GamePlayed:
    """A game of the pool on a day since 1970."""
    return GamePlayed(**{"pool": POOL, "played": int(day * DAY), "a": a, "b": b, "score": score} | more)


def seed(day: float, player: str, rating: float = 1600.0, **more: Any) -> RatingSeeded:
    """A seed of the pool on a day since 1970."""
    return RatingSeeded(
        **{"pool": POOL, "played": int(day * DAY), "player": player, "values": {"rating": rating}} | more
    )


def session(day: float, *sides: tuple[str, float], **more: Any) -> SessionPlayed:
    """A session of the pool on a day since 1970; players of a side are letters of one word."""
    seated = [Side(tuple(players), score) for players, score in sides]
    return SessionPlayed(**{"pool": POOL, "played": int(day * DAY), "sides": seated} | more)


def engine(*events: Event) -> Engine:
    """An engine on a log in memory that holds these events."""
    made = Engine(SqliteLog(":memory:"), Registry())
    if events:
        made.record(*events)
    return made


def scratch(log: AnyLog, position: int | None = None, pool: str = POOL) -> Timeline:
    """The timeline made at once from the empty one."""
    number = log.book.find("pool", pool)
    assert number is not None
    return known_at(empty(number, log.digest_at(0)), log, log.head.position if position is None else position)


def columns(timeline: Timeline) -> dict[str, list[Any]]:
    """Every column of a timeline, and whatever else it says."""
    said: dict[str, list[Any]] = {
        "cut": [timeline.pool, timeline.known_at, timeline.digest, timeline.corrections, sorted(timeline.self_pairings)]
    }
    for name in ("games", "sessions", "players"):
        table = getattr(timeline, name)
        said |= {f"{name}.{field}": column.tolist() for field, column in table._asdict().items()}
    seeds = timeline.seeds
    said |= {f"seeds.{field}": getattr(seeds, field).tolist() for field in ("position", "played", "player")}
    return said | {f"seeds.{name}": np.nan_to_num(column, nan=-1.0).tolist() for name, column in seeds.values.items()}


def kinds(timeline: Timeline) -> dict[str, str]:
    """The kind of every column."""
    tables = (timeline.games, timeline.sessions, timeline.players)
    said = {
        f"{n}.{field}": column.dtype.str for n, table in enumerate(tables) for field, column in table._asdict().items()
    }
    return said | {f"seeds.{name}": column.dtype.str for name, column in timeline.seeds.values.items()}


def names(eng: Engine, through: str | int | None = None) -> list[str]:
    """Players of the pool in order of rows."""
    return eng.core.view(POOL, through).names()


def positions(eng: Engine) -> list[int]:
    """Positions of the games of the pool in order of play."""
    return eng.core.view(POOL).timeline.games.position.tolist()


def recorded(eng: Engine, events: Iterable[Event]) -> None:
    """Append events one batch each, looking at the pool after each."""
    for event in events:
        eng.record(event)
        eng.core.view(POOL)
