"""A log inside a host's own transaction: committed with the host's rows or not at all, and refused after it."""

import asyncio
from collections.abc import Iterator
from threading import Thread
from typing import Any

import psycopg
import pytest
import sqlalchemy
from psycopg.conninfo import conninfo_to_dict
from ratingcore_postgres.log import PostgresLog
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

from ratingcore.engine import Engine
from ratingcore.errors import BadValue, LogUnavailable, NoSuchLog, UnknownUid
from ratingcore.events import ResultVoided
from ratingcore.log import verify
from tests.log.conftest import Make
from tests.log.making import fails, game, keys, state, told, uids
from tests.plugins.ratingcore_postgres.server import Hand, Server, location_of


@pytest.fixture
def host(log: PostgresLog, hand: Hand) -> Iterator[psycopg.Connection[Any]]:
    """The connection of a host with a table of its own."""
    hand("CREATE TABLE mine (uid text)")
    with psycopg.connect(location_of(log).conninfo) as db:
        db.execute("SELECT set_config('search_path', %s, false)", (hand.schema,))
        db.commit()
        db.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
        yield db
        if not db.closed:
            db.rollback()


def test_rows_of_the_host_and_events_are_committed_together(log: PostgresLog, hand: Hand, host: Any) -> None:
    host.execute("INSERT INTO mine VALUES ('g-1')")
    with PostgresLog.within(host, hand.schema) as hosted:
        receipt = hosted.append([game("g-1")])
        assert hosted.head == receipt.head
        assert uids(hosted) == ["g-1"]
        assert hand("SELECT count(*) FROM mine") == [(0,)]
        assert hand("SELECT count(*) FROM event") == [(0,)]
    host.commit()
    assert hand("SELECT uid FROM mine") == [("g-1",)]
    assert uids(log) == ["g-1"]
    assert log.head == receipt.head
    assert verify(log).batches == 1


def test_after_a_rollback_neither_is_there(log: PostgresLog, hand: Hand, host: Any) -> None:
    host.execute("INSERT INTO mine VALUES ('g-1')")
    with PostgresLog.within(host, hand.schema) as hosted:
        hosted.append([game("g-1")])
    host.rollback()
    assert hand("SELECT count(*) FROM mine") == [(0,)]
    assert log.head.position == 0
    assert keys(log) == []


def test_a_log_that_was_kept_over_a_rollback_cannot_be_used(log: PostgresLog, hand: Hand, host: Any) -> None:
    """Its book has names that the database never got, whose ids are given to others meanwhile."""
    with PostgresLog.within(host, hand.schema) as kept:
        kept.append([game("g-1", "zoe", "yan")])
        host.rollback()
        log.append([game("g-2", "ann", "bo")])  # gets the ids that zoe and yan had
        host.execute("SELECT 1")  # another transaction, in which it could be used by mistake
        for use in (lambda: kept.book.find("player", "zoe"), lambda: kept.append([game("g-3", "zoe", "yan")])):
            with pytest.raises(LogUnavailable, match="the transaction in which it was opened has ended"):
                use()
    for use in (lambda: kept.append([game("g-3", "zoe", "yan")]), lambda: kept.head, lambda: uids(kept)):
        with pytest.raises(LogUnavailable, match="the transaction in which it was opened has ended"):
            use()
    host.rollback()
    with PostgresLog.within(host, hand.schema) as fresh:
        fresh.append([game("g-3", "zoe", "yan")])
    host.commit()
    assert [(event.a, event.b) for event in told(log)] == [("ann", "bo"), ("zoe", "yan")]  # type: ignore[attr-defined]  # games
    verify(log)


def test_names_of_a_savepoint_that_was_undone_are_not_remembered(log: PostgresLog, hand: Hand, host: Any) -> None:
    with PostgresLog.within(host, hand.schema) as hosted:
        with host.transaction(force_rollback=True):
            hosted.append([game("g-1", "zoe", "yan")])
        # nobody holds the head now, so somebody else may append, and does
        log.append([game("g-2", "ann", "bo")])
        hosted.append([game("g-3", "zoe", "bo")])
    host.commit()
    assert [(event.a, event.b) for event in told(log)] == [("ann", "bo"), ("zoe", "bo")]  # type: ignore[attr-defined]  # games
    verify(log)


def test_what_an_append_refuses_leaves_the_host_its_transaction(log: PostgresLog, hand: Hand, host: Any) -> None:
    host.execute("INSERT INTO mine VALUES ('before')")
    with PostgresLog.within(host, hand.schema) as hosted:
        with pytest.raises(UnknownUid):
            hosted.append([ResultVoided(uid="v", of="nothing", why="x")])
        assert hosted.append([game("g-1")]).accepted == 1
        assert hosted.append([game("g-1")]).duplicates == 1
    host.commit()
    assert hand("SELECT uid FROM mine") == [("before",)]
    assert uids(log) == ["g-1"]


def test_an_erasure_is_refused_at_once_and_leaves_the_host_its_transaction(
    log: PostgresLog, hand: Hand, host: Any
) -> None:
    """A fixed bug: it failed in the middle, and with the transaction went what was recorded in it."""
    log.append([game("g-0", "victim", "bo")])
    host.execute("INSERT INTO mine VALUES ('before')")
    with PostgresLog.within(host, hand.schema) as hosted:
        engine = Engine(hosted)
        engine.record(game("g-1"))
        for erase in (lambda: engine.erase("victim"), lambda: engine.erase("ann"), hosted.clear):
            error = fails(LogUnavailable, erase)
            assert "not possible in a transaction of the host" in str(error)
        assert "opened by its address" in error.hint  # type: ignore[attr-defined]  # every error of ours has a hint
        engine.record(game("g-2", "victim", "cy"))
    host.commit()
    assert hand("SELECT uid FROM mine") == [("before",)]
    assert [(event.a, event.b) for event in told(log)] == [("victim", "bo"), ("ann", "bo"), ("victim", "cy")]  # type: ignore[attr-defined]  # games
    assert (log.uncleared(), keys(log, "player")) == ((), ["victim", "bo", "ann", "cy"])
    assert Engine(log).erase("victim").players == (2,)
    verify(log)


def test_an_export_with_erased_names_may_be_loaded_by_a_host(
    memory_log: Make, log: PostgresLog, hand: Hand, host: Any
) -> None:
    from ratingcore.log import export_lines, load_lines

    source = memory_log()
    source.append([game(1)])
    with source.writing():
        source.erase([2])
    with PostgresLog.within(host, hand.schema) as hosted:
        load_lines(hosted, export_lines(source))
    host.commit()
    assert state(log) == state(source)
    assert log.uncleared() == ()


def test_a_host_without_a_transaction_or_a_log_is_told(log: PostgresLog, hand: Hand, host: Any) -> None:
    with pytest.raises(NoSuchLog), PostgresLog.within(host, "nothing"):
        pass
    host.rollback()
    host.autocommit = True
    with (
        pytest.raises(LogUnavailable, match="the connection has no open transaction"),
        PostgresLog.within(host, hand.schema),
    ):
        pass


def test_the_rest_of_the_transaction_may_not_write_events_by_hand(log: PostgresLog, hand: Hand, host: Any) -> None:
    with PostgresLog.within(host, hand.schema) as hosted:
        hosted.append([game("g-1")])
    with pytest.raises(psycopg.Error, match="append-only"):
        host.execute("INSERT INTO batch VALUES (99, 99, 0, NULL, 'x')")


def test_rows_of_a_host_that_reads_dicts_are_read_as_ever(log: PostgresLog, hand: Hand, host: Any) -> None:
    from psycopg.rows import dict_row

    host.row_factory = dict_row
    host.execute("SET extra_float_digits = 0")
    with PostgresLog.within(host, hand.schema) as hosted:
        hosted.append([game(n, score=0.1 + n / 1e17) for n in range(20)])
        assert [row.score for row in hosted.rows()] == [0.1 + n / 1e17 for n in range(20)]
        verify(hosted)
    host.commit()


def test_a_host_that_sees_an_older_moment_is_told_to_run_again(log: PostgresLog, hand: Hand, host: Any) -> None:
    host.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    host.execute("SELECT 1")
    log.append([game("g-1")])
    error = None
    with PostgresLog.within(host, hand.schema) as hosted:
        error = fails(LogUnavailable, lambda: hosted.append([game("g-2")]))
    assert "began before the newest append" in str(error)
    host.rollback()
    with PostgresLog.within(host, hand.schema) as hosted:
        hosted.append([game("g-2")])
    host.commit()
    assert uids(log) == ["g-1", "g-2"]


def test_a_host_that_prepares_every_statement_appends_as_ever(log: PostgresLog, hand: Hand, host: Any) -> None:
    host.prepare_threshold = 0
    for number in range(3):
        with PostgresLog.within(host, hand.schema) as hosted:
            hosted.append([game(number)])
            hosted.append([game(10 * number + n) for n in range(11, 21)])
        host.commit()
    assert verify(log).batches == 6


def test_a_host_in_a_pipeline_is_told(log: PostgresLog, hand: Hand, host: Any) -> None:
    with host.pipeline(), pytest.raises(LogUnavailable, match="in pipeline mode"):
        PostgresLog.within(host, hand.schema).__enter__()
    with PostgresLog.within(host, hand.schema) as hosted:
        with host.pipeline():
            assert "in pipeline mode" in str(fails(LogUnavailable, lambda: hosted.append([game(1)])))
        assert hosted.append([game(1)]).accepted == 1


def test_a_host_whose_transaction_has_failed_or_whose_connection_is_closed_is_told(
    log: PostgresLog, hand: Hand, host: Any
) -> None:
    with PostgresLog.within(host, hand.schema) as hosted:
        with pytest.raises(psycopg.Error):
            host.execute("SELECT nothing")
        uses = (lambda: hosted.head, lambda: hosted.append([game(1)]), PostgresLog.within(host, hand.schema).__enter__)
        for use in uses:
            with pytest.raises(LogUnavailable, match="the transaction has failed") as raised:
                use()
            assert raised.value.hint == "roll it back, and begin a new one"
        host.close()
        for use in (*uses[:2], PostgresLog.within(host, hand.schema).__enter__):
            with pytest.raises(LogUnavailable, match=r"closed|has ended"):
                use()


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b", "", "x" * 64, "pg_club", None, 5])
def test_what_no_log_is_called_is_refused_within_a_transaction(host: Any, name: Any) -> None:
    with pytest.raises(BadValue, match="is not a valid name of a log"):
        PostgresLog.within(host, name).__enter__()
    assert host.execute("SELECT 1").fetchone() == (1,)


@pytest.mark.parametrize("connection", [None, object(), "postgresql://ann:geheim@db/league"])
def test_what_is_no_connection_is_refused(connection: Any) -> None:
    with pytest.raises(BadValue, match=r"is not a synchronous connection of psycopg 3") as raised:
        PostgresLog.within(connection, "club").__enter__()
    assert "geheim" not in str(raised.value)


def test_an_undone_savepoint_and_another_append_keep_no_other_writer_waiting_for_ever(
    log: PostgresLog, hand: Hand, host: Any
) -> None:
    """A fixed bug: who waited for the row of the log went on waiting, and held what the next append needed."""
    host.execute("INSERT INTO mine VALUES ('before')")
    with host.transaction(force_rollback=True), PostgresLog.within(host, hand.schema) as hosted:
        hosted.append([game("undone")])
        others = [Thread(target=log.append, args=([game(f"o-{n}")],)) for n in range(2)]
        for other in others:
            other.start()
        with PostgresLog(location_of(log).text) as third:
            others.append(Thread(target=third.append, args=([game("t-1")],)))
            others[-1].start()
            waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            while hand(waiting)[0][0] < 2:  # the threads of one log take turns
                pass
    with PostgresLog.within(host, hand.schema) as hosted:
        hosted.append([game("kept")])
    host.commit()
    for other in others:
        other.join(30)
    assert sorted(uids(log)) == ["kept", "o-0", "o-1", "t-1"]
    verify(log)


def test_an_open_engine_lends_its_names_and_columns_to_a_transaction_of_a_host(
    log: PostgresLog, hand: Hand, host: Any
) -> None:
    engine = Engine(log)
    engine.record(*(game(f"g-{n}", f"p{n}", f"q{n}") for n in range(300)))
    before = engine.rating_list("rapid", "elo")
    statements: list[bytes] = []

    def counted(cursor: Any, query: Any, *args: Any, **options: Any) -> Any:
        statements.append(query if isinstance(query, bytes) else str(query).encode())
        return execute(cursor, query, *args, **options)

    execute = psycopg.Cursor.execute
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(psycopg.Cursor, "execute", counted)
        with engine.within(host) as inside:
            assert inside.registry is engine.registry
            inside.record(game("h-1", "p1", "new"))
            with host.transaction(force_rollback=True):
                inside.record(game("h-2", "p2", "gone"))
            listed = inside.rating_list("rapid", "elo")
    assert not any(b"SELECT id, key FROM" in one for one in statements), "no name was read again"
    assert len(listed) == len(before) + 1
    with engine.within(host) as again:  # in the same transaction
        again.record(game("h-3", "new", "p3"))
        assert len(again.rating_list("rapid", "elo")) == len(listed)
    assert len(engine.rating_list("rapid", "elo")) == len(before)
    host.rollback()
    engine.record(game("g-x", "other", "p1"))
    with engine.within(host) as inside:
        assert "new" not in inside.rating_list("rapid", "elo")
        inside.record(game("h-1", "p1", "new"))
    host.commit()
    assert "new" in engine.rating_list("rapid", "elo")
    engine.verify()


def test_a_host_in_the_database_of_another_log_of_the_name_is_refused(log: PostgresLog, server: Server) -> None:
    with psycopg.connect(location_of(log).conninfo, autocommit=True) as db:
        db.execute("CREATE DATABASE elsewhere")
    address = server.address(location_of(log).log, "elsewhere")
    PostgresLog(address).close()
    with (
        psycopg.connect(address.partition("&log=")[0]) as host,
        pytest.raises(LogUnavailable, match="a different log of this name"),
        Engine(log).within(host),
    ):
        pass


def test_connections_of_sqlalchemy_and_its_pool_are_hosts(log: PostgresLog, hand: Hand, host: Any) -> None:
    site = sqlalchemy.create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(location_of(log).conninfo))
    with Engine(log) as engine:
        with site.begin() as connection, engine.within(connection) as inside:
            inside.record(game("g-1"))
        raw = site.raw_connection()
        with engine.within(raw) as inside:
            inside.record(game("g-2"))
        raw.commit()
        raw.close()
        assert uids(log) == ["g-1", "g-2"]
    site.dispose()


@pytest.mark.parametrize("library", ["psycopg", "asyncpg"])
def test_connections_for_asyncio_are_refused_with_the_way(log: PostgresLog, library: str) -> None:
    pytest.importorskip(library, reason=f"{library} is not installed: pip install '.[recipes]'")
    at = conninfo_to_dict(location_of(log).conninfo)
    site = create_async_engine(f"postgresql+{library}://{at['user']}@/{at['dbname']}?host={at['host']}")

    async def offered(engine: Engine) -> None:
        async with AsyncSession(site) as session:
            connection = await session.connection()
            own = await connection.get_raw_connection()
            refused(engine, connection)
            refused(engine, session)
            refused(engine, own.driver_connection)
            await session.run_sync(lambda waiting: refused(engine, waiting.connection()))
        await site.dispose()

    with Engine(log) as engine:
        asyncio.run(offered(engine))


def refused(engine: Engine, connection: object) -> None:
    """Offers a connection for asyncio."""
    with pytest.raises(BadValue, match="is for asyncio: use a synchronous"), engine.within(connection):
        pass
