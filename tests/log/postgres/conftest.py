"""A log in PostgreSQL, and a hand that writes to its tables as a stranger would."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from ratingcore.log.postgres import PostgresLog
from tests.log.conftest import Make


@pytest.fixture
def log(postgres_log: Make) -> PostgresLog:
    made = postgres_log()
    assert isinstance(made, PostgresLog)
    return made


class Hand:
    """A connection of a stranger, for whom the log's schema comes first."""

    def __init__(self, log: PostgresLog) -> None:
        assert log.address is not None
        self.db = psycopg.connect(log.address.conninfo, autocommit=True)
        self.schema = log.address.log
        self("SELECT set_config('search_path', %s, false), set_config('extra_float_digits', '1', false)", self.schema)

    def __call__(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        cursor = self.db.execute(sql.encode(), values or None)
        return cursor.fetchall() if cursor.description is not None else []


@pytest.fixture
def hand(log: PostgresLog) -> Iterator[Hand]:
    made = Hand(log)
    yield made
    made.db.close()
