"""Bootstrap intervals of a mean: whole blocks of games are drawn with replacement."""

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats

ROUNDS = 2000
_CELLS = 1_000_000
"""Drawn blocks held in memory at once."""


@frozen
class Interval:
    """A bootstrap interval of a mean.

    Attributes
    ----------
    low, high : float
    rounds : int
    seed : int
    blocks : int
        How many blocks were drawn, with replacement, in each round.
    """

    low: float
    high: float
    rounds: int
    seed: int
    blocks: int


def bootstrap(total: Floats, size: Floats, seed: int = 0, rounds: int = ROUNDS, level: float = 0.95) -> Interval | None:
    """Interval of a mean over games, or None if there are fewer than two blocks to draw.

    Parameters
    ----------
    total : (blocks,) float64
        Sum of the number over the games of each block.
    size : (blocks,) float64
        Games of each block; empty blocks are not drawn.
    seed : int
        The same seed gives the same interval.

    Examples
    --------
    >>> interval = bootstrap(np.array([1.0, 5.0, 3.0, 4.0]), np.array([2.0, 4.0, 3.0, 2.0]), seed=1)
    >>> interval == bootstrap(np.array([1.0, 5.0, 3.0, 4.0]), np.array([2.0, 4.0, 3.0, 2.0]), seed=1)
    True
    """
    some = size > 0
    total, size = total[some], size[some]
    blocks = len(size)
    if blocks < 2:
        return None
    # Rounds are drawn in pieces that fit into memory; the stream of random numbers is the same however it is cut.
    random, means, at_once = np.random.default_rng(seed), [], max(1, _CELLS // blocks)
    for done in range(0, rounds, at_once):
        drawn = random.integers(blocks, size=(min(at_once, rounds - done), blocks))
        means.append(total[drawn].sum(axis=1) / size[drawn].sum(axis=1))
    low, high = np.quantile(np.concatenate(means), [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Interval(low, high, rounds, seed, blocks)
