"""A calendar of lists: the days for which they are due, month by month or by quarter, half-year and year."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from attrs import frozen

from ratingcore.errors import BadValue
from ratingcore.events.values import text
from ratingcore.lists.published import Published
from ratingcore.report.table import Several, Table

MONTHS = {"monthly": 1, "quarterly": 3, "half-yearly": 6, "yearly": 12}
"""Calendars, and how many months lie between two of their lists."""

_MONTH = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?")


@frozen
class Due:
    """A list of a calendar.

    Parameters
    ----------
    name : str
    day : date
        Last day of its period.
    published : Published or None
        The list; None if it is due and was not published, on a trial.
    new : bool
        It was not published before.
    """

    name: str
    day: date
    published: Published | None
    new: bool


@frozen(eq=False)
class Calendar(Several[Due]):
    """The lists of a calendar, in order of their days: those that were published before, and those that were due."""

    def as_table(self) -> Table:
        """A row a list: name, day, state (`exists`, `published`, `due` on a trial) and players."""
        states = ["exists" if not one.new else "due" if one.published is None else "published" for one in self]
        columns = {
            "name": tuple(one.name for one in self), "day": tuple(one.day.isoformat() for one in self),
            "state": tuple(states),
            "players": tuple(None if one.published is None else one.published.players for one in self),
        }  # fmt: skip
        return Table("calendar", "Lists of a calendar", columns)


def last_days(calendar: str, since: str | date, until: date) -> list[date]:
    """Last days of the periods of a calendar, from the one that holds a day to those that ended by another.

    Parameters
    ----------
    calendar : str
        One of `MONTHS`.
    since : str or date
        A day, or a month such as `2024-01`.
    until : date
        The last day on which a period may end.

    Raises
    ------
    BadValue

    Examples
    --------
    >>> [day.isoformat() for day in last_days("quarterly", "2024-02", date(2024, 9, 29))]
    ['2024-03-31', '2024-06-30']
    """
    days, last = [], end_of(calendar, month_start(since))
    while last <= until:
        days.append(last)
        last = end_of(calendar, last + timedelta(1))
    return days


def checked_calendar(calendar: str) -> str:
    """The name of a calendar, if there is such a one."""
    if calendar not in MONTHS:
        raise BadValue("calendar", calendar, f"is none of {', '.join(MONTHS)}")
    return calendar


def end_of(calendar: str, day: date) -> date:
    """The last day of the period of a calendar that holds a day."""
    months = MONTHS[calendar]
    following = ((day.year * 12 + day.month - 1) // months + 1) * months
    return date(following // 12, following % 12 + 1, 1) - timedelta(1)


def list_names(pattern: str, days: Sequence[date]) -> list[str]:
    """Names of the lists of these days by a pattern such as `%Y-%m`.

    Raises
    ------
    BadValue
        If two lists would have one name.
    """
    names = [day.strftime(text(pattern, "name")) for day in days]
    if len(set(names)) < len(names):
        raise BadValue("name", pattern, "gives two lists one name; a pattern such as %Y-%m has year and month")
    return names


def month_start(given: str | date) -> date:
    """A day, or the first day of a month such as `2024-01`; `BadValue` for anything else."""
    if isinstance(given, date):
        return given
    match = _MONTH.fullmatch(given.strip()) if isinstance(given, str) else None
    try:
        if match is not None:
            return date(int(match[1]), int(match[2]), int(match[3] or 1))
    except ValueError:
        pass
    raise BadValue("day", given, "is neither a month such as 2024-01 nor a day")
