"""Values that no one means, given to the engine from Python: an error of ratingcore names them, never a raw one."""

import math
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.errors import BrokenChain, PluginFails, RatingCoreError

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
    "impact": lambda engine, value: engine.impact(value),
    "impact of one event": lambda engine, value: engine.impact([value]),
    "the pool of a list": lambda engine, value: engine.rating_list(value, "elo"),
    "its method": lambda engine, value: engine.rating_list("rapid", value),
    "its cut in played time": lambda engine, value: engine.rating_list("rapid", "elo", through=value),
    "its cut in the log": lambda engine, value: engine.rating_list("rapid", "elo", known_at=value),
    "its policy": lambda engine, value: engine.rating_list("rapid", "elo", policy=value),
    "publish": lambda engine, value: engine.publish(value, name="March"),
    "a name": lambda engine, value: engine.publish(engine.rating_list("rapid", "elo"), name=value),
    "a published list": lambda engine, value: engine.published_list(value),
    "amend": lambda engine, value: engine.amend("g-1", {"played": value, "score": value}),
    "an anchor": lambda engine, value: engine.verify([value]),
    "a player": lambda engine, value: engine.history("rapid", value, "elo"),
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


CHANGED = "the chain breaks at position 1: the rows of this batch are not the ones that were recorded"
TEXT = "UPDATE event SET score = 'x' WHERE position = 2"
DAMAGES = {
    TEXT: CHANGED,
    "UPDATE event SET kind = 'odd' WHERE position = 2": CHANGED,
    "UPDATE event SET data = '{' WHERE position = 2": CHANGED,
    """INSERT INTO event SELECT 10, 'late', kind, pool, played, "order", a, b, 'x', ref, data FROM event LIMIT 1""":
        "the chain breaks at position 10: events belong to no batch",
}  # fmt: skip

QUESTIONS: dict[str, Callable[[rc.Engine], object]] = {
    "list": lambda engine: engine.rating_list("rapid", "elo"),
    "player": lambda engine: engine.history("rapid", "ann", "elo"),
    "show": lambda engine: engine.published_list("March"),
    "log": lambda engine: list(engine.events()),
    "export": lambda engine: list(engine.export()),
}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("damage", DAMAGES)
def test_rows_that_no_event_has_are_named_as_verify_names_them(tmp_path: Path, damage: str, question: str) -> None:
    path = tmp_path / "club.db"
    with rc.open(path) as engine:
        games = [("2024-03-02", "ann", "bo"), ("2024-03-09", "bo", "cy"), ("2024-03-16", "cy", "ann")]
        engine.record(*(rc.GamePlayed(pool="rapid", played=day, a=a, b=b, score=1.0) for day, a, b in games))
        engine.publish(engine.rating_list("rapid", "elo"), name="March")
    with closing(sqlite3.connect(path, isolation_level=None)) as hand:
        hand.executescript(f"DROP TRIGGER event_update; {damage}")
    with rc.open(path, read_only=True) as engine:
        found = failure(lambda: QUESTIONS[question](engine))
    assert not isinstance(found, PluginFails)  # no plugin is at fault
    if isinstance(found, BrokenChain):
        assert str(found).startswith(DAMAGES[damage])
        assert "ratingcore verify" in found.hint
    else:  # the row is not read, or what is read is refused by its event
        assert (question, damage) not in {("list", TEXT), ("player", TEXT), ("show", TEXT)}


def failure(ask: Callable[[], object]) -> RatingCoreError | None:
    """The error of a question; None if it is answered. Every other error fails the test."""
    try:
        ask()
    except RatingCoreError as error:
        return error
    return None


def test_public_names_are_listed_before_they_are_used() -> None:
    assert set(rc.__all__) <= set(dir(rc))
    assert rc.ListPolicy.parse("min_games=5").min_games == 5
