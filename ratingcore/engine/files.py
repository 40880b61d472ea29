"""The log as files: backups, exports, and logs loaded from them."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from ratingcore.engine.core import Part
from ratingcore.log import Verified, export_lines, load_lines


class Files(Part):
    """The log written to files, and loaded from them."""

    def backup(self, path: str | Path) -> None:
        """Copies the log to a new file, whole and consistent, while others may be writing.

        Parameters
        ----------
        path : path
            A new file, or an older backup.

        Returns
        -------
        None

        Raises
        ------
        LogUnavailable
            If the log is in memory, or the file cannot be written.
        NotALog
            If the file is something else.

        Examples
        --------
        >>> import tempfile, ratingcore as rc
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with rc.open(Path(folder, "club.db")) as engine:
        ...         engine.backup(Path(folder, "copy.db"))
        ...         head = engine.log.head
        ...     with rc.open(Path(folder, "copy.db"), read_only=True) as copy:
        ...         copy.log.head == head
        True
        """
        self.core.log.backup(path)

    def export(self) -> Iterator[str]:
        """Iterates over the log as lines of JSON, from which `load` makes it again with every digest the same.

        Returns
        -------
        iterator of str

        Raises
        ------
        OnlySupposed
            If the engine is a what-if.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> copy = rc.open(":memory:")
        >>> copy.load(engine.export()).head == receipt.head
        True
        """
        return export_lines(self.core.log)

    def load(self, lines: Iterable[str]) -> Verified:
        """Loads an export into this log, which must be empty, checking every digest, and every line as an append would.

        Parameters
        ----------
        lines : iterable of str
            What `export` gave.

        Returns
        -------
        Verified

        Raises
        ------
        BadTransfer
            If the log is not empty, or a line is none of an export, or holds what no append would have written.
        BrokenChain
            If the digests do not follow from the rows.

        Examples
        --------
        >>> import ratingcore as rc
        >>> with rc.open(":memory:") as engine:
        ...     engine.load(["{}"])
        Traceback (most recent call last):
        ratingcore.errors.log.BadTransfer: ...
        """
        return load_lines(self.core.log, lines)
