"""The what-if log: another log with supposed events after it, which are never written."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ratingcore.errors import OnlySupposed
from ratingcore.events import Event, Instant, Row, canonical
from ratingcore.events.rows import GameColumns
from ratingcore.log.append import UidTaken, append
from ratingcore.log.base_log import Readings
from ratingcore.log.chain import Batch, Cells, Head, Name, head_after
from ratingcore.log.contract import Log, Look, Stamp
from ratingcore.log.names import NameDraft, random_salt
from ratingcore.spelling import counted

SUPPOSED = "what-if:"
"""Prefix of the digest of a supposed history; no real digest has it, and it cannot be parsed as an anchor."""


class OverlayLog(Readings):
    """A log that reads as another one up to its present head, followed by supposed events.

    The events are numbered, encoded and checked by the code of a real append, as if they were recorded now. New
    names get ids beyond those of the other log. Neither rows nor names are written, and an append is refused.
    What is appended to the other log later does not show.

    A digest beyond that head begins with `what-if:` and the number of supposed events. It depends on the digest
    of the other log, the rows and the names, so caches work, but no log can have it as its head.

    Parameters
    ----------
    base : Log
        May be open read-only.
    events : iterable of Event
        Events the log has already are left out.

    Attributes
    ----------
    upon : Head
        Head of the other log, after which the supposed events begin.
    supposed : int
        Number of events that no log has recorded.

    Raises
    ------
    UnknownUid, BadCorrection, Conflict
        As an append does.
    """

    def __init__(self, base: Log, events: Iterable[Event]) -> None:
        self._base = base
        trial = _Trial(base)
        append(trial, events)
        self._erasures = trial.erasures
        self.upon = trial.upon
        self._rows = trial.written
        self._by_uid = {row.uid: row for row in trial.written}
        self._batch = trial.batch
        self.names_book: NameDraft = trial.draft
        self.now: Callable[[], Instant] = base.now
        self._earlier = base.supposed
        self.supposed = self._earlier + len(trial.written)
        self._digests: dict[int, str] = {}
        # ids of new names mean nothing outside this log: the digest must depend on the names behind them
        self._names = canonical([[name.id, name.kind, name.key] for name in self.names_book.fresh])

    # the protocol, as far as it reads

    @property
    def path(self) -> None:
        """No file."""

    @property
    def address(self) -> None:
        """Nothing opens it again."""

    @property
    def tables(self) -> None:
        """No file, so no tables in it."""

    @property
    def head(self) -> Head:
        end = self._end
        return Head(end, self.digest_at(end)) if self._rows else self.upon

    def look(self) -> Look:
        """The head and the names; they do not change."""
        return Look(self.head, self.names_book.count, self._erasures, self.names_book)

    @property
    def stamp(self) -> Stamp:
        """What answers depend on; it does not change."""
        return self.look().stamp

    @property
    def _end(self) -> int:
        return self.upon.position + len(self._rows)

    @property
    def key(self) -> NoReturn:
        """Refused: uids derived with the key would pass for real ones."""
        raise OnlySupposed(self.supposed)

    def _refused(self, *args: object, **options: object) -> NoReturn:
        """Refuses to write: a supposed history has no appends, cursors or erasures."""
        raise OnlySupposed(self.supposed)

    append = backfill = writing = cursor = move_cursor = lending = backup = hosted = _refused
    beyond: tuple[str, ...] = ()
    likely = uncleared = erase = clear = adopt = restore = _refused

    def reading(self) -> AbstractContextManager[object]:
        """A transaction in which the log reads the same while others append."""
        return self._base.reading()

    def faults(self) -> Iterable[str]:
        """What is wrong with the store below."""
        return self._base.faults()

    def remarks(self) -> Iterable[str]:
        """Those of the log below."""
        return self._base.remarks()

    def wait(self, after: int, seconds: float) -> Head | None:
        """The head, if it is beyond a position: what is supposed does not move."""
        return self.head if self._end > after else None

    def last_batch(self) -> Batch | None:
        if self._batch is None:
            return next((batch for batch in self._base.batches(self._end - 1) if batch.last == self._end), None)
        return self._batch._replace(digest=self.head.digest)

    def find(self, uids: Sequence[str]) -> dict[str, Row]:
        limit = self.upon.position
        recorded = {uid: row for uid, row in self._base.find(uids).items() if row.position <= limit}
        return recorded | {uid: self._by_uid[uid] for uid in uids if uid in self._by_uid}

    def batches(self, after: int = 0) -> Iterator[Batch]:
        for batch in self._base.batches(after):
            if batch.last > self.upon.position:
                break
            yield batch
        last = self.last_batch() if self._batch is not None and after < self._end else None
        if last is not None:
            yield last

    def rows(
        self, after: int = 0, to: int | None = None, kinds: Sequence[str] = (), pool: int | None = None
    ) -> Iterator[Row]:
        limit = self.upon.position
        if after < limit:
            yield from self._base.rows(after, limit if to is None else min(to, limit), kinds, pool)
        for row in self._own(after, to):
            if (not kinds or row.kind in kinds) and (pool is None or row.pool == pool):
                yield row

    def _own(self, after: int, to: int | None) -> list[Row]:
        """The supposed rows after a position and up to another."""
        limit = self.upon.position
        return self._rows[max(after - limit, 0) : None if to is None else max(to - limit, 0)]

    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]:
        wanted = sorted({int(position) for position in positions})
        limit = self.upon.position
        yield from self._base.rows_at(position for position in wanted if position <= limit)
        yield from (self._rows[position - limit - 1] for position in wanted if limit < position <= self._end)

    def rows_between(self, first: str, last: str) -> Iterator[Row]:
        rows = [row for row in self._base.rows_between(first, last) if row.position <= self.upon.position]
        own = [row for row in self._rows if first <= row.uid < last]
        return iter(sorted(rows + own, key=lambda row: row.uid))

    def games(self, pool: int, after: int, to: int) -> GameColumns:
        limit = self.upon.position
        below = self._base.games(pool, min(after, limit), min(to, limit))
        own = [row for row in self._own(after, to) if row.kind == "game" and row.pool == pool]
        if not own:
            return below
        columns: dict[str, NDArray[Any]] = below._asdict()
        fresh = {name: np.array([getattr(row, name) for row in own], column.dtype) for name, column in columns.items()}
        return GameColumns(**{name: np.concatenate([column, fresh[name]]) for name, column in columns.items()})

    def fields(self, pool: int, field: str, after: int, to: int) -> Iterator[tuple[int, str | int | float]]:
        limit = self.upon.position
        if after < limit:
            yield from self._base.fields(pool, field, after, min(to, limit))
        for row in self._own(after, to):
            value = row.facts.get(field) if row.kind in ("game", "session") and row.pool == pool else None
            if value is not None:
                yield row.position, int(value) if isinstance(value, bool) else value

    def uids(self, positions: Sequence[int]) -> list[str]:
        limit = self.upon.position
        stored = [position for position in positions if position <= limit]
        if len(stored) == len(positions):
            return self._base.uids(positions)
        below = dict(zip(stored, self._base.uids(stored), strict=True)) if stored else {}
        return [below[at] if at <= limit else self._rows[at - limit - 1].uid for at in positions]

    def digest_at(self, position: int) -> str:
        limit = self.upon.position
        count = min(position, self._end) - limit
        if count <= 0:
            return self._base.digest_at(min(position, limit))
        if count not in self._digests:
            text = canonical([self.upon.digest, self._names, self._rows[:count]])
            events = self._earlier + count
            count_text = counted(events, "event")
            digest = hashlib.sha256(text.encode()).hexdigest()
            self._digests[count] = f"{SUPPOSED}{count_text} supposed, not recorded:{digest}"
        return self._digests[count]

    def position_at(self, recorded: Instant) -> int:
        if self._batch is not None and recorded >= self._batch.recorded:
            return self._end
        return min(self._base.position_at(recorded), self.upon.position)


class _Trial:
    """Store for `append` that collects the batch instead of writing it.

    Its head is read once, at the start: the log below may grow meanwhile, so every look-up ignores what is later.
    """

    def __init__(self, base: Log) -> None:
        self._base = base
        self._last = base.last_batch()
        self.upon = head_after(self._last)
        self.now: Callable[[], int] = base.now
        look = base.look()
        self.erasures = look.erasures
        self.names_book = self.draft = NameDraft(look.book, look.book.count_at(self.upon.position), random_salt)
        self.key = ""  # what is only supposed binds no key
        self.batch: Batch | None = None
        self.written: list[Row] = []

    def writing(self) -> AbstractContextManager[None]:
        """No transaction: nothing is written, so nothing has to be undone."""
        return nullcontext()

    def last_batch(self) -> Batch | None:
        return self._last

    def find(self, uids: Sequence[str]) -> dict[str, Row]:
        rows = self._base.find(uids)
        return {uid: row for uid, row in rows.items() if row.position <= self.upon.position}

    def rows(
        self, after: int = 0, to: int | None = None, kinds: Sequence[str] = (), pool: int | None = None
    ) -> Iterator[Row]:
        end = self.upon.position
        return self._base.rows(after, end if to is None else min(to, end), kinds, pool)

    def write(self, batch: Batch, names: Sequence[Name], rows: Sequence[Cells]) -> None:
        if self.find([row[1] for row in rows]):
            raise UidTaken
        self.batch, self.written = batch, list(map(Row._make, rows))
