"""What sealed segments are in PostgreSQL alone: tables made with the first one, in a host's transaction too."""

import psycopg
import pytest
from ratingcore_postgres.erasure import tables_of_others
from ratingcore_postgres.log import PostgresLog

import ratingcore as rc
from ratingcore.errors import BrokenChain, UnsoundLog
from ratingcore.importer import columnar, game_columns, game_writer
from ratingcore.log import verify
from ratingcore.log.segments import LEAST
from tests.importer.test_sealed_imports import table
from tests.log.making import games, state
from tests.log.sealing import seal, season
from tests.plugins.ratingcore_postgres.server import Hand, location_of


@pytest.fixture
def sealed(log: PostgresLog) -> PostgresLog:
    """A log with a sealed segment between rows."""
    log.append(games(1, 5))
    seal(log, season(0))
    log.append(games(6, 9))
    return log


def test_the_server_stores_packed_columns_as_they_are(sealed: PostgresLog, hand: Hand) -> None:
    sql = """SELECT DISTINCT attstorage::text FROM pg_attribute WHERE atttypid = 'bytea'::regtype
        AND attrelid IN ('segment'::regclass, 'uid_run'::regclass)"""
    assert hand(sql) == [("e",)]
    assert tables_of_others(sealed._database) == []


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("ALTER TABLE segment DISABLE TRIGGER segment_append_only", "the trigger segment_append_only is switched off"),
        ("DROP TRIGGER uid_run_not_lent ON uid_run", "the trigger uid_run_not_lent is missing"),
        ("ALTER TABLE segment DROP CONSTRAINT segment_first_key", "the index segment_first_key is missing"),
        ("ALTER TABLE segment ADD COLUMN mine text", "the table segment differs from the one"),
        ("DROP TABLE uid_run", "the table uid_run is missing"),
        ("DROP TABLE uid_run, segment", "the table segment is missing"),
        (
            "UPDATE log SET schema = 1",
            "the schema is version 1 in the table log, and its tables are those of version 2",
        ),
    ],
)
def test_what_somebody_changed_is_named(sealed: PostgresLog, hand: Hand, sql: str, fault: str) -> None:
    assert verify(sealed)
    hand(sql)
    with pytest.raises((UnsoundLog, BrokenChain)) as raised:
        verify(sealed)
    assert fault in str(raised.value) or fault in str(getattr(raised.value, "besides", ""))


def test_a_host_seals_and_takes_it_back(log: PostgresLog, hand: Hand) -> None:
    log.append(games(1, 5))
    before, taken = state(log), season(0)[9]
    with psycopg.connect(location_of(log).conninfo) as db:
        db.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
        with PostgresLog.within(db, hand.schema) as hosted:
            db.execute("SAVEPOINT mine")
            seal(hosted, season(0))
            assert hosted.find([taken.uid])
            db.execute("ROLLBACK TO mine")
            assert not hosted.find([taken.uid])
            seal(hosted, season(LEAST))
            assert not hosted.find([taken.uid])
            assert hosted.append([taken]).accepted == 1
            assert len(list(hosted.rows())) == LEAST + 6
        db.rollback()
        assert state(log) == before
        with PostgresLog.within(db, hand.schema) as hosted:
            seal(hosted, season(0))
        db.commit()
    assert log.append([taken]).duplicates == 1
    assert verify(log)


def test_a_role_that_does_not_own_the_schema_keeps_rows_until_the_owner_has_sealed(
    log: PostgresLog, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fixed fault: its large imports were refused, and after one of the owner it could not read the log."""
    for module, name, rows in (
        (columnar, "SEALED", LEAST),
        (game_writer, "SEALED", LEAST),
        (game_columns, "BATCH", 500),
    ):
        monkeypatch.setattr(module, name, rows)
    known, count, many = season(0)[3].uid, "SELECT count(*) FROM segment", 2 * LEAST + 700
    log.append(games(1, 5))
    assert log.address is not None
    hand("CREATE ROLE importer LOGIN")
    try:
        hand(f'GRANT USAGE ON SCHEMA "{hand.schema}" TO importer')
        hand(f'GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA "{hand.schema}" TO importer')
        with rc.open(log.address.text.replace("tester@", "importer@")) as theirs:
            assert theirs.import_file(table(games=many), pool="a", name="a").accepted == many
            seal(log, season(0))
            assert (theirs.log.head.position, hand(count)) == (many + 5 + LEAST, [(1,)])
            assert theirs.import_file(table(games=many, first=many), pool="b", name="b").accepted == many
            assert theirs.log.find([known]).keys() == {known}
        assert hand(count)[0][0] > 1
        assert verify(log)
    finally:
        hand("DROP OWNED BY importer")
        hand("DROP ROLE importer")


def test_a_reader_who_saw_rows_only_sees_the_first_segment(log: PostgresLog) -> None:
    log.append(games(1, 5))
    assert log.address is not None
    with PostgresLog(log.address.text) as other, other.reading():
        assert other.head.position == 5
        seal(log, season(0))
        assert len(list(other.rows())) == 5
        assert not other.find([season(0)[3].uid])
    with PostgresLog(log.address.text) as other:
        assert other.head.position == LEAST + 5
        assert len(list(other.rows(5))) == LEAST
