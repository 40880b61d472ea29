"""Elo on points: another program's numbers, a rally as a game, chances of a match."""

import json
from math import comb

import numpy as np
import pytest
from ratingcore_elo_points import EloPoints

from ratingcore.engine import Engine
from ratingcore.events import GamePlayed
from ratingcore.log import SqliteLog
from ratingcore.registry import Registry
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated, state
from tests.golden.world_cups import FIXTURES, world_cups

GOLDEN = json.loads((FIXTURES / "golden" / "elo_points.json").read_text(encoding="utf-8"))["ratings"]


@pytest.mark.parametrize("text", GOLDEN)
def test_two_world_cups_as_another_program_rates_them(text: str) -> None:
    """fixtures/golden/elo_points.json: matches without goals have no share."""
    method, (teams, played) = Registry.installed().method(text), world_cups()
    played = played.take(np.flatnonzero(~method.refuses(played)["no points"]))
    rating = rated(method, [1500.0] * len(teams), played).state["rating"]
    assert dict(zip(teams, rating.tolist(), strict=True)) == pytest.approx(GOLDEN[text], abs=1e-8)


def test_all_points_of_a_match_of_one_are_a_game_of_elo() -> None:
    """The thesis, 2.2.3: 1300 beats 1380 with k = 25."""
    after = rated(EloPoints(k=25.0), [1300.0, 1380.0], games([0], [1], [1.0], points_a=[1], points_b=[0])).state
    assert after["rating"][0] == pytest.approx(1315.328421, abs=5e-7)


def test_a_narrow_win_over_a_much_weaker_player_costs_points() -> None:
    after = rated(EloPoints(), [1700.0, 1500.0], games([0], [1], [1.0], points_a=[11], points_b=[9])).state
    assert after["rating"][0] < 1700.0
    assert after["rating"].sum() == pytest.approx(3200.0)


def test_the_chance_of_a_match_is_near_that_of_more_than_half_of_its_points() -> None:
    """Of 41 points at 55 % each, the binomial chance of 21 or more."""
    method, odds = EloPoints(length=41.0), 0.55 / 0.45
    asked = games([0], [1], [0.5], points_a=[1], points_b=[1])
    chance = method.expected(state(method, [400.0 * np.log10(odds), 0.0]), asked).expected[0]
    exact = sum(comb(41, won) * 0.55**won * 0.45 ** (41 - won) for won in range(21, 42))
    assert chance == pytest.approx(exact, abs=0.003)


def test_a_match_without_points_is_left_out() -> None:
    with Engine(SqliteLog(":memory:")) as engine:
        for day, points in ((1, 0), (2, 11)):
            data = {"points_a": points, "points_b": 0}
            engine.record(GamePlayed(pool="p", played=f"2024-02-0{day}", a="ann", b="bo", score=1.0, data=data))
        listed = engine.rating_list("p", "elo-points")
    assert listed.left_out == {"no points": 1}
    assert listed.rating("ann") == pytest.approx(1516.0)


@method_checks(EloPoints(), EloPoints(k=2.0, per="point", scale=200.0, length=21.0), EloPoints(k=0.0))
def test_elo_points_keeps_the_laws(law: Law, method: EloPoints) -> None:
    law(method)
