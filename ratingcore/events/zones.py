"""Clocks of time zones, which convert instants to readings: microseconds since 1970 on the face of a local clock."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ratingcore.errors import UnknownZone
from ratingcore.events.times import (
    DAY,
    EPOCH,
    FIRST,
    LAST,
    MICROSECOND,
    SECOND,
    Instant,
    Timed,
    exact,
    instant,
    iso,
    moment,
)
from ratingcore.lazy_imports import Later
from ratingcore.spelling import spelt_like

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo, available_timezones
else:  # the clock of UTC needs neither
    ZoneInfo, available_timezones = (Later("zoneinfo", name) for name in ("ZoneInfo", "available_timezones"))

_OF_A_MACHINE = ("localtime", "Factory", "posixrules")
"""Names in some zone databases for the machine's own zone."""
_MARGIN = 4 * DAY
"""Time before and after a year that its stretches also cover: longer than any change of a clock."""


class Stretch(NamedTuple):
    """A stretch of time in which a clock runs evenly; at its `start`, the clock shows `shown`.

    A stretch is `halved` if an hour occurs twice in it: the clock runs at half its pace, so that later instants have
    later readings.
    """

    start: Instant
    shown: Instant
    halved: bool


class Clock:
    """The clock of a pool without a zone: it shows UTC, so its readings are instants."""

    name = ""

    def shown(self, at: Instant) -> Instant:
        """Returns the clock's reading at an instant, in microseconds since 1970 on its face."""
        return at

    def of_result(self, at: Instant) -> Instant:
        """Returns the clock's reading at the stored time of a result."""
        return at

    def stored(self, shown: Instant) -> Instant:
        """Returns the instant to store for a result that was played at a reading of the clock."""
        return shown

    def local(self, face: Instant) -> Instant:
        """Returns the instant of a local time, given in microseconds since 1970 on the clock's face."""
        return face

    def cut(self, when: Instant) -> Instant:
        """Returns the clock's reading at a cut.

        Parameters
        ----------
        when : int
            A `Timed` is an instant, or a local time if it was given without an offset. Any other number is a reading of
            this clock already: a day, or a reading from a view or a list.
        """
        return int(when)

    def iso(self, shown: Instant) -> str:
        """Returns the ISO text of a reading, with the offset; at midnight, only the day."""
        return iso(shown)

    def exact(self, shown: Instant) -> str:
        """Returns a text that is read back, by `timed` and `cut`, as this reading; a day if it is a day's last one."""
        return exact(shown)

    def day(self, shown: Instant) -> str:
        """Returns the day if a reading is the first or last of that day; otherwise ISO text with the offset."""
        return iso(shown - DAY + 1) if (shown + 1) % DAY == 0 else self.iso(shown)


class ZoneClock(Clock):
    """The clock of a zone.

    Days, months and years of its readings are those of the zone, although they are computed as for UTC. Two rules
    serve results:

    - a day without a time, which a log stores as midnight UTC, is shown as midnight of that day;
    - when clocks are put back, the clock runs through the repeated time once, at half its pace, so that neither the
      order nor the day of results changes.

    Parameters
    ----------
    name : str
        Name of the zone, such as `Europe/Prague`.

    Raises
    ------
    UnknownZone

    Examples
    --------
    >>> from ratingcore.events import iso
    >>> iso(ZoneClock("Europe/Prague").shown(instant("2023-12-31T23:30Z")))
    '2024-01-01T00:30:00Z'
    """

    def __init__(self, name: str) -> None:
        try:
            self._zone = ZoneInfo(name)
        except (LookupError, ValueError, OSError):
            raise UnknownZone(name) from None
        self.name = name
        self._years: dict[int, list[Stretch]] = {}

    def stretches(self, year: int) -> Sequence[Stretch]:
        """Returns the stretches of a UTC year and of the days around it."""
        if year not in self._years:
            self._years[year] = self._search(year)
        return self._years[year]

    def _search(self, year: int) -> list[Stretch]:
        """Finds the stretches: days in which the offset changes, and by bisection the second of the change."""
        start = max(instant(f"{year:04}-01-01") - _MARGIN, FIRST + 2 * DAY)
        end = min(instant(f"{year:04}-12-31") + DAY + _MARGIN, LAST - 2 * DAY)
        offset = self._offset(start)
        stretches = [Stretch(start, start + offset, halved=False)]
        for at in range(start, end, DAY):
            after = self._offset(at + DAY)
            if after == offset:
                continue
            low, high = at, at + DAY
            while high - low > SECOND:
                middle = (low + high) // 2 // SECOND * SECOND
                low, high = (middle, high) if self._offset(middle) == offset else (low, middle)
            back = offset - after
            if back > 0:
                begin = max(high - back, stretches[-1].start)
                stretches.append(Stretch(begin, begin + offset, halved=True))
            stretches.append(Stretch(high + max(back, 0), high + max(back, 0) + after, halved=False))
            offset = after
        return stretches

    def _offset(self, at: Instant) -> int:
        offset = moment(at).astimezone(self._zone).utcoffset()
        assert offset is not None, self.name
        return offset // MICROSECOND

    def shown(self, at: Instant) -> Instant:
        some = self.stretches(moment(at).year)
        start, shown, halved = some[max(bisect_right(some, at, key=lambda one: one.start) - 1, 0)]
        return min(max(shown + ((at - start) // 2 if halved else at - start), FIRST), LAST)

    def of_result(self, at: Instant) -> Instant:
        """Returns the clock's reading at the stored time of a result: midnight UTC is that day, whatever the zone."""
        return at if at % DAY == 0 else self.shown(at)

    def instant(self, shown: Instant) -> Instant:
        """Returns the instant of a reading; for a reading that the clock skips, the instant of the change."""
        some = self.stretches(moment(shown).year)
        place = max(bisect_right(some, shown, key=lambda one: one.shown) - 1, 0)
        start, first, halved = some[place]
        at = start + (shown - first) * (2 if halved else 1)
        return min(at, some[place + 1].start) if place + 1 < len(some) else at

    def stored(self, shown: Instant) -> Instant:
        """Returns the instant to store for a result that was played at a reading of the clock.

        A time at midnight UTC, which would mean a day without a time, becomes the next microsecond.
        """
        if shown % DAY == 0:
            return shown
        at = self.instant(shown)
        return at if at % DAY else at + 1

    def local(self, face: Instant) -> Instant:
        """Returns the instant of a local time, given in microseconds since 1970 on the clock's face.

        An ambiguous time is the earlier instant; a skipped time is read with the offset before the change, as
        Python reads local times [1]_.

        References
        ----------
        .. [1] PEP 495, Local Time Disambiguation, 2015, `fold=0`.
        """
        at = (moment(face).replace(tzinfo=self._zone) - EPOCH) // MICROSECOND
        return min(max(at, FIRST), LAST)

    def cut(self, when: Instant) -> Instant:
        if not isinstance(when, Timed):
            return when
        return self.shown(self.local(int(when)) if when.naive else int(when))

    def iso(self, shown: Instant) -> str:
        return iso(shown) if shown % DAY == 0 else self._text(shown)

    def exact(self, shown: Instant) -> str:
        return iso(shown - DAY + 1) if (shown + 1) % DAY == 0 else self._text(shown)

    def _text(self, shown: Instant) -> str:
        return moment(self.instant(shown)).astimezone(self._zone).isoformat()


UTC = Clock()
"""The clock of UTC, whose readings are instants."""


@lru_cache(maxsize=64)
def clock(zone: str) -> Clock:
    """Returns the clock of a zone, given by its name; for an empty name, the clock of UTC.

    Raises
    ------
    UnknownZone
    """
    return UTC if zone in ("", "UTC") else ZoneClock(zone)


def zone_name(zone: str) -> str:
    """Returns the name of a zone; raises `UnknownZone`, with similar names, if there is no such zone.

    Names whose meaning depends on the machine count as unknown.
    """
    known = available_timezones().difference(_OF_A_MACHINE) if zone else set()
    if zone and zone not in known:
        raise UnknownZone(zone, tuple(spelt_like(zone, sorted(known))))
    return zone
