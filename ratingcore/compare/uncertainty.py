"""How sure a difference is: games of one player, and games of one month, are not independent witnesses."""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import combinations
from math import floor, log10, sqrt

import numpy as np
from attrs import frozen

from ratingcore.compare.forecasts import Bools, Forecasts, Played
from ratingcore.compare.scores import common, losses
from ratingcore.errors import BadValue
from ratingcore.tables import Floats, Ints

LEVEL = 0.95
ROUNDS = 2000
_CELLS = 1_000_000
"""Cells of one piece of a bootstrap."""


@frozen(eq=False)
class Sums:
    """Sums of a number a game over the blocks; those of a difference are the difference of two of them."""

    player: Floats
    pair: Floats
    period: Floats

    def __sub__(self, other: "Sums") -> "Sums":
        return Sums(self.player - other.player, self.pair - other.pair, self.period - other.period)


@frozen(eq=False)
class Blocks:
    """The games that are scored, put into blocks: by player, by pair of players, by calendar month.

    Parameters
    ----------
    a, b, pair, period : (n,) int
        Block of each game; a game is in the block of either player.
    """

    a: Ints
    b: Ints
    pair: Ints
    period: Ints

    @classmethod
    def of(cls, played: Played, which: Bools | None = None) -> "Blocks":
        """The blocks of the games, or of some of them."""
        some = slice(None) if which is None else which
        return cls(played.a[some], played.b[some], played.pair[some], played.month[some])

    def __len__(self) -> int:
        return len(self.a)

    def sums(self, values: Floats) -> Sums:
        """Sums of a number a game, block by block."""
        if len(values) != len(self):
            raise BadValue("values", len(values), f"are not one for each of {len(self)} games")
        a, b, pair, period = (_added(block, values) for block in (self.a, self.b, self.pair, self.period))
        by_player = np.zeros(max(len(a), len(b)))
        by_player[: len(a)] += a
        by_player[: len(b)] += b
        return Sums(by_player, pair, period)

    @cached_property
    def sizes(self) -> Sums:
        """How many games there are in each block."""
        return self.sums(np.ones(len(self)))


def _added(block: Ints, values: Floats) -> Floats:
    total: Floats = np.bincount(block, values).astype(np.float64, copy=False)
    return total


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


@frozen
class Estimate:
    """A mean over games, with standard errors that allow for what games have in common.

    Attributes
    ----------
    n : int
        Games.
    mean : float or None
        None where there is no game.
    by_players, by_periods : float or None
        Standard errors by blocks of players and of calendar months; None where there are too few blocks.
    players, periods : int
        How many blocks there are.
    """

    n: int
    mean: float | None
    by_players: float | None
    by_periods: float | None
    players: int
    periods: int

    @property
    def used(self) -> str | None:
        """Which blocks say the most cautious thing: players or periods; None if neither can."""
        margins = {"players": self._margin(self.by_players, self.players)}
        margins["periods"] = self._margin(self.by_periods, self.periods)
        known = {blocks: margin for blocks, margin in margins.items() if margin is not None}
        return max(known, key=known.__getitem__) if known else None

    @property
    def standard_error(self) -> float | None:
        """By the blocks that are used."""
        return {"players": self.by_players, "periods": self.by_periods, None: None}[self.used]

    @property
    def margin(self) -> float | None:
        """Half the width of the 95 % interval, by the blocks that are used and Student's t of their number."""
        return self._margin(self.standard_error, self.players if self.used == "players" else self.periods)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval."""
        return None if self.mean is None or self.margin is None else (self.mean - self.margin, self.mean + self.margin)

    @staticmethod
    def _margin(error: float | None, blocks: int) -> float | None:
        if error is None:
            return None
        from scipy.special import stdtrit  # type: ignore[import-untyped]  # scipy has no types; wanted only where margins are

        return float(stdtrit(blocks - 1, (1 + LEVEL) / 2)) * error


def estimate(values: Floats, blocks: Blocks) -> Estimate:
    """The mean of a number a game, and how sure it is."""
    return estimate_of(blocks.sums(values), blocks)


def estimate_of(sums: Sums, blocks: Blocks) -> Estimate:
    """The same from sums over blocks.

    With u the number of a game less the mean, S_i the sum of u over the games of player i, S_ij over those of the
    pair, and S_t over those of month t, the variances of the mean of n games are::

        players   (sum S_i^2 - sum S_ij^2) / n^2 * P / (P - 1)
        periods   sum S_t^2 / n^2 * T / (T - 1)

    The first adds up the products of all two games that share a player [1]_ [2]_: it is the two-way formula [3]_ in
    which a player is the same on either side. It is never taken to be less than by blocks of pairs, sum S_ij^2 / n^2.

    References
    ----------
    .. [1] M. Fafchamps, F. Gubert, "The formation of risk sharing networks", Journal of Development Economics 83
       (2007), p. 326-350, formula (2.6).
    .. [2] P. M. Aronow, C. Samii, V. A. Assenova, "Cluster-Robust Variance Estimation for Dyadic Data", Political
       Analysis 23 (2015), p. 564-577.
    .. [3] A. C. Cameron, J. B. Gelbach, D. L. Miller, "Robust Inference With Multiway Clustering", Journal of
       Business & Economic Statistics 29 (2011), p. 238-249.
    """
    n, sizes = len(blocks), blocks.sizes
    players, pairs, periods = (int(np.count_nonzero(size)) for size in (sizes.player, sizes.pair, sizes.period))
    if not n:
        return Estimate(0, None, None, None, 0, 0)
    mean = float(sums.period.sum()) / n
    player, pair, period = (
        float(np.square(total - mean * size).sum())
        for total, size in (
            (sums.player, sizes.player),
            (sums.pair, sizes.pair),
            (sums.period, sizes.period),
        )
    )
    by_players = sqrt(max(player - pair, pair) * players / (players - 1)) / n if pairs > 1 else None
    by_periods = sqrt(period * periods / (periods - 1)) / n if periods > 1 else None
    return Estimate(n, mean, by_players, by_periods, players, periods)


def bootstrap(
    total: Floats, size: Floats, seed: int = 0, rounds: int = ROUNDS, level: float = LEVEL
) -> Interval | None:
    """Interval of a mean over games from drawing whole blocks with replacement; None of fewer than two blocks.

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
    >>> found = bootstrap(np.array([1.0, 5.0, 3.0, 4.0]), np.array([2.0, 4.0, 3.0, 2.0]), seed=1)
    >>> found == bootstrap(np.array([1.0, 5.0, 3.0, 4.0]), np.array([2.0, 4.0, 3.0, 2.0]), seed=1)
    True
    """
    some = size > 0
    total, size = total[some], size[some]
    blocks = len(size)
    if blocks < 2:
        return None
    random, means, at_once = np.random.default_rng(seed), [], max(1, _CELLS // blocks)
    for done in range(0, rounds, at_once):
        drawn = random.integers(blocks, size=(min(at_once, rounds - done), blocks))
        means.append(total[drawn].sum(axis=1) / size[drawn].sum(axis=1))
    low, high = np.quantile(np.concatenate(means), [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Interval(low, high, rounds, seed, blocks)


@frozen
class Paired:
    """Two methods on the same games: by how much one is better, and whether that is more than chance.

    Attributes
    ----------
    one, other : str
        The methods.
    estimate : Estimate
        Of the loss of the other less the loss of the one: positive where the one is better.
    bootstrap : Interval or None
        From drawing months with replacement.
    unit : str
    """

    one: str
    other: str
    estimate: Estimate
    bootstrap: Interval | None
    unit: str = "nats a game"

    @property
    def better(self) -> str | None:
        """The better of the two; None if the games do not tell them apart.

        They do if both the interval and the bootstrap, where there is one, lie on one side of zero.
        """
        mean, margin, drawn = self.estimate.mean, self.estimate.margin, self.bootstrap
        if mean is None or margin is None or not abs(mean) > margin:
            return None
        if drawn is not None and drawn.low <= 0.0 <= drawn.high:
            return None
        return self.one if mean > 0 else self.other

    @property
    def verdict(self) -> str:
        """A sentence for a report; what follows the sign ± is the margin of the 95 % interval."""
        mean, margin = self.estimate.mean, self.estimate.margin
        if mean is None:
            return f"{self.one} and {self.other} have no game in common"
        if margin is None:
            return f"{self.one} and {self.other} are not distinguishable: too few games"
        digits = max(4, -floor(log10(margin))) if margin > 0 else 4
        if self.better is None:
            told = f"{mean:+.{digits}f} ± {margin:.{digits}f} {self.unit}"
            return f"{self.one} and {self.other} are not distinguishable: {told}"
        worse = self.other if self.better == self.one else self.one
        return f"{self.better} is better than {worse} by {abs(mean):.{digits}f} ± {margin:.{digits}f} {self.unit}"

    def __str__(self) -> str:
        return self.verdict


Loss = Callable[[Floats, Floats], Floats]


def paired(
    one: Forecasts,
    other: Forecasts,
    played: Played,
    which: Bools | None = None,
    *,
    seed: int = 0,
    rounds: int = ROUNDS,
) -> Paired:
    """Compare the log losses of two methods on the games that both have a forecast of.

    Parameters
    ----------
    which : (n,) bool or None
        The games to score; None for all.
    seed, rounds : int
        Of the bootstrap; no rounds, no bootstrap.
    """
    return next(iter(every_pair((one, other), played, which, seed=seed, rounds=rounds)))


def every_pair(
    forecasts: Sequence[Forecasts],
    played: Played,
    which: Bools | None = None,
    *,
    loss: Loss = losses,
    unit: str = "nats a game",
    seed: int = 0,
    rounds: int = ROUNDS,
) -> list[Paired]:
    """Compare every two of the methods, on the games that all have a forecast of, but those that have none."""
    told, blocks = _losses_of(forecasts, played, which, loss)
    sums = [None if values is None else blocks.sums(values) for values in told]
    found = []
    for (one, mine), (other, theirs) in combinations(zip(forecasts, sums, strict=True), 2):
        if mine is None or theirs is None:
            found.append(Paired(one.text, other.text, _NOTHING, None, unit))
            continue
        gap = theirs - mine
        drawn = bootstrap(gap.period, blocks.sizes.period, seed, rounds) if rounds else None
        found.append(Paired(one.text, other.text, estimate_of(gap, blocks), drawn, unit))
    return found


def score_estimates(
    forecasts: Sequence[Forecasts], played: Played, which: Bools | None = None, *, loss: Loss = losses
) -> list[Estimate]:
    """The mean loss of each method, and how sure it is, on the games that all of them have a forecast of."""
    told, blocks = _losses_of(forecasts, played, which, loss)
    return [_NOTHING if values is None else estimate(values, blocks) for values in told]


_NOTHING = Estimate(0, None, None, None, 0, 0)


def _losses_of(
    forecasts: Sequence[Forecasts], played: Played, which: Bools | None, loss: Loss
) -> tuple[list[Floats | None], Blocks]:
    """The losses of each method on the games they have in common, None if it forecast none; and the blocks."""
    which = common(forecasts, which)
    some = slice(None) if which is None else which
    told = [(each.expected[some], each.rated[some].all()) for each in forecasts]
    return [loss(p, played.score[some]) if known else None for p, known in told], Blocks.of(played, which)
