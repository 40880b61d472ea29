"""Signing in at the desk: a token is given once, and a session takes its place in the browser."""

import asyncio
from urllib.parse import parse_qsl

from ratingcore_service.access import COOKIE, SIGNED_IN, check_form, check_same_origin
from ratingcore_service.problems import BadQuery, TokenNeeded, TooLarge
from ratingcore_service.routing import HTML, PAGE, Asked, Reply, Route, Scope


async def form_of(asked: Asked) -> dict[str, str]:
    """The fields of a form that a browser sent, which carries what only the pages of its session know.

    Raises
    ------
    NotOurForm, BadQuery, TooLarge
    """
    settings, text = asked.service.settings, bytearray()
    async with asyncio.timeout(settings.body_seconds):
        more = asked.receive is not None
        while more and asked.receive is not None:
            message = await asked.receive()
            text += message.get("body", b"")
            more = message.get("more_body", False)
            if len(text) > settings.body_bytes:
                raise TooLarge("form", settings.body_bytes)
    try:
        fields = dict(parse_qsl(text.decode("ascii"), keep_blank_values=True, max_num_fields=settings.query_fields))
    except ValueError:
        raise BadQuery("the form cannot be read") from None
    if asked.caller.session:
        check_form(asked.caller, fields.pop("form", ""))
    return fields


async def sign_in(asked: Asked) -> Reply:
    """Begins a session of whoever has a token."""
    check_same_origin(asked.headers)
    tokens = await asked.service.tokens()
    caller = tokens.caller((await form_of(asked)).get("token", "").strip())
    if caller is None:
        raise TokenNeeded()
    return _at_the_desk(asked, tokens.sign_in(caller), round(SIGNED_IN))


async def sign_out(asked: Asked) -> Reply:
    """Ends a session."""
    await form_of(asked)
    (await asked.service.tokens()).sign_out(asked.caller)
    return _at_the_desk(asked, "", 0)


def _at_the_desk(asked: Asked, session: str, seconds: int) -> Reply:
    cookie = f"{COOKIE}={session}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age={seconds}"
    headers = {"Set-Cookie": cookie, "Location": asked.link("/desk/"), "Cache-Control": "no-store"}
    return Reply("", 303, HTML, headers)


ROUTES = (
    Route("POST", "/desk/session", sign_in, HTML, scope=Scope.NONE, units=10 * PAGE, errors=(401, 403), status=303),
    Route("POST", "/desk/session/end", sign_out, HTML, errors=(403,), status=303, own_pools=True),
)
