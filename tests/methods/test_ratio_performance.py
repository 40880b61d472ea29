"""Performance ratings on a ratio scale: worked numbers, and how the three kinds hang together."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingcore.errors import BadValue
from ratingcore.methods.ratio_performance import RATIO_PERFORMANCES, Performance

FIELD = np.array([[0.0, 3.0, 2.5], [1.0, 0.0, 2.0], [1.5, 2.0, 0.0]])
"""Points of row against column."""
STRENGTH = np.array([37.0, 15.0, 19.0])
"""The solution of that field, in 71sts of the whole: worked by hand in the README of berkin."""


def performed(kind: str, opponents: list[float], scores: list[float]) -> Performance:
    return RATIO_PERFORMANCES[kind](np.array(opponents), np.array(scores))


@pytest.mark.parametrize(
    ("kind", "rating"), [("ratio", 1100.0), ("weighted_opposition", 3100.0 / 3.0), ("berkin", 3100.0 / 3.0)]
)
def test_a_win_a_loss_and_a_draw(kind: str, rating: float) -> None:
    """1000 (win), 1200 (loss), 1100 (draw): 1000 + 550 over 1.5 points, won and lost alike."""
    made = performed(kind, [1000.0, 1200.0, 1100.0], [1.0, 0.0, 0.5])
    assert made.rating == pytest.approx(rating)
    assert (made.games, made.score, made.opposition, made.status) == (3, 1.5, 1100.0, "ok")


@pytest.mark.parametrize("player", [0, 1, 2])
def test_in_a_solved_field_everybody_performs_as_they_are_rated(player: int) -> None:
    """13.2 for one player, against the solution of 13.2 for all; the points of a pairing as several games."""
    opponents, scores = [], []
    for other in {0, 1, 2} - {player}:
        won, met = FIELD[player, other], int(FIELD[player, other] + FIELD[other, player])
        opponents += [STRENGTH[other]] * met
        scores += [won / met] * met
    assert performed("berkin", opponents, scores).rating == pytest.approx(STRENGTH[player])


@given(st.lists(st.tuples(st.floats(1.0, 3000.0), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=30))
def test_the_kinds_hang_together(games: list[tuple[float, float]]) -> None:
    opponents, scores = [r for r, _ in games], [s for _, s in games]
    won, n = sum(scores), len(games)
    ratio, weighted, berkin = (performed(kind, opponents, scores) for kind in RATIO_PERFORMANCES)
    if won == n:
        assert (ratio.rating, berkin.rating, ratio.status, berkin.status) == (inf, inf, "unbounded", "unbounded")
    elif won == 0:
        assert (ratio.rating, berkin.rating, ratio.status, berkin.status) == (0.0, 0.0, "zero", "zero")
        assert (np.isnan(weighted.rating), weighted.status) == (True, "none")
    else:
        assert ratio.rating == pytest.approx(ratio.opposition * won / (n - won))
        assert berkin.rating == pytest.approx(weighted.rating * won / (n - won))


@pytest.mark.parametrize("kind", ["ratio", "berkin"])
def test_equal_opponents_leave_no_difference_between_them(kind: str) -> None:
    """Six points of eight against equals: three times as strong."""
    assert performed(kind, [500.0] * 8, [1.0] * 6 + [0.0] * 2).rating == pytest.approx(1500.0)


@pytest.mark.parametrize("kind", RATIO_PERFORMANCES)
def test_what_cannot_be_rated_is_named(kind: str) -> None:
    with pytest.raises(BadValue, match="games must be one at least"):
        performed(kind, [], [])
    with pytest.raises(BadValue, match=r"opponents must be zero or more on a ratio scale: -3\.0"):
        performed(kind, [1500.0, -3.0], [1.0, 0.0])
    with pytest.raises(BadValue, match=r"scores must be from 0 to 1: 7\.0"):
        performed(kind, [1500.0], [7.0])
