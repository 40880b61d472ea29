"""Desk pages for signing in and out, with a token or through an OpenID Connect provider."""

import re
from typing import Annotated
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from attrs import evolve
from msgspec import Meta
from ratingcore_pages import Look
from starlette.responses import Response

from ratingcore_service.access import ANYBODY, COOKIE, SIGNED_IN, check_same_origin, cookie
from ratingcore_service.officer.forms import NO_STORE, form_of, onward, page_of, sheet
from ratingcore_service.officer.refusals import in_words
from ratingcore_service.openid import AWAY, Client
from ratingcore_service.problems import CookieNotKept, NotFound, SessionNotKept, SignInFailed, TokenNeeded, status_of
from ratingcore_service.routing import HTML, PAGE, Asked, Reply, Route, Scope
from ratingcore_service.wire import Query

SESSION, OPENID, BACK = "/desk/session", "/desk/openid", "/desk/openid/back"
AWAY_COOKIE = "__Host-ratingcore-away"
SIGN_IN = "Sign in first."
NO_TOKEN = "This token is unknown or has expired."
NO_OFFICER = "This token is not an officer's: sign in with one that is."
_PAGE = re.compile(
    r"^(?!.*/(\.|%2[Ee]){1,2}([/?]|\Z))(/([A-Za-z0-9_.~%-][A-Za-z0-9/_.~%-]*)?([?][A-Za-z0-9=&%+_.~-]*)?)?\Z"
)
"""Addresses allowed after a sign-in: within this site, so without two leading slashes, which name another host, and
without parts of dots, which may lead above it."""
_STEP = re.compile(r"/(map|mend|accept|drop|cancel)\Z")
"""The last part of an address to which a form is sent; the rest is the address of the form's page."""
_ERROR = re.compile(r"[a-z_]{1,60}")


class SignInQuery(Query, kw_only=True):
    """Query of the sign-in page."""

    onward: Annotated[str, Meta(max_length=200, pattern=_PAGE.pattern)] = ""
    """Path and query of the page of the desk that is shown next."""


class SignedInQuery(SignInQuery, kw_only=True):
    """Query of the page after a sign-in; `again` is true if the browser was just given a session cookie."""

    again: bool = False


class BackQuery(Query, kw_only=True, forbid_unknown_fields=False):
    """Query with which a provider sends a person back; fields beyond the standard's are ignored."""

    code: Annotated[str, Meta(max_length=4000)] = ""
    state: Annotated[str, Meta(max_length=200)] = ""
    error: Annotated[str, Meta(max_length=200)] = ""


def sign_in_page(look: Look, root: str, asked: str, error: Exception) -> Response:
    """Renders the sign-in page for an unidentified visitor, who returns to the requested page afterwards.

    Parameters
    ----------
    asked : str
        Path and query that were requested; after a failed sign-in, its query names the page to return to.
    error : Exception
        Why the visitor is not identified.
    """
    path, _, query = asked.partition("?")
    signing = path.startswith((SESSION, OPENID))
    onward = dict(parse_qsl(query)).get("onward", "") if signing else _STEP.sub("", asked)
    text, hint = in_words(error, look.environment.filters["word"])
    if isinstance(error, TokenNeeded):
        text, hint = NO_TOKEN if path == SESSION else SIGN_IN, ""
    values = {"wrong": text, "hint": hint, "onward": onward if _PAGE.match(onward) else ""}
    return Response(page_of(look, root, ANYBODY, "desk_sign_in", values), status_of(error), NO_STORE, HTML)


async def sign_in(asked: Asked) -> Reply:
    """Begins a session for the owner of a token."""
    check_same_origin(asked.headers)
    tokens = await asked.service.tokens()
    caller = tokens.caller((await form_of(asked)).get("token", "").strip())
    if caller is None:
        raise TokenNeeded()
    if not _keeps_sessions(asked.headers.get("origin", "")):
        raise SessionNotKept()
    asked.service.measures.note("signed in", caller.id)
    path = f"{SESSION[1:]}?{urlencode({'again': 'true', 'onward': asked.query.onward})}"
    return _at_the_desk(asked, tokens.sign_in(caller), round(SIGNED_IN), path)


async def signed_in(asked: Asked) -> Reply:
    """Redirects somebody who has just signed in to the next page, if the session cookie was kept."""
    if asked.query.again and not asked.caller.session:
        raise CookieNotKept()
    return onward(asked, asked.query.onward.removeprefix("/") or "desk/")


async def sign_out(asked: Asked) -> Reply:
    """Ends a session."""
    await form_of(asked)
    (await asked.service.tokens()).sign_out(asked.caller)
    return _at_the_desk(asked, "", 0)


async def leave(asked: Asked) -> Reply:
    """Redirects to the provider, where the person signs in."""
    client = _client(asked)
    address, left = await client.leave(_back(asked, client), asked.query.onward)
    browser = (await asked.service.tokens()).departures.add(left)
    held = f"{AWAY_COOKIE}={browser}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age={round(AWAY)}"
    return Reply("", 303, HTML, {"Location": address, **NO_STORE, "Set-Cookie": held})


async def arrive(asked: Asked) -> Reply:
    """Begins a session for a person whom the provider has sent back.

    The page refreshes to the next one: after a redirect from another site, a browser would not send the session cookie.
    """
    client, back, tokens = _client(asked), asked.query, await asked.service.tokens()
    left = tokens.departures.take(cookie(asked.headers, AWAY_COOKIE), back.state)
    if back.error or not back.code:
        raise SignInFailed(client.provider.host, back.error if _ERROR.fullmatch(back.error) else "no code")
    person = await client.person(_back(asked, client), back.code, left)
    asked.service.measures.note("signed in", person.name)
    desk = client.provider.scope_of(person) >= Scope.OFFICER
    path = left.onward.removeprefix("/") or ("desk/" if desk else "")
    page = sheet(asked, "desk_signed_in", name=person.name, path=path)
    headers = {**page.headers, "Refresh": f"0; url={asked.link(f'/{path}')}"}
    return evolve(page, headers={**headers, "Set-Cookie": _held(tokens.sign_in(person), round(SIGNED_IN))})


def _client(asked: Asked) -> Client:
    """Returns the client of the provider.

    Raises
    ------
    NotFound
        If there is no provider.
    """
    if asked.service.openid is None:
        raise NotFound("provider of OpenID Connect")
    return asked.service.openid


def _back(asked: Asked, client: Client) -> str:
    """Returns the address to which the provider sends people back; never based on the host that a request names."""
    return client.provider.site.rstrip("/") + quote(asked.link(BACK))


def _at_the_desk(asked: Asked, session: str, seconds: int, path: str = "") -> Reply:
    return onward(asked, path.removeprefix("/") or "desk/", **{"Set-Cookie": _held(session, seconds)})


def _keeps_sessions(origin: str) -> bool:
    """False if a browser drops secure cookies of a form's site; true if it names no origin, as old browsers do."""
    site = urlsplit(origin)
    return site.scheme != "http" or site.hostname in ("localhost", "127.0.0.1", "::1")


def _held(session: str, seconds: int) -> str:
    """Returns the session cookie as a header value."""
    return f"{COOKIE}={session}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age={seconds}"


ROUTES = (
    Route("POST", SESSION, sign_in, HTML, SignInQuery, scope=Scope.NONE, units=10 * PAGE, status=303),
    Route("GET", SESSION, signed_in, HTML, SignedInQuery, scope=Scope.NONE, status=303, own_pools=True),
    Route("POST", "/desk/session/end", sign_out, HTML, status=303, own_pools=True),
    Route("GET", OPENID, leave, HTML, SignInQuery, scope=Scope.NONE, units=10 * PAGE, status=303),
    Route("GET", BACK, arrive, HTML, BackQuery, scope=Scope.NONE, units=10 * PAGE),
)
