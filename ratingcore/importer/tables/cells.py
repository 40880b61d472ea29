"""Parsers of the cells of a table: numbers, times, points and free fields."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date, datetime, time, tzinfo
from functools import partial
from math import isinf

from ratingcore.errors import Absent, BadValue, NotANumber, NotOfForm
from ratingcore.events import DAY, Instant, instant, iso
from ratingcore.events.bounds import COUNTED, POINTS, check_counted, check_played, check_points
from ratingcore.importer.tables.days import UnreadDays
from ratingcore.importer.tables.headings import plain
from ratingcore.importer.tables.score_words import FORFEIT
from ratingcore.readers.date_forms import moment_by, moment_like, number_form, year_first
from ratingcore.readers.sheets import Moment
from ratingcore.readers.spellings import seen
from ratingcore.safe_text import Filled

Number = Callable[[str], int | float | None]
"""Parser of a text; returns None if the text is not a number."""

_NOT_FINITE = frozenset({"NaN", "nan", "NAN", "inf", "Inf", "-inf", "-Inf", "Infinity", "-Infinity"})
"""How programs write numbers that are not finite; `Nan` is left out, since it is also a name."""

_SAFE_DIGITS = 18
"""Largest number of digits of an integer; longer ones are codes, and may not fit into 64 bits."""

_WHOLE = re.compile(rf"[+-]?[0-9]{{1,{_SAFE_DIGITS}}}")


DATA_FIELDS = ("boards", "event", "handicap", "home", "importance", *POINTS, "round", "season", "unit")
"""Fields of a result's `data` that are read from columns of the same name even without a mapping."""


def number_parser(decimal: str) -> Number:
    """Returns a parser of numbers that allows a plus, leading zeros and a bare decimal sign."""
    sign = re.escape(decimal)
    form = re.compile(rf"[+-]?(?:[0-9]+{sign}?[0-9]*|{sign}[0-9]+)(?:[eE][+-]?[0-9]+)?")

    def read(text: str) -> int | float | None:
        if _WHOLE.fullmatch(text):
            return int(text)
        value = float(text.replace(decimal, ".")) if form.fullmatch(text) else None
        return None if value is None or isinf(value) else value

    return read


class Thousands:
    """Detects numbers such as 1.234 that may mean 1234, because their sign may separate thousands.

    Attributes
    ----------
    first : str
        The first number of this form; empty if there is none, or if a number with the sign has another form.
    hundreds : str
        A whole number of three digits; empty if there is none, or if `first` is empty.

    Examples
    --------
    >>> scores = Thousands(".")
    >>> for text in ("1.250", "980"):
    ...     scores.meet(text)
    >>> scores.first, scores.hundreds
    ('1.250', '980')
    >>> scores.meet("0.5")
    >>> scores.first, scores.hundreds
    ('', '')
    """

    def __init__(self, sign: str) -> None:
        self._sign, self._form = sign, re.compile(rf"[1-9][0-9]{{0,2}}{re.escape(sign)}[0-9]{{3}}")
        self._first = self._large = self._other = ""

    def meet(self, text: str) -> None:
        """Adds the text of a number."""
        if self._sign in text:
            if self._form.fullmatch(text.strip()):
                self._first = self._first or text.strip()
            else:
                self._other = text
        elif not self._large and _HUNDREDS.fullmatch(text.strip()):
            self._large = text.strip()

    @property
    def first(self) -> str:
        return "" if self._other else self._first

    @property
    def hundreds(self) -> str:
        return self._large if self.first else ""

    def doubt(self) -> tuple[str, str]:
        """Returns why the numbers are in doubt, and what the user can do."""
        bare = self.first.replace(self._sign, "")
        return (
            Filled(
                "{first} beside {beside} may be {bare}, so the numbers are in doubt: nothing was imported",
                first=self.first,
                beside=self.hundreds,
                bare=bare,
            ),
            f"write {bare} without the sign; if it is a decimal sign, set it in a mapping file: decimal = "
            f'"{self._sign}"',
        )


_HUNDREDS = re.compile(r"[1-9][0-9]{2}")


def fact_parser(field: str, decimal: str) -> Callable[[str], str | int | float | None]:
    """Returns a parser of a free field: texts written like numbers become numbers, codes such as 007 stay text."""
    sign = re.escape(decimal)
    form = re.compile(rf"-?(?:0|[1-9][0-9]*)(?:{sign}[0-9]+)?(?:[eE][+-]?[0-9]+)?")
    code = re.compile(rf"-?[0-9]{{{_SAFE_DIGITS + 1},}}")
    value_of = number_parser(decimal)

    def read(text: str) -> str | int | float | None:
        if not form.fullmatch(text) or code.fullmatch(text):
            value: str | int | float | None = None if text in _NOT_FINITE else str(text)  # not a subclass of it
        else:
            value = value_of(text)
        if value is None:
            raise NotANumber(field, text, "must be a finite number")
        return None if value == "" else value

    return read


def written_fact(text: str) -> str | int | float | bool | None:
    """Returns the value of a free field in a table that was exported from a log: a number, a truth value, or text.

    Examples
    --------
    >>> written_fact("12"), written_fact("true"), written_fact("nan"), written_fact("")
    (12, True, 'nan', None)
    """
    if text in ("true", "false"):
        return text == "true"
    try:
        return fact_parser("", ".")(text)
    except BadValue:  # a text that only looks like a number
        return text


def numeric_parser(field: str, decimal: str) -> Number:
    """Returns a parser of a field that holds a number or nothing; any other text raises `BadValue`."""
    value_of = number_parser(decimal)

    def read(text: str) -> int | float | None:
        value = value_of(text)
        if value is None and text:
            raise NotANumber(field, text, "must be a finite number")
        return value

    return read


def whole_number(field: str, text: str) -> int:
    """Returns the whole number in a cell; an empty cell is 0.

    Raises
    ------
    BadValue
        If the text is not a whole number.
    """
    if (text.isdecimal() and len(text) <= _SAFE_DIGITS) or _WHOLE.fullmatch(text):
        return int(text)
    if text:
        raise BadValue(field, text, "must be a whole number")
    return 0


def place_on_day(text: str) -> int:
    """Returns the order of a game on its day: a whole number, or the digits of a time of day; 0 for an empty cell.

    Examples
    --------
    >>> place_on_day("3"), place_on_day("19:30"), place_on_day("7.30 pm")
    (3, 193000, 193000)
    """
    if ":" in text or _CLOCK.fullmatch(text):
        return int(clock_text(text).replace(":", ""))
    return whole_number("order", text)


_CLOCK = re.compile(
    r"(?:.*T)?([0-9]{1,2})[:.h]([0-9]{2})(?:[:.]([0-9]{2})(?:\.[0-9]+)?)?(?: ?([ap])\.?m\.?)?(?: uhr)?", re.I
)
_BESIDE = "\u2003"
"""Separator between a day and a time of day from another column."""


def day_with_clock(day: str, clock: str) -> str:
    """Returns the cell of a day with the time of day from another column added, as `time_parser` reads it."""
    clock = clock.strip()
    if not day.strip() or not clock:
        return day
    if type(day) is Moment and _CLOCK.fullmatch(clock) and set(day[10:]) <= set("T0:"):
        return Moment(f"{day[:10]}T{clock_text(clock)}")
    return f"{day.strip()}{_BESIDE}{clock}"


def day_without_clock(cell: str) -> str:
    """Returns the cell of a day without the time of day that `day_with_clock` added."""
    return Moment(cell[:10]) if type(cell) is Moment else cell.partition(_BESIDE)[0]


def clock_text(text: str) -> str:
    """Converts a time of day such as 19:30, 19.30, 7:30 pm or 19h30 to ISO."""
    match = _CLOCK.fullmatch(text)
    hour, minute, second = (int(part or 0) for part in match.groups()[:3]) if match else (24, 0, 0)
    if match and match[4] and 1 <= hour <= 12:
        hour = hour % 12 + 12 * (match[4].lower() == "p")
    if hour > 23 or minute > 59 or second > 59:
        raise BadValue("time", text, "must be a time of day such as 19:30")
    return f"{hour:02}:{minute:02}:{second:02}"


def is_clock(text: str) -> bool:
    """True for a time of day, and for an empty cell."""
    with suppress(BadValue):
        return not text or bool(clock_text(text))
    return False


_SURE_FROM = {"excel": date(1954, 10, 3), "unix": date(2001, 9, 9)}
"""First days on which a number is surely a time: day 20,000 of spreadsheets, and a billion seconds since 1970."""


def time_parser(
    form: str | None, zone: tzinfo | None = None, days: UnreadDays | None = None
) -> Callable[[str], Instant]:
    """Returns a parser of times; without a form it takes ISO texts and days such as 2024/03/02, 2024.03.02, 20240302.

    A cell of a date or time type needs no form. If the first time is a number that counts from 1970, or the days of a
    spreadsheet, all later times must be such numbers too. A time without a zone is in `zone`, or `Unzoned` without
    one; midnight without a zone is a day.

    The parser raises `BadValue` for a text that is not a time, for a date whose day or month is unknown
    (`2001.??.??`), and for a year that cannot have rated games (0024).
    """
    begun = form is not None

    def read(text: str) -> Instant:
        nonlocal form, begun
        if type(text) is Moment:
            return check_played(_iso(text, zone))
        text, _, clock = text.partition(_BESIDE)
        if not begun:
            form = _number_form(text) or None
        time = _iso(text, zone) if form is None else _formed(text, form, zone)
        begun = True
        if days is not None:
            days.meet(text, time)
        if clock and time % DAY:
            raise BadValue("time", clock, Filled("is beside a day that has a time: {text}", text=text))
        return check_played(_iso(f"{iso(time)[:10]}T{clock_text(clock)}", zone) if clock else time)

    return read


def _number_form(text: str) -> str:
    """Returns the format of a number that is surely a time, at most a year ahead; empty for other texts."""
    form = number_form(text)
    try:
        sure = bool(form) and seen(moment_by(form, text).date()) >= _SURE_FROM.get(form, _SURE_FROM["unix"])
    except BadValue:
        return ""
    return form if sure else ""


def _iso(text: str, zone: tzinfo | None) -> Instant:
    if text.isdigit() and _number_form(text):  # such a number may also be the ISO text of a medieval day
        raise BadValue("played", text, "is a number, unlike the days before it")
    try:
        return _of_iso(text, zone)
    except BadValue as problem:
        why = problem.why
    if other := year_first(text):
        with suppress(BadValue):
            return _of_iso(other, zone)
    raise BadValue("played", text, "is known in part only" if "?" in text else why)


def _of_iso(text: str, zone: tzinfo | None) -> Instant:
    at, plain = instant(text), text.strip()
    if plain[4:5] == "-" and plain[10:11] not in ("", "T", "t", " "):  # any sign is allowed there by `fromisoformat`
        raise BadValue("played", text, "is not a day, nor a day and a time with a T or a blank between them")
    return at if zone is None or len(plain) <= 10 else _in_zone(datetime.fromisoformat(plain), zone)


def _in_zone(moment: datetime, zone: tzinfo | None) -> Instant:
    local = moment.tzinfo is None and moment.time() != time()
    return instant(moment.replace(tzinfo=zone) if local else moment)


def _formed(text: str, form: str, zone: tzinfo | None) -> Instant:
    try:
        return _in_zone(moment_like(form, text), zone)
    except OverflowError:
        raise NotOfForm("played", text, f"is not a time of the form {form}", form) from None


_TOTALS = (
    "total, totals, grand total, subtotal, sub total, sum, summe, gesamt, gesamtsumme, endsumme, zwischensumme, "
    "insgesamt, totaux, sous total, somme, total general, totales, suma, totale, totali, somma, soma, totais, totaal, "
    "som, totalt, i alt, sammenlagt, summa, yhteensa, osszesen, celkem, soucet, celkom, sucet, spolu, razem, lacznie, "
    "ogolem, ukupno, skupaj, zbroj, итого, всего, сумма, общо, 合計, 合计, 总计, ∑"
)
_OF_TOTALS = frozenset(_TOTALS.split(", "))
"""First words of rows that hold the totals of a table."""


def is_total(cells: Sequence[str]) -> bool:
    """True if the first filled cell marks a row as the totals of the rows above it.

    Examples
    --------
    >>> is_total(["Summe:", "", "", "11"]), is_total(["", "Celkem", "", "7"]), is_total(["1", "ann", "bo", "1-0"])
    (True, True, False)
    """
    first = next(filter(None, map(str.strip, cells)), "")
    return plain(first.rstrip(" :=.")) in _OF_TOTALS


def home(text: str) -> str | None:
    """Returns the side that played at home; None on neutral ground.

    Raises
    ------
    BadValue
        If the text names neither a side nor neutral ground.
    """
    side = text.casefold()
    if side in {"a", "b"}:
        return side
    if side in {"", "n", "neutral"}:
        return None
    raise BadValue("home", text, "must be a, b or neutral")


def home_unless_neutral(text: str) -> str | None:
    """Returns the side at home in a table that only marks neutral ground: `a` unless the ground is neutral.

    Examples
    --------
    >>> [home_unless_neutral(text) for text in ("FALSE", "no", "TRUE", "")]
    ['a', 'a', None, None]
    """
    return "a" if text.casefold() in {"false", "no", "0", "f", "n"} else None


def fact_reader(name: str, decimal: str) -> Callable[[str], str | int | float | None]:
    """Returns the parser of the cells of a free field."""
    if name in POINTS:
        return points_parser(name, decimal)
    if name == "home":
        return home
    read = fact_parser(name, decimal)
    return partial(_counted, name, read) if name in COUNTED else read


def _counted(name: str, read: Callable[[str], str | int | float | None], text: str) -> str | int | float | None:
    value = read(text)
    check_counted(name, value)
    return value


_NO_POINTS = frozenset({"-", "--", "\u2013", "\u2014", "*", "?", "na", "n/a", "#n/a", "null", "none", "<na>"})
"""Case-folded texts that tables write in place of missing points."""


_COMMA = re.compile("[0-9]+,[0-9]+")
_OF_COMMAS = (
    'has a comma: leave it out if it separates thousands, or, if it is the decimal sign, set decimal = "," in a '
    "mapping file"
)


def points_parser(name: str, decimal: str) -> Number:
    """Returns a parser of the points of one side; it reads NA, - and the like as an empty cell."""
    read, half = numeric_parser(name, decimal), re.compile("([0-9]*)\u00bd")

    def points(text: str) -> int | float | None:
        if match := half.fullmatch(text):
            return int(match[1] or 0) + 0.5
        if decimal == "." and _COMMA.fullmatch(text):
            raise NotANumber(name, text, _OF_COMMAS)
        if text == "+":
            raise Absent(name, text, "is a win without play", FORFEIT)
        value = None if text.casefold() in _NO_POINTS else read(text)
        if value is not None:
            check_points(name, value)
        return value

    return points
