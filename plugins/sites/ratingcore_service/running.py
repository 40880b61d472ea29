"""Runs an application with uvicorn, in one or several processes, until it is stopped."""

import gc
import ipaddress
import logging
import math
import multiprocessing.connection
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from shlex import quote
from types import FrameType
from typing import Any

import uvicorn

import ratingcore as rc
from ratingcore.plugin.commands import Mistake, note, reading, say
from ratingcore_service.access import open_tokens
from ratingcore_service.app import make
from ratingcore_service.bounded_process import end_with
from ratingcore_service.connections import guarded
from ratingcore_service.front import Front
from ratingcore_service.openid import Client
from ratingcore_service.settings import Settings
from ratingcore_service.several_logs import SeveralLogs, named

STOP = 10
"""Seconds for requests and processes to end after a stop."""
LOCAL = ("localhost", "127.0.0.1", "[::1]")
"""Host names of a service that only this machine reaches."""
NO_HTTPS = (
    "note: browsers keep a sign-in at the desk only over HTTPS, or on this machine at 127.0.0.1; for other machines, "
    "put a proxy with HTTPS in front"
)
AGAIN = 1.0
"""Seconds after which a process that has died is replaced, since it may keep dying."""
MINUTE = 60.0
"""Seconds between two lines for the same warning of the server, at least."""
SWITCH = 0.0005
"""Seconds after which a busy thread lets the event loop run; with Python's 0.005, remembered answers wait for it."""


def run(addresses: tuple[str, ...], host: str, port: int, workers: int, settings: Mapping[str, Any]) -> None:
    """Serves a log, or several, until the process is stopped; a missing file is created first.

    Raises
    ------
    Mistake
        If other machines could reach it without a token, if several processes would write to one file, or if the port
        is taken.
    """
    chosen = Settings.of(settings)
    logs = named(addresses)
    for one in logs.values():
        if workers > 1 and "://" not in one and not chosen.read_only:
            raise Mistake(
                "only one process can write to a file", "use --workers 1, --read-only, or a log in PostgreSQL"
            )
        if "://" not in one and not chosen.read_only and not Path(one).exists():
            rc.open(one).close()
            note(f"{one}: a new log; for its desk: {token_line(one)}")
        check_guarded(one, host, chosen)
    if _loopback(host) and not (chosen.allowed_host or chosen.trusted_proxy):
        settings = {**settings, "allowed_host": LOCAL}  # a page elsewhere may point its own host name at this address
    app = make(logs[""], settings) if "" in logs else SeveralLogs(logs, settings)
    _lines_on_stderr()
    with _door(host, port) as door:
        if workers == 1:
            app.start()  # first, since a log that cannot be opened has no address
        say(f"http://{f'[{host}]' if ':' in host else host}:{door.getsockname()[1]}/")
        if not (_loopback(host) or chosen.trusted_proxy or chosen.read_only):
            note(NO_HTTPS)
        if workers == 1:
            serve(app, door)
        else:
            supervise(workers, lambda: _started(app, door))


def _started(app: Front | SeveralLogs, door: socket.socket) -> None:
    app.start()
    serve(app, door)


def serve(app: Front | SeveralLogs, door: socket.socket) -> None:
    """Serves an application that was started in this process."""
    config = uvicorn.Config(
        app, http=guarded(app.settings), ws="none", log_level="warning", server_header=False, access_log=False,
        proxy_headers=False, backlog=2048, timeout_graceful_shutdown=STOP,
    )  # fmt: skip  # access.py knows which proxy counts
    logging.getLogger("uvicorn.error").addFilter(Sparse())
    sys.setswitchinterval(SWITCH)
    signal.signal(signal.SIGTERM, _end)  # uvicorn raises the signal again after it has shut down
    try:
        Server(config, app).run(sockets=[door])
    finally:
        for service in app.services:
            service.close()


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def spare_modules() -> None:
    """Exempts loaded modules from garbage collections, which would halt all requests for a tenth of a second."""
    gc.collect()
    gc.freeze()


class Server(uvicorn.Server):
    """A server that ends its streams when it is stopped, since uvicorn would wait for them."""

    def __init__(self, config: uvicorn.Config, app: Front | SeveralLogs) -> None:
        super().__init__(config)
        self._app = app
        self._loaded = self._spared = 0
        """Number of loaded modules a second ago, and when they were exempted from garbage collections."""

    async def on_tick(self, counter: int) -> bool:
        """Exempts modules from garbage collections whenever some were loaded, such as those of a method's kernels."""
        if counter % 10 == 0:
            before, self._loaded = self._loaded, len(sys.modules)
            if self._spared != self._loaded == before:
                self._spared = self._loaded
                spare_modules()
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ends the streams first."""
        for service in self._app.services:
            service.head_watch.end_streams()
        super().handle_exit(sig, frame)


def supervise(count: int, work: Callable[[], None]) -> None:
    """Runs worker processes; one that dies is replaced, and all end when this process is stopped.

    Parameters
    ----------
    count : int
    work : callable
        Runs in each process; the log must not be open at the fork.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    parent = os.getpid()

    def begun() -> None:
        end_with(parent)  # a worker that went on would keep the port
        work()

    fork = multiprocessing.get_context("fork")
    workers = list[Any]()
    try:
        while True:
            while len(workers) < count:
                worker = fork.Process(target=begun)
                worker.start()
                workers.append(worker)
            multiprocessing.connection.wait([worker.sentinel for worker in workers])
            for ended in [worker for worker in workers if not worker.is_alive()]:
                workers.remove(ended)
                say(f"process {ended.pid} has ended; another one is started")
            time.sleep(AGAIN)
    except SystemExit:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        late, living = time.monotonic() + STOP + 5, multiprocessing.active_children()
        for one in living:
            one.terminate()
        for one in living:
            one.join(max(0.0, late - time.monotonic()))
            one.kill()


def _door(host: str, port: int) -> socket.socket:
    """Returns a socket that listens at an address."""
    six = ":" in host
    family, both = socket.AF_INET6 if six else socket.AF_INET, six and socket.has_dualstack_ipv6()
    try:  # many clients may connect at once
        return socket.create_server((host, port), family=family, backlog=2048, dualstack_ipv6=both)
    except OSError as error:
        why = (error.strerror or "").partition(" (while")[0]
        raise Mistake(f"cannot listen at {host}:{port}: {why}", "choose another --port; 0 takes any free one") from None


def _lines_on_stderr() -> None:
    """Sets up logging to stderr: a line of JSON per request, and full reports of faults."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    for name in ("ratingcore.requests", "ratingcore.service"):
        log = logging.getLogger(name)
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        log.propagate = False


class Sparse(logging.Filter):
    """Lets each warning through once a minute, with the number of those left out, as any client can cause thousands.

    Parameters
    ----------
    clock : callable
        Returns the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._last: dict[str, tuple[float, int]] = {}
        """By text, when a warning was last written, and how many were left out since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """True if a record is written: an error, or the first warning of its text for a minute."""
        if record.levelno >= logging.ERROR:
            return True
        text, now = str(record.msg), self._clock()
        written, omitted = self._last.get(text, (-math.inf, 0))
        if now - written < MINUTE:
            self._last[text] = written, omitted + 1
            return False
        self._last[text] = now, 0
        if omitted:
            record.msg = f"{text} ({omitted:,} more since the last line)"
        return True


def check_guarded(address: str, host: str, settings: Settings) -> None:
    """Refuses to be reachable by other machines without a token, unless the service is read-only.

    Raises
    ------
    Mistake
    """
    if settings.user_header and not settings.trusted_proxy:
        raise Mistake("--user-header needs --trusted-proxy", "give the address of the proxy that sends it")
    if settings.openid is not None:
        Client(settings.openid)  # needs an extra, so a missing one is reported at once
    if _loopback(host) or settings.read_only or settings.openid is not None:
        return
    with reading(address) as engine:
        guarded = bool(open_tokens(engine, settings).all())
    if not guarded:
        hint = f"create one with {token_line(address)}, or use --read-only"
        raise Mistake(f"the log has no token, and other machines can reach {host}", hint)


def token_line(address: str) -> str:
    """Returns the command line that creates an officer's token."""
    return f"ratingcore token add {quote(address)} secretary --scope officer"


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
