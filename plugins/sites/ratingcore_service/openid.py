"""Signing in by OpenID Connect: the provider that an officer names, and what follows from what it vouches for [1]_.

References
----------
.. [1] *OpenID Connect Core 1.0*, https://openid.net/specs/openid-connect-core-1_0.html, section 3.1: the code flow.
"""

import hashlib
import hmac
import secrets
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from ratingcore.errors import BadFile, NotInstalled
from ratingcore_service.keeping import Keeping
from ratingcore_service.problems import NotListed, NotVerified, ProviderAway, SignInEnded, SignInFailed
from ratingcore_service.routing import Scope

SIGNED = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
"""Algorithms of signatures that only the provider can make: neither `none` nor one with a shared secret."""
AWAY = 600.0
"""Seconds that signing in at the provider may take."""
MOST = 10_000
"""Number of people who may be there at once; the first to leave are dropped if there are more."""

Address = Annotated[
    str, Meta(pattern=r"^(https://[^/?#@]+|http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)(/[^?#]*)?\Z")
]
Text = Annotated[str, Meta(min_length=1)]


class Person(Struct, frozen=True):
    """Somebody whom the provider vouches for.

    Parameters
    ----------
    name : str
        Their verified e-mail address, else their number at the provider; their events are recorded under it.
    claims : mapping of str to list of str
        What the provider says of them, as far as the officer's list asks.
    """

    name: str
    claims: dict[str, list[str]]


class Provider(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A provider, and the list of who may do what.

    Parameters
    ----------
    issuer, client_id, client_secret : str
        As the provider gave them to the officer.
    site : str
        Address at which browsers reach the service, without its path.
    scope : str
        What the provider is asked for.
    claims : mapping of str to mapping of str to str
        By claim and its value, the scope of those who have it.

    Examples
    --------
    >>> provider = Provider(issuer="https://id.example", client_id="club", client_secret="s", site="https://club.example",
    ...                     claims={"email": {"ann@club.example": "officer"}, "groups": {"players": "read"}})
    >>> provider.scope_of(Person("ann@club.example", {"email": ["ann@club.example"], "groups": ["players"]})).name
    'OFFICER'
    >>> provider.scope_of(Person("17 at id.example", {"groups": ["guests"]})).name
    'NONE'
    """

    issuer: Address
    client_id: Text
    client_secret: Text
    site: Address
    scope: str = "openid email"
    claims: dict[str, dict[str, Literal["read", "record", "correct", "officer", "erase"]]]

    @classmethod
    def read(cls, path: Path) -> "Provider":
        """The provider that a file in TOML describes.

        Raises
        ------
        BadFile
        """
        try:
            return msgspec.convert(tomllib.loads(path.read_text("utf-8")), cls)
        except (ValueError, OSError) as error:
            raise BadFile(str(path), f"describes no provider of OpenID Connect: {error}") from None

    @property
    def host(self) -> str:
        """Its name for people."""
        return urlsplit(self.issuer).netloc

    def scope_of(self, person: Person) -> Scope:
        """The highest scope that the list gives somebody; `NONE` if they are not on it."""
        given = (self.claims.get(claim, {}).get(value) for claim, values in person.claims.items() for value in values)
        return max((Scope[scope.upper()] for scope in given if scope), default=Scope.NONE)

    def person(self, said: Mapping[str, Any]) -> Person:
        """Somebody by the claims of a token that is valid.

        An address counts only if the provider has verified it: anybody can enter that of another.

        Raises
        ------
        NotListed, NotVerified
        """
        verified = said.get("email_verified") is True
        known = {
            claim: [value for value in _listed(said.get(claim)) if value in self.claims[claim]]
            for claim in self.claims
            if verified or claim != "email"
        }
        email = said.get("email")
        name = email if verified and isinstance(email, str) and email else f"{said['sub']} at {self.host}"
        person = Person(name, known)
        if self.scope_of(person) is Scope.NONE:
            if email and not verified:
                raise NotVerified(str(email), self.host)
            raise NotListed(name)
        return person

    def __repr__(self) -> str:
        return f"Provider({self.issuer!r})"  # never the secret


class Departure(NamedTuple):
    """Somebody who has left for the provider: what they must bring back, and where they go on then."""

    state: str
    nonce: str
    verifier: str
    onward: str


class Departures:
    """People who are at the provider. Each comes back once, in the browser in which they left.

    Parameters
    ----------
    keeping : Keeping

    Examples
    --------
    >>> departures = Departures(Keeping(None))
    >>> browser = departures.add(Departure("s", "n", "v", "/desk/publish"))
    >>> departures.take(browser, "s").onward
    '/desk/publish'
    >>> departures.take(browser, "s")
    Traceback (most recent call last):
    ratingcore_service.problems.SignInEnded: this sign-in has ended, or it began in another browser
    """

    def __init__(self, keeping: Keeping) -> None:
        self._keeping = keeping

    def add(self, left: Departure) -> str:
        """Notes a departure; returns the secret for the cookie of its browser."""
        now, browser = time.time(), secrets.token_urlsafe(32)
        old = "SELECT digest FROM departure ORDER BY until DESC LIMIT -1 OFFSET ?"
        self._keeping.run(f"DELETE FROM departure WHERE until < ? OR digest IN ({old})", (now, MOST))
        self._keeping.run("INSERT INTO departure VALUES (?, ?, ?, ?, ?, ?)", (_digest(browser), *left, now + AWAY))
        return browser

    def take(self, browser: str, state: str) -> Departure:
        """The departure of a browser, which is over with that.

        Raises
        ------
        SignInEnded
            If there is none, or the state is another one.
        """
        number, now = _digest(browser), time.time()
        statement = "SELECT state, nonce, verifier, onward FROM departure WHERE digest = ? AND until > ?"
        rows = self._keeping.rows(statement, (number, now))
        once = self._keeping.run("DELETE FROM departure WHERE digest = ?", (number,)) if rows else 0
        if not once or not hmac.compare_digest(rows[0][0].encode(), state.encode()):
            raise SignInEnded()
        return Departure(*rows[0])


class Client:
    """What the service asks of a provider: discovery, keys and tokens are the business of Authlib.

    Parameters
    ----------
    provider : Provider

    Raises
    ------
    NotInstalled
    """

    def __init__(self, provider: Provider) -> None:
        try:
            from authlib.integrations.starlette_client import StarletteOAuth2App
        except ImportError:
            raise NotInstalled("authlib", "signing in by OpenID Connect", "openid") from None
        self.provider = provider
        self._app: Any = StarletteOAuth2App(
            None, client_id=provider.client_id, client_secret=provider.client_secret,
            server_metadata_url=f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration",
            client_kwargs={"scope": provider.scope, "code_challenge_method": "S256"},
        )  # fmt: skip

    async def leave(self, back: str, onward: str) -> tuple[str, Departure]:
        """The address at which somebody signs in, and their departure.

        Parameters
        ----------
        back : str
            Address to which the provider sends them back.
        onward : str
            Path where they go on then.

        Raises
        ------
        SignInFailed, ProviderAway
        """
        with _Words(self.provider.host):
            await self._known()
            left = await self._app.create_authorization_url(back)
            return left["url"], Departure(left["state"], left["nonce"], left["code_verifier"], onward)

    async def person(self, back: str, code: str, left: Departure) -> Person:
        """Somebody who has come back with a code.

        Raises
        ------
        NotSignedIn
            If what the provider says of them is not valid, or the list does not have them.
        ProviderAway
        """
        wanted = {
            "iss": {"essential": True, "value": self.provider.issuer},
            "aud": {"essential": True, "value": self.provider.client_id},
        }
        with _Words(self.provider.host):
            await self._known()
            token = await self._app.fetch_access_token(back, code=code, code_verifier=left.verifier)
            said = await self._app.parse_id_token(token, left.nonce, claims_options=wanted)
        if not said or not isinstance(said.get("sub"), str):
            raise SignInFailed(self.provider.host, "nobody is named")
        return self.provider.person(said)

    async def _known(self) -> None:
        """What the provider says of itself; only signatures count that nobody else can make."""
        said = await self._app.load_server_metadata()
        if said.get("issuer") != self.provider.issuer:
            said.clear()
            raise ValueError("another issuer")
        offered = said.get("id_token_signing_alg_values_supported") or ["RS256"]
        said["id_token_signing_alg_values_supported"] = [one for one in offered if one in SIGNED] or ["RS256"]


class _Words:
    """Errors of the libraries within, in words."""

    def __init__(self, host: str) -> None:
        self._host = host

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        from authlib.common.errors import AuthlibBaseError
        from httpx2 import HTTPError
        from joserfc.errors import JoseError

        if isinstance(error, HTTPError):
            raise ProviderAway(self._host) from error
        if isinstance(error, AuthlibBaseError | JoseError | ValueError | LookupError | TypeError | RuntimeError):
            reason = getattr(error, "error", "") or type(error).__name__
            raise SignInFailed(self._host, reason) from error


def _listed(value: object) -> list[str]:
    """The values of a claim, which may be a text or a list of them."""
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, str)]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
