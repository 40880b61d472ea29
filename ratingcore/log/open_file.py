"""The file of an open log, watched for another one that takes its place."""

import os
from pathlib import Path

from ratingcore.errors import LogUnavailable


class OpenFile:
    """The file that stood at the path of a log when it was opened.

    A file that is moved away, deleted or replaced stays readable for whoever has it open, but what they write to it is
    lost. SQLite does not notice, so this does.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()  # the process may change its folder
        self._ahead = self._path.with_name(path.name + "-wal")
        self._seen = _state(self._path)
        self._which_ahead = _state(self._ahead)[:2]

    def rewritten(self) -> bool:
        """Whether somebody has written the file since the last look, be it SQLite itself.

        Raises
        ------
        LogUnavailable
            If another file stands at the path, or none.
        """
        before, self._seen = self._seen, _state(self._path)
        replaced = self._seen[:2] != before[:2]
        if replaced or (self._which_ahead and _state(self._ahead)[:2] != self._which_ahead):
            self._seen = before
            raise LogUnavailable(
                str(self._path),
                "its file was replaced or taken away while it was open",
                "open it again: it may hold another history now",
            )
        return self._seen != before


def _state(path: Path) -> tuple[int, ...]:
    """Device and inode of a file, and what changes when it is written; nothing if there is none."""
    try:
        stat = os.stat(path)
    except OSError:
        return ()
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
