"""What one pass over the rows of a table shows of its sessions, before they are made."""

import re
from collections.abc import Callable
from contextlib import suppress

from attrs import define, field

from ratingcore.errors import EventError
from ratingcore.events import DAY, Instant
from ratingcore.importer.notes import SHOWN, SessionsSpeltAlike
from ratingcore.importer.tables.cells import Thousands
from ratingcore.importer.tables.rows import Binding, Hashes, Parser
from ratingcore.readers import Note, Refused
from ratingcore.readers.sheets import Rows

Key = tuple[str, ...]
"""Name, pool and day of a session."""

_RECENT = 10_000
"""Names of sessions that are compared with further ones."""


@define
class _Run:
    """Rows of one session that are together."""

    key: Key
    line: int
    day: Instant | None
    rows: int = 0
    best: int = 0
    """The best place; 0 without any."""

    def is_part(self) -> bool:
        """True if it is hardly a whole session: a single side, or places without the first."""
        return self.rows == 1 or self.best > 1

    def goes_on(self, other: "_Run") -> bool:
        """True if a session of the same name and pool is on the same or the next day."""
        if self.key[:2] != other.key[:2] or self.day is None or other.day is None:
            return False
        return abs(self.day - other.day) <= DAY


@define
class Survey:
    """Sessions that need care.

    Attributes
    ----------
    scattered : set of Key
        Those whose rows are not together.
    torn : dict of Key to str
        Those that are probably one with a session of the next day, each with the reason to refuse it.
    """

    scattered: set[Key] = field(factory=set)
    torn: dict[Key, str] = field(factory=dict)
    _seen: Hashes = field(factory=Hashes)
    _names: dict[Key, tuple[str, int]] = field(factory=dict)
    _alike: list[tuple[str, int, str, int]] = field(factory=list)

    def meet(self, run: _Run) -> None:
        """Notes a session that begins, or goes on after others."""
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
        """Notes two consecutive sessions that are probably one."""
        if run.goes_on(after) and (run.is_part() or after.is_part()):
            for one, other in ((run, after), (after, run)):
                self.torn[one.key] = (
                    f"session {one.key[0]} goes on on another day, {other.key[2]}, on line {other.line}: give all of "
                    "its rows one day"
                )

    def notes(self) -> list[Note]:
        """The names that may be of one session."""
        return [SessionsSpeltAlike(len(self._alike), tuple(self._alike[:SHOWN]))] if self._alike else []


def _bare(name: str) -> str:
    """The name of a session without case and blanks, and numbers without leading and decimal zeros."""
    bare = "".join(name.casefold().split())
    return re.sub(r"\.0+$", "", bare).lstrip("0") if re.fullmatch(r"[0-9]+(?:\.0+)?", bare) else bare


def survey(
    bound: Binding, rows: Rows, key_of: Callable[[list[str], Key], Key],
    played: Parser[Instant], place: Parser[int | None] | None, score: Parser[float | None] | None,
) -> Survey:  # fmt: skip
    """Reads the rows of sessions once.

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
