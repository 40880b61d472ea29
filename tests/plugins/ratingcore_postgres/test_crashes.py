"""Crash safety in PostgreSQL: what was acknowledged is there, nothing is torn, and a retry repeats nothing."""

from tests.log.workers import Workers
from tests.plugins.ratingcore_postgres.crashes import servers_killed, writers_killed
from tests.plugins.ratingcore_postgres.server import Server, running


def test_writers_that_are_killed_again_and_again_lose_and_tear_nothing(workers: Workers, server: Server) -> None:
    assert writers_killed(workers, server.address("killed_writers"), 8) > 0


def test_servers_that_are_killed_in_mid_append_lose_and_tear_nothing(workers: Workers) -> None:
    with running(fsync="on", full_page_writes="on") as server:
        assert servers_killed(workers, server, 2) > 0
