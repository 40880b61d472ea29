"""Ratings of national teams: weights by tournament, penalties, neutral ground, what is refused."""

from typing import Any

import pytest
from ratingcore_football import Fifa, WorldFootballElo

from ratingcore.engine import Engine
from ratingcore.events import GamePlayed
from ratingcore.log import SqliteLog
from ratingcore.testing import Law, method_checks


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
        ({"tournament": "UEFA Nations League", "stage": "round of 16"}, 25.0),
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


@pytest.mark.parametrize("method", ["fifa", "world-football-elo", "elo-margin:preset=football"])
def test_a_match_of_a_weight_below_zero_is_left_out(method: str) -> None:
    engine = Engine(SqliteLog(":memory:"))
    points = {"points_a": 1, "points_b": 0}
    for uid, importance in (("odd", -1.0), ("even", 20.0)):
        data = {**points, "importance": importance}
        engine.record(GamePlayed(uid=uid, pool="men", played="2023-06-01", a=uid, b="y", score=1.0, data=data))
    assert engine.rating_list("men", method).left_out == {"unreadable importance": 1}


@method_checks(Fifa(), Fifa(friendly=0.0, scale=400.0))
def test_fifa_keeps_the_laws(law: Law, method: Fifa) -> None:
    law(method)


@method_checks(WorldFootballElo(), WorldFootballElo(home=0.0))
def test_world_football_elo_keeps_the_laws(law: Law, method: WorldFootballElo) -> None:
    law(method)
