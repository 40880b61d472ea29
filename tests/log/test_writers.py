"""Two processes on one file: they take turns, nobody is lost, and a reader sees whole prefixes."""

import time
from itertools import pairwise
from pathlib import Path

from ratingcore.log import Head, SqliteLog, verify
from tests.log.jobs import batch_of
from tests.log.making import uids
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
            known = len(reader.names())
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
