"""Games in pieces: whatever is put in and taken out, they are the games that sorting them all gives."""

import gc
import weakref
from random import Random

import numpy as np
import pytest

from ratingcore.columns import games_in_order
from ratingcore.columns.games_in_order import (
    GameTable,
    PlayedBefore,
    Spliced,
    comes_after,
    in_order,
    in_play_order,
    merged,
)
from ratingcore.events import Row
from tests.columns.making import engine, game, names, seed, session

Key = tuple[int, int, int]


def table(keys: list[Key]) -> GameTable:
    played, order, position = (np.array(column, dtype=np.int64) for column in zip(*keys, strict=True))
    people = (position % 7).astype(np.int32)
    return GameTable(position, played, order.astype(np.int32), people, people + 1, position / 10.0)


def keys(games: GameTable) -> list[Key]:
    return list(zip(games.played.tolist(), games.order.tolist(), games.position.tolist(), strict=True))


def test_pieces_equal_the_sorted_games_whatever_is_done_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_in_order, "_BLOCK", 1)
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


def test_kept_counts_are_those_that_counting_all_games_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_in_order, "_BLOCK", 8)
    rng, before = np.random.default_rng(1), PlayedBefore()
    rows = np.minimum(np.arange(1000) // 20, rng.integers(0, 50, 1000)).astype(np.int32)
    games = table([(at, 0, at) for at in range(1000)])._replace(a=rows, b=rows + 1)
    for place in rng.permutation(1001).tolist():
        players = place // 20 + 2 + int(rng.integers(0, 5))
        whole = np.bincount(np.concatenate([rows[:place], rows[:place] + 1]), minlength=players)
        assert (before.counts(games, place, players) == whole).all()


def test_many_pieces_become_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_in_order, "_SMALL", 1)
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


def games_at(*games: tuple[int, int, int]) -> GameTable:
    """Games by played, order, position."""
    return GameTable.of(
        Row(at, str(at), "game", 1, played, order, 1, 2, at / 100, None, None) for played, order, at in games
    )


SAMPLES = [
    [],
    [(5, 0, 1)],
    [(5, 0, 1), (5, 0, 2)],
    [(5, 0, 2), (5, 0, 1)],
    [(5, 1, 1), (5, 0, 2)],
    [(5, 0, 1), (4, 9, 2)],
    [(5, -1, 3), (5, 0, 1), (5, 0, 2), (6, -9, 9), (6, -9, 4)],
]


@pytest.mark.parametrize("games", SAMPLES)
def test_order_of_play_is_by_time_then_order_then_position(games: list[tuple[int, int, int]]) -> None:
    assert in_order(games_at(*games)) == (games == sorted(games))
    assert keys(in_play_order(games_at(*games))) == sorted(games)


@pytest.mark.parametrize("late", [1, 3, 40, 200])
def test_merging_two_tables_is_sorting_both(late: int) -> None:
    rng = np.random.default_rng(late)
    everything = [(int(day), int(order), at) for at, (day, order) in enumerate(rng.integers(0, 9, (200 + late, 2)))]
    known, fresh = sorted(everything[:200]), sorted(everything[200:])
    both = merged(games_at(*known), games_at(*fresh))
    assert keys(both) == sorted(everything)
    assert both.score.tolist() == [at / 100 for _, _, at in sorted(everything)]
    assert [column.dtype for column in both] == [column.dtype for column in games_at(*known)]


def test_a_table_follows_another_only_when_all_of_it_comes_later() -> None:
    assert comes_after(games_at((5, 0, 1)), games_at((5, 0, 2)))
    assert not comes_after(games_at((5, 0, 2)), games_at((5, 0, 1)))
    assert not comes_after(games_at((5, 1, 1)), games_at((5, 0, 2)))
    assert comes_after(games_at(), games_at((5, 0, 1)))
    assert comes_after(games_at((5, 0, 1)), games_at())


def test_players_are_numbered_by_first_appearance_in_order_of_play_a_before_b() -> None:
    assert names(engine(game(3, "eve", "ann"), game(1, "dee", "cy"), game(2, "cy", "bo"))) == [
        "dee",
        "cy",
        "bo",
        "eve",
        "ann",
    ]


def test_at_one_time_seeds_come_before_results_and_orders_before_positions() -> None:
    eng = engine(
        game(1, "g", "h", order=1),
        game(1, "e", "f"),
        seed(1, "s", order=5),
        session(1, ("x", 1.0), ("y", 0.0), order=-1),
    )
    assert names(eng) == ["s", "x", "y", "e", "f", "g", "h"]


def test_whoever_had_appeared_by_a_day_is_a_leading_part() -> None:
    eng = engine(seed(4, "late"), game(3, "c", "d"), game(1, "a", "b"))
    assert [names(eng, f"1970-01-0{day}") for day in (1, 2, 4, 5)] == [
        [], ["a", "b"], ["a", "b", "c", "d"], ["a", "b", "c", "d", "late"],
    ]  # fmt: skip


def test_a_table_that_nobody_holds_gives_its_columns_back_at_once() -> None:
    games = Spliced((table([(at, 0, at) for at in range(1, 40)]),))
    assert games.in_memory is games
    assert len(games.whole.a) == len(games) == 39
    dropped = weakref.ref(games)
    gc.disable()
    try:
        del games
        assert dropped() is None, "it refers to itself"
    finally:
        gc.enable()
