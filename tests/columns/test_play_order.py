"""The two sorts behind a timeline: order of play, and numbering by first appearance."""

import numpy as np
import pytest

from ratingcore.columns.pieces import GameTable
from ratingcore.columns.play_order import follows, in_order, in_play_order, merged
from ratingcore.events import Row
from tests.columns.making import engine, game, names, seed, session


def table(*games: tuple[int, int, int]) -> GameTable:
    """Games by played, order, position."""
    return GameTable.of(
        Row(at, str(at), "game", 1, played, order, 1, 2, at / 100, None, None) for played, order, at in games
    )


def keys(games: GameTable) -> list[tuple[int, int, int]]:
    return list(zip(games.played.tolist(), games.order.tolist(), games.position.tolist(), strict=True))


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
    assert in_order(table(*games)) == (games == sorted(games))
    assert keys(in_play_order(table(*games))) == sorted(games)


@pytest.mark.parametrize("late", [1, 3, 40, 200])
def test_merging_two_tables_is_sorting_both(late: int) -> None:
    rng = np.random.default_rng(late)
    everything = [(int(day), int(order), at) for at, (day, order) in enumerate(rng.integers(0, 9, (200 + late, 2)))]
    known, fresh = sorted(everything[:200]), sorted(everything[200:])
    both = merged(table(*known), table(*fresh))
    assert keys(both) == sorted(everything)
    assert both.score.tolist() == [at / 100 for _, _, at in sorted(everything)]
    assert [column.dtype for column in both] == [column.dtype for column in table(*known)]


def test_a_table_follows_another_only_when_all_of_it_comes_later() -> None:
    assert follows(table((5, 0, 1)), table((5, 0, 2)))
    assert not follows(table((5, 0, 2)), table((5, 0, 1)))
    assert not follows(table((5, 1, 1)), table((5, 0, 2)))
    assert follows(table(), table((5, 0, 1)))
    assert follows(table((5, 0, 1)), table())


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
