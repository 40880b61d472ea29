"""Two workers of one service on a log in PostgreSQL: what one has recorded, the other shows."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import pytest

import ratingcore as rc
from tests.log import conftest
from tests.service.killing import FIRST
from tests.service.serving import Server, awaited, children, sent

address, places = conftest.address, conftest.places
PATIENT = ("--limit", "seconds=60", "--limit", "at_least_seconds=60")


class Gunicorn(Server):
    """The application of a log under gunicorn, with workers of uvicorn."""

    def start(self) -> Self:
        with socket.create_server(("127.0.0.1", 0)) as door, self.said.open("ab") as said:
            self.port = door.getsockname()[1]
            made = f"ratingcore_service:application({self.log!r}, seconds=60.0, at_least_seconds=60.0)"
            options = ["--workers=2", "--worker-class=uvicorn_worker.UvicornWorker", f"--bind=fd://{door.fileno()}"]
            self._process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", *options, made], env=self.environment, stdout=subprocess.PIPE,
                stderr=said, text=True, pass_fds=[door.fileno()],
            )  # fmt: skip
        return self


def served(log: str, folder: Path) -> Server:
    """The command, with two workers."""
    return Server(log, folder, "--workers", "2", *PATIENT)


@contextmanager
def halted(process: int) -> Iterator[None]:
    """A process does nothing meanwhile, so that requests come to the other."""
    os.kill(process, signal.SIGSTOP)
    try:
        state = Path(f"/proc/{process}/stat")
        assert awaited(lambda: state.read_text().rpartition(")")[2].split()[0] == "T")
        yield
    finally:
        os.kill(process, signal.SIGCONT)


@pytest.mark.parametrize("serve", [served, Gunicorn])
@pytest.mark.parametrize("address", ["ratingcore_postgres"], indirect=True)
def test_what_one_worker_has_recorded_the_other_shows(
    serve: Callable[[str, Path], Server], address: Callable[[str], str], tmp_path: Path
) -> None:
    log = address("workers")
    with rc.open(log) as engine:
        engine.declare("rapid", method="elo:k=24")
        engine.record(rc.GamePlayed(uid="first", pool="rapid", played="2024-03-01", a="ann", b="bo", score=1.0))
    with serve(log, tmp_path) as server:
        token = server.token("hall")
        one, other = awaited(lambda: children(server.pid, 2))
        for n in range(6):
            with halted(other):
                event = {**FIRST, "uid": f"g-{n}", "a": f"player {n}"}
                status, made, _ = sent(server, "POST", "/api/v1/events", token, {"events": [event]})
                assert status == 201, made
            with halted(one):
                position = made["positions"][0]
                status, listed, _ = sent(server, "GET", f"/api/v1/pools/rapid/list?at_least={position}")
                assert (status, listed["head"]) == (200, made["head"])
                assert f"player {n}" in {row["player"] for row in listed["rows"]}
            one, other = other, one
        assert server.stop() == 0
    with rc.open(log, read_only=True) as engine:
        assert engine.verify().head.position == position


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_workers_of_a_killed_service_end_and_leave_its_port(tmp_path: Path) -> None:
    """A fixed fault: they went on for ever, and a service started after them could not listen."""
    log = str(tmp_path / "club.db")
    with rc.open(log) as engine:
        engine.record(rc.GamePlayed(uid="first", pool="rapid", played="2024-03-01", a="ann", b="bo", score=1.0))
    with Server(log, tmp_path, "--workers", "2", "--read-only") as server:
        assert awaited(lambda: children(server.pid, 2))
        server.kill()
        with awaited(lambda: socket.create_server(("127.0.0.1", server.port))) as door:
            assert door.getsockname()[1] == server.port
