"""The speed of Codeforces and Elo-MMR in contests of a thousand people."""

import numpy as np

from bench.measure import Results, seconds
from ratingcore.plugin import Sides, Span, State
from ratingcore.registry import Registry

PEOPLE, PLAYERS = 1000, 5000


def run(results: Results, games: int) -> None:
    """Print the time of contests of 1,000 people each."""
    contests, rng = max(games // 5_000, 2), np.random.default_rng(1)
    who = np.concatenate([rng.permutation(PLAYERS)[:PEOPLE] for _ in range(contests)]).astype(np.int32)
    at = np.arange(1, contests + 1)
    played = Sides(
        np.arange(0, contests * PEOPLE + 1, PEOPLE), np.arange(len(who) + 1), who, rng.random(len(who)), at, at,
        Span(0, contests + 1),
    )  # fmt: skip
    for name in ("codeforces", "elo-mmr"):
        method = Registry.installed().method(name)
        start = State.start(method.columns(), PLAYERS)
        (taken,) = seconds(lambda method=method, start=start: method.rate(start, played), repeats=1)  # type: ignore[misc]  # defaults bind them
        results.row(f"{name}, 1,000 contests of {PEOPLE:,}", taken * 1000 / contests, "s", 2.0)
