"""Appends to PostgreSQL: parts of a transaction, batches of any size, many threads, and what the store cannot hold."""

import threading
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from ratingcore_postgres.log import PostgresLog

import ratingcore as rc
from ratingcore.errors import BadTransfer, LogUnavailable
from ratingcore.events import ResultVoided
from ratingcore.log import export_lines, load_lines, verify
from tests.log.conftest import Make
from tests.log.making import EVERY_KIND, fails, game, games, keys, state, told, uids
from tests.plugins.ratingcore_postgres.server import Hand, location_of


@pytest.mark.parametrize("count", [1, 7, 8, 9, 30, 1000])
def test_batches_of_any_size_are_the_same_history(postgres_log: Make, memory_log: Make, count: int) -> None:
    stores = [postgres_log(), memory_log()]
    for log in stores:
        log.append(EVERY_KIND, source="march.csv")
        log.append(games(1, count))
        log.append(games(count // 2, count + 5))  # partly there already
    assert state(stores[0]) == state(stores[1])
    assert verify(stores[0]).batches == 3


def _a_part(log: PostgresLog) -> None:
    with log.writing():
        before = log.head.position
        log.append([game("undone", "zoe", "yan")])
        assert log.head.position == before + 1
        raise ZeroDivisionError


def test_many_batches_in_one_transaction_are_each_undone_alone(log: PostgresLog) -> None:
    with log.writing():
        for n in range(30):
            log.append([game(n)] if n % 3 else games(100 * n + 100, 100 * n + 120))
            assert log.append([game(n)] if n % 3 else games(100 * n + 100, 100 * n + 120)).accepted == 0
            if n % 5 == 0:
                fails(ZeroDivisionError, lambda: _a_part(log))
    assert (verify(log).batches, log.head.position) == (30, 20 + 10 * 21)


def test_a_part_that_fails_undoes_nothing_that_a_plugin_wrote_before_it(log: PostgresLog, hand: Hand) -> None:
    hand("CREATE TABLE mine (number integer)")
    with log.writing():
        log.tables.run("INSERT INTO mine VALUES (?)", (1,))
        fails(ZeroDivisionError, lambda: _a_part(log))
        assert log.tables.all("INSERT INTO mine VALUES (2) RETURNING number") == [(2,)]
        fails(ZeroDivisionError, lambda: _a_part(log))
        log.append([game(1)])
    assert (hand("SELECT number FROM mine ORDER BY number"), uids(log)) == ([(1,), (2,)], ["1"])


def test_a_transaction_with_a_statement_that_failed_is_not_taken_for_committed(log: PostgresLog) -> None:
    """A fixed bug: the server answers COMMIT with ROLLBACK then, and the log went on as if the batch were there."""
    with pytest.raises(LogUnavailable, match="the transaction has failed"):
        _divided(log)
    assert (log.head.position, uids(log)) == (0, [])
    assert log.append([game(1)]).head.position == 1


def _divided(log: PostgresLog) -> None:
    with log.writing():
        log.append([game(1)])
        fails(psycopg.Error, lambda: log._database.one("SELECT 1 / 0"))


def test_a_correction_takes_four_statements_however_deep_it_is_planned(
    log: PostgresLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert log.address is not None
    statements: list[object] = []
    execute = psycopg.Cursor.execute

    def counted(cursor: Any, query: Any, *values: Any, **options: Any) -> Any:
        statements.append(query)
        return execute(cursor, query, *values, **options)

    with rc.open(log.address.text) as engine:
        engine.record(*games(1, 40))
        engine.void("3", why="forfeit", by="the officer")
        monkeypatch.setattr(psycopg.Cursor, "execute", counted)
        with engine.log.writing():
            engine.apply(engine.plan.amend("7", {"score": 0.5}, why="forfeit", by="the officer"))
    assert len(statements) == 4


def test_threads_append_and_read_side_by_side(log: PostgresLog) -> None:
    errors: list[BaseException] = []

    def work(label: str) -> None:
        try:
            for n in range(20):
                log.append([game(f"{label}-{n}", f"{label}{n}", "bo")], source=label)
                assert log.book.find("player", f"{label}{n}") is not None
                assert len(list(log.rows())) == len(list(log.rows(to=log.head.position))) or log.head.position
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(f"t{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == []
    assert len(uids(log)) == 160
    assert verify(log).batches == 160
    assert {event.a for event in told(log)} == {f"t{n}{k}" for n in range(8) for k in range(20)}  # type: ignore[attr-defined]  # games


@pytest.mark.parametrize("seconds", [0, 0.05])
def test_a_writer_waits_for_another_so_long_and_no_longer(log: PostgresLog, hand: Hand, seconds: float) -> None:
    assert log.address is not None
    hand("BEGIN")
    hand("SELECT 1 FROM log FOR UPDATE")
    with PostgresLog(log.address.text, timeout=seconds) as hasty:
        with pytest.raises(LogUnavailable, match="another process is writing"):
            hasty.append([game(1)])
        hand("ROLLBACK")
        assert hasty.append([game(1)]).accepted == 1


def test_every_append_waits_for_the_disk_whatever_the_session_is_set_to(log: PostgresLog, hand: Hand) -> None:
    for given, used in (("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")):
        with log._database.connection() as db:
            db.execute(f"SET synchronous_commit = {given}".encode())
        with log.writing():
            assert log._database.one("SHOW synchronous_commit") == (used,)
        assert log._database.one("SHOW synchronous_commit") == (given,)


def test_nothing_is_left_in_a_session_that_somebody_else_gets(log: PostgresLog, hand: Hand) -> None:
    before = log._database.rows("SELECT name, setting FROM pg_settings WHERE source = 'session' ORDER BY 1")
    log.append(games(1, 20))
    with log.lending("copier", 0, lambda: 3) as db:
        db.execute("SELECT 1")
    with log.writing():
        log.erase([2])
    log.clear()
    log.wait(0, 0.0)
    after = log._database.rows("SELECT name, setting FROM pg_settings WHERE source = 'session' ORDER BY 1")
    assert after == before
    assert log._database.one("SELECT coalesce(current_setting('ratingcore.appending', true), '')") == ("",)
    assert log._database.rows("SELECT pg_listening_channels()") == []


def test_a_log_that_is_only_read_is_not_written_to(log: PostgresLog) -> None:
    log.append([game(1)])
    assert log.address is not None
    with PostgresLog(log.address.text, read_only=True) as reader:
        for use in (
            lambda: reader.append([game(2)]), lambda: reader.move_cursor("mailer", 0, 1),
            lambda: reader.lending("mailer", 0, lambda: 1).__enter__(), lambda: reader.writing().__enter__(),
        ):  # fmt: skip
            with pytest.raises(LogUnavailable, match="read-only"):
                use()
        log.append([game(2)])
        assert uids(reader) == ["1", "2"]


def test_a_uid_that_no_index_can_hold_is_refused_with_its_position(log: PostgresLog, memory_log: Make) -> None:
    old = memory_log()
    with old.writing():  # as an older ratingcore would have written it
        _restore(old, memory_log, "𝄞" * 600)
    with pytest.raises(BadTransfer, match="the uid at position 1 is longer than 2000 bytes"):
        load_lines(log, export_lines(old))
    assert log.head.position == 0
    fits = memory_log()
    fits.append([game("ö" * 200)])
    assert load_lines(log, export_lines(fits)).head == fits.head


def _restore(log: Any, memory_log: Make, uid: str) -> None:
    """Writes a batch whose uid no append would take."""
    from ratingcore.log.chain import batch_digest

    made = memory_log()
    made.append([game("g-1")])
    (batch,), names = made.batches(), list(made.book.names())
    rows = [row._replace(uid=uid) for row in made.rows()]
    digest = batch_digest("0" * 64, 1, 1, batch.recorded, None, names, rows)
    log.restore(batch._replace(digest=digest), names, rows)


def test_a_server_without_room_or_rights_is_told(log: PostgresLog, hand: Hand) -> None:
    hand("CREATE ROLE stranger LOGIN") if not hand("SELECT 1 FROM pg_roles WHERE rolname = 'stranger'") else None
    assert log.address is not None
    theirs = log.address.text.replace("tester@", "stranger@")
    with pytest.raises(LogUnavailable, match="permission denied"), PostgresLog(theirs) as other:
        other.append([game(1)])
    with pytest.raises(LogUnavailable, match="permission denied"):
        PostgresLog(theirs.replace(location_of(log).log, "new_log_of_a_stranger"))


def test_what_is_no_batch_is_refused_and_the_transaction_goes_on(log: PostgresLog) -> None:
    from ratingcore.log.append import BatchRefused, UidTaken

    log.append([game(1)])
    row = next(log.rows())
    (batch,) = log.batches()
    with log.writing():
        second = batch._replace(first=2, last=2)
        with pytest.raises(UidTaken):
            log.write(second, (), [row._replace(position=2)])
        with pytest.raises(BatchRefused):
            log.write(second, (), [row._replace(position=1, uid="2")])
        with pytest.raises(BatchRefused):
            log.write(second, (), [row._replace(position=2, uid="2", a=2**40)])
        with pytest.raises(BatchRefused):
            log.write(second, (), [row._replace(position=n, uid=f"u{n}", a=2**40) for n in range(2, 30)])
        log.append([game(2), ResultVoided(uid="v", of="1")])
    assert uids(log) == ["1", "2", "v"]
    verify(log)


def test_retries_between_appends_leave_no_statement_half_prepared(
    log: PostgresLog, caplog: pytest.LogCaptureFixture
) -> None:
    """psycopg prepares what it has sent five times, and a uid that is taken fails in the middle of a pipeline."""
    for n in range(40):
        log.append([game(n, f"p{n}", f"q{n}")])
        for _ in range(n % 4):
            assert log.append([game(n, f"p{n}", f"q{n}")]).duplicates == 1
    assert verify(log).batches == 40
    assert caplog.records == []  # psycopg warns of pipelines that fail


def test_connections_are_shared_and_few(log: PostgresLog, hand: Hand) -> None:
    threads = [threading.Thread(target=lambda: [log.head for _ in range(20)]) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    count = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE %s AND pid <> pg_backend_pid()"
    assert 1 <= hand(count, f'%"{hand.schema}".log%')[0][0] <= 16


def as_then(hand: Hand) -> None:
    """The log as an earlier dump has it, or a server that takes over and lacks the end."""
    hand("SET session_replication_role = replica")
    for table, key in (("event", "position"), ("batch", "last"), ("name", "batch")):
        hand(f"DELETE FROM {table} WHERE {key} > 1")
    last = "(digest, recorded, names) = (SELECT digest, recorded, (SELECT count(*) FROM name) FROM batch)"
    hand(f"UPDATE log SET position = 1, {last}")
    hand("RESET session_replication_role")


def anew(hand: Hand) -> None:
    """Another log in a schema of the same name."""
    hand(f'DROP SCHEMA "{hand.schema}" CASCADE')
    PostgresLog(address_of(hand)).close()


def address_of(hand: Hand) -> str:
    return f"postgresql://tester@/postgres?host={hand.db.info.host}&log={hand.schema}"


ASKED: dict[str, Callable[[PostgresLog], object]] = {
    "head": lambda log: log.head,
    "append": lambda log: log.append([game(9, "lost", "bo")]),
    "names": lambda log: log.book.find("player", "lost"),
    "verify": verify,
    "cursor": lambda log: log.move_cursor("mailer", 0, 1),
    "wait": lambda log: log.wait(0, 5),
}


@pytest.mark.parametrize("more", [0, 1, 2, 5])
@pytest.mark.parametrize("put", [as_then, anew])
@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_a_history_that_takes_the_place_of_the_one_that_was_read_is_told(
    log: PostgresLog, hand: Hand, ask: Callable[[PostgresLog], object], put: Callable[[Hand], None], more: int
) -> None:
    """A fixed bug: the ids of names that were known stood for others, and results were recorded for those."""
    log.append([game(1)])
    held = log.append([game(2, "ann", "lost")]).head
    put(hand)
    with PostgresLog(address_of(hand)) as other:
        for n in range(more):
            other.append([game(n + 2, "ann", f"other{n}")])
        before = state(other)
        for _ in range(2):  # not only once
            with pytest.raises(LogUnavailable, match=f"it was at {held}, and now ends at {other.head}") as caught:
                ask(log)
            assert "open it again" in caught.value.hint
        assert (state(other), other.cursor("mailer")) == (before, 0)
        verify(other)


def test_an_erasure_that_a_dump_undoes_is_told(log: PostgresLog, hand: Hand) -> None:
    """The head is the same, and what is shown for names is not."""
    log.append([game(1)])
    (before,) = hand("SELECT id, key, salt FROM name WHERE key = 'ann'")
    with log.writing():
        log.erase([before[0]])
    hand("UPDATE name SET key = %s, salt = %s WHERE id = %s", *before[1:], before[0])
    hand("DELETE FROM erasure")
    hand("UPDATE log SET erasures = 0")
    for _ in range(2):
        with pytest.raises(LogUnavailable, match="it had 1 erased names, and now has 0"):
            log.append([game(2)])


def test_who_opens_it_again_or_was_behind_goes_on(log: PostgresLog, hand: Hand) -> None:
    log.append([game(1)])
    with PostgresLog(address_of(hand)) as behind:
        assert keys(behind, "player") == ["ann", "bo"]
        assert behind.head.position == 1
        log.append([game(2, "ann", "lost")])
        as_then(hand)
        behind.append([game(3, "ann", "other")])
    with PostgresLog(address_of(hand)) as fresh:
        fresh.append([game(4, "lost", "bo")])
        assert [(event.a, event.b) for event in told(fresh)] == [("ann", "bo"), ("ann", "other"), ("lost", "bo")]  # type: ignore[attr-defined]  # games
        verify(fresh)


def test_the_look_at_the_history_costs_no_question_more(log: PostgresLog, monkeypatch: pytest.MonkeyPatch) -> None:
    log.append([game(1), game(2)])
    sent: list[str] = []
    run = psycopg.Cursor.execute

    def counted(cursor: Any, query: Any, *values: Any, **how: Any) -> Any:
        sent.append(str(query))
        return run(cursor, query, *values, **how)

    monkeypatch.setattr(psycopg.Cursor, "execute", counted)
    assert log.head.position == 2
    assert len(sent) == 1
    with log.writing():
        assert len(sent) == 2
    with log.reading():
        pass
    assert len(sent) == 5  # each begins by one, and ends by one
