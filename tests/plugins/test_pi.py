"""Pi-ratings: the numbers of another program, neutral ground, both grounds, chances."""

import json

import numpy as np
import pytest
from ratingcore_pi import PiRatings

from ratingcore.engine import Engine
from ratingcore.events import GamePlayed
from ratingcore.log import SqliteLog
from ratingcore.registry import Registry
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated, state
from tests.golden.world_cups import FIXTURES, world_cups

GOLDEN = json.loads((FIXTURES / "golden" / "pi_ratings.json").read_text(encoding="utf-8"))["before"]


@pytest.mark.parametrize("text", GOLDEN)
def test_two_world_cups_as_another_program_rates_them(text: str) -> None:
    """fixtures/golden/pi_ratings.json: both ratings before every match."""
    method, (teams, played) = Registry.installed().method(text), world_cups()
    now, before = state(method, [0.0] * len(teams)), []
    for g in range(len(played)):
        shown = method.show(now, 0)
        before.append([shown["home"][played.a[g]], shown["away"][played.b[g]]])
        now = method.rate(now, played.part(g, g + 1)).state
    assert np.array(before) == pytest.approx(np.array(GOLDEN[text]), abs=1e-11)


def test_the_side_at_home_may_come_second() -> None:
    one = games([0], [1], [1.0], points_a=[3], points_b=[1], home=[1.0])
    other = games([1], [0], [0.0], points_a=[1], points_b=[3], home=[-1.0])
    first, second = (rated(PiRatings(), [0.5, -0.25], played).state for played in (one, other))
    for name in ("rating", "lead"):
        assert first[name] == pytest.approx(second[name], abs=1e-15)


def test_neutral_ground_moves_both_ratings_alike() -> None:
    after = rated(PiRatings(), [0.0, 0.0], games([0], [1], [1.0], points_a=[9], points_b=[0], home=[0.0])).state
    assert after["lead"].tolist() == [0.0, 0.0]
    assert after["rating"] == pytest.approx([3.0 * 0.035 * 0.85, -3.0 * 0.035 * 0.85])


def test_chances_are_those_of_a_normal_margin_about_the_expected_one() -> None:
    """3 log10(2) is one goal; half a goal either way is a draw. The chances are from tables of the normal curve."""
    method = PiRatings(spread=1.0)
    asked = games([0], [1], [0.5], points_a=[0], points_b=[0], home=[0.0])
    forecast = method.expected(state(method, [3.0 * np.log10(2.0), 0.0]), asked)
    win, loss = 0.691462461, 0.066807201
    assert forecast.draw == pytest.approx([1.0 - win - loss])
    assert forecast.expected == pytest.approx([win + 0.5 * (1.0 - win - loss)])


def test_a_list_shows_both_ratings() -> None:
    with Engine(SqliteLog(":memory:")) as engine:
        data = {"points_a": 9, "points_b": 0, "home": "a"}
        engine.record(GamePlayed(pool="p", played="2024-02-01", a="ann", b="bo", score=1.0, data=data))
        rows = {
            row["player"]: (row["rating"], row["home"], row["away"]) for row in engine.rating_list("p", "pi-ratings")
        }
    assert rows["ann"] == pytest.approx((0.08925, 0.105, 0.0735))
    assert rows["bo"] == pytest.approx((-0.08925, -0.0735, -0.105))


@method_checks(PiRatings(), PiRatings(learning=0.3, carried=0.2, scale=5.0, spread=1.0, initial=1.0))
def test_pi_ratings_keep_the_laws(law: Law, method: PiRatings) -> None:
    law(method)
