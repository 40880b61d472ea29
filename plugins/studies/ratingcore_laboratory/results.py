"""Simulated results: true strengths, and results and margins drawn from them by one random number each."""

from collections.abc import Sequence
from math import pi
from typing import Literal, get_args

import numpy as np

from ratingcore.errors import NotOneOf
from ratingcore.plugin import Floats, Ints, Need
from ratingcore.plugin.curves import LN10, expit, ndtr

WIN, DRAW, LOSS = 0, 1, 2


def chance(gap: Floats, scale: float = 400.0) -> Floats:
    """Expected score, in percent, of the side that is `gap` points ahead.

    Examples
    --------
    >>> chance(np.array([0.0, 400.0])).round(2).tolist()
    [50.0, 90.91]
    """
    return 100.0 * expit(gap * (LN10 / scale))


def score_of(percent: Floats, drawn: Ints | Floats, half_band: float = 3.0) -> Floats:
    """Score of a game: won up to the chance minus the half band, lost above the chance plus it, else drawn [1]_.

    Parameters
    ----------
    percent : (n,) float64
        Expected score of `a`.
    drawn : (n,) numbers from 1 to 100
        Random numbers.
    half_band : float, percent

    References
    ----------
    .. [1] A Czech bachelor thesis on the Elo measure, section 3.1, as in `README.md` here, "A round".

    Examples
    --------
    >>> score_of(np.array([60.0, 60.0, 60.0]), np.array([57, 63, 64])).tolist()
    [1.0, 0.5, 0.0]
    """
    return np.where(drawn <= percent - half_band, 1.0, np.where(drawn > percent + half_band, 0.0, 0.5))


def due(percent: Floats, half_band: float = 3.0) -> Ints:
    """The expected outcome of `a`: a win or a loss if the chance is at least the half band away from even, else a draw.

    Returns
    -------
    (n,) int
        `WIN`, `DRAW` or `LOSS`.

    Examples
    --------
    >>> due(np.array([53.0, 52.9, 47.0])).tolist()
    [0, 1, 2]
    """
    ahead = percent - 50.0
    level = (np.abs(ahead) < half_band) | (ahead == 0.0)
    return np.where(level, DRAW, np.where(ahead > 0.0, WIN, LOSS))


def done(score: Floats, even: float = 0.5) -> Ints:
    """The actual result of `a`: `WIN`, `DRAW` or `LOSS`, where an even score is a draw."""
    return np.where(score > even, WIN, np.where(score < even, LOSS, DRAW))


def percentage(lead: Floats, drawn: Floats, worth: float, noise: float) -> tuple[Floats, Floats]:
    """Score in percent of a side of several players, and its chance in percent to score more than half.

    Parameters
    ----------
    lead : (n,) float64, rating points
        Sum of the true ratings of the side less the sum of the other side.
    drawn : (n,) float64 in (0, 1)
    worth : float, percent a point
    noise : float > 0, percent
        Standard deviation of a result.

    Examples
    --------
    >>> score, chance = percentage(np.array([375.0]), np.array([0.5]), 4 / 1500, 6.0)
    >>> score.tolist(), chance.round(1).tolist()
    ([51.0], [56.6])
    """
    from scipy.special import ndtri  # type: ignore[import-untyped]  # scipy has no types

    expected = worth * lead
    return np.clip(50.0 + expected + noise * ndtri(drawn), 0.0, 100.0), 100.0 * ndtr(expected / noise)


Evolution = Literal["none", "sine", "abs_sine", "initial"]
EVOLUTIONS: tuple[str, ...] = get_args(Evolution)


def true_rating(kind: str, base: Floats, games: Ints, amplitude: float = 200.0, period: float = 312.0) -> Floats:
    """True rating of players after a number of games [1]_.

    Parameters
    ----------
    kind : {"none", "sine", "abs_sine", "initial"}
        Constant; a sine; its absolute value; three points a game for 33 games, then two for 33, then one for 34.
    base : (n,) float64, rating points
        Strength before the first game.
    games : (n,) int
        Games played.
    amplitude : float, rating points
        Height of the sine.
    period : float, games
        Length of a whole sine.

    Returns
    -------
    (n,) float64, rating points

    References
    ----------
    .. [1] A Czech bachelor thesis on the Elo measure, section 3.1.1, as in `README.md` here.

    Examples
    --------
    >>> base = np.array([1000.0, 1000.0])
    >>> true_rating("sine", base, np.array([78, 156])).round(6).tolist()
    [1200.0, 1000.0]
    >>> true_rating("initial", base, np.array([1, 500])).tolist()
    [1003.0, 1199.0]
    """
    if kind == "none":
        return base
    if kind == "initial":
        gained = 3 * np.minimum(games, 33) + 2 * np.clip(games - 33, 0, 33) + np.clip(games - 66, 0, 34)
        return np.asarray(base + gained)
    if kind not in EVOLUTIONS:
        raise NotOneOf.of("evolution", kind, EVOLUTIONS)
    wave = amplitude * np.sin(2.0 * pi * games / period)
    return np.asarray(base + (wave if kind == "sine" else np.abs(wave)))


POINTS = ("points_a", "points_b")
"""Fields of results for a margin: the winner gets the margin as points, and the loser none."""

SURE = 1e-9
"""Least probability distinguished from zero, so that every margin is finite."""


def wanted(needs: Sequence[Need]) -> bool:
    """True if a method with these needs reads points."""
    return any(need.of == "result" and need.name in POINTS for need in needs)


def margins(percent: Floats, drawn: Ints, finer: Floats, score: Floats, sd: float) -> Floats:
    """Points by which `a` wins, negative where `b` wins; a draw is 0, and a win is at least one point [1]_.

    A margin is normal with a standard deviation of `sd`. Its mean `sd * z`, with z the normal quantile of the expected
    score, is nearly proportional to the gap of the strengths: at 13.86, the spread of American football [1]_, about one
    point for 20 rating points. The random number of the result also determines the margin. So a margin never
    contradicts its result, and results are the same as in a world without margins.

    Parameters
    ----------
    percent : (n,) float64
        Expected score of `a`.
    drawn : (n,) whole numbers from 1 to 100
        Numbers that drew the results.
    finer : (n,) float64 in [0, 1)
        Place within each of these hundredths.
    score : (n,) float64
        Score of `a`.
    sd : float > 0, points

    References
    ----------
    .. [1] H. Stern, "On the Probability of Winning a Football Game", *The American Statistician* 45(3), 1991, 179-183:
       the margin less the point spread is about normal with a standard deviation of 13.86.

    Examples
    --------
    >>> even, score = np.full(3, 50.0), np.array([1.0, 0.5, 0.0])
    >>> margins(even, np.array([1, 50, 80]), np.full(3, 0.5), score, 10.0).tolist()
    [26.0, 0.0, -8.0]
    """
    from scipy.special import ndtri

    chance, place = (np.clip(share, SURE, 1.0 - SURE) for share in (percent / 100.0, (drawn - finer) / 100.0))
    whole = np.rint(sd * (ndtri(chance) - ndtri(place)))
    return np.where(score > 0.5, np.maximum(whole, 1.0), np.where(score < 0.5, np.minimum(whole, -1.0), 0.0))
