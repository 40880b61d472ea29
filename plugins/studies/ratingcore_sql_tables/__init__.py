"""Tables of ratings and histories for readers of SQL; brings the command `catch-up`.

In Python, `ratingcore_sql_tables.catch_up.catch_up(engine, ...)` does the same.
"""

from collections.abc import Sequence

from ratingcore.plugin import hookimpl
from ratingcore.plugin.stores import Eraser, Log
from ratingcore_sql_tables.tables import RatingTables, relabel


def erased(log: Log, numbers: Sequence[int]) -> int:
    """Removes erased players from the tables in the database of a log."""
    from ratingcore.plugin.analysis import plugin_tables  # takes long, and every import of a file asks for plugins

    tables = plugin_tables(log)
    return 0 if tables is None else relabel(log, RatingTables(tables), numbers)


@hookimpl
def ratingcore_erasers() -> list[Eraser]:
    return [erased]
