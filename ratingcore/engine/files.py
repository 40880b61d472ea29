"""Files that come in and go out: results, seeds, backups, exports."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from ratingcore.engine.core import Part
from ratingcore.errors import BadFile
from ratingcore.events import When
from ratingcore.lists.published import uid_of
from ratingcore.log import Verified, export_lines, load_lines
from ratingcore.log.renewal import Renewal

if TYPE_CHECKING:
    from ratingcore.archives import FieldMap
    from ratingcore.importer import ImportReport, Options


class Files(Part):
    """Files read into the log, and the log written to files."""

    def import_results(
        self, path: str | Path, pool: str | None = None, fields: "FieldMap | None" = None, **options: "Unpack[Options]"
    ) -> "ImportReport":
        """Appends the games in a file; `ratingcore.archives.read_results` says what files it reads.

        Parameters
        ----------
        path : path
        pool : str or None
            Where the games belong; None for the pool that each row names.
        fields : FieldMap or None
            Which column holds what; None to go by the headings.
        dry_run : bool
            Say what would happen; write nothing.
        strict : bool
            All rows or none.
        progress : callable
            Called with the number of rows read, now and then.

        Returns
        -------
        ImportReport

        Raises
        ------
        ArchiveError, LogError

        Examples
        --------
        >>> import tempfile, ratingcore as rc
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "games.csv")
        ...     _ = file.write_text("played,a,b,score\\n2024-03-02,ann,bo,1-0\\n2024-03-09,bo,ann,1/2\\n")
        ...     with rc.open(":memory:") as engine:
        ...         engine.import_results(file, pool="rapid").accepted
        2
        """
        from ratingcore.archives import read_results  # readers of files are not there for lists
        from ratingcore.importer import import_lines

        lines = partial(read_results, path, pool=pool, fields=fields)
        return import_lines(self.core.log, path, lines, **options)

    def import_seeds(
        self,
        path: str | Path,
        pool: str | None = None,
        fields: "FieldMap | None" = None,
        at: When | None = None,
        **options: "Unpack[Options]",
    ) -> "ImportReport":
        """Appends the seeds in a file, at their own times or all at one.

        Parameters
        ----------
        path, pool, fields
            As for `import_results`.
        at : str, date, datetime, int or None
            When all of them hold from; None for the time that each row gives.
        **options
            As for `import_results`.

        Returns
        -------
        ImportReport

        Raises
        ------
        ArchiveError, LogError

        Examples
        --------
        >>> import tempfile, ratingcore as rc
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "seeds.csv")
        ...     _ = file.write_text("player,rating\\nann,1650\\n")
        ...     with rc.open(":memory:") as engine:
        ...         engine.import_seeds(file, pool="rapid", at="2024-01-01").accepted
        1
        """
        from ratingcore.archives import read_seeds  # as above
        from ratingcore.importer import import_lines

        lines = partial(read_seeds, path, pool=pool, fields=fields, at=at)
        return import_lines(self.core.log, path, lines, **options)

    def import_foreign(
        self, path: str | Path, reader: str, pool: str | None = None, *, dry_run: bool = False
    ) -> "ImportReport":
        """Appends the events that a plugin's reader makes of a file; of a file issued again, only what changed.

        Parameters
        ----------
        path : path
        reader : str
            Name of an installed reader: `usebio`.
        pool : str or None
            Where the events belong; None leaves them where the reader puts them.
        dry_run : bool
            Say what would happen; write nothing.

        Returns
        -------
        ImportReport

        Raises
        ------
        BadFile
            If no reader has this name, or the file is none of its kind.
        ArchiveError, LogError

        Examples
        --------
        >>> import ratingcore as rc
        >>> with rc.open(":memory:") as engine:
        ...     engine.import_foreign("pairs.xml", "bridgemate")
        Traceback (most recent call last):
        ratingcore.errors.archive.BadFile: ... no reader is named bridgemate: installed are ...
        """
        from ratingcore.corrections.foreign import events_of  # as above
        from ratingcore.corrections.resubmission import import_events

        readers = self.core.registry.readers
        if reader not in readers:
            raise BadFile(str(path), f"no reader is named {reader}: installed are {', '.join(readers) or 'none'}")
        read = partial(events_of, reader, readers[reader], path)
        return import_events(self.core.log, path, read, by=f"reader {reader}", pool=pool, dry_run=dry_run)

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
