"""Surveys the sessions of a table in a first pass over its rows, before they are made."""

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable
from contextlib import suppress

import numpy as np
from attrs import define, field

from ratingcore.errors import EventError
from ratingcore.events import DAY, Instant
from ratingcore.importer.notes import SHOWN, SessionsSpeltAlike
from ratingcore.importer.tables.bound_mapping import Binding
from ratingcore.importer.tables.cells import Thousands
from ratingcore.importer.tables.parsers import Parser
from ratingcore.readers import Note, Refused
from ratingcore.readers.sheets import Rows

_NEW = 2**16
"""Number of hashes kept in a Python set, at 70 bytes each, before they move to a sorted array."""


class Hashes:
    """A compact set of hashes.

    The hashes lie in sorted arrays of doubling lengths, so that a million of them are in a handful of arrays.
    """

    def __init__(self) -> None:
        self._new: set[int] = set()
        self._sorted: list[array[int]] = []

    def meet(self, value: int) -> bool:
        """Adds a hash of 64 bits, and returns whether the set already held it."""
        if value in self._new or any(_holds(part, value) for part in self._sorted):
            return True
        self._new.add(value)
        if len(self._new) >= _NEW:
            self._sort_in()
        return False

    def __len__(self) -> int:
        return len(self._new) + sum(map(len, self._sorted))

    def _sort_in(self) -> None:
        part = np.sort(np.fromiter(self._new, np.int64, len(self._new)))
        self._new.clear()
        while self._sorted and len(self._sorted[-1]) <= len(part):
            part = np.sort(np.concatenate([part, np.frombuffer(self._sorted.pop(), np.int64)]), kind="stable")  # merges
        self._sorted.append(array("q", part.tobytes()))


def _holds(part: "array[int]", value: int) -> bool:
    place = bisect_left(part, value)
    return place < len(part) and part[place] == value


Key = tuple[str, ...]
"""Name, pool and day of a session, as the cells give them."""

_RECENT = 10_000
"""Largest number of names that are remembered to find names spelt alike."""


@define
class _Run:
    """Consecutive rows of one session."""

    key: Key
    line: int
    day: Instant | None
    rows: int = 0
    best: float = 0
    """The best place; 0 if no row has a place."""

    def is_part(self) -> bool:
        """True if the rows are hardly a whole session: a single row, or places without the first."""
        return self.rows == 1 or self.best > 1

    def goes_on(self, other: "_Run") -> bool:
        """True if the other run has the same name and pool, and is at most a day apart."""
        if self.key[:2] != other.key[:2] or self.day is None or other.day is None:
            return False
        return abs(self.day - other.day) <= DAY


@define
class Survey:
    """The sessions of a table that need care.

    Attributes
    ----------
    scattered : set of Key
        Sessions whose rows are not consecutive.
    torn : dict of Key to str
        Sessions that are probably continued on another day, each with the reason to refuse it.
    """

    scattered: set[Key] = field(factory=set)
    torn: dict[Key, str] = field(factory=dict)
    _seen: Hashes = field(factory=Hashes)
    _names: dict[Key, tuple[str, int]] = field(factory=dict)
    _alike: list[tuple[str, int, str, int]] = field(factory=list)

    def meet(self, run: _Run) -> None:
        """Adds a run of rows, which begins a session or continues an earlier one."""
        if self._seen.meet(hash(run.key)):
            self.scattered.add(run.key)
            return
        bare = (_bare(run.key[0]), *run.key[1:])
        name, line = self._names.setdefault(bare, (run.key[0], run.line))
        if name != run.key[0]:
            self._alike.append((name, line, run.key[0], run.line))
        if len(self._names) > _RECENT:
            self._names.clear()

    def compare(self, run: _Run, after: _Run) -> None:
        """Marks two consecutive runs as torn if they are probably one session."""
        if run.goes_on(after) and (run.is_part() or after.is_part()):
            for one, other in ((run, after), (after, run)):
                self.torn[one.key] = (
                    f"session {one.key[0]} continues on another day, {other.key[2]}, on line {other.line}: give all of "
                    "its rows the same day"
                )

    def notes(self) -> list[Note]:
        """Returns a note on names that are spelt alike and may mean one session."""
        return [SessionsSpeltAlike(len(self._alike), tuple(self._alike[:SHOWN]))] if self._alike else []


def _bare(name: str) -> str:
    """Returns a session's name without case and blanks; of a number, leading and decimal zeros are dropped."""
    bare = "".join(name.casefold().split())
    return re.sub(r"\.0+$", "", bare).lstrip("0") if re.fullmatch(r"[0-9]+(?:\.0+)?", bare) else bare


def survey(
    bound: Binding, rows: Rows, key_of: Callable[[list[str], Key], Key],
    played: Parser[Instant], place: Parser[float | None] | None, score: Parser[float | None] | None,
) -> Survey:  # fmt: skip
    """Surveys the rows of sessions in one pass.

    Raises
    ------
    ScoresInDoubt
        If scores such as 1.250 beside 980 may be thousands.
    """
    found, thousands = Survey(), Thousands(bound.decimal)
    before: _Run | None = None
    run: _Run | None = None
    key: Key = ()
    for row in rows:
        if isinstance(row, Refused):
            continue
        line, cells = row
        key = key_of(cells, key)
        if run is None or key != run.key:
            if run is not None and before is not None:
                found.compare(before, run)
            day = None
            with suppress(EventError):
                day = played[cells[played.index]]
            before, run = run, _Run(key, line, day)
            found.meet(run)
        run.rows += 1
        if score is not None:
            thousands.meet(cells[score.index])
        if place is not None:
            with suppress(EventError):
                run.best = min(filter(None, (run.best, place[cells[place.index]])), default=0)
    if run is not None and before is not None:
        found.compare(before, run)
    for one in found.scattered:
        found.torn.pop(one, None)
    bound.check_thousands(thousands)
    return found
