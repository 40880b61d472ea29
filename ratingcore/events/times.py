"""Reads times as whole microseconds since 1970-01-01 UTC, and writes them as ISO text."""

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from ratingcore.errors import BadValue

Instant = int
"""Microseconds since 1970-01-01T00:00:00Z; negative before."""

When = int | str | date | datetime
"""Times accepted from callers: an `Instant`, ISO text, a date or a datetime; see also `Unzoned`."""

MICROSECOND = timedelta(microseconds=1)
SECOND = 1_000_000
DAY = 86_400 * SECOND
_TENTH, _NEAR = SECOND // 10, 10
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SECONDS = range(10**9, 5 * 10**9)
"""Seconds since 1970 of the years 2001 to 2128."""
MILLISECONDS = range(10**12, 5 * 10**12)
FIRST, LAST = -62_135_596_800 * SECOND, 253_402_300_800 * SECOND - 1


class Timed(int):
    """An instant that was given with a time of day, whose meaning may depend on a zone.

    It is used like a plain integer, except that `Clock.cut` reads it in the zone of its clock.
    """

    naive = False
    """True if the time was given without an offset; the instant is then that of the same time in UTC."""


class Unzoned(Timed):
    """A time of day that was given without an offset; its value is that of the same time in UTC.

    An append converts it by the zone of its pool, or refuses it, so no log holds one. Midnight counts as a day instead.
    """

    naive = True


def timed(when: When) -> Instant:
    """Returns the last instant of a time, as `last_instant` does; a `Timed` if a time of day was given.

    Examples
    --------
    >>> [type(timed(when)).__name__ for when in ("2024-03-02", "2024-03-02T19:00", "2024-03-02T19:00Z")]
    ['int', 'Unzoned', 'Timed']
    """
    start, whole_day = _read(when)
    if whole_day:
        return start + DAY - 1
    if isinstance(when, str):
        when = datetime.fromisoformat(when.strip())
    if not isinstance(when, datetime):
        return start
    return Timed(start) if when.tzinfo else Unzoned(start)


def _of_datetime(moment: datetime) -> Instant:
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    at = (zoned - EPOCH) // MICROSECOND
    if not FIRST <= at <= LAST:  # a zone can move a date beyond the years that Python supports
        raise BadValue("time", moment, "must be an ISO date or time between years 1 and 9999")
    if moment.tzinfo is None:
        return Unzoned(at) if at % DAY else at
    return Timed(at) if not at % DAY or is_count(at) else at


def is_count(at: Instant) -> bool:
    """True if an instant is probably a count of seconds or milliseconds since 1970, taken for microseconds.

    Whole tenths of a second, and times beside them, are not counts: they are meant where days are counted from 1970.

    Examples
    --------
    >>> is_count(1_709_400_123), is_count(1_709_400_123_456), is_count(1_709_400_123_456_789)
    (True, True, False)
    """
    return (at in SECONDS or at in MILLISECONDS) and (at + _NEAR) % _TENTH > 2 * _NEAR


@lru_cache(maxsize=4096)
def _of_text(text: str) -> tuple[Instant, bool]:
    """Returns the instant, and whether the text names a whole day."""
    plain = text.strip()
    if "W" in plain:
        raise BadValue("time", text, "must be a day or a time, not a week")
    try:
        if plain.isdigit() and len(plain) != 8:
            raise ValueError  # Python 3.11 reads 2024030219 as a day, and drops two digits
        if len(plain) <= 10:
            day = date.fromisoformat(plain)
            return (day.toordinal() - 719_163) * DAY, True
        return _of_datetime(datetime.fromisoformat(plain)), False
    except (ValueError, OverflowError):
        raise BadValue("time", text, "must be an ISO date or time between years 1 and 9999") from None


def instant(when: When) -> Instant:
    """Returns the first instant of a time; the first instant of a day is its midnight UTC.

    A time of day without an offset becomes `Unzoned`; midnight UTC, given with its offset, becomes `Timed`, to
    distinguish it from a day.

    Raises
    ------
    BadValue
        If the time cannot be read, or lies outside the years 1 to 9999.

    Examples
    --------
    >>> instant("1970-01-02")
    86400000000
    >>> instant("1970-01-01T01:00:00+01:00")
    0
    """
    if type(when) is int and FIRST <= when <= LAST:
        return when
    return _read(when)[0]


def last_instant(when: When) -> Instant:
    """Returns the last instant of a time, at which the cut `through` ends: of a day, the last microsecond.

    Examples
    --------
    >>> last_instant("1970-01-01") == instant("1970-01-02") - 1
    True
    >>> last_instant("1970-01-01T00:00:01Z")
    1000000
    """
    start, whole_day = _read(when)
    return start + DAY - 1 if whole_day else start


def _read(when: When) -> tuple[Instant, bool]:
    if isinstance(when, Timed):
        return when, False
    if isinstance(when, str):
        return _of_text(when)
    if isinstance(when, datetime):
        return _of_datetime(when), False
    if isinstance(when, date):
        return (when.toordinal() - 719_163) * DAY, True
    if isinstance(when, int) and not isinstance(when, bool) and FIRST <= when <= LAST:
        return int(when), False
    raise BadValue("time", when, "must be an ISO date or time between years 1 and 9999")


def moment(at: Instant) -> datetime:
    """Returns an instant as a datetime in UTC."""
    return EPOCH + timedelta(microseconds=int(at))


def iso(at: Instant) -> str:
    """Returns the ISO text of an instant; only the day if the instant is midnight UTC.

    Examples
    --------
    >>> iso(0), iso(1_500_000)
    ('1970-01-01', '1970-01-01T00:00:01.500000Z')
    """
    days, rest = divmod(int(at), DAY)
    if rest == 0:
        return date.fromordinal(days + 719_163).isoformat()
    return moment(at).isoformat().replace("+00:00", "Z")


def exact(at: Instant) -> str:
    """Returns text from which `last_instant` reads the same instant; only the last instant of a day becomes a day.

    Examples
    --------
    >>> exact(last_instant("2024-03-31")), exact(0)
    ('2024-03-31', '1970-01-01T00:00:00Z')
    """
    return iso(at - DAY + 1) if (at + 1) % DAY == 0 else moment(at).isoformat().replace("+00:00", "Z")


def day(at: Instant) -> str:
    """Returns the day of an instant if it is the first or last of that day; otherwise its ISO text.

    Examples
    --------
    >>> day(last_instant("2024-03-31")), day(instant("2024-03-31T12:00"))
    ('2024-03-31', '2024-03-31T12:00:00Z')
    """
    return iso(at - DAY + 1) if (at + 1) % DAY == 0 else iso(at)
