"""Corrections in full: void and revive, amend again and again, merge and unmerge, split; and a retry of each."""

from typing import Any

import pytest
from ratingcore_elo import Elo

from ratingcore.engine import Engine
from ratingcore.errors import BadCorrection, BadValue, Conflict, HeadMoved, PlayedThemselves, UnknownName, UnknownUid
from ratingcore.events import DAY, Event, GamePlayed, PlayerDescribed, ResultVoided, Side
from ratingcore.log import MemoryLog
from ratingcore.registry import Registry
from tests.tables.making import POOL, engine, game, seed, session


def ratings(eng: Engine, pool: str = POOL, **cut: Any) -> dict[str, float]:
    """Ratings by name."""
    made = eng.rating_list(pool, Elo(), **cut)
    return {player: made.rating(player) for player in made.player}


def last(eng: Engine, count: int = 1) -> list[Event]:
    """The newest events."""
    return [event for _, event in eng.events(eng.log.head.position - count)]


# revive


def test_reviving_takes_back_every_void_that_stands_in_one_batch() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), game(2, "bo", "cy"))
    before = ratings(eng)
    for own in ("v1", "v2", "v3"):
        eng.void("g", own_uid=own)
    eng.void("v2")  # taken back already
    receipt = eng.revive("g", why="the arbiter was wrong", by="the board", own_uid="r")
    assert receipt.accepted == 2
    assert last(eng, 2) == [
        ResultVoided(uid="r", of="v1", why="the arbiter was wrong", by="the board"),
        ResultVoided(uid="r-2", of="v3", why="the arbiter was wrong", by="the board"),
    ]
    assert len(list(eng.log.batches())) == 6
    assert ratings(eng) == before


def test_what_counts_cannot_be_revived() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"))
    with pytest.raises(BadCorrection, match="cannot revive g: nothing that stands speaks against it"):
        eng.revive("g")
    eng.void("g")
    eng.revive("g")
    with pytest.raises(BadCorrection):
        eng.revive("g")
    with pytest.raises(UnknownUid):
        eng.revive("nobody")


def test_whatever_was_voided_can_be_revived() -> None:
    eng = engine(seed(0, "ann", 1700.0, uid="s"), game(1, "ann", "bo", uid="g"))
    eng.amend("g", {"score": 0.0}, own_uid="a")
    amended = ratings(eng)
    eng.void("a")
    eng.revive("a")
    assert ratings(eng) == amended
    eng.void("s", own_uid="v")
    gone = ratings(eng)
    eng.void("v")
    eng.revive("v")  # the void of the seed counts again
    assert ratings(eng) == gone


def test_reviving_a_merge_merges_again_unless_they_have_met_meanwhile() -> None:
    eng = engine(game(1, "ann", "cy"), game(2, "anna", "dee"))
    eng.merge("ann", "anna", own_uid="m")
    merged = ratings(eng)
    eng.unmerge("m")
    eng.revive("m")
    assert ratings(eng) == merged
    eng.unmerge("m")
    eng.record(game(3, "ann", "anna"))
    with pytest.raises(BadCorrection, match="cannot revive m: ann and anna have met in pool club"):
        eng.revive("m")


def test_a_game_of_two_who_were_merged_since_stays_voided() -> None:
    eng = engine(game(1, "ann", "anna", uid="g"), game(1, "ann", "bo"))
    eng.void("g")
    eng.merge("ann", "anna")
    with pytest.raises(BadCorrection, match="cannot revive g: ann and anna count as one player"):
        eng.revive("g")
    assert eng.log.head.position == 4


# amend


def test_every_field_can_be_amended_and_amended_again() -> None:
    eng = engine(game(1, "ann", "bo", 1.0, uid="g", data={"event": "Open"}), game(9, "ann", "cy"))
    said: list[dict[str, Any]] = [
        {"score": 0.5}, {"score": 0.0, "event": None}, {"played": 40 * DAY}, {"played": 3 * DAY, "order": 2},
        {"a": "dee"}, {"b": "eve"}, {"a": "bo"}, {"b": "ann"}, {"a": "fay", "b": "guy"}, {"pool": "other"},
        {"pool": POOL}, {"home": "a", "event": "Closed"},
    ]  # fmt: skip
    now: dict[str, Any] = {"score": 1.0, "played": DAY, "order": 0, "a": "ann", "b": "bo", "pool": POOL}
    for number, changes in enumerate(said):
        eng.amend("g", changes, why=f"reason {number}", by="cy")
        now |= {name: value for name, value in changes.items() if name in now}
        facts = {name: now[name] for name in ("score", "played", "order", "pool", "a", "b")}
        real = engine(GamePlayed(uid="g", **facts), game(9, "ann", "cy"))
        for pool in real.pools():
            assert ratings(eng, pool) == ratings(real, pool)
    assert [event.why for event in last(eng, len(said))] == [f"reason {n}" for n in range(len(said))]  # type: ignore[attr-defined]  # amendments


def test_a_date_amended_across_periods_moves_the_game_there() -> None:
    eng = engine(game(5, "ann", "bo", uid="g"), game(40, "ann", "cy"))
    eng.amend("g", {"played": 35 * DAY})
    real = engine(game(35, "ann", "bo"), game(40, "ann", "cy"))
    for through in (10, 33, 36, 60):
        for method in ("elo:period=month", "elo"):
            one, other = (Engine(each.log).rating_list(POOL, method, through * DAY) for each in (eng, real))
            assert one.digest == other.digest


def test_players_can_change_places_one_amendment_at_a_time() -> None:
    """A fixed bug: an amendment was judged by the game as recorded, whatever had been amended since."""
    eng = engine(game(1, "ann", "bo", uid="g"))
    eng.amend("g", {"b": "cy"}, own_uid="x")
    eng.amend("g", {"a": "bo"}, own_uid="y")
    assert ratings(eng) == {"bo": 1510.0, "cy": 1490.0}
    assert eng.amend("g", {"a": "bo"}, own_uid="y").duplicates == 1
    eng.amend("g", {"b": "ann"})
    assert ratings(eng) == {"bo": 1510.0, "ann": 1490.0}


@pytest.mark.parametrize(
    ("before", "changes"),
    [
        ([], {"a": "bo"}),
        ([{"a": "cy"}], {"b": "cy"}),
        ([{"a": "cy"}, {"b": "dee"}], {"a": "dee"}),
        ([], {"a": "cy", "b": "cy"}),
        ([{"b": "ann", "a": "bo"}], {"b": "bo"}),
    ],
)
def test_nobody_is_made_to_play_himself(before: list[dict[str, str]], changes: dict[str, str]) -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), game(2, "cy", "dee"))
    for said in before:
        eng.amend("g", said)
    position, was = eng.log.head.position, ratings(eng)
    with pytest.raises(PlayedThemselves):
        eng.amend("g", changes)
    assert (eng.log.head.position, ratings(eng)) == (position, was)


def test_nobody_is_made_to_play_himself_under_another_name_or_twice_in_a_session() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), game(2, "anna", "cy"), session(3, ("de", 1.0), ("fg", 2.0), uid="s"))
    eng.merge("ann", "anna", own_uid="m")
    with pytest.raises(BadCorrection, match="cannot amend g: ann and anna count as one player") as caught:
        eng.amend("g", {"b": "anna"})
    assert caught.value.hint == "unmerge them first"
    with pytest.raises(BadCorrection):
        eng.amend("s", {"sides": [Side(["d", "ann"], 1.0), Side(["anna"], 2.0)]})
    with pytest.raises(PlayedThemselves):
        eng.amend("s", {"sides": [Side(["d", "e"], 1.0), Side(["d"], 2.0)]})
    eng.unmerge("m")
    assert eng.amend("g", {"b": "anna"}).accepted == 1


# merge


def test_players_who_met_cannot_be_merged() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "cy", "dee", pool="other"), session(3, ("ef", 1.0), ("g", 2.0)))
    for keep, other, pool in (
        ("ann", "bo", POOL),
        ("bo", "ann", POOL),
        ("dee", "cy", "other"),
        ("e", "f", POOL),
        ("g", "e", POOL),
    ):
        with pytest.raises(BadCorrection, match=f"cannot merge {other}: {keep} and {other} have met in pool {pool}"):
            eng.merge(keep, other)
    assert eng.log.head.position == 3


def test_players_met_those_who_were_merged_into_others_too() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "anna", "cy"), game(3, "robert", "dee"))
    eng.merge("ann", "anna")
    with pytest.raises(BadCorrection):
        eng.merge("cy", "anna")
    eng.merge("bo", "robert")
    with pytest.raises(BadCorrection):
        eng.merge("robert", "anna")


def test_a_game_that_was_voided_or_moved_is_no_meeting() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), game(1, "cy", "dee"))
    eng.void("g")
    receipt = eng.merge("ann", "bo")
    assert receipt.accepted == 1
    eng.record(game(2, "bo", "cy"))
    assert eng.rating_list(POOL, Elo()).player == ("ann", "dee", "cy") or "bo" not in eng.rating_list(POOL, Elo())


def test_unmerging_makes_two_of_one_again() -> None:
    eng = engine(game(1, "ann", "cy"), game(2, "anna", "dee"))
    before = eng.rating_list(POOL, Elo())
    eng.merge("ann", "anna")
    uid = eng.log.uid(3)
    assert eng.rating_list(POOL, Elo()).digest != before.digest
    eng.unmerge(uid)
    assert eng.rating_list(POOL, Elo()).digest == before.digest
    eng.void(eng.log.uid(4))
    assert "anna" not in eng.rating_list(POOL, Elo())


def test_merging_strangers_or_oneself_is_refused() -> None:
    eng = engine(game(1, "ann", "bo"))
    with pytest.raises(UnknownName):
        eng.merge("ann", "zoe")
    with pytest.raises(BadValue):
        eng.merge("ann", "ann")
    with pytest.raises(UnknownName):
        eng.merge("zoe", "ann")


def test_players_known_by_a_description_alone_can_be_merged() -> None:
    eng = engine(game(1, "ann", "bo"), PlayerDescribed(pool=POOL, player="anna", played=0, data={"born": 1990}))
    assert eng.merge("ann", "anna").accepted == 1
    assert eng.history(POOL, "anna", Elo()) == eng.history(POOL, "ann", Elo())


def test_those_who_are_one_already_are_not_merged_again() -> None:
    eng = engine(game(1, "a", "x"), game(2, "b", "y"), game(3, "c", "z"))
    eng.merge("a", "b", own_uid="ab")
    for keep, other in (("a", "b"), ("b", "a")):
        with pytest.raises(BadCorrection, match="count as one player already"):
            eng.merge(keep, other)
    eng.merge("c", "b")  # brings a along
    assert set(ratings(eng)) == {"c", "x", "y", "z"}
    for keep, other in (("a", "c"), ("c", "a"), ("b", "c")):
        with pytest.raises(BadCorrection, match="count as one player already"):
            eng.merge(keep, other)
    eng.unmerge("ab")  # b stays with c, a is a player of his own
    assert set(ratings(eng)) == {"a", "c", "x", "y", "z"}
    eng.merge("a", "b")
    assert set(ratings(eng)) == {"a", "x", "y", "z"}


def test_a_merge_can_be_taken_back_and_made_again_and_again() -> None:
    eng = engine(game(1, "ann", "cy"), game(2, "anna", "dee"))
    apart = ratings(eng)
    eng.merge("ann", "anna", own_uid="m1")
    merged = ratings(eng)
    for number in range(2, 5):
        eng.unmerge(f"m{number - 1}")
        assert ratings(eng) == apart
        eng.merge("ann", "anna", own_uid=f"m{number}")
        assert ratings(eng) == merged


def test_meetings_are_counted_as_results_read_now() -> None:
    eng = engine(
        game(1, "ann", "bo", uid="g"), game(1, "cy", "dee", uid="h"), session(2, ("ef", 1.0), ("gh", 2.0), uid="s"),
    )  # fmt: skip
    eng.amend("g", {"b": "zoe"})
    eng.amend("h", {"a": "bo", "b": "yan"})
    eng.amend("s", {"sides": [Side(["e"], 1.0), Side(["g", "h"], 2.0)]})
    assert eng.what_if(eng.propose.merge("ann", "bo")).supposed == 1
    assert eng.what_if(eng.propose.merge("e", "f")).supposed == 1
    for keep, other in (("ann", "zoe"), ("bo", "yan"), ("e", "h"), ("g", "h")):
        with pytest.raises(BadCorrection, match="have met in pool club"):
            eng.merge(keep, other)


def test_records_of_merged_players_met_whoever_any_of_them_met() -> None:
    eng = engine(game(1, "a1", "b1"), game(2, "a2", "x"), game(3, "b2", "y"), game(4, "a3", "z"))
    eng.merge("a2", "a1")
    eng.merge("b2", "b1")
    for keep, other in (("a2", "b2"), ("a1", "b2"), ("b1", "a2"), ("b1", "a1")):
        with pytest.raises(BadCorrection, match="have met"):
            eng.merge(keep, other)
    assert eng.merge("a3", "a1").accepted == 1
    with pytest.raises(BadCorrection, match="have met"):
        eng.merge("b1", "a3")


def test_merging_with_a_pool_in_which_neither_has_played_is_possible() -> None:
    """A fixed bug: the pool's players were looked up by ids that it did not have."""
    eng = engine(
        game(1, "p", "q", pool="first"), *(game(1, f"x{n}", f"y{n}") for n in range(20)), game(2, "ann", "zed")
    )
    eng.merge("zed", "x1")
    assert eng.merge("ann", "x2").accepted == 1
    assert eng.merge("x3", "x1").accepted == 1


def test_only_a_merge_can_be_unmerged() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), game(1, "anna", "cy"))
    with pytest.raises(BadCorrection, match="cannot unmerge g: it is a game") as caught:
        eng.unmerge("g")
    assert caught.value.hint == "void g counts it as never recorded"
    eng.merge("ann", "anna", own_uid="m")
    eng.unmerge("m", own_uid="u")
    with pytest.raises(BadCorrection):
        eng.unmerge("u")


# split


def club() -> Engine:
    """One name that two persons used, in games, a session, a seed and a description, in two pools."""
    eng = engine(
        game(1, "jo", "ann", uid="g1"),
        game(5, "jo", "ann", uid="g5"),
        game(6, "bo", "jo", uid="g6"),
        game(7, "jo", "ann", uid="gone"),
        seed(5, "jo", 1700.0, uid="s5"),
        PlayerDescribed(uid="p5", pool=POOL, player="jo", played=5 * DAY, data={"born": 2001}),
        PlayerDescribed(uid="p1", pool=POOL, player="jo", played=1 * DAY, data={"born": 1970}),
        game(8, "jo", "ann", pool="other", uid="o8"),
    )
    eng.void("gone")
    return eng


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
    assert eng.history(POOL, "jo", Elo())[-1].position == eng.log.row_of("gone").position


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
    assert set(eng.view(POOL).names()) == {"j", "k", "x", "y", "z"}


def test_what_counts_by_a_merge_goes_along() -> None:
    eng = engine(game(1, "jo", "ann"), game(5, "joey", "bo", uid="g"), game(6, "jo", "cy"))
    eng.merge("jo", "joey", own_uid="m")
    with pytest.raises(BadCorrection, match="cannot split joey: every result counts as one of jo"):
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
    with pytest.raises(BadCorrection, match="cannot split g: joe sits in it too"):
        eng.split("jo", "joe", 0)
    with pytest.raises(BadCorrection, match="cannot split s: a sits in it too"):
        eng.split("j", "a", 0)
    eng.record(game(9, "joseph", "x"))
    eng.merge("joe", "joseph")
    with pytest.raises(BadCorrection, match="joseph sits in it too"):
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
    number = eng.player_id("z")
    eng.log.names_book.erase([number])
    with pytest.raises(BadCorrection, match="cannot split s: a name in it was erased"):
        eng.split("j", "k", 0)


# retries and races


def test_every_correction_said_again_under_its_uid_changes_nothing() -> None:
    eng = club()
    eng.record(game(1, "joan", "dee"))
    said: list[Any] = [
        lambda: eng.void("g1", why="w", by="b", own_uid="v"),
        lambda: eng.void("g1", own_uid="v2"),
        lambda: eng.revive("g1", why="w", own_uid="r"),
        lambda: eng.amend("g1", {"score": 0.5, "b": "cy"}, why="w", own_uid="a"),
        lambda: eng.merge("bo", "joan", why="w", own_uid="m"),
        lambda: eng.unmerge("m", why="w", own_uid="u"),
        lambda: eng.split("jo", "joe", 5 * DAY, why="w", own_uid="x"),
    ]
    counts = [say().accepted for say in said]
    assert counts == [1, 1, 2, 1, 1, 1, 5]
    head, now = eng.log.head, ratings(eng)
    eng.record(game(99, "bo", "joan"))  # now the merge would be refused, were it a new one
    for say, count in zip(said, counts, strict=True):
        receipt = say()
        assert (receipt.accepted, receipt.duplicates) == (0, count)
    assert eng.log.head.position == head.position + 1
    assert ratings(eng, through=50 * DAY) == now
    for other in (
        lambda: eng.void("g1", why="another reason", own_uid="v"),
        lambda: eng.revive("g1", why="another reason", own_uid="r"),
        lambda: eng.merge("joan", "bo", why="w", own_uid="m"),
        lambda: eng.split("jo", "joe", 5 * DAY, why="another reason", own_uid="x"),
        lambda: eng.amend("g5", {"score": 0.5}, own_uid="a"),
    ):
        with pytest.raises(Conflict):
            other()


def test_a_uid_that_stands_for_something_else_is_a_conflict() -> None:
    eng = club()
    eng.void("g1", own_uid="v")
    eng.amend("g1", {"a": "bo"}, own_uid="a")
    for other in (
        lambda: eng.revive("g1", own_uid="g5"),
        lambda: eng.split("jo", "joe", 5 * DAY, own_uid="v"),
        lambda: eng.revive("g5", own_uid="v"),
        lambda: eng.split("jo", "joe", 5 * DAY, own_uid="a"),
    ):
        with pytest.raises(Conflict):
            other()


def test_a_guard_looks_again_if_the_log_grows_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    eng = engine(game(1, "ann", "cy"), game(2, "anna", "dee"))
    append, slipped = MemoryLog.append, []

    def late(self: MemoryLog, events: Any, **options: Any) -> Any:
        if not slipped:  # somebody records a meeting between the look and the append
            slipped.append(append(self, [game(3, "ann", "anna")]))
        return append(self, events, **options)

    monkeypatch.setattr(MemoryLog, "append", late)
    with pytest.raises(BadCorrection, match="ann and anna have met"):
        eng.merge("ann", "anna")
    assert eng.log.head.position == 3
    slipped.clear()
    assert eng.amend(eng.log.uid(1), {"score": 0.5}).head.position == 5


def test_a_log_that_was_replaced_is_not_tried_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    eng = engine(game(1, "ann", "bo", uid="g"))

    def moved(self: MemoryLog, events: Any, **options: Any) -> Any:
        raise HeadMoved(1, 1)

    monkeypatch.setattr(MemoryLog, "append", moved)
    with pytest.raises(HeadMoved):
        eng.amend("g", {"score": 0.5})


def test_an_empty_log_knows_nobody_to_correct() -> None:
    eng = Engine(MemoryLog(), Registry())
    for say in (lambda: eng.void("x"), lambda: eng.revive("x"), lambda: eng.amend("x", {"score": 1.0})):
        with pytest.raises(UnknownUid):
            say()
    for speak in (lambda: eng.merge("a", "b"), lambda: eng.split("a", "b", 0)):
        with pytest.raises(UnknownName):
            speak()
