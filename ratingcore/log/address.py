"""Addresses of logs: a file, or a log in a PostgreSQL database; shown without the password."""

from pathlib import Path
from typing import Self
from urllib.parse import quote, unquote

from attrs import field, frozen

from ratingcore.errors import LogUnavailable

SCHEMES = ("postgresql", "postgres")
DEFAULT = "ratingcore"
"""Name of a log in a database whose address names none."""

_SECRET = frozenset({"password", "sslpassword", "oauth_client_secret"})
_LONGEST = 63
"""Bytes that PostgreSQL keeps of a name."""


@frozen(repr=False)
class Address:
    """What opens a log, here or in another process.

    `str` and `repr` show it without a password; `text` has all of it.

    Parameters
    ----------
    text : str
        A path, or `postgresql://…`.

    Examples
    --------
    >>> print(Address("postgresql://ann:secret@db/league?log=club"))
    postgresql://ann@db/league?log=club
    >>> Address("postgresql://db/league?log=club&sslmode=require").conninfo
    'postgresql://db/league?sslmode=require'
    """

    text: str = field(converter=str)

    @classmethod
    def of_file(cls, path: str | Path) -> Self:
        """The address of a file, from whatever folder it is opened."""
        return cls(str(Path(path).resolve()))

    @property
    def on_server(self) -> bool:
        """Whether it is a log in a database of a server."""
        return self.text.partition("://")[0] in SCHEMES

    @property
    def log(self) -> str:
        """Name of the log in its database: the parameter `log` of the address.

        Raises
        ------
        LogUnavailable
            If no log can be called that.
        """
        names = [unquote(value) for key, value in self._pairs if key == "log"] or [DEFAULT]
        name = names[0]
        if len(names) > 1 or not name or "\0" in name or len(name.encode()) > _LONGEST or name.startswith("pg_"):
            said = " and ".join(map(repr, names))
            raise LogUnavailable(str(self), f"no log can be called {said}", "name one log: ?log=club, 63 bytes at most")
        return name

    @property
    def conninfo(self) -> str:
        """The address as libpq knows it: without the name of the log."""
        user, rest = self._parts
        return self._spelt(user + rest, [pair for pair in self._pairs if pair[0] != "log"])

    def __str__(self) -> str:
        if not self.on_server:
            return self.text
        user, rest = self._parts
        if not user and "@" in rest:  # no address of libpq, and who knows what it holds
            user, rest = "", rest.rpartition("@")[2]
        name = user.rstrip("@").partition(":")[0]
        return self._spelt(f"{name}@{rest}" if name else rest, [
            (key, "..." if key in _SECRET else value) for key, value in self._pairs
        ])  # fmt: skip

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no message may hold."""
        if not self.on_server:
            return ()
        values = [
            self._parts[0].rstrip("@").partition(":")[2],
            *(value for key, value in self._pairs if key in _SECRET),
        ]
        return tuple({text for value in values if value for text in (value, unquote(value))})

    @property
    def _split(self) -> tuple[str, str]:
        """Who asks, with the `@`, and the rest: as libpq looks for them, so that a password may hold `?` and `#`."""
        rest = self.text.partition("://")[2]
        before = rest.partition("/")[0]
        user, at, _ = before.partition("@")
        return (user + at, rest[len(user) + 1 :]) if at else ("", rest)

    @property
    def _parts(self) -> tuple[str, str]:
        user, rest = self._split
        return user, rest.partition("?")[0]

    @property
    def _pairs(self) -> list[tuple[str, str]]:
        """The parameters, each value as it is written."""
        written = (part.partition("=") for part in self._split[1].partition("?")[2].split("&") if part)
        return [(unquote(key), value) for key, _, value in written]

    def _spelt(self, place: str, pairs: list[tuple[str, str]]) -> str:
        asked = "&".join(f"{quote(key)}={value}" for key, value in pairs)
        return f"{self.text.partition('://')[0]}://{place}" + (f"?{asked}" if asked else "")
