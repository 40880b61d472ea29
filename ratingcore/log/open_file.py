"""The file of an open log, watched for another file or another history that takes its place."""

import os
from collections.abc import Callable
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
        self._seen = _state(self._path)
        self._which_ahead = _state(self._ahead)[:2]
        self.held = EMPTY
        """The newest head that was seen: as long as the log is open, it stays a part of the history."""

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

    def continues(self, head: Head, digest_of_batch: Callable[[int], str], *, settled: bool) -> None:
        """Sees whether the history still goes on from the head that is held, which becomes the new one once settled.

        Parameters
        ----------
        head : Head
        digest_of_batch : callable
            Gives the digest of the batch that ends at a position, or an empty text.
        settled : bool
            Whether the head can no longer be undone.

        Raises
        ------
        LogUnavailable
            If the held head is no part of the history: the log went back, or went another way.
        """
        held = self.held
        if head == held:
            return
        if held != EMPTY and digest_of_batch(held.position) != held.digest:
            raise LogUnavailable(
                str(self._path),
                f"another history took its place while it was open: it was at {held}, and now ends at {head}",
                "open it again to read what is there now; ratingcore verify --anchor shows what is as before",
            )
        if settled:
            self.held = head


def _state(path: Path) -> tuple[int, ...]:
    """Device and inode of a file, and what changes when it is written; nothing if there is none."""
    try:
        stat = os.stat(path)
    except OSError:
        return ()
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
