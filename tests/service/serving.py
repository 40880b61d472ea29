"""A service in a process of its own, which may be killed, and a line to it."""

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

from click.testing import CliRunner

from ratingcore.cli.main import cli
from tests.cli.conftest import APART

CLOCK = """
import runpy, sys, time
now, ns, by = time.time, time.time_ns, float(sys.argv.pop(1))
time.time, time.time_ns = lambda: now() + by, lambda: ns() + int(by * 1e9)
runpy.run_module("ratingcore", run_name="__main__", alter_sys=True)
"""
"""Runs the command line with a clock that is wrong by some seconds."""
ROOT = Path(__file__).parents[2]
GONE = (OSError, http.client.HTTPException)
"""What a client meets while the server is away."""
PATIENCE = 240.0
"""Seconds after which a process that says nothing, or that does not end, is killed, and its test fails."""


def first_line(process: "subprocess.Popen[str]") -> str:
    """The first line that a process prints; a process that prints none in time is killed."""
    assert process.stdout is not None
    alarm = threading.Timer(PATIENCE, process.kill)
    alarm.start()
    try:
        return process.stdout.readline()
    finally:
        alarm.cancel()
        alarm.join()


def awaited(what: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """What is there, once it is."""
    until = time.monotonic() + seconds
    while True:
        try:
            found = what()
        except OSError:
            found = None
        if found or time.monotonic() > until:
            return found
        time.sleep(0.05)


def children(parent: int, count: int, without: int = 0) -> list[int]:
    """The processes that the threads of a process have begun, once there are so many, one of them gone."""
    found = [int(one) for file in Path(f"/proc/{parent}/task").glob("*/children") for one in file.read_text().split()]
    return found if len(found) == count and without not in found else []


class Server:
    """`ratingcore serve` of a log, patient unless it has limits of its own; it gets another port with each start.

    Parameters
    ----------
    log : str
    folder : path
        Where tokens of a log on a server are kept, and what the service says.
    """

    def __init__(self, log: str, folder: Path, *options: str) -> None:
        self.log, self.folder, self.options = log, folder, options
        self.port = 0
        self.wrong = 0.0
        """Seconds by which its clock is wrong when it is started."""
        self.said = folder / "served.txt"
        """The file of what the service writes to stderr."""
        self._process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        """Where the service is reached."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """Number of the process that was started."""
        assert self._process is not None
        return self._process.pid

    @property
    def environment(self) -> dict[str, str]:
        """Variables that the service and commands beside it share."""
        modules = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        own = {"PYTHONPATH": modules, "XDG_STATE_HOME": str(self.folder), "OPENBLAS_NUM_THREADS": "1"}
        return os.environ | own

    def command(self, *words: str) -> str:
        """What a command line prints, in this process, which need not be loaded."""
        done = CliRunner(**APART).invoke(cli, words, env=self.environment, prog_name="ratingcore")
        assert done.exit_code == 0, done.output
        return done.stdout.strip()

    def token(self, name: str, scope: str = "officer") -> str:
        """A new token."""
        return self.command("token", "add", self.log, name, "--scope", scope)

    def start(self) -> Self:
        """Starts it, and waits until it is reached."""
        program = ["-c", CLOCK, str(self.wrong)] if self.wrong else ["-m", "ratingcore"]
        patient = ["--limit", f"seconds={PATIENCE}"]
        command = [sys.executable, *program, "serve", self.log, "--port", "0", *patient, *self.options]
        with self.said.open("ab") as said:
            self._process = subprocess.Popen(
                command, env=self.environment, stdout=subprocess.PIPE, stderr=said, text=True
            )
        line = first_line(self._process)
        if not line.startswith("http://"):
            self.kill()
            raise AssertionError(f"the service did not start: {self.said.read_text()[-2000:]}")
        self.port = int(line.strip().rstrip("/").rpartition(":")[2])
        return self

    def stop(self) -> int:
        """Tells it to end, waits until it has, and gives its exit code."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(PATIENCE)
        return self._process.returncode

    def kill(self) -> None:
        """Ends it at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE)
            assert self._process.stdout is not None
            self._process.stdout.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *error: object) -> None:
        self.kill()


def sent(
    server: Server, method: str, path: str, token: str = "", body: object = None, **headers: str
) -> tuple[int, Any, Mapping[str, str]]:
    """Status, body and headers of an answer.

    Raises
    ------
    OSError, HTTPException
        While the server is away.
    """
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        given |= {"Authorization": f"Bearer {token}"} if token else {}
        line.request(method, path, body if body is None or isinstance(body, bytes) else json.dumps(body), given)
        answer = line.getresponse()
        text = answer.read()
        readable = "json" in answer.getheader("Content-Type", "")
        return answer.status, json.loads(text) if readable else text.decode(), dict(answer.getheaders())
    finally:
        line.close()
