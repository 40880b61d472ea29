"""What no digest covers in the schema of a log is looked at by verify: what somebody changed there is named."""

import pytest
from ratingcore_postgres.log import PostgresLog

from ratingcore.errors import BrokenChain, UnsoundLog
from ratingcore.log import verify
from tests.log.making import fill
from tests.plugins.ratingcore_postgres.server import Hand


def test_a_log_as_it_was_made_has_no_faults(log: PostgresLog) -> None:
    assert list(log.faults()) == []
    fill(log)
    log.move_cursor("mailer", 0, 3)
    with log.writing():
        log.erase([2])
    assert list(log.faults()) == []
    verify(log)


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("ALTER TABLE event DISABLE TRIGGER event_append_only", "the trigger event_append_only is switched off"),
        ("ALTER TABLE event ENABLE REPLICA TRIGGER event_append_only", "the trigger event_append_only is switched off"),
        ("DROP TRIGGER batch_append_only ON batch", "the trigger batch_append_only is missing"),
        ("DROP TRIGGER event_append_only ON event; CREATE TRIGGER event_append_only BEFORE DELETE ON event "
         "EXECUTE FUNCTION append_only()", "the trigger event_append_only is switched off or has been changed"),
        ("CREATE OR REPLACE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
         "the function append_only has been changed"),
        ("CREATE TRIGGER mine AFTER INSERT ON event EXECUTE FUNCTION not_lent()",
         "the trigger mine does not belong to the log"),
        ("CREATE RULE mine AS ON INSERT TO cursor DO INSTEAD NOTHING", "the rule mine does not belong to the log"),
        ("ALTER TABLE event DROP CONSTRAINT event_uid", "the index event_uid is missing"),
        ("DROP INDEX name_key", "the index name_key is missing"),
        ("ALTER TABLE event ADD COLUMN mine text", "the table event differs from the one"),
        ("ALTER TABLE event ALTER played TYPE text", "the table event differs from the one"),
        ("DROP TABLE erasure", "the table erasure is missing"),
        ("UPDATE log SET position = 3", "the head in the table log is at position 3"),
        ("UPDATE log SET digest = 'x'", "the head in the table log"),
        ("UPDATE log SET names = 2", "the table log counts 2 names, 0 of them erased"),
        ("UPDATE log SET schema = 0", "the schema is version 0 in the table log, but its comment reads"),
        ("UPDATE log SET schema = 7", "the schema is version 7 in the table log, but its comment reads"),
        ("UPDATE log SET key = ''", "the table log must have one row with a key"),
        ("INSERT INTO cursor VALUES ('mailer', 999)", "the cursor of 'mailer' is outside the log: position 999"),
        ("UPDATE name SET key = NULL, salt = NULL WHERE id = 2", "name 2 has no text, but no erasure is recorded"),
        ("INSERT INTO erasure VALUES (2, 'x', 'x', NULL)", "name 2 was erased, but is still there"),
    ],
)  # fmt: skip
def test_what_somebody_changed_is_named(log: PostgresLog, hand: Hand, sql: str, fault: str) -> None:
    fill(log)
    if "ALTER played" in sql:
        hand("DROP VIEW events CASCADE")
    hand(sql)
    assert [line for line in log.faults() if fault in line], list(log.faults())
    with pytest.raises((UnsoundLog, BrokenChain)) as raised:
        verify(log)
    assert fault in str(raised.value) or fault in str(getattr(raised.value, "besides", ""))


@pytest.mark.parametrize(
    "sql",
    ["UPDATE event SET score = 0.75 WHERE position = 2", "DELETE FROM event WHERE position = 3",
     "UPDATE event SET data = NULL WHERE position = 1", "UPDATE batch SET recorded = recorded + 1 WHERE first = 1",
     "UPDATE name SET key = 'somebody else' WHERE id = 3", "UPDATE event SET played = played + 1 WHERE position = 2"],
)  # fmt: skip
def test_one_flipped_value_is_found(log: PostgresLog, hand: Hand, sql: str) -> None:
    """By a hand that has the right to switch triggers off, and puts them back."""
    fill(log)
    verify(log)
    hand("SET session_replication_role = replica")
    hand(sql)
    hand("SET session_replication_role = origin")
    with pytest.raises(BrokenChain):
        verify(log)
