"""The periodic method: the worked numbers of its README, newcomers, and what a replacement shows of each game."""

from math import nan, pi

import numpy as np
import pytest
from ratingcore_periodic import Periodic

from ratingcore import GamePlayed, RatingSeeded
from ratingcore import open as open_log
from ratingcore.plugin import Method, Period
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated, state


@method_checks(
    Periodic(),
    Periodic(curve="logistic", blend=0.5, single=False),
    Periodic(curve="table", cap=400.0, period=Period.parse("event")),
    Periodic(initial=None),
    Periodic(**Periodic.presets["thesis"]),
)
def test_periodic_keeps_the_laws(law: Law, method: Method) -> None:
    law(method)


@pytest.mark.parametrize(("own", "weight"), [(1700.0, 1.0), (1200.0, 1.0), (1700.0, 0.25)])
def test_the_performance_replaces_the_rating_or_is_blended_with_it(own: float, weight: float) -> None:
    """Only a blend of 1 is the thesis."""
    played = games([0, 0, 0], [1, 2, 3], [0.0, 0.0, 1.0])
    result = rated(Periodic(blend=weight), [own, 1850.0, 1620.0, 1190.0], played)
    new = 1431.505255663739
    assert result.state["rating"][0] == pytest.approx((1.0 - weight) * own + weight * new, abs=1e-9)


@pytest.mark.parametrize(
    ("method", "worth"),
    [
        (Periodic(), 800.0), (Periodic(**Periodic.presets["thesis"]), 766.0), (Periodic(curve="table"), 800.0),
        (Periodic(curve="logistic", cap=500.0), 500.0), (Periodic(curve="table", cap=500.0), 500.0),
    ],
)  # fmt: skip
def test_a_perfect_score_is_worth_the_cap(method: Periodic, worth: float) -> None:
    """P = 1 adds the cap, P = 0 takes it away."""
    for score, way in ((1.0, 1.0), (0.0, -1.0)):
        result = rated(method, [1500.0, 1500.0, 1600.0], games([0, 0], [1, 2], [score, score]))
        assert result.state["rating"][0] == 1550.0 + way * worth


def test_half_way_is_for_who_met_one_opponent_only_and_has_a_rating() -> None:
    played = games([0, 0, 2], [1, 1, 1], [1.0, 0.0, 0.5])
    both = rated(Periodic(), [1500.0, 1700.0, 1600.0], played).state["rating"]
    assert both.tolist() == pytest.approx([1600.0, (1500.0 + 1500.0 + 1600.0) / 3.0, 1650.0])
    assert rated(Periodic(single=False), [1500.0, 1700.0, 1600.0], played).state["rating"][0] == 1700.0
    assert rated(Periodic(), [nan, 1700.0, 1600.0], played).state["rating"][0] == 1700.0


def test_games_against_unrated_players_count_for_the_unrated_only() -> None:
    """Row 0 is unrated, row 3 too, and they met."""
    played = games([0, 0, 1, 0], [1, 2, 2, 3], [1.0, 0.0, 0.5, 1.0])
    result = rated(Periodic(single=False), [nan, 1500.0, 1700.0, nan], played)
    assert result.state["rating"].tolist()[:3] == [1600.0, 1700.0, 1500.0]
    assert np.isnan(result.state["rating"][3])
    assert result.change[0].tolist() == [0.0, 0.0, 200.0, 0.0]
    assert np.isnan(result.expected).tolist() == [True, True, False, True]


def test_a_win_tells_more_than_a_draw_and_a_loss_less() -> None:
    """Each game is told by what it adds: its opponent's rating, and its score between win and loss."""
    played = games([0, 0, 0], [1, 2, 3], [1.0, 0.5, 0.0])
    change = rated(Periodic(), [1500.0, 1500.0, 1500.0, 1500.0], played).change[0]
    assert change[0] == pytest.approx(400.0 * pi**0.5 / 2.0 / 3.0)  # the slope of the curve between equals
    assert change.tolist() == pytest.approx([change[0], 0.0, -change[0]])
    stronger = rated(Periodic(), [1500.0, 1500.0, 1800.0, 1500.0], played).change[0]
    assert stronger[1] == pytest.approx(100.0)


def test_newcomers_begin_at_1100_and_forecasts_follow_the_curve() -> None:
    """The constant of the thesis."""
    method = Periodic()
    assert [column.start for column in method.columns()] == [1100.0]
    assert np.isnan(Periodic(initial=None).columns()[0].start)
    forecast = method.expected(state(method, [1600.0, 1400.0]), games([0], [1], [nan]))
    assert forecast.expected[0] == pytest.approx(0.760250, abs=5e-7)


def test_periods_of_a_log_one_after_the_other() -> None:
    """Two months: who won against 1850 in March stands at the mean plus half of D in April's games."""
    with open_log(":memory:") as engine:
        engine.record(RatingSeeded(pool="p", played="2024-01-01", player="bo", values={"rating": 1300.0}))
        for played, score in (("2024-03-02", 1.0), ("2024-03-09", 0.5), ("2024-04-01", 0.5)):
            engine.record(GamePlayed(pool="p", played=played, a="ann", b="bo", score=score))
        march, april = (engine.rating_list("p", "periodic", through=day) for day in ("2024-03-31", "2024-04-30"))
        lines = engine.history("p", "ann", "periodic", through="2024-04-30")
    gap = 190.77451048178796
    assert march.rating("ann") == pytest.approx(1200.0 + gap / 2.0, abs=1e-4)
    assert (april.rating("ann"), april.rating("bo")) == (1200.0, 1200.0)
    assert 1100.0 + sum(line.change for line in lines) == pytest.approx(1200.0, abs=1e-9)
