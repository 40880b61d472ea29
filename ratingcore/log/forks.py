"""Forks: whoever holds what must not be open in two processes is told before the process forks, and after it has."""

import os
import threading
from typing import Protocol
from weakref import WeakSet


class Holder(Protocol):
    """Somebody who holds what a child must not have."""

    def before_fork(self) -> None:
        """Lets go of it, and takes nothing new."""

    def after_fork(self, *, child: bool) -> None:
        """Goes on, in the process that forked or in its child."""


# A fork concerns the whole process, and Python forgets no hook of forks: so there is one, which knows all holders.
_HOLDERS: WeakSet[Holder] = WeakSet()
_told: list[Holder] = []
_lock = threading.RLock()
"""Held while the process forks: two threads may fork at once, and others may add holders."""


def watch(holder: Holder) -> None:
    """Tells a holder of forks as long as it lives."""
    with _lock:
        _HOLDERS.add(holder)


def _before() -> None:
    _lock.acquire()
    for holder in list(_HOLDERS):
        holder.before_fork()
        _told.append(holder)


def _after(child: bool) -> None:
    while _told:
        _told.pop().after_fork(child=child)
    _lock.release()


if hasattr(os, "register_at_fork"):  # Windows does not fork
    os.register_at_fork(
        before=_before, after_in_parent=lambda: _after(child=False), after_in_child=lambda: _after(child=True)
    )
