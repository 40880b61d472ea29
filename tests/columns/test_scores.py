"""Scores: the share of a game's point and the points of a session are two types, and both are numbers."""

import copy
import pickle

import numpy as np
import pytest
from ratingcore_weng_lin import WengLin

from ratingcore.columns.scores import GameShare, ScoreColumn, SessionPoints, placings
from ratingcore.explain.list_columns import tally
from tests.columns.making import POOL, engine, game, session


def test_a_score_knows_whether_it_is_of_a_game_or_of_a_session() -> None:
    share, last = GameShare(1.0), SessionPoints(1.0, place=3, level=1, sides=3)
    assert (share, last) == (1.0, 1.0)
    assert (share.outcome, last.outcome) == (1, None)
    assert [GameShare(score).outcome for score in (0.0, 0.5, 0.75)] == [-1, 0, None]


@pytest.mark.parametrize(("place", "level", "outcome"), [(1, 1, 1), (2, 1, -1), (1, 2, 0)])
def test_of_two_sides_the_place_says_who_won(place: int, level: int, outcome: int) -> None:
    assert SessionPoints(1.0, place, level, 2).outcome == outcome


def test_points_keep_their_place_in_a_copy() -> None:
    points = SessionPoints(2.5, 4, 2, 12)
    for one in (copy.copy(points), copy.deepcopy(points), pickle.loads(pickle.dumps(points))):
        assert (one, one.place, one.level, one.sides) == (2.5, 4, 2, 12)


def test_places_are_counted_by_hand() -> None:
    """3, 1, 3, 2 are places 1, 4, 1, 3; the shares of the others left behind are 2.5, 0, 2.5 and 1 of three."""
    eng = engine(session(1, ("a", 3.0), ("b", 1.0), ("c", 3.0), ("d", 2.0)), session(2, ("a", -1.0), ("bc", -2.0)))
    sides = eng.core.replay(POOL, WengLin()).results
    assert placings(sides).tolist() == [[1, 2, 4], [4, 1, 4], [1, 2, 4], [3, 1, 4], [1, 1, 2], [2, 1, 2]]
    share = dict(zip("abcd", tally(eng.core.replay(POOL, WengLin())).share.tolist(), strict=True))
    assert share == pytest.approx({"a": (2.5 / 3 + 1.0) / 2, "b": 0.0, "c": 2.5 / 6, "d": 1.0 / 3})
    some = ScoreColumn.of_sides(sides, np.array([3, 4])).tolist()
    assert [(one, one.place, one.sides) for one in some if isinstance(one, SessionPoints)] == [
        (2.0, 3, 4),
        (-1.0, 1, 2),
    ]


def test_a_game_among_sessions_is_a_share() -> None:
    eng = engine(session(1, ("a", 1.0), ("b", 2.0), ("c", 3.0)), game(2, "a", "b", 1.0))
    first, second = eng.history(POOL, "a", WengLin())
    assert isinstance(first.score, SessionPoints)
    assert (first.score, first.score.place) == (1.0, 3)
    assert isinstance(second.score, GameShare)
    assert second.score == 1.0
