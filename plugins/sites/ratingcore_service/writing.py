"""One thread that appends: requests that wait are recorded together, each of them undone alone if it is refused."""

import asyncio
import hashlib
import json
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from attrs import frozen

from ratingcore import Engine, Event, Head
from ratingcore.errors import LogUnavailable, RatingCoreError
from ratingcore_service.desk import Desk
from ratingcore_service.problems import Busy, HeadNeeded, TooSlow
from ratingcore_service.routing import Asked
from ratingcore_service.settings import Settings

T = TypeVar("T")

TOGETHER = 64
"""Requests in one transaction at most."""


@frozen(eq=False)
class _Request:
    append: Callable[[Engine], Any]
    done: "Future[Any]"


class Writer:
    """Appends what requests bring to a log, in the order in which they come.

    Parameters
    ----------
    desk : Desk
    settings : Settings
    wrote : callable
        Called in the writing thread after each transaction, before its requests are answered.
    """

    def __init__(self, desk: Desk, settings: Settings, wrote: Callable[[Engine], None]) -> None:
        self._desk, self._settings, self._wrote = desk, settings, wrote
        self._thread = ThreadPoolExecutor(1, "writer")
        self._waiting: deque[_Request] = deque()

    @property
    def waiting(self) -> int:
        """Requests that have not been taken up."""
        return len(self._waiting)

    async def record(self, append: Callable[[Engine], T]) -> T:
        """What an append gives, in a transaction that it shares with the other requests that wait.

        It may be called a second time, where the first was undone through no fault of its own.

        Raises
        ------
        Busy
            If too many requests wait.
        TooSlow
            If it takes longer than a client waits. It is done nevertheless.
        """
        if len(self._waiting) >= self._settings.waiting:
            raise Busy()
        request = _Request(append, Future())
        self._waiting.append(request)
        self._thread.submit(self._take)  # one for each: the first takes all that wait, the others find none
        outcome: T = await self._answer(request)
        return outcome

    async def alone(self, append: Callable[[Engine], T]) -> T:
        """What a call gives that opens transactions of its own, as an import or an erasure does."""
        request = _Request(append, Future())
        self._thread.submit(self._settle, [request], lambda requests: [_outcome(self._desk.engine, append)])
        outcome: T = await self._answer(request)
        return outcome

    async def _answer(self, request: _Request) -> Any:
        coming = asyncio.wrap_future(request.done)
        coming.add_done_callback(_looked_at)
        try:
            return await asyncio.wait_for(asyncio.shield(coming), self._settings.seconds)
        except TimeoutError:
            raise TooSlow(self._settings.seconds) from None

    def _take(self) -> None:
        requests = [self._waiting.popleft() for _ in range(min(len(self._waiting), TOGETHER))]
        if requests:
            self._settle(requests, self._append)

    def _settle(self, requests: list[_Request], append: Callable[[list[_Request]], Sequence[Any]]) -> None:
        """Answers requests once what they brought is in the log."""
        requests = [request for request in requests if request.done.set_running_or_notify_cancel()]
        try:
            outcomes = append(requests)
            self._wrote(self._desk.engine)
        except Exception as error:
            outcomes = [error] * len(requests)
        for request, outcome in zip(requests, outcomes, strict=True):
            if isinstance(outcome, Exception):
                request.done.set_exception(outcome)
            else:
                request.done.set_result(outcome)

    def _append(self, requests: list[_Request]) -> list[Any]:
        engine = self._desk.engine
        try:
            return _together(engine, requests)
        except Exception:  # all of it is undone: one may be to blame, so each has a transaction of its own
            return [_outcome(engine, request.append) for request in requests]

    def close(self) -> None:
        """Waits until all that was asked is recorded."""
        self._thread.shutdown(wait=True)


def _looked_at(coming: "asyncio.Future[Any]") -> None:
    """Takes note of what was raised where nobody waits for it any more."""
    if not coming.cancelled():
        coming.exception()


def _together(engine: Engine, requests: Sequence[_Request]) -> list[Any]:
    """What the appends of one transaction give; a refused one touches no other."""
    outcomes: list[Any] = []
    with engine.log.writing():
        for request in requests:
            try:
                with engine.log.writing():
                    outcomes.append(request.append(engine))
            except LogUnavailable:
                raise
            except RatingCoreError as refused:
                outcomes.append(refused)
    return outcomes


def _outcome(engine: Engine, append: Callable[[Engine], Any]) -> Any:
    try:
        return append(engine)
    except Exception as error:
        return error


def expected(asked: Asked) -> Head | None:
    """The head on which a request was decided, as `If-Match` names it; None if it names none.

    Raises
    ------
    HeadNeeded
        If the route needs one.
    BadCut
        If it is no head.
    """
    given = asked.headers.get("if-match", "").strip()
    if given:
        return Head.parse(given.removeprefix('"').removesuffix('"'))
    if asked.route.head:
        raise HeadNeeded()
    return None


def own_uid(engine: Engine, asked: Asked, place: int) -> str | None:
    """The uid of an event that came without one: the same when the request is sent again; None without a key."""
    key = asked.headers.get("idempotency-key", "")
    if not key:
        return None
    text = json.dumps([engine.log.key, asked.caller.id or asked.caller.name, key, place])
    return f"i-{hashlib.sha256(text.encode()).hexdigest()[:32]}"


def unless_recorded(engine: Engine, events: Sequence[Event], head: Head | None) -> Head | None:
    """The head that an append expects: none where the events are in the log, since they were sent before."""
    return None if events and engine.log.find([events[0].uid]) else head
