"""Imports files and tables: results in any format, seeds, and facts of players."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from datetime import tzinfo
from functools import partial
from itertools import chain
from os import PathLike
from pathlib import Path, PurePath
from typing import Any, BinaryIO, Literal, cast

from ratingcore.columns.log_history import sealed_parts
from ratingcore.corrections.known_facts import Descriptions
from ratingcore.corrections.propose import Span
from ratingcore.engine.core import Core, Part
from ratingcore.errors import BadValue, RatingCoreError
from ratingcore.events import When, instant
from ratingcore.gc_pause import uncollected
from ratingcore.importer.descriptions import import_players
from ratingcore.importer.doubtful_names import doubtful_newcomers
from ratingcore.importer.file_choice import choice_of_table, choose, is_file, is_folder_path
from ratingcore.importer.files import import_files
from ratingcore.importer.inputs import Opening, source_at, zone_of
from ratingcore.importer.reader_choice import InstalledReaders, named_options
from ratingcore.importer.report import ImportReport
from ratingcore.importer.results_on_lines import results_on_lines
from ratingcore.importer.row_import import Import, import_rows
from ratingcore.importer.settings import Settings
from ratingcore.importer.tables import FieldMap, read_seeds
from ratingcore.importer.tables.fieldmap import mapping_of
from ratingcore.importer.tables.players import read_players
from ratingcore.readers import Note
from ratingcore.replay.declared import questions, unlisted_of
from ratingcore.spelling import MANY


class Imports(Part):
    """Files and tables read into the log."""

    def import_file(
        self,
        /,
        what: str | PathLike[str] | BinaryIO | object,
        pool: str | None = None,
        fields: Mapping[str, str] | FieldMap | None = None,
        *,
        reader: str | None = None,
        name: str = "table",
        played: When | None = None,
        zone: str | tzinfo | None = None,
        encoding: str | None = None,
        dry_run: bool = False,
        strict: bool = False,
        amend: bool = False,
        reissue: bool | str = False,
        known: str | None = None,
        mirrored: bool = False,
        voids: float = 0.2,
        seeds: Literal["none", "first", "all"] = "none",
        facts: bool = True,
        skip_known: bool = False,
        as_rows: bool = False,
        keep_going: bool = False,
        without: Collection[int] = (),
        progress: Callable[[int], None] = lambda read: None,
        **options: Any,
    ) -> ImportReport:
        """Imports a file in any installed format, several files, a folder, an archive, or a table in memory.

        Before anything is written, all files are opened and their readers chosen; tournaments with a date of issue are
        imported oldest first.

        Importing a tournament again corrects it: results that differ are amended, missing ones are voided, and the same
        file changes nothing. Rows are recognised whatever their source: a DataFrame with the rows of an imported file
        adds nothing. A table of games with ids, or for a pool without results, is imported by columns, several times as
        fast.

        Parameters
        ----------
        what : path, "-", binary file, list of these, or table
            A file, a folder, an archive (zip, tar, gzip, bzip2, xz), standard input, or an open file. A table is
            anything that offers an Arrow stream (DataFrames of pandas and polars, duckdb, pyarrow, readers of ADBC), a
            cursor of any database after a query, or mappings, one per row. A stream is read once, batch by batch.
        pool : str or None
            Pool of the results; `"{speed}"` takes it from the file. None for the only pool of the log.
        fields : mapping of str to str, FieldMap or None
            Columns of a table by field: `{"a": "white", "b": "black"}`. Other fields are read from the columns with
            their names.
        reader : str or None
            Name of the reader, with options as for methods: `trf:dates=end`. None to recognise the format.
        name : str
            Name for a table in memory, or for an open file, in the log; a file at a path has its own name.
        played : str, date, datetime, int or None
            Time of results whose file does not give one.
        zone : str, tzinfo or None
            Zone of local times in the file, such as `Europe/Paris`. By default, local times in a table are in the zone
            of the pool, and those in other formats count only as days. In a table, midnight without a zone is a whole
            day.
        encoding : str or None
            Encoding of text; None tries UTF-8, and then the traditional encoding of the format.
        dry_run : bool
            Whether only to report the outcome: the file is imported into a trial of the log in memory.
        strict : bool
            Whether to import no row if one is refused.
        amend : bool
            Whether rows that differ from recorded results correct them.
        reissue : bool or str
            Whether a table replaces everything from its source: results that differ are amended, missing ones are
            voided. The source is the name of the file or table, or the given name.
        known : str or None
            The column of a table with the day on which each result became known. The rows are recorded as batches of
            these days, marked as recorded later, so that `known_at` reaches back before the beginning of the log. Only
            for pools that are new to the log, and a log without later batches.
        mirrored : bool
            Whether a table has one row for each side of a game. Two rows that agree with the sides exchanged count as
            one game; two that contradict each other are refused; a single row is a game, too.
        voids : float in [0, 1]
            Largest share of the results of a document, or of a table's source, that may be voided because they are
            missing now.
        seeds : {"none", "first", "all"}
            Ratings in the file that become seeds: none, those of players new to the pool, or all.
        facts : bool
            Whether to record facts of players in the file.
        skip_known : bool
            Whether to leave out games that the log may have already, from elsewhere; else there is a warning.
        as_rows : bool
            Whether the games of a large table with typed columns are stored as rows, which SQL views show, rather than
            as sealed segments of columns, which are smaller and quicker.
        keep_going : bool
            Whether to import the other files when one cannot be read, whose report then has the reason. The other files
            of a folder or archive are imported in any case, unless all fail.
        without : collection of int
            Lines of a single file, as reports count them, to leave out: their rows are reported as unrated.
        progress : callable
            Called now and then with the number of rows read.
        **options
            Options of the reader: `dates="end"`.

        Returns
        -------
        ImportReport
            For several files, the totals, and in `reports` the report of each. Lines of a table in memory are row
            numbers from 1.

        Raises
        ------
        BadFile
            If a file cannot be opened or read, or no reader recognises it.
        BadValue
            If something is not a table, or a table without a name is to replace its source.
        ColumnNotFound, BadMapping
            If the fields do not fit a table.
        NotInstalled
            If a DataFrame or stream is given and the extra `tables` is not installed.
        BadParameter
            If the reader has no such option.
        RowsRefused
            If `strict` and a row is refused.
        NotBackfilled
            If `known` is given, and the log has one of the pools, or later batches.
        NoOffset
            If a table has a time of day without an offset, and neither the argument nor the pool gives a zone, or the
            pool has times from before its zone was declared.
        DeclaredMeanwhile
            If somebody else declared the pool while the file was read, and its rows would now differ; what was
            appended before stays.
        ArchiveError, LogError

        Examples
        --------
        >>> import tempfile, ratingcore as rc
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "games.csv")
        ...     _ = file.write_text("played,a,b,score\\n2024-03-02,ann,bo,1-0\\n2024-03-09,bo,ann,1/2\\n")
        ...     with rc.open(":memory:") as engine:
        ...         engine.import_file(file, "rapid").accepted, engine.import_file(file, "rapid").accepted
        (2, 0)

        A DataFrame:

        >>> import polars as pl
        >>> from datetime import date
        >>> days = [date(2024, 3, 2), date(2024, 3, 9)]
        >>> games = pl.DataFrame({"day": days, "white": ["ann", "bo"], "black": ["bo", "ann"], "score": [1.0, 0.5]})
        >>> with rc.open(":memory:") as engine:
        ...     engine.import_file(games, "rapid", {"a": "white", "b": "black", "played": "day"}).accepted
        2
        """
        several = isinstance(what, list | tuple) and bool(what) and all(map(is_file, what))
        files = cast("list[Any]", what if several else [what])
        core = self.core.trial() if dry_run else self.core
        registry, (called, texts) = core.registry, named_options(reader)
        called_so = name if name != "table" and is_file(files[0]) else ""
        if called_so and any(isinstance(one, str | PathLike) and PurePath(one).name != name for one in files):
            raise BadValue("name", name, "is for a table in memory or one open file: paths have names of their own")
        opening, columns = Opening(encoding, zone_of(zone), name=called_so), mapping_of(fields)
        if known is not None:
            columns = columns.merged(FieldMap(known=known, where=columns.where))
        if mirrored:
            columns = columns.merged(FieldMap(mirrored=True, where=columns.where))
        settings = Settings(
            pool=pool, played=None if played is None else instant(played), dry_run=dry_run, strict=strict, amend=amend,
            voids=voids, seeds=seeds, facts=facts, reissue=reissue, skip_known=skip_known, as_rows=as_rows,
            without=frozenset(without), progress=progress,
        )  # fmt: skip
        texts |= {option: _text(value) for option, value in options.items()}
        if is_file(files[0]):
            choice = choose(
                files, InstalledReaders(registry), opening=opening, reader=called, options=texts, fields=columns,
                pool=pool, played=played, keep_going=keep_going,
            )  # fmt: skip
        elif reissue is True and name == "table":
            raise BadValue("reissue", True, "needs the source of the table: name=..., or reissue=...")
        else:
            fields = columns.in_pool(pool).on_day(played)
            choice = choice_of_table(what, fields, name, opening.zone, registry.sheets, texts, again=skip_known)
        of_methods = registry.result_fields
        read = import_files(core.log, core.method, choice, settings, keep_going, of_methods)
        reports = list(noted(core, read))
        failed = next((report.error for report in reports if report.error is not None), None)
        left_out = keep_going or (not several and is_folder_path(what) and not all(report.failed for report in reports))
        if failed is not None and not left_out:
            raise failed
        if len(reports) == 1:
            return reports[0]
        source = f"{len(files)} files" if several else str(what)
        total = ImportReport(source, dry_run=dry_run, head=self.core.log.head, reports=reports)
        for report in reports:
            total.add(report)
        return total

    def games_on_lines(
        self,
        path: str | PathLike[str],
        lines: Sequence[int | Span],
        player: str,
        pool: str | None = None,
        fields: Mapping[str, str] | FieldMap | None = None,
        *,
        source: str | None = None,
        reader: str | None = None,
        zone: str | tzinfo | None = None,
        encoding: str | None = None,
    ) -> tuple[str, ...]:
        """Returns the uids of a player's results on some lines of an imported file.

        The log does not store line numbers: the file is read again, and its rows are matched with the events from it.

        Parameters
        ----------
        path : path
        lines : sequence of int or (int, int)
            Lines, or first and last lines of spans, as import reports count them. A single line must have a result of
            the player; a span may have lines without one.
        player : str
        pool, fields, reader, zone, encoding
            As given when the file was imported. Without a pool, the pool of the results from the file.
        source : str or None
            Name of the source in the log, if the file has another name now.

        Returns
        -------
        tuple of str

        Raises
        ------
        NotOnLines
            If no event came from the file, or a single line or a whole span has no result of the player.
        BadValue, UnknownName, ArchiveError, LogError

        Examples
        --------
        >>> import tempfile, ratingcore as rc
        >>> with tempfile.TemporaryDirectory() as folder, rc.open(":memory:") as engine:
        ...     file = Path(folder, "games.csv")
        ...     _ = file.write_text("played,a,b,score\\n2024-03-02,j lee,bo,1-0\\n2024-03-02,j lee,cy,1/2\\n")
        ...     report = engine.import_file(file, "rapid")
        ...     receipt = engine.split("j lee", "jo lee", games=engine.games_on_lines(file, [3], "j lee"))
        ...     engine.rating_list("rapid").player
        ('j lee', 'cy', 'jo lee', 'bo')
        """
        if isinstance(lines, str):
            raise BadValue("lines", lines, "must be numbers of lines, such as [3, (7, 9)]")
        registry, (called, texts) = self.core.registry, named_options(reader)
        choice = choose(
            [path], InstalledReaders(registry), opening=Opening(encoding, zone_of(zone)), reader=called, options=texts,
            fields=mapping_of(fields),
        )  # fmt: skip
        spans = [(one, one) if isinstance(one, int) else one for one in lines]
        core = self.core
        return results_on_lines(
            core.log, core.method, choice, spans, player, pool=pool, source=source, result_fields=registry.result_fields
        )

    def import_seeds(
        self,
        path: str | Path,
        pool: str | None = None,
        fields: Mapping[str, str] | FieldMap | None = None,
        *,
        at: When | None = None,
        dry_run: bool = False,
        strict: bool = False,
        progress: Callable[[int], None] = lambda read: None,
    ) -> ImportReport:
        """Appends the seeds in a table, each at the time in its row, or all at one time.

        Parameters
        ----------
        path : path
        pool : str or None
            Pool of the seeds; None for the pool that each row names.
        fields : mapping of str to str, FieldMap or None
            Columns by field; None to use the headings.
        at : str, date, datetime, int or None
            Time of all seeds; None for the time in each row.
        dry_run, strict, progress
            As for `import_file`.

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
        ...         engine.import_seeds(file, "rapid", at="2024-01-01").accepted
        1
        """
        settings = Settings(pool=pool, dry_run=dry_run, strict=strict, progress=progress)
        core = self.core.trial() if dry_run else self.core
        columns = mapping_of(fields).in_pool(pool).with_blanks_of(core.log.book.spaced())
        before = core.log.head.position
        with closing(source_at(path, core.registry.sheets)) as source:
            lines = partial(read_seeds, source, pool=pool, fields=columns, at=at)
            report = import_rows(Import(core.log, core.method, settings, source.name), lines)
        report.notes += doubtful_newcomers(core.log, before) if report.accepted <= MANY else []
        report.head = self.core.log.head if dry_run else report.head
        return report

    def import_players(
        self,
        path: str | Path,
        pool: str | None = None,
        fields: Mapping[str, str] | FieldMap | None = None,
        *,
        at: When | None = None,
        only_known: bool = False,
        dry_run: bool = False,
    ) -> ImportReport:
        """Appends the facts of players in a file in one batch; facts that the log has count as duplicates.

        Parameters
        ----------
        path : path
            A table with a header: `player`, and any of `called`, `born`, `title`, `federation`, `club`, `sex`.
        pool : str or None
            Pool whose methods can read the facts; None for the only pool of the log.
        fields : mapping of str to str, FieldMap or None
            Columns by field: `{"player": "id"}`; None to use the headings. Any other field is a fact, too.
        at : str, date, datetime or None
            Time from which facts apply, for rows without a time. None means always: they replace known facts.
        only_known : bool
            Whether to refuse rows of players unknown to the log.
        dry_run : bool
            Whether only to report the outcome.

        Returns
        -------
        ImportReport

        Raises
        ------
        PoolNotNamed, ArchiveError, LogError

        Examples
        --------
        >>> import tempfile, ratingcore as rc
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "players.csv")
        ...     _ = file.write_text("player,called,born\\nfide:15,Ann Lee,1990\\n")
        ...     with rc.open(":memory:") as engine:
        ...         engine.import_players(file, "p").accepted, engine.import_players(file, "p").duplicates
        (1, 1)
        """
        core = self.core.trial() if dry_run else self.core
        log, into = core.log, core.one_pool(pool)
        before, columns = log.head.position, mapping_of(fields).with_blanks_of(log.book.spaced())
        with uncollected(), closing(source_at(path, core.registry.sheets)) as source:
            unused, lines = read_players(source, pool=into, fields=columns, at=at)
            report = import_players(
                log, source.name, unused, lines, lambda: Descriptions.of(log, into).new, only_known=only_known
            )
        report.notes += doubtful_newcomers(log, before) if report.accepted <= MANY else []
        report.dry_run, report.head = dry_run, self.core.log.head
        return report


def noted(core: Core, reports: Iterable[ImportReport]) -> Iterator[ImportReport]:
    """Yields the reports of an import; the last one warns of results that the methods of pools leave out of lists.

    Each report is yielded when the next file has been read, or when the import fails.
    """
    spans: list[tuple[int, int]] = []
    held: ImportReport | None = None
    try:
        for report in reports:
            if held is not None:
                yield held
            held = report
            spans += report.positions
    except (Exception, KeyboardInterrupt):
        if held is not None:
            yield held
        raise
    if held is not None:
        held.notes += _unlisted_at(core, spans)
        _number_players(core, spans)
        yield held


def _number_players(core: Core, spans: Sequence[tuple[int, int]]) -> None:
    """Numbers the players of pools with sealed games at some positions, which costs little beside an import."""
    for pool in core.log.book.keys_of("pool") if spans else ():
        number = core.log.book.number("pool", pool)
        if any(sealed_parts(core.log, number, first - 1, last) for first, last in spans):
            with suppress(RatingCoreError):  # a request for the list will raise the error
                core.view(pool)


def _unlisted_at(core: Core, spans: Sequence[tuple[int, int]]) -> list[Note]:
    """Returns notes on results at some positions that the method declared for their pool leaves out of lists."""
    notes: list[Note] = []
    for pool in core.log.book.keys_of("pool") if spans else ():
        if not questions(core.log, pool):
            continue
        number = core.log.book.find("pool", pool)
        rows = (core.log.rows(first - 1, last, ("game", "session"), number) for first, last in spans)
        if next(chain.from_iterable(rows), None) is None:
            continue
        with suppress(RatingCoreError):  # no note if the method is no longer installed
            view = core.view(pool)
            notes += unlisted_of(core.official(view).method, view, pool, spans)
    return notes


def _text(value: object) -> str:
    """Returns the value of a reader's option as a text."""
    return str(value).lower() if isinstance(value, bool) else str(value)
