"""Values that no one means, given to the engine from Python: an error of ratingcore names them, never a raw one."""

import math
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.columns.scores import ScoreColumn
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
        assert "a backup that verifies" in found.hint
    else:  # the row is not read, or what is read is refused by its event
        assert (question, damage) not in {("list", TEXT), ("player", TEXT), ("show", TEXT)}


ODD = (
    "score = NULL", "data = '{}'", "data = '[]'", "data = NULL", "a = 999", "a = NULL", "played = 'x'", "played = NULL",
    "ref = 77", "ref = NULL", "pool = 999", "uid = NULL", "kind = 'session'", "kind = 'list'", "kind = 'amend'",
    """data = '{"sides":[[1]]}'""", """data = '{"called":[]}'""", """data = '{"born":[]}'""",
    """"order" = 99999999999""",
)  # fmt: skip
"""What no row holds that an append has written."""

MORE = QUESTIONS | {
    "players": lambda engine: engine.players("rapid"),
    "impact": lambda engine: engine.impact("g-1", "rapid", "elo"),
    "columns": lambda engine: engine.with_columns(engine.rating_list("rapid", "elo"), "full"),
    "sessions": lambda engine: engine.rating_list("rapid", "weng-lin"),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a log with events of several kinds."""
    path = tmp_path_factory.mktemp("sound") / "club.db"
    with rc.open(path) as engine:
        engine.record(
            rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0),
            rc.SessionPlayed(pool="rapid", played="2024-03-03", sides=[rc.Side(["ann"], 1.0), rc.Side(["bo"], 0.0)]),
            rc.RatingSeeded(uid="s-1", pool="rapid", played="2024-03-01", player="ann", values={"rating": 1600.0}),
            rc.PlayerDescribed(uid="d-1", pool="rapid", player="ann", played="2024-01-01", data={"born": 1990}),
            rc.ResultAmended(uid="m-1", of="g-1", changes={"score": 0.5}),
        )
        engine.publish(engine.rating_list("rapid", "elo"), name="March")
    return path.read_bytes()


@pytest.mark.parametrize("odd", ODD)
def test_no_row_that_was_changed_by_hand_ends_in_an_error_of_python(odd: str, sound: bytes, tmp_path: Path) -> None:
    for position in range(1, 7):
        path = tmp_path / f"club {position}.db"
        path.write_bytes(sound)
        with closing(sqlite3.connect(path, isolation_level=None)) as hand, suppress(sqlite3.IntegrityError):
            hand.executescript(f"DROP TRIGGER event_update; UPDATE event SET {odd} WHERE position = {position}")
        with rc.open(path, read_only=True) as engine:
            for ask in MORE.values():
                failure(partial(ask, engine))


MISTAKES: dict[tuple[str, str], Callable[[rc.Engine], object]] = {
    ("ratingcore.explain.history", "met"): lambda engine: engine.history("rapid", "ann", "elo"),
    ("ratingcore.explain.contributions", "opposition"): lambda engine: engine.explain("rapid", "ann", "elo"),
    ("ratingcore.explain.impact", "ranked"): lambda engine: engine.impact("g-1", "rapid", "elo"),
    ("ratingcore.engine.forecasts", "forecasts"): lambda engine: engine.forecasts("rapid", "elo"),
    ("ratingcore.predict.predict", "staged"): lambda engine: engine.predict("rapid", "elo", [("ann", "bo")]),
}


@pytest.mark.parametrize("kind", ["IndexError", "KeyError", "ValueError", "TypeError", "AssertionError"])
@pytest.mark.parametrize("place", MISTAKES, ids=".".join)
def test_a_mistake_of_ours_shows_at_once_and_does_not_verify_the_log(
    place: tuple[str, str], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index too large in a history verified a log of two million results before anybody saw it: for minutes."""
    module, name = place
    mistaken: dict[str, Any] = {"__name__": module}
    exec(f"def {name}(*args, **options): raise {kind}('ours')", mistaken)
    engine = one_game()
    verified: list[object] = []
    monkeypatch.setattr("ratingcore.engine.damage.verify", verified.append)
    MISTAKES[place](engine)
    engine = one_game()
    monkeypatch.setattr(sys.modules[module], name, mistaken[name])
    with pytest.raises(Exception, match="ours") as raised:
        MISTAKES[place](engine)
    assert (type(raised.value).__name__, verified) == (kind, [])


def test_an_opponent_beyond_the_last_row_does_not_verify_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong rows of opponents end where the columns of the log are looked up."""
    engine = one_game()
    verified: list[object] = []
    monkeypatch.setattr("ratingcore.engine.damage.verify", verified.append)
    beyond = np.array([7]), ScoreColumn.of_games(np.array([1.0])), np.array([0])
    monkeypatch.setattr(sys.modules["ratingcore.explain.history"], "met", lambda replay, members, words: beyond)
    with pytest.raises(IndexError):
        engine.history("rapid", "ann", "elo")
    assert not verified


def one_game() -> rc.Engine:
    engine = rc.open(":memory:")
    engine.record(rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
    return engine


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
