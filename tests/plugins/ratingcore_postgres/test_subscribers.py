"""Subscribers of a log in PostgreSQL: rows of a consumer and the cursor are committed together, and news are told."""

import threading
import time

import pytest
from ratingcore_postgres.log import PostgresLog
from ratingcore_postgres.pool import MOST
from ratingcore_postgres.schema import channel

from ratingcore.errors import LogUnavailable
from tests.log.making import game, games, state
from tests.plugins.ratingcore_postgres.server import Hand


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


@pytest.mark.parametrize("cursor", [0, 1])
@pytest.mark.parametrize(
    "sql",
    [
        "TRUNCATE erasure", "COMMIT; INSERT INTO seen VALUES (8)", "COMMIT AND CHAIN",
    ],
)  # fmt: skip
def test_what_parts_rows_from_the_cursor_or_touches_the_log_is_refused(
    filled: PostgresLog, hand: Hand, sql: str, cursor: int
) -> None:
    before = state(filled)
    if cursor:
        filled.move_cursor("copier", 0, 1)
    with pytest.raises(LogUnavailable, match="a consumer must not run COMMIT"):
        consume(filled, "INSERT INTO seen VALUES (7)", sql, schema=hand.schema, expected=cursor)
    assert (state(filled), filled.cursor("copier")) == (before, cursor)
    assert hand("SELECT count(*) FROM seen") == [(0,)]
    filled.append([game(6)])


def test_what_is_written_after_a_rollback_is_not_committed_by_itself(filled: PostgresLog, hand: Hand) -> None:
    with pytest.raises(LogUnavailable, match="a consumer must not run COMMIT"):
        consume(filled, "ROLLBACK", f'INSERT INTO "{hand.schema}".seen VALUES (7)', schema=hand.schema)
    assert hand("SELECT count(*) FROM seen") == [(0,)]
    assert filled.cursor("copier") == 0


def test_the_python_ways_to_commit_are_refused_too(filled: PostgresLog) -> None:
    for end in ("rollback", "close"):
        with pytest.raises(LogUnavailable), filled.lending("copier", 0, lambda: 3) as db:
            getattr(db, end)()
    assert filled.cursor("copier") == 0


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


def test_a_block_that_listens_is_told_of_every_append_without_asking_for_each(filled: PostgresLog, hand: Hand) -> None:
    assert filled.address is not None
    heard: list[object] = []

    def follow() -> None:
        with filled.listening():
            for after in (5, 6, 7):
                heard.append(filled.wait(after, 30))
            heard.append(filled.wait(8, 0.01))
            heard.append(filled._database.rows("SELECT count(*) FROM pg_listening_channels()"))

    following = threading.Thread(target=follow)
    following.start()
    time.sleep(0.05)
    with PostgresLog(filled.address.text) as other:
        heads = [log.append([game(n)]).head for n, log in ((6, filled), (7, other), (8, filled))]
    hand(f"NOTIFY {channel(hand.schema)}, 'no position'")
    following.join(20)
    assert heard[0] in heads
    assert heard[2:] == [heads[2], None, [(1,)]]
    assert filled._database.rows("SELECT pg_listening_channels()") == []


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
