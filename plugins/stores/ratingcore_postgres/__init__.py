"""The store of logs in PostgreSQL (`postgresql://USER@HOST/DATABASE?log=NAME`), a schema each; needs `psycopg`."""

from ratingcore.plugin import hookimpl
from ratingcore.plugin.stores import Log, NotInstalled, Store
from ratingcore_postgres.address import SCHEMES, Location


def open_log(address: str, /, *, read_only: bool = False, timeout: float | None = None) -> Log:
    """Opens the log at an address; the first call imports psycopg."""
    try:
        from ratingcore_postgres.log import PostgresLog
    except ImportError as missing:
        if (missing.name or "").partition(".")[0] not in ("psycopg", "psycopg_binary"):
            raise
        raise NotInstalled("psycopg", "a log in PostgreSQL", "postgres") from None
    return PostgresLog(address, read_only=read_only, timeout=timeout)


def shown(address: str) -> str:
    """Returns an address without its password."""
    return str(Location(address))


STORE = Store(SCHEMES, open_log, shown)


@hookimpl
def ratingcore_stores() -> list[Store]:
    return [STORE]
