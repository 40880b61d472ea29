"""The desk: one engine, opened on first use, and the threads for the service's own questions."""

import asyncio
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import ratingcore as rc
from ratingcore import Engine
from ratingcore.plugin.analysis import file_of
from ratingcore_service.problems import TooSlow
from ratingcore_service.settings import Settings

if TYPE_CHECKING:
    from ratingcore.plugin.stores import Stamp

T = TypeVar("T")

THREADS = 3
"""Number of threads for questions of the service itself and of officers."""


class Desk:
    """Asks an engine questions from an event loop; the engine is opened at the first question.

    Parameters
    ----------
    address : str
        The log.
    settings : Settings
    """

    def __init__(self, address: str, settings: Settings) -> None:
        self.address, self._settings = address, settings
        self._engine: Engine | None = None
        self._opening = threading.Lock()
        self._threads = ThreadPoolExecutor(THREADS, "desk")
        self._flights: dict[Hashable, asyncio.Future[Any]] = {}
        self._turn: Stamp | None = None
        self.heard: Stamp | None = None
        """The stamp of a log in a database, kept by the head watch; None if it is read each time."""

    @property
    def engine(self) -> Engine:
        """The engine, opened on first use."""
        if self._engine is None:
            with self._opening:
                if self._engine is None:
                    self._engine = rc.open(self.address, read_only=self._settings.read_only)
        return self._engine

    @property
    def opened(self) -> Engine | None:
        """The engine, if it was opened."""
        return self._engine

    @cached_property
    def in_file(self) -> bool:
        """True if the log is in a file; reading the stamp of a file takes only microseconds."""
        return file_of(self.engine.log) is not None

    @property
    def log_address(self) -> str:
        """The address of the log for another process, independent of the working directory."""
        path = file_of(self.engine.log)
        return self.address if path is None else str(path.resolve())

    def look(self) -> "Stamp | None":
        """Returns the stamp of the log if it is available without waiting; None if `stamp` has to read it.

        For a file, it is read once for all requests that the event loop answers in the same turn.
        """
        stamp = self.heard or self._turn
        if stamp is None and self._engine is not None and self.in_file:
            stamp = self._turn = self._engine.log.look().stamp
            asyncio.get_running_loop().call_soon(self.forget)
        return stamp

    def forget(self) -> None:
        """Clears the cached stamp, because the turn of the event loop is over or this process has written."""
        self._turn = None

    async def stamp(self) -> "Stamp":
        """Returns the current stamp of the log."""
        stamp = self.look()
        return await self.ask(lambda engine: engine.log.look().stamp) if stamp is None else stamp

    async def ask(self, question: Callable[[Engine], T], key: Hashable = None) -> T:
        """Answers a question of the service itself, or of a caller whose token allows more than reading.

        Public questions go through `ratingcore_service.question_queue` instead, so this one need not wait for them.

        Parameters
        ----------
        question : callable
            Takes the engine.
        key : hashable
            Questions of the same key share one answer while it is being made; None for a separate one.

        Raises
        ------
        TooSlow
            If the answer takes longer than the time limit; it is still computed to the end.
        """
        flight = None if key is None else self._flights.get(key)
        if flight is None:
            flight = asyncio.get_running_loop().run_in_executor(self._threads, lambda: question(self.engine))
            if key is not None:
                self._flights[key] = flight
                flight.add_done_callback(lambda flight: self._flights.pop(key, None))
        return await within(self._settings.seconds, flight)

    def close(self) -> None:
        """Waits for the questions in progress, and closes the log."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        if self._engine is not None:
            self._engine.close()


async def within(seconds: float, flight: "asyncio.Future[T]") -> T:
    """Returns the result of work that goes on even if nobody waits for it any more.

    Raises
    ------
    TooSlow
        If it takes longer than the time limit.
    """
    flight.add_done_callback(lambda flight: flight.cancelled() or flight.exception())  # marks the error as retrieved
    await asyncio.wait([flight], timeout=seconds)
    if not flight.done():
        raise TooSlow(seconds)
    return flight.result()
