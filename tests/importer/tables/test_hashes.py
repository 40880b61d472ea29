"""Hashes that were met are told from those that were not, in a few bytes each."""

import tracemalloc
from random import Random

from ratingcore.importer.tables.rows import Hashes


def test_what_was_met_before_is_told_as_a_set_tells_it() -> None:
    random, hashes, plain = Random(5), Hashes(), set[int]()
    for _ in range(300_000):
        value = random.choice((random.getrandbits(64) - 2**63, random.randrange(-2000, 2000)))
        assert hashes.meet(value) == (value in plain)
        plain.add(value)
    assert len(hashes) == len(plain)


def test_a_million_hashes_take_a_few_bytes_each() -> None:
    hashes, random = Hashes(), Random(5)
    tracemalloc.start()
    for _ in range(1_000_000):
        hashes.meet(random.getrandbits(63))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 16e6
