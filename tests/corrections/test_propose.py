"""Corrections proposed as events: from a log and its views, with nothing appended."""

from collections.abc import Callable, Sequence

import pytest

from ratingcore.corrections.propose import Propose
from ratingcore.errors import BadCorrection, UnknownUid
from ratingcore.events import Event
from tests.columns.making import POOL, engine, game

PROPOSALS: dict[str, Callable[[Propose], Sequence[Event]]] = {
    "void": lambda propose: propose.void("g-1", own_uid="c"),
    "amend": lambda propose: propose.amend("g-1", {"score": 0.5}, own_uid="c"),
    "merge": lambda propose: propose.merge("ann", "anna", own_uid="c"),
    "revive": lambda propose: propose.revive("g-2", own_uid="c"),
    "split": lambda propose: propose.split("ann", "amy", 0, own_uid="c"),
    "unmerge": lambda propose: propose.unmerge("m", own_uid="c"),
}


@pytest.mark.parametrize("correction", PROPOSALS)
def test_a_proposal_appends_nothing_and_is_what_the_engine_appends(correction: str) -> None:
    eng = engine(game(1, "ann", "bo", uid="g-1"), game(2, "anna", "cy", uid="g-2"), game(3, "dee", "eve"))
    eng.void("g-2")
    eng.merge("dee", "cy", own_uid="m")
    head = eng.log.head
    events = PROPOSALS[correction](eng.propose)
    assert eng.log.head == head
    assert events[0].uid == "c"
    assert eng.what_if(events).log.supposed == len(events)
    eng.core.correct(lambda: events)
    assert [event for _, event in eng.events(head.position)] == list(events)
    if correction != "unmerge":
        assert PROPOSALS[correction](eng.propose) == events, "proposed again under its uid, it is the same"


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
    events = eng.propose.rename("ann", "Ann Lee", own_uid="c")
    assert eng.record(*events).accepted == 1
    assert eng.propose.rename("ann", "Ann Lee") == ()
    assert eng.record(*eng.propose.rename("ann", "Ann Lee", own_uid="c")).duplicates == 1
