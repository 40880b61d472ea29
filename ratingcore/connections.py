"""Database connections of programs, and the driver's own connection inside each."""

from typing import Any

from ratingcore.errors import BadValue


def driver(connection: Any) -> Any:
    """The connection of `sqlite3` or psycopg inside one of Django, SQLAlchemy or a pool, or itself.

    Raises
    ------
    BadValue
        If it is an asynchronous one.

    Examples
    --------
    >>> import sqlite3
    >>> own = sqlite3.connect(":memory:")
    >>> driver(own) is own
    True
    """
    if hasattr(connection, "ensure_connection"):  # Django
        connection.ensure_connection()
        return connection.connection
    if hasattr(connection, "run_sync"):  # SQLAlchemy, over a library for asyncio
        why = "is for asyncio: in a thread, use a connection that waits for its answers"
        raise BadValue("connection", type(connection).__name__, why)
    if hasattr(connection, "exec_driver_sql"):  # SQLAlchemy
        connection = connection.connection
    return getattr(connection, "driver_connection", connection)  # from a pool
