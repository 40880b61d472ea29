"""A log in PostgreSQL, and a hand that writes to its tables as a stranger would."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from ratingcore_postgres.log import PostgresLog

from tests.log import conftest
from tests.log.conftest import Make
from tests.plugins.ratingcore_postgres.server import Hand, Server

collect_ignore_glob = ["*/site.py"]
"""A program that serves until it is killed: it takes its settings from variables of the environment."""

memory_log, sqlite_log, in_store, places = (
    conftest.memory_log, conftest.sqlite_log, conftest.in_store, conftest.places,
)  # fmt: skip
forking, workers = conftest.forking, conftest.workers


@pytest.fixture(scope="session")
def server(places: Callable[[str], Any]) -> Server:
    """The PostgreSQL server of the run."""
    server = places("ratingcore_postgres")
    assert isinstance(server, Server)
    return server


@pytest.fixture
def postgres_log(in_store: Callable[[str], Make]) -> Make:
    """Makes logs in a database, a schema each, with clocks and salts of their own."""
    return in_store("ratingcore_postgres")


@pytest.fixture
def log(postgres_log: Make) -> PostgresLog:
    made = postgres_log()
    assert isinstance(made, PostgresLog)
    return made


@pytest.fixture
def hand(log: PostgresLog) -> Iterator[Hand]:
    made = Hand(log)
    yield made
    made.close()
