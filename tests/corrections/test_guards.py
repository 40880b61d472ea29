"""Guards of corrections: what was recorded under a uid, and seats that were amended before."""

import pytest

import ratingcore as rc
from ratingcore.corrections.propose import Propose
from ratingcore.errors import PlayedThemselves
from ratingcore.log.lookup import row_of


@pytest.fixture
def engine() -> rc.Engine:
    engine = rc.open(":memory:")
    for number in range(1, 4):
        engine.record(rc.GamePlayed(uid=f"g-{number}", pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
    return engine


def test_a_correction_said_again_does_not_take_in_a_later_one_with_the_next_uid(engine: rc.Engine) -> None:
    row = row_of(engine.log, "g-1")
    engine.record(*Propose(engine.log, engine.core.view).void_all([row], own_uid="c"))
    engine.record(rc.GamePlayed(uid="between", pool="p", played="2024-03-03", a="cy", b="bo", score=1.0))
    engine.void("g-2", own_uid="c-2")
    again = Propose(engine.log, engine.core.view).void_all([row], own_uid="c")
    assert [(event.uid, event.of) for event in again] == [("c", "g-1")]  # type: ignore[attr-defined]  # voids
    rows = [row_of(engine.log, f"g-{number}") for number in (1, 2)]
    engine = rc.open(":memory:")
    for number in range(1, 4):
        engine.record(rc.GamePlayed(uid=f"g-{number}", pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
    engine.record(*Propose(engine.log, engine.core.view).void_all(rows, own_uid="c"))
    assert [event.uid for event in Propose(engine.log, engine.core.view).void_all(rows[:1], own_uid="c")] == [
        "c",
        "c-2",
    ]


def test_an_amendment_of_both_seats_keeps_both(engine: rc.Engine) -> None:
    engine.amend("g-1", {"b": "cy"})
    engine.amend("g-1", {"a": "bo", "b": "di"})
    (game,) = [one for one in engine.forecasts("p", "elo") if one["uid"] == "g-1"]
    assert (game["a"], game["b"]) == ("bo", "di")


def test_a_seat_that_was_amended_before_is_repeated(engine: rc.Engine) -> None:
    engine.amend("g-1", {"b": "cy"})
    (event,) = Propose(engine.log, engine.core.view).amend(
        "g-1", {"a": "bo"}
    )  # who sat at b when the game was recorded
    assert event.changes == {"a": "bo", "b": "cy"}  # type: ignore[attr-defined]  # an amendment


def test_the_label_of_an_erased_name_is_not_written_into_an_amendment(engine: rc.Engine) -> None:
    engine.amend("g-1", {"b": "cy"})
    engine.erase("cy")
    with pytest.raises(PlayedThemselves):
        engine.amend("g-1", {"a": "bo"})
