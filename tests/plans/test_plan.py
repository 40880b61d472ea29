"""Plans: refused if something that they rest on has changed, and applied as at once if anything else has."""

import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import BadCorrection, BadValue, DoesNotFit, HeadMoved, OnlySupposed, PlanOutdated, UnknownUid
from ratingcore.events import (
    DAY,
    GamePlayed,
    PlayerDescribed,
    PlayersMerged,
    RatingSeeded,
    ResultAmended,
    ResultVoided,
    SessionPlayed,
    Side,
)
from ratingcore.log import Receipt
from ratingcore.log.lookup import uid_at
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
    eng.record(game(6, "ulf", "vic", uid="r-1"), source="round-1.csv")
    for keep, other, number in (("dee", "deedee", 2), ("anna", "hannah", 3)):
        eng.record(game(6, other, "zoe"))
        eng.merge(keep, other, own_uid=f"m-{number}")
    eng.record(game(6, "wim", "zoe"))
    eng.merge("ulf", "wim", own_uid="m-4")
    eng.void("m-4", own_uid="u-4")
    eng.rename("ann", "Ann L", own_uid="d-1")
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
    "split into a new name": lambda eng: eng.plan.split("ann", "amy", games=["g-1"], own_uid="c"),
    "rename": lambda eng: eng.plan.rename("ann", "Ann Lee", own_uid="c"),
    "unmerge of a merge that was taken back": lambda eng: eng.plan.void("u-4", own_uid="c"),
    "declaration": lambda eng: eng.plan.declare(POOL, zone="Europe/Paris", own_uid="c"),
    "publication": lambda eng: eng.plan.publish(eng.rating_list(POOL, "elo"), "march"),
    "void of a source": lambda eng: eng.plan.void_all(eng.plan.chosen("round-*.csv"), own_uid="c"),
    "record of an amendment": lambda eng: eng.plan.record(ResultAmended(uid="c", of="g-2", changes={"score": 0.0})),
    "record of a merge": lambda eng: eng.plan.record(PlayersMerged(uid="c", keep="cy", other="eve")),
    "void of many": lambda eng: eng.plan.void_all(eng.plan.chosen(positions=[(1, 2)]).rows, own_uid="c"),
    "description of a new player": lambda eng: eng.plan.record(described("amy", uid="c", called="Amy")),
}

TOUCHED: list[tuple[str, Callable[[Engine], object], str]] = [
    ("void of a game", lambda eng: eng.void("g-1"), "void of g-1"),
    ("void of a game", lambda eng: eng.amend("g-1", {"score": 0.5}), "amendment of g-1"),
    ("void of a void", lambda eng: eng.void("v-3"), "void of v-3"),
    ("void of a void", lambda eng: eng.amend("g-3", {"score": 0.5}), "amendment of g-3"),
    ("void of a void", lambda eng: eng.merge("dee", "eve"), "merge of"),
    ("void of an amendment", lambda eng: eng.void("a-2"), "void of a-2"),
    ("void of an amendment", lambda eng: eng.void("g-2"), "void of g-2"),
    ("revival", lambda eng: eng.revive("g-3"), "void of v-3"),
    ("revival", lambda eng: eng.merge("ann", "eve"), "merge of"),
    ("revival", lambda eng: eng.declare(POOL, fits="elo"), "pool of"),
    ("amendment of a score", lambda eng: eng.amend("g-2", {"round": 3}), "amendment of g-2"),
    ("amendment of a seat", lambda eng: eng.merge("anna", "eve"), "merge of"),
    ("amendment of a seat", lambda eng: (eng.record(game(9, "fay", "gus")), eng.merge("anna", "fay")), "merge of"),
    ("amendment of a seat", lambda eng: eng.declare(POOL, fits="elo"), "pool of"),
    ("merge", lambda eng: eng.record(game(9, "ann", "anna", uid="met")), "game of met"),
    ("merge", lambda eng: eng.record(MEETING), "session of met"),
    ("merge", lambda eng: eng.amend("g-2", {"b": "ann"}), "amendment of g-2"),
    ("merge", lambda eng: (eng.record(MEETING), eng.void("met"), eng.revive("met")), "void of"),
    ("merge", lambda eng: eng.merge("anna", "dee"), "merge of"),
    ("unmerge", lambda eng: eng.void("m-1"), "unmerge of m-1"),
    ("unmerge", lambda eng: eng.merge("bo", "dee"), "merge of"),
    ("split", lambda eng: eng.record(game(9, "eve", "ann", uid="new")), "game of new"),
    ("split", lambda eng: eng.amend("g-4", {"b": "ann"}), "amendment of g-4"),
    ("split", lambda eng: eng.void("g-1"), "void of g-1"),
    ("rename", lambda eng: eng.rename("ann", "Ann Lea"), "player of"),
    ("void of many", lambda eng: eng.void("g-2"), "void of g-2"),
    # a void of a void, at any depth, is about the event at the end of the chain
    ("void of a game", lambda eng: (eng.void("g-1", own_uid="v"), eng.void("v")), "void of g-1"),
    ("void of a void", lambda eng: (eng.void("v-3", own_uid="v"), eng.void("v")), "void of v-3"),
    ("void of a void", lambda eng: eng.declare(POOL, fits="elo"), "pool of"),
    ("void of an amendment", lambda eng: eng.merge("anna", "eve"), "merge of"),
    ("void of an amendment", lambda eng: eng.declare(POOL, fits="elo"), "pool of"),
    ("revival", lambda eng: eng.void("m-2"), "unmerge of m-2"),
    ("revival", lambda eng: eng.amend("g-3", {"b": "eve"}), "amendment of g-3"),
    ("amendment of a score", lambda eng: eng.void("a-2"), "void of a-2"),
    ("amendment of a score", lambda eng: eng.void("g-2"), "void of g-2"),
    ("amendment of a score", lambda eng: eng.declare(POOL, fits="elo"), "pool of"),
    ("amendment of a seat", lambda eng: eng.void("g-2"), "void of g-2"),
    # either group of a merge, as it was or would be
    ("merge", lambda eng: (eng.merge("cy", "eve"), eng.merge("ann", "cy")), "merge of"),
    ("merge", lambda eng: eng.void("m-3"), "unmerge of m-3"),
    ("merge", lambda eng: eng.amend("s-1", {"sides": MEETING.sides}), "amendment of s-1"),
    (
        "merge",
        lambda eng: (eng.amend("g-1", {"b": "anna"}), eng.amend("g-1", {"b": "bo"}), eng.amend("g-1", {"b": "anna"})),
        "amendment of g-1",
    ),
    ("unmerge", lambda eng: (eng.merge("vic", "cy"), eng.merge("bo", "vic")), "merge of"),
    ("unmerge of a merge that was taken back", lambda eng: eng.record(game(9, "ulf", "wim", uid="met")), "game of met"),
    ("unmerge of a merge that was taken back", lambda eng: eng.merge("wim", "cy"), "merge of"),
    ("split", lambda eng: eng.revive("g-3"), "void of v-3"),
    ("split", lambda eng: eng.amend("g-1", {"score": 0.0}), "amendment of g-1"),
    ("split", lambda eng: eng.record(SEED), "seed of seed"),
    ("split", lambda eng: eng.merge("ann", "eve"), "merge of"),
    ("rename", lambda eng: eng.void("d-1"), "void of d-1"),
    ("rename", lambda eng: (eng.rename("ann", "Ann Lea", own_uid="n-2"), eng.void("n-2")), "player of n-2"),
    # a name that was nobody's when a split chose it
    ("split", lambda eng: eng.record(game(9, "amy", "eve", uid="new")), "game of new"),
    (
        "split into a new name",
        lambda eng: eng.record(game(9, "x", "y"), game(9, "amy", "eve", uid="new")),
        "game of new",
    ),
    ("split into a new name", lambda eng: eng.record(described("amy", uid="new")), "player of new"),
    ("split into a new name", lambda eng: eng.amend("g-4", {"b": "amy"}), "amendment of g-4"),
    (
        "split into a new name",
        lambda eng: eng.record(evolve(MEETING, sides=[Side(("amy",), 1.0), Side(("x",), 0.0)])),
        "session of met",
    ),
    # what describes a player, or comes to describe them
    ("split", lambda eng: eng.record(described("ann", uid="new", at=9)), "player of new"),
    ("description of a new player", lambda eng: eng.record(described("amy", uid="new")), "player of new"),
    ("rename", lambda eng: eng.merge("ann", "eve"), "merge of"),
    (
        "rename",
        lambda eng: (eng.record(described("eve", uid="d")), eng.amend("d", {"player": "ann"})),
        "amendment of d",
    ),
    ("declaration", lambda eng: eng.declare(POOL, zone="Asia/Tokyo"), "pool of"),
    ("publication", lambda eng: eng.publish(eng.rating_list(POOL, "elo:k=9"), "march"), "list of march"),
    ("void of a source", lambda eng: eng.record(MORE, source="round-2.csv"), "game of more"),
    ("void of a source", lambda eng: eng.void("r-1"), "void of r-1"),
    ("record of an amendment", lambda eng: eng.void("g-2"), "void of g-2"),
    ("record of a merge", lambda eng: eng.merge("cy", "dee"), "merge of"),
]

MEETING = SessionPlayed(
    uid="met", pool=POOL, played=9 * DAY, sides=[Side(("ann",), 1.0), Side(("cy", "anna"), 2.0), Side(("x",), 0.0)]
)


def described(player: str, uid: str, at: int = 0, **said: Any) -> PlayerDescribed:
    return PlayerDescribed(uid=uid, pool=POOL, player=player, played=at * DAY, data={"born": 1990}, **said)


SEED = RatingSeeded(uid="seed", pool=POOL, player="ann", played=9 * DAY, values={"rating": 1600.0})
MORE = game(9, "new", "newer", uid="more")
UNTOUCHED: list[Callable[[Engine], object]] = [
    lambda eng: eng.record(game(9, "cy", "dee"), game(9, "new", "newer")),
    lambda eng: eng.record(session(9, ("x", 1.0), ("w", 2.0))),
    lambda eng: eng.amend("g-4", {"score": 0.5}),
    lambda eng: eng.void("s-1"),
    lambda eng: eng.merge("x", "newcomer") if eng.record(game(9, "newcomer", "other")) else None,
    lambda eng: eng.rename("cy", "Cy Hart"),
    lambda eng: eng.record(game(9, "fay", "gus"), described("fay", uid="fay", called="Fay")),
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
    """All that happens meanwhile, together: a plan that one of them touched would be refused."""
    late, at_once = league(), league()
    made = PLANS[plan](late)
    for meanwhile in UNTOUCHED:
        meanwhile(late)
    assert late.apply(made).accepted == len(made)
    at_once.apply(PLANS[plan](at_once))
    for meanwhile in UNTOUCHED:
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
        eng.plan.void(uid_at(eng.log, eng.log.head.position))
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


def test_a_split_decided_before_its_name_was_somebody_is_refused_wherever_it_is_planned() -> None:
    """Over HTTP a plan is made when it is recorded, and names the head at which it was decided."""
    eng = league()
    decided = eng.log.head
    eng.record(game(9, "amy", "eve", uid="new"))
    plan = eng.plan.split("ann", "amy", games=["g-1"])
    with pytest.raises(PlanOutdated, match="game of new"):
        eng.apply(plan.decided_at(decided))
    assert eng.apply(plan).accepted == 1, "decided since then, it is of somebody known"


def test_two_merges_of_one_player_are_not_both_applied() -> None:
    eng = league()
    one, two = eng.plan.merge("ann", "anna"), eng.plan.merge("eve", "anna")
    eng.apply(one)
    with pytest.raises(PlanOutdated, match="merge of"):
        eng.apply(two)
    ((_, merge),) = eng.events(one.head.position, ["merge"])
    assert (eng.log.head.position, merge.keep, merge.other) == (one.head.position + 1, "ann", "anna")  # type: ignore[union-attr]  # a merge


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


def test_an_import_is_undone_from_its_report_and_an_erasure_by_nothing() -> None:
    eng = league()
    before = ratings(eng)
    report = eng.import_file(ROWS, POOL)
    eng.record(game(9, "x", "y", pool="other"))
    assert eng.apply(eng.plan.undo(report)).accepted == 2
    assert ratings(eng) == before
    with pytest.raises(BadCorrection, match=r"cannot undo \(erased \d+\): what was erased is gone"):
        eng.plan.undo(eng.erase("cy"))


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


ROWS = [
    {"played": "2024-03-02", "a": "ann", "b": "cy", "score": "1-0"},
    {"played": "2024-03-03", "a": "cy", "b": "bo", "score": "0"},
]


def test_a_plan_of_a_file_is_applied_beside_others_and_once(tmp_path: Path) -> None:
    eng = league()
    plan = eng.plan.import_file(ROWS, POOL)
    supposed = ratings(eng.what_if(plan))
    eng.record(game(9, "new", "newer", pool="other"))
    assert eng.apply(plan).accepted == 2
    assert ratings(eng) == supposed
    assert eng.apply(plan).accepted == 0, "applied once more it repeats nothing"
    file = io.BytesIO(b"played,a,b,score\n2024-04-02,ann,bo,1-0\n")
    again = eng.plan.import_file(file, POOL)
    assert eng.apply(again).accepted == 1, "an open file is read from where it was read"


FILE_MEANWHILE: dict[str, Callable[[Engine, Path], object]] = {
    "another winner in the file": lambda eng, file: file.write_text(file.read_text().replace("1-0", "0-1")),
    "another player in the file": lambda eng, file: file.write_text(file.read_text().replace("ann", "zed")),
    "another zone": lambda eng, file: eng.declare(POOL, zone="America/New_York"),
    "an erased name": lambda eng, file: eng.erase("cy"),
}


@pytest.mark.parametrize("meanwhile", FILE_MEANWHILE)
def test_a_plan_of_a_file_is_refused_if_the_log_would_get_something_else(tmp_path: Path, meanwhile: str) -> None:
    eng, file = league(), tmp_path / "games.csv"
    eng.declare(POOL, zone="Europe/Paris")
    file.write_text("played,a,b,score\n2024-03-02T20:00:00,ann,cy,1-0\n")
    plan = eng.plan.import_file(file, POOL)
    FILE_MEANWHILE[meanwhile](eng, file)
    head = eng.log.head
    with pytest.raises(PlanOutdated):
        eng.apply(plan)
    assert eng.log.head == head


OF_THE_FILE: list[tuple[Callable[[Engine, str], object], str]] = [
    (lambda eng, uid: eng.void(uid, by="arbiter"), "position 20 is a void of .* by arbiter"),
    (lambda eng, uid: eng.record(game(9, "ann", "cy", uid="new-1")), "position 20 is a game of new-1 the same"),
    (lambda eng, uid: eng.record(game(1, "gus", "hal", uid="new-1")), "position 20 is a game of new-1"),
]
"""What is decided about events that rows of a file are, and who refuses its plan then."""


@pytest.mark.parametrize(("meanwhile", "words"), OF_THE_FILE)
def test_a_plan_of_a_file_names_what_was_decided_about_an_event_of_a_row(
    meanwhile: Callable[[Engine, str], object], words: str
) -> None:
    eng = league()
    eng.import_file(ROWS[:1], POOL)
    uid = uid_at(eng.log, eng.log.head.position)
    new = {"id": "new-1", "played": "1970-01-10", "a": "ann", "b": "cy", "score": "1-0"}
    plans = [eng.plan.import_file([{**ROWS[0], "id": ""}, new, *more], POOL) for more in ([], [{**new, "id": "new-2"}])]
    assert plans[1].rows.counts() == {"taken": 2, "known": 1}
    meanwhile(eng, uid)
    eng.record(game(9, "other", "another"))
    head = eng.log.head
    for plan in plans[words.endswith("same") :]:
        with pytest.raises(PlanOutdated, match=words.removesuffix(" the same")):
            eng.apply(plan)
    assert eng.log.head == head


KNOWN: list[tuple[Callable[[Engine, str], object], str]] = [
    (lambda eng, uid: eng.void(uid, own_uid="v"), "void of"),
    (lambda eng, uid: eng.amend(uid, {"score": 0.5}), "amendment of"),
    (lambda eng, uid: eng.amend(uid, {"a": "dee"}), "amendment of"),
    (lambda eng, uid: (eng.amend(uid, {"round": 3}, own_uid="c"), eng.void("c")), "amendment of"),
    (lambda eng, uid: (eng.void(uid, own_uid="v"), eng.void("v", own_uid="w"), eng.void("w")), "void of"),
    (lambda eng, uid: eng.revive("g-3"), "void of v-3"),
    (lambda eng, uid: eng.amend("g-3", {"score": 0.5}), "amendment of g-3"),
    (lambda eng, uid: eng.declare(POOL, zone="Asia/Tokyo"), "pool of"),
    (lambda eng, uid: eng.declare(POOL, fits="elo-margin"), "pool of"),
    (lambda eng, uid: eng.declare(POOL, method="elo:k=40"), "pool of"),
]
"""What is decided about the events that the rows of a file are, and what refuses a plan that brings nothing of it."""


@pytest.mark.parametrize(("meanwhile", "words"), KNOWN)
@pytest.mark.parametrize("asked", [{}, {"amend": True}, {"reissue": True, "name": "games.csv"}])
def test_a_plan_of_a_file_rests_on_the_events_that_its_rows_are(
    tmp_path: Path, meanwhile: Callable[[Engine, str], object], words: str, asked: dict[str, Any]
) -> None:
    """A file of which every row was known was applied whatever others had decided about them."""
    eng, file = league(), tmp_path / "games.csv"
    file.write_text("played,a,b,score,id\n2024-03-03,cy,bo,0,\n1970-01-04,ann,dee,1,g-3\n")
    eng.import_file(file, POOL)
    uid = next(row.uid for row in eng.log.rows(0, None, ("game",)) if (row.played or 0) > 100 * DAY)
    plan = eng.plan.import_file(file, POOL, **asked)
    kept = eng.plan.from_json(json.loads(json.dumps(plan.as_json())))
    assert not list(plan.events)
    assert eng.apply(plan).rows == plan.rows
    eng.record(game(9, "new", "newer"), source="games.csv")
    meanwhile(eng, uid)
    head = eng.log.head
    for one in (plan, kept):
        with pytest.raises(PlanOutdated, match=words) as refused:
            eng.apply(one)
        assert plan.basis.head.position < refused.value.position <= head.position
    assert eng.log.head == head
    assert eng.apply(eng.plan.import_file(file, POOL, **asked)) is not None, "whoever knows of them may"


def test_a_file_that_amends_does_not_override_what_was_decided_meanwhile() -> None:
    eng = league()
    eng.import_file(ROWS, POOL)
    uid = uid_at(eng.log, eng.log.head.position)
    plan = eng.plan.import_file([{**ROWS[1], "score": "1/2"}], POOL, amend=True)
    assert [event.kind for event in plan.events] == ["amend"]
    eng.amend(uid, {"score": 1.0}, by="arbiter")
    with pytest.raises(PlanOutdated, match=r"an amendment of .* by arbiter"):
        eng.apply(plan)


def test_what_is_shown_of_a_plan_of_a_file_takes_nothing_more() -> None:
    eng = league()
    plan = eng.plan.import_file(ROWS, POOL)
    shown = eng.what_if(plan)
    with pytest.raises(OnlySupposed):
        shown.record(game(9, "a", "b"))
    assert shown.import_file([{**ROWS[0], "played": "2024-09-09"}], POOL, dry_run=True).accepted == 1
    assert shown.plan.import_file([{**ROWS[0], "played": "2024-09-09"}], POOL).report.accepted == 1
    assert len(list(plan.events)) == 2
    supposed = eng.what_if([game(9, "a", "b")])
    assert supposed.import_file([{**ROWS[0], "played": "2024-09-09"}], POOL, dry_run=True).accepted == 1


@pytest.mark.parametrize(
    ("plan", "meanwhile"),
    [
        (lambda eng: eng.plan.rename("ann", "Ann Lee"), lambda eng: eng.rename("ann", "Anna Other")),
        (lambda eng: eng.plan.declare(POOL, zone="Europe/Paris"), lambda eng: eng.declare(POOL, zone="Asia/Tokyo")),
    ],
)
def test_a_plan_of_nothing_is_refused_once_the_log_says_otherwise(
    plan: Callable[[Engine], Plan], meanwhile: Callable[[Engine], object]
) -> None:
    eng = league()
    eng.rename("ann", "Ann Lee")
    eng.declare(POOL, zone="Europe/Paris")
    made = plan(eng)
    assert not made.events
    assert eng.apply(made).accepted == 0
    meanwhile(eng)
    with pytest.raises(PlanOutdated):
        eng.apply(made)


@pytest.mark.parametrize("seen", ["", [[1]], ["1:0123456789ab", "x", 0]])
def test_a_state_that_is_none_is_refused_by_name(seen: Any) -> None:
    with pytest.raises(BadValue, match="plan"):
        Plan.from_json({**some_json(), "seen": seen})


def test_a_void_of_a_source_and_others_in_one_request_rest_on_all_their_sources() -> None:
    eng = league()
    eng.record(game(6, "ulf", "zoe", pool="cup"), source="cup.csv")
    one = eng.plan.void_all(eng.plan.chosen("round-*.csv", pool=POOL))
    whole = one.then(eng.what_if(one).plan.void_all(eng.what_if(one).plan.chosen("cup.csv")))
    eng.record(game(9, "new", "newer", pool="cup"), source="round-2.csv")  # of another pool
    receipt = eng.apply(whole)
    assert receipt.accepted == 2
    eng.apply(eng.plan.undo(receipt))
    again = eng.plan.void_all(eng.plan.chosen("round-1.csv"))
    again = again.then(eng.what_if(again).plan.void_all(eng.what_if(again).plan.chosen("cup.csv")))
    eng.record(game(9, "new", "newer", pool="cup", uid="late"), source="cup.csv")
    with pytest.raises(PlanOutdated, match="game of late"):
        eng.apply(again)


def test_a_declaration_is_refused_once_there_are_results_that_it_would_not_take() -> None:
    eng = league()
    plans = [eng.plan.declare(pool, fits="elo") for pool in (POOL, "other")]
    eng.record(session(9, ("x", 1.0), ("w", 2.0), ("v", 0.0), uid="odd"))
    eng.record(game(9, "ann", "w", pool="other"))
    eng.apply(plans[1])
    with pytest.raises(PlanOutdated, match="session of odd"):
        eng.apply(plans[0])
    assert eng.apply(eng.plan.declare(POOL, fits="elo")).accepted == 1, "whoever knows of them may"


def test_what_can_be_read_only_once_is_refused_when_it_is_planned() -> None:
    eng = league()
    reading, writing = os.pipe()
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        for once in (pipe, iter(ROWS), (row for row in ROWS), "-", [io.BytesIO(b""), pipe]):
            with pytest.raises(BadValue, match="can be read only once"):
                eng.plan.import_file(once, POOL)
    files = [io.BytesIO(b"played,a,b,score\n2024-04-0%d,ann,bo,1-0\n" % day) for day in (2, 3)]
    plan = eng.plan.import_file(files, POOL)
    assert (plan.report.accepted, eng.apply(plan).accepted) == (2, 2)
