"""The base of stores: answers made of what they read, and transactions."""

import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import repeat
from types import TracebackType
from typing import Self

from ratingcore.errors import LogUnavailable, OtherHistory, UnknownUid
from ratingcore.events import CORRECTIONS, AnyEvent, Instant, Row, decode
from ratingcore.events.corrections import Corrections
from ratingcore.events.values import Fact
from ratingcore.log.append import Store, append, backfill
from ratingcore.log.chain import Batch, Cells, Head, Name, head_after
from ratingcore.log.contract import Log, Look, Seen, Stamp
from ratingcore.log.names import Book, NameDraft
from ratingcore.log.stored_names import StoredNames
from ratingcore.log.stored_rows import BATCHES, StoredRows


def wall_clock() -> Instant:
    """The current time in microseconds since 1970."""
    return time.time_ns() // 1000


class Readings:
    """Base of the logs, also of one that is only supposed."""

    supposed: int = 0

    def row_of(self: Log, uid: str) -> Row:
        row = self.find([uid]).get(uid)
        if row is None:
            raise UnknownUid(uid)
        return row

    def event(self: Log, uid: str) -> AnyEvent:
        return self.decoder()(self.row_of(uid))

    def uid(self: Log, position: int) -> str:
        return self.uids([position])[0]

    def close(self) -> None:
        """Nothing to release."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def descriptions(self: Log, players: Sequence[int]) -> Iterator[Row]:
        return (row for row in self.rows(0, None, ("player",)) if row.a in players)

    def corrections(self: Log, to: int | None = None) -> Corrections:
        head = self.head
        if to is not None and to < head.position:
            return Corrections.of(self.rows(0, to, CORRECTIONS))
        known: tuple[Head, Corrections] | None = vars(self).get("_resolved")
        if known is not None and known[0] == head:  # one correction is planned by several looks at the same head
            return known[1]
        read = None if known is None else _gone_on(self, *known, head)
        if read is None:
            read = Corrections.of(self.rows(0, head.position, CORRECTIONS))
        vars(self)["_resolved"] = head, read
        return read

    def as_read(self: Log, uid: str) -> Row | None:
        return self.corrections().read(self.row_of(uid))

    def decoder(self: Log) -> Callable[[Row], AnyEvent]:
        names = _Named(self.book, self.uid)
        return lambda row: decode(row, names)


def _gone_on(log: Log, known: Head, read: Corrections, head: Head) -> Corrections | None:
    """Corrections up to a head by those up to an earlier one; None if all of them must be resolved anew."""
    # what a transaction wrote that failed then may have been read in it
    if known.position >= head.position or log.digest_at(known.position) != known.digest:
        return None
    return read.then(list(log.rows(known.position, head.position, CORRECTIONS)))


class _Named:
    """Names and uids of a log, for decoding its rows; looked up once, as a log in a file asks the file each time."""

    def __init__(self, book: Book, uid: Callable[[int], str]) -> None:
        self.key = book.key
        self.uid = uid
        self._book = book
        self._facts: dict[int, Fact | None] = {}

    def fact(self, number: int) -> Fact | None:
        """The value of a fact; those of the next ids are read with it, since rows are decoded in order."""
        if number not in self._facts:
            ahead = range(number, max(number, min(number + _AHEAD, self._book.count)) + 1)
            self._facts = dict(zip(ahead, self._book.facts(ahead), strict=True))
        return self._facts[number]


_AHEAD = 200
"""Names after a fact that are looked at for facts as well."""


_ASK = 0.02
"""Seconds between two looks at the head of a log that sends no notice when it moves."""


class BaseLog(Readings):
    """Base of the stores; a subclass is a `Store`, to which appending writes."""

    @property
    def head(self: Store) -> Head:
        return head_after(self.last_batch())

    append, backfill = append, backfill  # to whatever has what a `Store` has

    @contextmanager
    def loading(self: Store) -> Iterator[bool]:
        """As `writing`, for a great many rows: a store may use more memory then."""
        with self.writing():
            yield False

    @contextmanager
    def indexed_last(self, *, names: bool = False) -> Iterator[bool]:
        """Within `loading`, a block in which a store may put off indexing uids, and names if asked.

        Gives whether uids are; then no event can be found by its uid in the block.
        """
        yield False

    def write_games(
        self: Store, batch: Batch, names: Sequence[Name], pool: int, columns: Sequence[Sequence[object]]
    ) -> None:
        """Writes a batch of games of one pool.

        Parameters
        ----------
        columns : sequence of uid, played, order, a, b, score, data
            Each holds a value for every game.
        """
        uids, played, order, a, b, score, data = columns
        kind, pools, nothing = repeat("game"), repeat(pool), repeat(None)
        cells = zip(
            range(batch.first, batch.last + 1),
            uids,
            kind,
            pools,
            played,
            order,
            a,
            b,
            score,
            nothing,
            data,
            strict=False,
        )
        self.write(batch, names, list(cells))

    def restore(self: Store, batch: Batch, names: Sequence[Name], rows: Sequence[Row]) -> None:
        """Write a batch as it was exported."""
        self.draft.restore(names)
        self.write(batch, names, rows)

    @property
    def beyond(self) -> tuple[str, ...]:
        """Sentences about what keeps erased names where no erasure reaches: nothing of the store itself."""
        return ()

    def hosted(self, connection: object) -> AbstractContextManager[tuple[Log, Head]]:
        """Refused: a store takes part in no transaction of another database."""
        why = "its store takes part in no transaction of a host"
        advice = "record after the commit, from an outbox: docs/embedding/transactions.md has one"
        raise LogUnavailable(str(getattr(self, "address", None) or "this log"), why, advice)

    def wait(self: Store, after: int, seconds: float) -> Head | None:
        """The head, as soon as it is beyond a position; None if it is not in so many seconds."""
        until = time.monotonic() + seconds
        while (last := self.last_batch()) is None or last.last <= after:
            left = until - time.monotonic()
            if left <= 0:
                return None
            time.sleep(min(left, _ASK))
        return head_after(last)


class Inside:
    """What a transaction that appends knows of the log; nobody else can change it meanwhile.

    Parameters
    ----------
    last : Batch or None
        The newest batch.
    names, erasures : int
        How many names the log has, and how many were ever erased.
    draft : NameDraft
        The names as the transaction leaves them.
    """

    def __init__(self, last: Batch | None, names: int, erasures: int, draft: NameDraft) -> None:
        self.last, self.names, self.erasures, self.draft = last, names, erasures, draft
        self.head = head_after(last)
        self.saved = False
        """Whether a savepoint of the batch before is still there."""

    @property
    def seen(self) -> Seen:
        """What others see of the log once the transaction is committed."""
        return Seen(self.head, self.names, self.erasures)

    def wrote(self, batch: Batch, names: int) -> None:
        """Takes in a batch that was written, with so many names."""
        self.last, self.names, self.head = batch, self.names + names, head_after(batch)

    def erased(self, numbers: Sequence[int], count: int) -> None:
        """Takes in names that were erased, so many of them for the first time."""
        self.draft.erase(numbers)
        self.erasures += count

    def part(self) -> "Inside":
        """The same for a part of the transaction, which may be undone alone."""
        return Inside(self.last, self.names, self.erasures, NameDraft(self.draft, self.draft.count, self.draft.salt))

    def take(self, part: "Inside") -> None:
        """Takes in a part that went well."""
        self.last, self.names, self.erasures, self.head = part.last, part.names, part.erasures, part.head
        self.draft.restore(part.draft.fresh)
        self.draft.erase(part.draft.gone)


class StoredLog(StoredRows, BaseLog):
    """The base of logs in a database, in which one transaction at a time appends.

    A subclass opens the transaction, and says what it finds there.
    """

    _book: StoredNames
    _held: Seen
    """The newest that was seen: as long as the log is open, it stays a part of the history."""
    _mine: threading.local
    _read_only: bool
    _salt: Callable[[], str]

    @property
    @abstractmethod
    def _where(self) -> str:
        """The log, as errors name it."""

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[Inside]:
        """A transaction for which other writers wait, committed at the end."""

    @abstractmethod
    def _savepoint(self, part: Inside) -> AbstractContextManager[Inside]:
        """A part of the transaction of this thread, undone alone if anything in it fails."""

    @property
    @abstractmethod
    def _in_transaction(self) -> bool:
        """Whether this thread is in the middle of a transaction."""

    @property
    def _inside(self) -> Inside | None:
        """What this thread knows, inside `writing`."""
        inside: Inside | None = getattr(self._mine, "inside", None)
        return inside if inside is not None and self._in_transaction else None

    @property
    def draft(self) -> NameDraft:
        """The names as the transaction leaves them."""
        return self._appending.draft

    @property
    def _appending(self) -> Inside:
        inside = self._inside
        assert inside is not None, "inside `writing` only"
        return inside

    @property
    def head(self) -> Head:
        return self.look().head

    @abstractmethod
    def _looked(self, at: int) -> tuple[Seen, str | None, Batch | None]:
        """What one statement shows, the digest of the batch that ends at a position, and the newest batch if shown."""

    @property
    def _at_a_moment(self) -> bool:
        """Whether this thread reads as of a moment that may be before what other threads have seen."""
        return self._in_transaction

    def look(self) -> Look:
        """The head and the names at one moment, by one statement."""
        inside = self._inside
        if inside is not None:
            return Look(*inside.seen, inside.draft)
        self._check_place()
        held = self._held
        seen, there, _ = self._looked(held.head.position)
        if not self._at_a_moment:
            self._continues(held, there, seen)
        book = self._names()
        book.saw(seen.names, seen.erasures)
        return Look(*seen, book)

    def _entered(self, held: Seen, there: str | None, seen: Seen, last: Batch | None) -> Inside:
        """What a transaction that appends finds; nothing is written yet."""
        self._continues(held, there, seen)
        book = self._names()
        book.saw(seen.names, seen.erasures)
        return Inside(last, seen.names, seen.erasures, NameDraft(book, seen.names, self._salt))

    def _check_place(self) -> None:
        """Checks that the log is still where it was opened; nothing by default, as servers move none."""

    def _names(self) -> StoredNames:
        """The book that all threads share."""
        return self._book

    def _continues(self, held: Seen, there: str | None, seen: Seen) -> None:
        """Checks that the history contains what was held before it was read; from here on what was seen is held.

        Raises
        ------
        LogUnavailable
            If the log went back, or went another way: a backup took its place, or its server lost the last appends.
            The ids of names may stand for others there than this log knows.
        """
        if held.head.position and there != held.head.digest:
            raise self._another_history(f"it was at {held.head}, and now ends at {seen.head}")
        self._hold(seen)

    def _hold(self, seen: Seen) -> None:
        held = self._held
        if (seen.head.position, seen.erasures) > (held.head.position, held.erasures):
            self._held = seen

    def _another_history(self, what: str) -> OtherHistory:
        return OtherHistory(self._where, f"another history took its place while it was open: {what}")

    @property
    def stamp(self) -> Stamp:
        return self.look().stamp

    @property
    def book(self) -> Book:
        """The names as they are now; inside a transaction of this thread, as it leaves them."""
        inside = self._inside
        return self.look().book if inside is None else inside.draft

    def last_batch(self) -> Batch | None:
        inside = self._inside
        if inside is not None:
            return inside.last
        row = self._one(f"{BATCHES} ORDER BY last DESC LIMIT 1")
        return Batch._make(row) if row else None

    @abstractmethod
    def write(self, batch: Batch, names: Sequence[Name], rows: Sequence[Cells]) -> None:
        """Writes a batch inside `writing`; if a uid is taken, nothing of it is written."""

    @abstractmethod
    def arrived(self, numbers: Sequence[int]) -> None:
        """Notes names that were erased already in the log whose export is being loaded."""

    def restore(self, batch: Batch, names: Sequence[Name], rows: Sequence[Row]) -> None:
        self.draft.restore(names)
        self.write(batch, names, rows)
        erased = [name.id for name in names if name.key is None]
        if erased:
            self.arrived(erased)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Opens a transaction for which other writers wait; nested in another one, a savepoint."""
        if self._read_only:
            advice = "open it to write, or copy it to a folder you may write to"
            raise LogUnavailable(self._where, "it is read-only", advice)
        outer = self._inside
        with self._transaction() if outer is None else self._savepoint(outer.part()) as inside:
            count = inside.draft.below
            try:
                self._mine.inside = inside
                yield
            except BaseException:
                self._book.undone(count, inside.draft.gone)
                raise
            finally:
                self._mine.inside = outer
        if outer is None:
            self._hold(inside.seen)
            self._book.wrote(inside.draft)
        else:
            outer.take(inside)
