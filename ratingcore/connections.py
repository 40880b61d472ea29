"""Database connections of programs, and the driver's own connection inside each."""

from inspect import iscoroutinefunction
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
    found = connection
    if not hasattr(connection, "run_sync"):  # which only SQLAlchemy's for asyncio have
        own = connection.connection if hasattr(connection, "exec_driver_sql") else connection  # SQLAlchemy's
        found = getattr(own, "driver_connection", own)  # from a pool
    if hasattr(found, "run_sync") or iscoroutinefunction(getattr(found, "execute", None)):
        why = "is for asyncio: in a thread, use a connection that waits for its answers"
        raise BadValue("connection", type(found).__name__, why)
    return found
