"""Tables in memory that come in: DataFrames, Arrow streams, answers of databases, rows as mappings."""

from collections.abc import Callable, Mapping
from datetime import tzinfo
from typing import TYPE_CHECKING

from ratingcore.engine.core import Part
from ratingcore.errors import BadValue

if TYPE_CHECKING:
    from ratingcore.importer import ImportReport
    from ratingcore.importer.tables import FieldMap


class Frames(Part):
    """Tables in memory read into the log."""

    def import_table(
        self,
        /,
        table: object,
        map: "Mapping[str, str] | FieldMap | None" = None,
        pool: str | None = None,
        *,
        name: str = "table",
        zone: "str | tzinfo | None" = None,
        dry_run: bool = False,
        strict: bool = False,
        amend: bool = False,
        reissue: bool | str = False,
        voids: float = 0.2,
        progress: Callable[[int], None] = lambda read: None,
    ) -> "ImportReport":
        """Imports the games in a table that is no file, as `import_file` imports those in one.

        Rows are known again whatever they come from: a DataFrame of the rows of a file that was imported before adds
        nothing.

        Parameters
        ----------
        table : DataFrame, Arrow table, batch or stream, cursor, or iterable of mappings
            Whatever offers an Arrow stream (pandas, polars, duckdb, pyarrow, readers of ADBC), a cursor of any
            database that was asked for rows, or mappings, one a row. A stream is read once, batch by batch.
        map : mapping of str to str, FieldMap or None
            Which columns hold what: `{"a": "white", "b": "black"}`. Other fields are read from columns of their own
            names.
        pool : str or None
            Where games belong that name no pool; None for the one pool of the log.
        name : str
            What the log says they came from.
        zone : str, tzinfo or None
            Zone of times that have none; that of the pool without it. Midnight without a zone is a whole day.
        dry_run : bool
            Say what would happen; write nothing.
        strict : bool
            All rows or none.
        amend : bool
            Let rows that say otherwise than what is recorded correct it.
        reissue : bool or str
            Let the table stand for all that came from its source, `name` or the one that is named: what it says
            otherwise is amended, what is missing from it voided.
        voids : float in [0, 1]
            Share of the results of the source that may be voided because they are missing from the table.
        progress : callable
            Called with the number of rows read, now and then.

        Returns
        -------
        ImportReport
            Its lines are the numbers of rows, from 1.

        Raises
        ------
        BadValue
            If the table is none, or is to stand for a source that has no name.
        BadFile
            If it is empty, or Arrow cannot read it.
        ColumnNotFound, BadMapping
            If the mapping does not fit it.
        NotInstalled
            If a DataFrame or stream is given and the extra `tables` is not there.
        RowsRefused
            If `strict` and a row is refused.
        ArchiveError, LogError

        Examples
        --------
        >>> import polars as pl, ratingcore as rc
        >>> from datetime import date
        >>> days = [date(2024, 3, 2), date(2024, 3, 9)]
        >>> games = pl.DataFrame({"day": days, "white": ["ann", "bo"], "black": ["bo", "ann"], "score": [1.0, 0.5]})
        >>> with rc.open(":memory:") as engine:
        ...     first = engine.import_table(games, {"a": "white", "b": "black", "played": "day"}, pool="rapid")
        ...     again = engine.import_table(games, {"a": "white", "b": "black", "played": "day"}, pool="rapid")
        ...     first.accepted, again.accepted, again.duplicates
        (2, 0, 2)
        """
        from ratingcore.importer.files import import_frame
        from ratingcore.importer.inputs import zone_of
        from ratingcore.importer.settings import Settings
        from ratingcore.importer.tables.frames import mapping_of  # readers of files are not there for lists

        if reissue is True and name == "table":
            raise BadValue("reissue", True, "needs the source that the table stands for: name=..., or reissue=...")
        settings = Settings(
            pool=pool,
            dry_run=dry_run,
            strict=strict,
            amend=amend,
            reissue=reissue,
            voids=voids,
            progress=progress,
            registry=self.core.registry,
        )
        return import_frame(self.core.log, settings, table, mapping_of(map), name, zone_of(zone))
