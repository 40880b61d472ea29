"""Signing in by OpenID Connect: the configured provider, and the rights that follow from a person's claims [1]_.

References
----------
.. [1] *OpenID Connect Core 1.0*, https://openid.net/specs/openid-connect-core-1_0.html, section 3.1: the code flow.
"""

import hmac
import secrets
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from ratingcore.errors import BadFile, NotInstalled
from ratingcore_service.problems import NotListed, NotVerified, ProviderAway, SignInEnded, SignInFailed
from ratingcore_service.routing import Scope
from ratingcore_service.service_store import ServiceStore, digest

SIGNED = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
"""Algorithms of signatures that only the provider can make: neither `none` nor one with a shared secret."""
AWAY = 600.0
"""Seconds that signing in at the provider may take."""
MOST = 10_000
"""Largest number of sign-ins in progress; beyond it, the oldest are dropped."""

Address = Annotated[
    str, Meta(pattern=r"^(https://[^/?#@]+|http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)(/[^?#]*)?\Z")
]
Text = Annotated[str, Meta(min_length=1)]


class Person(Struct, frozen=True):
    """A person whom the provider has identified.

    Parameters
    ----------
    name : str
        Their verified e-mail address, else their number at the provider; their events are recorded under it.
    claims : mapping of str to list of str
        Those of the provider's claims about them that the list of rights names.
    """

    name: str
    claims: dict[str, list[str]]


class Provider(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A provider, and the list of rights.

    Parameters
    ----------
    issuer, client_id, client_secret : str
        As issued by the provider.
    site : str
        Address at which browsers reach the service, without its path.
    scope : str
        The OAuth scope requested from the provider.
    claims : mapping of str to mapping of str to str
        By claim and value, the scope of the persons who have it.

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
        """Reads a provider from a TOML file.

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
        """Its host name, which pages show."""
        return urlsplit(self.issuer).netloc

    def scope_of(self, person: Person) -> Scope:
        """Returns the highest scope that the list gives a person; `NONE` if they are not on it."""
        given = (self.claims.get(claim, {}).get(value) for claim, values in person.claims.items() for value in values)
        return max((Scope[scope.upper()] for scope in given if scope), default=Scope.NONE)

    def person(self, given: Mapping[str, Any]) -> Person:
        """Returns the person described by the claims of a valid token.

        An e-mail address counts only if the provider has verified it, since anybody can enter someone else's.

        Raises
        ------
        NotListed, NotVerified
        """
        verified = given.get("email_verified") is True
        known = {
            claim: [value for value in _listed(given.get(claim)) if value in self.claims[claim]]
            for claim in self.claims
            if verified or claim != "email"
        }
        email = given.get("email")
        name = email if verified and isinstance(email, str) and email else f"{given['sub']} at {self.host}"
        person = Person(name, known)
        if self.scope_of(person) is Scope.NONE:
            if email and not verified:
                raise NotVerified(str(email), self.host)
            raise NotListed(name)
        return person

    def __repr__(self) -> str:
        return f"Provider({self.issuer!r})"  # without the secret


class Departure(NamedTuple):
    """A sign-in in progress at the provider: what its answer must match, and the page to show afterwards."""

    state: str
    nonce: str
    verifier: str
    onward: str


class Departures:
    """The sign-ins in progress at the provider; each can be completed once, in the browser that began it.

    Parameters
    ----------
    store : ServiceStore

    Examples
    --------
    >>> departures = Departures(ServiceStore(None))
    >>> browser = departures.add(Departure("s", "n", "v", "/desk/publish"))
    >>> departures.take(browser, "s").onward
    '/desk/publish'
    >>> departures.take(browser, "s")
    Traceback (most recent call last):
    ratingcore_service.problems.SignInEnded: this sign-in has ended, or it began in another browser
    """

    def __init__(self, store: ServiceStore) -> None:
        self._store = store

    def add(self, left: Departure) -> str:
        """Stores a departure; returns the secret for its browser's cookie."""
        now, browser = time.time(), secrets.token_urlsafe(32)
        old = "SELECT digest FROM departure ORDER BY until DESC LIMIT -1 OFFSET ?"
        self._store.run(f"DELETE FROM departure WHERE until < ? OR digest IN ({old})", (now, MOST))
        self._store.run("INSERT INTO departure VALUES (?, ?, ?, ?, ?, ?)", (digest(browser), *left, now + AWAY))
        return browser

    def take(self, browser: str, state: str) -> Departure:
        """Returns and removes the departure of a browser.

        Raises
        ------
        SignInEnded
            If there is none, or its state differs.
        """
        number, now = digest(browser), time.time()
        statement = "SELECT state, nonce, verifier, onward FROM departure WHERE digest = ? AND until > ?"
        rows = self._store.rows(statement, (number, now))
        once = self._store.run("DELETE FROM departure WHERE digest = ?", (number,)) if rows else 0
        if not once or not hmac.compare_digest(rows[0][0].encode(), state.encode()):
            raise SignInEnded()
        return Departure(*rows[0])


class Client:
    """A client of the provider; Authlib handles discovery, keys and tokens.

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
        """Returns the provider's sign-in address, and the departure to store.

        Parameters
        ----------
        back : str
            Address to which the provider sends the person back.
        onward : str
            Path of the page to show afterwards.

        Raises
        ------
        SignInFailed, ProviderAway
        """
        with _in_our_words(self.provider.host):
            await self._known()
            left = await self._app.create_authorization_url(back)
            return left["url"], Departure(left["state"], left["nonce"], left["code_verifier"], onward)

    async def person(self, back: str, code: str, left: Departure) -> Person:
        """Returns the person whom the provider sent back with a code.

        Raises
        ------
        NotSignedIn
            If the provider's token is invalid, or the person is not on the list.
        ProviderAway
        """
        wanted = {
            "iss": {"essential": True, "value": self.provider.issuer},
            "aud": {"essential": True, "value": self.provider.client_id},
        }
        with _in_our_words(self.provider.host):
            await self._known()
            token = await self._app.fetch_access_token(back, code=code, code_verifier=left.verifier)
            given = await self._app.parse_id_token(token, left.nonce, claims_options=wanted)
        if not given or not isinstance(given.get("sub"), str):
            raise SignInFailed(self.provider.host, "its answer names nobody")
        return self.provider.person(given)

    async def _known(self) -> None:
        """Loads the provider's metadata; of its signature algorithms only those in `SIGNED` are accepted."""
        metadata = await self._app.load_server_metadata()
        if metadata.get("issuer") != self.provider.issuer:
            metadata.clear()
            raise ValueError("another issuer")
        offered = metadata.get("id_token_signing_alg_values_supported") or ["RS256"]
        metadata["id_token_signing_alg_values_supported"] = [one for one in offered if one in SIGNED] or ["RS256"]


@contextmanager
def _in_our_words(host: str) -> Iterator[None]:
    """Turns errors of the libraries in the block into errors of the service."""
    from authlib.common.errors import AuthlibBaseError
    from httpx2 import HTTPError
    from joserfc.errors import JoseError

    try:
        yield
    except HTTPError as error:
        raise ProviderAway(host) from error
    except (AuthlibBaseError, JoseError, ValueError, LookupError, TypeError, RuntimeError) as error:
        raise SignInFailed(host, getattr(error, "error", "") or type(error).__name__) from error


def _listed(value: object) -> list[str]:
    """Returns the texts of a claim, which may be one text or a list."""
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, str)]
