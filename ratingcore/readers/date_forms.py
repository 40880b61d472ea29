"""Formats of days and times that a user may name: for texts, and for numbers that count from 1970 or 1900."""

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from unicodedata import combining, normalize

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
            if "%d%m" in form or "%m%d" in form:
                _check_width(form, text)
            return datetime.strptime(text, form)
        number = _number(text)
        if form != "excel" and number:
            return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=int(number * _SINCE_1970[form]))
        if number >= _FIRST_SERIAL:
            return datetime(1899, 12, 30) + timedelta(seconds=round(number * 86_400))
    except (ValueError, OverflowError):
        pass
    raise NotOfForm("played", text, f"is not a time of the form {form}", form)


def _check_width(form: str, text: str) -> None:
    """Raises `ValueError` unless each number has all its digits: a missing 0 would shift those behind it."""
    wanted = [sum(4 if one == "Y" else 2 for one in run[1::2]) for run in re.findall("(?:%[dmyYHMS])+", form)]
    if wanted != [len(digits) for digits in re.findall("[0-9]+", text)]:
        raise ValueError(text)


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


_YEAR_FIRST = re.compile(r"([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})(?=$|[ T])")


def year_first(text: str) -> str:
    """Returns a day with the year first as an ISO text, with what follows it; empty for other texts.

    Examples
    --------
    >>> year_first("2024/3/2 9:30"), year_first("2024.03.02"), year_first("2.3.2024")
    ('2024-03-02 09:30', '2024-03-02', '')
    """
    match = _YEAR_FIRST.match(text)
    if match is None:
        return ""
    clock = re.sub("^([ T])([0-9]:)", r"\g<1>0\2", text[match.end() :])
    return f"{match[1]}-{match[3]:0>2}-{match[4]:0>2}{clock}"


_NUMERIC = re.compile(
    r"(?P<one>[0-9]{1,2})(?P<sign>\. |[./-])(?P<two>[0-9]{1,2})(?P=sign)(?P<year>[0-9]{4}|[0-9]{2})"
    r"(?P<clock> [0-9]{1,2}:[0-9]{2})?(?P<second>:[0-9]{2})?(?P<half> [AaPp][Mm])?"
)
"""A day in numbers with the year behind it, and perhaps a time of day."""
_ISO = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?![0-9])")


_MONTHS = (
    "jan jän ene gen led sty янв", "feb fév fev fevr úno lut фев", "mar mär mrz maa mrt bře мар",
    "apr avr abr dub kwi апр", "may mai mag mei maj kvě maja май мая", "jun juin giu čer červ červn cze июн",
    "jul juil lug července červenec lip июл", "aug aoû ago srp sie авг", "sep set zář wrz сен",
    "oct okt ott out říj paź окт", "nov listop lis ноя", "dec dez dic déc des pro gru дек",
)  # fmt: skip
"""Beginnings of the names of each month; of several that fit, the longest one counts."""
_WEEKDAYS = (
    "mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday thursday friday saturday sunday mo di mi do "
    "fr sa so montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag lun mar mer jeu ven sam dim lundi "
    "mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles mié jue vie sáb dom jueves viernes sábado "
    "domingo gio lunedì martedì mercoledì giovedì venerdì sabato domenica seg ter qua qui sex terça quarta "
    "quinta sexta segunda ma wo zo vr za maandag dinsdag woensdag donderdag vrijdag zaterdag zondag po út st čt pá ne "
    "pondělí úterý středa čtvrtek pátek sobota neděle "
    "pon wto śro czw pią sob nie пн вт \u0441\u0440 чт пт \u0441\u0431 вс"
)


def _bare(word: str) -> str:
    return "".join(char for char in normalize("NFKD", word.casefold()) if not combining(char))


_MONTH_OF = {_bare(begin): at for at, begins in enumerate(_MONTHS) for begin in begins.split()}
_DAY_NAMES = frozenset(map(_bare, _WEEKDAYS.split()))
_FILLERS = frozenset(
    ("st", "nd", "rd", "th", "er", "o", "a", "de", "del", "of", "the", "den", "der", "le", "il", "\u0433")
)
"""Words and endings beside the number of a day, such as those of `2nd` and `1er`."""
_TOKENS = re.compile(r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[AaPp][Mm])?|[0-9]+|[^\W\d_]+")
_ENGLISH = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _month(word: str) -> str:
    begins = (word[:length] for length in range(len(word), 2, -1))
    return next((_ENGLISH[_MONTH_OF[begin]] for begin in begins if begin in _MONTH_OF), "")


@lru_cache(4096)
def written_day(text: str) -> str:
    """Returns a day with a month's name in the form `2 Mar 2024 19:30`, and one in numbers without its weekday.

    The result is empty for a text without such words, or with other ones.

    Examples
    --------
    >>> written_day("Saturday, March 2nd, 2024"), written_day("2. Mai 2024 19:30"), written_day("So., 03.03.24")
    ('2 Mar 2024', '2 May 2024 19:30', '03.03.24')
    >>> written_day("2-Mar-24"), written_day("soon"), written_day("02.03.2024")
    ('2 Mar 24', '', '')
    """
    tokens = _TOKENS.findall(text)
    words = [word for one in tokens if one[0].isalpha() and (word := _bare(one)) not in _FILLERS]
    numbers = [one for one in tokens if one.isdecimal()]
    clocks = [one for one in tokens if ":" in one]
    if not words or len(clocks) > 1 or not all(word in _DAY_NAMES or _month(word) for word in words):
        return ""
    if len(numbers) == 3 and _DAY_NAMES.issuperset(words):
        match = re.search("[0-9].*[0-9]", text)
        return match[0] if match else ""
    named = [word for word in words if word not in _DAY_NAMES] or words[-1:]  # mar is a month, and a mardi
    if len(numbers) != 2 or len(named) != 1 or not _month(named[0]):
        return ""
    day, year = numbers if len(numbers[0]) < 3 else reversed(numbers)
    return " ".join((day, _month(named[0]), year, *clocks))


def moment_like(form: str, text: str) -> datetime:
    """Returns the moment that a text gives in a format, or in one with the same order of day, month and year.

    Years may have two or four digits, months a name in any of several languages, and the day its weekday; a time of day
    may be missing or added, and the signs between numbers may differ. A text in ISO is read as such, unless the format
    itself begins with the year.

    Raises
    ------
    BadValue

    Examples
    --------
    >>> [str(moment_like("%d.%m.%Y", text)) for text in ("3.2.24", "Sat 03/02/2024 18:30", "2024-02-03")]
    ['2024-02-03 00:00:00', '2024-02-03 18:30:00', '2024-02-03 00:00:00']
    """
    try:
        return moment_by(form, text)
    except NotOfForm:
        text = written_day(text) or text
        for other in (form, *_of_same_order(form, text)):
            with suppress(BadValue):
                return moment_by(other, text)
        raise


def _of_same_order(form: str, text: str) -> tuple[str, ...]:
    """Returns the formats with the order of a format that may read a text."""
    order = re.findall("%[bBdmyY]", form)
    if len(order) != 3 or order[2] not in ("%y", "%Y"):
        return ()
    if _ISO.match(text):
        return tuple(f"%Y-%m-%d{clock}" for clock in ("", " %H:%M", " %H:%M:%S", "T%H:%M", "T%H:%M:%S"))
    if not {"%b", "%B"}.isdisjoint(order):
        return tuple(f"%d %b {year}{clock}" for year in ("%Y", "%y") for clock in ("", " %H:%M", " %I:%M %p"))
    match = _NUMERIC.fullmatch(text)
    if match is None or (match["sign"][0] == "." and order[0] != "%d"):  # nobody writes the month first with full stops
        return ()
    clock = ("" if not match["clock"] else " %I:%M" if match["half"] else " %H:%M") + (":%S" if match["second"] else "")
    year = "%Y" if len(match["year"]) == 4 else "%y"
    return (match["sign"].join((*order[:2], year)) + clock + (" %p" if match["half"] else ""),)


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
    raise BadValue("date_format", form, f"must be a format of whole days, such as %d.%m.%Y, {', '.join(NUMBERED)}")
