"""Splits of players: what was played from a day on goes to another player."""

from typing import Any

import pytest
from ratingcore_elo import Elo

from ratingcore.errors import BadCorrection, BadValue, UnknownName
from ratingcore.events import DAY, ResultVoided, Side
from ratingcore.log.lookup import row_of
from tests.columns.making import POOL, engine, game, seed, session
from tests.engine.corrected import club, last, ratings


def test_a_split_gives_another_player_what_was_played_from_a_day_on() -> None:
    eng = club()
    receipt = eng.split("jo", "jo junior", "1970-01-06", why="father and son", by="the board", own_uid="x")
    assert receipt.accepted == 5
    assert [(event.uid, event.of, dict(event.changes)) for event in last(eng, 5)] == [  # type: ignore[attr-defined]  # amendments
        ("x", "g5", {"a": "jo junior"}),
        ("x-2", "g6", {"b": "jo junior"}),
        ("x-3", "s5", {"player": "jo junior"}),
        ("x-4", "p5", {"player": "jo junior"}),
        ("x-5", "o8", {"a": "jo junior"}),
    ]
    assert {(event.why, event.by) for event in last(eng, 5)} == {("father and son", "the board")}  # type: ignore[attr-defined]  # as above
    real = engine(
        game(1, "jo", "ann"), game(5, "jo junior", "ann"), game(6, "bo", "jo junior"), seed(5, "jo junior", 1700.0),
        game(8, "jo junior", "ann", pool="other"),
    )  # fmt: skip
    for pool in (POOL, "other"):
        assert ratings(eng, pool) == ratings(real, pool)
    eng.revive("gone")
    assert eng.history(POOL, "jo", Elo())[-1].position == row_of(eng.log, "gone").position


def test_voiding_the_amendments_takes_a_split_back() -> None:
    eng = club()
    before = ratings(eng), ratings(eng, "other")
    eng.split("jo", "joe", 5 * DAY)
    eng.record(*(ResultVoided(of=event.uid) for event in last(eng, 5)))
    assert (ratings(eng), ratings(eng, "other")) == before


def test_a_split_can_be_of_some_pools_only() -> None:
    eng = club()
    assert eng.split("jo", "joe", 0, pools=["other"]).accepted == 1
    assert set(ratings(eng, "other")) == {"joe", "ann"}
    assert "joe" not in ratings(eng)
    with pytest.raises(UnknownName):
        eng.split("jo", "joe", 0, pools=["nowhere"])


def test_a_split_writes_the_sides_of_sessions_again() -> None:
    eng = engine(session(1, ("jx", 1.0), ("yz", 2.0), uid="s1"), session(5, ("xj", 3.0), ("yz", 4.0), uid="s5"))
    eng.split("j", "k", 2 * DAY)
    (said,) = last(eng)
    assert dict(said.changes) == {"sides": (Side(("x", "k"), 3.0), Side(("y", "z"), 4.0))}  # type: ignore[attr-defined]  # an amendment
    assert set(eng.core.view(POOL).names()) == {"j", "k", "x", "y", "z"}


def test_what_counts_by_a_merge_goes_along() -> None:
    eng = engine(game(1, "jo", "ann"), game(5, "joey", "bo", uid="g"), game(6, "jo", "cy"))
    eng.merge("jo", "joey", own_uid="m")
    with pytest.raises(BadCorrection, match="cannot split joey: joey is merged into jo"):
        eng.split("joey", "joe", 0)
    eng.split("jo", "joe", 5 * DAY)
    assert ratings(eng) == ratings(engine(game(1, "jo", "ann"), game(5, "joe", "bo"), game(6, "joe", "cy")))


def test_amended_results_are_split_as_they_read_now() -> None:
    eng = engine(game(9, "jo", "ann", uid="g"), game(1, "bo", "ann", uid="h"), game(8, "jo", "ann", uid="i"))
    eng.amend("g", {"played": 1 * DAY})  # before the day, now
    eng.amend("h", {"played": 7 * DAY, "a": "jo"})  # of the player, and after the day, now
    eng.amend("i", {"a": "cy"})  # of somebody else, now
    eng.split("jo", "joe", 5 * DAY)
    assert [event.of for event in last(eng)] == ["h"]  # type: ignore[attr-defined]  # an amendment
    assert ratings(eng) == ratings(engine(game(1, "jo", "ann"), game(7, "joe", "ann"), game(8, "cy", "ann")))


def test_a_split_gives_nobody_a_game_against_himself() -> None:
    eng = engine(game(1, "jo", "joe", uid="g"), game(5, "jo", "ann"), session(6, ("ja", 1.0), ("k", 2.0), uid="s"))
    with pytest.raises(BadCorrection, match="cannot split g: joe plays in it, too"):
        eng.split("jo", "joe", 0)
    with pytest.raises(BadCorrection, match="cannot split s: a plays in it, too"):
        eng.split("j", "a", 0)
    eng.record(game(9, "joseph", "x"))
    eng.merge("joe", "joseph")
    with pytest.raises(BadCorrection, match="joseph plays in it, too"):
        eng.split("jo", "joseph", 0)
    assert eng.split("jo", "joe", 5 * DAY).accepted == 1
    with pytest.raises(BadCorrection, match="joseph and joe count as one player"):
        eng.split("joe", "joseph", 0)


def test_a_split_goes_where_the_other_side_was_once_recorded() -> None:
    eng = engine(game(1, "joe", "jo", uid="g"), game(2, "jo", "x"))
    eng.amend("g", {"a": "ann"})
    eng.split("jo", "joe", 0)
    assert ratings(eng) == ratings(engine(game(1, "ann", "joe"), game(2, "joe", "x")))


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("nobody", "joe", 0), UnknownName), (("jo", "", 0), BadValue), (("jo", "jo", 0), BadCorrection),
        (("jo", "joe", 30 * DAY), BadCorrection), (("jo", "joe", "soon"), BadValue), (("jo", " ", 0), BadValue),
    ],
)  # fmt: skip
def test_a_split_that_cannot_be_is_refused(words: Any, error: type[Exception]) -> None:
    eng = club()
    position = eng.log.head.position
    with pytest.raises(error):
        eng.split(*words)
    assert eng.log.head.position == position


def test_a_session_with_an_erased_name_is_not_written_again() -> None:
    eng = engine(session(1, ("jx", 1.0), ("yz", 2.0), uid="s"))
    number = eng.core.player_id("z")
    with eng.log.writing():
        eng.log.erase([number])
    with pytest.raises(BadCorrection, match="cannot split s: a player in it was erased"):
        eng.split("j", "k", 0)
