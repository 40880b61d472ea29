"""Finds the database driver's own connection inside the connection objects of frameworks."""

from inspect import iscoroutinefunction
from typing import Any

from ratingcore.errors import BadValue


def driver(connection: Any) -> Any:
    """Returns the connection of `sqlite3` or psycopg inside a connection of Django, SQLAlchemy or a pool, or itself.

    Raises
    ------
    BadValue
        If the connection is asynchronous.

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
    found = connection
    if not hasattr(connection, "run_sync"):  # only SQLAlchemy's asyncio connections have it
        own = connection.connection if hasattr(connection, "exec_driver_sql") else connection  # SQLAlchemy's
        found = getattr(own, "driver_connection", own)  # from a pool
    if hasattr(found, "run_sync") or iscoroutinefunction(getattr(found, "execute", None)):
        why = "is for asyncio: in a thread, use a connection that waits for its answers"
        raise BadValue("connection", type(found).__name__, why)
    return found
