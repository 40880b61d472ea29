"""Logs to test: one in memory, one in a file, with clocks and salts that repeat themselves."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ratingcore.log import MemoryLog, SqliteLog
from tests.log.making import Clock, Salts, writer
from tests.log.workers import Workers

Store = MemoryLog | SqliteLog
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


@pytest.fixture(params=["memory", "sqlite"])
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
