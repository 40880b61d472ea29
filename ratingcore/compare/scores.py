"""Scores forecasts of a share of the point: log loss, Brier, accuracy, deviance, calibration error."""

from math import log
from typing import NamedTuple

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints
from ratingcore.compare.clusters import Clusters, ClusterSums
from ratingcore.compare.forecasts import Forecasts
from ratingcore.compare.losses import TINY, checked, hits, losses
from ratingcore.compare.played import Played
from ratingcore.compare.reliability import BINS, binned
from ratingcore.methods.contract import Bools
from ratingcore.methods.kernels import kernel

LEAST = 0.01
"""The deviance clips chances to this distance from 0 and 1, as chess forecasting contests do."""


class Scores(NamedTuple):
    """Scores of forecasts of a share of the point; None if no game was scored.

    Attributes
    ----------
    n : int
        Number of games scored.
    unrated : int
        Number of games without a forecast, because a player was unrated.
    left_out : int
        Number of games that have a forecast but are not scored, such as the burn-in.
    log_loss : float, nats a game
    brier : float
        Mean squared error of the forecasts.
    accuracy : float in [0, 1]
        Share of games that the favourite won; a draw, or a forecast of one half, counts as one half.
    deviance : float
        Log loss to base 10 with chances between 0.01 and 0.99.
    ece : float in [0, 1]
        Expected calibration error over ten equal bins; biased upward for few games.
    """

    n: int
    unrated: int
    left_out: int
    log_loss: float | None
    brier: float | None
    accuracy: float | None
    deviance: float | None
    ece: float | None


def binary(p: Floats, y: Floats, left_out: int = 0, what: str = "forecast") -> Scores:
    """Scores forecasts of the share of the point. Games without a forecast are counted, not scored.

    Parameters
    ----------
    p : (n,) float64 in [0, 1]
        Forecasts; NaN if a player was unrated.
    y : (n,) float64 in [0, 1]
        Scores: 1, 0.5, 0.
    left_out : int
        Number of rated games that are not scored, copied to the result.
    what : str
        Name of the forecasts in error messages.

    Raises
    ------
    BadValue
        If a forecast or a score is not from 0 to 1.

    Examples
    --------
    >>> scores = binary(np.array([0.9, 0.6, 0.3, 0.55, 0.8]), np.array([1.0, 0, 0, 1, 1]))
    >>> scores.n, round(scores.log_loss, 6), round(scores.brier, 4), scores.accuracy, round(scores.deviance, 6)
    (5, 0.439861, 0.1405, 0.8, 0.191029)
    """
    p, y, unrated = checked(p, y, what)
    n = len(p)
    if not n:
        return Scores(0, unrated, left_out, None, None, None, None, None)
    loss = losses(p, y)
    return Scores(
        n,
        unrated,
        left_out,
        float(loss.mean()),
        float(np.square(p - y).mean()),
        float(hits(p, y).mean()),
        _deviance(p, y, loss),
        binned(p, y, BINS).ece,
    )


def _deviance(p: Floats, y: Floats, loss: Floats) -> float:
    """Returns the mean log loss to base 10 of clipped forecasts; only losses of clipped forecasts are computed anew."""
    outside = np.flatnonzero((p < LEAST) | (p > 1.0 - LEAST))
    inside = float(loss.sum()) - float(loss[outside].sum())
    return (inside + float(losses(p[outside], y[outside], LEAST).sum())) / len(p) / float(np.log(10.0))


def scores(forecasts: Forecasts, played: Played, which: Bools | None = None) -> Scores:
    """Scores a method on all games, or on some of them.

    Parameters
    ----------
    which : (n,) bool or None
        The games to score; other games with a forecast are counted as left out. None for all.
    """
    some = slice(None) if which is None else which
    left_out = 0 if which is None else int((forecasts.rated & ~which).sum())
    return binary(forecasts.expected[some], played.score[some], left_out, f"forecast of {forecasts.text}")


CHUNK = 32_768
"""Number of games processed at a time: intermediate columns of this length stay in the cache of a core."""
_LN10 = log(10.0)


@frozen(eq=False)
class MethodScores:
    """Scores of one method, with sums of its losses.

    Parameters
    ----------
    scores : Scores
    sums : ClusterSums
        Sums of the log loss over clusters.
    """

    scores: Scores
    sums: ClusterSums


def tally(p: Floats, y: Floats, clusters: Clusters, unrated: int = 0) -> MethodScores:
    """Scores forecasts, and sums their log losses over clusters.

    The numbers are those of `binary` and `Clusters.sums`, except for the order of additions.

    Parameters
    ----------
    p : (n,) float64 in [0, 1]
        Forecasts of at least one game.
    y : (n,) float64 in [0, 1]
        Scores.
    clusters : Clusters
    unrated : int
        Number of games that the method does not forecast.
    """
    n, seats, matches = len(p), clusters.seats, clusters.matches
    totals, bins = np.zeros(4), np.zeros((3, BINS))
    seat, match = np.zeros(len(seats)), np.zeros(len(matches))
    edges, came = np.arange(BINS + 1) / BINS, np.empty(CHUNK)
    for start in range(0, n, CHUNK):
        some = slice(start, start + CHUNK)
        loss = _losses(p[some], y[some], came[: len(p[some])])
        _add(loss, seats.number[2 * start : 2 * (start + CHUNK)], matches.number[some], seat, match)
        _score(p[some], y[some], loss, edges, LEAST, totals, bins[0], bins[1], bins[2])
    mean, square, hits, deviance = (totals / n).tolist()
    ece = float(np.abs(bins[1] - bins[2]).sum()) / n
    found = Scores(n, unrated, 0, mean, square, hits, deviance / _LN10, ece)
    return MethodScores(found, clusters.summed(seat, match))


def _losses(p: Floats, y: Floats, came: Floats) -> Floats:
    """Computes log losses; if no score is a draw, by one logarithm of the chance of what happened."""
    if _chances(p, y, TINY, came):
        np.log(came, out=came)
        return np.negative(came, out=came)
    return losses(p, y)


@kernel
def _chances(p: Floats, y: Floats, least: float, came: Floats) -> bool:
    """Writes the chance of the actual result into `came`; returns False if any score is neither 0 nor 1."""
    parted = 0
    for g in range(len(p)):
        x, s = min(max(p[g], least), 1.0 - least), y[g]
        parted += s != 0.0 and s != 1.0
        came[g] = s * x + (1.0 - s) * (1.0 - x)
    return parted == 0


@kernel
def _add(values: Floats, seats: Ints, matches: Ints, by_seat: Floats, by_match: Floats) -> None:
    for g in range(len(values)):
        value = values[g]
        by_seat[seats[2 * g]] += value
        by_seat[seats[2 * g + 1]] += value
        by_match[matches[g]] += value


@kernel
def _score(
    p: Floats, y: Floats, loss: Floats, edges: Floats, least: float,
    totals: Floats, bin_n: Floats, bin_p: Floats, bin_y: Floats,
) -> None:  # fmt: skip
    last = len(bin_n) - 1
    losses = squares = hits = deviance = 0.0
    for g in range(len(p)):
        x, s = p[g], y[g]
        losses += loss[g]
        squares += (x - s) * (x - s)
        if x == 0.5 or s == 0.5:
            hits += 0.5
        else:
            hits += 1.0 if (x > 0.5) == (s > 0.5) else 0.0
        if x < least or x > 1.0 - least:
            within = min(max(x, least), 1.0 - least)
            deviance -= s * log(within) + (1.0 - s) * log(1.0 - within)
        else:
            deviance += loss[g]
        k = min(int(x * (last + 1)), last)
        if x < edges[k]:  # the product may have been rounded over an edge
            k -= 1
        elif k < last and x >= edges[k + 1]:
            k += 1
        bin_n[k] += 1.0
        bin_p[k] += x
        bin_y[k] += s
    totals[0] += losses
    totals[1] += squares
    totals[2] += hits
    totals[3] += deviance
