"""Limits on the number of connections, since file descriptors are limited, and on how long a client may stay silent."""

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from ratingcore_service.settings import Settings

RESERVED = 256
"""Descriptors reserved for the log, its columns, uploads and jobs."""

HEADERS = 64 << 10
"""Largest number of bytes of headers kept while the rest of them arrives."""
TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


def most(settings: Settings) -> int:
    """Returns the number of connections to allow: fewer than open files, whose limit is raised as far as possible."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return settings.connections
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = settings.connections + RESERVED
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return max(1, limit - RESERVED)


def guarded(settings: Settings) -> type[asyncio.Protocol]:
    """The protocol of uvicorn with timeouts for headers, silence in a body and answers that are not read, and a cap.

    At the cap, the connection that has waited longest for its next request is closed; if all have requests in progress,
    the new one is closed.
    """
    base: Any = AutoHTTPProtocol
    cap = most(settings)
    open_now: set[Any] = set()
    silent: dict[Any, None] = {}
    """Connections whose headers are awaited, the longest first."""

    class Guarded(base):  # type: ignore[misc]  # a class of uvicorn, one of two
        late: asyncio.TimerHandle | None = None
        unread: asyncio.TimerHandle | None = None
        """Ends a connection whose client does not read its answer."""
        read = 0
        """Bytes of the headers that are awaited."""

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if len(open_now) >= cap:
                oldest = next(iter(silent), self)
                oldest.transport.abort()
                open_now.discard(oldest)
                silent.pop(oldest, None)
            if not transport.is_closing():
                open_now.add(self)
                self._await_headers()

        def connection_lost(self, exc: Exception | None) -> None:
            open_now.discard(self)
            self._settled()
            self._read()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.cycle is None or self.cycle.response_complete:
                if self not in silent:
                    self._await_headers()
                if self.cycle is None or not self.cycle.more_body:  # otherwise it is the rest of a refused body
                    self.read += len(data)
                if self.read > HEADERS:
                    self.transport.write(TOO_LARGE)
                    self.transport.close()
            else:
                self._settled()
                if self.cycle.more_body:
                    self.late = self.loop.call_later(settings.body_seconds, self._end)

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if self.cycle.response_complete and not self.transport.is_closing():
                self._settled()
                self._await_headers()

        def pause_writing(self) -> None:
            super().pause_writing()
            self.unread = self.loop.call_later(settings.body_seconds, self.transport.abort)

        def resume_writing(self) -> None:
            self._read()
            super().resume_writing()

        def _read(self) -> None:
            if self.unread is not None:
                self.unread.cancel()
                self.unread = None

        def _await_headers(self) -> None:
            silent[self], self.read = None, 0
            self.late = self.loop.call_later(settings.header_seconds, self._end)

        def _settled(self) -> None:
            silent.pop(self, None)
            if self.late is not None:
                self.late.cancel()
                self.late = None

        def _end(self) -> None:
            if self.flow.read_paused:  # this process itself is not reading
                self.late = self.loop.call_later(settings.body_seconds, self._end)
            elif self in silent or self.cycle.more_body:
                self.transport.abort()

    return Guarded
