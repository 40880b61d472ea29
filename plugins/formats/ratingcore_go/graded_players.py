"""Players in go files, whose strength is a grade: their ids, facts and first ratings; and the days of a tournament."""

import re
from collections.abc import Iterator

from attrs import frozen

from ratingcore.plugin.readers import (
    BadValue,
    DatedOptions,
    Days,
    Facts,
    Seed,
    Warning,
    Who,
    clean_name,
    day_or_why,
    day_unread,
    one_of,
    registered,
)


def days(first: str, last: str, options: DatedOptions, line: int, slashes: str = "") -> tuple[Days, list[Warning]]:
    """Returns the days of two texts; unreadable texts give warnings.

    Parameters
    ----------
    first, last : str
        Empty if missing in the file.
    slashes : {"", "day", "month"}
        The part that comes first in days such as `02/03/2024`.
    """
    start, known, why = day_or_why(first, options.partial, options.date_format or slashes)
    end, _, why_not = day_or_why(last, options.partial, options.date_format or slashes)
    if start is None or (end is not None and end < start):
        end = None
    return Days(start, end, known), [day_unread(line, "", problem) for problem in (why, why_not) if problem]


GRADE = re.compile(r"([0-9]{1,2})([dkp])", re.IGNORECASE)
"""A grade as written in go files: 3D, 12k, 9p."""
_NOWHERE = frozenset({"xx", "xxx", "xxxx"})  # OpenGotha's text for an unknown country or club
_MADE_UP = range(90_000, 100_000)  # pairing programs count down from 99999 for players without a number


@frozen
class GradedOptions(DatedOptions):
    """Options of tournament tables that give grades but no ratings.

    Parameters
    ----------
    grade : {"fact", "seed"}
        Whether a grade is only a fact, or also a first rating on the scale of the European Go Federation: 2100 for
        1 dan, 100 per grade, 30 per professional grade.
    """

    grade: str = one_of("fact", "seed")


def rating_of(grade: str) -> float | None:
    """Returns the rating of a grade on the scale of the European Go Federation; None for other texts.

    Examples
    --------
    >>> rating_of("1d"), rating_of("20K"), rating_of("1p"), rating_of("?")
    (2100.0, 100.0, 2700.0, None)
    """
    match = GRADE.fullmatch(grade.strip())
    if match is None or int(match[1]) == 0:
        return None
    number, kind = int(match[1]), match[2].lower()
    return {"d": 2000.0 + 100 * number, "k": 2100.0 - 100 * number, "p": 2670.0 + 30 * number}[kind]


def aga_id(number: str) -> str | None:
    """Returns the id of a member of the American Go Association; None for a number made up for one tournament.

    Examples
    --------
    >>> aga_id("489"), aga_id("99998")
    ('aga:489', None)
    """
    who = registered("aga", number, 6)
    return None if who is None or int(number) in _MADE_UP else who


def facts_of(line: int, who: Who, day: Days, grade: str = "", country: str = "", club: str = "") -> Iterator[Facts]:
    """Yields the facts of a player in a file, if there are any."""
    texts = {
        "called": who.name if who.id else "",
        "grade": grade.strip() if rating_of(grade) is not None else "",
        "federation": "" if country.strip().lower() in _NOWHERE else country,
        "club": "" if club.strip().lower() in _NOWHERE else club,
    }
    data = {}
    for field, text in texts.items():
        try:
            if value := clean_name(text):
                data[field] = value
        except BadValue:  # unreadable facts are left out; unreadable names are refused with their games
            continue
    if data:
        yield Facts(line, who, data, day.at)


def seed_of_grade(line: int, who: Who, day: Days, grade: str) -> Iterator[Seed]:
    """Yields the first rating that a grade gives; nothing for any other text."""
    rating = rating_of(grade)
    if rating is not None:
        yield Seed(line, who, {"rating": rating}, day.at)
