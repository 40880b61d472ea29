"""The ASGI application: a table of routes, and the work before and after each handler."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from random import random
from typing import Any
from urllib.parse import parse_qsl, unquote

import msgspec
from attrs import evolve, frozen
from msgspec import Struct
from starlette.responses import Response
from starlette.routing import Route as Address
from starlette.routing import Router
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Request

from ratingcore import Engine
from ratingcore.errors import BrokenContract, LogUnavailable, PluginFails, RatingCoreError, UnknownName
from ratingcore.plugin.readers import sqlite3
from ratingcore.plugin.stores import Stamp
from ratingcore_service import (
    access,
    cards,
    catalogue,
    contract,
    corrections,
    head_watch,
    jobs,
    lists,
    log_events,
    measures,
    pages,
    players,
    problems,
    published,
    recording,
    upkeep,
    uploads,
)
from ratingcore_service.front import TURN, Front
from ratingcore_service.measures import Turn
from ratingcore_service.officer import decisions, files, routine, rule, sign_in, studies, typed
from ratingcore_service.process_pool import Made, Wanted
from ratingcore_service.question import check_limits, check_offered, state_of
from ratingcore_service.remembered import HEAD, Entry, has_tag, tag_of
from ratingcore_service.routing import (
    COSTLY,
    HTML,
    JSON,
    Asked,
    Reply,
    Route,
    Scope,
    decoded,
    disconnected,
    fields_of,
    routed,
    sent_path,
)
from ratingcore_service.service import Service
from ratingcore_service.settings import Settings
from ratingcore_service.validation import refusal
from ratingcore_service.wire import Query


def described(engine: Engine, asked: Asked) -> Reply:
    """The contract of the API, as OpenAPI."""
    return Reply(contract.document([*ROUTES, *pages.of_plugins(engine)]))


ROUTES: tuple[Route, ...] = (
    Route("GET", "/api/v1/openapi.json", described, JSON),
    *(route for room in (
        catalogue, lists, players, published, log_events, recording, corrections, head_watch, upkeep, uploads,
        jobs, measures, sign_in, files, typed, rule, routine, decisions, studies, cards, pages,
    ) for route in room.ROUTES),
)  # fmt: skip
"""All routes; those of the API come first, since a pool may have any other name."""
PLUGINS = "/api/v1/x/", "/x/"
"""Where the pages of plugins are."""


def make(address: str, settings: Mapping[str, Any], beside: Service | None = None) -> Front:
    """Makes the application of a log, beside another one in this process."""
    service = Service(address, Settings.of(settings), beside)
    routes: dict[str, dict[str, Route]] = {}
    for route in ROUTES:
        routes.setdefault(route.path, {})[route.method] = route
    fixed: dict[str, ASGIApp] = {path: _Endpoint(service, some) for path, some in routes.items() if "{" not in path}
    added = _Endpoint(service, {})
    paths = {f"{place}{{page:path}}": added for place in PLUGINS} | fixed
    paths |= {path: _Endpoint(service, some) for path, some in routes.items() if path not in fixed}
    router = Router([Address(path, endpoint) for path, endpoint in paths.items()], default=added)

    async def inner(scope: Request, receive: Receive, send: Send) -> None:
        """Lets an endpoint answer a request; addresses without parameters need not be matched one after the other."""
        await fixed.get(path_of(scope), router)(scope, receive, send)

    return Front(service, inner)


@frozen
class _Endpoint:
    """Answers the requests to an address, by its routes; without any, the address may be a page of a plugin."""

    service: Service
    routes: Mapping[str, Route]

    async def __call__(self, scope: Request, receive: Receive, send: Send) -> None:
        turn: Turn = scope[TURN]
        try:
            turn.route = await self._route(scope)
            made = await self._made(turn.route, scope, receive, turn)
        except Exception as error:  # an unexpected error is answered with an id, and written to the server's log
            if isinstance(error, problems.TooOften):
                await asyncio.sleep(HELD * (1.0 + random()))
            made = _problem(self.service, scope, error)
        await made(scope, receive, send)

    async def _route(self, scope: Request) -> Route:
        routes, path, method = self.routes, path_of(scope), scope["method"]
        if not routes and path.startswith(PLUGINS):  # they are known once the log is open
            offered = await self.service.desk.ask(pages.of_plugins, "pages of plugins")
            routes = {route.method: route for route in offered if route.path == path}
        if not routes:
            raise problems.NotFound(f"page {unquote(sent_path(scope['path']))}")
        found = routes.get("GET" if method == "HEAD" else method)
        if found is None:
            raise problems.BadVerb(method, [*routes, *(["HEAD"] if "GET" in routes else [])])
        return found

    async def _made(self, route: Route, scope: Request, receive: Receive, turn: Turn) -> Response:
        asked = await _asked(self.service, route, scope, receive)
        turn.token = asked.caller.id
        if route.question and route.body is None:
            return await _answer(asked, scope, turn)
        if asked.query.at_least:
            await _reached(self.service, asked.query.at_least)
        handler: Any = route.handler
        answer = await (_worked(asked) if route.question else handler(asked))
        made = answer if isinstance(answer, Response) else made_of(asked, answer)
        turn.head = made.headers.get(HEAD, "")
        return made


def path_of(request: Request) -> str:
    """Returns the path of a request, below the root of the application."""
    path: str = request["path"]
    return path.removeprefix(request.get("root_path", ""))


def _problem(service: Service, request: Request, error: Exception) -> Response:
    """Returns the response to a failed request: JSON for programs; for people a page, which may be the sign-in page."""
    if isinstance(error, OSError | sqlite3.OperationalError) and not isinstance(error, RatingCoreError):
        error = LogUnavailable("the files of the service", str(error))  # for example on a full disk
    root, path, route = request.get("root_path", ""), path_of(request), request[TURN].route
    page = path.startswith("/desk") or (service.settings.private and route is not None and route.answer == HTML)
    if isinstance(error, problems.NotSignedIn) or (isinstance(error, problems.TokenNeeded) and page):
        return sign_in.sign_in_page(service.look, root, _address(request), error)
    return error_response(service, root, path, error)


def _address(request: Request) -> str:
    """Returns the path and query string of a request, below the root of the application."""
    text = request["query_string"].decode("latin-1")
    return sent_path(path_of(request)) + (f"?{text}" if text else "")


def error_response(service: Service, root: str, path: str, error: Exception) -> Response:
    """Returns an error as JSON below `/api/`, else as a page."""
    if path.startswith("/api/"):
        return problems.response(error, service.places)
    return pages.problem_page(service, root, error)


async def _asked(service: Service, route: Route, request: Request, receive: Receive) -> Asked:
    """Makes the `Asked` for a handler, after all checks."""
    root, client = request.get("root_path", ""), request.get("client")
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in request["headers"]}
    peer = client[0] if client else ""
    caller, pays = await _caller(service, route, request, headers, peer)
    access.check_allowed(caller, route, service.settings)
    if caller.ambient and request["method"] not in ("GET", "HEAD"):
        access.check_same_origin(headers)
    query = query_of(request["query_string"], route.query, service.settings)
    asked = Asked(
        service, route, caller, request.get("path_params", {}), query, None, headers, root, _address(request), receive,
        peer, pays,
    )  # fmt: skip
    kind = route.body
    if kind is not None and not isinstance(kind, str):
        sent = await asked.whole()
        small = len(sent) < LARGE  # a large body would block other requests
        body = decoded(sent, kind) if small else await service.desk.ask(lambda engine: decoded(sent, kind))
        asked = evolve(asked, body=body)
    await _check_own_pools(asked)
    return asked


async def _caller(
    service: Service, route: Route, request: Request, headers: Mapping[str, str], peer: str
) -> tuple[access.Caller, str]:
    """Identifies the caller, and charges the request to their account, or to their address if they have none.

    Returns
    -------
    caller : Caller
    pays : str
        What is charged.
    """
    address = access.address_of(headers, peer, service.settings)
    asks = b"method=" in request["query_string"]
    try:
        caller = access.recognised(await service.tokens(), headers, path_of(request), peer, service.settings, asks)
    except problems.TokenNeeded:
        service.rates.take(address, route.units)
        raise
    pays = caller.account or address
    entry = route.scope is Scope.NONE and route.path.startswith("/desk")
    (service.entries if entry else service.rates).take(pays, route.units)
    return caller, pays


async def _check_own_pools(asked: Asked) -> None:
    """Refuses a token for other pools, where a token is needed and the handler does not check its pools."""
    needed = asked.route.scope > Scope.READ or asked.service.settings.private
    if not asked.caller.pools or asked.route.own_pools or not needed:
        return
    if "pool" not in asked.path:
        access.check_whole_log(asked.caller)
        return
    await asked.service.desk.ask(lambda engine: check_limits(engine, asked))


async def _answer(asked: Asked, request: Request, turn: Turn) -> Response:
    """Answers a question, and remembers the answer if it is the same for everybody."""
    service = asked.service
    stamp = await _reached(service, asked.query.at_least)
    depends: Stamp | int = stamp.erasures if asked.of_a_state else stamp
    key = asked.root, request["path"], request["query_string"]
    state = await service.desk.ask(lambda engine: state_of(engine, asked.cut, stamp)) if asked.of_a_state else stamp
    tag = tag_of(key, state, service.version)
    wanted, taken = (asked.headers.get(name, "").encode("latin-1") for name in ("if-none-match", "accept-encoding"))
    own = bool(asked.caller.pools) or asked.route.scope > Scope.READ
    cache = _cache(asked, own)
    if wanted and not own and wanted.strip() != b"*" and has_tag(wanted, tag.encode()):
        return Response(status_code=304, headers={"ETag": tag, "Cache-Control": cache})

    def packed(made: Response) -> Entry | Response:
        # an error that a process has already turned into a response stays one
        return made if made.status_code >= 400 else Entry.of(made, depends, tag, cache)

    def kept(entry: Entry | Response) -> Entry | Response:
        if (
            isinstance(entry, Entry)
            and not own
            and entry.status == 200
            and service.head_watch.erasures == stamp.erasures
        ):
            service.remembered.put(key, entry)
        return entry

    gone = asyncio.create_task(disconnected(asked.receive))
    same = None if own else (key, depends, cache, access.trusted(asked.caller))
    try:
        with nullcontext() if own else service.remembered.making(key):
            entry = await _worked(asked, same, packed, kept, gone)
    except UnknownName:
        if (await service.desk.stamp()).erasures == stamp.erasures:
            raise
        return await _answer(asked, request, turn)  # the name was erased after its number had been looked up
    finally:
        gone.cancel()
    if isinstance(entry, Response):
        return entry
    turn.head = entry.head
    status, headers, body = entry.chosen(None if own else wanted, taken)
    sent = Response(body, status)
    sent.raw_headers = headers
    return sent


async def _worked(
    asked: Asked, key: Any = None, pack: Callable[[Response], Any] = lambda made: made,
    keep: Callable[[Any], Any] = lambda packed: packed, gone: "asyncio.Task[None] | None" = None,
) -> Any:  # fmt: skip
    """Answers a question: for routes that need more than reading at once, else through the public queue.

    Compressing a large answer takes tens of milliseconds, so `pack` runs in the thread that has it.
    """
    service, route = asked.service, asked.route
    if route.scope > Scope.READ:
        return keep(await service.desk.ask(lambda engine: pack(asked_of(engine, asked))))
    kind = service.desk.address, route.path, asked.given_method.partition(":")[0]
    long = _is_long(asked, kind, await service.desk.stamp())
    question = _wanted(asked) if long else lambda: pack(asked_of(service.desk.engine, asked))

    def packed(made: Made) -> Any:
        response = Response(made.body, made.status)
        response.raw_headers = list(made.headers)
        return pack(response)

    return await service.queue.answer(asked.pays, question, key, packed, keep, gone, kind)


LARGE = 16 << 10
"""Size in bytes from which a body is decoded in a thread."""
HELD = 1.0
"""Least time before a caller over the rate limit gets the error, so that no client asks in a tight loop."""
LONG = ("against", "at", "known_at", "method", "show", "since", "through")
"""Fields of a query that can make an answer slow, such as another method or day."""


def _is_long(asked: Asked, kind: tuple[str, ...], stamp: Stamp) -> bool:
    """True if a question may take long and needs a process; in a small log, only if its kind recently took long."""
    service = asked.service
    small = stamp.position <= service.settings.short_events and not service.queue.is_dear(kind)
    if small or service.desk.engine.log.address is None:
        return False
    given = any(getattr(asked.query, name, None) for name in LONG)
    return given or asked.body is not None or asked.route.units >= COSTLY


def _wanted(asked: Asked) -> Wanted:
    """Returns the question in the form that is sent to a process."""
    path, _, query = asked.address.partition("?")
    body = b"" if asked.body is None else msgspec.json.encode(asked.body)
    return Wanted(
        asked.service.desk.log_address, asked.route.method, routed(path), query.encode("latin-1"), body, asked.root,
        access.trusted(asked.caller),
    )  # fmt: skip


def asked_of(engine: Engine, asked: Asked) -> Response:
    """Calls a question's handler, after a check that the caller may use the method."""
    check_offered(engine, asked)
    handler: Any = asked.route.handler
    try:
        answer = handler(engine, asked)
    except (BrokenContract, PluginFails) as error:
        given = asked.given_method
        if ":" not in given or not (isinstance(error, BrokenContract) or isinstance(error.__cause__, ArithmeticError)):
            raise
        raise problems.BadQuery(
            f"numbers become too large or too small with {given}", "choose values closer to the defaults"
        ) from error
    static = asked.cut or asked.route.scope is Scope.NONE  # a private log shows its head to nobody else
    return made_of(asked, answer, "" if static else str(engine.log.head))


async def _reached(service: Service, position: int) -> Stamp:
    """Waits until the log has reached a position, and returns its stamp; after an erasure, forgets remembered answers.

    Raises
    ------
    NotYet
        If it does not reach it in time.
    """
    clock = asyncio.get_running_loop().time
    until = clock() + service.settings.at_least_seconds
    while (stamp := await service.desk.stamp()).position < position:
        if clock() > until:
            raise problems.NotYet(position)
        await asyncio.sleep(0.02)
    if service.head_watch.erasures not in (None, stamp.erasures):  # the head watch has yet to notice
        service.remembered.clear()
    return stamp


def _cache(asked: Asked, own: bool) -> str:
    """Returns the `Cache-Control` of an answer: caches must revalidate it, since a name may be erased at any time."""
    if asked.route.scope > Scope.READ:
        return "no-store"
    whose = "private" if own or asked.service.settings.private or asked.caller.id or asked.caller.session else "public"
    return f"{whose}, no-cache"


def made_of(asked: Asked, answer: Struct | Reply, head: str = "") -> Response:
    """Turns the answer of a handler into a response; the head of the log is this one, unless the answer names one."""
    reply = answer if isinstance(answer, Reply) else Reply(answer, asked.route.status)
    value = reply.value
    body = msgspec.json.encode(value) if isinstance(value, Struct) else value
    headers = {"Content-Type": reply.media, **reply.headers}
    head = reply.head or getattr(value, "head", head)
    permalink = reply.permalink or getattr(value, "permalink", "")
    headers |= {HEAD: head} if head else {}
    headers |= {"Content-Location": permalink} if permalink and not asked.of_a_state else {}
    return Response(body, reply.status, headers)


def query_of(text: bytes, kind: type[Query], settings: Settings) -> Query:
    """Decodes a query string as its type.

    Raises
    ------
    TooLarge, BadQuery
    """
    if len(text) > settings.query_bytes:
        raise problems.TooLarge("query string", settings.query_bytes)
    try:
        pairs = parse_qsl(
            text.decode("ascii"), keep_blank_values=True, strict_parsing=bool(text), errors="strict",
            max_num_fields=settings.query_fields,
        )  # fmt: skip
    except ValueError:
        raise problems.BadQuery("the query string must be fields NAME=VALUE, joined by &") from None
    given = fields_of(pairs, "query string")
    try:
        query = msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        unknown = given.keys() - set(kind.__struct_encode_fields__)
        advice = f"fields of this address: {', '.join(sorted(kind.__struct_encode_fields__))}" if unknown else ""
        raise refusal(error, given, advice=advice) from None
    for name, field in zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True):
        if name in given and getattr(query, field) is None:  # `null` is read as a missing number
            raise problems.BadQuery(
                f"the field {name} has no value: {given[name]}", f"leave {name} out, or give it a value"
            )
    return query
