"""The log as files: backups, exports, and logs loaded from them."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from ratingcore.engine.core import Part
from ratingcore.lists.published import uid_of
from ratingcore.log import Verified, export_lines, load_lines
from ratingcore.log.export import Renewal


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

    def renewal(self) -> Renewal:
        """Iterates over the log made anew, as lines of JSON: under another key, with no uid that was made of names.

        `load` makes a log of them that gives every list to the last digit. Positions, names, corrections and seals of
        published lists stay; digests change. `docs/feeds_tables_erasure.md` says what else refers to the old log.

        Returns
        -------
        Renewal
            Iterable of str, once; then its `uids` holds the new uid of every event that has another one, by the old.

        Raises
        ------
        BrokenChain, UnsoundLog
            If the log does not verify.
        OnlySupposed
            If the engine is a what-if.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> fresh = rc.open(":memory:")
        >>> fresh.load(engine.renewal()).head == receipt.head
        False
        >>> fresh.rating_list("rapid", "elo").digest == engine.rating_list("rapid", "elo").digest
        True
        """
        return Renewal(self.core.log, uid_of)

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
