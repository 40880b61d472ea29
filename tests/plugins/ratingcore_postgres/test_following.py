"""Subscribers of a log in PostgreSQL: rows of a consumer and the cursor are committed together, and news are told."""

import threading
import time

import psycopg
import pytest
from ratingcore_postgres.log import PostgresLog
from ratingcore_postgres.pool import MOST

from ratingcore.errors import CursorMoved, LogUnavailable
from ratingcore.log import verify
from tests.log.making import fails, game, games, state
from tests.plugins.ratingcore_postgres.conftest import Hand


@pytest.fixture
def filled(log: PostgresLog, hand: Hand) -> PostgresLog:
    log.append(games(1, 5))
    hand("CREATE TABLE seen (position integer UNIQUE)")
    return log


def consume(log: PostgresLog, *statements: str, schema: str, expected: int = 0, read: int = 3) -> None:
    with log.lending("copier", expected, lambda: read) as db:
        db.execute("SELECT set_config('search_path', %s, true)", (schema,))
        for sql in statements:
            db.execute(sql)


def test_rows_and_cursor_are_committed_together(filled: PostgresLog, hand: Hand) -> None:
    consume(filled, "INSERT INTO seen VALUES (1), (2), (3)", schema=hand.schema)
    assert hand("SELECT count(*) FROM seen") == [(3,)]
    assert filled.cursor("copier") == 3
    assert verify(filled).head == filled.head


def test_neither_is_committed_where_the_consumer_fails(filled: PostgresLog, hand: Hand) -> None:
    consume(filled, schema=hand.schema, read=1)
    for statements, error in (
        (("INSERT INTO seen VALUES (3)", "INSERT INTO seen VALUES (3)"), psycopg.errors.UniqueViolation),
        (("INSERT INTO seen VALUES (4)", "INSERT INTO mails VALUES (4)"), psycopg.errors.UndefinedTable),
    ):
        with pytest.raises(error):
            consume(filled, *statements, schema=hand.schema, expected=1)
    with pytest.raises(ZeroDivisionError), filled.lending("copier", 1, lambda: 3):
        raise ZeroDivisionError
    assert hand("SELECT count(*) FROM seen") == [(0,)]
    assert filled.cursor("copier") == 1
    filled.append([game(6)])


def test_nothing_is_begun_where_another_reader_was_quicker(filled: PostgresLog) -> None:
    filled.move_cursor("copier", 0, 2)
    with pytest.raises(CursorMoved), filled.lending("copier", 0, lambda: 3):
        raise AssertionError("the block ran")
    assert filled.cursor("copier") == 2


@pytest.mark.parametrize("cursor", [0, 1])
@pytest.mark.parametrize(
    "sql",
    [
        "COMMIT", "ROLLBACK", "END", "DELETE FROM cursor", "UPDATE name SET key = 'x'", "UPDATE log SET position = 9",
        "UPDATE event SET score = 0", "DELETE FROM batch", "UPDATE cursor SET position = 9", "TRUNCATE erasure",
        "COMMIT; INSERT INTO seen VALUES (8)", "COMMIT AND CHAIN",
    ],
)  # fmt: skip
def test_what_parts_rows_from_the_cursor_or_touches_the_log_is_refused(
    filled: PostgresLog, hand: Hand, sql: str, cursor: int
) -> None:
    before = state(filled)
    if cursor:
        filled.move_cursor("copier", 0, 1)
    with pytest.raises(LogUnavailable, match="are not the consumer's"):
        consume(filled, "INSERT INTO seen VALUES (7)", sql, schema=hand.schema, expected=cursor)
    assert (state(filled), filled.cursor("copier")) == (before, cursor)
    assert hand("SELECT count(*) FROM seen") == [(0,)]
    filled.append([game(6)])


def test_what_is_written_after_a_rollback_is_not_committed_by_itself(filled: PostgresLog, hand: Hand) -> None:
    with pytest.raises(LogUnavailable, match="are not the consumer's"):
        consume(filled, "ROLLBACK", f'INSERT INTO "{hand.schema}".seen VALUES (7)', schema=hand.schema)
    assert hand("SELECT count(*) FROM seen") == [(0,)]
    assert filled.cursor("copier") == 0


def test_the_python_ways_to_commit_are_refused_too(filled: PostgresLog) -> None:
    for end in ("commit", "rollback", "close"):
        with pytest.raises(LogUnavailable), filled.lending("copier", 0, lambda: 3) as db:
            getattr(db, end)()
    with pytest.raises(LogUnavailable), filled.lending("copier", 0, lambda: 3) as db, db:
        db.execute("SELECT 1")
    assert filled.cursor("copier") == 0


def test_savepoints_are_welcome(filled: PostgresLog, hand: Hand) -> None:
    with filled.lending("copier", 0, lambda: 3) as db:
        db.execute(f'SET LOCAL search_path TO "{hand.schema}"')
        with db.transaction(force_rollback=True):
            db.execute("INSERT INTO seen VALUES (1)")
        with db.transaction():
            db.execute("INSERT INTO seen VALUES (2)")
    assert hand("SELECT position FROM seen") == [(2,)]
    assert filled.cursor("copier") == 3


def test_others_append_meanwhile_and_this_thread_does_not(filled: PostgresLog) -> None:
    before = filled.head
    accepted = []
    with filled.lending("copier", 0, lambda: 3):
        assert len(list(filled.rows())) == 5
        error = fails(LogUnavailable, lambda: filled.append([game(6)]))
        other = threading.Thread(target=lambda: accepted.append(filled.append([game(7)]).accepted))
        other.start()
        other.join(20)
        assert accepted == [1]
    assert "a transaction of this thread is open" in str(error)
    assert (filled.head.position, filled.cursor("copier")) == (before.position + 1, 3)


def test_who_waits_is_told_at_once(filled: PostgresLog) -> None:
    assert filled.wait(0, 0.0) == filled.head
    assert filled.wait(5, 0.01) is None
    heads: list[object] = []
    waiting = threading.Thread(target=lambda: heads.append(filled.wait(5, 30)))
    waiting.start()
    time.sleep(0.05)
    head = filled.append([game(6)]).head
    waiting.join(20)
    assert heads == [head]


def test_many_who_wait_stand_in_nobodys_way(filled: PostgresLog, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fixed bug: each held a connection and asked for another, and so many of them stopped the whole engine."""
    monkeypatch.setattr(filled._database, "seconds", 2.0)
    threads, heads = waiting(filled, *[30.0] * (3 * MOST))
    receipts = [filled.append([game(n)]).head for n in range(6, 9)]
    for thread in threads:
        thread.join(20)
    assert len(heads) == len(threads)
    assert set(heads) <= set(receipts)


def test_where_the_time_of_who_listens_is_up_another_listens(filled: PostgresLog) -> None:
    threads, heads = waiting(filled, 0.1, 30.0, 30.0)
    while not heads:
        time.sleep(0.01)
    head = filled.append([game(6)]).head
    for thread in threads:
        thread.join(20)
    assert heads == [None, head, head]


def test_where_who_listens_loses_the_server_another_listens(filled: PostgresLog, hand: Hand) -> None:
    threads, heads = waiting(filled, 30.0, 30.0)
    mine = "pid <> pg_backend_pid() AND query LIKE %s"
    hand(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {mine}", f'%"{hand.schema}"%')
    while not heads:
        time.sleep(0.01)
    head = filled.append([game(6)]).head
    for thread in threads:
        thread.join(20)
    assert (heads[1:], type(heads[0])) == ([head], LogUnavailable)


def waiting(log: PostgresLog, *seconds: float) -> tuple[list[threading.Thread], list[object]]:
    """Threads that wait for what comes after position 5, and the list in which each leaves what it got."""
    heads: list[object] = []

    def wait(most: float) -> None:
        try:
            heads.append(log.wait(5, most))
        except LogUnavailable as error:
            heads.append(error)

    threads = [threading.Thread(target=wait, args=(most,)) for most in seconds]
    for thread in threads:
        thread.start()
        time.sleep(0.02)  # the first one listens
    return threads, heads
