"""Writes a log as lines of JSON: the export."""

from collections.abc import Iterator

from ratingcore.events import canonical
from ratingcore.log.contract import Log

FORMAT = 1
"""Version of the lines; rises when an older ratingcore could not load them."""


def export_lines(log: Log) -> Iterator[str]:
    """Yields a log as lines of JSON: a header, then each batch with its names and rows."""
    head = log.head
    yield canonical({"ratingcore": FORMAT, "key": log.key, "head": [head.position, head.digest]})
    names = iter(log.names())
    name = next(names, None)
    for batch in log.batches():
        if batch.first > head.position:  # appended since the header was written
            return
        yield canonical({"batch": list(batch)})
        while name is not None and name.batch <= batch.first:
            yield canonical({"name": list(name)})
            name = next(names, None)
        for row in log.rows(batch.first - 1, batch.last):
            yield canonical({"row": list(row)})
