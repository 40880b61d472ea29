"""Running counts: whatever was asked before, they are what counting all games gives, in little memory."""

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from ratingcore.columns import running_counts
from ratingcore.columns.arrays import Ints
from ratingcore.columns.pieces import GameTable, Spliced
from ratingcore.columns.running_counts import RunningCounts


@pytest.fixture(autouse=True)
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_counts, "BLOCK", 7)
    monkeypatch.setattr(running_counts, "APART", 1)


def games(random: Random, many: int, players: int) -> tuple[Ints, Ints]:
    """Columns in which players appear one after the other, as rows are numbered."""
    a, b = ([random.randrange(2 + at * (players - 1) // many) for at in range(many)] for _ in "ab")
    return np.array(a, dtype=np.int32), np.array(b, dtype=np.int32)


def test_counts_through_any_place_are_those_of_a_plain_count() -> None:
    for seed in range(60):
        random, players = Random(seed), Random(seed).randint(2, 20)
        many = random.randint(1, 150)
        a, b = games(random, many, players)
        running = RunningCounts()
        if seed % 2:
            running.keep(many, np.bincount(np.concatenate([a, b]), minlength=players + 1).astype(np.int64))
        for _ in range(20):
            place = random.randint(0, many)
            seen = [*a[:place].tolist(), *b[:place].tolist()]
            rows = max(seen, default=0) + 1 + random.randint(0, 3)
            until = random.randint(place, many)
            assert running.through(a[:until], b[:until], place, rows).tolist() == [
                seen.count(row) for row in range(rows)
            ]


def test_what_was_counted_is_not_counted_again_from_either_side(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = games(Random(1), 100, 5)
    running = RunningCounts()
    running.through(a, b, 100, 6)
    lengths: list[int] = []
    tally = running_counts.tally

    def measured(counts: NDArray[np.int64], rows: Ints, sign: int) -> None:
        lengths.append(len(rows))
        tally(counts, rows, sign)

    monkeypatch.setattr(running_counts, "tally", measured)
    for place in (50, 52, 55):  # kept are 0, 7, 14, ..., 49, 56, ...
        running.through(a, b, place, 6)
    assert lengths == [1, 1, 3, 3, 1, 1]
    assert running.far(52, 100) == 3
    assert running.far(55, 54) == 6  # what lies beyond shorter columns is of no use


def test_columns_in_other_memory_take_over_what_was_kept_of_their_first_games() -> None:
    a, b = games(Random(2), 100, 5)
    running, other = RunningCounts(), RunningCounts()
    running.through(a, b, 100, 6)
    other.take(running, 50)
    assert other.far(49, 100) == 0
    assert other.far(77, 100) == 28
    assert other.through(a, b, 77, 6).tolist() == running.through(a, b, 77, 6).tolist()


def test_counts_take_at_most_a_byte_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_counts, "APART", 4)
    a = np.random.default_rng(1).integers(0, 50, 10_000).astype(np.int32)
    running = RunningCounts()
    running.through(a, a[::-1].copy(), 10_000, 50)
    kept = [counts for _, counts in running._kept]
    assert len(kept) > 10
    assert sum(counts.nbytes for counts in kept) <= len(a)


def test_a_table_counts_like_a_plain_count_wherever_it_is_cut() -> None:
    random = Random(3)
    a, b = games(random, 200, 9)
    at = np.arange(200)
    table = Spliced((GameTable(at, at, at.astype(np.int32), a, b, at / 200),))
    late = GameTable(at[:1] + 900, at[150:151], at[150:151].astype(np.int32), a[:1], b[:1], at[:1] / 2)
    tables = [table, table.edited([120], late), table.replaced(90, late)]
    for each in tables:
        each.keep_counts(np.bincount(np.concatenate([each.whole.a, each.whole.b]), minlength=10).astype(np.int64))
    for _ in range(200):
        each = random.choice(tables)
        start, stop = sorted(random.choices(range(len(each) + 1), k=2))
        seen = [*each.whole.a[start:stop].tolist(), *each.whole.b[start:stop].tolist()]
        assert each.counts(start, stop, 10).tolist() == [seen.count(row) for row in range(10)]
