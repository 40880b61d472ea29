"""The file of an open log, watched for another file or another history that takes its place."""

import os
from pathlib import Path

from ratingcore.errors import LogUnavailable
from ratingcore.log.facts import EMPTY, Head


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
        """Sees whether the history still goes on from a head that was held; from here on the new one is held.

        Parameters
        ----------
        held : Head
            As it was before the log was read.
        there : str or None
            Digest of the batch that ends at the position of that head now, if one does.
        head : Head
            The new one, which can no longer be undone.

        Raises
        ------
        LogUnavailable
            If the head is no part of the history: the log went back, or went another way.
        """
        if held != EMPTY and there != held.digest:
            raise LogUnavailable(
                str(self._path),
                f"another history took its place while it was open: it was at {held}, and now ends at {head}",
                "open it again to read what is there now; ratingcore verify --anchor shows what is as before",
            )
        self.held = head


def _state(path: Path) -> tuple[int, ...]:
    """Device and inode of a file, and what changes when it is written; nothing if there is none."""
    try:
        stat = os.stat(path)
    except OSError:
        return ()
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
