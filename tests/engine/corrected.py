"""Ratings after corrections, the newest events, and a club in which two persons used one name."""

from typing import Any

from ratingcore_elo import Elo

from ratingcore.engine import Engine
from ratingcore.events import DAY, Event, PlayerDescribed
from tests.columns.making import POOL, engine, game, seed


def ratings(eng: Engine, pool: str = POOL, **cut: Any) -> dict[str, float]:
    """Ratings by name."""
    made = eng.rating_list(pool, Elo(), **cut)
    return {player: made.rating(player) for player in made.player}


def last(eng: Engine, count: int = 1) -> list[Event]:
    """The newest events."""
    return [event for _, event in eng.events(eng.log.head.position - count)]


def club() -> Engine:
    """One name that two persons used, in games, a session, a seed and a description, in two pools."""
    eng = engine(
        game(1, "jo", "ann", uid="g1"),
        game(5, "jo", "ann", uid="g5"),
        game(6, "bo", "jo", uid="g6"),
        game(7, "jo", "ann", uid="gone"),
        seed(5, "jo", 1700.0, uid="s5"),
        PlayerDescribed(uid="p5", pool=POOL, player="jo", played=5 * DAY, data={"born": 2001}),
        PlayerDescribed(uid="p1", pool=POOL, player="jo", played=1 * DAY, data={"born": 1970}),
        game(8, "jo", "ann", pool="other", uid="o8"),
    )
    eng.void("gone")
    return eng
