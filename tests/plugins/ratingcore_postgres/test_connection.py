"""Servers that go away, come back, are not there, or are none: what is told, and what is never told."""

import os
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from ratingcore_postgres.log import PostgresLog

from ratingcore.errors import LogUnavailable, NotALog
from ratingcore.log import verify
from tests.log.making import fails, game, games, keys, uids
from tests.plugins.ratingcore_postgres.server import Hand, Server, location_of, running

SECRET = "geheim#1?"


@pytest.fixture(scope="module")
def mortal(server: Server) -> Iterator[Server]:
    """A server of its own, which may be killed."""
    with running() as started:
        yield started


def test_a_server_that_goes_away_is_told_and_the_next_call_connects_anew(mortal: Server) -> None:
    with PostgresLog(mortal.address("club")) as log:
        log.append(games(1, 3))
        head = log.head
        mortal.kill()
        for use in (lambda: log.head, lambda: log.append([game(9)]), lambda: list(log.rows())):
            error = fails(LogUnavailable, use)
            assert "check that the server is running" in error.hint  # type: ignore[attr-defined]  # every error of ours has a hint
        mortal.start()
        assert log.head == head
        assert log.append([game(9)]).accepted == 1
        assert verify(log, [head]).batches == 2


def test_inside_a_transaction_no_other_connection_takes_its_place(mortal: Server) -> None:
    with PostgresLog(mortal.address("torn")) as log:
        log.append([game(1)])
        fails(LogUnavailable, lambda: _torn_apart(mortal, log.writing(), lambda: log.append([game(2)])))
        assert uids(log) == ["1"]
        fails(LogUnavailable, lambda: _torn_apart(mortal, log.reading(), lambda: list(log.rows())))
        assert log.append([game(2)]).accepted == 1
        assert keys(log) == ["rapid", "ann", "bo"]


def _torn_apart(server: Server, transaction: AbstractContextManager[None], work: Callable[[], object]) -> None:
    """Work, and work again when the server was gone for a moment."""
    with transaction:
        work()
        server.kill()
        server.start()
        work()


def test_one_server_that_restarted_costs_one_error_not_one_a_connection(mortal: Server) -> None:
    import threading

    with PostgresLog(mortal.address("many")) as log:
        together = threading.Barrier(4)

        def hold() -> None:
            with log.reading():
                together.wait(20)

        threads = [threading.Thread(target=hold) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        mortal.kill()
        mortal.start()
        fails(LogUnavailable, lambda: log.head)
        assert log.head.position == 0


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://ann:{SECRET}@127.0.0.1:1/league?log=club",
        f"postgresql://ann@127.0.0.1:1/league?log=club&password={SECRET.replace('#', '%23').replace('?', '%3F')}",
        f"postgresql://ann:{SECRET}@127.0.0.1:1/league?log=club&nonsense=1",
        f"postgresql://ann:{SECRET}@127.0.0.1:1/league?log=",
        f"postgresql://ann:{SECRET}@127.0.0.1:no/league",
        "postgresql://ann:geheim/1@127.0.0.1:1/league",
        "postgresql://ann:s3@geheim@127.0.0.1:1/league",
        "postgresql://ann:s3@geheim/1@127.0.0.1:1/league",
        "postgresql://127.0.0.1:1/league?PASSWORD=geheim",
        "postgresql://127.0.0.1:1/league?passwd=geheim",
        "postgresql://ann:geheim@127.0.0.1:1/league?application_name=\udcff",
        f"postgresql://ann:{SECRET}@/league?host=/nowhere&log=club",
    ],
)  # fmt: skip
def test_a_password_is_never_shown(address: str) -> None:
    with pytest.raises(LogUnavailable) as raised:
        PostgresLog(address)
    text = "".join(traceback.format_exception(raised.value)) + repr(raised.value) + str(raised.value)
    shown = "\n".join(line for line in text.splitlines() if "PostgresLog(address)" not in line)
    assert "geheim" not in shown
    assert "league" in str(raised.value)


@pytest.fixture
def guarded(server: Server) -> Iterator[str]:
    """The address of a log, for a user who needs a password and has one connection."""
    import psycopg

    rules = server.data / "pg_hba.conf"
    before = rules.read_text()
    with psycopg.connect(f"postgresql://tester@/postgres?host={server.folder}", autocommit=True) as db:
        db.execute("CREATE ROLE guarded LOGIN PASSWORD 'geheim' CONNECTION LIMIT 1")
        db.execute("CREATE ROLE barred NOLOGIN")
        rules.write_text(f"local all guarded scram-sha-256\nlocal all stranger reject\n{before}")
        (loaded,) = db.execute("SELECT pg_conf_load_time() FROM pg_reload_conf()").fetchone() or (None,)
        while db.execute("SELECT pg_conf_load_time() > %s", (loaded,)).fetchone() != (True,):
            time.sleep(0.01)
        yield server.address("guarded").replace("tester@", "guarded:geheim@")
        rules.write_text(before)
        db.execute("SELECT pg_reload_conf()")
        db.execute("DROP SCHEMA IF EXISTS guarded CASCADE")
        db.execute("DROP ROLE guarded; DROP ROLE barred")


@pytest.mark.parametrize(
    ("old", "new", "why", "advice"),
    [
        ("geheim", "falsch", "the user or the password is wrong", "check the address and ~/.pgpass"),
        (":geheim", "", "the user or the password is wrong", "check the address and ~/.pgpass"),
        ("guarded:geheim", "nobody_at_all", "the user or the password is wrong", "~/.pgpass"),
        ("guarded:geheim", "barred", "the server does not let that user in", "pg_hba.conf"),
        ("guarded:geheim", "stranger", "the server does not let that user in", "pg_hba.conf"),
        ("/postgres", "/nowhere", "the database does not exist", "createdb NAME"),
    ],
)  # fmt: skip
def test_what_a_server_says_to_those_it_does_not_let_in(
    guarded: str, old: str, new: str, why: str, advice: str
) -> None:
    with pytest.raises(LogUnavailable) as raised:
        PostgresLog(guarded.replace(old, new))
    assert raised.value.why == why
    assert advice in raised.value.hint


def test_a_server_without_a_free_connection_says_so(guarded: str) -> None:
    import psycopg

    only = psycopg.connect(guarded.replace("&log=guarded", ""))
    with only, pytest.raises(LogUnavailable, match="the server accepts no more connections") as raised:
        PostgresLog(guarded, read_only=True)
    assert raised.value.hint == "try again, or raise max_connections"


def test_databases_that_cannot_hold_a_log_are_told(server: Server) -> None:
    import psycopg

    with psycopg.connect(f"postgresql://tester@/postgres?host={server.folder}", autocommit=True) as db:
        db.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(NotALog, match="in a database with encoding LATIN1"):
        PostgresLog(server.address("club", "latin"))
    with pytest.raises(LogUnavailable, match=r"no such database|does not exist"):
        PostgresLog(server.address("club", "nowhere"))


def test_a_closed_log_and_a_forked_one_say_so(server: Server, tmp_path: Path) -> None:
    log = PostgresLog(server.address("closed_and_forked"))
    log.append([game(1)])
    child = os.fork()
    if child == 0:
        try:
            (tmp_path / "said").write_text(str(fails(LogUnavailable, lambda: log.head)))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert "before this process was forked" in (tmp_path / "said").read_text()
    assert log.head.position == 1
    log.close()
    with pytest.raises(LogUnavailable, match="it was closed"):
        log.append([game(2)])


def test_a_standby_reads_and_refuses_to_be_written_to() -> None:
    with running() as server:
        with PostgresLog(server.address("club")) as log:
            log.append(games(1, 3))
            head = log.head
        server.stop()
        (server.data / "standby.signal").touch()
        server.start()
        with PostgresLog(server.address("club")) as log:
            assert log.head == head
            assert len(uids(log)) == 3
            for write in (lambda: log.append([game(9)]), lambda: log.move_cursor("mailer", 0, 1)):
                error = fails(LogUnavailable, write)
                assert "open it on the primary server" in error.hint  # type: ignore[attr-defined]  # as above
            with log.reading():
                assert keys(log)[0] == "rapid"
            assert log.wait(head.position - 1, 5) == head
            assert log.wait(head.position, 0.1) is None  # a fixed bug: it is read-only, as nobody may listen there


def test_nothing_is_prepared_so_that_a_pooler_cannot_take_one_statement_for_another(log: PostgresLog) -> None:
    log.append(games(1, 9))
    for n in range(9):
        log.append([game(10 + n)])
        assert log.find([str(n)]).keys() <= {str(n)}
    with log._database.connection() as db:
        assert db.execute("SELECT name FROM pg_prepared_statements").fetchall() == []


def test_a_reader_behind_a_lock_on_a_table_waits_no_longer_than_was_said(log: PostgresLog, hand: Hand) -> None:
    log.append(games(1, 3))
    hand("BEGIN")
    hand("LOCK TABLE event IN ACCESS EXCLUSIVE MODE")
    with PostgresLog(location_of(log).text, timeout=0.1) as impatient:
        for read in (lambda: uids(impatient), lambda: impatient.games(1, 0, 3)):
            error = fails(LogUnavailable, read)
            assert "or locks its tables" in str(error)
        hand("ROLLBACK")
        assert len(uids(impatient)) == 3
