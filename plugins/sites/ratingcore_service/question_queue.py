"""The queue of public questions: each caller has two at a time, and is charged for their CPU time afterwards.

Short questions run in reading threads, long ones in processes; a question that nobody waits for leaves the queue, and
its process is ended. Remembered answers, `/ready` and the actions of officers bypass it.
"""

import asyncio
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from attrs import define, field

from ratingcore_service.problems import Busy, GivenUp, TooOften, TooSlow
from ratingcore_service.process_pool import Made, ProcessPool, Ticket, Wanted
from ratingcore_service.rates import Rates
from ratingcore_service.settings import Settings

AT_ONCE = 2
"""Number of questions of one caller answered at the same time."""
KINDS = 1000
"""Number of kinds of questions whose prices are known."""


@define(eq=False, kw_only=True)
class Flight(Ticket):
    """A question in progress or waiting, shared by its callers."""

    caller: str
    kind: Hashable
    long: bool
    """Whether a process answers it."""
    waiting: int = 0
    """Number of callers that wait for its answer."""
    job: "Future[Any] | None" = None
    task: "asyncio.Task[Any] | None" = field(default=None, repr=False)

    def leave(self) -> None:
        """Removes a caller. Once nobody is left, the question is cancelled, except in a thread that has started."""
        self.waiting -= 1
        if self.waiting or self.task is None or self.task.done():
            return
        if self.job is None or self.job.cancel():
            self.task.cancel()
        elif self.long:
            self.end()


class Queue:
    """Queues the questions of an event loop.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.prices = Rates(settings.cpu_rate, settings.cpu_burst)
        """Debts of callers, in seconds of CPU."""
        self._costs: dict[Hashable, float] = {}
        """CPU seconds of the costliest recent question, by kind."""
        self._threads = ThreadPoolExecutor(settings.readers, "reader")
        self._waiters = ThreadPoolExecutor(settings.readers, "process")
        self.processes = ProcessPool(settings)
        """The processes for long questions."""
        self._flights: dict[Hashable, Flight] = {}
        self._turns: dict[str, tuple[asyncio.Semaphore, int]] = {}
        """By caller, the semaphore for their questions, and how many they have."""
        self.waiting = 0
        """Number of questions in progress or waiting."""

    async def answer(
        self,
        caller: str,
        question: Callable[[], Any] | Wanted,
        key: Hashable = None,
        pack: Callable[[Made], Any] = lambda made: made,
        keep: Callable[[Any], Any] = lambda made: made,
        gone: "asyncio.Task[None] | None" = None,
        kind: Hashable = None,
    ) -> Any:
        """Returns the answer to a question.

        Parameters
        ----------
        caller : str
            Who pays for it.
        question : callable, or Wanted
            A function, for a short question in a thread; a `Wanted` for a long one in a process.
        key : hashable
            Concurrent callers with the same key share one answer; None shares nothing.
        pack : callable
            Turns the answer of a process into the result; called in a thread.
        keep : callable
            Turns the result into the answer; called once, even if nobody waits any more.
        gone : task or None
            Done when the client has disconnected.
        kind : hashable
            Questions of the same kind cost about the same; see `is_dear`.

        Raises
        ------
        Busy
            If too many questions wait.
        TooOften
            If the caller has used up their CPU time, or has too many waiting questions.
        TooSlow
            If a short question takes longer than the time limit. Its work goes on; the next of its kind goes to a
            process.
        GivenUp
            If a long question takes longer than the time limit; it is ended if nobody else waits for it.
        """
        flight = None if key is None else self._flights.get(key)
        if flight is None:
            flight = Flight(caller=caller, kind=kind, long=isinstance(question, Wanted))
            self._begin(flight, question, key, pack, keep)
        assert flight.task is not None
        flight.waiting += 1
        try:
            both = {flight.task} if gone is None else {flight.task, gone}
            await asyncio.wait(both, timeout=self._settings.seconds, return_when=asyncio.FIRST_COMPLETED)
            if flight.task.done() and not flight.task.cancelled():
                return flight.task.result()
            raise TooSlow(self._settings.seconds) if not flight.long else GivenUp()
        finally:
            flight.leave()

    def _begin(
        self, flight: Flight, question: Callable[[], Any] | Wanted, key: Hashable, pack: Callable[[Made], Any],
        keep: Callable[[Any], Any],
    ) -> None:  # fmt: skip
        caller = flight.caller
        turn, count = self._turns.get(caller) or (asyncio.Semaphore(AT_ONCE), 0)
        seconds = self.prices.short(caller, 0.0)
        if seconds or count >= max(AT_ONCE, self._settings.waiting // 4):
            raise TooOften(seconds or 1.0)
        if self.waiting >= self._settings.waiting + self._settings.readers:
            raise Busy()
        self._turns[caller] = turn, count + 1
        self.waiting += 1
        flight.task = asyncio.create_task(self._work(flight, turn, question, pack, keep))
        if key is not None:
            self._flights[key] = flight

        def landed(task: "asyncio.Task[Any]") -> None:
            self.waiting -= 1
            turn, count = self._turns.pop(caller)
            if count > 1:
                self._turns[caller] = turn, count - 1
            self._flights.pop(key, None)
            self.prices.charge(caller, min(flight.seconds, self._settings.seconds))
            self._note(flight)
            if not task.cancelled():
                task.exception()  # marks the error as retrieved, in case nobody waits any more

        flight.task.add_done_callback(landed)

    def is_dear(self, kind: Hashable) -> bool:
        """True if questions of a kind recently took too long for a thread, which cannot be ended."""
        return self._costs.get(kind, 0.0) > self._settings.short_seconds

    def _note(self, flight: Flight) -> None:
        """Records the cost of a question; the cost of its kind falls by half at most, whatever a cheap one took."""
        before = self._costs.pop(flight.kind, 0.0)
        self._costs[flight.kind] = max(flight.seconds, before / 2)
        while len(self._costs) > KINDS:
            del self._costs[next(iter(self._costs))]

    async def _work(
        self, flight: Flight, turn: asyncio.Semaphore, question: Callable[[], Any] | Wanted,
        pack: Callable[[Made], Any], keep: Callable[[Any], Any],
    ) -> Any:  # fmt: skip
        async with turn:
            threads = self._waiters if flight.long else self._threads
            flight.job = threads.submit(self._asked, flight, question, pack)
            return keep(await asyncio.wrap_future(flight.job))

    def _asked(self, flight: Flight, question: Callable[[], Any] | Wanted, pack: Callable[[Made], Any]) -> Any:
        if isinstance(question, Wanted):
            return pack(self.processes.answer(question, flight))
        began = time.thread_time()
        try:
            return question()
        finally:
            flight.seconds = time.thread_time() - began

    def forget(self) -> None:
        """Ends the processes, whose memory may hold an erased name."""
        self.processes.end()

    def close(self) -> None:
        """Ends the processes, and waits for the threads."""
        self.forget()
        for pool in (self._threads, self._waiters):
            pool.shutdown(wait=True, cancel_futures=True)
