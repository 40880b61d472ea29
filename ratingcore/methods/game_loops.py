"""Code shared by loops over many games: sums, stretches without a repeated player, prefetching, log losses."""

from functools import cached_property
from math import log, log1p, sqrt
from typing import Any

import numpy as np

from ratingcore.columns.games import Floats, Games, Ints
from ratingcore.methods.kernels import Kernel, kernel


def summed(games: Games, change_a: Floats, change_b: Floats, players: int) -> Floats:
    """Total change of each player, added in the order of the log.

    Parameters
    ----------
    games : Games
    change_a, change_b : (n,) float64
        Change of each side by each game.
    players : int
        Rows of the state.

    Returns
    -------
    (players,) float64
    """
    a, b = games.a, games.b
    if (np.diff(games.position) < 0).any():  # games that the log learnt late
        order = np.argsort(games.position, kind="stable")
        a, b, change_a, change_b = a[order], b[order], change_a[order], change_b[order]
    return np.asarray(np.bincount(a, change_a, players) + np.bincount(b, change_b, players), dtype=np.float64)


STRETCH = 64
"""Number of games of a stretch at most: their columns stay in the nearest cache."""


@kernel
def disjoint(a: Ints, b: Ints, start: int, seen: Ints) -> int:
    """Index of the first game after `start` with a player of an earlier game since, or at which a stretch is full.

    Game by game, each division and each root waits for the one before. A loop that computes the
    games of a stretch one operation at a time, without looking up players, computes several of them per instruction,
    with the same bits as game by game.

    `seen` has a place for each player, 0 before the first call.
    """
    end = min(len(a), start + 64)
    for g in range(start, end):
        i, j = a[g], b[g]
        if seen[i] > start or seen[j] > start:
            return g
        seen[i] = seen[j] = start + 1
    return end


AHEAD = 8
"""Number of games between prefetching a row and reading it: time enough to arrive, and not to leave the cache."""


def _ask(table: Any, rows: Any, g: int) -> None:
    """Does nothing in interpreted code, which does not benefit from it."""


class _Prefetch(Kernel[[Any, Any, int], None]):
    """Does nothing on lists; compiled, it is an instruction of the processor."""

    @cached_property
    def compiled(self) -> Any:
        from ratingcore.methods.prefetch_compiled import fetching  # numba is heavy, so the work must repay it

        return fetching(AHEAD)

    @cached_property
    def digest(self) -> str:
        return f"prefetch{AHEAD}"


prefetch = _Prefetch(_ask)
"""Ask memory for `table[rows[g + AHEAD]]`, the row that a loop over games will read and write soon.

Call it in a kernel under `if COMPILED`, once a game for every column of state and every side. It changes no number.
Worth it where players are many: Elo over ten million players takes half the time.
A row of a two-dimensional table is asked for whole.

Examples
--------
>>> from ratingcore.methods.kernels import COMPILED, kernel
>>> @kernel
... def count(games, a):
...     for g in range(len(a)):
...         if COMPILED:
...             prefetch(games, a, g)
...         games[a[g]] += 1.0
>>> import numpy as np
>>> games = np.zeros(2)
>>> count(games, np.array([0, 1, 1]))
>>> games.tolist()
[1.0, 2.0]
"""


FEW = 16
"""Number of results after which products have to be taken into account: chances are 1e-15 at least."""


@kernel
def add_log_losses(n: int, took: float, at: int, chance: Floats, product: Floats, total: Floats) -> None:
    """Takes one result into account under `n` settings, of which the first took the part `took` of the point.

    The chances that the settings gave the first begin at `at`, and each is taken to be at least 1e-15 away from 0 and
    1. `product` begins with 1; what is not in it yet goes to `total`.
    """
    for s in range(n):
        p = chance[at + s]
        p = p if p > 1e-15 else 1e-15
        chance[at + s] = p if p < 1.0 - 1e-15 else 1.0 - 1e-15
    if took == 1.0:
        for s in range(n):
            product[s] *= chance[at + s]
    elif took == 0.0:
        for s in range(n):
            product[s] *= 1.0 - chance[at + s]
    elif took == 0.5:
        for s in range(n):
            product[s] *= sqrt(chance[at + s] * (1.0 - chance[at + s]))
    else:
        for s in range(n):
            total[s] -= took * log(chance[at + s]) + (1.0 - took) * log1p(-chance[at + s])


@kernel
def close_log_losses(n: int, product: Floats, total: Floats) -> None:
    """Adds what the products of `n` settings hold to the totals; to be done after each `FEW` results at the latest."""
    for s in range(n):
        total[s] -= log(product[s])
        product[s] = 1.0
