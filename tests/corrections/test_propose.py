"""Corrections proposed as events: from a log and its views, with nothing appended."""

from collections.abc import Callable

import pytest

from ratingcore.corrections.propose import Propose
from ratingcore.engine.plans import Plans
from ratingcore.errors import BadCorrection, UnknownUid
from ratingcore.log.overlay import supposed_in
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
    assert supposed_in(eng.what_if(plan).log) == len(plan)
    eng.apply(plan)
    assert [event for _, event in eng.events(head.position)] == list(plan)
    if correction != "unmerge":
        assert PROPOSALS[correction](eng.plan).events == plan.events, "planned again under its uid, it is the same"


def test_proposals_need_a_log_and_its_views_only() -> None:
    eng = engine(game(1, "ann", "bo", uid="g-1"))
    propose = Propose(eng.log, eng.core.view)
    with pytest.raises(BadCorrection, match=f"ann and bo have met in pool {POOL}"):
        propose.merge("ann", "bo")
    with pytest.raises(UnknownUid):
        propose.amend("g-9", {"score": 0.5})
    with pytest.raises(BadCorrection, match="it is a game"):
        propose.unmerge("g-1")
    with pytest.raises(BadCorrection, match="it counts already"):
        propose.revive("g-1")


def test_a_rename_is_proposed_until_the_player_is_called_so() -> None:
    eng = engine(game(1, "ann", "bo"))
    plan = eng.plan.rename("ann", "Ann Lee", own_uid="c")
    assert eng.apply(plan).accepted == 1
    assert eng.plan.rename("ann", "Ann Lee").events == ()
    assert eng.apply(eng.plan.rename("ann", "Ann Lee", own_uid="c")).duplicates == 1
