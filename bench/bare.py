"""The yardstick of most benchmarks: a compiled loop of Elo over arrays, in float64 and without fastmath."""

import math
from collections.abc import Callable

import numba
import numpy as np

from bench.worlds import World

_SLOPE = math.log(10.0) / 400.0


@numba.njit  # type: ignore[untyped-decorator]  # numba is untyped
def rate_bare(a, b, score, rating, k):  # type: ignore[no-untyped-def]  # numba infers them
    """Rates games one after the other; changes `rating` in place."""
    for g in range(a.size):
        i, j = a[g], b[g]
        change = k * (score[g] - 1.0 / (1.0 + math.exp(_SLOPE * (rating[j] - rating[i]))))
        rating[i] += change
        rating[j] -= change


def bare(made: World, players: int = 10_000) -> Callable[[], object]:
    """Returns a function that runs the loop over all games of a world."""
    return lambda: rate_bare(made.a, made.b, made.score, np.full(players, 1500.0), 20.0)
