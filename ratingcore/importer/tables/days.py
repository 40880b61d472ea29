"""Finds the formats that fit all days of a column."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from datetime import date, datetime

from attrs import define, field

from ratingcore.errors import BadValue, EventError, SeveralDays
from ratingcore.events import Instant, iso
from ratingcore.importer.day_notes import DaysInUtc, DaysUnread
from ratingcore.readers import Note
from ratingcore.readers.date_forms import NUMBERED, moment_by, moment_like, number_form, written_day, year_first
from ratingcore.readers.sheets import Moment
from ratingcore.readers.spellings import seen
from ratingcore.safe_text import Filled, counted

_SHORT_YEARS = ("%d-%m-%y", "%m-%d-%y", "%y-%m-%d", "%y%m%d", "%d%m%y")
"""Formats that fit so many texts that they are only tried for days at most a year ahead."""
_DAYS = (
    "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d. %m. %Y", "%d-%m-%Y", "%m-%d-%Y", "%d/%m/%y", "%m/%d/%y", "%d.%m.%y",
    "%d %b %Y", "%d %b %y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%Y/%d/%m", "%Y-%d-%m", "%d%m%Y", "%m%d%Y",
    *_SHORT_YEARS,
)  # fmt: skip
_CLOCKS = ("", " %H:%M", " %H:%M:%S", " %I:%M %p")
FORMS = (*(day + clock for clock in _CLOCKS for day in _DAYS), *NUMBERED)
"""Formats that are tried, in this order."""
_FORMED = re.compile(r"(?=.*[0-9])(?![0-9]{4}-(?!(?:1[3-9]|[23][0-9])-(?:0?[1-9]|1[0-2])\b))[^?]+$")
"""Texts that a format may read; other texts are not days, are incomplete, or are invalid ISO days."""
_NUMBERS = re.compile(r"[0-9]{1,4}(?:[./-] ?[0-9]{1,2}){2}(?:[0-9]{2})?(?: [0-9:]+)?")
"""A day written in numbers, which may be an impossible one such as 31.02.2024."""
_OFFSET = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ].*[+-][0-9]{2}:?[0-9]{2}\s*$")
_BARE = len("2024-03-02T19:00")
_ISO = re.compile(r"[0-9]{4}-")
_MOST = 10_000
"""Largest number of different texts that are tried."""


@define
class UnreadDays:
    """Collects the days of a column that could not be read, and finds the formats that would read the whole column.

    Parameters
    ----------
    form : str or None
        The format that was given; None for ISO.

    Examples
    --------
    >>> days = UnreadDays(None)
    >>> for text in ("06/09/2024", "21/02/2025"):
    ...     days.miss(BadValue("played", text, "must be an ISO date"))
    >>> print(days.note())
    2 rows have days like 06/09/2024 ... 21/02/2025: the format %d/%m/%Y reads them
    """

    form: str | None
    count: int = field(default=0, init=False)
    """Number of rows whose day was not read."""
    _first: str = field(default="", init=False)
    _last: str = field(default="", init=False)
    _read: str = field(default="", init=False)
    _texts: set[str] = field(factory=set, init=False)
    _missed: set[str] = field(factory=set, init=False)
    _in_utc: dict[str, str] = field(factory=dict, init=False)
    """Times with an offset, each with its day in UTC, if that is not the day that is written."""

    def meet(self, text: str, at: Instant) -> None:
        """Adds a day or time that was read."""
        self._read = text
        if len(text) > _BARE and _OFFSET.search(text) and len(self._in_utc) < _MOST:
            day = iso(at)[:10]
            if day != text.strip()[:10]:
                self._in_utc[text] = day
        if self.form is not None and len(self._texts) < _MOST:
            self._texts.add(text)

    def miss(self, problem: EventError) -> None:
        """Adds the reason why a row was refused; only an unreadable day counts."""
        text = problem.value if isinstance(problem, BadValue) and problem.what == "played" else None
        if isinstance(text, str) and _FORMED.match(text):
            self.count += 1
            self._first, self._last = self._first or text, text
            if len(self._missed) < _MOST:
                self._missed.add(text)

    def forms(self) -> list[str]:
        """Lists the formats that fit every text that is a day in some format; of formats with equal results, the first.

        If none fits them all, these are the formats that also read days of the same order that are written otherwise,
        such as 3.2.24 beside 03.02.2024, and days in ISO.

        Examples
        --------
        >>> days = UnreadDays(None)
        >>> for text in ("01.09.2023", "22.09.2023", "31.02.2024"):
        ...     days.miss(BadValue("played", text, "must be an ISO date"))
        >>> days.forms(), days.note().wrong
        (['%d.%m.%Y'], ('31.02.2024',))
        """
        every = self._texts | self._missed
        for texts in (every, every - self._wrong()):
            for moment in (moment_by, moment_like) if texts else ():
                if forms := self._fitting(texts, moment):
                    return forms
        return []

    def _wrong(self) -> set[str]:
        """Returns the unread texts that are not a day in any format."""
        return {text for text in self._missed if not any(_read_by(form, [text], moment_like) for form in FORMS)}

    def _fitting(self, of: set[str], moment: Callable[[str, str], datetime]) -> list[str]:
        texts = sorted(of)
        found: dict[tuple[datetime, ...], str] = {}
        for form in FORMS:
            usual = moment is moment_by or any(_read_by(form, [written_day(text) or text]) for text in texts)
            times = _read_by(form, texts, moment) if usual and form != self.form else None
            if times is not None:
                found.setdefault(times, form)
        return list(found.values())

    def notes(self) -> Iterator[Note]:
        """Yields notes on the days that were not read, and on those that count on another day than written."""
        if self.count:
            yield self.note()
        for text, day in [*self._in_utc.items()][:1]:
            yield DaysInUtc(len(self._in_utc), text, day)

    def note(self) -> DaysUnread:
        """Returns a note with the number of rows whose day was not read, and the formats that would read them."""
        wrong = tuple(sorted(self._wrong()))
        none_fits = self.form is not None and len(wrong) == len(self._missed)
        forms = () if none_fits else tuple(self.forms())
        return DaysUnread(self.count, self._first, self._last, forms, wrong, self._read, none_fits)


_YEAR_FIRST = re.compile(r"[0-9]{4}([-/.])([0-9]{1,2})\1([0-9]{1,2})\b.*")

DOUBTFUL_DAYS = (
    "line {line}: {value} is a day only if day and month are exchanged; "
    "so those of {rows} cannot be trusted, and nothing is imported"
)


def days_before_months(rows: Iterable[tuple[int, str]]) -> tuple[str, str] | None:
    """Returns why days with the year first, each with its line, have the day before the month, and what to do.

    None if they have not, or if none of them may be mistaken for another day.

    Examples
    --------
    >>> print(*days_before_months([(2, "2024-03-02"), (3, "2024-16-03")]), sep=chr(10))
    line 3: 2024-16-03 is a day only if day and month are exchanged; so those of 1 other row cannot be trusted, and \
nothing is imported
    1 row has a day like 2024-16-03: the format %Y-%d-%m reads them
    >>> days_before_months([(2, "2024-16-03"), (3, "2024-13-40"), (4, "2024-03-16")])
    """
    days = [(row, int(match[2]), int(match[3])) for row in rows if (match := _YEAR_FIRST.fullmatch(row[1]))]
    turned = [row for row, middle, last in days if 12 < middle < 32 and 0 < last < 13]
    doubtful = sum(middle < 13 and last < 13 and middle != last for _, middle, last in days)
    if not turned or not doubtful or any(middle < 13 and last > 12 for _, middle, last in days):
        return None
    unread = UnreadDays(None)
    for _, text in turned:
        unread.miss(BadValue("played", text, ""))
    line, value = turned[0]
    return Filled(DOUBTFUL_DAYS, line=line, value=value, rows=counted(doubtful, "other row")), str(unread.note())


_TURNED = re.compile(r"([0-9]{1,2})[./-]([0-9]{1,2})[./-][0-9]{2,4}\b.*")


def exchanged_days(texts: Collection[str]) -> tuple[str, str] | None:
    """Returns why the typed days of a column are probably exchanged, and what to do; None if they are not.

    A spreadsheet that expects the other order makes dates of the texts that fit it, and leaves all others as they are.

    Examples
    --------
    >>> print(exchanged_days([Moment("2024-02-03"), "13/03/2024"])[0])
    it has days like 13/03/2024, and 2024-02-03 as a date, so day and month of the dates may be exchanged
    >>> exchanged_days([Moment("2024-02-13"), "13/03/2024"]), exchanged_days([Moment("2024-02-03"), "05/03/2024"])
    (None, None)
    """
    typed = [text for text in texts if type(text) is Moment]
    left = [match for text in texts if type(text) is not Moment and (match := _TURNED.fullmatch(text.strip()))]
    if not typed or not left or any(int(day[8:10]) > 12 for day in typed):
        return None
    if not all(int(match[1]) > 12 or int(match[2]) > 12 for match in left):
        return None
    why = f"it has days like {left[0][0]}, and {min(typed)[:10]} as a date"
    return (
        f"{why}, so day and month of the dates may be exchanged",
        "import the file from which the spreadsheet was made, or enter the days again, all of them as dates",
    )


def typed_day(text: str) -> str:
    """Converts a day or a time that a person typed to ISO text.

    Raises
    ------
    BadValue
        If no format reads it as a day of the calendar.
    SeveralDays
        If it is a different day in different formats.

    Examples
    --------
    >>> typed_day("1.6.2026"), typed_day("2026/6/1 18:30"), typed_day("13/02/2026 18:30"), typed_day("31-12-24")
    ('2026-06-01', '2026-06-01 18:30', '2026-02-13 18:30:00', '2024-12-31')
    """
    typed = text.strip()
    if _ISO.match(typed) or year_first(typed):
        return year_first(typed) or typed
    days = UnreadDays(None)
    if not typed.isdigit():
        days.miss(BadValue("played", typed, ""))
    forms = days.forms()
    if len(forms) > 1:
        raise SeveralDays.of(typed, tuple(forms))
    if not forms:
        ahead = _NUMBERS.fullmatch(typed) and not is_no_day(typed)
        raise BadValue("played", typed, "lies more than a year ahead" if ahead else "must be a day of the calendar")
    return str(moment_like(forms[0], typed)).removesuffix(" 00:00:00")


def is_no_day(text: str) -> bool:
    """True if a text is written like a day, but no format makes it a day of the calendar.

    Examples
    --------
    >>> [is_no_day(text) for text in ("31.02.2026", "2026-13-40", "01.02.2026", "31-12-26", "soon")]
    [True, True, False, False, False]
    """
    text = text.strip()
    if not _NUMBERS.fullmatch(text):
        return False
    with suppress(ValueError):
        date.fromisoformat((year_first(text) or text)[:10])
        return False
    return not any(_read_by(form, [text], ahead=True) for form in FORMS)


def _read_by(
    form: str, texts: list[str], moment: Callable[[str, str], datetime] = moment_by, *, ahead: bool = False
) -> tuple[datetime, ...] | None:
    """Returns the times of texts in a format; None if the format does not fit all of them, or they lie too far ahead.

    With `ahead`, they may lie at any distance ahead.
    """
    if form in NUMBERED and any(number_form(text) != form for text in texts):
        return None
    try:
        found = [moment(form, text) for text in texts]
        if form.startswith(_SHORT_YEARS) and not ahead:
            seen(max(found).date())
    except BadValue:
        return None
    return tuple(found) if all(time.year >= 1000 for time in found) else None
