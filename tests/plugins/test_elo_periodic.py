"""Elo period by period: the worked numbers of its README, and the laws a periodic rating keeps."""

from typing import Literal

import numpy as np
import pytest
from ratingcore_elo import Elo

from ratingcore.plugin import Games, Period
from tests.golden.playing import games, rated, state

MONTH = Period.parse("month")


@pytest.fixture
def month() -> Games:
    rng = np.random.default_rng(3)
    a = rng.integers(0, 12, 150)
    b = (a + rng.integers(1, 12, 150)) % 12
    return games(a, b, rng.choice([0.0, 0.5, 1.0], 150), home=rng.choice([1.0, -1.0], 150))


@pytest.mark.parametrize(("curve", "new"), [("normal", 1806.040258), ("logistic", 1806.043582), ("table", 1806.0)])
def test_the_worked_period(curve: Literal["normal", "logistic", "table"], new: float) -> None:
    """1800 beats 1860, draws with 1770, loses to 2000."""
    elo = Elo(curve=curve, period=MONTH)
    result = rated(elo, [1800.0, 1860.0, 1770.0, 2000.0], games([0, 0, 0], [1, 2, 3], [1.0, 0.5, 0.0]))
    assert result.state["rating"][0] == pytest.approx(new, abs=5e-7)


def test_a_period_uses_the_ratings_at_its_start() -> None:
    back_to_back = games([0, 0], [1, 1], [1.0, 1.0])
    periodic, continuous = (rated(Elo(period=p), [1500.0, 1500.0], back_to_back) for p in (MONTH, None))
    assert periodic.expected.tolist() == [0.5, 0.5]
    assert continuous.expected[1] > 0.5


def test_the_order_inside_a_period_does_not_matter_to_the_last_bit(month: Games) -> None:
    elo, start = Elo(k=0.1, period=MONTH), np.linspace(-0.3, 0.3, 12)
    order = np.random.default_rng(9).permutation(150)
    a, b, score, at = month.a[order], month.b[order], month.score[order], month.position[order]
    mixed = Games(a, b, score, at, at, month.span)
    assert rated(elo, start, mixed).state["rating"].tobytes() == rated(elo, start, month).state["rating"].tobytes()


@pytest.mark.parametrize("elo", [Elo(period=MONTH), Elo(k=60.0, floor=1500.0, first_move=30.0, period=MONTH)], ids=str)
def test_changes_and_the_floor_line_add_up(elo: Elo, month: Games) -> None:
    start = np.full(12, 1500.0)
    result = rated(elo, start, month)
    final = start.copy()
    final += np.bincount(month.a, result.change[0], 12) + np.bincount(month.b, result.change[1], 12)
    for line in result.after.values():
        final += line
    assert np.abs(result.state["rating"] - final).max() < 1e-9


def test_the_floor_is_a_line_of_its_own_and_touches_only_who_played() -> None:
    """After the sum, not after each game."""
    result = rated(Elo(k=40.0, floor=100.0, period=MONTH), [105.0, 105.0, 90.0], games([0, 0], [1, 1], [0.0, 0.0]))
    assert result.state["rating"].tolist() == [100.0, 145.0, 90.0]
    assert result.change[0].tolist() == [-20.0, -20.0]
    assert result.after["floor"].tolist() == [35.0, 0.0, 0.0]


def test_without_a_floor_there_is_no_line(month: Games) -> None:
    assert rated(Elo(period=MONTH), np.full(12, 1500.0), month).after == {}


def test_an_empty_period_moves_nobody() -> None:
    elo = Elo(floor=1600.0, period=MONTH)
    result = rated(elo, [1500.0, 1700.0], games([], [], []))
    assert result.state["rating"].tolist() == [1500.0, 1700.0]
    assert len(result.expected) == len(result.change[0]) == 0


def test_a_forecast_is_what_rating_reports(month: Games) -> None:
    elo = Elo(curve="normal", draw_band=40.0, first_move=20.0, cap=300.0, period=MONTH)
    start = state(elo, np.linspace(1200.0, 1900.0, 12))
    result, forecast = elo.rate(start, month), elo.expected(start, month.withheld())
    assert result.expected.tolist() == forecast.expected.tolist()
    assert result.draw is not None
    assert forecast.draw is not None
    assert result.draw.tolist() == forecast.draw.tolist()


def test_an_unrated_player_spreads_nan_to_his_opponents_only() -> None:
    result = rated(Elo(floor=0.0, period=MONTH), [np.nan, 1500.0, 1500.0, 1500.0], games([0, 2], [1, 3], [1.0, 1.0]))
    assert np.isnan(result.state["rating"]).tolist() == [True, True, False, False]
