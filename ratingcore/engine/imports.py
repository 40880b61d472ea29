"""Files that come in: results of any format, and ratings that were given from outside."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import tzinfo
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from ratingcore.engine.core import Part
from ratingcore.events import When

if TYPE_CHECKING:
    from ratingcore.importer import ImportReport
    from ratingcore.importer.choice import Guess
    from ratingcore.importer.tables import FieldMap
    from ratingcore.readers import Reader


class Imports(Part):
    """Files read into the log."""

    def import_file(
        self,
        /,
        path: "str | PathLike[str] | BinaryIO",
        reader: str | None = None,
        pool: str | None = None,
        *,
        played: When | None = None,
        zone: "str | tzinfo | None" = None,
        encoding: str | None = None,
        fields: "Mapping[str, str] | FieldMap | None" = None,
        dry_run: bool = False,
        strict: bool = False,
        amend: bool = False,
        reissue: bool | str = False,
        known: str | None = None,
        voids: float = 0.2,
        seeds: Literal["none", "first", "all"] = "none",
        facts: bool = True,
        skip_known: bool = False,
        progress: Callable[[int], None] = lambda read: None,
        **options: Any,
    ) -> "ImportReport":
        """Imports a file of any format that is installed, or all files of a folder or an archive.

        A tournament that comes again becomes corrections: what it says otherwise is amended, what it does not say any
        more is voided, and the same file again changes nothing.

        Parameters
        ----------
        path : path, "-" or binary file
            A file, a folder, an archive (zip, tar, gzip, bzip2, xz), standard input, or an open file.
        reader : str or None
            Name of the reader, with options as for methods: `trf:dates=end`. None to recognise the format.
        pool : str or None
            Where results belong; `"{speed}"` takes what the file says. None for the one pool of the log.
        played : str, date, datetime, int or None
            When results were played whose file does not say.
        zone : str, tzinfo or None
            Zone of local times in the file, such as `Europe/Paris`. Without one those of a table are of the zone of the
            pool, and those of other formats tell only the day.
        encoding : str or None
            Encoding of text; None for UTF-8, else the old one of the format.
        fields : mapping of str to str, FieldMap or None
            Which columns of a table hold what: `{"a": "white", "b": "black"}`.
        dry_run : bool
            Say what would happen; write nothing.
        strict : bool
            All rows or none.
        amend : bool
            Let rows that say otherwise than what is recorded correct it.
        reissue : bool or str
            Let a table stand for all that came from its source: what it says otherwise is amended, what is missing
            from it voided. The source is the name of the file, or the one that is named.
        known : str or None
            The column of a table that says when each result became known. The rows are filed as batches of these days,
            marked as filed later, so that `known_at` reaches back before the log was begun; for pools that the log does
            not have yet, and a log without later batches.
        voids : float in [0, 1]
            Share of the results of a document, or of a table's source, that may be voided because they are missing
            from it now.
        seeds : {"none", "first", "all"}
            Which ratings in the file become seeds: none, those of players the pool has never met, or all.
        facts : bool
            Whether facts of players in the file are recorded.
        skip_known : bool
            Leave out games of a tournament that the log has from another source; else a warning says so.
        progress : callable
            Called with the number of rows read, now and then.
        **options
            Options of the reader: `dates="end"`.

        Returns
        -------
        ImportReport
            Of several files, their sums.

        Raises
        ------
        BadFile
            If a file cannot be opened or read, or no reader knows it.
        BadParameter
            If the reader has no such option.
        RowsRefused
            If `strict` and a row is refused.
        NotBackfilled
            If `known` is given, and the log has one of the pools, or later batches.
        NoOffset
            If a table has a time of day without an offset, no zone is said, and the pool has none; or it has times from
            before it had one, which were read as UTC if they had no offset.
        DeclaredMeanwhile
            If somebody else declared the pool while the file was read, and its rows would be others now; what was
            appended before stays.
        ArchiveError, LogError

        Examples
        --------
        >>> import tempfile, ratingcore as rc
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "games.csv")
        ...     _ = file.write_text("played,a,b,score\\n2024-03-02,ann,bo,1-0\\n2024-03-09,bo,ann,1/2\\n")
        ...     with rc.open(":memory:") as engine:
        ...         engine.import_file(file, pool="rapid").accepted, engine.import_file(file, pool="rapid").accepted
        (2, 0)
        """
        from ratingcore.importer import ImportReport  # readers of files are not there for lists

        said: dict[str, Any] = {
            "played": played, "zone": zone, "encoding": encoding, "fields": fields, "dry_run": dry_run,
            "strict": strict, "amend": amend, "reissue": reissue, "known": known, "voids": voids, "seeds": seeds,
            "facts": facts, "skip_known": skip_known, "progress": progress,
        }  # fmt: skip
        reports = list(self.import_files([path], reader, pool, **said, **options))
        failed = next((report.error for report in reports if report.error is not None), None)
        if failed is not None:
            raise failed
        if len(reports) == 1:
            return reports[0]
        total = ImportReport(str(path), dry_run=dry_run, head=self.core.log.head)
        for report in reports:
            total.add(report)
        return total

    def import_files(
        self,
        /,
        paths: "Sequence[str | PathLike[str] | BinaryIO]",
        reader: str | None = None,
        pool: str | None = None,
        *,
        keep_going: bool = False,
        **said: Any,
    ) -> "Iterator[ImportReport]":
        """Imports several files, tournaments that say when they were issued oldest first.

        All are opened, and their readers chosen, before anything is written.

        Parameters
        ----------
        paths : sequence of path, "-" or binary file
        reader, pool
            As for `import_file`.
        keep_going : bool
            Import the other files when one cannot be read; else nothing after it. Either way its report says so.
        **said
            As for `import_file`: `played`, `zone` and all others, options of the reader too.

        Returns
        -------
        iterator of ImportReport
            One a file, as soon as it is imported; `failed` says why a file was not, or not to its end.

        Raises
        ------
        BadFile
            If a file cannot be opened, or no reader knows it.
        BadParameter
            If the reader has no such option.
        RowsRefused
            If `strict` and a row is refused.
        ArchiveError, LogError

        Examples
        --------
        >>> import io, ratingcore as rc
        >>> files = [io.BytesIO(b"played,a,b,score\\n2024-03-02,ann,bo,1-0\\n"), io.BytesIO(b"a,b\\n")]
        >>> with rc.open(":memory:") as engine:
        ...     [report.accepted for report in engine.import_files(files[:1], pool="rapid")]
        [1]
        """
        from ratingcore.importer.files import Files, choose
        from ratingcore.importer.settings import Call  # as above

        call = Call.of(self.core.registry, reader, pool, said)
        choice = choose(
            paths, self.readers(), opening=call.opening, reader=call.reader, options=call.options,
            fields=call.columns, keep_going=keep_going,
        )  # fmt: skip
        return Files(self.core.log, call.settings, keep_going).run(choice)

    def sniff(self, path: "str | PathLike[str] | BinaryIO") -> "tuple[Guess, ...]":
        """The readers that may take a file, the surest first.

        Parameters
        ----------
        path : path or binary file

        Returns
        -------
        tuple of Guess
            Each with its `reader` and how `sure` it is, 1 to 100; a reader is chosen by itself from 50 on. Of an
            archive, the guesses about its first member.

        Raises
        ------
        BadFile
            If the file cannot be opened.

        Examples
        --------
        >>> import io, ratingcore as rc
        >>> with rc.open(":memory:") as engine:
        ...     engine.sniff(io.BytesIO(b"played,a,b,score\\n2024-03-02,ann,bo,1-0\\n"))[0].reader.name
        'csv'
        """
        from ratingcore.importer.choice import guesses  # as above
        from ratingcore.importer.inputs import Opening, Unreadable

        found = next(Opening().found([path]), None)
        if isinstance(found, Unreadable):
            raise found.problem
        return () if found is None else guesses(self.readers(), found.sample)

    def readers(self) -> "dict[str, Reader]":
        """The readers that are installed, by name; those of tables come first.

        Returns
        -------
        dict of str to Reader

        Raises
        ------
        BrokenPlugin
            Never: a plugin that fails is left out.

        Examples
        --------
        >>> import ratingcore as rc
        >>> with rc.open(":memory:") as engine:
        ...     list(engine.readers())[:2]
        ['csv', 'jsonl']
        """
        from ratingcore.importer.choice import readers_of  # as above

        return readers_of(self.core.registry)

    def import_foreign(
        self, path: str | Path, reader: str, pool: str | None = None, *, dry_run: bool = False
    ) -> "ImportReport":
        """Imports a file by a named reader: `import_file` with nothing else to say.

        Parameters
        ----------
        path : path
        reader : str
            Name of an installed reader: `usebio`.
        pool : str or None
            Where the events belong.
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
        return self.import_file(path, reader, pool, dry_run=dry_run)
