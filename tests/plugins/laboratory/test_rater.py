"""First ratings from games that lie in the last rounds."""

import numpy as np
from ratingcore_laboratory.rater import Newcomers

from ratingcore.methods.first_ratings import RULES


def add(waiting: Newcomers, round_: int, *games: tuple[int, float, float]) -> None:
    player, faced, score = zip(*games, strict=True)
    waiting.add(round_, np.array(player), np.array(faced), np.array(score))


def test_a_first_rating_is_made_of_all_games_in_the_window() -> None:
    waiting = Newcomers(3, 2, "periodic")
    add(waiting, 1, (4, 1200.0, 1.0))
    add(waiting, 2, (4, 1000.0, 0.0), (5, 1000.0, 1.0))
    assert not len(waiting.admitted(2)[0])
    add(waiting, 3, (4, 1100.0, 0.5), (4, 1300.0, 0.5))
    who, rating = waiting.admitted(3)  # the game of round 1 is too old
    assert who.tolist() == [4]
    assert rating.tolist() == [RULES["periodic"](np.array([1000.0, 1100.0, 1300.0]), np.array([0.0, 0.5, 0.5]))]
    assert not len(waiting.admitted(3)[0])


def test_where_the_rule_publishes_none_the_games_go_on_waiting() -> None:
    waiting = Newcomers(2, 9, "fide2024")
    add(waiting, 1, (7, 900.0, 0.0), (7, 900.0, 0.0))
    assert not len(waiting.admitted(1)[0])
    add(waiting, 2, *[(7, 2000.0, 1.0)] * 6)
    who, rating = waiting.admitted(2)
    assert who.tolist() == [7]
    assert rating[0] >= 1400.0
