"""The orders of the last lists: an order of all rows, whatever was listed before, and the list is the same."""

from contextlib import nullcontext
from math import nan
from pathlib import Path
from random import Random

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.lists.last_orders import MANY, LastOrders


def kept(which: object, rating: list[float], ids: list[int]) -> LastOrders:
    orders = LastOrders()
    orders.keep(which, np.argsort(-np.array(rating)), np.array(rating), np.array(ids))
    return orders


@pytest.mark.parametrize(
    ("ids", "order", "moved"),
    [
        ([7, 8], [0, 1], [False, False]),
        ([7, 8, 9], [2, 0, 1], [False, False, False]),
        ([7, 8, 9, 10, 11], [2, 0, 1, 3, 4], [False, False, False, True, True]),
        ([8, 7, 9], [2, 0, 1], [True, True, False]),
    ],
)
def test_an_order_has_every_row_and_says_which_hold_what_they_held(
    ids: list[int], order: list[int], moved: list[bool]
) -> None:
    near = kept("elo", [2.0, 1.0, 3.0], [7, 8, 9]).near(
        "elo", np.array([2.0, 1.0, 3.0, 1.0, 1.0])[: len(ids)], np.array(ids)
    )
    assert near is not None
    assert (near.order.tolist(), near.moved.tolist()) == (order, moved)


def test_another_rating_has_moved_and_so_has_an_unrated_player() -> None:
    orders = kept("elo", [2.0, 1.0, nan], [7, 8, 9])
    near = orders.near("elo", np.array([2.0, 1.5, nan]), np.array([7, 8, 9]))
    assert near is not None
    assert near.moved.tolist() == [False, True, True]


def test_few_orders_are_kept_the_latest_ones() -> None:
    orders, one = LastOrders(), np.ones(1)
    for number in (*range(MANY), 0, MANY):
        orders.keep(number, np.arange(1), one, one)
    assert [orders.near(number, one, one) is None for number in range(MANY + 1)] == [
        False, True, *[False] * (MANY - 1)
    ]  # fmt: skip


@pytest.mark.parametrize("store", ["memory", "file"])
def test_equal_ratings_stand_by_name_when_a_late_game_numbers_players_again_and_when_names_are_erased(
    store: str, tmp_path: Path
) -> None:
    """Rows are players in order of first appearance, and an erased name is another one, whoever erased it."""
    path = ":memory:" if store == "memory" else str(tmp_path / "club.db")
    with rc.open(path) as engine:
        draw = {"pool": "p", "score": 0.5}
        engine.record(*(rc.GamePlayed(played=f"2024-03-{n + 2:02}", a=f"{n}x", b=f"{n}y", **draw) for n in range(8)))
        lists = [engine.rating_list("p", "elo").player]
        engine.record(rc.GamePlayed(played="2024-03-01", a="7x", b="7y", **draw))
        lists.append(engine.rating_list("p", "elo").player)
        engine.erase("3x")
        lists.append(engine.rating_list("p", "elo").player)
        with nullcontext(engine) if store == "memory" else rc.open(path) as other:
            other.erase("5y")
        lists.append(engine.rating_list("p", "elo").player)
        assert "(erased" in lists[-1][1]
        assert [list(players) for players in lists] == [sorted(players) for players in lists]


def test_lists_of_an_engine_equal_those_of_a_fresh_one_whatever_was_listed_before() -> None:
    random = Random(4)
    with rc.open(":memory:") as engine:
        for day in range(1, 25):
            for number in range(3):
                a, b = random.sample(range(6 + 2 * day), 2)
                game = rc.GamePlayed(
                    uid=f"{day}-{number}",
                    pool="p",
                    played=f"2024-03-{day:02}",
                    a=f"p{a}",
                    b=f"p{b}",
                    score=random.random(),
                )
                engine.record(game)
            policy = random.choice([None, "min_games=3", "ties=games", "ties=dense,digits=-1", "digits=-2"])
            through = f"2024-03-{random.randint(1, day):02}" if random.random() < 0.5 else None
            made = engine.rating_list("p", "elo", through=through, policy=policy)
            fresh = rc.Engine(engine.log).rating_list("p", "elo", through=through, policy=policy)
            assert made.digest == fresh.digest
            assert made.seal == fresh.seal
