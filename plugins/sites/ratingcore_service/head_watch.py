"""Announces each new head of the log to the streams of server-sent events."""

import asyncio
import contextlib
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable
from itertools import islice

import msgspec
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from ratingcore import Engine, Head
from ratingcore.errors import RatingCoreError
from ratingcore.plugin.analysis import boards, listening
from ratingcore.plugin.stores import EMPTY, Stamp
from ratingcore_service.access import check_pools, check_whole_log
from ratingcore_service.desk import Desk
from ratingcore_service.problems import Busy, TooOften
from ratingcore_service.routing import EVENTS, Asked, Route
from ratingcore_service.settings import Settings
from ratingcore_service.wire import SEEN, Name, News, Query, Seen

BEAT = 15.0
"""Seconds after which a stream without news gets a comment, so that the connection stays open."""
ASK = 0.25
"""Seconds between checks of the waiting thread for the end of the service and for erased names."""
FEW = 10_000
"""Number of events whose pools are looked up; if there are more, every pool counts as changed."""


class HeadWatch:
    """Announces every new head: at once after appends of this process, a little later after those of others.

    Parameters
    ----------
    desk : Desk
    settings : Settings
    forget : callable
        Called in the waiting thread when another process has erased names.
    """

    def __init__(self, desk: Desk, settings: Settings, forget: Callable[[], None]) -> None:
        self._desk, self._settings, self._forget = desk, settings, forget
        self._lock = threading.Lock()
        self._called = threading.Event()
        """Set when there is a stream to inform, or when the service ends."""
        self.erasures: int | None = None
        """Number of erased names at the last erasure after which this process forgot all answers."""
        self._thread: threading.Thread | None = None
        self.streams: set[Stream] = set()
        self.closed = False
        self._head: Head | None = None
        self._began = self._accepted = 0
        self._changed: dict[str, int] = {}
        """By pool, the position of its last change."""
        self._messages: dict[str, bytes] = {}

    def start(self) -> None:
        """Starts the thread that waits for appends and erasures by other processes."""
        with self._lock:
            if self._thread is None and not self.closed:
                self._thread = threading.Thread(target=self._wait, name="head watch", daemon=True)
                self._thread.start()

    def wrote(self, engine: Engine, stamp: Stamp | None) -> None:
        """Announces an append of this process; if the log cannot be read now, the waiting thread announces it later.

        Parameters
        ----------
        engine : Engine
        stamp : Stamp or None
            The stamp of the log after the append; None reads it.
        """
        self._desk.forget()
        try:
            if self._head is not None or not self._desk.in_file:
                stamp = self._hear(engine, stamp)
                self._announce(engine, Head(stamp.position, stamp.digest))
        except RatingCoreError:  # the database server is unreachable: the waiting thread tries again
            self._desk.heard = None

    def news(self, after: int, pool: str | None) -> tuple[int, bytes] | None:
        """Returns the newest head with its message; None if no event (of the pool) was recorded after a position."""
        with self._lock:
            head = self._head
            if head is None or head.position <= after:
                return None
            if pool is not None and after >= self._changed.get(pool, self._began):
                return None
            key = pool or ""
            if key not in self._messages:
                latest = [name for name, position in self._changed.items() if position == head.position]
                self._messages[key] = _message(head, sorted(latest) if pool is None else [pool], self._accepted)
            return head.position, self._messages[key]

    def listen(self, engine: Engine) -> None:
        """Reads the head of the log for the first stream."""
        with self._lock:
            if self._head is None:
                self._head = engine.log.head
                self._began = self._head.position
        self.start()

    def join(self, stream: "Stream") -> None:
        """Adds a stream.

        Raises
        ------
        Busy
            If there are too many streams.
        TooOften
            If the caller has too many streams.
        """
        if len(self.streams) >= self._settings.streams:
            raise Busy()
        if sum(one.caller == stream.caller for one in self.streams) >= self._settings.streams_each:
            raise TooOften(BEAT)
        self.streams.add(stream)
        self._called.set()

    def end_streams(self) -> None:
        """Ends the streams, and refuses new ones."""
        self.closed = True
        self._called.set()
        self.wake()

    def close(self) -> None:
        """Ends the streams, and the waiting thread."""
        self.end_streams()
        if self._thread is not None:
            self._thread.join(2 * ASK)

    def _wait(self) -> None:
        while not self.closed:
            try:
                engine = self._desk.engine
                with listening(engine.log):
                    while not self.closed:
                        self._follow(engine)
            except RatingCoreError:  # the database server may be away for a while
                self._desk.heard = None
                time.sleep(ASK)

    def _follow(self, engine: Engine) -> None:
        """Announces the next head, if it comes in time, and handles erasures by other processes."""
        head, heard = self._next(engine), self._desk.heard
        known = head is not None and heard is not None and heard.position >= head.position  # this process appended it
        if self._hear(engine, heard if known else None).erasures != self.erasures:
            self._forget()
        if head is not None:
            self._announce(engine, head)

    def _next(self, engine: Engine) -> Head | None:
        """Returns the next head if it comes within `ASK` seconds; a file is not polled while nobody listens."""
        if self.streams or not self._desk.in_file:
            newest = self._head or self._desk.heard or engine.log.head
            return engine.log.wait(newest.position, ASK)
        self._called.wait(ASK)
        self._called.clear()
        return None

    def _hear(self, engine: Engine, stamp: Stamp | None = None) -> Stamp:
        """Returns the stamp of the log; for a database, the desk gets it too, so that requests need not query it."""
        stamp = engine.log.look().stamp if stamp is None else stamp
        if not self._desk.in_file:
            with self._lock:
                heard = self._desk.heard
                if heard is None or (stamp.position, stamp.erasures) > (heard.position, heard.erasures):
                    self._desk.heard = stamp  # never backwards: another thread may have read later and finished earlier
        return stamp

    def _announce(self, engine: Engine, head: Head) -> None:
        with self._lock:
            before = self._head
            if before is None or head.position <= before.position:  # nobody listens yet, or this head was announced
                return
        pools = pools_of(engine, before.position, head.position)
        with self._lock:
            if self._head is None or head.position > self._head.position:
                self._changed |= dict.fromkeys(pools, head.position)
                self._accepted, self._head = head.position - before.position, head
                self._messages.clear()
        self.wake()

    def wake(self) -> None:
        """Wakes the streams, with one call per event loop."""
        loops: dict[asyncio.AbstractEventLoop, list[Stream]] = {}
        for stream in list(self.streams):
            loops.setdefault(stream.loop, []).append(stream)
        for loop, mine in loops.items():
            with contextlib.suppress(RuntimeError):  # its event loop has ended
                loop.call_soon_threadsafe(_ring, mine)


class Stream(StreamingResponse):
    """A response of type `text/event-stream` that announces new heads without their events.

    A slow reader gets the newest head, not all of them.

    Parameters
    ----------
    head_watch : HeadWatch
    after : int
        The last position that the reader has seen; a head beyond it is announced at once.
    restored : Head or None
        The head of the log if it does not have what the reader has seen; None if it does.
    pool : str or None
        The only pool to announce.
    caller : str
        The listener.
    """

    def __init__(self, head_watch: HeadWatch, after: int, pool: str | None, caller: str, restored: Head | None) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(self._parts(restored), 200, headers, "text/event-stream")
        self.loop, self.caller = asyncio.get_running_loop(), caller
        self.head_watch, self._after, self._pool, self._erasures = head_watch, after, pool, head_watch.erasures
        self.woken, self._ended = asyncio.Event(), False
        head_watch.join(self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._ended = scope["method"] == "HEAD"
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.head_watch.streams.discard(self)

    async def _parts(self, restored: Head | None) -> AsyncIterator[bytes]:
        yield b"retry: 3000\n\n"
        if restored is not None:
            yield _message(restored, [], 0, "restored")
        while not (self._ended or self.head_watch.closed):
            news = self.head_watch.news(self._after, self._pool)
            if news is not None:
                self._after, body = news
                yield body
            if self._erasures != self.head_watch.erasures:
                self._erasures = self.head_watch.erasures
                yield b'event: erased\ndata: {"erasures":%d}\n\n' % (self._erasures or 0)
            try:
                async with asyncio.timeout(BEAT):
                    await self.woken.wait()
            except TimeoutError:
                yield b": still here\n\n"
            self.woken.clear()


def _ring(streams: Iterable[Stream]) -> None:
    for stream in streams:
        stream.woken.set()


def _message(head: Head, pools: list[str], accepted: int, event: str = "head") -> bytes:
    news = msgspec.json.encode(News(head=str(head), pools=pools, accepted=accepted))
    return f"id: {head}\nevent: {event}\ndata: ".encode() + news + b"\n\n"


def pools_of(engine: Engine, after: int, to: int) -> Iterable[str]:
    """Returns the pools of events and their boards; all pools if there are many events, or one belongs to no pool."""
    if to - after > FEW:
        return engine.pools()
    rows = list(engine.log.rows(after, to))
    while missing := [row.ref for row in rows if row.pool is None and row.ref is not None]:
        rows = [row for row in rows if row.pool is not None or row.ref is None] + list(engine.log.rows_at(missing))
    if any(row.pool is None for row in rows):
        return engine.pools()
    pools = {engine.log.book.key(row.pool) for row in rows if row.pool is not None}
    return pools | {board for board, of in boards(engine.log, to).items() if of in pools}


class ChangesQuery(Query, kw_only=True):
    """Query of a stream: the point where it begins, and its pool; a reader who reconnects sends `Last-Event-ID`."""

    after: Seen | None = None
    pool: Name | None = None


async def changes(asked: Asked) -> Stream:
    """Streams every new head of the log as a server-sent event."""
    query, service = asked.query, asked.service
    if service.settings.private and asked.caller.pools:
        check_whole_log(asked.caller) if query.pool is None else check_pools(asked.caller, [query.pool])
    seen = asked.headers.get("last-event-id") or query.after
    if query.pool is not None:
        await service.desk.ask(lambda engine: engine.log.book.number("pool", query.pool))
    await service.desk.ask(service.head_watch.listen, "listen")
    now = await service.desk.stamp()
    last = now.position if seen is None else await service.desk.ask(lambda engine: _position(engine, seen))
    restored = Head(now.position, now.digest) if last is None else None
    return Stream(service.head_watch, now.position if last is None else last, query.pool, asked.pays, restored)


def _position(engine: Engine, seen: str) -> int | None:
    """Returns the position that a reader has seen last; None if the log does not have it.

    Only heads at the end of a batch are looked up, since streams announce no others.
    """
    if not re.fullmatch(SEEN, seen):
        return None
    number, _, digest = seen.partition(":")
    position, log = int(number), engine.log
    heads = {0: EMPTY.digest} | {one.last: one.digest for one in islice(log.batches(max(0, position - 1)), 1)}
    known = position <= log.head.position and heads.get(position, "").startswith(digest.lower())
    return position if known else None


ROUTES = (Route("GET", "/api/v1/changes", changes, EVENTS, ChangesQuery, units=0.1, errors=(404,), own_pools=True),)
