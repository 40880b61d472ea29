"""Identifies callers by token, session or proxy, and checks what they may do."""

import hmac
import ipaddress
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from urllib.parse import urlsplit

import msgspec
from attrs import evolve, field, frozen

from ratingcore import Engine
from ratingcore.errors import BadValue
from ratingcore.plugin.analysis import pools_of
from ratingcore_service.openid import Departures, Person, Provider
from ratingcore_service.problems import NotAllowed, NotOurForm, ReadOnly, TokenNeeded
from ratingcore_service.routing import Route, Scope
from ratingcore_service.service_store import ServiceStore, digest
from ratingcore_service.settings import Settings

COOKIE = "__Host-ratingcore"
SIGNED_IN = 12 * 3600.0
"""Seconds that a session at the desk lasts."""


@frozen
class Caller:
    """The caller of a request.

    Parameters
    ----------
    id : str
        Id of their token; empty without one.
    name : str
        Name under which their events are recorded.
    scope : Scope
    pools : tuple of str
        Pools to which they are limited; all if empty.
    until : float or None, seconds since 1970
        End of their token; None for never.
    session : str
        Id of their session at the desk, a secret; empty if they did not sign in there.
    ambient : bool
        Whether a browser identifies them automatically, so that a form of another site could act for them.
    """

    id: str = ""
    name: str = ""
    scope: Scope = Scope.NONE
    pools: tuple[str, ...] = ()
    until: float | None = None
    session: str = field(default="", repr=False)
    ambient: bool = False

    @classmethod
    def user(cls, name: str, scope: Scope) -> "Caller":
        """Returns a caller named by a proxy or a provider; a colon becomes `%3A`, as it would end the name in a source.

        Examples
        --------
        >>> Caller.user("hall: desk", Scope.RECORD).name
        'hall%3A desk'
        """
        return cls(name=name.replace("%", "%25").replace(":", "%3A"), scope=scope)

    @property
    def account(self) -> str:
        """The id of their token, or an id made of their user name that no token has; empty for anonymous callers."""
        return self.id or (f"user {self.name}" if self.name else "")

    @property
    def form(self) -> str:
        """The secret that each form of their session carries, and that no other site knows."""
        return digest(f"form {self.session}")


ANYBODY = Caller()

_STORED = {Scope.READ: 1, Scope.RECORD: 2, Scope.ERASE: 3, Scope.CORRECT: 4, Scope.OFFICER: 5}
"""Numbers under which scopes are stored; 3 is also in tokens from when every officer could erase."""
_SCOPES = {code: scope for scope, code in _STORED.items()}

_TOKEN = "SELECT id, name, scope, pools, until, digest FROM token"


class Tokens:
    """Opens the tokens of a log.

    A token is `rc_ID_SECRET`. Only a digest of the secret, 256 random bits, is kept. Each request looks it up again, so
    that a revoked token stops working at once.

    Parameters
    ----------
    store : ServiceStore
    ended : callable
        Called once with the id of a revoked token when a request still uses it, if this process has accepted it before.
    provider : Provider or None
        Provider through which people can sign in, too. Their rights are looked up for each request, like tokens.

    Examples
    --------
    >>> tokens = Tokens(ServiceStore(None))
    >>> text = tokens.add("secretary", Scope.OFFICER)
    >>> tokens.caller(text).name, tokens.caller(text[:-1] + "!")
    ('secretary', None)
    >>> tokens.revoke(tokens.caller(text).id), tokens.caller(text)
    (True, None)
    """

    def __init__(
        self, store: ServiceStore, ended: Callable[[str], None] = lambda number: None, provider: Provider | None = None
    ) -> None:
        self._store, self._ended, self._provider = store, ended, provider
        self.departures = Departures(store)
        self._known: set[str] = set()
        """Ids of tokens that were valid before."""

    def add(self, name: str, scope: Scope, pools: Iterable[str] = (), until: float | None = None) -> str:
        """Creates a token; returns its text, which is not stored.

        Raises
        ------
        BadValue
            If another token has or had the name, since the new one could correct events recorded by the old one; or
            if the name has a colon, which ends the name in the source of an event.
        """
        if ":" in name:
            raise BadValue("token", name, "has a colon in its name")
        number, secret = secrets.token_hex(4), secrets.token_urlsafe(32)
        row = (number, digest(secret), name, _STORED[scope], "\n".join(pools), until)
        insert = "INSERT INTO token (id, digest, name, scope, pools, until) SELECT ?, ?, ?, ?, ?, ?"
        if not self._store.run(f"{insert} WHERE NOT EXISTS (SELECT 1 FROM token WHERE name = ?)", (*row, name)):
            raise BadValue("token", name, "is the name of another token, or of a revoked one")
        return f"rc_{number}_{secret}"

    def all(self) -> list[Caller]:
        """Returns the tokens by name, including expired ones but not revoked ones."""
        return [_caller(*row) for *row, kept in self._store.rows(f"{_TOKEN} ORDER BY name, id") if kept]

    def revoke(self, number: str) -> bool:
        """Revokes a token and its sessions; returns whether it existed. Its name stays reserved."""
        self._store.run("DELETE FROM session WHERE token = ?", (number,))
        return bool(self._store.run("UPDATE token SET digest = '', until = 0 WHERE id = ? AND digest > ''", (number,)))

    def caller(self, text: str) -> Caller | None:
        """Returns the caller with a token; None for an unknown token."""
        kind, _, rest = text.partition("_")
        number, _, secret = rest.partition("_")
        rows = self._store.rows(f"{_TOKEN} WHERE id = ?", (number,)) if kind == "rc" else []
        *row, kept = rows[0] if rows else ("", "", 0, "", None, "")
        same = hmac.compare_digest(str(kept), digest(secret))
        if not kept and number in self._known:
            self._known.discard(number)
            self._ended(number)
        elif same:
            self._known.add(number)
        return _current(_caller(*row)) if rows and same else None

    def sign_in(self, who: Caller | Person) -> str:
        """Begins a session for the owner of a token or a person of the provider; returns its id, for the cookie."""
        owner = who.id if isinstance(who, Caller) else msgspec.json.encode(who).decode()
        now, session = time.time(), secrets.token_urlsafe(32)
        self._store.run("DELETE FROM session WHERE until < ?", (now,))
        self._store.run("INSERT INTO session VALUES (?, ?, ?)", (digest(session), owner, now + SIGNED_IN))
        return session

    def sign_out(self, caller: Caller) -> None:
        """Ends a session."""
        self._store.run("DELETE FROM session WHERE digest = ?", (digest(caller.session),))

    def signed_in(self, session: str) -> Caller | None:
        """Returns the caller of a session; None if it is unknown or has ended."""
        values = (digest(session), time.time())
        owners = self._store.rows("SELECT token FROM session WHERE digest = ? AND until > ?", values)
        if not owners:
            return None
        owner = owners[0][0]
        rows = self._store.rows(f"{_TOKEN} WHERE id = ?", (owner,))
        caller = _current(_caller(*rows[0][:-1])) if rows else self._person(owner)
        return caller and evolve(caller, session=session, ambient=True)

    def _person(self, owner: str) -> Caller | None:
        """Returns the caller of a person's session; None if the provider's list no longer has them."""
        if self._provider is None or not owner.startswith("{"):
            return None
        person = msgspec.json.decode(owner, type=Person)
        scope = self._provider.scope_of(person)
        return Caller.user(person.name, scope) if scope else None


def recognised(
    tokens: Tokens, headers: Mapping[str, str], path: str, peer: str, settings: Settings, asks: bool = False
) -> Caller:
    """Identifies the caller of a request.

    A session is accepted below `/desk`, and elsewhere only to read what needs a token: a private log, or a list by
    a method of the caller's choice. A header that names a user is accepted from the trusted proxy only.

    Parameters
    ----------
    tokens : Tokens
    headers : mapping of str to str
        By name in small letters.
    path : str
        Below the root of the application.
    peer : str
        Address from which the connection comes.
    settings : Settings
    asks : bool
        Whether the request names a method.

    Raises
    ------
    TokenNeeded
        If the request carries a token that is not valid.
    """
    given = headers.get("authorization", "")
    if given:
        kind, _, text = given.partition(" ")
        caller = tokens.caller(text.strip()) if kind.lower() == "bearer" else None
        if caller is None:
            raise TokenNeeded()
        return caller
    user = headers.get(settings.user_header.lower(), "") if settings.user_header else ""
    if user and peer and peer == settings.trusted_proxy:
        scope = Scope[settings.users.get(user, "read").upper()]
        return evolve(Caller.user(user, scope), ambient=True)
    desk = path.startswith("/desk")
    session = cookie(headers, COOKIE) if desk or settings.private or asks else ""
    caller = (session and tokens.signed_in(session)) or ANYBODY
    return caller if desk else evolve(caller, scope=min(caller.scope, Scope.READ))


def address_of(headers: Mapping[str, str], peer: str, settings: Settings) -> str:
    """Returns the address of a caller for rate limits: behind the trusted proxy, the last one in `X-Forwarded-For`."""
    if peer and peer == settings.trusted_proxy:
        return network_of(headers.get("x-forwarded-for", "").rpartition(",")[2].strip() or peer)
    return network_of(peer)


@lru_cache(10_000)
def network_of(address: str) -> str:
    """Returns the network of an address for rate limits: a /64 for IPv6, since one caller can have all of it.

    Examples
    --------
    >>> network_of("192.0.2.7"), network_of("2001:db8::1:2:3:4"), network_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:  # a Unix socket has no address, and a test client's may be any text
        return address
    if isinstance(known, ipaddress.IPv4Address):
        return str(known)
    mapped = known.ipv4_mapped
    return str(ipaddress.ip_network((known, 64), strict=False)) if mapped is None else str(mapped)


def check_allowed(caller: Caller, route: Route, settings: Settings) -> None:
    """Refuses a request that its caller may not make.

    Raises
    ------
    ReadOnly
        If the service is read-only.
    TokenNeeded
        If the request has no credentials.
    NotAllowed
        If the scope of the token is too small.
    """
    if settings.read_only and route.scope > Scope.READ:
        raise ReadOnly()
    needed = route.scope if settings.private or route.scope > Scope.READ else Scope.NONE
    if caller.scope < needed:
        raise NotAllowed(needed.name.lower(), caller.scope.name.lower()) if caller.scope else TokenNeeded()


def trusted(caller: Caller) -> bool:
    """True if the caller has a token or has signed in, which allows lists by any method."""
    return caller.scope >= Scope.READ


def check_pools(caller: Caller, pools: Iterable[str]) -> None:
    """Refuses pools that the caller's token does not cover.

    Raises
    ------
    NotAllowed
    """
    for pool in pools:
        if caller.pools and pool not in caller.pools:
            raise NotAllowed(f"pool {pool}", ", ".join(caller.pools))


def check_method(engine: Engine, caller: Caller, method: str | None) -> None:
    """Refuses a method that reads the ratings of pools that the caller's token does not cover.

    Raises
    ------
    NotAllowed
    """
    if caller.pools and method:
        check_pools(caller, pools_of(engine.registry.method(method)))


def check_whole_log(caller: Caller) -> None:
    """Refuses a caller whose token is limited to some pools.

    Raises
    ------
    NotAllowed
    """
    if caller.pools:
        raise NotAllowed("the whole log", ", ".join(caller.pools))


def check_same_origin(headers: Mapping[str, str]) -> None:
    """Refuses a form sent by another site, by the headers of the browser.

    Raises
    ------
    NotOurForm
    """
    site = headers.get("sec-fetch-site")
    ours = site == "same-origin" if site else urlsplit(headers.get("origin", "")).netloc == headers.get("host")
    if not ours:
        raise NotOurForm()


def check_form(caller: Caller, given: str) -> None:
    """Refuses a form without the token of the caller's session.

    Raises
    ------
    NotOurForm
    """
    if not hmac.compare_digest(caller.form.encode(), given.encode()):
        raise NotOurForm()


def open_tokens(engine: Engine, settings: Settings, ended: Callable[[str], None] = lambda number: None) -> Tokens:
    """The tokens of a log."""
    return Tokens(ServiceStore.of(engine, settings.tokens), ended, settings.openid)


def _caller(number: str, name: str, scope: int, pools: str, until: float | None) -> Caller:
    return Caller(number, name, _SCOPES[scope], tuple(filter(None, pools.split("\n"))), until)


def _current(caller: Caller) -> Caller | None:
    return caller if caller.until is None or time.time() < caller.until else None


def cookie(headers: Mapping[str, str], wanted: str) -> str:
    """Returns the value of a cookie; empty if it is missing."""
    pairs = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
    return next((value for name, _, value in pairs if name == wanted), "")
