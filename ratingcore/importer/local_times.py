"""Reads times of day without an offset in the zone of their pool, and refuses them if that zone is not known.

Another user may declare another zone while the file is read; its rows would then be recorded twice on the next import.
So the declarations of pools must not change between reading and writing.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ratingcore.columns.games import Ints
from ratingcore.errors import DeclaredMeanwhile, NoOffset, NoZone
from ratingcore.events import DAY, Clock, Event, Instant, clock, iso, moment
from ratingcore.events.times import Timed
from ratingcore.importer.day_notes import MidnightsAsDays
from ratingcore.importer.notes import SHOWN
from ratingcore.importer.reasons import ZoneUnknown
from ratingcore.log import Head, Log, Receipt
from ratingcore.log.local_times import began_with_zone
from ratingcore.readers import Made, Note, Outcome, Reason, Refused
from ratingcore.replay.declared import declared


class LocalTimes:
    """Reads the local times of one file in the zones that its pools are declared to have.

    Rows must not be recorded twice when a file is imported again: if a pool has times from before its
    zone was declared, it is unknown in which zone they were read, and the user must give the zone of the file.

    Parameters
    ----------
    log : Log
    name : str
        Name of the file.
    position : int
        Position of the log before the file is read.
    """

    def __init__(self, log: Log, name: str, position: int) -> None:
        self._log, self.name = log, name
        self._position = position
        """Position up to which no declaration changes how the rows are read."""
        self._clocks: dict[str, Clock] = {}
        self._unread: dict[str, tuple[str, int]] = {}
        """The zones of pools whose times cannot be read, and the positions of their declarations."""
        self._zoned: dict[str, bool] = {}
        self._midnights: dict[int, str] = {}
        """The first lines whose times are stored as days, with their days."""
        self._timed = False
        """True if the file has other times of day."""

    def forget(self) -> None:
        """Looks pools up again, because others may have declared them."""
        self._clocks.clear()
        self._unread.clear()
        self._zoned.clear()

    def unchanged_for(self, events: Sequence[Event]) -> Callable[[Head], None]:
        """Returns the `expect` argument of `Log.append` for events that were read."""
        return partial(self.check_unchanged, events)

    def check_unchanged(self, events: Sequence[Event], head: Head) -> None:
        """Refuses events whose pools were declared anew, up to the head, so that their rows would now differ.

        Raises
        ------
        DeclaredMeanwhile
        """
        if head.position == self._position:
            return
        key = self._log.book.key
        rows = self._log.rows(self._position, head.position, ("pool",))
        fresh = {key(row.pool): row.position for row in rows if row.pool is not None}
        for pool in sorted(fresh.keys() & {getattr(event, "pool", "") for event in events} if fresh else ()):
            changed = self._changed(pool)
            if changed is not None:
                raise DeclaredMeanwhile(pool, fresh[pool], self.name, zone=changed)
            if self._fits(pool, self._position) != self._fits(pool, head.position):
                advice = "import it again: rows that the pool does not take are refused, the others count as duplicates"
                raise DeclaredMeanwhile(pool, fresh[pool], self.name, advice)
        self._position = head.position

    def wrote(self, receipt: Receipt) -> None:
        """Notes an append of the file itself: if nobody else appends, the log need not be read again."""
        if receipt.head.position - receipt.accepted == self._position:
            self._position = receipt.head.position

    def _fits(self, pool: str, position: int) -> str:
        found = declared(self._log, pool, position)
        return "" if found is None else found.fits

    def _changed(self, pool: str) -> str | None:
        """Returns the zone in which a pool's times were read if it changed, "" if only midnights differ; else None."""
        now = LocalTimes(self._log, self.name, self._position)
        clock_then = self._clocks.get(pool)
        if clock_then is not None and clock_then.name != clock(self._zone(self._log.book.find("pool", pool))[0]).name:
            return clock_then.name or "UTC"
        return "" if pool in self._zoned and self._zoned[pool] != now._began(pool) else None

    def read(self, outcomes: Iterable[Outcome], sure: int | None = None) -> Iterator[Outcome]:
        """Yields the outcomes of the file's rows, with all times in a zone.

        Parameters
        ----------
        outcomes : iterable of Outcome
        sure : int or None
            Number of lines after which the first lines may be recorded: from then on, an unreadable time refuses only
            its row, so that every row is reported. None if nothing is recorded before the last line is read.

        Raises
        ------
        NoOffset
            If a pool has no zone, or had times before it had one.
        """
        for count, row in enumerate(outcomes):
            played = getattr(row.event, "played", None) if isinstance(row, Made) else None
            if not isinstance(played, Timed):
                if played is not None and not self._timed:
                    self._timed = played % DAY != 0
                yield row
                continue
            assert isinstance(row, Made), "it has an event"
            try:
                event = self.event(row.event, row.line)
            except NoOffset as error:
                if sure is None or count < sure:
                    raise
                yield Refused(row.line, Reason.of(ZoneUnknown(error.time)))
                continue
            yield row._replace(event=event)

    def event(self, event: Event, line: int = 0) -> Event:
        """Returns the event of a line as the log stores it: with an instant, which is a day only if a day was given.

        Raises
        ------
        NoOffset
        """
        played: Instant | None = getattr(event, "played", None)
        if not isinstance(played, Timed):
            return event
        made: Any = event
        at = self.settled(made.pool, played, line)
        self.meet(line, at)
        settled: Event = evolve(made, played=at)
        return settled

    def meet(self, line: int, at: Instant) -> None:
        """Notes the instant that the log stores for the time of day of a line."""
        if at % DAY:
            self._timed = True
        elif len(self._midnights) < SHOWN:
            self._midnights[line] = iso(at)

    def meet_all(self, lines: Sequence[int], played: Ints, timed: NDArray[np.bool_]) -> None:
        """Notes the times of many lines; `timed` is the mask of those given as a time of day."""
        midnight = played % DAY == 0
        if not midnight.all():
            self._timed = True
        for place in np.flatnonzero(midnight & timed)[:SHOWN].tolist():
            self.meet(lines[place], int(played[place]))

    def has_zone(self, pool: str) -> bool:
        """True if a pool is declared to have a zone."""
        return bool(self._zone(self._log.book.find("pool", pool))[0])

    def notes(self) -> list[Note]:
        """Notes the lines whose times the log cannot distinguish from days, if other lines have times of day."""
        midnights = tuple(sorted(self._midnights.items())) if self._timed else ()
        return [MidnightsAsDays(midnights)] if midnights else []

    def settled(self, pool: str, played: Timed, line: int = 0) -> Instant:
        """Returns the instant of a time of day in a pool.

        Raises
        ------
        NoOffset
        """
        at = self._clock(pool, played, line).local(int(played)) if played.naive else int(played)
        return at + 1 if at % DAY == 0 and self._began(pool) else at

    def _began(self, pool: str) -> bool:
        """True if a pool had a zone before its first result."""
        if pool not in self._zoned:
            number = self._log.book.find("pool", pool)
            self._zoned[pool] = number is not None and bool(began_with_zone(self._log, number))
        return self._zoned[pool]

    def _clock(self, pool: str, played: Timed, line: int) -> Clock:
        if pool not in self._clocks and pool not in self._unread:
            self._look_up(pool)
        if pool in self._unread:
            where = f"{self.name}, line {line}" if line else self.name
            zone, since = self._unread[pool]
            raise NoZone(moment(played).replace(tzinfo=None).isoformat(), where, pool=pool, zone=zone, since=since)
        return self._clocks[pool]

    def _look_up(self, pool: str) -> None:
        """Finds the clock of a pool, or notes that its times cannot be read."""
        number = self._log.book.find("pool", pool)
        zone, since = self._zone(number)
        if not zone or (number is not None and self._has_times(number, since)):
            self._unread[pool] = zone, since
        else:
            self._clocks[pool] = clock(zone)

    def _zone(self, pool: int | None) -> tuple[str, int]:
        """Returns the zone of a pool, and the position of the declaration that changed it last."""
        zone, since = "", 0
        for row in () if pool is None else self._log.rows(0, None, ("pool",), pool):
            declared = str(row.facts.get("zone", ""))
            if (declared or "UTC") != (zone or "UTC"):  # times were read as UTC while there was no zone
                since = row.position
            zone = declared
        return zone, since

    def _has_times(self, pool: int, to: int) -> bool:
        """True if a result or seed of a pool has a time of day, up to the position `to`."""
        if (self._log.games(pool, 0, to).played % DAY != 0).any():
            return True
        return any((row.played or 0) % DAY for row in self._log.rows(0, to, ("session", "seed"), pool))
