"""Addresses of logs in PostgreSQL: the name of the log, the part for libpq, and a form without the password."""

import re
from urllib.parse import quote, unquote

from attrs import frozen

from ratingcore.plugin.stores import LogUnavailable

SCHEMES = ("postgresql", "postgres")
DEFAULT = "ratingcore"
"""Name of the log if the address does not give one."""

_SHOWN = frozenset((
    "log", "host", "hostaddr", "port", "dbname", "user", "service", "passfile", "options", "application_name",
    "fallback_application_name", "client_encoding", "connect_timeout", "target_session_attrs",
    "load_balance_hosts", "replication", "channel_binding", "require_auth", "requirepeer", "keepalives",
    "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout", "gssencmode", "gsslib",
    "gssdelegation", "krbsrvname", "ssl", "sslmode", "sslnegotiation", "sslcompression", "sslcert", "sslkey",
    "sslcertmode", "sslrootcert", "sslcrl", "sslcrldir", "sslsni", "ssl_min_protocol_version",
    "ssl_max_protocol_version", "min_protocol_version", "max_protocol_version", "oauth_issuer",
    "oauth_client_id", "oauth_scope",
))  # fmt: skip
"""Parameters of libpq whose values may be shown; any other name may be a misspelt `password`."""

_SECRET = frozenset(["password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key"])

_LONGEST = 63
"""Length in bytes to which PostgreSQL truncates names."""

_PORTS = re.compile(r"(?:(?:\[[^\]@]*\]|[^:,\[\]@]*)(?::\d*)?(?:,|$))*")
"""Hosts with their ports."""


def is_name(name: object) -> bool:
    """True if a log may have this name: a text of 1 to 63 bytes that PostgreSQL stores unchanged."""
    if not isinstance(name, str):
        return False
    try:
        return 0 < len(name.encode()) <= _LONGEST and "\0" not in name and not name.startswith("pg_")
    except UnicodeEncodeError:
        return False


@frozen(repr=False)
class Location:
    """The address of a log in PostgreSQL; `str` and `repr` hide the password, `text` is the whole address.

    Parameters
    ----------
    text : str
        `postgresql://USER@HOST/DATABASE?log=NAME`; everything but `log` is passed to libpq.

    Examples
    --------
    >>> print(Location("postgresql://ann:secret@db/league?log=club"))
    postgresql://ann@db/league?log=club
    >>> Location("postgresql://db/league?log=club&sslmode=require").conninfo
    'postgresql://db/league?sslmode=require'
    """

    text: str

    @property
    def log(self) -> str:
        """Name of the log in its database: the parameter `log` of the address.

        Raises
        ------
        LogUnavailable
            If a log cannot have that name.
        """
        names = [unquote(value) for key, value in self._pairs if key == "log"] or [DEFAULT]
        if len(names) > 1 or not is_name(names[0]):
            listed = " and ".join(map(repr, names))
            advice = "name one log, in up to 63 bytes and not beginning with pg_: ?log=club"
            raise LogUnavailable(str(self), f"the name of a log is not valid: {listed}", advice)
        return names[0]

    @property
    def conninfo(self) -> str:
        """The address for libpq, without the name of the log."""
        user, rest = self._parts
        return self._spelt(user + rest, [pair for pair in self._pairs if pair[0] != "log"])

    def __str__(self) -> str:
        user, place = self._parts
        if self._odd:
            return f"{self.text.partition('://')[0]}://..."
        name, place = user.rstrip("@").partition(":")[0], place.rpartition("@")[2]
        host, slash, database = place.partition("/")
        host = host if _PORTS.fullmatch(host) else f"{host.partition(':')[0]}:..."
        return self._spelt((f"{name}@" if name else "") + host + slash + database, [
            (key, value if key in _SHOWN else "...") for key, value in self._pairs
        ])  # fmt: skip

    def __repr__(self) -> str:
        return f"Location({str(self)!r})"

    @property
    def secrets(self) -> tuple[str, ...]:
        """Texts that no message may contain."""
        values = [
            self._parts[0].rstrip("@").partition(":")[2],
            *(value for key, value in self._pairs if key not in _SHOWN),
        ]
        return tuple({text for value in values if value for text in (value, unquote(value))})

    @property
    def ambiguous(self) -> bool:
        """True if an `@` or a colon is where libpq expects none: its host may then be part of the password."""
        place = self._parts[1]
        return self._odd or "@" in place or not _PORTS.fullmatch(place.partition("/")[0])

    @property
    def _odd(self) -> bool:
        """True if the apparent parameters may be the end of a password that contains a `?`."""
        suspects = [key if key in _SECRET else key + value for key, value in self._pairs if key not in _SHOWN]
        return "@" in "".join(suspects)

    @property
    def _split(self) -> tuple[str, str]:
        """User and password up to the `@`, and the rest; as in libpq, a password may contain `?` and `#`."""
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
        """The parameters, with each value as written."""
        written = (part.partition("=") for part in self._split[1].partition("?")[2].split("&") if part)
        return [(unquote(key), value) for key, _, value in written]

    def _spelt(self, place: str, pairs: list[tuple[str, str]]) -> str:
        query = "&".join(f"{quote(key)}={value}" for key, value in pairs)
        return f"{self.text.partition('://')[0]}://{place}" + (f"?{query}" if query else "")
