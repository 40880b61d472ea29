"""Processes beside the server that answer long questions, and that are ended once nobody waits for the answer.

Such a process is the same application without a server. It answers one question at a time, about any log of the
service, and ends by itself after a while without questions, which gives its memory back.
"""

import pickle
import subprocess
import threading
from contextlib import suppress
from typing import NamedTuple

from attrs import define, evolve

from ratingcore_service import bounded_process
from ratingcore_service.bounded_process import Bounds, spent
from ratingcore_service.problems import GivenUp
from ratingcore_service.settings import Settings


class Wanted(NamedTuple):
    """A question for a process: its request, the mount point of the application, and whether the caller is trusted."""

    log: str
    """Address of the log for another process."""
    method: str
    path: str
    query: bytes
    body: bytes
    root: str
    trusted: bool
    """True if the caller has a token."""


class Made(NamedTuple):
    """An answer, and its CPU time in seconds."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    seconds: float


@define(eq=False)
class Ticket:
    """The place of a question in the queue for the processes, which can be given up."""

    seconds: float = 0.0
    """CPU time in seconds."""
    process: "subprocess.Popen[bytes] | None" = None
    ended: bool = False

    def end(self) -> None:
        """Ends the process that works on it."""
        self.ended = True
        if self.process is not None:
            self.process.kill()


class ProcessPool:
    """Processes that answer long questions.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = evolve(settings, read_only=True)
        self._lock = threading.Lock()
        self._idle: list[subprocess.Popen[bytes]] = []
        self._working: set[Ticket] = set()

    def answer(self, wanted: Wanted, ticket: Ticket) -> Made:
        """Returns the answer of a process; blocks the thread.

        Raises
        ------
        GivenUp
            If the process was ended.
        """
        with self._lock:
            self._working.add(ticket)
            idle = self._idle.pop() if self._idle else None
        try:
            for known in (idle, None):  # the idle one may have ended by itself
                if ticket.ended:
                    break
                process = ticket.process = known or self._started()
                before = spent(process.pid)
                if not ticket.ended:
                    with suppress(OSError, EOFError, pickle.UnpicklingError):
                        made = _asked(process, wanted)
                        ticket.seconds = made.seconds
                        with self._lock:
                            self._idle.append(process)
                        return made
                ticket.seconds += spent(process.pid) - before
                bounded_process.end(process)
            raise GivenUp()
        finally:
            with self._lock:
                self._working.discard(ticket)

    def _started(self) -> "subprocess.Popen[bytes]":
        chosen = self._settings
        bounds = Bounds(chosen.job_memory, chosen.job_seconds, chosen.unpacked_bytes)
        words = ["-m", "ratingcore_service.question_process"]
        process = bounded_process.start(words, bounds, stdout=subprocess.PIPE)
        assert process.stdin is not None
        with suppress(OSError):  # the process has ended, which the caller will notice
            pickle.dump(chosen, process.stdin)
        return process

    def end(self) -> None:
        """Ends all processes: they may know erased names, or the service ends."""
        with self._lock:
            idle, self._idle = self._idle, []
            working = list(self._working)
        for ticket in working:
            ticket.end()
        for process in idle:
            bounded_process.end(process)


def _asked(process: "subprocess.Popen[bytes]", wanted: Wanted) -> Made:
    assert process.stdin is not None
    assert process.stdout is not None
    pickle.dump(wanted, process.stdin)
    process.stdin.flush()
    made: Made = pickle.load(process.stdout)
    return made
