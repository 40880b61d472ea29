"""The orders of the last lists: an order of all rows, whatever was listed before, and the list is the same."""

from random import Random

import numpy as np

import ratingcore as rc
from ratingcore.lists.last_orders import MANY, LastOrders


def test_an_order_has_every_row_however_many_the_last_list_had() -> None:
    orders = LastOrders()
    assert orders.of("elo", 3) is None
    orders.keep("elo", np.array([2, 0, 1]))
    assert [orders.of("elo", players).tolist() for players in (2, 3, 5)] == [[0, 1], [2, 0, 1], [2, 0, 1, 3, 4]]


def test_few_orders_are_kept_the_latest_ones() -> None:
    orders = LastOrders()
    for number in (*range(MANY), 0, MANY):
        orders.keep(number, np.arange(2))
    assert [orders.of(number, 2) is None for number in range(MANY + 1)] == [False, True, *[False] * (MANY - 1)]


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
            policy = random.choice([None, "min_games=3", "ties=games", "ties=dense,digits=-1"])
            through = f"2024-03-{random.randint(1, day):02}" if random.random() < 0.5 else None
            made = engine.rating_list("p", "elo", through=through, policy=policy)
            fresh = rc.Engine(engine.log).rating_list("p", "elo", through=through, policy=policy)
            assert made.digest == fresh.digest
            assert made.seal == fresh.seal
