"""A log in memory on top of another log: a trial of an import, or a what-if."""

import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from itertools import repeat
from typing import NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from ratingcore.errors import OnlySupposed
from ratingcore.events import Event, Row, canonical
from ratingcore.events.canonical_json import canonical_bytes
from ratingcore.events.rows import GameColumns
from ratingcore.log.abilities import Places, any_between, faults_of, remarks_of, sealed_parts, sealed_with
from ratingcore.log.append import UidTaken, append
from ratingcore.log.base_log import BaseLog, columns_of, fields_of
from ratingcore.log.chain import Batch, Cells, Head, Name
from ratingcore.log.contract import Log, Look
from ratingcore.log.lookup import GoesOn, found_once, is_among
from ratingcore.log.names import NameDraft, random_salt
from ratingcore.log.segments import Segment
from ratingcore.safe_text import counted

SUPPOSED = "what-if:"
"""Prefix of the digest of a supposed history; no real digest has it, and it cannot be parsed as an anchor."""


class _TrialNames(NameDraft):
    """New names on top of those of another log; they need no entry of the log's key, which a recorded log has."""

    bound = True


def supposed_in(log: Log) -> int:
    """Number of hypothetical events of a log; 0 except in a trial or a what-if."""
    return log.supposed if isinstance(log, TrialLog) else 0


class _Games:
    """Rows that are all games, kept as columns: these take a quarter of the memory."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._first = rows[0].position
        self._uids, self._data = [row.uid for row in rows], [row.data for row in rows]
        self._pools = np.array([row.pool for row in rows], np.int32)
        self.columns = columns_of(rows)

    @classmethod
    def keeps(cls, rows: Sequence[Row]) -> bool:
        """True if these rows are all games, and columns can hold their cells unchanged."""
        return bool(rows) and all(row.kind == "game" and row.ref is None and type(row.score) is float for row in rows)

    def __len__(self) -> int:
        return len(self._uids)

    def __getitem__(self, which: slice) -> list[Row]:
        _, played, order, a, b, score = (column[which].tolist() for column in self.columns)
        at, pools = range(self._first, self._first + len(self))[which], self._pools[which].tolist()
        cells = zip(
            at, self._uids[which], repeat("game"), pools, played, order, a, b, score, repeat(None), self._data[which]
        )  # fmt: skip
        return list(map(Row._make, cells))

    def pools(self) -> set[int]:
        """The pools of these games."""
        return set(np.unique(self._pools).tolist())

    def of_pool(self, pool: int, which: slice) -> GameColumns:
        """The games of a pool."""
        there = self._pools[which] == pool
        return GameColumns(*(column[which][there] for column in self.columns))


class _Supposed:
    """The hypothetical rows of a trial, batch by batch."""

    def __init__(self) -> None:
        self._parts: list[list[Row] | _Games] = []
        self._ends: list[int] = []

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def add(self, rows: list[Row]) -> None:
        """Adds a batch."""
        self._ends.append(len(self) + len(rows))
        self._parts.append(_Games(rows) if _Games.keeps(rows) else rows)

    def cut(self, count: int) -> None:
        """Drops the batches that end after the first `count` rows."""
        first = bisect_left(self._ends, count + 1)
        del self._parts[first:], self._ends[first:]

    def parts(self, start: int, stop: int | None) -> Iterator[tuple[list[Row] | _Games, slice]]:
        """Yields the batches between two places, each with the slice of it that lies between them."""
        stop = len(self) if stop is None else min(stop, len(self))
        for place in range(bisect_left(self._ends, start + 1), len(self._parts)):
            begin = self._ends[place - 1] if place else 0
            if begin >= stop:
                break
            yield self._parts[place], slice(max(start - begin, 0), min(stop, self._ends[place]) - begin)

    def between(self, start: int = 0, stop: int | None = None, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """The rows between two places; parts without any of the requested kinds are skipped."""
        for part, which in self.parts(start, stop):
            if not (kinds and isinstance(part, _Games) and "game" not in kinds):
                yield from part[which]

    def pools(self) -> set[int]:
        """The pools of all rows; 0 for rows without a pool, or with several."""
        pools = set[int]()
        for part, _ in self.parts(0, None):
            pools |= part.pools() if isinstance(part, _Games) else {row.pool or 0 for row in part}
        return pools

    def at(self, place: int) -> Row:
        """The row at a place, from 0."""
        return next(self.between(place, place + 1))


class TrialLog(GoesOn, BaseLog):
    """A log in memory that has the events of another log up to its current head, and continues from there.

    Appended events are numbered, encoded and checked as in any log, but only this object has them: nothing is written
    to the other log, and its writers do not wait. New names get ids beyond those of the other log. Later events of the
    other log are not visible.

    A digest beyond that head begins with `what-if:` and the number of supposed events. It depends on the digest
    of the other log, the rows and the names, so caches work, but no recorded log can have it as its head.

    Parameters
    ----------
    base : Log
        May be open read-only.

    Attributes
    ----------
    below : Log
        The other log.
    upon : Head
        Its head, after which the trial begins.
    """

    def __init__(self, base: Log) -> None:
        self.below = base
        look = base.look()
        self.upon, self._erasures = look.head, look.erasures
        self.book = _TrialNames(look.book, look.names, random_salt)
        self.now = base.now
        self._earlier = supposed_in(base)
        self._rows = _Supposed()
        self._by_uid: dict[str, int] = {}
        self._batches: list[Batch] = []
        """Own batches, with the digests of the hypothetical history at their ends."""
        self.sealed = False
        """True if nothing more can be appended, so that a plan stays unchanged."""

    @classmethod
    def supposing(cls, base: Log, events: Iterable[Event]) -> Self:
        """Returns a log that has the events of another one, then these events, and accepts no others.

        Parameters
        ----------
        base : Log
        events : iterable of Event
            Events that the log has already are left out.

        Raises
        ------
        UnknownUid, BadCorrection, Conflict
            As raised by `append`.
        """
        trial = cls(base)
        append(trial, events)
        trial.sealed = True
        return trial

    # state

    @property
    def supposed(self) -> int:
        """Number of hypothetical events."""
        return self._earlier + len(self._rows)

    @property
    def key(self) -> str:
        """The key of the log below, so that events get the same uids as there; refused once sealed."""
        self._check_open()
        return self._below_key

    @property
    def _below_key(self) -> str:
        return self.below._below_key if isinstance(self.below, TrialLog) else self.below.key

    def _check_open(self) -> None:
        if self.sealed:
            raise OnlySupposed(self.supposed)

    @property
    def address(self) -> None:
        """Returns None: the log cannot be reopened."""

    @property
    def head(self) -> Head:
        return Head(self._end, self._batches[-1].digest) if self._batches else self.upon

    def look(self) -> Look:
        """The head and the names."""
        return Look(self.head, self.book.count, self._erasures, self.book)

    @property
    def _end(self) -> int:
        return self.upon.position + len(self._rows)

    # appending

    def writing(self) -> AbstractContextManager[None]:
        """A block that is undone as a whole if anything in it fails; refused once the log is sealed."""
        self._check_open()
        return self._undoing()

    @contextmanager
    def _undoing(self) -> Iterator[None]:
        batches, rows, names = len(self._batches), len(self._rows), self.draft.count
        try:
            yield
        except BaseException:
            for row in self._rows.between(rows):
                del self._by_uid[row.uid]
            del self._batches[batches:]
            self._rows.cut(rows)
            self.draft.forget(names)
            raise

    def write(self, batch: Batch, names: Sequence[Name], rows: Sequence[Cells]) -> None:
        if self.find([row[1] for row in rows]) or len({row[1] for row in rows}) < len(rows):
            raise UidTaken
        made = list(map(Row._make, rows))
        # salts are random, so the digest uses the names themselves: equal what-ifs have equal digests
        content = [self.head.digest, [[name.id, name.kind, name.key] for name in names], made]
        text = canonical_bytes(content, {row.score for row in made if row.score is not None})
        self._by_uid |= {row.uid: place for place, row in enumerate(made, len(self._rows))}
        self._rows.add(made)
        self._batches.append(batch._replace(digest=self._supposing(len(self._rows), text)))

    def _supposing(self, count: int, text: bytes) -> str:
        """The digest of a history with `count` hypothetical events of this log."""
        digest = hashlib.sha256(text).hexdigest()
        return f"{SUPPOSED}{counted(self._earlier + count, 'event')} supposed, not recorded:{digest}"

    def _refused(self, *args: object, **options: object) -> NoReturn:
        """Refuses the call: a trial has no subscribers, and nothing to keep or erase."""
        raise OnlySupposed(self.supposed)

    cursor = move_cursor = lending = backup = hosted = _refused
    likely = uncleared = erase = clear = adopt = restore = _refused

    # reading

    def reading(self) -> AbstractContextManager[object]:
        return self.below.reading()

    def faults(self) -> Iterable[str]:
        """Faults of the store below."""
        return faults_of(self.below)

    def remarks(self) -> Iterable[str]:
        """Remarks of the log below."""
        return remarks_of(self.below)

    def wait(self, after: int, seconds: float) -> Head | None:
        """The head if it is beyond a position, else None at once, since nobody else appends."""
        return self.head if self._end > after else None

    def last_batch(self) -> Batch | None:
        if self._batches:
            return self._batches[-1]
        end = self.upon.position
        return next((batch for batch in self.below.batches(end - 1) if batch.last == end), None)

    def find(self, uids: Sequence[str]) -> dict[str, Row]:
        limit = self.upon.position
        recorded = {uid: row for uid, row in self.below.find(uids).items() if row.position <= limit}
        return recorded | {uid: self._rows.at(self._by_uid[uid]) for uid in uids if uid in self._by_uid}

    def batches(self, after: int = 0) -> Iterator[Batch]:
        for batch in self.below.batches(after):
            if batch.last > self.upon.position:
                break
            yield batch
        yield from (batch for batch in self._batches if batch.last > after)

    def rows(
        self,
        after: int = 0,
        to: int | None = None,
        kinds: Sequence[str] = (),
        pool: int | None = None,
        players: Sequence[int] | None = None,
    ) -> Iterator[Row]:
        limit = self.upon.position
        if after < limit:
            yield from self.below.rows(after, limit if to is None else min(to, limit), kinds, pool, players)
        own = self._own(after, to, kinds)
        every = not kinds and pool is None and players is None
        yield from own if every else (row for row in own if is_among(row, kinds, pool, players))

    def _places(self, after: int, to: int | None) -> tuple[int, int | None]:
        """Places of the hypothetical rows after a position, up to another."""
        limit = self.upon.position
        return max(after - limit, 0), None if to is None else max(to - limit, 0)

    def _own(self, after: int, to: int | None, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """The hypothetical rows after a position and up to another; some may be of other kinds than requested."""
        return self._rows.between(*self._places(after, to), kinds)

    def supposed_pools(self) -> set[int]:
        """The pools of hypothetical events; 0 for events without a pool, or with several."""
        return self._rows.pools()

    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]:
        wanted = sorted({int(position) for position in positions})
        limit = self.upon.position
        yield from self.below.rows_at(position for position in wanted if position <= limit)
        yield from (self._rows.at(position - limit - 1) for position in wanted if limit < position <= self._end)

    def rows_between(self, first: str, last: str) -> Iterator[Row]:
        rows = [row for row in self.below.rows_between(first, last) if row.position <= self.upon.position]
        own = [self._rows.at(place) for uid, place in self._by_uid.items() if first <= uid < last]
        return iter(sorted(rows + own, key=lambda row: row.uid))

    def any_between(self, first: str, last: str) -> bool:
        """True if the trial, or the log below, has a row with `first <= uid < last`."""
        return any(first <= uid < last for uid in self._by_uid) or any_between(self.below, first, last)

    def sealed_parts(self, pool: int, after: int, to: int) -> list[tuple[int, int]]:
        """Positions of the sealed games of a pool, all of them in the log below."""
        return sealed_parts(self.below, pool, after, min(to, self.upon.position))

    def sealed_with(self, uids: NDArray[np.bytes_]) -> Iterator[tuple[Places, Segment, Places]]:
        """Yields the segments of the log below that have some of these ids."""
        return (found for found in sealed_with(self.below, uids) if found[1].last <= self.upon.position)

    def games(self, pool: int, after: int, to: int) -> GameColumns:
        limit = self.upon.position
        below = self.below.games(pool, min(after, limit), min(to, limit))
        made = [below]
        for part, which in self._rows.parts(*self._places(after, to)):
            if isinstance(part, _Games):
                made.append(part.of_pool(pool, which))
            else:
                made.append(columns_of(row for row in part[which] if row.kind == "game" and row.pool == pool))
        return GameColumns(*map(np.concatenate, zip(*made, strict=True))) if len(made) > 1 else below

    def fields(self, pool: int, field: str, after: int, to: int) -> Iterator[tuple[int, str | int | float]]:
        limit = self.upon.position
        if after < limit:
            yield from self.below.fields(pool, field, after, min(to, limit))
        own = (row for row in self._own(after, to) if is_among(row, ("game", "session"), pool))
        yield from fields_of(own, field)

    def digest_at(self, position: int) -> str:
        limit = self.upon.position
        if position <= limit:
            return self.upon.digest if position == limit else self.below.digest_at(position)
        at = bisect_left([batch.last for batch in self._batches], position)
        if at >= len(self._batches) or self._batches[at].last == position:
            return self._batches[min(at, len(self._batches) - 1)].digest
        before = self._batches[at - 1] if at else None
        done = before.last if before else limit
        text = canonical([before.digest if before else self.upon.digest, list(self._own(done, position))])
        return self._supposing(position - limit, text.encode())


class Moment(TrialLog):
    """A log as it was at one moment, without later events; caches the events that it looked up by uid.

    Plans are made from it, and tried in trial logs on top of it.
    """

    def __init__(self, base: Log) -> None:
        super().__init__(base)
        self.sealed = True
        self._found: dict[str, Row | None] = {}

    @property
    def key(self) -> str:
        return self._below_key

    def find(self, uids: Sequence[str]) -> dict[str, Row]:
        return found_once(self._found, super().find, uids)

    def last_batch(self) -> Batch | None:
        return self._last

    @cached_property
    def _last(self) -> Batch | None:
        return super().last_batch()
