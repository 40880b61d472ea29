"""Corrections proposed as events: from a log and its views, with nothing appended."""

from collections.abc import Callable
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.corrections.propose import Propose
from ratingcore.engine.plans import Plans
from ratingcore.errors import BadCorrection, UnknownUid
from ratingcore.plans import Plan
from tests.columns.making import POOL, engine, game

PROPOSALS: dict[str, Callable[[Plans], Plan]] = {
    "void": lambda plan: plan.void("g-1", own_uid="c"),
    "amend": lambda plan: plan.amend("g-1", {"score": 0.5}, own_uid="c"),
    "merge": lambda plan: plan.merge("ann", "anna", own_uid="c"),
    "revive": lambda plan: plan.revive("g-2", own_uid="c"),
    "split": lambda plan: plan.split("ann", "amy", 0, own_uid="c"),
    "unmerge": lambda plan: plan.unmerge("m", own_uid="c"),
}


@pytest.mark.parametrize("correction", PROPOSALS)
def test_a_proposal_appends_nothing_and_is_what_the_engine_appends(correction: str) -> None:
    eng = engine(game(1, "ann", "bo", uid="g-1"), game(2, "anna", "cy", uid="g-2"), game(3, "dee", "eve"))
    eng.void("g-2")
    eng.merge("dee", "cy", own_uid="m")
    head = eng.log.head
    plan = PROPOSALS[correction](eng.plan)
    assert eng.log.head == head
    assert plan.events[0].uid == "c"
    assert eng.what_if(plan).log.supposed == len(plan)
    eng.apply(plan)
    assert [event for _, event in eng.events(head.position)] == list(plan)
    if correction != "unmerge":
        assert PROPOSALS[correction](eng.plan).events == plan.events, "planned again under its uid, it is the same"


def test_proposals_need_a_log_and_its_views_only() -> None:
    eng = engine(game(1, "ann", "bo", uid="g-1"))
    propose = Propose(eng.log, eng.core.view)
    assert propose.split("ann", "amy", 0)[0].of == "g-1"  # type: ignore[attr-defined]  # an amendment
    with pytest.raises(BadCorrection, match=f"ann and bo have met in pool {POOL}"):
        propose.merge("ann", "bo")
    with pytest.raises(UnknownUid):
        propose.amend("g-9", {"score": 0.5})
    with pytest.raises(BadCorrection, match="it is a game"):
        propose.unmerge("g-1")
    with pytest.raises(BadCorrection, match="nothing that stands"):
        propose.revive("g-1")


def test_a_rename_is_proposed_until_the_player_is_called_so() -> None:
    eng = engine(game(1, "ann", "bo"))
    plan = eng.plan.rename("ann", "Ann Lee", own_uid="c")
    assert eng.apply(plan).accepted == 1
    assert eng.plan.rename("ann", "Ann Lee").events == ()
    assert eng.apply(eng.plan.rename("ann", "Ann Lee", own_uid="c")).duplicates == 1


def chosen(plans: Plans, **asked: Any) -> list[int]:
    return [row.position for row in plans.chosen(**asked).rows]


def test_events_are_chosen_by_spans_ends_included_each_once() -> None:
    eng = engine(*(game(day, "ann", "bo", uid=f"g-{day}") for day in range(1, 6)))
    assert chosen(eng.plan, positions=[(1, 3), (2, 4)]) == [1, 2, 3, 4]
    assert chosen(eng.plan, positions=[(3, 5), (1, 3), (3, 3)]) == [1, 2, 3, 4, 5]
    assert chosen(eng.plan, positions=[(5, 5)]) == [5]
    for wrong in ((0, 2), (3, 2), (4, 6), (6, 6)):
        with pytest.raises(BadCorrection, match="the positions of the log are 1 to 5"):
            eng.plan.chosen(positions=[wrong])


def test_a_batch_of_one_event_is_chosen_by_its_source_within_spans() -> None:
    eng = engine()
    for day, source in ((1, "march"), (2, "april"), (3, "march")):
        eng.record(game(day, "ann", "bo", uid=f"g-{day}"), source=source)
    assert chosen(eng.plan, source="march") == [1, 3]
    assert chosen(eng.plan, source="march", positions=[(1, 1)]) == [1]
    assert chosen(eng.plan, source="march", positions=[(2, 3)]) == [3]
    assert chosen(eng.plan, source="a*", positions=[(1, 3)]) == [2]
    assert chosen(eng.plan, source="april", positions=[(3, 3)]) == []


def test_a_correction_is_chosen_with_the_pool_of_what_it_corrects() -> None:
    eng = engine(game(1, "ann", "bo", uid="g-1"), game(1, "ann", "bo", uid="g-2", pool="other"))
    eng.void("g-1")  # 3
    eng.void("g-2")  # 4
    eng.revive("g-2")  # 5, a void of the void
    assert chosen(eng.plan, pool=POOL) == [3]
    assert chosen(eng.plan, pool="other") == [2, 5]
    assert (eng.plan.chosen(pool=POOL).void, eng.plan.chosen(pool="other").void) == (1, 1)


def test_a_session_is_not_revived_once_two_of_its_players_are_one() -> None:
    eng = rc.open(":memory:")
    sides = [rc.Side(["ann", "bo"], 1.0), rc.Side(["anna", "cy"], 0.0)]
    eng.record(rc.SessionPlayed(uid="s-1", pool=POOL, played="2024-03-02", sides=sides))
    eng.void("s-1")
    eng.merge("ann", "anna")
    with pytest.raises(BadCorrection, match="ann and anna count as one player"):
        eng.plan.revive("s-1")
