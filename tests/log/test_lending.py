"""Transactions that are lent to a consumer, in every store on disk: its rows and its cursor are committed together."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from ratingcore.errors import CursorMoved, LogUnavailable
from ratingcore.log import verify
from tests.log.conftest import Hand, Store
from tests.log.making import fails, game, games, state


@pytest.fixture
def filled(stored: Store, hand: Hand) -> Store:
    """A log of five games, beside which a consumer has a table."""
    stored.append(games(1, 5))
    hand("CREATE TABLE seen (position integer UNIQUE)")
    return stored


def lent(log: Store, expected: int = 0, read: int = 3) -> Any:
    return log.lending("copier", expected, lambda: read)


@pytest.fixture
def consume(filled: Store, hand: Hand) -> Callable[..., None]:
    """Runs statements as a consumer, whose cursor is where it is expected."""

    def run(*statements: str, expected: int = 0, read: int = 3, error: type[Exception] | None = None) -> None:
        with lent(filled, expected, read) as db:
            hand.enter(db)
            for sql in statements:
                db.execute(sql)
            if error is not None:
                raise error

    return run


def test_rows_and_cursor_are_committed_together(filled: Store, hand: Hand, consume: Callable[..., None]) -> None:
    consume("INSERT INTO seen VALUES (1), (2), (3)")
    assert hand("SELECT position FROM seen") == [(1,), (2,), (3,)]
    assert filled.cursor("copier") == 3
    assert verify(filled).head == filled.head


def test_neither_is_committed_where_the_consumer_fails(filled: Store, hand: Hand, consume: Callable[..., None]) -> None:
    consume(read=1)
    with pytest.raises(ZeroDivisionError):
        consume("INSERT INTO seen VALUES (2)", expected=1, error=ZeroDivisionError)
    for sql in ("INSERT INTO seen VALUES (3)", "INSERT INTO mails VALUES (4)"):
        with pytest.raises(hand.errors):  # its own, as they are
            consume("INSERT INTO seen VALUES (3)", sql, expected=1)
    assert hand("SELECT position FROM seen") == []
    assert filled.cursor("copier") == 1
    filled.append([game(6)])


def test_nothing_is_begun_where_another_reader_was_quicker(filled: Store) -> None:
    filled.move_cursor("copier", 0, 2)
    with pytest.raises(CursorMoved), lent(filled):
        raise AssertionError("the block ran")
    filled.append([game(6)])
    assert filled.cursor("copier") == 2


@pytest.mark.parametrize("cursor", [0, 1])
@pytest.mark.parametrize(
    "sql",
    [
        "COMMIT", "ROLLBACK", "END", "DELETE FROM cursor", "UPDATE name SET key = 'x'", "UPDATE log SET key = 'x'",
        "UPDATE event SET score = 0", "DELETE FROM batch", "UPDATE cursor SET position = 9",
    ],
)  # fmt: skip
def test_what_parts_rows_from_the_cursor_or_touches_the_log_is_refused(
    filled: Store, hand: Hand, consume: Callable[..., None], sql: str, cursor: int
) -> None:
    before = state(filled)
    if cursor:
        filled.move_cursor("copier", 0, 1)
    with pytest.raises(LogUnavailable, match="a consumer must not run COMMIT"):
        consume("INSERT INTO seen VALUES (7)", sql, expected=cursor)
    assert (state(filled), filled.cursor("copier")) == (before, cursor)
    assert hand("SELECT position FROM seen") == []
    filled.append([game(6)])  # the connection is what it was


def test_the_python_ways_to_commit_are_refused_too(filled: Store) -> None:
    with pytest.raises(LogUnavailable), lent(filled) as db:
        db.commit()
    with pytest.raises(LogUnavailable), lent(filled) as db, db:
        db.execute("SELECT 1")
    assert filled.cursor("copier") == 0


def test_savepoints_are_welcome(filled: Store, hand: Hand, consume: Callable[..., None]) -> None:
    one, two = "INSERT INTO seen VALUES (1)", "INSERT INTO seen VALUES (2)"
    consume("SAVEPOINT mine", one, "ROLLBACK TO mine", two, "RELEASE mine")
    assert hand("SELECT position FROM seen") == [(2,)]


def test_the_log_is_read_but_this_thread_does_not_append_meanwhile(filled: Store) -> None:
    before = filled.head
    other = threading.Thread(target=filled.append, args=([game(7)],))
    with lent(filled):
        assert len(list(filled.rows())) == 5
        error = fails(LogUnavailable, lambda: filled.append([game(6)]))
        other.start()
    other.join(20)
    assert "a transaction of this thread is open" in str(error)
    assert (filled.head.position, filled.cursor("copier")) == (before.position + 1, 3)
    assert filled.append([game(6)]).accepted == 1
