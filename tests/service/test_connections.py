"""Connections that say nothing end, and leave room for others."""

import socket
from contextlib import suppress
from pathlib import Path

import pytest
from ratingcore_service.connections import RESERVED, most
from ratingcore_service.head_watch import HeadWatch
from ratingcore_service.problems import TooOften
from ratingcore_service.settings import Settings

from tests.service.asking import Applied
from tests.service.serving import PATIENCE, Server, sent

resource = pytest.importorskip("resource", reason="no such limits on Windows")


def opened(server: Server, text: bytes = b"") -> socket.socket:
    """A connection on which something was said."""
    line = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    line.sendall(text)
    return line


def test_silent_connections_half_requests_and_bodies_that_do_not_come_are_ended(club: str, tmp_path: Path) -> None:
    limits = ["--limit", "header_seconds=0.2", "--limit", "body_seconds=0.2"]
    with Server(club, tmp_path, *limits) as server:
        key = f"Authorization: Bearer {server.token('hall')}".encode()
        body = b"POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n" + key + b"\r\n\r\n{"
        again = b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\nGET /li"
        lines = [opened(server, text) for text in (b"", b"GET /live HTTP/1.1\r\nHo", body, again)]
        for line in lines:
            with line, suppress(ConnectionResetError):
                while line.recv(4096):  # the last one is answered once
                    pass
        assert sent(server, "GET", "/ready")[0] == 200


def test_headers_that_do_not_end_are_ended(club: str, tmp_path: Path) -> None:
    """A header of many megabytes was kept in memory until it ended or its ten seconds were over."""
    with Server(club, tmp_path) as server, opened(server, b"GET /live HTTP/1.1\r\nHost: localhost\r\nX: ") as line:
        with suppress(ConnectionError):
            line.sendall(b"x" * (8 << 20))
        with suppress(ConnectionResetError):
            assert line.recv(4096).startswith(b"HTTP/1.1 431 ")
        for _ in range(3):  # one that goes on with small requests is answered
            assert sent(server, "GET", "/live", X="x" * 40_000)[0] == 200


def test_the_connection_that_is_silent_longest_makes_room_for_another(club: str, tmp_path: Path) -> None:
    with Server(club, tmp_path, "--limit", "connections=8", "--limit", "header_seconds=600") as server:
        lines = [opened(server) for _ in range(30)]
        assert sent(server, "GET", "/ready")[0] == 200
        with suppress(ConnectionResetError):
            assert lines[0].recv(1) == b"", "it is ended"
        for line in lines:
            line.close()


def test_a_connection_that_was_answered_makes_room_for_another(club: str, tmp_path: Path) -> None:
    """A fixed bug: whoever asked once on each of their connections kept all others out."""
    with Server(club, tmp_path, "--limit", "connections=8", "--limit", "header_seconds=600") as server:
        lines = [opened(server, b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n") for _ in range(8)]
        for line in lines:
            assert line.recv(4096).startswith(b"HTTP/1.1 200")
        assert sent(server, "GET", "/ready")[0] == 200
        for line in lines:
            line.close()


def test_a_connection_whose_answers_are_not_read_is_ended(club: str, tmp_path: Path) -> None:
    """A fixed bug: it stayed for ever, and so did its answer."""
    line = socket.socket()
    line.settimeout(PATIENCE)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    with line, Server(club, tmp_path, "--limit", "body_seconds=0.5") as server:
        line.connect(("127.0.0.1", server.port))
        try:
            while True:
                line.sendall(b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError):
            pass
        assert sent(server, "GET", "/ready")[0] == 200


def test_there_are_fewer_connections_than_files(monkeypatch: pytest.MonkeyPatch) -> None:
    set_to = list[tuple[int, int]]()
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (1024, 4096))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: set_to.append(limits))
    assert most(Settings()) == 4096 - RESERVED
    assert most(Settings(connections=100)) == 100
    assert set_to == [(4096, 4096), (100 + RESERVED, 4096)]


def test_a_caller_has_eight_streams(applied: Applied) -> None:
    class Listener:
        def __init__(self, caller: str) -> None:
            self.caller = caller

    head_watch: HeadWatch = applied().service.head_watch
    for _ in range(8):
        head_watch.join(Listener("ann"))  # type: ignore[arg-type]  # all that it looks at
    with pytest.raises(TooOften):
        head_watch.join(Listener("ann"))  # type: ignore[arg-type]
    head_watch.join(Listener("bo"))  # type: ignore[arg-type]
    head_watch.streams.clear()
