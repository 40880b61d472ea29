"""Prospects of games: win, draw and loss, and what a series of games holds."""

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingcore.errors import BadValue
from ratingcore.methods.prospect import MOST, Prospect


@st.composite
def prospects(draw: st.DrawFn) -> Prospect:
    """Prospects with a draw that leaves room for it."""
    expected = draw(st.floats(0.0, 1.0))
    return Prospect(expected, draw(st.floats(0.0, 1.0)) * 2.0 * min(expected, 1.0 - expected))


@given(prospects())
def test_the_three_outcomes_are_all_there_are_and_make_the_expected_share(game: Prospect) -> None:
    win, draw, loss = game.outcomes
    assert min(win, draw, loss) >= 0.0
    assert win + draw + loss == pytest.approx(1.0)
    assert win + 0.5 * draw == pytest.approx(game.expected)
    assert game.worth(1.0, 0.5, 0.0) == pytest.approx(game.expected)


@given(prospects(), st.integers(1, 6))
def test_a_series_is_what_all_its_courses_add_up_to(game: Prospect, games: int) -> None:
    """Brute force: every sequence of wins, draws and losses, one by one."""
    wins, points = np.zeros(games + 1), np.zeros(2 * games + 1)
    for course in product(range(3), repeat=games):  # 0 a win, 1 a draw, 2 a loss
        chance = float(np.prod([game.outcomes[result] for result in course]))
        wins[course.count(0)] += chance
        points[2 * course.count(0) + course.count(1)] += chance
    np.testing.assert_allclose(game.wins(games).exactly, wins, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(game.points(games).exactly, points, rtol=1e-12, atol=1e-15)


@given(prospects(), st.integers(1, 40))
def test_chances_add_up_and_points_have_the_mean_of_their_games(game: Prospect, games: int) -> None:
    points = game.points(games)
    assert points.count.tolist() == [half / 2.0 for half in range(2 * games + 1)]
    assert points.at_least[0] == pytest.approx(1.0)
    assert float(points.count @ points.exactly) == pytest.approx(games * game.expected)
    np.testing.assert_allclose(points.at_least[:-1] - points.at_least[1:], points.exactly[:-1], atol=1e-12)


@pytest.mark.parametrize("share", [1e-9, 0.111278, 0.5, 0.999])
def test_wins_without_draws_are_binomial(share: float) -> None:
    """Small chances keep their digits: every one of them is compared with the formula, relative to itself."""
    n = 60
    formula = [comb(n, k) * share**k * (1.0 - share) ** (n - k) for k in range(n + 1)]
    np.testing.assert_allclose(Prospect(share).wins(n).exactly, formula, rtol=1e-11, atol=1e-300)


def test_three_wins_of_ten_at_345_points_on_the_normal_curve() -> None:
    """1834 against 2179: 0.111278 a game; exactly 3 of 10: 0.072405, at least 3: 0.090922."""
    wins = Prospect(0.111278).wins(10)
    assert wins.exactly[wins.place(3)] == pytest.approx(0.072405, abs=5e-7)
    assert wins.at_least[wins.place(3)] == pytest.approx(0.090922, abs=5e-7)


def test_the_longest_series_is_still_a_distribution() -> None:
    wins = Prospect(0.5).wins(MOST)
    assert float(wins.exactly.sum()) == pytest.approx(1.0)
    assert int(np.argmax(wins.exactly)) == MOST // 2


def test_without_a_chance_of_a_draw_games_are_won_or_lost_and_neither_is_told() -> None:
    game = Prospect(0.25)
    assert (game.win, game.draw, game.loss) == (None, None, None)
    assert game.outcomes == (0.25, 0.0, 0.75)
    assert game.worth(3.0, 1.0, 0.0) == 0.75


def test_counts_that_cannot_be_are_refused() -> None:
    game = Prospect(0.5, 0.2)
    with pytest.raises(BadValue, match=r"wins must be one of 0, 1, 2, \.\.\. 3: 4"):
        game.wins(3).place(4)
    with pytest.raises(BadValue, match=r"points must be one of 0, 0\.5, 1, \.\.\. 3: 1\.2"):
        game.points(3).place(1.2)
    for games in (0, MOST + 1):
        with pytest.raises(BadValue, match="games must be from 1 to 10000"):
            game.wins(games)
    with pytest.raises(BadValue, match=r"expected must be from 0 to 1: 1\.5"):
        Prospect(1.5)
