"""Names of a log in PostgreSQL: a batch of them is one question to the server, not one a name."""

from collections.abc import Callable
from typing import Any

import pytest
from ratingcore_postgres.database import Database
from ratingcore_postgres.log import PostgresLog

from ratingcore.engine import Engine
from ratingcore.events import GamePlayed, PlayerDescribed, RatingSeeded, SessionPlayed, Side
from ratingcore.log import SqliteLog, export_lines, load_lines
from ratingcore.log.lookup import decoder_of
from tests.log.conftest import Make
from tests.log.making import told

MANY = 300


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every statement that reads."""
    statements: list[str] = []
    for way in ("rows", "one"):
        plain: Callable[..., Any] = getattr(Database, way)

        def counting(self: Database, statement: str, values: Any = (), plain: Callable[..., Any] = plain) -> Any:
            statements.append(statement)
            return plain(self, statement, values)

        monkeypatch.setattr(Database, way, counting)
    return statements


def games(called: str = "") -> list[GamePlayed]:
    return [
        GamePlayed(uid=f"g{called}{n}", pool="p", played="2024-01-01", a=f"a{called}{n}", b=f"b{called}{n}", score=1.0)
        for n in range(MANY)
    ]


def test_a_load_asks_for_names_at_once(log: PostgresLog, asked: list[str]) -> None:
    """A fixed slowness: a log of 200,000 names took 41 seconds in place of 8."""
    source = SqliteLog(":memory:", clock=log.now)
    source.append(games())
    lines = list(export_lines(source))
    load_lines(log, lines)
    assert len(asked) < 40
    assert told(log) == told(source)


@pytest.mark.parametrize(
    "events",
    [
        [SessionPlayed(uid=f"s{n}", pool="p", played="2024-01-01", sides=[Side([f"a{n}"], 2), Side([f"b{n}"], 1)])
         for n in range(MANY)],
        [RatingSeeded(uid=f"r{n}", pool="p", played="2024-01-01", player=f"a{n}", values={"rating": 1500.0})
         for n in range(MANY)],
        [PlayerDescribed(uid=f"d{n}", pool="p", played="2024-01-01", player=f"a{n}", called=f"A {n}")
         for n in range(MANY)],
    ],
    ids=["sessions", "seeds", "descriptions"],
)  # fmt: skip
def test_an_append_asks_for_names_at_once(
    log: PostgresLog, postgres_log: Make, asked: list[str], events: list[Any]
) -> None:
    assert log.append(events).accepted == MANY
    assert log.append(events).duplicates == MANY
    assert len(asked) < 40


def test_reading_events_asks_for_names_many_at_a_time(log: PostgresLog, asked: list[str]) -> None:
    log.append(games())
    assert log.address is not None
    with PostgresLog(log.address.text) as fresh:
        asked.clear()
        assert [getattr(event, "a", "") for event in map(decoder_of(fresh), fresh.rows())] == [
            f"a{n}" for n in range(MANY)
        ]
    assert len(asked) < 40


def test_a_dry_run_asks_for_names_at_once(log: PostgresLog, asked: list[str]) -> None:
    log.append(games())
    rows = [{"a": f"a{n}", "b": f"new{n}", "played": "2024-02-01", "score": 1} for n in range(MANY)]
    asked.clear()
    assert Engine(log).import_file(rows, pool="p", dry_run=True).accepted == MANY
    assert len(asked) < 60


def test_names_that_are_read_ahead_are_not_those_of_a_transaction_that_is_undone(log: PostgresLog) -> None:
    log.append(games())
    assert log.address is not None
    with PostgresLog(log.address.text) as fresh:
        assert fresh.head == log.head
        with pytest.raises(ZeroDivisionError), fresh.writing():
            _append_and_fail(fresh)
        log.append(games("y"))
        assert fresh.book.find("player", "ax0") is None
        assert [fresh.book.key(number) for number in range(1, log.book.count + 1)] == [
            name.key for name in log.book.names()
        ]


def _append_and_fail(log: PostgresLog) -> None:
    log.append(games("x"))
    assert log.book.key(2 * MANY) == f"a{MANY - 1}"  # one that was there before, close to those that are new
    raise ZeroDivisionError
