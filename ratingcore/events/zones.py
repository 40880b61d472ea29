"""Clocks of time zones: what an instant is on the clock of a zone, as microseconds that count like those of UTC."""

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
"""Names in some zone databases for the zone that the machine is set to."""
_MARGIN = 4 * DAY
"""Margin of the stretches of a year beyond it: more than any clock was ever moved."""


class Stretch(NamedTuple):
    """A stretch of time in which a clock runs evenly: from `start` on it shows `shown`.

    It runs at half its pace while an hour is lived through twice, so that what is later is later on the clock too.
    """

    start: Instant
    shown: Instant
    halved: bool


class Clock:
    """The clock of a pool without a zone: UTC, which shows instants as they are."""

    name = ""

    def shown(self, at: Instant) -> Instant:
        """The clock's reading at an instant, as microseconds since 1970 on its face."""
        return at

    def of_result(self, at: Instant) -> Instant:
        """The clock's reading when something was played."""
        return at

    def stored(self, shown: Instant) -> Instant:
        """The stored instant of a result that is played when the clock shows this."""
        return shown

    def local(self, face: Instant) -> Instant:
        """The instant of a local time, as microseconds since 1970 on its face."""
        return face

    def cut(self, when: Instant) -> Instant:
        """The clock's reading at a cut.

        Parameters
        ----------
        when : int
            A `Timed` has an offset, or is local time of the zone. Anything else is
            microseconds of this clock already: a day, or an instant from a view or a list.
        """
        return int(when)

    def iso(self, shown: Instant) -> str:
        """ISO text of a reading, with the offset; only the day at midnight."""
        return iso(shown)

    def exact(self, shown: Instant) -> str:
        """Text of a reading, from which `timed` and `cut` read the same; a whole day stays a day."""
        return exact(shown)

    def day(self, shown: Instant) -> str:
        """The day of a reading that is the begin or the end of it, else ISO text with the offset."""
        return iso(shown - DAY + 1) if (shown + 1) % DAY == 0 else self.iso(shown)


class ZoneClock(Clock):
    """The clock of a zone.

    Days, months and years of its readings are those of its zone, by the same sums by which those of an instant
    are the ones of UTC. Two rules make it fit for results:

    - a log stores a day without a time as midnight UTC: it is shown as midnight of that day;
    - when clocks are put back, the time that is lived through twice is shown once, at half the pace: order stays, and
      so does the day.

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
        """The stretches of a year of UTC, and of some days around it."""
        if year not in self._years:
            self._years[year] = self._looked_up(year)
        return self._years[year]

    def _looked_up(self, year: int) -> list[Stretch]:
        start = max(instant(f"{year:04}-01-01") - _MARGIN, FIRST + 2 * DAY)
        end = min(instant(f"{year:04}-12-31") + DAY + _MARGIN, LAST - 2 * DAY)
        offset = self._offset(start)
        found = [Stretch(start, start + offset, halved=False)]
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
                begin = max(high - back, found[-1].start)
                found.append(Stretch(begin, begin + offset, halved=True))
            found.append(Stretch(high + max(back, 0), high + max(back, 0) + after, halved=False))
            offset = after
        return found

    def _offset(self, at: Instant) -> int:
        offset = moment(at).astimezone(self._zone).utcoffset()
        assert offset is not None, self.name
        return offset // MICROSECOND

    def shown(self, at: Instant) -> Instant:
        """The clock's reading at an instant, as microseconds since 1970 on its face."""
        some = self.stretches(moment(at).year)
        start, shown, halved = some[max(bisect_right(some, at, key=lambda one: one.start) - 1, 0)]
        return min(max(shown + ((at - start) // 2 if halved else at - start), FIRST), LAST)

    def of_result(self, at: Instant) -> Instant:
        """The clock's reading when something was played: midnight UTC is that day, whatever the zone."""
        return at if at % DAY == 0 else self.shown(at)

    def instant(self, shown: Instant) -> Instant:
        """The instant at which the clock shows this; for a skipped time, the instant of the change."""
        some = self.stretches(moment(shown).year)
        place = max(bisect_right(some, shown, key=lambda one: one.shown) - 1, 0)
        start, first, halved = some[place]
        at = start + (shown - first) * (2 if halved else 1)
        return min(at, some[place + 1].start) if place + 1 < len(some) else at

    def stored(self, shown: Instant) -> Instant:
        """The stored instant of a result that is played when the clock shows this.

        A time at midnight UTC, which would read as a day without a time, becomes the microsecond after that.
        """
        if shown % DAY == 0:
            return shown
        at = self.instant(shown)
        return at if at % DAY else at + 1

    def local(self, face: Instant) -> Instant:
        """The instant of a local time, as microseconds since 1970 on its face.

        An ambiguous time is the first one; a skipped time counts by the offset before the change, as
        Python reads local times [1]_.

        References
        ----------
        .. [1] PEP 495, Local Time Disambiguation, 2015, `fold=0`.
        """
        at = (moment(face).replace(tzinfo=self._zone) - EPOCH) // MICROSECOND
        return min(max(at, FIRST), LAST)

    def cut(self, when: Instant) -> Instant:
        """The clock's reading at a cut."""
        if not isinstance(when, Timed):
            return when
        return self.shown(self.local(int(when)) if when.naive else int(when))

    def iso(self, shown: Instant) -> str:
        """ISO text of a reading, with the offset; only the day at midnight."""
        return iso(shown) if shown % DAY == 0 else self._text(shown)

    def exact(self, shown: Instant) -> str:
        """Text of a reading, from which `timed` and `cut` read the same; a whole day stays a day."""
        return iso(shown - DAY + 1) if (shown + 1) % DAY == 0 else self._text(shown)

    def _text(self, shown: Instant) -> str:
        return moment(self.instant(shown)).astimezone(self._zone).isoformat()


UTC = Clock()
"""The clock that shows instants as they are."""


@lru_cache(maxsize=64)
def clock(zone: str) -> Clock:
    """The clock of a zone by its name; that of UTC for no name.

    Raises
    ------
    UnknownZone
    """
    return UTC if zone in ("", "UTC") else ZoneClock(zone)


def zone_name(zone: str) -> str:
    """Returns the name of a zone; `UnknownZone` with near names if it is unknown.

    Names whose meaning depends on the machine are refused.
    """
    known = available_timezones().difference(_OF_A_MACHINE) if zone else set()
    if zone and zone not in known:
        raise UnknownZone(zone, tuple(spelt_like(zone, sorted(known))))
    return zone
