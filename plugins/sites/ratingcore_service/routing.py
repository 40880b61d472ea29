"""Routes: an address, the scope it needs, the types of its body and answer, and the function that handles it."""

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from enum import IntEnum
from functools import cache, cached_property
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import msgspec
from attrs import field, frozen
from msgspec import Struct
from starlette.responses import Response
from starlette.types import Message, Receive

from ratingcore import Engine
from ratingcore.plugin.readers import unrepeated
from ratingcore_service.problems import BadQuery, NotJson, SenderGone, TooLarge, TooLate
from ratingcore_service.remembered import names_state
from ratingcore_service.validation import refusal
from ratingcore_service.wire import Query

if TYPE_CHECKING:
    from ratingcore_service.access import Caller
    from ratingcore_service.service import Service

JSON, HTML, EVENTS = "application/json", "text/html; charset=utf-8", "text/event-stream"

PAGE, COSTLY, UPLOAD, JOB = 2.0, 5.0, 10.0, 50.0
"""Units of the rate limit: a list or a page; an explanation, a preview or a diff; an upload; a job."""
SLOWEST = 32 << 10
"""Fewest bytes per second of a body that takes longer than `body_seconds`."""
POOL = "/api/v1/pools/{pool}"
ALWAYS = (401, 403, 413, 422, 429, 503)
"""Statuses of errors that every route may have; an unknown field is 422."""


class Scope(IntEnum):
    """What a caller may do; each scope includes the ones before it."""

    NONE = 0
    READ = 1
    RECORD = 2
    CORRECT = 3
    OFFICER = 4
    ERASE = 5


@frozen
class Reply:
    """An answer with its own status, headers or media type.

    Parameters
    ----------
    value : Struct, bytes or str
        A Struct is written as JSON; bytes and text are sent unchanged.
    status : int
    media : str
    headers : mapping of str to str
        Further headers.
    head : str
        Head of the log that the answer was made from; if empty, that of the value, else of the log.
    permalink : str
        Address that always gives this same answer.
    """

    value: Struct | bytes | str
    status: int = 200
    media: str = JSON
    headers: Mapping[str, str] = field(factory=dict)
    head: str = ""
    permalink: str = ""


Answer = Struct | Reply | Response


@frozen
class Route:
    """A route: an address with its handler, its limits, and its part of the contract.

    Parameters
    ----------
    method : str
        `GET`, `POST` or `DELETE`.
    path : str
        As Starlette spells it: `/api/v1/pools/{pool}/list`.
    handler : callable
        A plain function `(engine, asked)` is a question: it runs in a reading thread, once for all who ask it at the
        same time, and its answer is cached. A coroutine function `(asked)` runs in the event loop, and its answer
        is never cached.
    answer : type of Struct, or a media type; empty where there is no content
    query, body : type of Struct
        A body of None means that the request has none; for a media type, the handler reads the body itself.
    scope : Scope
        The scope that the caller needs; `READ` needs a token only at a private service.
    units : float
        Units of the caller's rate limit that a request uses.
    errors : tuple of int
        Statuses of its errors, beyond those of every route and those that follow from its address, body and headers.
    status : int
        Status of the usual answer.
    also : tuple of int
        Other statuses of success: 200 if what was sent is recorded already, 202 if the work is not finished.
    media : tuple of str
        Further media types in which the answer can be requested.
    head : bool
        Whether `If-Match` is required.
    may_match : bool
        Whether `If-Match` is optional.
    key : bool
        Whether `Idempotency-Key` is read.
    own_pools : bool
        Whether the handler itself refuses pools outside the caller's token. Otherwise, a token for some pools is
        accepted only at the addresses of these pools.
    cut : bool
        Whether the address itself names a fixed state of the log, such as a published list.
    now : bool
        Whether the answer depends on the current log even if the question names a fixed state.
    """

    method: str
    path: str
    handler: Callable[[Engine, "Asked"], Answer] | Callable[["Asked"], Awaitable[Answer]]
    answer: type[Struct] | str
    query: type[Query] = Query
    body: Any = None
    scope: Scope = Scope.READ
    units: float = PAGE
    errors: tuple[int, ...] = ()
    status: int = 200
    also: tuple[int, ...] = ()
    media: tuple[str, ...] = ()
    head: bool = False
    may_match: bool = False
    key: bool = False
    own_pools: bool = False
    cut: bool = False
    now: bool = False

    @cached_property
    def question(self) -> bool:
        """True if it is a question to the engine, answered in a reading thread or a process."""
        return not iscoroutinefunction(self.handler)

    @property
    def api(self) -> bool:
        """True if it is part of the API, whose errors are JSON."""
        return self.path.startswith("/api/")

    @property
    def failures(self) -> list[int]:
        """The statuses of its errors."""
        of_body = () if self.body is None else (408,) if isinstance(self.body, str) else (400, 408)
        of_head = (412, 428) if self.head else (412,) if self.may_match else ()
        return sorted({*ALWAYS, *self.errors, *of_body, *of_head, *((404,) if "{" in self.path else ())})

    @property
    def summary(self) -> str:
        """The first line of its handler's docstring, for the contract."""
        return (self.handler.__doc__ or "").strip().partition("\n")[0].rstrip(".")


def fields_of(pairs: list[tuple[str, str]], where: str) -> dict[str, str]:
    """Returns the fields of a query string or a form, none of them given twice.

    Raises
    ------
    BadQuery
        If one is given twice, since either value may be the intended one.
    """
    names = [name for name, _ in pairs]
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise BadQuery(f"the field {twice[0][:100]!r} is in the {where} twice: give it once")
    return dict(pairs)


def decoded(body: bytes, kind: Any) -> Any:
    """Decodes a JSON body as its type.

    The decoder accepts repeated keys, so the body is parsed again to refuse them; this takes a thousandth of the time
    of recording a game.

    Raises
    ------
    NotJson, BadQuery
    """
    try:
        made = _decoder(kind).decode(body)
        _UNREPEATED.decode(body.decode())
        return made
    except msgspec.ValidationError as error:
        raise refusal(error, _parsed(body), advice=_form_of(kind)) from None
    except (ValueError, RecursionError) as error:
        raise NotJson(_flaw(error, body)) from None


_UNREPEATED = json.JSONDecoder(object_pairs_hook=unrepeated, parse_int=str, parse_float=str)


def _parsed(body: bytes) -> Any:
    """Returns a body of a wrong type, so that the refusal can quote its value; raises `NotJson` if it is not JSON.

    The decoder stops at the first value of another type, and what follows may be anything.
    """
    try:
        return json.loads(body, parse_int=lambda text: int(text[:_DIGITS]))
    except (ValueError, RecursionError) as error:
        raise NotJson(_flaw(error, body)) from None


def _flaw(error: Exception, body: bytes) -> str:
    """Returns why a body is not JSON."""
    for mark, why in _MARKS.items():
        if body.startswith(mark):
            return why
    text = str(error)
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeDecodeError) or text.startswith("Invalid UTF-8"):
        return "it is not UTF-8"
    if found := _MALFORMED.search(text):
        return f"{found[1]} at byte {found[2]}"
    return "it ends too early" if "truncated" in text else text


_MARKS = {
    b"\x1f\x8b": "it is compressed", b"\xef\xbb\xbf": "it begins with a byte order mark",
    b"\xff\xfe": "it is not UTF-8", b"\xfe\xff": "it is not UTF-8",
}  # fmt: skip
"""The first bytes of bodies that are not JSON, with the reason."""
_DIGITS = 400
"""Number of digits that are quoted of a number, since Python refuses to read very long ones."""
_MALFORMED = re.compile(r"malformed: (.*) \(byte ([0-9]+)\)")


def _form_of(kind: Any) -> str:
    """Returns a sentence that lists the fields of a body, or names the contract, which has all of them."""
    if not (isinstance(kind, type) and issubclass(kind, Struct)):
        return "the types of its fields are in /api/v1/openapi.json"
    names = [
        one.encode_name if one.required else f"{one.encode_name} (optional)" for one in msgspec.structs.fields(kind)
    ]
    return f"the body is an object with {', '.join(names)}: see /api/v1/openapi.json"


@cache
def _decoder(kind: Any) -> "msgspec.json.Decoder[Any]":
    """Returns the cached decoder of a type; making one for a union takes as long as decoding a request."""
    return msgspec.json.Decoder(kind)


async def disconnected(receive: Receive) -> None:
    """Waits until the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def nothing() -> Message:
    """Returns an empty body."""
    return {"type": "http.request"}


def routed(path: str) -> str:
    """Returns the path of an address as routes match it: `%2F` is a slash within a part, and never divides two."""
    return unquote(_SLASH.sub(_INNER, path))


def sent_path(path: str) -> str:
    """Converts a path for routes back to its form in an address."""
    return quote(path, safe="/~").replace(quote(_INNER), "%2F")


def _named(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the parts of an address with their slashes restored."""
    return {name: part.replace(_INNER, "/") if isinstance(part, str) else part for name, part in parts.items()}


_SLASH = re.compile("%2f", re.IGNORECASE)
_INNER = "\0"
"""Stands for a slash within a part of an address when routes are matched; no name or value has this character."""


@frozen
class Asked:
    """A request that handlers receive, after the checks of its form and of the caller's rights.

    Parameters
    ----------
    service : Service
    route : Route
    caller : Caller
    path : mapping of str to str or int
        Parts of the address.
    query : Query
    body : value of the body's type, or None
    headers : mapping of str to str
        By name in small letters.
    root : str
        Path at which the application is mounted, such as `/ratings`; empty at the top.
    address : str
        Path and query string below the root, as sent.
    receive : callable
        ASGI function that returns the rest of the body, for a handler that reads it itself.
    peer : str
        Address of the other end of the connection.
    pays : str
        The account that rate limits charge: the caller's, or their address if they have none.
    """

    service: "Service"
    route: Route
    caller: "Caller"
    path: Mapping[str, Any] = field(converter=_named)
    query: Any
    body: Any = None
    headers: Mapping[str, str] = field(factory=dict)
    root: str = ""
    address: str = ""
    receive: Receive = nothing
    peer: str = ""
    pays: str = ""

    @property
    def of_a_state(self) -> bool:
        """True if the answer is about a fixed state of the log: only an erasure can change it."""
        return not self.route.now and (self.route.cut or names_state(self.cut))

    def method(self, pool: str) -> str | None:
        """Returns the method that the question names or that is set for a pool; None for the pool's own."""
        return self.service.settings.method(pool, getattr(self.query, "method", None))

    @property
    def given_method(self) -> str:
        """The method that the query or the body names; empty without one."""
        return getattr(self.query, "method", None) or getattr(self.body, "method", None) or ""

    @property
    def cut(self) -> str | None:
        """The cut of the log that the question names; None without one."""
        return getattr(self.query, "known_at", None)

    def link(self, path: str) -> str:
        """Returns the address of a path of this application, including its mount point."""
        return f"{self.root}{path}"

    async def whole(self, what: str = "body") -> bytes:
        """Returns the whole body of the request, see `parts`."""
        return b"".join([part async for part in self.parts(what=what)])

    async def parts(self, most: int | None = None, what: str = "body") -> AsyncGenerator[bytes, None]:
        """Yields the body of the request as it arrives.

        Parameters
        ----------
        most : int, bytes
            Largest size; None for the limit in the settings.
        what : str
            Word for the body in the error.

        Raises
        ------
        TooLarge
            If it is larger.
        TooLate
            If it takes longer than the time in the settings plus a second for every 32 KiB.
        SenderGone
        """
        size, more, began = 0, True, time.monotonic()
        settings = self.service.settings
        most = settings.body_bytes if most is None else most
        length = self.headers.get("content-length", "")
        if length.isascii() and length.isdigit() and (len(length) > 18 or int(length) > most):
            raise TooLarge(what, most)
        while more:
            try:
                async with asyncio.timeout(settings.body_seconds + size / SLOWEST - (time.monotonic() - began)):
                    message = await self.receive()
            except TimeoutError:
                raise TooLate(what) from None
            if message["type"] == "http.disconnect":
                raise SenderGone(what)
            part = message.get("body", b"")
            size += len(part)
            if size > most:
                raise TooLarge(what, most)
            yield part
            more = message.get("more_body", False)
