"""Elo against deflation and inflation: extra points after upsets, and a pool held to a constant mean."""

from typing import Any

import numpy as np
import pytest
from attrs import evolve
from ratingcore_elo import Elo, KRule, Unrated

import ratingcore as rc
from ratingcore.errors import BadParameter
from ratingcore.methods.text import identity
from ratingcore.plugin import Period
from tests.golden.playing import games, rated

MONTH = Period.parse("month")
UPSET = 20.0 * (1.0 - 1.0 / (1.0 + 10.0**0.5))
"""What a player wins by beating somebody rated 200 points higher, K = 20."""

EXTRA = [
    Elo(extra=2.0),
    Elo(extra=2.0, period=MONTH),
    Elo(extra=2.0, floor=1000.0),
    Elo(extra=2.0, unrated=Unrated.SKIP),
    Elo(extra=2.0, unrated=Unrated.SKIP, period=MONTH),
    Elo(extra=2.0, unrated=Unrated.TWO_PASS, period=MONTH),
]


@pytest.mark.parametrize("elo", EXTRA, ids=str)
@pytest.mark.parametrize(
    ("score", "more"), [(1.0, 2.0), (0.5, 0.0), (0.0, 0.0)], ids=["win of the lower rated", "draw", "loss"]
)
def test_after_a_win_of_the_lower_rated_both_players_get_the_extra_points(elo: Elo, score: float, more: float) -> None:
    """1500 meets 1700: the change by hand, 15.194939 for a win, and 2 points on top of it for both."""
    assert pytest.approx(15.194939, abs=5e-7) == UPSET
    change = UPSET - 20.0 * (1.0 - score)
    for a, b, share, sign in (([0], [1], score, 1.0), ([1], [0], 1.0 - score, -1.0)):
        result = rated(elo, [1500.0, 1700.0], games(a, b, [share]))
        assert result.state["rating"] == pytest.approx([1500.0 + change + more, 1700.0 - change + more])
        assert np.array(result.change)[:, 0] == pytest.approx([sign * change + more, -sign * change + more])


@pytest.mark.parametrize("elo", EXTRA, ids=str)
def test_the_points_ask_for_a_gap_that_is_greater_than_the_least(elo: Elo) -> None:
    apart = evolve(elo, extra_gap=200.0)
    near, far = (rated(apart, [1500.0, other], games([0], [1], [1.0])) for other in (1700.0, 1700.5))
    assert near.state["rating"].sum() == pytest.approx(3200.0)
    assert far.state["rating"].sum() == pytest.approx(3200.5 + 4.0)


def test_the_first_move_and_the_cap_do_not_say_who_is_lower_rated() -> None:
    """1500 with the first move, worth 300, beats 1700 capped at 100."""
    elo = Elo(extra=2.0, extra_gap=150.0, first_move=300.0, cap=100.0)
    assert rated(elo, [1500.0, 1700.0], games([0], [1], [1.0], home=[1.0])).state["rating"].sum() == 3204.0


@pytest.mark.parametrize("k", [20.0, KRule("fide2014")])
def test_more_extra_points_than_k_are_refused_for_a_favourite_would_gain_by_losing(k: Any) -> None:
    least = 20.0 if k == 20.0 else 10.0
    assert Elo(k=k, extra=least).extra == least
    with pytest.raises(BadParameter, match=r"extra must be at most .* favourites gain by losing: 20\.5"):
        Elo(k=k, extra=20.5)


@pytest.mark.parametrize("elo", [Elo(period=MONTH, mean=1500.0), Elo(period=MONTH, mean=1500.0, unrated=Unrated.SKIP)])
def test_a_period_ends_with_the_mean_that_the_pool_is_held_to(elo: Elo) -> None:
    """1600 beats 1700 (K = 20, E = 0.359935), 1450 rests: the mean is 1583.333, so everybody loses 83.333."""
    result = rated(elo, [1600.0, 1700.0, 1450.0], games([0], [1], [1.0]))
    assert result.after["inflation"] == pytest.approx([-250.0 / 3.0] * 3)
    assert result.state["rating"] == pytest.approx([1529.467967, 1603.865367, 1366.666667], abs=5e-7)
    assert result.state["rating"].mean() == pytest.approx(1500.0)


def test_whole_points_hold_the_mean_to_within_half_a_point() -> None:
    elo = Elo(period=MONTH, mean=1500.0, rounding=True)
    result = rated(elo, [1600.0, 1700.0, 1450.0], games([0], [1], [1.0]))
    assert result.state["rating"].tolist() == [1530.0, 1604.0, 1367.0]
    assert result.after["inflation"].tolist() == [-83.0] * 3


def test_players_without_a_rating_are_no_part_of_the_pool() -> None:
    elo = Elo(period=MONTH, mean=1500.0, unrated=Unrated.SKIP)
    result = rated(elo, [1600.0, float("nan")], games([0], [1], [1.0]))
    assert result.state["rating"][0] == 1500.0
    assert np.isnan(result.state["rating"][1])
    nobody = rated(elo, [float("nan")] * 2, games([0], [1], [1.0]))
    assert nobody.after["inflation"].tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({"mean": 1500.0}, "mean needs a period"),
        ({"mean": 1500.0, "floor": 1000.0, "period": MONTH}, "mean cannot be held together with floor=1000"),
        ({"spread": "own"}, "spread needs curve=normal"),
    ],
)
def test_what_does_not_go_together_is_refused(parameters: dict[str, Any], why: str) -> None:
    with pytest.raises(BadParameter, match=why):
        Elo(**parameters)


def test_a_history_shows_the_points_against_inflation_on_a_line_of_their_own() -> None:
    """A newcomer seeded at 1800 lifts the mean of three to 1600: everybody gives 100."""
    with rc.open(":memory:") as engine:
        engine.record(rc.RatingSeeded(pool="club", played="2024-01-01", player="ann", values={"rating": 1800.0}))
        engine.record(rc.GamePlayed(pool="club", played="2024-01-10", a="bo", b="cy", score=0.5))
        method = "elo:period=month,mean=1500"
        lines = engine.history("club", "ann", method, through="2024-01-31")
        assert [(line.opponent, line.change) for line in lines][-1] == ("inflation", pytest.approx(-100.0))
        made = engine.rating_list("club", method, through="2024-01-31")
        assert [made.rating(name) for name in ("ann", "bo", "cy")] == pytest.approx([1700.0, 1400.0, 1400.0])


def test_what_elo_learnt_later_is_in_an_identity_only_where_it_is_asked_for() -> None:
    assert "extra" not in identity(Elo())
    assert identity(Elo()).endswith("list_floor=none, period=none)")
    asked = Elo(curve="normal", extra=2.0, extra_gap=50.0, mean=1500.0, spread="own", period=MONTH)
    assert identity(asked).endswith("period=month, extra=2.0, extra_gap=50.0, mean=1500.0, spread=own)")
