"""Tables of ratings and histories for readers of SQL; brings the command `catch-up`.

In Python, `ratingcore_sql_tables.catch_up.catch_up(engine, ...)` does the same.
"""

from collections.abc import Sequence

from ratingcore.plugin import hookimpl
from ratingcore.plugin.stores import ERASED, Eraser, Log
from ratingcore_sql_tables.tables import RatingTables


def relabel(log: Log, numbers: Sequence[int]) -> int:
    """Writes labels in place of erased players into the tables in the database of a log."""
    if log.tables is None:
        return 0
    labels = {number: ERASED.format(number) for number in numbers}
    return RatingTables(log.tables).relabel(labels, len(log.nameless("player")))


@hookimpl
def ratingcore_erasers() -> list[Eraser]:
    return [relabel]
