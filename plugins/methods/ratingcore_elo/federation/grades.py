"""Titles, classes and categories of chess by rating, and FIDE's categories of tournaments.

The words describe a level only: real titles require norms, and promotions require games.

References
----------
.. [1] Wikipedia, "Chess rating system", section on FIDE: tournament categories.
.. [2] Russian Wikipedia, "Рейтинг Эло", the classification of players by rating.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import partial
from math import floor

Bounds = tuple[tuple[float, str], ...]
"""Lower bounds, from the lowest up, with their labels."""

RU_CHESS: Bounds = (
    (float("-inf"), "novice"), (1000, "fourth category"), (1400, "third category"), (1600, "second category"),
    (1800, "first category"), (2000, "candidate master"), (2200, "national master"), (2400, "international master"),
    (2500, "international grandmaster"), (2750, "candidates-tournament participant"),
)  # fmt: skip
RU_CHESS_WOMEN: Bounds = (
    *RU_CHESS[:5], (2000, "woman national master"), (2200, "woman international master"), (2400, "woman grandmaster"),
    (2500, "women's world champion"),
)  # fmt: skip
ES_GROUP: Bounds = (
    (1000, "beginner"), (1400, "amateur"), (1600, "average club player"), (1800, "strong club player"),
    (2000, "candidate master"), (2300, "national master"), (2400, "international master"), (2500, "grandmaster"),
)  # fmt: skip
ELO_CLASS: Bounds = (
    (float("-inf"), "1200 and below"),
    *((low, f"over {low} to {low + 200}") for low in range(1200, 2600, 200)),
    (2600, "over 2600"),
)


def described(bounds: Bounds, rating: float) -> str | None:
    """The label of a rating from its lower bound on; None below the lowest.

    Examples
    --------
    >>> described(ES_GROUP, 1400.0), described(ES_GROUP, 999.0)
    ('amateur', None)
    """
    above = bisect_right(bounds, rating, key=lambda step: step[0])
    return bounds[above - 1][1] if above else None


def over(bounds: Bounds, rating: float) -> str | None:
    """The label of a rating that is above its lower bound, as in the encyclopedia: "over 2500" [2]_.

    Examples
    --------
    >>> over(RU_CHESS, 2500.0), over(RU_CHESS, 2500.1), over(ELO_CLASS, 1200.0)
    ('international master', 'international grandmaster', '1200 and below')
    """
    above = bisect_left(bounds, rating, key=lambda step: step[0])
    return bounds[above - 1][1] if above else None


def fide_category(average: float, *, women: bool = False) -> int | None:
    """FIDE's category of a tournament by the mean rating of its players [1]_; None below the first.

    Category 1 is a mean of 2251 to 2275, or of 2051 to 2075 for women; each further 25 points are one more category.

    Examples
    --------
    >>> fide_category(2500.0), fide_category(2250.4), fide_category(2300.0, women=True)
    (10, None, 10)
    """
    first = 2051 if women else 2251
    category = (floor(round(average, 10) + 0.5) - first) // 25 + 1
    return category if category > 0 else None


TABLES: dict[str, Callable[[float], str | int | None]] = {
    "elo_class": partial(over, ELO_CLASS),
    "es_group": partial(described, ES_GROUP),
    "fide_category": fide_category,
    "fide_category_women": partial(fide_category, women=True),
    "ru_chess": partial(over, RU_CHESS),
    "ru_chess_women": partial(over, RU_CHESS_WOMEN),
}
"""Tables by name: Elo's nine classes, a Spanish scale, FIDE's categories [1]_, titles and categories in Russia [2]_."""
