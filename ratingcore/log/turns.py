"""Turns of writers: threads get them in the order in which they asked."""

import threading
from collections import deque


class Turns:
    """A lock that threads get in the order in which they asked for it, so that nobody waits for ever.

    `threading.Lock` gives no order, and SQLite's own waiting lets the one who asked last go first.

    Examples
    --------
    >>> turns = Turns()
    >>> turns.take(1.0), turns.take(0.01)
    (True, False)
    >>> turns.give()
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken = False
        self._waiting: deque[threading.Lock] = deque()

    def take(self, seconds: float) -> bool:
        """Waits for the turn, up to some seconds; whether it came."""
        with self._lock:
            if not self._taken:
                self._taken = True
                return True
            mine = threading.Lock()
            mine.acquire()
            self._waiting.append(mine)
        try:
            if mine.acquire(timeout=max(seconds, 0.0)):
                return True
        except BaseException:  # Ctrl-C: a turn given to a thread that has stopped waiting would never be released
            if not self._left(mine):
                self.give()
            raise
        return not self._left(mine)  # the turn may have come in the very moment in which the time was up

    def _left(self, mine: threading.Lock) -> bool:
        """Stops waiting; returns whether the turn had not come."""
        with self._lock:
            if mine in self._waiting:
                self._waiting.remove(mine)
                return True
            return False

    def give(self) -> None:
        """Gives the turn to the thread that has waited longest; any thread may call it."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False
