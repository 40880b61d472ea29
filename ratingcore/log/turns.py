"""Turns of writers: threads get them in the order in which they asked."""

import threading
from collections import deque


class Turns:
    """A lock that threads get in the order in which they asked for it, so that nobody waits for ever.

    `threading.Lock` gives no order, and SQLite's own waiting lets the one who asked last go first.

    A thread asks with a ticket, a lock of its own, and gives it back in any case, whether its turn came or not: an
    exception that Ctrl-C raises, or another thread injects, may arrive in the very moment in which it comes.

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
        """Waits for the turn, up to some seconds; returns whether it came."""
        with self._lock:
            if self._holder is None:
                self._holder = ticket
                return True
            ticket.acquire()
            self._waiting.append(ticket)
        if not ticket.acquire(timeout=max(seconds, 0.0)):
            with self._lock:
                if self._holder is not ticket:  # it may have come in the very moment in which the time was up
                    self._waiting.remove(ticket)
                    return False
        return True

    def give(self, ticket: threading.Lock) -> None:
        """Gives the turn to the thread that has waited longest; a ticket whose turn has not come waits no longer.

        Any thread may call it, and to call it again does nothing.
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
