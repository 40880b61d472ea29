"""The evolution of the true strength of a player with the games they have played."""

from math import pi
from typing import Literal, get_args

import numpy as np

from ratingcore.plugin import BadValue, Floats, Ints

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
        raise BadValue("evolution", kind, f"is none of {', '.join(EVOLUTIONS)}")
    wave = amplitude * np.sin(2.0 * pi * games / period)
    return np.asarray(base + (wave if kind == "sine" else np.abs(wave)))
