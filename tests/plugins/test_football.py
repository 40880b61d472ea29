"""Ratings of national teams: weights by tournament, penalties, neutral ground, what is refused."""

from typing import Any

import pytest
from ratingcore_football import Fifa, WorldFootballElo

from ratingcore.engine import Engine
from ratingcore.errors import BadField
from ratingcore.events import GamePlayed
from ratingcore.log import SqliteLog
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated


def recorded(method: str, **data: Any) -> float:
    """The rating of the winner of one match, through a log."""
    engine = Engine(SqliteLog(":memory:"))
    engine.record(GamePlayed(pool="men", played="2023-06-01", a="x", b="y", score=1.0, data=data))
    return float(engine.rating_list("men", method).rating("x"))


@pytest.mark.parametrize(
    ("data", "importance"),
    [
        ({}, 10.0), ({"tournament": "Friendly"}, 10.0), ({"tournament": "Friendly", "window": "no"}, 5.0),
        ({"tournament": "King's Cup"}, 10.0), ({"tournament": "UEFA Nations League"}, 15.0),
        ({"tournament": "UEFA Nations League", "stage": "final"}, 25.0),
        ({"tournament": "UEFA Euro qualification"}, 25.0), ({"tournament": "Copa América"}, 35.0),
        ({"tournament": "Copa América", "stage": "quarter-final"}, 40.0), ({"tournament": "FIFA World Cup"}, 50.0),
        ({"tournament": "FIFA World Cup", "stage": "final"}, 60.0), ({"tournament": "Friendly", "importance": 7}, 7.0),
    ],
)  # fmt: skip
def test_fifa_weighs_a_match_by_its_tournament(data: dict[str, Any], importance: float) -> None:
    assert recorded("fifa", **data) == pytest.approx(1000.0 + importance / 2)


@pytest.mark.parametrize(
    ("tournament", "k"),
    [
        ("Friendly", 20.0), ("King's Cup", 30.0), ("UEFA Euro qualification", 40.0), ("UEFA Euro", 50.0),
        ("FIFA World Cup", 60.0),
    ],
)  # fmt: skip
def test_world_football_elo_has_k_by_tournament(tournament: str, k: float) -> None:
    data = {"points_a": 1, "points_b": 0, "tournament": tournament}
    assert recorded("world-football-elo", **data) == pytest.approx(1500.0 + k / 2)


def test_neutral_ground_has_no_home_side() -> None:
    data = {"points_a": 1, "points_b": 0, "home": "a"}
    assert recorded("world-football-elo", **data) < 1510.0
    assert recorded("world-football-elo", **data, neutral="TRUE") == pytest.approx(1510.0)


def test_a_weight_below_zero_is_refused() -> None:
    facts = {"importance": -1.0, "tournament": 0.0, "stage": 0.0, "shootout": 0.0, "window": 1.0, "home": 0.0}
    facts |= {"neutral": 0.0, "points_a": 1.0, "points_b": 0.0}
    for method in (Fifa(), WorldFootballElo()):
        with pytest.raises(BadField, match="importance"):
            rated(method, [1500.0, 1500.0], games([0], [1], [1.0], **{name: [x] for name, x in facts.items()}))


@method_checks(Fifa(), Fifa(friendly=0.0, scale=400.0))
def test_fifa_keeps_the_laws(law: Law, method: Fifa) -> None:
    law(method)


@method_checks(WorldFootballElo(), WorldFootballElo(home=0.0))
def test_world_football_elo_keeps_the_laws(law: Law, method: WorldFootballElo) -> None:
    law(method)
