"""Connects to the server of a log, and translates errors of PostgreSQL into errors of the log."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import tuple_row

from ratingcore.plugin.stores import LogUnavailable, NotALog
from ratingcore_postgres.address import Location
from ratingcore_postgres.schema import OLDEST

Connection = psycopg.Connection[Any]

_CONNECT_SECONDS = 10

_REASONS: tuple[tuple[type[psycopg.Error], str, str], ...] = (
    (psycopg.errors.LockNotAvailable, "another process is writing, or locks its tables", "try again when it is done"),
    (psycopg.errors.ReadOnlySqlTransaction, "it is read-only", "open it on a server that accepts writes"),
    # a standby refuses writing transactions with FeatureNotSupported
    (psycopg.errors.FeatureNotSupported, "its server is a standby", "open it on the primary server"),
    (psycopg.errors.DiskFull, "the disk is full", "the log is as it was before; make room and try again"),
    (psycopg.errors.QueryCanceled, "the server stopped the statement", "check the server's statement_timeout"),
    (
        psycopg.errors.TooManyConnections,
        "the server accepts no more connections",
        "try again, or raise max_connections",
    ),
    (psycopg.errors.InvalidPassword, "the user or the password is wrong", "check the address and ~/.pgpass"),
    (
        psycopg.errors.InvalidAuthorizationSpecification,
        "the server does not let that user in",
        "check the server's pg_hba.conf",
    ),
    (psycopg.errors.CannotConnectNow, "the server is starting or shutting down", "try again"),
    (psycopg.errors.InvalidCatalogName, "the database does not exist", "create it: createdb NAME"),
    (
        psycopg.errors.SerializationFailure,
        "the transaction began before the newest append",
        "run the transaction again",
    ),
    (psycopg.errors.DeadlockDetected, "two transactions waited for each other", "try again"),
    (psycopg.errors.InFailedSqlTransaction, "the transaction has failed", "roll it back, and begin a new one"),
)

_ANSWERS: tuple[tuple[type[psycopg.Error], re.Pattern[str]], ...] = (
    (psycopg.errors.InvalidPassword, re.compile(r"authentication failed|no password supplied|role .* does not exist")),
    (psycopg.errors.InvalidCatalogName, re.compile(r"database .* does not exist")),
    (psycopg.errors.TooManyConnections, re.compile(r"too many (clients|connections)|connection slots are reserved")),
    (psycopg.errors.CannotConnectNow, re.compile(r"the database system is ")),
    (
        psycopg.errors.InvalidAuthorizationSpecification,
        re.compile(r"no pg_hba\.conf entry|pg_hba\.conf rejects|is not permitted to log in"),
    ),
)
"""Messages of a server that refuses connections; libpq passes on the message without the error code."""

_DAMAGED = (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn, psycopg.errors.InvalidSchemaName)

_ADDRESS = "postgresql://USER@HOST/DATABASE; in a password write %40 for @, %2F for /, %3F for ?, %3A for a colon"

_GONE = (
    "check that the server is running and the address is right, then try again: events already recorded count as "
    "duplicates"
)


@contextmanager
def explained(address: str) -> Iterator[None]:
    """Turns errors of PostgreSQL in the block into errors of the log."""
    try:
        yield
    except psycopg.Error as error:
        actual = type(error) if error.sqlstate else _by_text(error)
        for kind, why, advice in _REASONS:
            if issubclass(actual, kind):
                raise LogUnavailable(address, why, advice) from error
        if isinstance(error, _DAMAGED):
            raise NotALog(address, "a damaged log") from error
        if isinstance(error, psycopg.errors.InsufficientPrivilege):
            raise LogUnavailable(address, _first(error), "have the missing right granted to your role") from error
        if isinstance(error, psycopg.OperationalError):
            raise LogUnavailable(address, _first(error), _GONE) from error
        raise


def _by_text(error: psycopg.Error) -> type[psycopg.Error]:
    """Returns the class that fits the text of an error without a code; its own class if none does."""
    text = str(error)
    return next((kind for kind, sentence in _ANSWERS if sentence.search(text)), type(error))


def _first(error: psycopg.Error) -> str:
    return (error.diag.message_primary or (str(error).strip().splitlines() or ["the server has gone away"])[0]).strip()


def connect(address: Location, seconds: float) -> Connection:
    """Opens a connection to the server of a log; `seconds` limits how long it waits for locks.

    Raises
    ------
    LogUnavailable
    NotALog
        If the server is too old, or its database is not in UTF-8.
    """
    try:
        given = conninfo_to_dict(address.conninfo)
    except (psycopg.Error, UnicodeError):  # the error may contain the password
        raise LogUnavailable(str(address), "it is not a valid address of PostgreSQL", _ADDRESS) from None
    given.setdefault("fallback_application_name", "ratingcore")
    given.setdefault("connect_timeout", _CONNECT_SECONDS)
    given["client_encoding"] = "UTF8"
    try:
        with explained(str(address)):
            # no prepared statements: behind a pooler, their names may clash
            db = psycopg.connect(make_conninfo("", **given), autocommit=True, prepare_threshold=None)
    except LogUnavailable as error:
        if address.ambiguous or any(secret in error.why for secret in address.secrets):
            advice = _ADDRESS if address.ambiguous else error.advice
            raise LogUnavailable(str(address), "it cannot be reached", advice) from None
        raise
    try:
        check_server(db, str(address))
        with explained(str(address)):
            db.execute(f"SET {patience(seconds)}".encode())
    except BaseException:
        db.close()
        raise
    return db


def patience(seconds: float) -> str:
    """Returns the setting that limits waiting for a lock, at least 1 ms, since 0 means no limit."""
    return f"lock_timeout = {max(round(seconds * 1000), 1)}"


def check_server(db: Connection, address: str) -> None:
    """Refuses a server that is too old, or a database that is not in UTF-8."""
    version, encoding = db.info.server_version // 10000, db.info.parameter_status("server_encoding")
    if version < OLDEST:
        raise NotALog(address, f"on PostgreSQL {version}, and needs {OLDEST} or later")
    if encoding != "UTF8":
        raise NotALog(address, f"in a database with encoding {encoding}, and needs UTF8")


def reading_cursor(db: Connection) -> psycopg.Cursor[Any]:
    """Returns a cursor that reads numbers exactly, regardless of the connection's settings."""
    cursor = psycopg.Cursor(db, row_factory=tuple_row)
    cursor.format = psycopg.pq.Format.BINARY
    return cursor


def each(db: Connection, statements: bytes) -> list[Any]:
    """Runs several statements; returns the last row of each that returns rows, None where it returned none."""
    rows: list[Any] = []
    with psycopg.Cursor(db, row_factory=tuple_row) as cursor:
        cursor.execute(statements, prepare=False)  # several statements cannot be prepared, whatever the host's setting
        while True:
            if cursor.description is not None:
                fetched = cursor.fetchall()
                rows.append(fetched[-1] if fetched else None)
            if not cursor.nextset():
                return rows
