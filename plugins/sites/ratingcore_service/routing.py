"""What a table of routes holds: an address, who may ask, what goes over the line, and the function that answers."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from enum import IntEnum
from functools import cache, cached_property
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

import msgspec
from attrs import field, frozen
from msgspec import Struct
from starlette.responses import Response

from ratingcore import Engine
from ratingcore.plugin.readers import unrepeated
from ratingcore_service.problems import BadQuery, NotJson, SenderGone, TooLarge, TooLate
from ratingcore_service.remembered import names_state
from ratingcore_service.wire import Query, said

if TYPE_CHECKING:
    from ratingcore_service.access import Caller
    from ratingcore_service.service import Service

JSON, HTML, EVENTS = "application/json", "text/html; charset=utf-8", "text/event-stream"

PAGE, COSTLY, UPLOAD, JOB = 2.0, 5.0, 10.0, 50.0
"""Units of the rate limit: a list or a page; an explanation, a preview or a diff; an upload; a job."""
SLOWEST = 32 << 10
"""Bytes a second at least in which a body comes that takes longer than any other may."""
POOL = "/api/v1/pools/{pool}"
ASKED, SENT = (404, 422), (400, 404, 413, 422)
"""Statuses of the errors of a question, and of what comes with a body."""


class Scope(IntEnum):
    """What a caller may do; each includes the ones before."""

    NONE = 0
    READ = 1
    RECORD = 2
    CORRECT = 3
    OFFICER = 4
    ERASE = 5


@frozen
class Reply:
    """An answer with a status, headers or a form of its own.

    Parameters
    ----------
    value : Struct, bytes or str
        A value is written as JSON; bytes and text go out as they are.
    status : int
    media : str
    headers : mapping of str to str
        Further ones.
    head : str
        Head of the log that the answer is of; the one of the value if empty.
    permalink : str
        Address that gives this answer for ever.
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
    """An address that is answered, and all that its contract says.

    Parameters
    ----------
    method : str
        `GET`, `POST` or `DELETE`.
    path : str
        As Starlette spells it: `/api/v1/pools/{pool}/list`.
    handler : callable
        A plain function `(engine, asked)` is a question: it runs in a reading thread, once for all who ask it at the
        same time, and what it returns is remembered. A coroutine function `(asked)` runs in the event loop, and is
        never remembered.
    answer : type of Struct, or a media type; empty where there is no content
    query, body : type of Struct
        None as body: the request has none. A media type: the handler reads it itself.
    scope : Scope
        What the caller may do; of `READ` a private service alone asks for a token.
    units : float
        What a request takes from the caller's rate.
    errors : tuple of int
        Statuses of the errors that it has beyond those that all have.
    status : int
        Status of the usual answer.
    also : tuple of int
        Statuses that an answer may have too: 200 where what was sent is there already.
    media : tuple of str
        Media types that the answer has where it is asked for in another form.
    head : bool
        Whether `If-Match` is needed.
    may_match : bool
        Whether `If-Match` is read where it is not needed.
    key : bool
        Whether `Idempotency-Key` is read.
    own_pools : bool
        Whether the handler itself refuses the pools that are not the caller's. Else a token that is for some pools only
        is good for the addresses of these pools.
    cut : bool
        Whether the address itself names a state of the log that never changes, as that of a published list does.
    now : bool
        Whether the answer depends on the log as it is now even where the question names a state of it.
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
        """Whether it is a question to the engine, which a reading thread answers."""
        return not iscoroutinefunction(self.handler)

    @property
    def api(self) -> bool:
        """Whether programs ask it, who are given errors as JSON."""
        return self.path.startswith("/api/")

    @property
    def summary(self) -> str:
        """What it answers, in one sentence."""
        return (self.handler.__doc__ or "").strip().partition("\n")[0].rstrip(".")


def fields_of(pairs: list[tuple[str, str]], where: str) -> dict[str, str]:
    """The fields of a query string or a form, each of which is given once.

    Raises
    ------
    BadQuery
        If one is given twice: whichever value was taken, the other one was meant too.
    """
    names = [name for name, _ in pairs]
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise BadQuery(f"the field {twice[0][:100]!r} is given twice in the {where}: give it once")
    return dict(pairs)


def decoded(body: bytes, kind: Any) -> Any:
    """A body of JSON as its type has it.

    Of a key that is given twice the decoder takes the last value, so a second one looks at the keys: a thousandth of
    the time in which a game is recorded.

    Raises
    ------
    NotJson, BadQuery
    """
    try:
        made = _decoder(kind).decode(body)
        json.loads(body.decode(), object_pairs_hook=unrepeated, parse_int=str, parse_float=str)
        return made
    except msgspec.ValidationError as error:
        raise BadQuery(said(error), "" if " - at " in str(error) else _form_of(kind)) from None
    except (ValueError, RecursionError) as error:
        raise NotJson(str(error)) from None


def _form_of(kind: Any) -> str:
    """The fields of a body in words; empty for one that has several forms."""
    if not (isinstance(kind, type) and issubclass(kind, Struct)):
        return ""
    names = [
        one.encode_name if one.required else f"{one.encode_name} (optional)" for one in msgspec.structs.fields(kind)
    ]
    return f"the body is an object with {', '.join(names)}: see /api/v1/openapi.json"


@cache
def _decoder(kind: Any) -> "msgspec.json.Decoder[Any]":
    """The decoder of a type: making that of a union takes as long as decoding a request."""
    return msgspec.json.Decoder(kind)


@frozen
class Asked:
    """A request as handlers are given it: checked, and by somebody who may ask it.

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
        Where the application is mounted: `/ratings`; empty at the top.
    address : str
        Path and query string below the root, as they are sent.
    receive : callable
        Gives the rest of the body, for a handler that reads it itself.
    peer : str
        Address of the other end of the connection.
    """

    service: "Service"
    route: Route
    caller: "Caller"
    path: Mapping[str, Any]
    query: Any
    body: Any = None
    headers: Mapping[str, str] = field(factory=dict)
    root: str = ""
    address: str = ""
    receive: Callable[[], Awaitable[Any]] | None = None
    peer: str = ""

    @property
    def of_a_state(self) -> bool:
        """Whether the answer is about a state of the log that never changes: only an erasure makes another of it."""
        return not self.route.now and (self.route.cut or names_state(self.cut))

    def method(self, pool: str) -> str | None:
        """The method that the question names or that is set for a pool; None for the pool's own question."""
        return self.service.settings.method(pool, getattr(self.query, "method", None))

    @property
    def cut(self) -> str | None:
        """The cut in the log that the question names."""
        return getattr(self.query, "known_at", None)

    def link(self, path: str) -> str:
        """The address of a path of this application, from the top of the host."""
        return f"{self.root}{path}"

    async def whole(self, what: str = "body") -> bytes:
        """The whole body of the request, see `parts`."""
        return b"".join([part async for part in self.parts(what=what)])

    async def parts(self, most: int | None = None, what: str = "body") -> AsyncGenerator[bytes, None]:
        """The body of the request as it comes in.

        Parameters
        ----------
        most : int, bytes
            As large as the settings allow a body to be, if None.
        what : str
            What the body is, for the error.

        Raises
        ------
        TooLarge
            If it is larger.
        TooLate
            If it takes longer than the settings allow a body to take, beyond a second for every 32 KiB.
        """
        settings, size, more = self.service.settings, 0, self.receive is not None
        most, began = settings.body_bytes if most is None else most, time.monotonic()
        said = self.headers.get("content-length", "")
        if said.isascii() and said.isdigit() and (len(said) > 18 or int(said) > most):
            raise TooLarge(what, most)
        while more and self.receive is not None:
            left = settings.body_seconds + size / SLOWEST - (time.monotonic() - began)
            try:
                message = await asyncio.wait_for(self.receive(), left)
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
