"""Grades of go as functions of a rating, and the rating of a declared grade."""

from math import floor

from ratingcore.plugin import BadValue


def egf(rating: float) -> str:
    """The nearest grade, ties up: 100 points apart, professional grades 30, from 2715 on; 30 kyu is the lowest.

    Examples
    --------
    >>> egf(2049.9), egf(2050.0), egf(2940.0)
    ('1 kyu', '1 dan', '9 pro')
    """
    if rating >= 2715.0:
        return f"{min(_half_up((rating - 2700.0) / 30.0) + 1, 9)} pro"
    return _amateur(max(rating, -900.0))


def ru_go(rating: float) -> str:
    """The same without professionals, and with grades 10 points apart below 100: 21 kyu is 90, 30 kyu is 0.

    Examples
    --------
    >>> ru_go(95.0), ru_go(94.9), ru_go(0.0)
    ('20 kyu', '21 kyu', '30 kyu')
    """
    if rating >= 95.0:
        return _amateur(max(rating, 100.0))
    return f"{min(30 - _half_up(rating / 10.0), 30)} kyu"


def _amateur(rating: float) -> str:
    dan = _half_up(rating / 100.0) - 20
    return f"{dan} dan" if dan >= 1 else f"{1 - dan} kyu"


def _half_up(number: float) -> int:
    return floor(round(number, 10) + 0.5)


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
        If it is not a grade from 30 kyu to 9 dan or 9 pro.

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
        raise BadValue("grade", text, "must be a grade from 30 kyu to 9 dan, or a professional one from 1p to 9p")
    return {"k": 2100.0 - 100.0 * number, "d": 2000.0 + 100.0 * number, "p": 2670.0 + 30.0 * number}[kind]
