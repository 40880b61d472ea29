"""Reads times of day without an offset in the zones declared for their pools."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from attrs import evolve

from ratingcore.errors import NoOffset, UnknownUid
from ratingcore.events import DAY, Event, Instant, PoolDeclared, ResultAmended, Row, clock, moment
from ratingcore.events.times import Timed
from ratingcore.log.contract import Log

RESULTS = ("game", "session", "seed")


def localised(log: Log, events: list[Event]) -> list[Event]:
    """The events of a batch, with times of day without an offset read in the zones of their pools.

    A time at midnight UTC would mean a day without a time. In a pool that had a zone before its first result, it gets
    one microsecond more; in any other pool it stays, as in older versions.

    Raises
    ------
    NoOffset
        If a pool has no zone.
    UnknownUid
        If an amendment of a time refers to an event that does not exist.
    """
    kinds = set(map(type, events)) | {type(getattr(event, "played", None)) for event in events}
    if not any(issubclass(kind, ResultAmended | Timed) for kind in kinds):  # the usual case: imports call this often
        return events
    late = [number for number, event in enumerate(events) if isinstance(_played(event), Timed)]
    if not late:
        return events
    zones, made = _Zones(log, events), list(events)
    for number in late:
        event = events[number]
        played = zones.read(number, event, _played(event))
        if isinstance(event, ResultAmended):
            made[number] = evolve(event, changes={**event.changes, "played": played})
        else:
            made[number] = evolve(event, played=played)  # type: ignore[call-arg]  # every event with a time has it
    return made


def began_with_zone(log: Log, pool: int) -> bool | None:
    """True if a pool, by id, had a zone before its first result; None if it has neither zone nor results."""
    rows = log.rows(0, None, ("pool",), pool)
    declared = next((row.position for row in rows if row.facts.get("zone")), None)
    result = next(iter(log.rows(0, declared, RESULTS, pool)), None)
    if result is not None:
        return False
    return None if declared is None else True


def _played(event: Event) -> Any:
    return event.changes.get("played") if isinstance(event, ResultAmended) else getattr(event, "played", None)


class _Zones:
    """The zones of the pools of a batch."""

    def __init__(self, log: Log, events: Sequence[Event]) -> None:
        self._log, self._events = log, events
        self._declared = [(at, one) for at, one in enumerate(events) if isinstance(one, PoolDeclared)]
        self._rows: dict[str, list[Row]] = {}
        self._began: dict[str, bool | None] = {}
        """By pool, whether it had a zone before its first result; None if the log has neither."""

    @cached_property
    def _by_uid(self) -> dict[str, Event]:
        return {event.uid: event for event in reversed(self._events)}

    def read(self, number: int, event: Event, played: Timed) -> Instant:
        """The time of an event as the log stores it."""
        pool, at = self._pool(event), int(played)
        if played.naive:
            zone = self._zone(number, pool)
            if not zone:
                advice = f"write it as {_text(played)}Z or {_text(played)}+01:00, or declare the zone of the pool"
                raise NoOffset(_text(played), f"{event.uid} in pool {pool}", advice)
            at = clock(zone).local(at)
        return at + 1 if at % DAY == 0 and self._began_with_zone(number, pool) else at

    def _pool(self, event: Event) -> str:
        """The pool of an event; for an amendment that does not change the pool, the pool of the amended event."""
        passed: set[str] = set()
        while isinstance(event, ResultAmended):
            if "pool" in event.changes:
                return str(event.changes["pool"])
            passed.add(event.uid)
            if event.of in self._by_uid and event.of not in passed:
                event = self._by_uid[event.of]
                continue
            row = self._log.find([event.of]).get(event.of)
            if row is None:
                raise UnknownUid(event.of)
            return "" if row.pool is None else self._log.book.key(row.pool)
        return getattr(event, "pool", "")

    def _declarations(self, pool: str) -> list[Row]:
        if pool not in self._rows:
            number = self._log.book.find("pool", pool)
            self._rows[pool] = [] if number is None else list(self._log.rows(0, None, ("pool",), number))
        return self._rows[pool]

    def _here(self, number: int, pool: str) -> list[tuple[int, str]]:
        """Zones that earlier events of the batch declare for a pool, with the places of these events."""
        return [(at, one.zone) for at, one in self._declared if at < number and one.pool == pool]

    def _zone(self, number: int, pool: str) -> str:
        here = self._here(number, pool)
        if here:
            return here[-1][1]
        rows = self._declarations(pool)
        return str(rows[-1].facts.get("zone", "")) if rows else ""

    def _began_with_zone(self, number: int, pool: str) -> bool:
        """True if the pool had a zone before its first result."""
        if pool not in self._began:
            known = self._log.book.find("pool", pool)
            self._began[pool] = None if known is None else began_with_zone(self._log, known)
        began = self._began[pool]
        if began is not None:
            return began
        place = next((at for at, zone in self._here(number, pool) if zone), None)
        return place is not None and not any(
            one.kind in RESULTS and getattr(one, "pool", "") == pool for one in self._events[:place]
        )


def _text(face: Instant) -> str:
    """A time as given, without an offset."""
    return moment(face).replace(tzinfo=None).isoformat()
