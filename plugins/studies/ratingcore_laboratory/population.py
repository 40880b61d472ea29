"""The population of a world: drawn once, the same for every contender."""

import numpy as np

from ratingcore.plugin import Floats, Ints
from ratingcore_laboratory.world import World

STAYS = -1
"""Value of `left` for players who have not left."""


def generator(seed: int, name: str = "") -> np.random.Generator:
    """Returns a random generator that depends only on the seed and the name, whatever is drawn under other names."""
    words = () if not name else tuple(name.encode())
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=words)))


class Population:
    """Players by id, in order of creation; ids are never reused.

    Attributes
    ----------
    base : (n,) float64, rating points
    appetite : (n,) float64
        Games wanted, in units of the world's mean.
    joined, left : (n,) int
        Rounds: 0 for players at the start, `STAYS` for players who have not left.
    """

    __slots__ = ("_random", "appetite", "base", "joined", "left")

    def __init__(self, seed: int) -> None:
        self._random = generator(seed)
        self.base: Floats = np.empty(0)
        self.appetite: Floats = np.empty(0)
        self.joined: Ints = np.empty(0, dtype=np.int64)
        self.left: Ints = np.empty(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.base)

    @property
    def active(self) -> Ints:
        """Ids of the players who have not left."""
        return np.flatnonzero(self.left == STAYS)

    def born(self, world: World, count: int, joined: int) -> Ints:
        """Draws new players by the distributions of a world; returns their ids."""
        base = self._random.normal(world.base_mean, world.base_sd, count)
        appetite = self._random.normal(world.appetite_mean, world.appetite_sd, count)
        return self.add(np.maximum(base, world.base_least), np.clip(appetite, 0.0, world.appetite_most), joined)

    def add(self, base: Floats, appetite: Floats, joined: int) -> Ints:
        """Adds players with given strengths; returns their ids."""
        first, count = len(self), len(base)
        self.base = np.concatenate([self.base, base])
        self.appetite = np.concatenate([self.appetite, appetite])
        self.joined = np.concatenate([self.joined, np.full(count, joined)])
        self.left = np.concatenate([self.left, np.full(count, STAYS)])
        return np.arange(first, first + count)

    def leave(self, world: World, round_: int) -> Ints:
        """Lets some players leave, all equally likely; returns their ids."""
        active = self.active
        count = min(self._number(world.leaving_mean, world.leaving_sd), len(active))
        gone = np.sort(self._random.choice(active, count, replace=False)) if count else active[:0]
        self.left[gone] = round_
        return gone

    def join(self, world: World, round_: int) -> Ints:
        """Lets some players join; returns their ids."""
        usual = self.born(world, self._number(world.joining_mean, world.joining_sd), round_)
        if not world.batch or round_ != world.batch_after:
            return usual
        return np.concatenate([usual, self.born(world, world.batch, round_)])

    def _number(self, mean: float, sd: float) -> int:
        return max(0, int(np.rint(self._random.normal(mean, sd))))
