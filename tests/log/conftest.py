"""Logs to test: in memory, in a file, in every store that is installed, with clocks and salts that repeat."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import pytest

from ratingcore.log import Log, SqliteLog
from ratingcore.log.sqlite.connection import sqlite3
from ratingcore.registry import Registry
from tests.log.making import Clock, Salts, writer
from tests.log.workers import Workers

Store = Log
Make = Callable[..., Store]


class Place(Protocol):
    """Where a store keeps logs during the tests: `tests.plugins.PACKAGE.making.place()` prepares it."""

    def address(self, name: str) -> str: ...
    def hand(self, log: Log) -> "Hand": ...
    def log(self, name: str, clock: Clock, salt: Salts) -> Log: ...


class Hand(Protocol):
    """A stranger at the database of a log, for whom its schema comes first."""

    errors: type[Exception]
    """What the library of the database raises."""

    def __call__(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Runs a statement, with `%s` for values."""

    def unguarded(self) -> AbstractContextManager[None]:
        """A block in which no trigger refuses a change."""

    def enter(self, db: Any) -> None:
        """Lets the schema of the log come first on another connection too, in its transaction."""

    def close(self) -> None: ...


class SqliteHand:
    """A stranger at the file of a log."""

    errors = sqlite3.Error

    def __init__(self, log: Log) -> None:
        assert log.path is not None
        self._db = sqlite3.connect(log.path, isolation_level=None)

    def __call__(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self._db.execute(sql.replace("%s", "?"), values).fetchall()

    @contextmanager
    def unguarded(self) -> Iterator[None]:
        """Drops the triggers, and makes them again."""
        triggers = self("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        for name, _ in triggers:
            self(f"DROP TRIGGER {name}")
        yield
        for _, sql in triggers:
            with suppress(sqlite3.OperationalError):  # of a table that was dropped
                self(sql)

    def enter(self, db: Any) -> None:
        """There is one schema."""

    def close(self) -> None:
        self._db.close()


def _making(package: str) -> str:
    return f"tests.plugins.{package}.making"


INSTALLED = tuple(
    package
    for package in sorted({store.open.__module__.partition(".")[0] for store in Registry.installed().stores.values()})
    if find_spec(f"tests.plugins.{package}") and find_spec(_making(package))
)
"""Packages of the installed stores that say where tests may make logs."""

ON_DISK = ("sqlite", *INSTALLED)


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

    def make(*, clock: Clock | None = None, salt: Salts | None = None) -> SqliteLog:
        return SqliteLog(":memory:", clock=clock or Clock(), salt=salt or Salts())

    return make


@pytest.fixture(scope="session")
def places() -> Iterator[Callable[[str], Place]]:
    """The places of the installed stores, each prepared when it is first asked for."""
    with ExitStack() as stack:
        prepared: dict[str, Place] = {}

        def of(package: str) -> Place:
            if package not in prepared:
                place: AbstractContextManager[Place] = import_module(_making(package)).place()
                prepared[package] = stack.enter_context(place)
            return prepared[package]

        yield of


@pytest.fixture
def in_store(places: Callable[[str], Place], request: pytest.FixtureRequest) -> Iterator[Callable[[str], Make]]:
    """Makes logs in a store, by the name of the store, each with a clock and salts of its own."""
    with ExitStack() as logs:
        count = 0

        def of(store: str) -> Make:
            if store in ("memory", "sqlite"):
                made: Make = request.getfixturevalue(f"{store}_log")
                return made

            def make(name: str = "", *, clock: Clock | None = None, salt: Salts | None = None) -> Log:
                nonlocal count
                count += 1
                schema = schema_of(name or count, request.node.nodeid)
                return logs.enter_context(places(store).log(schema, clock or Clock(), salt or Salts()))

            return make

        yield of


@pytest.fixture(params=ON_DISK)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """Gives addresses of logs in one store; a test that uses it runs in a file and in every installed store."""
    if request.param == "sqlite":
        return lambda name: str(tmp_path / f"{name}.db")
    place: Place = request.getfixturevalue("places")(request.param)
    return lambda name: place.address(schema_of(name, request.node.nodeid))


@pytest.fixture(params=ON_DISK)
def make_on_disk(request: pytest.FixtureRequest, in_store: Callable[[str], Make]) -> Make:
    """Makes logs on disk of one store; a test that uses it runs in files and in every installed store."""
    return in_store(request.param)


@pytest.fixture
def stranger(places: Callable[[str], Place]) -> Callable[[Log], Hand]:
    """Gives the hand of a stranger at the database of any log on disk."""

    def of(log: Log) -> Hand:
        package = type(log).__module__.partition(".")[0]
        return places(package).hand(log) if package in INSTALLED else SqliteHand(log)

    return of


@pytest.fixture(params=ON_DISK)
def stored(request: pytest.FixtureRequest, in_store: Callable[[str], Make]) -> Store:
    """An empty log on disk; a test that uses it runs in a file and in every installed store."""
    return in_store(request.param)()


@pytest.fixture
def hand(stored: Store, request: pytest.FixtureRequest) -> Iterator[Hand]:
    """A stranger at the database of that log."""
    place = request.node.callspec.params["stored"]
    made: Hand = SqliteHand(stored) if place == "sqlite" else request.getfixturevalue("places")(place).hand(stored)
    with closing(made):
        yield made


def schema_of(name: object, test: str) -> str:
    """The name of a log of one test."""
    return hashlib.sha256(f"{name} of {test}".encode()).hexdigest()[:16]


@pytest.fixture(params=["memory", *ON_DISK])
def make(request: pytest.FixtureRequest, in_store: Callable[[str], Make]) -> Make:
    """Makes logs of one store; a test that uses it runs over every store."""
    return in_store(request.param)


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
