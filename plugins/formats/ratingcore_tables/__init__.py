"""Tables of other programs: Parquet, Arrow and DataFrames, spreadsheets, and queries of SQLite databases."""

from ratingcore.plugin import hookimpl
from ratingcore.plugin.readers import SheetKind
from ratingcore_tables.arrow import PARQUET
from ratingcore_tables.databases import SQL
from ratingcore_tables.spreadsheets import SHEET


@hookimpl
def ratingcore_sheets() -> list[SheetKind]:
    return [PARQUET, SHEET, SQL]
