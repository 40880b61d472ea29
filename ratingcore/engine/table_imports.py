"""Tables that come in: results, seeds, and columns of millions of games."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from ratingcore.engine.core import Part
from ratingcore.events import When

if TYPE_CHECKING:
    from datetime import tzinfo

    from ratingcore.importer import ImportReport, Options
    from ratingcore.importer.tables import FieldMap


class TableImports(Part):
    """Tables read into the log."""

    def import_results(
        self,
        path: str | Path,
        pool: str | None = None,
        fields: "Mapping[str, str] | FieldMap | None" = None,
        **options: "Unpack[Options]",
    ) -> "ImportReport":
        """Appends the games in a file; `ratingcore.importer.tables.read_results` says what files it reads.

        Parameters
        ----------
        path : path
        pool : str or None
            Where the games belong; None for the pool that each row names.
        fields : mapping of str to str, FieldMap or None
            Which column holds what: `{"a": "white", "b": "black"}`; None to go by the headings.
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
        >>> with tempfile.TemporaryDirectory() as folder, rc.open(":memory:") as engine:
        ...     file = Path(folder, "season.csv")
        ...     _ = file.write_text("played,a,b,points_a,points_b\\n2024-03-02,ann,bo,3,1\\n")
        ...     engine.import_results(file, pool="football").accepted
        1
        """
        from ratingcore.importer import import_lines
        from ratingcore.importer.tables import read_results  # readers of files are not there for lists
        from ratingcore.importer.tables.frames import mapping_of

        lines = partial(read_results, path, pool=pool, fields=mapping_of(fields, "fields"))
        return import_lines(self.core.log, path, lines, registry=self.core.registry, **options)

    def import_columns(
        self,
        path: object,
        pool: str,
        columns: Mapping[str, str] | None = None,
        progress: Callable[[int], None] = lambda read: None,
        zone: "str | tzinfo | None" = None,
    ) -> "ImportReport":
        """Appends the games of a large table by columns, as a pool that has no results in the log yet.

        It is for archives of millions of games, to begin a log with. Rows hold when a game was played (a day, or a
        time), two players, the score of the first one and, in a column `uid` or `id`, an id of their own if they have
        one; the report names the columns that are not read. Uids and lists are those that `import_file` gives. All of
        it is one transaction, which other writers wait for: if a row is no game, or the process ends before its time,
        the log is what it was, and the same call can be made again.

        Parameters
        ----------
        path : path or table
            A Parquet file, or whatever offers an Arrow stream, such as a DataFrame or the reader of a database.
        pool : str
        columns : mapping of str to str or None
            Names of the columns for `played`, `a`, `b`, `score` and `uid`, where they are called otherwise.
        progress : callable
            Called with the number of rows read.
        zone : str, tzinfo or None
            Zone of times that have none, such as `Europe/Paris`, that of the pool for None; midnight without a zone is
            a whole day.

        Returns
        -------
        ImportReport

        Raises
        ------
        NoOffset
            If a time of day has no zone, none is said, and the pool was not declared to have one.
        BadValue
            If the log is not in a file, or has results of the pool, or the table is none.
        BadFile, ColumnNotFound
            If the file cannot be read, or a row is no game, or none that the pool was declared to take, or has the id
            of another; the row is named.
        NotInstalled
            If the extra `tables` is not there.
        LogError

        Examples
        --------
        >>> import tempfile, pyarrow as pa, ratingcore as rc
        >>> from pyarrow import parquet
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     games = {"played": pa.array([19784, 19791], pa.date32()), "white": ["ann", "bo"], "black": ["bo", "cy"]}
        ...     parquet.write_table(pa.table(games | {"score": [1.0, 0.5]}), f"{folder}/games.parquet")
        ...     with rc.open(f"{folder}/club.db") as engine:
        ...         report = engine.import_columns(f"{folder}/games.parquet", "rapid", {"a": "white", "b": "black"})
        ...         report.accepted, engine.rating_list("rapid", "elo").player
        (2, ('ann', 'cy', 'bo'))
        """
        from ratingcore.importer.columnar import import_columns  # as above

        return import_columns(self.core.log, path, pool, columns, progress, zone, self.core.registry)

    def import_seeds(
        self,
        path: str | Path,
        pool: str | None = None,
        fields: "Mapping[str, str] | FieldMap | None" = None,
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
        from ratingcore.importer import import_lines
        from ratingcore.importer.tables import read_seeds  # as above
        from ratingcore.importer.tables.frames import mapping_of

        lines = partial(read_seeds, path, pool=pool, fields=mapping_of(fields, "fields"), at=at)
        return import_lines(self.core.log, path, lines, registry=self.core.registry, **options)
