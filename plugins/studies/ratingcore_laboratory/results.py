"""Simulated results, from true strengths and one random number each."""

import numpy as np

from ratingcore.plugin import Floats, Ints
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
    """The result `a` should get: a win or a loss if their chance is the half band or more from even, else a draw.

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
    """The result `a` got: `WIN`, `DRAW` or `LOSS`, where an even score is a draw."""
    return np.where(score > even, WIN, np.where(score < even, LOSS, DRAW))


def percentage(lead: Floats, drawn: Floats, worth: float, noise: float) -> tuple[Floats, Floats]:
    """Score in percent of a side of several players, and its chance in percent to score more than half.

    Parameters
    ----------
    lead : (n,) float64, rating points
        Sum of the true ratings of the side less that of the other.
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
