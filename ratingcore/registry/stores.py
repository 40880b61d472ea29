"""Opens the log at an address: a file, or a database in the store of a plugin."""

from pathlib import Path

from ratingcore.errors import NoSuchLog
from ratingcore.log.address import Address, file_path, scheme_of
from ratingcore.log.contract import Log
from ratingcore.log.sqlite import connection
from ratingcore.log.sqlite.log import SqliteLog
from ratingcore.registry.registry import Registry


def address_of(path: str | Path, registry: Registry | None = None) -> Address:
    """Returns the address that a text names, with a form for messages that hides secrets.

    Parameters
    ----------
    path : path or address
    registry : Registry or None
        The installed plugins if None; used only for addresses that are not paths.

    Raises
    ------
    StoreNotFound
        If no plugin offers a store for its scheme.
    LogUnavailable
        If it looks like the address of a database, but is not valid.
    """
    text = str(path)
    scheme = scheme_of(text)
    if scheme is None:
        return Address(text, str(file_path(text)))
    return Address(text, (registry or Registry.installed()).store(scheme).shown(text))


def open_log(
    address: Address, registry: Registry | None = None, *, read_only: bool = False, timeout: float | None = None
) -> Log:
    """Opens the log at an address; creates it if it is missing, unless it is opened for reading only.

    Raises
    ------
    NotALog, NewerLog, NoSuchLog, LogUnavailable
    BadValue
        If the timeout is not from 0 to a day.
    StoreNotFound
        If no plugin offers a store for its scheme.
    NotInstalled
        If the store needs an extra that is not installed.
    """
    scheme = scheme_of(address.text)
    if scheme is None:
        return SqliteLog(address.text, read_only=read_only, timeout=timeout)
    store = (registry or Registry.installed()).store(scheme)
    return store.open(address.text, read_only=read_only, timeout=timeout)


def remove_unused(address: Address) -> None:
    """Removes the file at an address if it is a log without events and nobody else has it open."""
    if address.is_file and is_there(address):
        connection.remove_unused(file_path(address.text))


def is_there(address: Address) -> bool:
    """True if there is a file or a log at an address."""
    if address.is_file:
        return Path(address.text).exists()
    try:
        open_log(address, read_only=True).close()
    except NoSuchLog:
        return False
    return True
