"""The file of an open log, watched for another file or another history that takes its place."""

import os
from pathlib import Path

from ratingcore.errors import LogUnavailable
from ratingcore.log.facts import EMPTY, Head
from ratingcore.log.look import see_same_history


class OpenFile:
    """The file that stood at the path of a log when it was opened.

    A file that is moved away, deleted or replaced stays readable for whoever has it open, but what they write to it is
    lost. SQLite does not notice, so this does.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()  # the process may change its folder
        self._ahead = self._path.with_name(path.name + "-wal")
        self._which = _state(self._path)[:2]
        self._which_ahead = _state(self._ahead)[:2]
        self.held = EMPTY
        """The newest head that was seen: as long as the log is open, it stays a part of the history."""

    def reopened(self) -> None:
        """Takes note that the file was closed and is open again: SQLite then makes another write-ahead log."""
        self._which_ahead = _state(self._ahead)[:2]

    def state(self) -> tuple[int, ...]:
        """What changes when somebody writes the file, be it SQLite itself.

        Raises
        ------
        LogUnavailable
            If another file stands at the path, or none.
        """
        state = _state(self._path)
        if state[:2] != self._which or (self._which_ahead and _state(self._ahead)[:2] != self._which_ahead):
            raise LogUnavailable(
                str(self._path),
                "its file was replaced or taken away while it was open",
                "open it again: it may hold another history now",
            )
        return state

    def continues(self, held: Head, there: str | None, head: Head) -> None:
        """As `see_same_history`; from here on the new head is held, which can no longer be undone."""
        see_same_history(str(self._path), held, there, head)
        self.held = head


def _state(path: Path) -> tuple[int, ...]:
    """Device and inode of a file, and what changes when it is written; nothing if there is none."""
    try:
        stat = os.stat(path)
    except OSError:
        return ()
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
