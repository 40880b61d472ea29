"""The part of a log from which columns are made, with times on the clock of a pool's zone."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Ints
from ratingcore.events import DAY, Clock, Fact, Instant, Row, canonical, clock
from ratingcore.events.rows import GameColumns
from ratingcore.events.times import FIRST, LAST
from ratingcore.events.zones import ZoneClock


class Point(Protocol):
    """A position of a log and the digest of all events up to it."""

    @property
    def position(self) -> int: ...
    @property
    def digest(self) -> str: ...


class Sight(Protocol):
    """A snapshot of a log's state: its head, and the number of its names."""

    @property
    def head(self) -> Point: ...
    @property
    def names(self) -> int: ...


class NameBook(Protocol):
    """The names of a log, by id."""

    def find(self, kind: str, key: str) -> int | None: ...
    def number(self, kind: str, key: str) -> int: ...
    def key(self, number: int) -> str: ...
    def keys(self, numbers: Sequence[int]) -> list[str]: ...
    def hold(self, numbers: Ints) -> None: ...
    def places(self, numbers: Ints) -> NDArray[np.int32] | None: ...
    def commitments(self, numbers: Sequence[int]) -> list[str]: ...
    @property
    def erased(self) -> set[int]: ...


class FactBook(NameBook, Protocol):
    """The names of a log, and the facts of players that it keeps beside them."""

    def facts(self, numbers: Sequence[int]) -> list[Fact | None]: ...


class LogHistory(Protocol):
    """The part of a log that columns are made from."""

    @property
    def head(self) -> Point: ...
    @property
    def key(self) -> str: ...
    def look(self) -> Sight: ...
    def digest_at(self, position: int) -> str: ...
    def rows(
        self, after: int = 0, to: int | None = None, kinds: Sequence[str] = (), pool: int | None = None
    ) -> Iterator[Row]: ...
    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]: ...
    def games(self, pool: int, after: int, to: int) -> GameColumns: ...
    def fields(self, pool: int, field: str, after: int, to: int) -> Iterator[tuple[int, str | int | float]]: ...


@runtime_checkable
class Sealing(Protocol):
    """A log that stores many games of one pool as columns."""

    def sealed_parts(self, pool: int, after: int, to: int) -> list[tuple[int, int]]: ...
    def sealed_columns(self, pool: int, first: int, last: int, names: Sequence[str]) -> list[NDArray[Any]]: ...


def sealed_parts(log: LogHistory, pool: int, after: int, to: int) -> list[tuple[int, int]]:
    """First and last positions of the games of a pool that a log stores as columns, part by part, in order."""
    return log.sealed_parts(pool, after, to) if isinstance(log, Sealing) else []


def sealed_columns(log: LogHistory, pool: int, first: int, last: int, names: Sequence[str]) -> list[NDArray[Any]]:
    """Columns of the games in one of these parts: some of `played`, `a`, `b` and `score`."""
    assert isinstance(log, Sealing), "a log has sealed parts"
    return log.sealed_columns(pool, first, last, names)


_CENTURIES = 200
"""If results span more than this many years, only years with results are looked up, otherwise all years."""


class Zones:
    """The zones declared for a pool, and the declarations that make it a board of another pool, by position."""

    def __init__(self, log: LogHistory, pool: int) -> None:
        rows = list(log.rows(0, None, ("pool",), pool))
        self._from = [row.position for row in rows]
        self._zones = [_zone(row) for row in rows]
        boards = [(row.facts.get("of"), row.facts.get("results")) for row in rows]
        self._boards = [(str(of), str(results)) if of and results else None for of, results in boards]

    def board(self, position: int) -> tuple[str, str] | None:
        """The pool from which a board takes results, and the conditions on them; None if the pool is not a board."""
        place = bisect_right(self._from, position)
        return self._boards[place - 1] if place else None

    def at(self, position: int) -> str:
        """Returns the zone in force for a reader of the first `position` events; empty for UTC."""
        place = bisect_right(self._from, position)
        return self._zones[place - 1] if place else ""

    def all(self) -> set[str]:
        """Returns all zones ever declared, and the empty zone, which a pool has before any declaration."""
        return {"", *self._zones}


def _zone(row: Row) -> str:
    """Returns the zone that a declaration names; empty for UTC, since a pool without a zone uses UTC too."""
    zone = str(row.facts.get("zone", ""))
    return "" if zone == "UTC" else zone


def clocks(log: LogHistory, to: int | None = None) -> dict[int | None, Clock]:
    """The clocks of all pools with a zone, by id, as declared up to a position; pools on UTC are left out."""
    zones = {row.pool: _zone(row) for row in log.rows(0, to, ("pool",))}
    return {pool: clock(zone) for pool, zone in zones.items() if zone}


def zoned(log: LogHistory, zone: str) -> LogHistory:
    """A log on the clock of a zone; the log itself for UTC."""
    face = clock(zone)
    return OnClock(log, face) if isinstance(face, ZoneClock) else log


@frozen(eq=False)
class OnClock:
    """A log whose played times are local times of a zone.

    Columns made from it have the days, months and periods of the zone, by the same arithmetic as for UTC.
    """

    _log: LogHistory
    _clock: ZoneClock

    @property
    def head(self) -> Point:
        """The head of the log."""
        return self._log.head

    @property
    def key(self) -> str:
        """The key of the log and the zone, so that files made for one clock are not used for another."""
        return f"{self._log.key}\n{self._clock.name}"

    def look(self) -> Sight:
        """Takes a snapshot of the log's state."""
        return self._log.look()

    def digest_at(self, position: int) -> str:
        """Digest of all events up to a position."""
        return self._log.digest_at(position)

    def rows(
        self, after: int = 0, to: int | None = None, kinds: Sequence[str] = (), pool: int | None = None
    ) -> Iterator[Row]:
        """Rows with their times on the clock."""
        return map(self._shown, self._log.rows(after, to, kinds, pool))

    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]:
        return map(self._shown, self._log.rows_at(positions))

    def _shown(self, row: Row) -> Row:
        if row.kind == "amend":
            changed = row.facts["set"]
            if changed.get("played") is None:
                return row
            shown = {**changed, "played": self._clock.of_result(changed["played"])}
            return row._replace(data=canonical({**row.facts, "set": shown}))
        return row if row.played is None else row._replace(played=self._clock.of_result(row.played))

    def games(self, pool: int, after: int, to: int) -> GameColumns:
        """Games with their times on the clock."""
        games = self._log.games(pool, after, to)
        return games._replace(played=faces(self._clock, games.played))

    def sealed_parts(self, pool: int, after: int, to: int) -> list[tuple[int, int]]:
        """Positions of sealed games."""
        return sealed_parts(self._log, pool, after, to)

    def sealed_columns(self, pool: int, first: int, last: int, names: Sequence[str]) -> list[NDArray[Any]]:
        """Columns of sealed games, with their times on the clock."""
        columns = sealed_columns(self._log, pool, first, last, names)
        shown = zip(names, columns, strict=True)
        return [faces(self._clock, column) if name == "played" else column for name, column in shown]

    def fields(self, pool: int, field: str, after: int, to: int) -> Iterator[tuple[int, str | int | float]]:
        """A field of results."""
        return self._log.fields(pool, field, after, to)


def faces(clock: ZoneClock, played: Ints) -> NDArray[np.int64]:
    """Returns the clock time of each result; midnight UTC means a whole day, and stays unchanged."""
    if not len(played):
        return np.asarray(played, np.int64)
    start, shown, halved = _stretches(clock, played)
    at = np.searchsorted(start, played, "right") - 1
    since = played - start[at]
    face = np.clip(shown[at] + np.where(halved[at], since // 2, since), FIRST, LAST)
    return np.where(played % DAY == 0, played, face).astype(np.int64, copy=False)


def _stretches(clock: ZoneClock, played: Ints) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """The stretches of a clock in the years of some instants: start, time shown then, and if it runs at half speed."""
    ends = np.array([played.min(), played.max()]).astype("M8[us]").astype("M8[Y]").astype(np.int64) + 1970
    years = np.arange(ends[0], ends[1] + 1)
    if len(years) > _CENTURIES:
        years = np.unique(played.astype("M8[us]").astype("M8[Y]")).astype(np.int64) + 1970
    found: list[tuple[Instant, Instant, bool]] = []
    for year in years.tolist():
        begin = int(np.datetime64(f"{year:04}", "us").astype(np.int64))
        some = clock.stretches(year)
        here = next((n for n, one in enumerate(some) if one.start > begin), len(some)) - 1
        start, face, half = some[max(here, 0)]
        since = begin - start
        found.append((begin, face + (since // 2 if half else since), half))
        found += some[max(here, 0) + 1 :]
        # the stretches of a year reach into the next one, which repeats them
        end = int(np.datetime64(f"{year + 1:04}", "us").astype(np.int64)) if year < 9999 else LAST + 1
        found = [one for one in found if one[0] < end]
    columns = list(zip(*found, strict=True))
    return np.array(columns[0], np.int64), np.array(columns[1], np.int64), np.array(columns[2], np.bool_)
