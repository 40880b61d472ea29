"""Two methods on the same games: by how much one forecasts better, and whether that is more than chance."""

from math import floor, log10

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints
from ratingcore.compare.bootstrap import ROUNDS, Interval, bootstrap
from ratingcore.compare.clusters import Clusters, ClusterSums
from ratingcore.compare.common_games import common
from ratingcore.compare.forecasts import Forecasts
from ratingcore.compare.losses import losses
from ratingcore.compare.played_games import Bools, Played
from ratingcore.compare.uncertainty import NO_GAMES, Estimate, estimate_of, estimate_of_blocks

NATS = "nats a game"
"""Unit of a difference of log losses."""
NATS_A_SESSION = "nats a session"
"""The same of sessions, in which every pair of sides counts the same."""


@frozen
class Paired:
    """Two methods on the same games: by how much one is better, and whether that is more than chance.

    Attributes
    ----------
    one, other : str
        The methods.
    estimate : Estimate
        Loss of the other less loss of the one: positive if the one is better.
    bootstrap : Interval or None
        By drawing months with replacement.
    unit : str
    """

    one: str
    other: str
    estimate: Estimate
    bootstrap: Interval | None
    unit: str = NATS

    @property
    def better(self) -> str | None:
        """The better of the two; None unless the interval, and the bootstrap if there is one, exclude zero."""
        mean, margin, drawn = self.estimate.mean, self.estimate.margin, self.bootstrap
        if mean is None or margin is None or not abs(mean) > margin:
            return None
        if drawn is not None and drawn.low <= 0.0 <= drawn.high:
            return None
        return self.one if mean > 0 else self.other

    @property
    def verdict(self) -> str:
        """A sentence for a report, with the margin of the 95 % interval after the sign ±."""
        mean, margin = self.estimate.mean, self.estimate.margin
        if mean is None:
            return f"{self.one} and {self.other} have no {self.unit.rpartition(' ')[2]} in common"
        if margin is None:
            few = "ten players and ten months" if self.unit == NATS else "sessions of ten months"
            return f"{self.one} and {self.other} are not distinguishable: an interval needs {few}"
        digits = max(4, -floor(log10(margin))) if margin > 0 else 4
        if self.better is None:
            gap = f"{mean:+.{digits}f} ± {margin:.{digits}f} {self.unit}"
            return f"{self.one} and {self.other} are not distinguishable: {gap}"
        worse = self.other if self.better == self.one else self.one
        return f"{self.better} is better than {worse} by {abs(mean):.{digits}f} ± {margin:.{digits}f} {self.unit}"

    def __str__(self) -> str:
        return self.verdict


def paired(
    one: Forecasts,
    other: Forecasts,
    played: Played,
    which: Bools | None = None,
    *,
    seed: int = 0,
    rounds: int = ROUNDS,
) -> Paired:
    """Compares the log losses of two methods on the games that both forecast.

    Parameters
    ----------
    which : (n,) bool or None
        The games to score; None for all.
    seed, rounds : int
        Seed and rounds of the bootstrap; with 0 rounds there is none.
    """
    which = common((one, other), which)
    some = slice(None) if which is None else which
    if not (one.rated[some].all() and other.rated[some].all()):
        return Paired(one.text, other.text, NO_GAMES, None)
    clusters = Clusters.of(played, which)
    mine, theirs = (clusters.sums(losses(each.expected[some], played.score[some])) for each in (one, other))
    return paired_by(one.text, other.text, theirs - mine, clusters, seed=seed, rounds=rounds)


def paired_sessions(one: str, other: str, gap: Floats, month: Ints, *, seed: int = 0, rounds: int = ROUNDS) -> Paired:
    """Compares two methods on sessions.

    Parameters
    ----------
    gap : (n,) float64
        Loss of the other less loss of the one, of each session.
    month : (n,) int
        Its calendar month: sessions of one month have something in common.
    """
    if not len(gap):
        return Paired(one, other, NO_GAMES, None, NATS_A_SESSION)
    size = np.bincount(month).astype(np.float64)
    drawn = bootstrap(np.bincount(month, gap).astype(np.float64), size, seed, rounds) if rounds else None
    return Paired(one, other, estimate_of_blocks(gap, month), drawn, NATS_A_SESSION)


def paired_by(
    one: str, other: str, gap: ClusterSums, clusters: Clusters, *, seed: int = 0, rounds: int = ROUNDS
) -> Paired:
    """Compares two methods by sums over clusters of the loss of the other less the loss of the one."""
    drawn = bootstrap(clusters.by_period(gap), clusters.period_size, seed, rounds) if rounds else None
    return Paired(one, other, estimate_of(gap, clusters), drawn)
