"""Games in pieces: whatever is put in and taken out, they are the games that sorting them all gives."""

from random import Random

import numpy as np
import pytest

from ratingcore.columns import pieces, position_bounds, running_counts
from ratingcore.columns.pieces import GameTable, Spliced

Key = tuple[int, int, int]


def table(keys: list[Key]) -> GameTable:
    played, order, position = (np.array(column, dtype=np.int64) for column in zip(*keys, strict=True))
    people = (position % 7).astype(np.int32)
    return GameTable(position, played, order.astype(np.int32), people, people + 1, position / 10.0)


def keys(games: GameTable) -> list[Key]:
    return list(zip(games.played.tolist(), games.order.tolist(), games.position.tolist(), strict=True))


@pytest.mark.parametrize("block", [5, 65_536])
def test_pieces_equal_the_sorted_games_whatever_is_done_to_them(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position_bounds, "BLOCK", block)
    monkeypatch.setattr(running_counts, "BLOCK", block)
    for number in range(60):
        random = Random(number)
        known = sorted((random.randint(0, 30), random.randint(-1, 1), at) for at in range(1, 40))
        spliced, position = Spliced((table(known),)), 40
        for _ in range(30):
            gone = random.sample(range(len(known)), random.randint(0, min(3, len(known))))
            fresh = sorted(
                (random.randint(0, 30), random.randint(-1, 1), position + n) for n in range(random.randint(0, 3))
            )
            position += len(fresh)
            spliced = spliced.edited(gone, table(fresh) if fresh else GameTable.of(()))
            known = sorted([key for at, key in enumerate(known) if at not in gone] + fresh)
            if random.random() < 0.2 and known:
                start = random.randint(0, len(known))
                tail = sorted((random.randint(30, 40), 0, position + n) for n in range(3))
                position += 3
                known = known[:start]
                if not known or known[-1] < tail[0]:
                    spliced, known = spliced.replaced(start, table(tail)), known + tail
                else:
                    spliced = spliced.replaced(start, GameTable.of(()))
            agrees(spliced, known, random)


def agrees(spliced: Spliced, known: list[Key], random: Random) -> None:
    assert keys(spliced.whole) == known
    assert len(spliced) == len(known)
    low, high = sorted((random.randint(0, len(known)), random.randint(0, len(known))))
    assert keys(spliced.part(low, high)) == known[low:high]
    for at in (-1, random.randint(0, 40), 99):
        assert spliced.before(at) == sum(key[0] < at for key in known)
    for key in random.sample(known, min(3, len(known))):
        assert spliced.place(*key) == known.index(key)
    position = random.randint(0, 60)
    later = [key[0] for key in known if key[2] > position]
    assert spliced.first_later_than(position) == (later[0] if later else None)
    start, stop = sorted((random.randint(0, len(known)), random.randint(0, len(known))))
    seats = [seat for key in known[start:stop] for seat in (key[2] % 7, key[2] % 7 + 1)]
    assert spliced.counts(start, stop, 8).tolist() == [seats.count(row) for row in range(8)]
    assert keys(spliced.known_by(start, position)) == [key for key in known[start:] if key[2] <= position]


def test_many_pieces_become_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "_SMALL", 1)
    spliced = Spliced((table([(2 * at, 0, at) for at in range(1, 500)]),))
    for at in range(1, 200):
        spliced = spliced.edited([], table([(2 * at + 1, 0, 500 + at)]))
        assert len(spliced.pieces) <= 66
    assert keys(spliced.whole) == sorted(keys(spliced.whole))


def test_the_first_piece_is_not_copied() -> None:
    body = table([(at, 0, at) for at in range(1, 100)])
    spliced = Spliced((body,)).edited([90], table([(95, 1, 200)]))
    assert np.shares_memory(spliced.body.a, body.a)
    assert len(spliced.body.a) == 90
