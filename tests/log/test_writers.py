"""Two processes on one file: they take turns, nobody is lost, and a reader sees whole prefixes."""

import time
from itertools import pairwise
from pathlib import Path

import pytest

from ratingcore import open as open_log
from ratingcore.log import Head, SqliteLog, verify
from tests.log.jobs import batch_of
from tests.log.making import game, uids
from tests.log.workers import Worker, Workers

COUNT = 200
SOON = 0.05


def lines(workers: list[Worker]) -> list[list[object]]:
    return [list(worker) for worker in workers]


def test_two_writers_and_a_reader_share_one_file(workers: Workers, tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    SqliteLog(path).close()
    at = time.time() + SOON
    writers = [workers.start("append_batches", str(path), label, COUNT, at) for label in ("one", "two")]
    seen: list[Head] = []
    with SqliteLog(path, read_only=True) as reader:
        whole = 2 * sum(len(batch_of(number, most=25)) for number in range(COUNT))
        deadline = time.monotonic() + 50
        while not seen or seen[-1].position < whole:
            assert time.monotonic() < deadline, f"stuck at {seen[-1:]} of {whole}"
            head = reader.head
            assert reader.digest_at(head.position) == head.digest
            since = seen[-1].position if seen else 0
            rows = list(reader.rows(since, head.position))
            assert [row.position for row in rows] == list(range(since + 1, head.position + 1))
            known = len(reader.book.names())
            assert all(1 <= (player or 1) <= known for row in rows for player in (row.pool, row.a, row.b))
            if len(seen) % 5 == 0:
                assert verify(reader, seen[-3:]).head.position >= head.position
            seen.append(head)
            time.sleep(0.02)
    receipts = lines(writers)
    assert [len(said) for said in receipts] == [COUNT, COUNT]
    heads = [Head(position, digest) for said in receipts for _, _, position, digest in said]  # type: ignore[misc]
    with SqliteLog(path) as log:
        assert verify(log, [*heads, *seen]).batches == 2 * COUNT
        expected = {
            event.uid
            for label in ("one", "two")
            for number in range(COUNT)
            for event in batch_of(number, f"{label}-", most=25)
        }
        found = uids(log)
        assert len(found) == len(expected) == whole
        assert set(found) == expected
        sources = [batch.source for batch in log.batches()]
        turns = sum(one != two for one, two in pairwise(sources))
        assert turns > 4, "the writers did not take turns"
    assert len(seen) > 3


def test_two_writers_of_the_same_events_write_them_once(workers: Workers, tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    at = time.time() + SOON
    receipts = lines([workers.start("append_the_same", str(path), 60, at) for _ in range(3)])
    assert [len(said) for said in receipts] == [60, 60, 60]
    for number in range(60):
        size = len(batch_of(number))
        assert sorted(said[number] for said in receipts) == [[0, size], [0, size], [size, 0]]  # type: ignore[type-var]
    with SqliteLog(path) as log:
        assert verify(log).batches == 60
        assert uids(log) == [event.uid for number in range(60) for event in batch_of(number)]


def test_processes_that_make_the_same_log_at_once_make_one(workers: Workers, tmp_path: Path) -> None:
    for round_ in range(12):
        path = tmp_path / f"new-{round_}.db"
        at = time.time() + SOON
        said = lines([workers.start("make", str(path), at) for _ in range(4)])
        words = [word for worker in said for word, _ in worker]  # type: ignore[misc]
        assert words == ["made"] * 4, said
        assert len({key for worker in said for _, key in worker}) == 1  # type: ignore[misc]
        with SqliteLog(path) as log:
            assert verify(log).head.position == 4


def test_a_backup_made_while_another_appends_is_a_whole_prefix(workers: Workers, tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with SqliteLog(path) as log:
        writer = workers.start("append_batches", str(path), "one", 80, time.time())
        said = iter(writer)
        heads = []
        for number in range(6):
            next(said)
            backup = tmp_path / f"backup-{number % 2}.db"
            log.backup(backup)
            with SqliteLog(backup, read_only=True) as copy:
                heads.append(verify(copy).head)
        assert len([*said]) == 80 - 6
        assert verify(log, heads).batches == 80
    assert heads == sorted(heads, key=lambda head: head.position)
    assert 0 < heads[0].position < heads[-1].position


@pytest.mark.parametrize("method", ["elo:k=24", "elo:period=days(2)"])
def test_every_list_that_is_asked_for_beside_a_writer_is_the_list_of_a_whole_prefix(
    workers: Workers, tmp_path: Path, method: str
) -> None:
    """Games, corrections and published lists arrive; what a reader saw of a head is what everyone sees of it later."""
    path = tmp_path / "club.db"
    with open_log(path) as engine:
        engine.record(game("first", played=0))  # no periods of decades in which nobody plays
    readers = [workers.start("list_for_ever", str(path), method) for _ in range(3)]
    begun = [next(iter(reader)) for reader in readers]  # all of them are at it
    heads = [position for (position,) in workers.start("play_a_season", str(path), 60)]
    seen = []
    for reader, first in zip(readers, begun, strict=True):
        reader.kill()
        seen.append([first, *reader])
    with open_log(path, read_only=True) as engine:
        ends = {batch.last for batch in engine.log.batches()}
        assert engine.published(), "no list was published"
        told = {}
        for known_at, head, digest in (line for lines in seen for line in lines):
            assert known_at in ends, "a reader saw half a batch"
            assert told.setdefault(known_at, (head, digest)) == (head, digest), "two readers saw different things"
        assert len(told) > 3
        for known_at, (head, digest) in told.items():
            again = engine.rating_list("rapid", method, known_at=known_at)
            assert (again.provenance.digest, again.digest) == (head, digest)
        assert engine.verify([Head(known_at, head) for known_at, (head, _) in told.items()]).head.position >= heads[-1]
        for lines in seen:
            assert [known_at for known_at, *_ in lines] == sorted(known_at for known_at, *_ in lines)
