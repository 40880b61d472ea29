"""US Chess: the leaflet's example through an event, and the steps of the algorithm one by one."""

import numpy as np
import pytest
from ratingcore_uschess import UsChess, ratingcore_methods
from ratingcore_uschess.formulas import effective, floor_of, initial, short, special, standard

from ratingcore.plugin import Period
from ratingcore.testing import Law, method_checks

NONE = float("nan")


def test_the_bonus_needs_three_games_and_nobody_met_three_times() -> None:
    opponents, wins = np.full(3, 1500.0), np.ones(3)
    plain = short(1500.0, 30.0, opponents, wins, 14.0, repeated=True)
    better = short(1500.0, 30.0, opponents, wins, 14.0, repeated=False)
    assert (plain.bonus, better.bonus > 0.0) == (0.0, True)
    assert short(1500.0, 30.0, opponents[:2], wins[:2], 14.0, repeated=False).bonus == 0.0


def test_a_rating_is_worth_fifty_games_at_most() -> None:
    assert (effective(2400.0, 100.0), effective(1500.0, 3.0)) == (50.0, 3.0)
    assert effective(1700.0, 30.0) == pytest.approx(20.011787, abs=1e-6)


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
    assert special(750.0, 0.0, opponents, np.array([1.0, 0.0]), NONE) == pytest.approx(1500.0)
    assert special(750.0, 0.0, opponents, np.ones(2), NONE) == pytest.approx(2000.0)
    assert special(750.0, 0.0, opponents, np.zeros(2), NONE) == pytest.approx(1000.0)


def test_first_ratings_and_floors() -> None:
    assert [initial(age, 750.0) for age in (1.0, 10.0, 50.0, NONE)] == [100.0, 500.0, 1300.0, 750.0]
    assert floor_of(1.0, 1.0, 1.0, 0.0) == 107.0
    assert floor_of(90.0, 0.0, 9.0, 0.0) == 150.0
    assert (floor_of(90.0, 0.0, 9.0, 1650.0), floor_of(90.0, 0.0, 9.0, 2790.0)) == (1400.0, 2100.0)


def test_the_plugin_offers_uschess() -> None:
    assert ratingcore_methods() == [UsChess]


@method_checks(UsChess(), UsChess(form="full"), UsChess(form="full", floors=False, period=Period.parse("month")))
def test_uschess_keeps_the_laws(law: Law, method: UsChess) -> None:
    law(method)
