"""Leagues that the tests of replays share, and how they run a method over them."""

from typing import Any

import numpy as np

from ratingcore.engine import Engine
from ratingcore.registry import Registry
from ratingcore.replay import Replay, fold
from tests.columns.making import POOL, engine, game, seed, session


def run(method: Any, eng: Engine, keep: bool = True, **cuts: Any) -> Replay:
    return fold(method, eng.core.view(POOL, **cuts), keep=keep)


def installed(eng: Engine) -> Engine:
    """The same log with the installed methods."""
    return Engine(eng.log, Registry.installed())


def league(sessions: bool = False, games: int = 200) -> Engine:
    """Games of twelve players over half a year, with seeds among them."""
    rng = np.random.default_rng(8)
    events: list[Any] = []
    for number in range(games):
        a, b = (f"p{i}" for i in rng.choice(12, 2, replace=False))
        day = float(rng.integers(0, 180))
        events.append(game(day, a, b, float(rng.choice([0, 0.5, 1])), data={"event": f"t{number % 7}"}))
        if rng.random() < 0.1:
            events.append(seed(float(rng.integers(0, 180)), f"p{rng.integers(14)}", float(rng.integers(1000, 2000))))
        if sessions and rng.random() < 0.3:
            seated = rng.choice(12, 6, replace=False)
            events.append(session(day, *(("abcdefghijkl"[i], float(rng.integers(99))) for i in seated)))
    return engine(*events)
