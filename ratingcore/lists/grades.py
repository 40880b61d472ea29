"""Ratings in words: grades, titles, classes and categories, as published tables describe a level."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from math import floor, isnan

from ratingcore.errors import BadValue

Grade = str | int | None
"""A label, the number of a category, or None where the table has none."""

Bounds = tuple[tuple[float, str], ...]
"""Lower bounds, included, from the lowest up, with their labels."""

FESA: Bounds = (
    (1, "20 kyu"),
    *((80 * (20 - kyu), f"{kyu} kyu") for kyu in range(19, 3, -1)),
    (1360, "3 kyu"), (1460, "2 kyu"), (1560, "1 kyu"), (1680, "1 dan"), (1800, "2 dan"), (1920, "3 dan"),
    (2080, "4 dan"), (2240, "5 dan"), (2440, "6 dan"),
)  # fmt: skip
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
    (float("-inf"), "below 1200"),
    *((low, f"{low} to {low + 199}") for low in range(1200, 2600, 200)),
    (2600, "from 2600"),
)


def _described(bounds: Bounds) -> Callable[[float], Grade]:
    lows = [low for low, _ in bounds]

    def look_up(rating: float) -> Grade:
        at = bisect_right(lows, rating)
        return bounds[at - 1][1] if at else None

    return look_up


def _half_up(number: float) -> int:
    return floor(round(number, 10) + 0.5)


def _category_from(first: int) -> Callable[[float], Grade]:
    """Category 1 is an average of 25 whole points from `first` on, every 25 points are one more."""

    def look_up(average: float) -> Grade:
        category = (_half_up(average) - first) // 25 + 1
        return category if category > 0 else None

    return look_up


def _amateur(rating: float) -> str:
    dan = _half_up(rating / 100.0) - 20
    return f"{dan} dan" if dan >= 1 else f"{1 - dan} kyu"


def _egf(rating: float) -> Grade:
    """The nearest grade, ties up: 100 points apart, professionals 30 from 2715 on; nobody is below 30 kyu."""
    if rating >= 2715.0:
        return f"{min(_half_up((rating - 2700.0) / 30.0) + 1, 9)} pro"
    return _amateur(max(rating, -900.0))


def _ru_go(rating: float) -> Grade:
    """As in Europe without professionals, but 10 points apart below 100: 21 kyu is 90, 30 kyu is 0."""
    if rating >= 95.0:
        return _amateur(max(rating, 100.0))
    return f"{min(30 - _half_up(rating / 10.0), 30)} kyu"


TABLES: Mapping[str, Callable[[float], Grade]] = {
    "egf": _egf,
    "elo_class": _described(ELO_CLASS),
    "es_group": _described(ES_GROUP),
    "fesa": _described(FESA),
    "fide_category": _category_from(2251),
    "fide_category_women": _category_from(2051),
    "ru_chess": _described(RU_CHESS),
    "ru_chess_women": _described(RU_CHESS_WOMEN),
    "ru_go": _ru_go,
}
"""Functions from a rating to its grade, by table: `egf` and `ru_go` are of go, `fesa` of shogi, the others of chess."""


def grade(table: str, rating: float) -> Grade:
    """What a table calls a rating.

    Parameters
    ----------
    table : str
        `egf` (grades of go, the nearest), `ru_go` (the Russian scale below 100), `fesa` (grades of shogi),
        `fide_category` (of a tournament, by its average rating: 2251 to 2275 is 1 [1]_), `fide_category_women` (200
        points lower [1]_), `elo_class` (Elo's nine classes, 200 points each), `ru_chess` (titles and categories [2]_),
        `ru_chess_women` (with the women's titles [2]_), `es_group` (a Spanish scale). Lower bounds are included.
    rating : float, rating points
        NaN is unrated.

    Returns
    -------
    str, int or None
        A label, for tournament categories a number; None for the unrated and below the table. These words describe a
        level: titles are awarded for norms, promotions ask for games.

    Raises
    ------
    BadValue
        If there is no such table.

    References
    ----------
    .. [1] Wikipedia, "Chess rating system", section on FIDE: tournament categories.
    .. [2] Russian Wikipedia, "Рейтинг Эло", the classification of players by rating.

    Examples
    --------
    >>> grade("ru_chess", 2300), grade("ru_chess_women", 2300), grade("fide_category_women", 2300)
    ('national master', 'woman international master', 10)
    >>> grade("egf", 2049.9), grade("egf", 2050), grade("fesa", 1678), grade("fide_category", 2500)
    ('1 kyu', '1 dan', '1 kyu', 10)
    """
    if table not in TABLES:
        raise BadValue("table of grades", table, f"is none of {', '.join(TABLES)}")
    return None if isnan(rating) else TABLES[table](rating)


def go_rating(text: str) -> float:
    """The rating of a declared grade of go, to seed a newcomer with.

    Parameters
    ----------
    text : str
        `3 dan`, `12 kyu`, `1 pro`, or short: `3d`, `12K`, `1p`.

    Returns
    -------
    float, rating points

    Raises
    ------
    BadValue
        If it is no grade from 30 kyu to 9 dan or 9 pro.

    Examples
    --------
    >>> go_rating("1 dan"), go_rating("20k"), go_rating("9p")
    (2100.0, 100.0, 2940.0)
    """
    letters = text.strip().lower().lstrip("0123456789")
    digits = text.strip()[: len(text.strip()) - len(letters)]
    kind = {"k": "k", "kyu": "k", "d": "d", "dan": "d", "p": "p", "pro": "p"}.get(letters.strip(), "")
    number = int(digits) if digits.isdecimal() else 0
    if not kind or not 1 <= number <= (30 if kind == "k" else 9):
        raise BadValue("grade", text, "is no grade from 30 kyu to 9 dan or 9 pro")
    return {"k": 2100.0 - 100.0 * number, "d": 2000.0 + 100.0 * number, "p": 2670.0 + 30.0 * number}[kind]
