"""What tests of comparisons are made of: forecasts made up, and a league of random games."""

from collections.abc import Sequence

import numpy as np

from ratingcore.compare.clusters import Clusters
from ratingcore.compare.forecasts import Forecasts
from ratingcore.compare.played import Played
from ratingcore.engine import Engine
from tests.columns.making import POOL, engine, game


def league(n: int = 400, players: int = 12, seed: int = 0, days: float = 0.5) -> Engine:
    """An engine with random games of a few players, each a little after the last."""
    random = np.random.default_rng(seed)
    strength = random.normal(0.0, 1.0, players)
    events = []
    for g in range(n):
        i, j = random.choice(players, 2, replace=False).tolist()
        won = random.random() < 1 / (1 + np.exp(strength[j] - strength[i]))
        events.append(game(1 + g * days, f"p{i}", f"p{j}", float(won)))
    return engine(*events)


def games_of(eng: Engine) -> Played:
    return Played.of(eng.core.view(POOL))


def told(
    expected: Sequence[float], text: str = "told", draw: Sequence[float] | None = None, rating: float = 1500.0
) -> Forecasts:
    """Forecasts that nobody made."""
    p = np.array(expected, dtype=float)
    flat = np.full(len(p), rating)
    return Forecasts(
        f"{text}@1()", text, p, None if draw is None else np.array(draw, dtype=float), 0.0, lambda: (flat, flat)
    )


def made_up(n: int, seed: int = 0, draws: bool = False) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    p = random.uniform(0.02, 0.98, n)
    y = (random.random(n) < p).astype(float)
    if draws:
        y[random.random(n) < 0.3] = 0.5
    return p, y


def clusters_of(a: list[int], b: list[int], period: list[int]) -> Clusters:
    pair = np.unique(np.sort(np.column_stack([a, b]), axis=1), axis=0, return_inverse=True)[1].ravel()
    return Clusters(np.array(a), np.array(b), pair, np.array(period))


def random_clusters(n: int, players: int, periods: int, seed: int = 0) -> Clusters:
    random = np.random.default_rng(seed)
    a = random.integers(players, size=n)
    b = (a + random.integers(1, players, size=n)) % players
    return clusters_of(a.tolist(), b.tolist(), np.sort(random.integers(periods, size=n)).tolist())
