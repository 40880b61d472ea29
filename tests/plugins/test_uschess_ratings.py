"""US Chess: the leaflet's example through an event, and the steps of the algorithm one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ratingcore_uschess import EarlierUsChess, UsChess
from ratingcore_uschess.formulas import effective, floor_of, initial, short, special, standard

from ratingcore.plugin import Games, Period, State
from ratingcore.testing import Law, method_checks

NONE = float("nan")


def test_the_bonus_needs_three_games_and_nobody_met_three_times() -> None:
    opponents, wins = np.full(3, 1500.0), np.ones(3)
    plain = short(1500.0, 30.0, opponents, wins, 14.0, repeated=True)
    better = short(1500.0, 30.0, opponents, wins, 14.0, repeated=False)
    assert plain.bonus == 0.0
    assert better.bonus == pytest.approx(1.5 * (plain.k or 0.0) - 14.0 * 2.0)  # the root of four games at the least
    assert short(1500.0, 30.0, opponents[:2], wins[:2], 14.0, repeated=False).bonus == 0.0


def test_k_is_smaller_above_2200_in_events_of_two_lists() -> None:
    ratings = (2200.0, 2300.0, 2500.0)
    one, won = np.full(4, 2300.0), np.array([1.0, 0.0, 0.5, 0.5])
    ks = [standard(rating, 200.0, one, won, 14.0, repeated=False, dual=True).k for rating in ratings]
    slow = [
        standard(rating, 200.0, one, won, 14.0, repeated=False, dual=False).k for rating in (2200.0, 2300.0, 2500.0)
    ]
    assert [float(k or 0) / float(s or 1) for k, s in zip(ks, slow, strict=True)] == pytest.approx([1.0, 0.75, 0.25])


def test_the_special_rating_of_a_newcomer() -> None:
    """One of two against 1400 and 1600 is 1500; all won is 400 above the strongest, all lost 400 below the weakest."""
    opponents = np.array([1400.0, 1600.0])
    assert special(750.0, 0.0, opponents, np.array([1.0, 0.0])) == pytest.approx(1500.0)
    assert special(750.0, 0.0, opponents, np.ones(2)) == pytest.approx(2000.0)
    assert special(750.0, 0.0, opponents, np.zeros(2)) == pytest.approx(1000.0)


@pytest.mark.parametrize(
    ("rating", "worth", "opponents", "scores", "record", "found"),
    [
        (750.0, 1.0, [1400.0, 1600.0], [1.0, 0.0], 0.0, 1300.0),
        (1100.0, 5.0, [900.0, 1250.0, 1900.0, 600.0], [1.0, 0.5, 1.0, 1.0], 0.0, 1264.285714286),
        (1500.0, 8.0, [1000.0, 1000.0, 1100.0], [0.0, 0.0, 0.5], 0.0, 1300.0),
        (1800.0, 12.0, [1500.0, 2300.0], [1.0, 0.0], 1.0, 1900.0),
        (900.0, 20.0, [1000.0, 1900.0], [0.5, 0.0], -1.0, 904.761904762),
    ],
)
def test_the_special_rating_is_that_of_another_program(
    rating: float, worth: float, opponents: list[float], scores: list[float], record: float, found: float
) -> None:
    """Numbers of an independent program in Python of the same algorithm (the package chessratings)."""
    there = special(rating, worth, np.array(opponents), np.array(scores), record)
    assert there == pytest.approx(found, abs=1e-9)


@given(
    rating=st.integers(100, 2800),
    worth=st.integers(0, 40),
    games=st.lists(st.tuples(st.integers(100, 2800), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=9),
)
def test_a_special_rating_makes_the_points_that_were_made(
    rating: int, worth: int, games: list[tuple[int, float]]
) -> None:
    """Summed game by game, with as many draws against the rating before as it is worth; 2700 may cut it off."""
    opponents, scores = (np.array(column, dtype=np.float64) for column in zip(*games, strict=True))
    found = special(float(rating), float(worth), opponents, scores)
    shares = [min(max(0.5 + (found - other) / 800.0, 0.0), 1.0) for other in (*opponents.tolist(), *[rating] * worth)]
    made = float(scores.sum()) + worth / 2.0
    assert sum(shares) == pytest.approx(made, abs=1e-5) or (found == 2700.0 and sum(shares) < made)


def test_a_newcomer_counts_for_opponents_by_a_first_rating_drawn_once() -> None:
    """Newcomer of 30 years (1300) beats 1500: the first estimate is (1300 + 1500 + 400) / 2 = 1600."""
    method = UsChess(form="full", floors=False)
    state = State.start(method.columns(), players=2).replace(
        rating=np.array([750.0, 1500.0]), played=np.array([0.0, 200.0])
    )
    born = {"born": np.array([1970.0 - 30.0, NONE])}
    zero = np.zeros(1, dtype=np.int64)
    event = Games(zero, zero + 1, np.ones(1), zero, zero, span=(0, 1), facts={"dual": np.zeros(1)}, players=born)
    after = method.rate(state, event).state["rating"]
    step = standard(1500.0, 200.0, np.array([1600.0]), np.zeros(1), 14.0, repeated=False, dual=False)
    assert after[0] == pytest.approx(special(1300.0, 0.0, np.array([step.rating]), np.ones(1)), abs=1e-9)


def test_first_ratings_and_floors() -> None:
    assert [initial(age, 750.0) for age in (1.0, 10.0, 50.0, NONE)] == [100.0, 500.0, 1300.0, 750.0]
    assert floor_of(1.0, 1.0, 1.0, 0.0) == 107.0
    assert floor_of(90.0, 0.0, 9.0, 0.0) == 150.0
    assert (floor_of(90.0, 0.0, 9.0, 1650.0), floor_of(90.0, 0.0, 9.0, 2790.0)) == (1400.0, 2100.0)


@method_checks(UsChess(), UsChess(form="full"), UsChess(form="full", floors=False, period=Period.parse("month")))
def test_uschess_keeps_the_laws(law: Law, method: UsChess) -> None:
    law(method)


def test_the_short_form_ends_nobody_below_100() -> None:
    """240 without games loses to 240: 100, where the mean of the leaflet is -160; and so an established 101."""
    beaten = np.array([240.0]), np.zeros(1)
    assert short(240.0, 0.0, *beaten, 14.0, repeated=False).rating == 100.0
    assert short(101.0, 50.0, *beaten, 14.0, repeated=False).rating == 100.0
    for method, rating in ((UsChess(), 100.0), (UsChess(floors=False), -160.0), (EarlierUsChess(), -160.0)):
        state = State.start(method.columns(), players=2).replace(rating=np.array([240.0, 240.0]))
        zero = np.zeros(1, dtype=np.int64)
        facts, players = {"dual": np.zeros(1)}, {"born": np.full(2, NONE)}
        event = Games(zero, zero + 1, np.zeros(1), zero, zero, span=(0, 1), facts=facts, players=players)
        assert method.rate(state, event).state["rating"].tolist() == [rating, 640.0]


def test_a_rating_is_worth_fifty_games_at_most() -> None:
    assert (effective(2400.0, 100.0), effective(1500.0, 3.0)) == (50.0, 3.0)
    assert effective(1700.0, 30.0) == pytest.approx(20.011787, abs=1e-6)
