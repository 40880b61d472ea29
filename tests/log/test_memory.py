"""What the memory store has of its own: a real clock and real salts unless it is given others."""

import time

from ratingcore.log import SqliteLog
from tests.log.making import game


def test_a_log_without_a_clock_takes_the_time_of_the_day() -> None:
    log = SqliteLog(":memory:")
    before = time.time_ns() // 1000
    log.append([game(1)])
    (batch,) = log.batches()
    assert before <= batch.recorded <= time.time_ns() // 1000


def test_every_name_and_every_log_gets_a_secret_of_its_own() -> None:
    logs = [SqliteLog(":memory:"), SqliteLog(":memory:")]
    for log in logs:
        log.append([game(1)])
    secrets = {log.key for log in logs} | {name.salt for log in logs for name in log.names()}
    assert len(secrets) == 2 + 2 * 4  # two players, a pool, and the key that digests cover
    assert all(len(secret or "") == 32 for secret in secrets)
    assert logs[0].head.digest != logs[1].head.digest
