"""Functions shared by loops over many games: sums, stretches without a repeated player, prefetching, log losses."""

from functools import cached_property
from math import log, log1p, sqrt
from typing import Any

import numpy as np

from ratingcore.columns.games import Floats, Games, Ints
from ratingcore.methods.kernels import Kernel, kernel


def summed(games: Games, change_a: Floats, change_b: Floats, players: int) -> Floats:
    """Returns the total change of each player, added up in the order of the log.

    Parameters
    ----------
    games : Games
    change_a, change_b : (n,) float64
        Change of each side by each game.
    players : int
        Number of rows of the state.

    Returns
    -------
    (players,) float64
    """
    a, b = games.a, games.b
    if (np.diff(games.position) < 0).any():  # some games were recorded late
        order = np.argsort(games.position, kind="stable")
        a, b, change_a, change_b = a[order], b[order], change_a[order], change_b[order]
    return np.asarray(np.bincount(a, change_a, players) + np.bincount(b, change_b, players), dtype=np.float64)


STRETCH = 64
"""Largest number of games in a stretch, so that their columns stay in the nearest cache."""


@kernel
def disjoint(a: Ints, b: Ints, start: int, seen: Ints) -> int:
    """Returns where the stretch of games from `start` ends: before the first repeated player, or when it is full.

    Game by game, each division and each root waits for the one before. In a stretch no game depends on another, so a
    loop can do one operation for all its games before the next operation: the processor then computes several games
    per instruction, with the same bits.

    `seen` has a number for each player, which is 0 before the first call.
    """
    end = min(len(a), start + 64)
    for g in range(start, end):
        i, j = a[g], b[g]
        if seen[i] > start or seen[j] > start:
            return g
        seen[i] = seen[j] = start + 1
    return end


AHEAD = 8
"""Number of games between prefetching a row and reading it: the row has arrived by then, and is still in the cache."""


def _ask(table: Any, rows: Any, g: int) -> None:
    """Does nothing: interpreted code would not benefit from prefetching."""


class _Prefetch(Kernel[[Any, Any, int], None]):
    """Kernel that does nothing on lists, and is an instruction of the processor when compiled."""

    @cached_property
    def compiled(self) -> Any:
        from ratingcore.methods.prefetch_compiled import fetching  # imports numba, which is slow

        return fetching(AHEAD)

    @cached_property
    def digest(self) -> str:
        return f"prefetch{AHEAD}"


prefetch = _Prefetch(_ask)
"""Prefetches `table[rows[g + AHEAD]]`, the row that a loop over games will soon read and write.

Call it in a kernel under `if COMPILED`, once per game for every column of the state and every side. It changes no
number. It pays for many players: Elo over ten million players takes half the time. Of a two-dimensional table, it
fetches the whole row.

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
"""Largest number of results in a product before `close_log_losses`: with chances of 1e-15 it must not underflow."""


@kernel
def add_log_losses(n: int, took: float, at: int, chance: Floats, product: Floats, total: Floats) -> None:
    """Adds the log losses of one result, in which the first side took the share `took` of the point, for `n` settings.

    `chance`, from index `at` on, has the chance that each setting gave the first side; chances are kept at least 1e-15
    away from 0 and 1. Wins, losses and draws are multiplied into `product`, which begins at 1; other results go to
    `total` directly.
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
    """Moves the products of `n` settings into the totals; call it after every `FEW` results at the latest."""
    for s in range(n):
        total[s] -= log(product[s])
        product[s] = 1.0
