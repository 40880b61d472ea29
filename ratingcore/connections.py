"""Unwraps the database driver's own connection from the connection objects of frameworks."""

from inspect import iscoroutinefunction
from typing import Any

from ratingcore.errors import BadValue


def driver(connection: Any) -> Any:
    """Returns the `sqlite3` or psycopg connection that a Django, SQLAlchemy or pooled connection wraps.

    Any other connection is returned unchanged.

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
    inner = connection
    if not hasattr(connection, "run_sync"):  # only SQLAlchemy's asyncio connections have it
        own = connection.connection if hasattr(connection, "exec_driver_sql") else connection  # SQLAlchemy's
        inner = getattr(own, "driver_connection", own)  # from a pool
    if hasattr(inner, "run_sync") or iscoroutinefunction(getattr(inner, "execute", None)):
        raise BadValue("connection", type(inner).__name__, "is for asyncio: use a synchronous connection, in a thread")
    return inner
