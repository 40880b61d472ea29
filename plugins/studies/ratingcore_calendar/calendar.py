"""A calendar of lists: the days for which they are due, by month, quarter, half-year or year."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from attrs import frozen

from ratingcore import Engine, ListPolicy
from ratingcore.errors import AlreadyPublished, NotOneOf
from ratingcore.plugin import DAY, BadValue, Method
from ratingcore.plugin.analysis import Published, check_list_name, clock, iso
from ratingcore.plugin.reports import AsRow, AsSequence, Table, columns_of

MONTHS = {"monthly": 1, "quarterly": 3, "half-yearly": 6, "yearly": 12}
"""Calendars, and the number of months between two of their lists."""

_MONTH = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?")


@frozen
class Due(AsRow):
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

    def as_row(self) -> dict[str, Any]:
        """Name, day, state (`exists`, `published`, `due` on a trial) and players."""
        state = "exists" if not self.new else "due" if self.published is None else "published"
        players = None if self.published is None else self.published.players
        return {"name": self.name, "day": self.day.isoformat(), "state": state, "players": players}


@frozen(eq=False)
class Calendar(AsSequence[Due]):
    """The lists of a calendar, in order of their days: those that were published before, and those that were due."""

    def as_table(self) -> Table:
        """A row per list."""
        columns = columns_of([one.as_row() for one in self], ("name", "day", "state", "players"))
        return Table("calendar", "Lists of a calendar", columns)


def last_days(calendar: str, since: str | date, until: date) -> list[date]:
    """Last days of the periods of a calendar, from the period of one day to the last one that ended by another.

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


def end_of(calendar: str, day: date) -> date:
    """The last day of the calendar's period to which a day belongs."""
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
    names = [day.strftime(pattern) for day in days]
    if len(set(names)) < len(names):
        raise BadValue(
            "name", pattern, "gives two lists the same name: use a pattern with year and month, such as %Y-%m"
        )
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
    raise BadValue("day", given, "must be a month such as 2024-01, or a day")


def publish_calendar(
    engine: Engine,
    pool: str,
    calendar: str,
    since: str | date,
    name: str = "%Y-%m",
    method: str | Method | None = None,
    *,
    until: str | date | None = None,
    policy: ListPolicy | str | None = None,
    dry_run: bool = False,
) -> Calendar:
    """Publishes the lists of a calendar that are due and not published yet; a second call publishes nothing.

    A list is due when its period has ended and a result of it, or of a later period, was recorded. So no empty lists
    are published while results are still to be imported.

    Parameters
    ----------
    engine : Engine
    pool : str
    calendar : {"monthly", "quarterly", "half-yearly", "yearly"}
    since : str or date
        A month in the first period, such as `2024-01`, or a day in it.
    name : str
        Pattern of the names, filled in by `date.strftime` with the last day of each period.
    method, policy
        As for `rating_list`: if None, those declared for the day of each list.
    until : str, date or None
        Lists through this day are due, regardless of results; None for yesterday, and no later than the results.
    dry_run : bool
        Whether to publish nothing.

    Returns
    -------
    Calendar
        A `Due` each, and a table.

    Raises
    ------
    AlreadyPublished
        If a list of another day has one of the names.
    BadValue
        If the calendar is unknown, or two lists would have one name.
    UnclearName, UnknownName, FormulaChanged, CannotRebuild, ListDiffers

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> for day in ("2024-01-20", "2024-02-10"):
    ...     receipt = engine.record(rc.GamePlayed(pool="rapid", played=day, a="ann", b="bo", score=1.0))
    >>> [(due.name, due.new) for due in publish_calendar(engine, "rapid", "monthly", "2024-01", method="elo")]
    [('2024-01', True), ('2024-02', True)]
    >>> [due.new for due in publish_calendar(engine, "rapid", "monthly", "2024-01", method="elo")]
    [False, False]
    """
    if calendar not in MONTHS:
        raise NotOneOf.of("calendar", calendar, MONTHS)
    days = last_days(calendar, since, _end_of(engine, pool, calendar) if until is None else month_start(until))
    names, there = list_names(name, days), {one.name: one for one in engine.published(pool)}
    for spelt in names:
        check_list_name(engine.core, spelt, pool)
    found = []
    for spelt, day in zip(names, days, strict=True):
        before = there.get(spelt)
        if before is not None and clock(before.zone).day(before.at) != day.isoformat():
            raise AlreadyPublished(before.name, pool, before.position)
        made = before
        if before is None and not dry_run:
            made = engine.publish(engine.rating_list(pool, method, day, policy=policy), spelt)
        found.append(Due(spelt, day, made, before is None))
    return Calendar(tuple(found))


def _end_of(engine: Engine, pool: str, calendar: str) -> date:
    """The last day of the period of the last result or seed of a pool; yesterday if that comes first."""
    yesterday = datetime.now(UTC).date() - timedelta(1)
    last = engine.core.view(pool).last_happened
    if last is None:
        return date.min
    played = date.fromisoformat(iso(last // DAY * DAY))
    return min(yesterday, end_of(calendar, played))
