"""Formats of days and times that a user may name: for texts, and for numbers that count from 1970 or 1900."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from ratingcore.errors import BadValue, NotOfForm

NUMBERED = ("unix", "milliseconds", "microseconds", "excel")
"""Formats of numbers: (parts of) seconds since 1970 in UTC, and days of spreadsheets, which count from 1900."""
_SINCE_1970 = {"%s": 1_000_000, "unix": 1_000_000, "milliseconds": 1_000, "microseconds": 1}
"""Microseconds per unit of formats that count from 1970; `%s` is `unix`, as in `date` and `strftime`."""
_NUMBER = re.compile(r"([+-]?[0-9]{1,17})(?:[.,]([0-9]{1,20}))?(?:e\+(1[0-5]))?")
"""A number; exponents are allowed only as programs write whole numbers: with a small `e`, and without lost digits."""
_DIGITS = {5: "excel", 9: "unix", 10: "unix", 13: "milliseconds", 16: "microseconds"}
_FIRST_SERIAL = 61
"""First unambiguous day of spreadsheets: their day 60 is 29 February 1900, which did not exist."""


def moment_by(form: str, text: str) -> datetime:
    """Returns the moment that a text gives in a format, which is one of `strptime` or of `NUMBERED`.

    Numbers that count from 1970 give moments in UTC, all other texts local ones; the number 0 is refused as no time.

    Raises
    ------
    BadValue

    Examples
    --------
    >>> str(moment_by("unix", "1693300000.25")), str(moment_by("excel", "45353.75"))
    ('2023-08-29 09:06:40.250000+00:00', '2024-03-02 18:00:00')
    """
    try:
        if form not in _SINCE_1970 and form != "excel":
            return datetime.strptime(text, form)
        number = _number(text)
        if form != "excel" and number:
            return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=int(number * _SINCE_1970[form]))
        if number >= _FIRST_SERIAL:
            return datetime(1899, 12, 30) + timedelta(seconds=round(number * 86_400))
    except (ValueError, OverflowError):
        pass
    raise NotOfForm("played", text, f"is not a time of the form {form}", form)


def _number(text: str) -> Decimal:
    """Returns the number in a text; 0 for any other text."""
    match = _NUMBER.fullmatch(text)
    return Decimal(0) if match is None else Decimal(f"{match[1]}.{match[2] or 0}e{match[3] or 0}")


def number_form(text: str) -> str:
    """Returns the format of `NUMBERED` that fits a number by its digits; empty for other texts.

    Examples
    --------
    >>> number_form("1693300000"), number_form("1693300000000"), number_form("45353,5"), number_form("20240302")
    ('unix', 'milliseconds', 'excel', '')
    """
    return "" if text[:1] in ("+", "-", "0") else _DIGITS.get(len(str(int(_number(text)))), "")


def check_form(form: str) -> str:
    """Returns a format that a user names; `BadValue` if it is unknown, or lacks year, month or day.

    Examples
    --------
    >>> check_form("%d.%m.%Y"), check_form("unix")
    ('%d.%m.%Y', 'unix')
    """
    day = datetime(2024, 3, 22, tzinfo=UTC)
    try:
        if form in (*_SINCE_1970, *NUMBERED) or datetime.strptime(day.strftime(form), form).date() == day.date():
            return form
    except ValueError:
        pass
    raise BadValue("date_format", form, f"is not a format of whole days, such as %d.%m.%Y, {', '.join(NUMBERED)}")
