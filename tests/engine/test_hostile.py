"""Values that no one means, given to the engine from Python: an error of ratingcore names them, never a raw one."""

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.errors import RatingCoreError

HOSTILE: tuple[Any, ...] = (
    None, 1, -1, 10**30, 10**5000, 1.5, math.nan, math.inf, "", "x", "\ud800", "a\0b", b"x", [], [1], {}, {"a": 1},
    object(), True, "9" * 5000,
)  # fmt: skip

DOORS: dict[str, Callable[[Any, Any], object]] = {
    "Head": lambda engine, value: rc.Head(value, "00" * 32),
    "the digest of a Head": lambda engine, value: rc.Head(1, value),
    "record": lambda engine, value: engine.record(value),
    "what_if": lambda engine, value: engine.what_if(value),
    "what_if of one": lambda engine, value: engine.what_if([value]),
    "foresee": lambda engine, value: engine.foresee(value),
    "foresee of one": lambda engine, value: engine.foresee([value]),
    "the pool of a list": lambda engine, value: engine.rating_list(value, "elo"),
    "its method": lambda engine, value: engine.rating_list("rapid", value),
    "its cut in played time": lambda engine, value: engine.rating_list("rapid", "elo", through=value),
    "its cut in the log": lambda engine, value: engine.rating_list("rapid", "elo", known_at=value),
    "its policy": lambda engine, value: engine.rating_list("rapid", "elo", policy=value),
    "publish": lambda engine, value: engine.publish(value, name="March"),
    "a name": lambda engine, value: engine.publish(engine.rating_list("rapid", "elo"), name=value),
    "find_list": lambda engine, value: engine.find_list(value),
    "amend": lambda engine, value: engine.amend("g-1", {"played": value, "score": value}),
    "an anchor": lambda engine, value: engine.verify([value]),
    "player_id": lambda engine, value: engine.player_id(value),
    "a game": lambda engine, value: rc.GamePlayed(pool=value, played=value, a=value, b="bo", score=value),
    "a side": lambda engine, value: rc.Side(value, value),
    "expect": lambda engine, value: rc.expect(value, 1500.0),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_value_that_nobody_means_is_answered_or_refused_with_a_sentence(door: str) -> None:
    for value in HOSTILE:
        engine = rc.open(":memory:")
        engine.record(rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        with suppress(RatingCoreError):  # every other error fails the test
            DOORS[door](engine, value)


def test_public_names_are_listed_before_they_are_used() -> None:
    assert set(rc.__all__) <= set(dir(rc))
    assert rc.Plan("elo", "elo:k=40", "today").new == "elo:k=40"
    assert rc.ListPolicy.parse("min_games=5").min_games == 5
