"""Webhooks: what is new reaches an address in order, signed, and at least once, and nobody's private network."""

import json
import math
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from ratingcore_service import application, webhooks
from ratingcore_service.service_store import SCHEMA, ServiceStore
from ratingcore_service.webhooks import Hook, Hooks, Undelivered, deliver, deliver_again
from standardwebhooks import Webhook as Verifier

import ratingcore as rc
from ratingcore.cli.main import cli
from ratingcore.errors import BadValue
from tests.service.asking import Applied
from tests.service.desk import Desk


class Address:
    """Somebody who is sent messages, and answers with the statuses that are set, 204 after these."""

    def __init__(self) -> None:
        self.taken: list[dict[str, Any]] = []
        self.statuses: list[int] = []
        self.headers: list[dict[str, str]] = []
        self.bodies: list[bytes] = []
        self.arrived = threading.Event()
        address = self

        class Door(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                if len(body) < int(self.headers["content-length"]):
                    return  # the sender has gone
                status = address.statuses.pop(0) if address.statuses else 204
                if status == 204:
                    address.taken.append(json.loads(body))
                    address.headers.append({name.lower(): value for name, value in self.headers.items()})
                    address.bodies.append(body)
                    address.arrived.set()
                self.send_response(status)
                self.end_headers()

            def log_message(self, *args: object) -> None: ...

        self.server = HTTPServer(("127.0.0.1", 0), Door)
        self.url = f"http://127.0.0.1:{self.server.server_port}/news?of=club"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def address() -> Iterator[Address]:
    made = Address()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def engine(club: str) -> Iterator[rc.Engine]:
    with rc.open(club) as opened:
        yield opened


def hooked(engine: rc.Engine, url: str, **options: bool) -> tuple[Hooks, Hook]:
    hooks = Hooks(ServiceStore.of(engine))
    return hooks, hooks.add(url, engine.log.head.position, **options)


def emptied(engine: rc.Engine, hooks: Hooks, hook: Hook) -> int:
    """Delivers until nothing is left; how many messages were."""
    count = 0
    while deliver(engine, hooks, hooks.one(hook.id) or hook):
        count += 1
    return count


def game(day: int, **more: Any) -> rc.GamePlayed:
    return rc.GamePlayed(pool="rapid", played=f"2024-05-{day:02d}", a="ann", b="bo", score=1.0, **more)


def test_what_is_new_is_delivered_in_order_signed_and_once(engine: rc.Engine, address: Address) -> None:
    hooks, hook = hooked(engine, address.url, private=True, moved=True)
    assert emptied(engine, hooks, hook) == 0, "what was there before is no news"
    engine.record(game(1, uid="w-1"), game(2))
    engine.void("w-1", why="slip")
    engine.publish(engine.rating_list("rapid", "elo"), name="May")
    assert emptied(engine, hooks, hook) == 3
    assert [one["type"] for one in address.taken] == ["results.recorded", "corrections.recorded", "list.published"]
    results, corrections, published = (one["data"] for one in address.taken)
    assert [event["kind"] for event in results["events"]] == ["game", "game"]
    assert corrections["events"][0]["fields"]["why"] == "slip"
    assert published["events"][0]["fields"]["name"] == "May"
    assert published["head"] == str(engine.log.head)
    assert {row["player"] for row in results["moved"]["rapid"][:2]} == {"ann", "bo"}
    for headers, body in zip(address.headers, address.bodies, strict=True):
        assert Verifier(hook.secret).verify(body, headers) == json.loads(body)
    assert len({headers["webhook-id"] for headers in address.headers}) == 3


def test_a_list_that_cannot_be_made_holds_up_no_message(engine: rc.Engine, address: Address) -> None:
    """Fixed: the webhook sent nothing more, and noted no error."""
    hooks, hook = hooked(engine, address.url, private=True, moved=True)
    engine.declare("rapid", method="massey")  # which needs points
    engine.record(game(1))
    assert emptied(engine, hooks, hook) == 2
    assert [one["data"]["moved"] for one in address.taken] == [{"rapid": []}] * 2


def test_what_is_not_taken_comes_again_with_its_id_before_anything_else(
    engine: rc.Engine, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks, hook = hooked(engine, address.url, private=True)
    engine.record(game(1))
    engine.record(game(2))
    address.statuses = [500, 301]
    now = 1e9
    monkeypatch.setattr(webhooks.time, "time", lambda: now)
    for tries, reason in ((1, "500 Internal Server Error"), (2, "301 Moved Permanently")):
        assert not deliver(engine, hooks, hooks.one(hook.id) or hook)
        failed = hooks.one(hook.id)
        assert failed is not None
        assert (failed.tries, failed.error, failed.retry - now) == (tries, reason, webhooks.WAITS[tries - 1])
    assert emptied(engine, hooks, hook) == 2
    days = [one["data"]["events"][0]["played"] for one in address.taken]
    assert days == sorted(days)
    again = hooks.one(hook.id)
    assert again is not None
    assert (again.tries, again.error) == (0, "")


def test_a_message_that_nobody_takes_is_a_dead_letter_and_the_next_follows(
    engine: rc.Engine, address: Address, club: str
) -> None:
    hooks, hook = hooked(engine, address.url, private=True)
    before = engine.log.head.position
    engine.record(game(1), game(2))
    engine.record(game(3))
    address.statuses = [503] * (len(webhooks.WAITS) + 1)
    for _ in webhooks.WAITS:
        assert not deliver(engine, hooks, hooks.one(hook.id) or hook)
    assert emptied(engine, hooks, hook) == 2
    assert [row[:2] for row in hooks.dead(hook.id)] == [(before + 1, before + 2)]
    assert [one["data"]["events"][0]["position"] for one in address.taken] == [before + 3]
    shown = CliRunner().invoke(cli, ["webhook", "list", club]).stdout
    assert f"{before + 1}-{before + 2}" in shown
    assert CliRunner().invoke(cli, ["webhook", "remove", club, hook.id]).exit_code == 0
    assert hooks.dead(hook.id) == hooks.all() == []


def dribbles(line: socket.socket) -> None:
    while True:
        line.sendall(b"H")
        time.sleep(0.01)


def continues(line: socket.socket) -> None:
    while True:
        line.sendall(1000 * b"HTTP/1.1 100 Continue\r\n\r\n")


def is_silent(line: socket.socket) -> None:
    while line.recv(1 << 16):
        pass


def is_large(line: socket.socket) -> None:
    line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
    while True:
        line.sendall(bytes(100_000))


@pytest.mark.parametrize(
    ("answers", "error"),
    [*((answers, "no answer within 0.5 seconds") for answers in (dribbles, continues, is_silent)), (is_large, "")],
)
def test_an_attempt_ends_whatever_the_address_answers(
    engine: rc.Engine, monkeypatch: pytest.MonkeyPatch, answers: Callable[[socket.socket], None], error: str
) -> None:
    """A fixed bug: an answer that came byte by byte, or interim ones without end, were read for ever."""
    monkeypatch.setattr(webhooks, "SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve() -> None:
            line, _ = door.accept()
            with line, suppress(OSError):
                line.recv(1 << 16)
                answers(line)

        threading.Thread(target=serve, daemon=True).start()
        hooks, hook = hooked(engine, f"http://127.0.0.1:{door.getsockname()[1]}/", private=True)
        engine.record(game(1))
        assert deliver(engine, hooks, hook) is (error == "")
    failed = hooks.one(hook.id)
    assert failed is not None
    assert failed.error == error


def test_nothing_more_is_sent_to_an_address_that_is_gone(engine: rc.Engine, address: Address, club: str) -> None:
    """Of Standard Webhooks; it was tried again for three days with each message."""
    hooks, hook = hooked(engine, address.url, private=True)
    engine.record(game(1))
    address.statuses = [410]
    assert not deliver(engine, hooks, hook)
    gone = hooks.one(hook.id)
    assert gone is not None
    assert (gone.retry, gone.error) == (math.inf, "410 Gone: nothing more is sent to this address")
    assert "never" in CliRunner().invoke(cli, ["webhook", "list", club]).stdout
    assert (hooks.dead(hook.id), address.taken) == ([], [])


def test_what_is_recorded_after_a_backup_was_restored_is_delivered_under_new_ids(
    address: Address, club: str, tmp_path: Path
) -> None:
    """Fixed bugs: their ids were those of lost events, which a receiver drops; up to the position at which the webhook
    was added, nothing was sent; and a dead letter of lost events ended in an IndexError.
    """
    assert CliRunner().invoke(cli, ["backup", club, str(tmp_path / "backup.db")]).exit_code == 0
    with rc.open(club) as engine:
        engine.record(game(1), game(2), game(3))
        hooks, hook = hooked(engine, address.url, private=True)
        engine.record(game(4))
        assert emptied(engine, hooks, hook) == 1
        hooks.bury(hook, engine.log.head.position, engine.log.head.position, "503")
        lost = engine.log.head.position
    assert CliRunner().invoke(cli, ["restore", str(tmp_path / "backup.db"), club]).exit_code == 0
    with rc.open(club) as engine:
        hooks = Hooks(ServiceStore.of(engine))
        deliver_again(engine, hooks, hook.id, lost)
        assert hooks.dead(hook.id) == []
        assert emptied(engine, hooks, hook) == 0
        for day in range(1, 6):
            engine.record(game(day))
        assert emptied(engine, hooks, hook) == 5
        assert lost in [one["data"]["events"][0]["position"] for one in address.taken[1:]]
    ids = [headers["webhook-id"] for headers in address.headers]
    assert len(set(ids)) == len(ids) == 6


def test_an_officer_sends_a_dead_letter_again_or_drops_it(
    engine: rc.Engine, address: Address, applied: Applied, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks, hook = hooked(engine, address.url, private=True)
    first = engine.log.head.position + 1
    monkeypatch.setattr(webhooks, "WAITS", ())
    address.statuses = [503, 503]
    for day in (1, 2):
        engine.record(game(day))
        assert emptied(engine, hooks, hook) == 1
    desk = Desk(applied(rate=1000.0, burst=10_000.0))
    page = desk.get("/desk/webhooks")
    assert "Messages to programs" in desk.get("/desk/")
    assert (address.url.partition("?")[0] in page, address.url in page) == (True, False)
    assert page.count("503 Service Unavailable") == 2
    address.statuses = [500]
    for told in ("500 Internal Server Error", "503 Service Unavailable"):
        fields = {"webhook": hook.id, "first": str(first), "do": "send"}
        assert desk.send("/desk/webhooks", page, **fields).status_code == 303
        page = desk.get("/desk/webhooks")
        assert told in page
    assert "500 Internal Server Error" not in page
    assert [row[0] for row in hooks.dead(hook.id)] == [first + 1]
    assert [one["data"]["events"][0]["position"] for one in address.taken] == [first]
    assert address.headers[0]["webhook-id"] == webhooks._number(engine, first)
    desk.send("/desk/webhooks", page, webhook=hook.id, first=str(first + 1), do="drop")
    assert hooks.dead(hook.id) == []
    assert len(address.taken) == 1
    assert "There are no undelivered messages." in desk.get("/desk/webhooks")


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.7",
        "169.254.169.254",
        "::1",
        "fe80::1%eth0",
        "::ffff:10.0.0.7",
        "64:ff9b::a00:7",
        "64:ff9b:1::7f00:1",
        "2002:7f00:1::",
        "::127.0.0.1",
        "fec0::1",
        "192.0.0.192",
    ],
)
def test_a_private_network_is_refused_whatever_its_name(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = Hooks(ServiceStore(None)).add("https://club.example/news", 0)
    found = [(0, 0, 0, "", ("93.184.216.34", 443)), (0, 0, 0, "", (address, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *where, **options: found)
    with pytest.raises(Undelivered, match="private network"):
        webhooks._send(hook, "msg_1", "{}")


@pytest.mark.parametrize(
    ("url", "private"),
    [("http://club.example/", False), ("ftp://club.example/", True), ("https://", True), ("https://a@b/", False)],
)
def test_an_address_is_one_of_https_or_of_a_private_network(url: str, private: bool) -> None:
    with pytest.raises(BadValue, match="must begin with https"):
        Hooks(ServiceStore(None)).add(url, 0, private=private)


UNUSABLE = (
    "https://club.example:99999/n", "https://club.example:abc/", "https://club.example:0/", "https://a..b/n",
    f"https://{70 * 'x'}.example/", f"https://{'x.' * 127}example/", "https://[x/", "https://club.example/a b",
)  # fmt: skip


@pytest.mark.parametrize("url", UNUSABLE)
def test_an_address_that_cannot_be_used_is_refused_in_words(club: str, url: str) -> None:
    done = CliRunner().invoke(cli, ["webhook", "add", club, url])
    assert done.exit_code != 0
    assert "is not a valid address" in done.stderr
    assert "should not happen" not in done.stderr


@pytest.mark.parametrize("url", ["https://club.example:99999/n", "https://a..b/n", "https://[x/"])
def test_an_address_that_cannot_be_used_fails_until_its_message_is_a_dead_letter(
    engine: rc.Engine, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    hooks, hook = hooked(engine, "https://club.example/")
    ServiceStore.of(engine).run("UPDATE webhook SET url = ?", (url,))  # one from before they were refused
    monkeypatch.setattr(webhooks, "WAITS", (0,))
    engine.record(game(1))
    bad = hooks.one(hook.id)
    assert bad is not None
    assert not deliver(engine, hooks, bad)
    failed = hooks.one(hook.id)
    assert failed is not None
    assert failed.tries == 1
    assert failed.error
    assert deliver(engine, hooks, failed)
    assert [row[3] for row in hooks.dead(hook.id)] == [failed.error]


def test_a_file_is_read_while_another_process_makes_its_tables(tmp_path: Path) -> None:
    """Of tables made one by one, a service saw some and looked for the next, which ended its webhooks."""
    file = tmp_path / "club.db.service"

    def seen_with(before: str) -> int:
        file.unlink(missing_ok=True)
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.executescript(before)
            return len(ServiceStore(file).rows("SELECT * FROM webhook"))

    made = SCHEMA.split(";")
    assert {seen_with(";".join(made[:count]) + ";COMMIT;") for count in range(1, len(made) - 1)} == {0}


def test_a_running_service_delivers_to_webhooks_that_are_added_meanwhile(
    engine: rc.Engine, address: Address, club: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "ASK", 0.01)
    app = application(club)
    app.service.start()
    done = CliRunner().invoke(cli, ["webhook", "add", club, address.url, "--private"])
    assert done.exit_code == 0, done.stderr
    _, _, label, secret = done.stdout.split()
    assert label == "secret:"
    engine.record(game(1))
    assert address.arrived.wait(30)
    app.service.close()
    assert Verifier(secret).verify(address.bodies[0], address.headers[0])
