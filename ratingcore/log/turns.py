"""A lock that threads get in the order in which they asked for it."""

import threading
from collections import deque


class Turns:
    """A lock that threads get in the order in which they asked for it, so no thread waits for ever.

    `threading.Lock` guarantees no order, and SQLite's own waiting lets the thread that asked last go first.

    A thread asks with a ticket, which is a lock of its own, and must give the ticket back whether its turn came or
    not: Ctrl-C or another thread may raise an exception at the very moment at which the turn comes.

    Examples
    --------
    >>> turns, mine, other = Turns(), threading.Lock(), threading.Lock()
    >>> turns.take(mine, 1.0), turns.take(other, 0.01)
    (True, False)
    >>> turns.give(mine)
    >>> turns.take(other, 0.01)
    True
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holder: threading.Lock | None = None
        self._waiting: deque[threading.Lock] = deque()

    def take(self, ticket: threading.Lock, seconds: float) -> bool:
        """Waits up to some seconds for the turn of a ticket; returns whether it came."""
        with self._lock:
            if self._holder is None:
                self._holder = ticket
                return True
            ticket.acquire()
            self._waiting.append(ticket)
        if not ticket.acquire(timeout=max(seconds, 0.0)):
            with self._lock:
                if self._holder is not ticket:  # the turn may have come just as the time was up
                    self._waiting.remove(ticket)
                    return False
        return True

    def give(self, ticket: threading.Lock) -> None:
        """Passes the turn to the thread that has waited longest; a ticket that still waits leaves the queue.

        Any thread may call this, and calling it again does nothing.
        """
        with self._lock:
            if self._holder is ticket:
                if self._waiting:
                    self._holder = first = self._waiting[0]
                    del self._waiting[0]
                    first.release()
                else:
                    self._holder = None
            elif ticket in self._waiting:
                self._waiting.remove(ticket)
