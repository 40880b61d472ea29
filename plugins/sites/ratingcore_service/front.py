"""The front of the application: sends remembered answers before any routing, and adds the common headers."""

import asyncio
import re
from urllib.parse import unquote, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ratingcore.errors import RatingCoreError
from ratingcore_service.access import address_of, network_of
from ratingcore_service.measures import LIVE, Turn
from ratingcore_service.problems import BadHost, response
from ratingcore_service.remembered import Headers, Key, safe
from ratingcore_service.routing import routed, sent_path
from ratingcore_service.service import Service
from ratingcore_service.settings import Settings

AGAIN = 0.01
"""Units of the rate limit that a remembered answer uses."""
STALE: tuple[int, Headers, bytes] = (0, [], b"")
"""Stands for a remembered answer that was made from an earlier state of the log."""
TURN = "ratingcore.turn"
"""Key of the request's turn in its scope."""


class Front:
    """The application as called by servers and hosts.

    Parameters
    ----------
    service : Service
    inner : ASGI application
        The routes.
    """

    def __init__(self, service: Service, inner: ASGIApp) -> None:
        self.service, self._inner = service, inner
        settings = service.settings
        self._remembers = not settings.private
        self._read = _READ | ({b"host"} if settings.allowed_host else set())
        self._behind = bool(settings.trusted_proxy)

    @property
    def settings(self) -> Settings:
        """The settings of the service."""
        return self.service.settings

    @property
    def services(self) -> list[Service]:
        """The only service, in a list as for several logs."""
        return [self.service]

    def start(self) -> None:
        """Starts the background work of the service."""
        self.service.start()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if b"%2f" in scope.get("raw_path", b"").lower():
                scope = {**scope, "path": routed(scope["raw_path"].decode("latin-1"))}
            again = self._again(scope)
            if again is STALE and await self.service.remembered.renewed(_key(scope)):
                again = self._again(scope)
            if again is not None and again is not STALE:
                status, headers, body = again
                await send({"type": "http.response.start", "status": status, "headers": [*headers]})
                await send({"type": "http.response.body", "body": body})
            elif scope["path"] == scope.get("root_path", "") + "/live":
                await LIVE(scope, receive, send)
            else:
                await self._answer(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)

    def _again(self, scope: Scope) -> tuple[int, Headers, bytes] | None:
        """Returns status, headers and body of a remembered answer; None or `STALE` if the routes have to answer."""
        service = self.service
        if not self._remembers or scope["method"] != "GET":
            return None
        entry = service.remembered.get(_key(scope))
        if entry is None:
            return None
        wanted = taken = None
        for name, value in scope["headers"]:
            if name in self._read:
                if name == b"accept-encoding":
                    taken = value
                elif name == b"if-none-match":
                    wanted = value
                elif name == b"host" and known_host(value, self.settings):
                    pass
                else:  # the answer depends on the caller
                    return None
        try:
            stamp = service.desk.look()
        except RatingCoreError:
            return None  # the routes report the error
        depends = entry.depends
        if stamp is None or depends != (stamp.erasures if type(depends) is int else stamp):
            return STALE
        if service.again.short(self._peer(scope), AGAIN):
            return None
        service.measures.hits.inc()
        return entry.chosen(wanted, taken)

    def _peer(self, scope: Scope) -> str:
        """Returns the account that the rate limit charges for a remembered answer."""
        peer = scope["client"][0] if scope.get("client") else ""
        if not self._behind:
            return network_of(peer)
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        return address_of(headers, peer, self.service.settings)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets the routes answer."""
        turn = scope[TURN] = Turn()
        status, settings = 500, self.service.settings
        given = dict(scope["headers"])
        origin = given.get(b"origin", b"").decode("latin-1")
        readable = scope["method"] == "GET" and origin in settings.allow_origin

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status, headers = message["status"], safe(message["headers"])
                if status == 307:  # a redirect to the path with a slash; a proxy may have another host, and HTTPS
                    headers = [(name, _path(value) if name == b"location" else value) for name, value in headers]
                if readable:
                    headers += [(b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"origin")]
                message["headers"] = headers
            await send(message)

        try:
            hosts = [value for name, value in scope["headers"] if name == b"host"]
            if len(hosts) > 1 or not known_host(given.get(b"host", b""), self.settings):
                await response(BadHost())(scope, receive, sending)
            else:
                await self._inner(scope, receive, sending)
        finally:
            self.service.measures.answered(turn, scope["method"], status)
            self.service.relieve()

    async def _live(self, receive: Receive, send: Send) -> None:
        """Closes the log when the server ends; nothing is needed at its start."""
        while True:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                await asyncio.get_running_loop().run_in_executor(None, self.service.close)
                await send({"type": "lifespan.shutdown.complete"})
                return
            if self.service.settings.warm:
                self.service.warm()
            await send({"type": "lifespan.startup.complete"})


def _key(scope: Scope) -> Key:
    return scope.get("root_path", ""), scope["path"], scope["query_string"]


def _path(address: bytes) -> bytes:
    """Returns the path and query of an address as sent, with one leading slash, since two would name another host."""
    parts = urlsplit(address.decode("latin-1"))
    path = sent_path(unquote(parts.path)).lstrip("/")
    return f"/{path}{'?' if parts.query else ''}{parts.query}".encode("latin-1")


def known_host(host: bytes, settings: Settings) -> bool:
    """True if a `Host` header names an allowed host."""
    allowed = settings.allowed_host
    return not allowed or _PORT.sub("", host.decode("latin-1")).lower() in allowed


_PORT = re.compile(r":\d*\Z")
_READ = frozenset({b"accept-encoding", b"if-none-match", b"authorization", b"origin"})
"""The request headers on which an answer depends; the last two make it depend on the caller."""
