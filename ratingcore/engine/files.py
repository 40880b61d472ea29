"""Files that come in and go out: results, seeds, backups, exports."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from ratingcore.engine.core import Base
from ratingcore.errors import BadFile, LogUnavailable
from ratingcore.events import When
from ratingcore.log import SqliteLog, Verified, export_lines, load_lines

if TYPE_CHECKING:
    from ratingcore.archives import FieldMap
    from ratingcore.importer import ImportReport, Options


class Files(Base):
    """Files read into the log, and the log written to files."""

    def import_results(
        self, path: str | Path, pool: str | None = None, fields: "FieldMap | None" = None, **options: "Unpack[Options]"
    ) -> "ImportReport":
        """Append the games in a file; `ratingcore.archives.read_results` says what files it reads.

        Parameters
        ----------
        dry_run : bool
            Say what would happen; write nothing.
        strict : bool
            All rows or none.
        progress : callable
            Told the number of rows read, now and then.
        """
        from ratingcore.archives import read_results  # readers of files are not there for lists
        from ratingcore.importer import import_lines

        lines = partial(read_results, path, pool=pool, fields=fields, key=self.log.key)
        return import_lines(self.log, path, lines, **options)

    def import_seeds(
        self,
        path: str | Path,
        pool: str | None = None,
        fields: "FieldMap | None" = None,
        at: When | None = None,
        **options: "Unpack[Options]",
    ) -> "ImportReport":
        """Append the seeds in a file, at their own times or all at one; options as for results."""
        from ratingcore.archives import read_seeds  # as above
        from ratingcore.importer import import_lines

        lines = partial(read_seeds, path, pool=pool, fields=fields, key=self.log.key, at=at)
        return import_lines(self.log, path, lines, **options)

    def import_foreign(
        self, path: str | Path, reader: str, pool: str | None = None, *, dry_run: bool = False
    ) -> "ImportReport":
        """Append what a plugin's reader finds in a file; of what is issued again, only corrections.

        Parameters
        ----------
        reader : str
            Name of an installed reader: `usebio`.
        pool : str or None
            Where the events belong; None leaves them where the reader puts them.
        dry_run : bool
            Say what would happen; write nothing.
        """
        from ratingcore.corrections.resubmission import import_events  # as above

        readers = self.registry.readers
        if reader not in readers:
            raise BadFile(str(path), f"no reader is named {reader}: installed are {', '.join(readers) or 'none'}")
        read = partial(readers[reader], path)
        return import_events(self.log, path, read, by=f"reader {reader}", pool=pool, dry_run=dry_run)

    def backup(self, path: str | Path) -> None:
        """Copy the log to a new file, whole and consistent, while others may be writing."""
        if not isinstance(self.log, SqliteLog):
            raise LogUnavailable(str(path), "a log in memory has no backup", "export it")
        self.log.backup(path)

    def export(self) -> Iterator[str]:
        """The log as lines of JSON, from which `load` makes it again with every digest the same."""
        return export_lines(self.log)

    def load(self, lines: Iterable[str]) -> Verified:
        """Load an export into this log, which must be empty, checking every digest."""
        return load_lines(self.log, lines)
