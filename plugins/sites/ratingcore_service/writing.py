"""The thread that appends: it records waiting requests in one transaction, and rolls back only the refused ones."""

import hashlib
import json
import time
from asyncio import wrap_future
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from attrs import field, frozen

from ratingcore import Engine, Event, Head
from ratingcore.errors import BadCut, LogUnavailable, RatingCoreError
from ratingcore.plugin.stores import Stamp
from ratingcore_service.desk import Desk, within
from ratingcore_service.problems import BadQuery, Busy, HeadNeeded
from ratingcore_service.routing import Asked
from ratingcore_service.settings import Settings

T = TypeVar("T")

TOGETHER = 64
"""Largest number of requests in one transaction."""
_Outcomes = tuple[list[Any], Stamp | None]
"""The result or the error of each request, and the stamp of the log after them, if they had one transaction."""


@frozen(eq=False)
class _Request:
    append: Callable[[Engine], Any]
    done: "Future[Any]" = field(factory=Future)


class Writer:
    """Appends the events of requests to a log, in the order in which they come.

    Parameters
    ----------
    desk : Desk
    settings : Settings
    wrote : callable
        Called in the writing thread after each transaction, before its requests are answered, with the new stamp of the
        log, or None if it has to be read.
    took : callable
        Called with the seconds of each transaction.
    """

    def __init__(
        self, desk: Desk, settings: Settings, wrote: Callable[[Engine, Stamp | None], None],
        took: Callable[[float], None],
    ) -> None:  # fmt: skip
        self._desk, self._settings, self._wrote, self._took = desk, settings, wrote, took
        self._thread = ThreadPoolExecutor(1, "writer")
        self._waiting: deque[_Request] = deque()

    @property
    def waiting(self) -> int:
        """Number of requests not started yet."""
        return len(self._waiting)

    async def record(self, append: Callable[[Engine], T]) -> T:
        """Runs a function that appends once, in a transaction shared with other waiting requests; returns its result.

        The function may be called twice, if another request undid the first call.

        Raises
        ------
        Busy
            If too many requests wait.
        TooSlow
            If it takes longer than the time limit; the append is still carried out.
        """
        if len(self._waiting) >= self._settings.waiting:
            raise Busy()
        request = _Request(append)
        self._waiting.append(request)
        self._thread.submit(self._take)
        return await within(self._settings.seconds, wrap_future(request.done))

    async def alone(self, append: Callable[[Engine], T]) -> T:
        """Runs a function that opens its own transactions, such as an import or an erasure; returns its result."""
        request = _Request(append)
        self._thread.submit(self._settle, [request], self._one_by_one)
        return await within(self._settings.seconds, wrap_future(request.done))

    def _take(self) -> None:
        """Records waiting requests, unless an earlier call has taken them all."""
        requests = [self._waiting.popleft() for _ in range(min(len(self._waiting), TOGETHER))]
        if requests:
            self._settle(requests, self._together)

    def _settle(self, requests: list[_Request], append: Callable[[Engine, list[_Request]], _Outcomes]) -> None:
        """Runs requests, then answers them."""
        began = time.perf_counter()
        try:
            outcomes, stamp = append(self._desk.engine, requests)
            self._took(time.perf_counter() - began)
            self._wrote(self._desk.engine, stamp)
        except Exception as error:
            outcomes = [error] * len(requests)
        for request, outcome in zip(requests, outcomes, strict=True):
            if isinstance(outcome, Exception):
                request.done.set_exception(outcome)
            else:
                request.done.set_result(outcome)

    def _together(self, engine: Engine, requests: list[_Request]) -> _Outcomes:
        """Runs requests in one transaction, and adds those that come before it is committed.

        Each has a savepoint, so that a refused one affects no other.
        """
        outcomes: list[Any] = []
        try:
            with engine.log.writing():
                for request in requests:
                    try:
                        outcomes.append(request.append(engine))
                    except LogUnavailable:
                        raise
                    except RatingCoreError as refused:
                        outcomes.append(refused)
                    if self._waiting and len(requests) < TOGETHER:
                        requests.append(self._waiting.popleft())
                return outcomes, engine.log.look().stamp  # which costs nothing here
        except Exception:  # everything is undone; one request may be to blame, so each gets its own transaction
            return self._one_by_one(engine, requests)

    def _one_by_one(self, engine: Engine, requests: list[_Request]) -> _Outcomes:
        outcomes: list[Any] = []
        for request in requests:
            try:
                outcomes.append(request.append(engine))
            except Exception as error:
                outcomes.append(error)
        return outcomes, None

    def close(self) -> None:
        """Waits until all requests are recorded."""
        self._thread.shutdown(wait=True)


def expected(asked: Asked) -> Head | None:
    """Returns the head on which a request was decided, from `If-Match`; None without it.

    Raises
    ------
    HeadNeeded
        If the route requires it.
    BadQuery
        If its value is not a head.
    """
    given = asked.headers.get("if-match")
    if given is not None:
        try:
            return Head.parse(given.strip().removeprefix("W/").removeprefix('"').removesuffix('"'))
        except BadCut:
            raise BadQuery(f"the header If-Match is not a head of the log: {given}", HeadNeeded.advice) from None
    if asked.route.head:
        raise HeadNeeded()
    return None


def own_uid(engine: Engine, asked: Asked, place: int) -> str | None:
    """Returns the uid of an event sent without one, derived from `Idempotency-Key`; None without the key."""
    key = asked.headers.get("idempotency-key")
    if key is None:
        return None
    if not key:
        raise BadQuery("Idempotency-Key is empty")
    text = json.dumps([engine.log.key, asked.caller.account, key, place])
    return f"i-{hashlib.sha256(text.encode()).hexdigest()[:32]}"


def unless_recorded(engine: Engine, events: Sequence[Event], head: Head | None) -> Head | None:
    """Returns the head that an append expects; None if the events were sent before and are in the log already."""
    return None if head is None or (events and engine.log.find([events[0].uid])) else head
