"""Corrections in full: void and revive, amend again and again; and a retry of each."""

from typing import Any

import pytest

from ratingcore.engine import Engine
from ratingcore.engine.core import Core
from ratingcore.errors import BadCorrection, Conflict, HeadMoved, PlayedThemselves, UnknownName, UnknownUid
from ratingcore.events import DAY, GamePlayed, ResultVoided, Side
from ratingcore.log import SqliteLog
from ratingcore.log.lookup import uid_at
from ratingcore.plans import Plan
from ratingcore.registry import Registry
from tests.columns.making import POOL, engine, game, seed, session
from tests.engine.corrected import club, last, ratings

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
    with pytest.raises(BadCorrection, match="cannot revive g: it counts already: it was not taken back"):
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
    eng.void("m")
    eng.revive("m")
    assert ratings(eng) == merged
    eng.void("m")
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
    eng.void("m")
    assert eng.amend("g", {"b": "anna"}).accepted == 1


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
        lambda: eng.void("m", why="w", own_uid="u"),
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
    apply, slipped = Core.apply, []

    def late(self: Core, plan: Plan) -> Any:
        if not slipped:  # somebody records a meeting between the look and the append
            slipped.append(self.log.append([game(3, "ann", "anna")]))
        return apply(self, plan)

    monkeypatch.setattr(Core, "apply", late)
    with pytest.raises(BadCorrection, match="ann and anna have met"):
        eng.merge("ann", "anna")
    assert eng.log.head.position == 3
    slipped.clear()
    assert eng.amend(uid_at(eng.log, 1), {"score": 0.5}).head.position == 5


def test_a_log_that_was_replaced_is_not_tried_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    eng = engine(game(1, "ann", "bo", uid="g"))

    def moved(self: SqliteLog, events: Any, **options: Any) -> Any:
        raise HeadMoved(1, 1)

    monkeypatch.setattr(SqliteLog, "append", moved)
    with pytest.raises(HeadMoved):
        eng.amend("g", {"score": 0.5})


def test_an_empty_log_knows_nobody_to_correct() -> None:
    eng = Engine(SqliteLog(":memory:"), Registry())
    for say in (lambda: eng.void("x"), lambda: eng.revive("x"), lambda: eng.amend("x", {"score": 1.0})):
        with pytest.raises(UnknownUid):
            say()
    for speak in (lambda: eng.merge("a", "b"), lambda: eng.split("a", "b", 0)):
        with pytest.raises(UnknownName):
            speak()
