"""Splits: which results, from which instant on, are given to the other player."""

import pytest

import ratingcore as rc
from ratingcore.errors import BadCorrection


def test_a_session_on_the_first_day_goes_to_the_other_whatever_the_seat() -> None:
    for seat in range(4):
        engine = rc.open(":memory:")
        for number in range(1, 6):
            others = [f"x{number}", f"y{number}", f"z{number}"]
            others.insert(seat, "ann" if number < 5 else "bo")
            sides = [rc.Side(others[:2], 1.0), rc.Side(others[2:], 0.0)]
            engine.record(rc.SessionPlayed(uid=f"s-{number}", pool="p", played=f"2024-03-0{number}", sides=sides))
        assert [event.of for event in engine.plan.split("ann", "anna", "2024-03-03")] == [
            "s-3",
            "s-4",
        ], seat
        engine.split("ann", "anna", "2024-03-03")
        listed = engine.rating_list("p", "weng-lin")
        games = dict(zip(listed.player, listed.games.tolist(), strict=True))
        assert (games["ann"], games["anna"]) == (2, 2)


def test_games_seeds_and_descriptions_of_the_first_instant_go_too() -> None:
    engine = rc.open(":memory:")
    for day in (2, 3):
        engine.record(
            rc.GamePlayed(uid=f"g-{day}", pool="p", played=f"2024-03-0{day}", a="bo", b="ann", score=1.0),
            rc.RatingSeeded(
                uid=f"s-{day}", pool="p", played=f"2024-03-0{day}", player="ann", values={"rating": 1600.0}
            ),
            rc.PlayerDescribed(uid=f"d-{day}", pool="p", played=f"2024-03-0{day}", player="ann", data={"born": day}),
        )
    given = {event.of: event.changes for event in engine.plan.split("ann", "anna", "2024-03-03")}
    assert given == {"g-3": {"b": "anna"}, "s-3": {"player": "anna"}, "d-3": {"player": "anna"}}


def test_nobody_is_split_into_who_counts_as_them() -> None:
    engine = rc.open(":memory:")
    for uid, day, name in (("g-1", 2, "ann"), ("g-2", 3, "anna")):
        engine.record(rc.GamePlayed(uid=uid, pool="p", played=f"2024-03-0{day}", a=name, b="bo", score=1.0))
    engine.merge("ann", "anna")
    with pytest.raises(BadCorrection, match="anna and ann count as one player"):
        engine.plan.split("ann", "anna", "2024-03-03")
