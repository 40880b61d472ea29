"""The development coefficient E, by rating, age, index and success: the larger, the less an event moves a player."""

from typing import Literal

import numpy as np

from ratingcore.plugin import Floats

Appendix = Literal["1.2", "2.4"]


def development(rating: Floats, age: Floats, index: Floats, surplus: Floats, appendix: Appendix = "1.2") -> Floats:
    """E of each player, a whole number from 5 to 150 [1]_ [2]_.

    Parameters
    ----------
    rating : (n,) float64, rating points
        Before the event.
    age : (n,) float64, years
        Year of the event less year of birth; NaN (unknown) counts as more than 25.
    index : (n,) float64
        Number of events in which the player has been rated before.
    surplus : (n,) float64
        Points made in the event less those expected.
    appendix : {"1.2", "2.4"}
        The edition of the rules. Under the earlier one, 2.4, players up to 20 develop faster whatever they score, and
        only they are kept from falling fast below 1300.

    References
    ----------
    .. [1] Deutscher Schachbund, *Wertungsordnung*, 3.5.1 and appendix 1.2.
    .. [2] The same, as of 30 May 2014, appendix 2.4.

    Examples
    --------
    Two adults rated 1530 and 1930; a player of 15 rated 1200 who scores well; an adult rated 1000 who scores badly.

    >>> rating, age = np.array([1530.0, 1930.0, 1200.0, 1000.0]), np.array([40.0, np.nan, 15.0, 30.0])
    >>> development(rating, age, np.full(4, 6.0), np.array([0.9, -0.9, 1.0, -1.0])).tolist()
    [20.0, 29.0, 5.0, 22.0]
    """
    rating = np.clip(rating, -3000.0, 5000.0)  # beyond, the bounds decide
    young = age <= 20.0
    base = (rating / 1000.0) ** 4 + np.where(young, 5.0, np.where(age <= 25.0, 10.0, 15.0))
    faster, braked = young, rating < 1300.0
    if appendix == "1.2":
        faster, braked = faster & (surplus >= 0.0), braked & (surplus < 0.0)
    else:
        braked = braked & young & (surplus <= 0.0)
    brake = np.where(braked, np.expm1((1300.0 - rating) / 150.0), 0.0)
    exact = base * np.where(faster, np.clip(rating / 2000.0, 0.5, 1.0), 1.0) + brake
    most = np.where(braked, 150.0, np.where(index > 5.0, 30.0, 5.0 * index))
    return np.maximum(np.minimum(np.floor(np.round(exact, 10) + 0.5), most), 5.0)
