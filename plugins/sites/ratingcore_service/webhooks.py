"""Webhooks: sends new events of the log to configured addresses, in order and at least once [1]_.

References
----------
.. [1] *Standard Webhooks*, https://www.standardwebhooks.com, specification 1.0.0: identifiers, signatures, back-off.
"""

import base64
import hashlib
import ipaddress
import math
import re
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from itertools import islice, takewhile
from typing import Any
from urllib.parse import urlsplit

import msgspec
from attrs import astuple, frozen
from standardwebhooks import Webhook as Signature

from ratingcore import AnyEvent, Engine
from ratingcore.errors import BadValue, LogUnavailable, RatingCoreError
from ratingcore.plugin.analysis import iso
from ratingcore.plugin.readers import sqlite3
from ratingcore.plugin.stores import Row
from ratingcore_service.desk import Desk
from ratingcore_service.head_watch import pools_of
from ratingcore_service.log_events import event_answers
from ratingcore_service.service_store import ServiceStore

WAITS = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds before each further attempt; after the last one a message is a dead letter, and the next one follows."""
MOST = 100
"""Largest number of events of a message, and of players who moved."""
SECONDS = 15.0
"""Seconds within which an address must answer."""
ASK = 1.0
"""Seconds between two checks for something to send."""
_NETWORKS = "::/96 64:ff9b::/96 64:ff9b:1::/48 fec0::/10 5f00::/16 3fff::/20 192.0.0.0/24 192.88.99.0/24"
NOT_OUTSIDE = tuple(map(ipaddress.ip_network, _NETWORKS.split()))
"""Networks that some versions of Python count as global: of IPv6 those that map to IPv4 (compatible addresses, NAT64),
and those of site-local addresses, segment routing and documentation; of IPv4 the reserved ones."""
TYPES = dict.fromkeys(("game", "session"), "results.recorded") | {"list": "list.published"}
TYPES |= dict.fromkeys(("void", "amend", "merge", "unmerge"), "corrections.recorded")

_SENT = re.compile(r"[!-~]*")
"""Characters allowed in a path and a query."""


class Undelivered(Exception):
    """An attempt to deliver a message failed; the message is sent again later."""


class Gone(Undelivered):
    """An address answered 410: nothing is sent to it any more, as the specification has it."""


@frozen
class Hook:
    """A webhook: its address, and the state of its deliveries.

    Parameters
    ----------
    id, url, secret : str
    begin : int
        Position of the log after which its first message begins.
    private : bool
        Whether its address may be in a private network.
    moved : bool
        Whether messages list the players whose ratings changed.
    tries : int
        Failed attempts at the next message.
    retry : float, seconds since 1970
        When the next attempt is due; infinite for an address that is gone.
    error : str
        Reason of the last failure; empty if the last attempt succeeded.
    """

    id: str
    url: str
    secret: str
    begin: int
    private: bool
    moved: bool
    tries: int
    retry: float
    error: str


class Hooks:
    """The webhooks of a log, and their dead letters, stored as positions without names.

    Parameters
    ----------
    store : ServiceStore

    Examples
    --------
    >>> hooks = Hooks(ServiceStore(None))
    >>> hook = hooks.add("https://club.example/news", begin=7)
    >>> hook.secret[:6], [one.url for one in hooks.all()], hooks.remove(hook.id)
    ('whsec_', ['https://club.example/news'], True)
    """

    def __init__(self, store: ServiceStore) -> None:
        self._store = store

    def add(self, url: str, begin: int, *, private: bool = False, moved: bool = False) -> Hook:
        """Adds a webhook; its secret verifies the messages.

        Raises
        ------
        BadValue
            If the address is neither HTTPS nor HTTP in a private network, or is not a usable address.
        """
        try:
            parts = urlsplit(url)
            usable = parts.port != 0 and len((parts.hostname or "").encode("idna")) < 254
        except ValueError:  # errors of the encoding too
            usable = False
        if not usable or not _SENT.fullmatch(parts.path + parts.query):
            raise BadValue("url", url, "is not a valid address: check its host, port and path")
        if parts.scheme not in (("http", "https") if private else ("https",)) or not parts.hostname or parts.username:
            raise BadValue("url", url, "must begin with https, or with http and be in a private network")
        hook = Hook(
            secrets.token_hex(4), url, f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}", begin, private,
            moved, 0, 0.0, "",
        )  # fmt: skip
        self._store.run("INSERT INTO webhook VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", astuple(hook))
        return hook

    def all(self) -> list[Hook]:
        """Returns all webhooks, by id."""
        return [Hook(*row) for row in self._store.rows("SELECT * FROM webhook ORDER BY id")]

    def one(self, number: str) -> Hook | None:
        """Returns the webhook of an id; None if there is none."""
        return next((hook for hook in self.all() if hook.id == number), None)

    def remove(self, number: str) -> bool:
        """Removes a webhook and its dead letters; returns whether it existed."""
        self._store.run("DELETE FROM dead_letter WHERE webhook = ?", (number,))
        return bool(self._store.run("DELETE FROM webhook WHERE id = ?", (number,)))

    def note(self, hook: Hook, tries: int, error: str, *, gone: bool = False) -> None:
        """Stores how often the next message has failed, and when it is tried again."""
        retry = math.inf if gone else time.time() + WAITS[tries - 1] if tries else 0.0
        statement = "UPDATE webhook SET tries = ?, retry = ?, error = ? WHERE id = ?"
        self._store.run(statement, (tries, retry, error, hook.id))

    def begin_at(self, hook: Hook, position: int) -> None:
        """Moves the beginning of a webhook back, after a backup from before it was added was put in place."""
        self._store.run("UPDATE webhook SET begin = ? WHERE id = ?", (position, hook.id))

    def bury(self, hook: Hook, first: int, last: int, error: str) -> None:
        """Adds a dead letter: the events from one position to another were not delivered."""
        values = (hook.id, first, last, time.time(), error)
        self._store.run("INSERT OR REPLACE INTO dead_letter VALUES (?, ?, ?, ?, ?)", values)

    def dead(self, number: str) -> list[tuple[Any, ...]]:
        """Returns the dead letters of a webhook: first and last position, time of giving up, and reason."""
        statement = "SELECT first, last, at, error FROM dead_letter WHERE webhook = ? ORDER BY first"
        return self._store.rows(statement, (number,))

    def drop(self, number: str, first: int) -> None:
        """Removes a dead letter."""
        self._store.run("DELETE FROM dead_letter WHERE webhook = ? AND first = ?", (number, first))


class Webhooks:
    """Delivers to the webhooks of a log, with a thread for each; only one process delivers to a webhook at a time.

    Parameters
    ----------
    desk : Desk
    """

    def __init__(self, desk: Desk) -> None:
        self._desk, self._closed = desk, threading.Event()
        self._lock = threading.Lock()
        self._threads: dict[str, threading.Thread] = {}
        self._watching: threading.Thread | None = None

    def start(self, hooks: Hooks) -> None:
        """Starts the delivery to all webhooks, including those added later."""
        with self._lock:
            if self._watching is None and not self._closed.is_set():
                self._watching = threading.Thread(target=self._watch, args=(hooks,), name="webhooks", daemon=True)
                self._watching.start()

    def close(self) -> None:
        """Ends after the attempts in progress; undelivered messages are sent again later."""
        self._closed.set()
        until = time.monotonic() + SECONDS
        for thread in [*self._threads.values(), *filter(None, [self._watching])]:
            thread.join(max(0.0, until - time.monotonic()))

    def _watch(self, hooks: Hooks) -> None:
        while not self._closed.is_set():
            with suppress(sqlite3.Error, OSError):  # the file is locked, or the disk is full, for a while
                for hook in hooks.all():
                    if hook.id not in self._threads or not self._threads[hook.id].is_alive():
                        thread = threading.Thread(target=self._work, args=(hooks, hook.id), name="webhook", daemon=True)
                        self._threads[hook.id] = thread
                        thread.start()
            self._closed.wait(ASK)

    def _work(self, hooks: Hooks, number: str) -> None:
        with suppress(sqlite3.Error, OSError, RatingCoreError):  # as above, or another process delivers
            while not self._closed.is_set() and (hook := hooks.one(number)) is not None and time.time() >= hook.retry:
                if not deliver(self._desk.engine, hooks, hook):
                    return  # the thread is started again


def deliver(engine: Engine, hooks: Hooks, hook: Hook) -> bool:
    """Sends the next message of a webhook, if there is one; returns whether it was delivered or given up."""
    name = f"webhook {hook.id}"
    try:
        with engine.follow(name) as feed:
            end = engine.log.head.position
            if hook.begin > end:
                hooks.begin_at(hook, end)
            after = max(feed.position, min(hook.begin, end))
            pairs = _next(engine, after)
            if not pairs:
                return False
            last = pairs[-1][0].position
            try:
                _send(hook, _number(engine, after + 1), _message(engine, hook, pairs))
            except Undelivered as failed:
                if hook.tries < len(WAITS) or isinstance(failed, Gone):
                    raise
                hooks.bury(hook, after + 1, last, str(failed))
            for _ in islice(feed, last - feed.position):  # the cursor moves at the end of the block
                pass
    except Undelivered as failed:
        hooks.note(hook, hook.tries + 1, str(failed), gone=isinstance(failed, Gone))
        return False
    if hook.tries:
        hooks.note(hook, 0, "")
    return True


def deliver_again(engine: Engine, hooks: Hooks, number: str, first: int) -> None:
    """Sends a dead letter again under its id; removes it if delivered, else stores the new reason.

    One whose events are no longer in the log, since a backup was put in its place, is removed.
    """
    hook = hooks.one(number)
    letter = next((one for one in hooks.dead(number) if one[0] == first), None)
    if hook is None or letter is None:
        return
    try:
        if pairs := _next(engine, first - 1):
            _send(hook, _number(engine, first), _message(engine, hook, pairs))
        hooks.drop(number, first)
    except Undelivered as failed:
        hooks.bury(hook, first, letter[1], str(failed))


def _next(engine: Engine, after: int) -> list[tuple[Row, AnyEvent]]:
    """Returns the events of the message after a position: of one batch and one type, the same at every attempt."""
    batch = next(iter(engine.log.batches(after)), None)
    if batch is None:
        return []
    pairs = list(engine.events(after, to=min(batch.last, after + MOST)))
    kind = _type(pairs[0][1])
    return list(takewhile(lambda pair: _type(pair[1]) == kind, pairs))


def _type(event: AnyEvent) -> str:
    return TYPES.get(event.kind, "log.changed")


def _number(engine: Engine, first: int) -> str:
    """Returns the id of the message that begins at a position: the same at every attempt, another one if a backup was
    put in place and the log went on with other events.
    """
    text = f"{engine.log.key} {first} {engine.log.digest_at(first)}"
    return f"msg_{hashlib.sha256(text.encode()).hexdigest()[:32]}"


def _message(engine: Engine, hook: Hook, pairs: Sequence[tuple[Row, AnyEvent]]) -> str:
    first, last = pairs[0][0].position, pairs[-1][0].position
    recorded = next(iter(engine.log.batches(first - 1))).recorded
    data: dict[str, Any] = {"head": f"{last}:{engine.log.digest_at(last)}", "events": event_answers(engine, pairs)}
    if hook.moved:
        data["moved"] = {pool: _moved(engine, pool, first - 1, last) for pool in pools_of(engine, first - 1, last)}
    message = {"type": _type(pairs[0][1]), "timestamp": iso(recorded), "data": data}
    return msgspec.json.encode(message).decode()


def _moved(engine: Engine, pool: str, before: int, after: int) -> list[Any]:
    """Returns the rating changes in a pool between two positions, largest first.

    They are empty for a new pool, and where a list cannot be made, so that no message waits for its method.
    """
    try:
        earlier = engine.rating_list(pool, known_at=before)
        return list(islice(earlier.diff(engine.rating_list(pool, known_at=after)), MOST))
    except LogUnavailable:
        raise
    except RatingCoreError:
        return []


def _send(hook: Hook, number: str, text: str) -> None:
    """Signs and sends a message.

    Raises
    ------
    Undelivered
        If it is not accepted, or the address is in a private network and must not be.
    """
    try:
        _post(hook, number, text)
    except (OSError, HTTPException, ValueError) as failed:  # ValueError: an unusable address
        raise Undelivered(str(failed) or type(failed).__name__) from failed


def _post(hook: Hook, number: str, text: str) -> None:
    now, parts = datetime.now(UTC), urlsplit(hook.url)
    host, secret = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if secret else 80)
    address = _address(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM), private=hook.private)
    door = (_Tls if secret else _Plain)(host, port, timeout=SECONDS)
    door.sock = socket.create_connection((address, port), SECONDS)
    alarm = threading.Timer(SECONDS, _hang_up, [door])  # the timeout above is for each part of an answer
    headers = {
        "Content-Type": "application/json", "User-Agent": "ratingcore", "webhook-id": number,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Signature(hook.secret).sign(number, now, text),
    }  # fmt: skip
    path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    late = time.monotonic() + SECONDS
    alarm.start()
    try:
        if secret:
            context = ssl.create_default_context()
            door.sock = context.wrap_socket(door.sock, server_hostname=host, do_handshake_on_connect=False)
            door.sock.do_handshake()
        door.request("POST", path, text.encode(), headers)
        answer: HTTPResponse = door.getresponse()
    except (OSError, HTTPException):
        if time.monotonic() < late:
            raise
        raise Undelivered(f"no answer within {SECONDS:g} seconds") from None
    finally:
        alarm.cancel()
        door.close()
    if answer.status == HTTPStatus.GONE:
        raise Gone(f"410 {answer.reason}: nothing more is sent to this address")
    if not 200 <= answer.status < 300:
        raise Undelivered(f"{answer.status} {answer.reason}")


def _hang_up(door: HTTPConnection) -> None:
    """Ends a connection that another thread reads from."""
    with suppress(OSError, AttributeError):  # it has ended meanwhile
        door.sock.shutdown(socket.SHUT_RDWR)


def _address(found: Iterable[tuple[Any, ...]], *, private: bool) -> str:
    """Returns the IP address to connect to, so that DNS cannot change it later; refuses private ones unless allowed."""
    addresses = [str(place[0]).partition("%")[0] for *_, place in found]
    for text in addresses:
        one = ipaddress.ip_address(text)
        plain = getattr(one, "ipv4_mapped", None) or getattr(one, "sixtofour", None) or one
        if not private and (not plain.is_global or plain.is_multicast or any(plain in net for net in NOT_OUTSIDE)):
            raise Undelivered("the address is in a private network: add the webhook again, and allow such an address")
    return addresses[0]


class _Plain(HTTPConnection):
    """An HTTP connection on a socket that is already open."""

    def connect(self) -> None: ...


class _Tls(HTTPSConnection):
    """An HTTPS connection on a socket that is already open."""

    def connect(self) -> None: ...
