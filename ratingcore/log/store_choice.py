"""Opens the log at an address: a file, or a log in a PostgreSQL database."""

from pathlib import Path
from typing import TYPE_CHECKING

from ratingcore.errors import NoSuchLog, NotInstalled
from ratingcore.log.address import Address
from ratingcore.log.sqlite import SqliteLog

if TYPE_CHECKING:
    from ratingcore.log.postgres import PostgresLog


def open_log(address: Address, *, read_only: bool = False, timeout: float | None = None) -> "SqliteLog | PostgresLog":
    """The log at an address; made if it is missing, unless it is only to be read.

    Raises
    ------
    NotALog, NewerLog, NoSuchLog, LogUnavailable
    BadValue
        If the timeout is no time from 0 to a day.
    NotInstalled
        If it is in PostgreSQL, and psycopg is not there.
    """
    if address.on_server:
        return postgres()(address, read_only=read_only, timeout=timeout)
    return SqliteLog(address.text, read_only=read_only, timeout=timeout)


def postgres() -> "type[PostgresLog]":
    """The store that is in PostgreSQL; imported when the first such log is opened."""
    try:
        from ratingcore.log.postgres import PostgresLog
    except ImportError as missing:
        if (missing.name or "").partition(".")[0] not in ("psycopg", "psycopg_binary"):
            raise
        raise NotInstalled("psycopg", "a log in PostgreSQL", "postgres") from None
    return PostgresLog


def is_there(address: Address) -> bool:
    """Whether there is something at an address, so that opening it to read is no mistake."""
    if not address.on_server:
        return Path(address.text).exists()
    try:
        open_log(address, read_only=True).close()
    except NoSuchLog:
        return False
    return True
