"""Grades of shogi by rating, as the Federation of European Shogi Associations publishes them."""

from bisect import bisect_right

FESA = (
    (1, "20 kyu"),
    *((80 * (20 - kyu), f"{kyu} kyu") for kyu in range(19, 3, -1)),
    (1360, "3 kyu"), (1460, "2 kyu"), (1560, "1 kyu"), (1680, "1 dan"), (1800, "2 dan"), (1920, "3 dan"),
    (2080, "4 dan"), (2240, "5 dan"), (2440, "6 dan"),
)  # fmt: skip
"""Lower bounds, included, from the lowest up, with their grades."""


def fesa(rating: float) -> str | None:
    """The grade of a rating; None below 1.

    Examples
    --------
    >>> fesa(1678.0), fesa(1680.0), fesa(0.5)
    ('1 kyu', '1 dan', None)
    """
    above = bisect_right(FESA, rating, key=lambda step: step[0])
    return FESA[above - 1][1] if above else None
