"""Copies of a whole server, as docs/officer/backups.md makes them, hold the logs that it had."""

import shutil
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

import ratingcore as rc
from tests.plugins.ratingcore_postgres.server import Server, binaries


def test_a_log_in_a_base_backup_that_is_taken_while_it_is_written_to_is_whole(server: Server) -> None:
    programs = binaries()
    if programs is None or not (programs / "pg_basebackup").exists():
        pytest.skip("pg_basebackup is not installed")
    game = rc.GamePlayed(pool="rapid", played="2024-03-01", a="ann", b="bo", score=1.0)
    with rc.open(server.address("copied")) as engine, tempfile.TemporaryDirectory(prefix="rc-pg-") as name:
        engine.declare("rapid", method="elo")
        engine.record(game)
        copy, before = Server(Path(name), programs), engine.log.head
        Path(name).chmod(0o755)
        if copy._user is not None:
            shutil.chown(name, copy._user)
        with engine.log.writing():  # one that is not acknowledged is not in the copy
            engine.record(game)
            copy._run("pg_basebackup", "-h", str(server.folder), "-U", "tester", "-D", str(copy.data), "-c", "fast")
        settings = copy.data / "postgresql.conf"
        settings.write_text(settings.read_text().replace(str(server.folder), name))
        copy.start()
        try:
            with closing(rc.open(copy.address("copied"))) as restored:
                assert restored.verify().head == before
                assert len(restored.rating_list("rapid")) == 2
        finally:
            copy.stop()
