"""Plans: refused if something that they rest on has changed, and applied as at once if anything else has."""

import json
from collections.abc import Callable
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import BadCorrection, DoesNotFit, HeadMoved, PlanOutdated, UnknownUid
from ratingcore.events import (
    DAY,
    GamePlayed,
    PlayersMerged,
    ResultVoided,
    SessionPlayed,
    Side,
)
from ratingcore.log import Receipt
from ratingcore.plans import Plan
from ratingcore.replay.declared import questions
from tests.columns.making import POOL, engine, game, session
from tests.engine.corrected import ratings


def league() -> Engine:
    """Two games of ann, one of anna, a session; one game was taken back, and bob counts as bo."""
    eng = rc.open(":memory:")
    eng.record(
        game(1, "ann", "bo", uid="g-1"), game(2, "anna", "cy", uid="g-2"), game(3, "ann", "dee", uid="g-3"),
        game(4, "bob", "eve", uid="g-4"), session(5, ("x", 1.0), ("y", 2.0), ("z", 3.0), uid="s-1"),
    )  # fmt: skip
    eng.void("g-3", own_uid="v-3")
    eng.merge("bo", "bob", own_uid="m-1")
    eng.amend("g-2", {"score": 0.5}, own_uid="a-2")
    eng.declare("other", fits="")
    return eng


PLANS: dict[str, Callable[[Engine], Plan]] = {
    "void of a game": lambda eng: eng.plan.void("g-1", own_uid="c"),
    "void of a void": lambda eng: eng.plan.void("v-3", own_uid="c"),
    "void of an amendment": lambda eng: eng.plan.void("a-2", own_uid="c"),
    "revival": lambda eng: eng.plan.revive("g-3", own_uid="c"),
    "amendment of a score": lambda eng: eng.plan.amend("g-2", {"score": 0.0}, own_uid="c"),
    "amendment of a seat": lambda eng: eng.plan.amend("g-2", {"b": "fay"}, own_uid="c"),
    "merge": lambda eng: eng.plan.merge("ann", "anna", own_uid="c"),
    "unmerge": lambda eng: eng.plan.unmerge("m-1", own_uid="c"),
    "split": lambda eng: eng.plan.split("ann", "amy", DAY, own_uid="c"),
    "rename": lambda eng: eng.plan.rename("ann", "Ann Lee", own_uid="c"),
    "void of many": lambda eng: eng.plan.void_all(eng.plan.chosen(positions=[(1, 2)]).rows, own_uid="c"),
}

TOUCHED: list[tuple[str, Callable[[Engine], object], str]] = [
    ("void of a game", lambda eng: eng.void("g-1"), "void of g-1"),
    ("void of a game", lambda eng: eng.amend("g-1", {"score": 0.5}), "amend of g-1"),
    ("void of a void", lambda eng: eng.void("v-3"), "void of v-3"),
    ("void of a void", lambda eng: eng.amend("g-3", {"score": 0.5}), "amend of g-3"),
    ("void of a void", lambda eng: eng.merge("dee", "eve"), "merge of"),
    ("void of an amendment", lambda eng: eng.void("a-2"), "void of a-2"),
    ("void of an amendment", lambda eng: eng.void("g-2"), "void of g-2"),
    ("revival", lambda eng: eng.revive("g-3"), "void of v-3"),
    ("revival", lambda eng: eng.merge("ann", "eve"), "merge of"),
    ("revival", lambda eng: eng.declare(POOL, fits="elo"), "pool of"),
    ("amendment of a score", lambda eng: eng.amend("g-2", {"round": 3}), "amend of g-2"),
    ("amendment of a seat", lambda eng: eng.merge("anna", "eve"), "merge of"),
    ("amendment of a seat", lambda eng: (eng.record(game(9, "fay", "gus")), eng.merge("anna", "fay")), "merge of"),
    ("amendment of a seat", lambda eng: eng.declare(POOL, fits="elo"), "pool of"),
    ("merge", lambda eng: eng.record(game(9, "ann", "anna", uid="met")), "game of met"),
    ("merge", lambda eng: eng.record(MEETING), "session of met"),
    ("merge", lambda eng: eng.amend("g-2", {"b": "ann"}), "amend of g-2"),
    ("merge", lambda eng: (eng.record(MEETING), eng.void("met"), eng.revive("met")), "void of"),
    ("merge", lambda eng: eng.merge("anna", "dee"), "merge of"),
    ("unmerge", lambda eng: eng.void("m-1"), "unmerge of m-1"),
    ("unmerge", lambda eng: eng.merge("bo", "dee"), "merge of"),
    ("split", lambda eng: eng.record(game(9, "eve", "ann", uid="new")), "game of new"),
    ("split", lambda eng: eng.amend("g-4", {"b": "ann"}), "amend of g-4"),
    ("split", lambda eng: eng.void("g-1"), "void of g-1"),
    ("rename", lambda eng: eng.rename("ann", "Ann Lea"), "player of"),
    ("void of many", lambda eng: eng.void("g-2"), "void of g-2"),
]

MEETING = SessionPlayed(
    uid="met", pool=POOL, played=9 * DAY, sides=[Side(("ann",), 1.0), Side(("cy", "anna"), 2.0), Side(("x",), 0.0)]
)

UNTOUCHED: list[Callable[[Engine], object]] = [
    lambda eng: eng.record(game(9, "cy", "dee"), game(9, "new", "newer")),
    lambda eng: eng.record(session(9, ("x", 1.0), ("w", 2.0))),
    lambda eng: eng.amend("g-4", {"score": 0.5}),
    lambda eng: eng.void("s-1"),
    lambda eng: eng.merge("x", "newcomer") if eng.record(game(9, "newcomer", "other")) else None,
    lambda eng: eng.rename("cy", "Cy Hart"),
    lambda eng: eng.declare("other", fits="elo"),
    lambda eng: eng.publish(eng.rating_list(POOL, "elo"), "first"),
]


@pytest.mark.parametrize(("plan", "meanwhile", "words"), TOUCHED)
def test_what_changes_something_that_a_plan_rests_on_refuses_it(
    plan: str, meanwhile: Callable[[Engine], object], words: str
) -> None:
    eng = league()
    made = PLANS[plan](eng)
    meanwhile(eng)
    head = eng.log.head
    with pytest.raises(PlanOutdated, match=words) as refused:
        eng.apply(made)
    assert refused.value.since == made.head.position
    assert made.head.position < refused.value.position <= head.position
    assert eng.log.head == head, "nothing was recorded"


@pytest.mark.parametrize("plan", PLANS)
def test_what_is_about_something_else_leaves_a_plan_as_it_is(plan: str) -> None:
    for meanwhile in UNTOUCHED:
        late, at_once = league(), league()
        made = PLANS[plan](late)
        meanwhile(late)
        assert late.apply(made).accepted == len(made)
        at_once.apply(PLANS[plan](at_once))
        meanwhile(at_once)
        assert ratings(late) == ratings(at_once)


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_is_the_same_through_json_and_supposes_what_it_does(plan: str) -> None:
    eng = league()
    made = PLANS[plan](eng)
    again = Plan.from_json(json.loads(json.dumps(made.as_json())))
    assert again == made
    supposed = ratings(eng.what_if(made))
    head = eng.log.head.position
    receipt = eng.apply(again)
    assert receipt.uids == tuple(event.uid for event in made)
    assert [event for _, event in eng.events(head)] == list(made.events)
    assert ratings(eng) == supposed
    assert eng.apply(again).accepted == 0, "applied once more it repeats nothing"


def test_a_plan_of_results_is_what_record_does() -> None:
    eng = league()
    results = game(9, "ann", "eve", uid="n-1"), session(9, ("x", 1.0), ("y", 2.0), uid="n-2")
    plan = eng.plan.record(*results, source="api")
    assert Plan.from_json(json.loads(json.dumps(plan.as_json()))) == plan
    assert eng.apply(plan).uids == ("n-1", "n-2")
    assert eng.apply(plan).duplicates == 2


def test_a_plan_runs_the_checks_of_an_append() -> None:
    eng = league()
    eng.publish(eng.rating_list(POOL, "elo"), "first")
    with pytest.raises(BadCorrection):
        eng.plan.void(eng.log.uid(eng.log.head.position))
    with pytest.raises(UnknownUid):
        eng.plan.void("nothing")
    eng.declare("strict", fits="elo-margin")
    with pytest.raises(DoesNotFit):
        eng.plan.amend("g-1", {"pool": "strict"})


def test_an_erasure_refuses_a_plan_since_it_may_hold_the_name() -> None:
    eng = league()
    plan = eng.plan.amend("g-2", {"b": "fay"})
    eng.erase("eve")
    with pytest.raises(PlanOutdated, match="a name was erased"):
        eng.apply(plan)


def test_a_plan_of_another_log_is_refused() -> None:
    plan = league().plan.void("g-1")
    other = engine(game(1, "ann", "bo", uid="g-1"), *(game(2, "a", "b") for _ in range(20)))
    with pytest.raises(HeadMoved):
        other.apply(plan)


def test_a_plan_of_which_another_took_a_uid_is_refused_whole() -> None:
    eng = league()
    plan = eng.plan.void_all(eng.plan.chosen(positions=[(1, 2)]).rows, own_uid="c")
    eng.record(ResultVoided(uid="c-2", of="s-1"))
    with pytest.raises(PlanOutdated, match="void of c-2"):
        eng.apply(plan)


def test_a_day_of_a_hundred_plans_and_others_between_them() -> None:
    """Ten officers decide in turn; each decision is applied late, or refused because of one about the same event."""
    eng = engine(*(game(n % 7, f"p{n % 11}", f"q{n % 13}", uid=f"g-{n}") for n in range(40)))
    waiting: list[tuple[str, Plan]] = []
    done: dict[str, int] = {}
    for n in range(100):
        uid = f"g-{n * 17 % 40}"
        waiting.append((uid, eng.plan.amend(uid, {"score": (n % 3) / 2, "round": n})))
        eng.record(GamePlayed(pool=POOL, played=8 * DAY, a=f"n{n}", b="p1", score=0.5))
        if len(waiting) > 9:
            about, plan = waiting.pop(0)
            meanwhile = done.get(about, 0)
            if meanwhile > plan.head.position:
                with pytest.raises(PlanOutdated):
                    eng.apply(plan)
            else:
                done[about] = eng.apply(plan).head.position
    assert len(done) > 20


def test_two_merges_of_one_player_are_not_both_applied() -> None:
    eng = league()
    one, two = eng.plan.merge("ann", "anna"), eng.plan.merge("eve", "anna")
    eng.apply(one)
    with pytest.raises(PlanOutdated, match="merge of"):
        eng.apply(two)
    merges = [event for _, event in eng.events(kinds=["merge"])]
    assert [(event.keep, event.other) for event in merges if isinstance(event, PlayersMerged)] == [
        ("bo", "bob"), ("ann", "anna"),
    ]  # fmt: skip


def some_json() -> dict[str, Any]:
    return league().plan.void("g-1").as_json()


@pytest.mark.parametrize("missing", ["verb", "seen", "events", "concerns", "source"])
def test_what_is_no_plan_is_refused_by_name(missing: str) -> None:
    given = some_json()
    del given[missing]
    with pytest.raises(ValueError, match="plan"):
        Plan.from_json(given)


def test_undoing_again_changes_nothing_and_what_was_published_stays() -> None:
    eng = league()
    before = ratings(eng)
    receipt = eng.record(game(9, "ann", "eve", uid="n-1"), game(9, "cy", "dee", uid="n-2"))
    undone = eng.apply(eng.plan.undo(receipt, why="another club", by="secretary", own_uid="u"))
    assert undone.uids == ("u", "u-2")
    assert [event.of for _, event in eng.events(receipt.head.position, ["void"])] == ["n-2", "n-1"]  # type: ignore[union-attr]  # voids
    assert ratings(eng) == before
    assert not eng.plan.undo(receipt).events
    assert not eng.plan.undo(receipt, own_uid="u").events
    assert eng.apply(eng.plan.undo(undone)).accepted == 2, "what was undone comes back"
    head = eng.log.head.position
    eng.publish(eng.rating_list(POOL, "elo"), "first")
    published = Receipt(eng.log.head, eng.log.head.position - head, 0)
    with pytest.raises(BadCorrection, match=r"cannot undo .*: it is a published list"):
        eng.plan.undo(published)
    with pytest.raises(HeadMoved):
        league().plan.undo(published)


def test_undoing_a_declaration_declares_what_held_before() -> None:
    eng = league()
    eng.declare(POOL, method="elo:k=24", starting="2024-03-01")
    eng.declare(POOL, method="elo:k=30", starting="2025-01-01", digits=0)
    asked = [one.question for one in questions(eng.log, POOL) if one.method]
    for change in (
        {"method": "elo:k=40"}, {"method": ""}, {"zone": "Europe/Prague"}, {"fits": "elo"}, {"digits": 2},
        {"method": "elo:k=16", "starting": "2024-06-01"},
    ):  # fmt: skip
        was = eng.core.declared(POOL)
        eng.apply(eng.plan.undo(eng.declare(POOL, **change)))  # type: ignore[arg-type]  # as declared
        assert [one.question for one in questions(eng.log, POOL) if one.method] == asked, change
        now = eng.core.declared(POOL)
        assert was is not None
        assert now is not None
        assert (now.fits, now.zone, now.question) == (was.fits, was.zone, was.question)
