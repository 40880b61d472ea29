"""Several processes at one log: readers see whole prefixes, one publishes, and whoever is killed leaves no harm."""

import random
import time
from itertools import islice
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.log import Head
from tests.log.making import game
from tests.log.workers import Workers

pytestmark = pytest.mark.usefixtures("eager")

METHODS = ["elo:k=24", "elo:period=days(2)", "elo:entry=trial(2)"]
KILLS = 6


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log with one game."""
    with rc.open(tmp_path / "club.db") as engine:
        engine.record(game("first", "a", "b", played=0))
    return tmp_path / "club.db"


@pytest.mark.parametrize("method", METHODS[:2])
def test_whatever_is_asked_beside_a_writer_is_answered_from_a_whole_prefix(
    workers: Workers, path: Path, method: str
) -> None:
    """Lists, explanations and published lists, while games and corrections arrive and caches are written by all."""
    readers = [workers.start("ask_for_ever", str(path), method, "a") for _ in range(3)]
    begun = [next(iter(reader)) for reader in readers]
    writer = workers.start("rate_for_ever", str(path), METHODS[:2], 7, 20)
    assert len([*islice(writer, 20)]) == 20
    for worker in (writer, *readers):
        worker.kill()
    answers = [answer for first, reader in zip(begun, readers, strict=True) for answer in (first, *reader)]
    with rc.Engine(rc.SqliteLog(path, read_only=True)) as plain:  # without any cache
        ends = {batch.last for batch in plain.log.batches()}
        seals = {one.name: plain.published_list(one).seal for one in plain.published("rapid")}
        assert len({known_at for known_at, *_ in answers}) > 1
        for known_at, digest, closing, contributions, published in answers:
            assert known_at in ends, "a reader saw half a batch"
            assert plain.rating_list("rapid", method, known_at=known_at).digest == digest
            why = plain.explain("rapid", "a", method, known_at=known_at)
            assert (why.closing, [line.contribution for line in why.lines]) == (closing, contributions)
            assert published.items() <= seals.items()


def test_whoever_is_killed_while_caches_are_written_leaves_the_next_process_right(workers: Workers, path: Path) -> None:
    chance = random.Random(3)
    heads: list[Head] = []
    for seed in range(KILLS):
        worker = workers.start("rate_for_ever", str(path), METHODS, seed, 1)
        assert [*islice(worker, 3)]
        time.sleep(chance.random() * 0.05)
        worker.kill()
        for _ in worker:
            pass
        with rc.open(path) as after, rc.Engine(rc.SqliteLog(path, read_only=True)) as plain:
            heads.append(after.log.head)
            for method in METHODS:
                for known_at in (None, chance.randint(1, heads[-1].position)):
                    found = after.rating_list("rapid", method, known_at=known_at)
                    assert found.digest == plain.rating_list("rapid", method, known_at=known_at).digest
                    assert found.seal == plain.rating_list("rapid", method, known_at=known_at).seal
            for published in chance.sample(list(after.published()), min(5, len(after.published()))):
                made = after.published_list(published)
                assert made.seal == published.seal
                assert plain.prove(made.document("json", published.name))
    with rc.open(path) as after:
        assert heads[-1].position > KILLS
        assert after.published()
        assert after.verify(heads).head == after.log.head
        folder = path.with_name("club.db.columns")
        assert any(folder.rglob("*.sealed")), "nothing was kept that could be torn"
