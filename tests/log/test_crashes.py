"""Crash safety: whatever was acknowledged is there, nothing is torn, and a retry repeats nothing."""

import random
import time
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.errors import LogUnavailable
from ratingcore.log import Head, SqliteLog, verify
from tests.log.jobs import batch_of, ends_of
from tests.log.making import told, uids
from tests.log.workers import Workers

KILLS = 12
"""Kills in mid-append; kills between two appends come on top."""


def test_a_writer_that_is_killed_again_and_again_loses_and_tears_nothing(workers: Workers, tmp_path: Path) -> None:
    path, chance = tmp_path / "club.db", random.Random(1)
    ends = ends_of(3000)
    acknowledged: list[Head] = []
    in_append = rounds = 0
    while in_append < KILLS:
        rounds += 1
        assert rounds < 3 * KILLS, "too few kills hit an append"
        writer = workers.start("append_for_ever", str(path), chance.choice([20, 1000]))
        begun = done = -1
        known = len(acknowledged)
        deadline = None
        for word, number, *facts in writer:
            if word == "begun":
                begun = number
                if deadline is None and number > known:  # all that was there has been repeated
                    deadline = time.monotonic() + chance.random() * 0.02
                if deadline is not None and time.monotonic() >= deadline:
                    time.sleep(chance.random() * 0.004)
                    writer.kill()
            else:
                done = number
                accepted, position, digest = facts
                if accepted:
                    assert (accepted, position) == (len(batch_of(number)), ends[number + 1])
                if number == len(acknowledged):  # of one that was there unacknowledged, only the end is known
                    acknowledged.append(Head(ends[number + 1], digest if accepted else ""))
        in_append += begun > done
        with SqliteLog(path, read_only=True) as log:
            assert log.head.position in ends[len(acknowledged) : len(acknowledged) + 2]
            if rounds % 4 == 0:
                verify(log, acknowledged)
    with SqliteLog(path) as log:
        found = verify(log, acknowledged)
        kept = ends.index(log.head.position)
        assert found.batches == kept >= len(acknowledged)
        events = [event for number in range(kept) for event in batch_of(number)]
        assert uids(log) == [event.uid for event in events]
        assert told(log) == events
        before = log.head
        for number in range(kept):
            receipt = log.append(batch_of(number), source=f"batch {number}")
            assert (receipt.accepted, receipt.duplicates, receipt.head) == (0, len(batch_of(number)), before)
        assert log.append(batch_of(kept)).accepted == len(batch_of(kept))
        assert verify(log, [*acknowledged, before]).batches == kept + 1
    assert rounds >= KILLS


def test_names_of_a_transaction_that_a_full_disk_undid_are_none(tmp_path: Path) -> None:
    """Their ids stayed known to the process; the next names got the same ids, and a note was the name of a player."""
    resource = pytest.importorskip("resource", reason="no bound on files on Windows")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with rc.open(str(tmp_path / "club.db")) as engine:

        def play(uid: str, a: str) -> None:
            event = rc.GamePlayed(uid=uid, pool="p", played="2024-03-02", a=a, b="bo", score=1.0)
            engine.record(event, source="hall" if uid == "g-2" else "")

        def record() -> None:
            with engine.log.writing():
                play("g-2", "cy")
                engine.amend("g-1", {"score": 0.5}, why="typed wrong", own_uid="a-1")
                engine.amend("g-1", {"score": 0.0}, why="protest", own_uid="a-2")

        play("g-1", "ann")
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
        try:
            with pytest.raises(LogUnavailable, match="disk"):
                record()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        for player in ("di", "eva", "fay", "gus"):
            play(f"of {player}", player)
        record()
        assert engine.verify().head.position == 8
        assert [event.why for _, event in engine.events() if isinstance(event, rc.ResultAmended)] == [
            "typed wrong", "protest"
        ]  # fmt: skip
