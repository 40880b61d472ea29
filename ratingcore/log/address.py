"""Addresses of logs, with a form that hides their secrets, and the stores that open them."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from attrs import frozen

from ratingcore.errors import LogUnavailable

if TYPE_CHECKING:
    from ratingcore.log.contract import Log

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")

_LOOKS_LIKE = r"""
    [^\w./\\~-]* (
        (?:\w+:)* [a-z][\w+.-]+ ://                         # scheme://, jdbc:postgresql://
      | (?:\w+:)* postgres (?:ql)? (?:\+\w+)? :              # postgresql:ann:secret@db
      | postgres [^:@]* : (?=.*@)                            # postgresql//ann:secret@db
      | [^/\\:@]{2,} : (?=.*@)                              # ann:secret@db/league
      | (?:host|hostaddr|port|dbname|user|password|passwd|service|sslmode) \s* =    # host=db password=secret
    )
"""
"""Matches texts that begin like the address of a database, with a : or =; no absolute path begins like this."""


class Opens(Protocol):
    """Opens the log at an address; makes it if missing, unless read-only."""

    def __call__(self, address: str, /, *, read_only: bool = False, timeout: float | None = None) -> "Log": ...


@frozen
class Store:
    """A store of logs, which a plugin offers by the hook `ratingcore_stores`.

    Parameters
    ----------
    schemes : tuple of str
        Prefixes of its addresses, without `://`, in lower case.
    open : callable
        Opens the log at an address: `open(address, read_only=False, timeout=None)`. A missing log is made, but raises
        `NoSuchLog` if `read_only`. Worker processes get the address and open the log again.
    shown : callable
        Returns an address without its secret, for messages.
    """

    schemes: tuple[str, ...]
    open: Opens
    shown: Callable[[str], str]


@frozen(repr=False)
class Address:
    """The address of a log, to open it here or in another process; `str` and `repr` show it without its secret.

    Parameters
    ----------
    text : str
        A path, or an address that begins with the scheme of a store, including its secret.
    shown : str
        The same text without the secret.
    """

    text: str
    shown: str

    @property
    def is_file(self) -> bool:
        """True if it is the path of a file."""
        return scheme_of(self.text) is None

    def __str__(self) -> str:
        return self.shown

    def __repr__(self) -> str:
        return f"Address({self.shown!r})"


def file_address(path: str | Path) -> Address:
    """Returns the address of a file, valid from any working directory."""
    whole = str(Path(path).resolve())
    return Address(whole, whole)


def scheme_of(text: str) -> str | None:
    """The scheme with which an address begins; None for the path of a file."""
    match = _SCHEME.match(text)
    return match[1] if match else None


def file_path(path: str | Path) -> Path:
    """The path of a file.

    Raises
    ------
    LogUnavailable
        If it is an address of a database, or looks like one; otherwise a password might end up in a file name.

    Examples
    --------
    >>> file_path("ann:secret@db/league")
    Traceback (most recent call last):
    ...
    ratingcore.errors.log.LogUnavailable: cannot use ann:...: it looks like the address of a database, but is not one
    """
    text = str(path)
    if scheme := scheme_of(text):
        raise LogUnavailable(f"{scheme}://...", "only a file can be used here", "name a file")
    flags = re.VERBOSE | re.IGNORECASE | re.DOTALL
    if not {":", "="}.isdisjoint(text) and (meant := re.match(_LOOKS_LIKE, text, flags)):
        advice = "write SCHEME://..., such as postgresql://USER@HOST/DATABASE; for a file, write its whole path"
        raise LogUnavailable(f"{meant[1]}...", "it looks like the address of a database, but is not one", advice)
    return Path(text)
