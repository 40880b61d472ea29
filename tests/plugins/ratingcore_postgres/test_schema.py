"""The schema of a log in PostgreSQL: what a hand cannot change, what it can read, and what it says of itself."""

import psycopg
import pytest
from ratingcore_postgres.log import PostgresLog
from ratingcore_postgres.schema import channel

from ratingcore.errors import NewerLog, NoSuchLog, NotALog
from tests.log.making import fill, game, state
from tests.plugins.ratingcore_postgres.server import Hand, Server


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE event SET score = 0.5", "DELETE FROM event", "TRUNCATE event", "UPDATE batch SET recorded = 0",
        "DELETE FROM batch WHERE first = 1", "TRUNCATE batch", "INSERT INTO batch VALUES (99, 99, 0, NULL, 'x')",
        "INSERT INTO event (position, uid, kind, \"order\") VALUES (99, 'x', 'game', 0)",
    ],
)  # fmt: skip
def test_what_was_recorded_cannot_be_changed_by_hand(log: PostgresLog, hand: Hand, sql: str) -> None:
    fill(log)
    before = state(log)
    with pytest.raises(psycopg.Error, match="the log is append-only"):
        hand(sql)
    assert state(log) == before


def test_the_schema_says_what_it_is(log: PostgresLog, hand: Hand) -> None:
    assert hand("SELECT obj_description(%s::regnamespace, 'pg_namespace')", f'"{hand.schema}"') == [
        ("a log of ratingcore, schema 1",)
    ]


def test_a_schema_of_something_else_is_no_log_and_stays_as_it_is(server: Server, log: PostgresLog, hand: Hand) -> None:
    hand("CREATE SCHEMA other_thing")
    hand("CREATE TABLE other_thing.mine (x integer)")
    for read_only in (True, False):
        with pytest.raises(NotALog, match="a schema of another program"):
            PostgresLog(server.address("other_thing"), read_only=read_only)
        with pytest.raises(NotALog, match="a schema of another program"):
            PostgresLog(server.address("public"), read_only=read_only)
    assert hand("SELECT count(*) FROM pg_tables WHERE schemaname = 'other_thing'") == [(1,)]


def test_an_empty_schema_that_was_made_for_it_becomes_the_log(server: Server, log: PostgresLog, hand: Hand) -> None:
    hand("CREATE SCHEMA made_for_it")
    with pytest.raises(NoSuchLog, match="log=made_for_it") as missing:
        PostgresLog(server.address("made_for_it"), read_only=True)
    assert "?log=NAME" in missing.value.hint
    with PostgresLog(server.address("made_for_it")) as made:
        assert made.append([game(1)]).accepted == 1


def test_a_log_of_a_newer_schema_is_not_touched(log: PostgresLog, hand: Hand, server: Server) -> None:
    hand(f"COMMENT ON SCHEMA \"{hand.schema}\" IS 'a log of ratingcore, schema 99'")
    for read_only in (True, False):
        with pytest.raises(NewerLog, match="log schema 99"):
            PostgresLog(server.address(hand.schema), read_only=read_only)


@pytest.mark.parametrize("said", ["schema 0", "schema 00", "schema -1", "schema \u00b2", "schema"])
def test_a_log_of_a_schema_that_there_never_was_is_none(
    log: PostgresLog, hand: Hand, server: Server, said: str
) -> None:
    hand(f"COMMENT ON SCHEMA \"{hand.schema}\" IS 'a log of ratingcore, {said}'")
    for read_only in (True, False):
        with pytest.raises(NotALog, match=r"which no version writes|a schema of another program"):
            PostgresLog(server.address(hand.schema), read_only=read_only)


@pytest.mark.parametrize("name", ["Club of 'ann' \"bo\"; %s {s}", "ünïcødé", "select", "x" * 63])
def test_a_log_may_be_called_anything(server: Server, name: str) -> None:
    from urllib.parse import quote

    with PostgresLog(server.address(quote(name))) as log:
        fill(log)
        with PostgresLog(server.address(quote(name)), read_only=True) as again:
            assert state(again) == state(log)
    assert len(channel(name)) < 63


def test_the_planner_keeps_no_sample_of_names(log: PostgresLog, hand: Hand) -> None:
    log.append([game(n, f"secret{n}", "bo") for n in range(200)])
    hand("ANALYZE")
    kept = hand("SELECT s::text FROM pg_stats s WHERE schemaname = %s", hand.schema)
    assert kept
    assert not any("secret" in text for (text,) in kept)
    assert hand("SELECT count(*) FROM pg_stats WHERE schemaname = %s AND tablename = 'name_key' AND attname = 'md5'",
                hand.schema) == [(0,)]  # fmt: skip
