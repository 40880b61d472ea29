"""Outboxes: tables of events that a program keeps in its own SQLite file until `engine.deliver` records them."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from attrs import frozen

from ratingcore.connections import driver
from ratingcore.errors import BadValue, LogUnavailable
from ratingcore.events import Event, ResultAmended
from ratingcore.events.exchange_form import as_json

__all__ = ["TABLE", "put"]

TABLE = "CREATE TABLE IF NOT EXISTS {} (number INTEGER PRIMARY KEY, event TEXT NOT NULL, error TEXT)"
"""SQL for the table of an outbox, for a program that makes its tables itself."""

AT_ONCE = 500
"""Largest number of rows delivered in one transaction, for which other writers to the program's database wait."""


def put(connection: object, *events: Event, table: str = "outbox") -> None:
    """Puts events into an outbox, in the connection's current transaction; creates the table if it is missing.

    Parameters
    ----------
    connection : connection
        Connection of `sqlite3`, or of Django or SQLAlchemy to a SQLite file.
    *events : Event
        The events; for a changed result, the whole result in its present form, with the same uid.
    table : str
        Name of the outbox's table.

    Raises
    ------
    BadValue
        If an event is an amendment, the connection is not to a SQLite file, or the table's name is not a plain word.

    Examples
    --------
    >>> import sqlite3
    >>> from ratingcore import GamePlayed
    >>> site = sqlite3.connect(":memory:")
    >>> with site:
    ...     put(site, GamePlayed(uid="m-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
    >>> site.execute("SELECT count(*) FROM outbox").fetchone()
    (1,)
    """
    for event in events:
        check(event)
    cursor, name = opened(connection).cursor(), quoted(table)
    cursor.execute(TABLE.format(name))
    written = [(json.dumps(as_json(event), ensure_ascii=False),) for event in events]
    cursor.executemany(f"INSERT INTO {name} (event) VALUES (?)", written)


def check(event: Event) -> None:
    """Refuses an amendment, because a second delivery after a crash would apply it to a later state of the result."""
    if isinstance(event, ResultAmended):
        raise BadValue("event", event.uid, "is an amendment: put the whole result in its present form, with its uid")


def opened(connection: object) -> Any:
    """Returns the `sqlite3` connection inside a program's connection; `BadValue` if there is none."""
    inner = driver(connection)
    if not (hasattr(inner, "in_transaction") and hasattr(inner, "row_factory")):
        raise BadValue("connection", type(inner).__name__, "is not a connection to a SQLite file")
    return inner


def quoted(table: str) -> str:
    """Returns the name of a table, quoted for SQL."""
    if not isinstance(table, str) or not re.fullmatch(r"\w+", table):
        raise BadValue("table", table, "must be a name of letters, digits and underscores")
    return f'"{table}"'


@frozen
class OutboxRow:
    """A row of an outbox.

    Parameters
    ----------
    number : int
        Its number in the table.
    text : str
        Its event in JSON.
    """

    number: int
    text: str


@contextmanager
def turn(connection: Any, name: str) -> Iterator[tuple[Any, Sequence[OutboxRow]]]:
    """Yields a cursor and the next rows of an outbox, in a transaction that locks out other processes.

    Raises
    ------
    LogUnavailable
        If the connection is in a transaction, because its rows may still be rolled back.
    """
    if connection.in_transaction:
        raise LogUnavailable(f"the outbox {name}", "its connection is in a transaction", "deliver after the commit")
    cursor = connection.cursor()
    cursor.row_factory = None
    cursor.execute("BEGIN IMMEDIATE")
    try:
        cursor.execute(TABLE.format(name))
        rows = cursor.execute(f"SELECT number, event FROM {name} WHERE error IS NULL ORDER BY number LIMIT {AT_ONCE}")
        yield cursor, [OutboxRow(*row) for row in rows.fetchall()]
        cursor.execute("COMMIT")
    finally:
        if connection.in_transaction:
            cursor.execute("ROLLBACK")
