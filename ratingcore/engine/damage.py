"""Finds out whether an error of Python was caused by a damaged log: by rows with values that no event has."""

import sys
from types import TracebackType

from ratingcore.errors import LogError
from ratingcore.log import Log, verify
from ratingcore.log.validation import UNREADABLE


def damage_of(log: Log, error: BaseException) -> LogError | None:
    """Returns the error that `verify` raises, if damaged rows may have caused an error; None if the log is sound."""
    if not isinstance(error, UNREADABLE) or not _of_rows(error):
        return None
    try:
        verify(log)
    except LogError as found:
        return found
    return None


_ROWS = (
    "ratingcore.columns", "ratingcore.corrections", "ratingcore.erasure", "ratingcore.events",
    "ratingcore.lists.published", "ratingcore.log", "ratingcore.plans.concerns", "ratingcore.replay.declared",
)  # fmt: skip
"""Modules that turn rows into events, columns and names; other modules trust these values."""

_DECODED = "ratingcore.corrections", "ratingcore.events"
"""Modules that look up values of rows by index; an `IndexError` anywhere else is a bug."""


def _of_rows(error: BaseException) -> bool:
    """True if an error was raised where rows are read, and not in foreign code, such as a user's function.

    Errors from anywhere else are bugs, which must show at once: verifying a log of millions of events takes minutes.
    """
    module = ""
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        here = str(trace.tb_frame.f_globals.get("__name__"))
        top = here.partition(".")[0]
        if top.startswith("ratingcore"):
            module = here
        elif top != "numpy" and top not in sys.stdlib_module_names:
            return False
        trace = trace.tb_next
    return module.startswith(_DECODED if isinstance(error, IndexError) else _ROWS)
