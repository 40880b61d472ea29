"""Erased names of a log in PostgreSQL: no table file keeps a byte of them, and no older snapshot a sight of them."""

import hashlib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from ratingcore_postgres.log import PostgresLog

from ratingcore import PlayerDescribed
from ratingcore.engine import Engine
from ratingcore.erasure import Erasure, ErasureRequest
from ratingcore.errors import ErasureUnfinished
from ratingcore.log import SqliteLog, export_lines, load_lines, verify
from tests.engine.described_people import KEY, OWN, check_going, check_gone, league, texts
from tests.log.making import game
from tests.plugins.ratingcore_postgres.server import Hand, Server, location_of

CALLED = "Kunegunda Brzęczyszczykiewicz"
SECRET = "Bogumiła Święcicka-Åström 苗字"  # in no other test: a server keeps the logs of all of them


@pytest.fixture
def filled(log: PostgresLog) -> PostgresLog:
    for number in range(10):
        log.append([game(number, SECRET, f"p{number}")], source=f"{SECRET}.csv")
    return log


def erase(log: PostgresLog, by: str = "") -> list[int]:
    numbers = [name.id for name in log.book.names() if name.key is not None and SECRET in name.key]
    with log.writing():
        log.erase(numbers, by)
    return numbers


def found(server: Server, hand: Hand, secret: str = SECRET) -> list[str]:
    """Files of the server that hold a text, when all is written that waits to be; the write-ahead log apart."""
    hand("CHECKPOINT")
    files = (path for path in server.data.rglob("*") if path.is_file() and "pg_wal" not in path.parts)
    return [str(path) for path in files if secret.encode() in _content(path)]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def test_no_byte_of_an_erased_name_is_left_in_the_tables(server: Server, filled: PostgresLog, hand: Hand) -> None:
    before, hashed = filled.head, hashlib.md5(SECRET.encode()).hexdigest()
    assert found(server, hand)
    hand("ANALYZE")
    numbers = erase(filled, by="secretary")
    assert filled.uncleared() == tuple(numbers)
    filled.clear()
    assert found(server, hand) == found(server, hand, SECRET[:9]) == found(server, hand, hashed) == []
    assert filled.uncleared() == ()
    assert verify(filled, [before]).head == before
    assert hand('SELECT name, "by", cleared IS NOT NULL FROM erasure') == [(n, "secretary", True) for n in numbers]


def test_rows_of_derived_tables_are_relabelled_and_leave_no_byte(
    server: Server, filled: PostgresLog, hand: Hand
) -> None:
    tables = pytest.importorskip("ratingcore_sql_tables.catch_up")
    engine = Engine(filled)
    engine.rename(SECRET, CALLED)
    tables.catch_up(engine, "rapid", "elo")
    hand("ANALYZE")
    assert hand("SELECT count(*) FROM ratings_current WHERE further LIKE %s", f"%{CALLED}%") == [(1,)]
    assert (SECRET,) in hand("SELECT player FROM ratings_current")
    erased = engine.erase(SECRET, also=[f"{SECRET}.csv"])
    assert erased.rows > 0
    assert found(server, hand) == found(server, hand, CALLED) == []
    assert [row.done for row in tables.catch_up(engine)] == ["nothing new"]
    assert hand("SELECT count(*) FROM rating_history WHERE opponent LIKE '(erased%'") == [(10,)]
    assert "write-ahead log" in str(erased)
    assert any("backups" in line for line in erased.left())


def test_derived_tables_that_nobody_can_relabel_are_emptied(server: Server, filled: PostgresLog, hand: Hand) -> None:
    tables = pytest.importorskip("ratingcore_sql_tables.catch_up")
    engine = Engine(filled)
    engine.rename(SECRET, CALLED)
    tables.catch_up(engine, "rapid", "elo")
    plan = Erasure.of(filled, ErasureRequest(SECRET, (f"{SECRET}.csv",)))
    erased = plan.applied(filled)  # as where the plugin is not installed
    assert erased.emptied == ("ratings_current", "rating_history")
    assert found(server, hand) == found(server, hand, CALLED) == []
    assert [row.done for row in tables.catch_up(engine)] == ["made again: rows were changed"]


def test_a_key_of_digits_is_looked_for_in_no_text_and_facts_that_stay_are_listed(log: PostgresLog) -> None:
    engine = Engine(log)
    described = PlayerDescribed(pool="rapid", player="12", played="2024-01-01", data={"born": 1988})
    log.append([game("g", "12", "bo"), described], source="round 12.csv")
    engine.void("g", why="board 12", by="12")
    plan = engine.plan.erase("12")
    assert [(drop.what, drop.text) for drop in plan.drops] == [("player", "12")]
    assert plan.report.rated == {2: ("born",)}
    done = engine.erase("12")
    assert (done.players, done.notes, done.sources, done.rated) == ((2,), 0, 0, plan.report.rated)


def test_no_byte_of_the_facts_of_an_erased_player_is_left_in_the_tables(
    server: Server, log: PostgresLog, hand: Hand, tmp_path: Path
) -> None:
    engine = Engine(log)
    league(engine, tmp_path)
    if find_spec("ratingcore_sql_tables"):
        import_module("ratingcore_sql_tables.catch_up").catch_up(engine, "rapid", "elo")
    hand("ANALYZE")
    with PostgresLog(location_of(log).text) as other:
        reader = Engine(other)
        assert reader.player("rapid", KEY, "elo").facts["club"] == OWN[2]
        check_going(engine)
        assert engine.erase(KEY).described == 12
        check_gone(reader)
    assert [text for text in texts() if found(server, hand, text)] == []
    check_gone(engine)
    with SqliteLog(":memory:") as loaded:
        load_lines(loaded, export_lines(log))
        assert loaded.head == log.head
        check_gone(Engine(loaded))


def test_a_reader_with_an_older_sight_is_waited_for(
    server: Server, filled: PostgresLog, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds no lock on the names, and VACUUM would keep them for it without a word."""
    monkeypatch.setattr(filled._database, "seconds", 0.3)
    assert filled.address is not None
    with PostgresLog(filled.address.text, read_only=True) as other:
        with other.reading():
            next(other.rows())
            numbers = erase(filled)
            with pytest.raises(ErasureUnfinished, match="still reads the state before the erasure") as raised:
                filled.clear()
            assert raised.value.names == tuple(numbers)
            assert found(server, hand)
        filled.clear()
    assert found(server, hand) == []


def test_a_transaction_that_uses_the_names_is_waited_for(filled: PostgresLog, hand: Hand) -> None:
    assert filled.address is not None
    with PostgresLog(filled.address.text, timeout=0.3) as log:
        erase(log)
        hand("BEGIN")
        hand("LOCK TABLE name IN ACCESS SHARE MODE")
        with pytest.raises(ErasureUnfinished, match="another process is writing, or locks its tables"):
            log.clear()
        hand("ROLLBACK")
        log.clear()
        assert log.uncleared() == ()


def test_the_thread_that_reads_itself_is_named(filled: PostgresLog) -> None:
    erase(filled)
    with filled.reading(), pytest.raises(ErasureUnfinished, match="a transaction of this thread is open"):
        filled.clear()
    rows = filled.rows()
    next(rows)  # pages stand in nobody's way
    filled.clear()
    assert len(list(rows)) == 9


@pytest.mark.parametrize(("owned", "left"), [((), "name"), (("name",), "rating_history")])
def test_a_role_leaves_what_it_does_not_own_to_the_owner(
    server: Server, filled: PostgresLog, hand: Hand, owned: tuple[str, ...], left: str
) -> None:
    """A fixed bug: the server only warns it and leaves the tables as they are, and the name was said to be erased."""
    pytest.importorskip("ratingcore_sql_tables.catch_up").catch_up(Engine(filled), "rapid", "elo")
    if not hand("SELECT 1 FROM pg_roles WHERE rolname = 'scribe'"):
        hand("CREATE ROLE scribe LOGIN")
    hand(f'GRANT USAGE ON SCHEMA "{hand.schema}" TO scribe')
    hand(f'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "{hand.schema}" TO scribe')
    for table in owned:
        hand(f"ALTER TABLE {table} OWNER TO scribe")
    assert filled.address is not None
    with PostgresLog(filled.address.text.replace("tester@", "scribe@")) as theirs:
        with pytest.raises(ErasureUnfinished, match=f"only the owner of the table {left} may rewrite it") as raised:
            Engine(theirs).erase(SECRET, also=[f"{SECRET}.csv"])
        assert theirs.uncleared() == raised.value.names != ()
        assert theirs.book.find("player", SECRET) is None
    assert found(server, hand)
    assert Engine(filled).erase(SECRET).players == (2,)
    assert found(server, hand) == []
    assert filled.uncleared() == ()
