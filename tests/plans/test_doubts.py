"""A plan notes results that may be mistakes, whatever way they came in."""

from typing import Any

import pytest

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.events import DAY, instant, iso
from ratingcore.plans import Plan
from ratingcore.plans.doubts import ContraryPoints, FarPlayed, NobodyRated


@pytest.fixture
def engine() -> Engine:
    engine = rc.open(":memory:")
    engine.record(rc.GamePlayed(uid="g-1", pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
    return engine


def game(**said: Any) -> rc.GamePlayed:
    usual: dict[str, Any] = {"uid": "g-2", "pool": "p", "played": "2024-03-03", "a": "ann", "b": "bo", "score": 1.0}
    return rc.GamePlayed(**(usual | said))


def test_points_that_contradict_the_score_are_noted_of_new_and_of_amended_results(engine: Engine) -> None:
    """A dry run of an amendment was silent about them."""
    points = {"points_a": 0, "points_b": 5}
    (new,) = engine.plan.record(game(data=points)).notes
    (amended,) = engine.plan.amend("g-1", points).notes
    assert (new, amended) == (
        ContraryPoints(1, (("g-2", "points 0-5, score 1"),)), ContraryPoints(1, (("g-1", "points 0-5, score 1"),))
    )  # fmt: skip
    assert str(amended).endswith("the score counts: amend the points, or the score if that is wrong")
    engine.amend("g-1", points)
    assert engine.plan.amend("g-1", {"event": "Open"}).notes == ()
    assert engine.plan.amend("g-1", {"score": 0.0}).notes == ()


def test_days_before_1850_and_after_tomorrow_are_noted(engine: Engine) -> None:
    """Only files were asked about them; lists then were of 2062."""
    now = engine.log.now()
    for played, far in (("1849-12-31", True), ("1850-01-01", False), (now + DAY - 1, False), (now + 3 * DAY, True)):
        when = iso(instant(played))
        for plan in (engine.plan.record(game(played=when)), engine.plan.amend("g-1", {"played": when})):
            assert [type(note) for note in plan.notes] == [FarPlayed] * far, played


@pytest.mark.parametrize("name", ["BYE", "Freilos", "N.N.", "bye 2"])
def test_a_word_for_a_missing_opponent_is_noted(engine: Engine, name: str) -> None:
    """A game against BYE was rated; a file makes it a bye."""
    session = rc.SessionPlayed(
        uid="s", pool="p", played="2024-03-03", sides=[rc.Side(["ann"], 1.0), rc.Side(["bo", name], 0.0)]
    )
    for plan in (engine.plan.record(game(b=name)), engine.plan.record(session), engine.plan.amend("g-1", {"a": name})):
        (note,) = plan.notes
        assert isinstance(note, NobodyRated)
        assert (note.results, note.cases[0][1]) == (1, name)
        assert Plan.from_json(plan.as_json()) == plan


def test_a_note_counts_all_results_and_names_the_first(engine: Engine) -> None:
    games = [game(uid=f"g-{number}", b="bye", score=0.5) for number in range(2, 7)]
    (note,) = engine.plan.record(*games).notes
    assert str(note).count("bye") == 3
    assert "; and 2 more; void" in str(note)
