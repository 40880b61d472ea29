"""Erasures and publications as plans: what goes is what was shown, and a list is as known when it was planned."""

import json
from collections.abc import Callable

import pytest

from ratingcore.engine import Engine
from ratingcore.erasure import Erasure
from ratingcore.errors import AlreadyPublished, PlanOutdated
from ratingcore.log.lookup import uids_at
from tests.columns.making import POOL, game
from tests.plans.test_plan import UNTOUCHED, league

ERASED_MEANWHILE: list[tuple[Callable[[Engine], object], str]] = [
    (lambda eng: eng.merge("eve", "dee"), "merge of"),
    (lambda eng: eng.rename("eve", "Eve Fox", own_uid="n-2"), "player of n-2"),
    (lambda eng: eng.void("g-1", why="as eve said", by="bo"), "void of g-1 by bo: as eve said"),
    (lambda eng: eng.record(game(9, "x", "y", uid="late"), source="eve.csv"), "game of late"),
    (lambda eng: eng.erase("cy"), "a name was erased"),
]


@pytest.mark.parametrize(("meanwhile", "words"), ERASED_MEANWHILE)
def test_an_erasure_is_refused_if_something_else_would_go(meanwhile: Callable[[Engine], object], words: str) -> None:
    eng = league()
    plan = eng.plan.erase("eve", by="board")
    meanwhile(eng)
    before = list(eng.log.book.names())
    with pytest.raises(PlanOutdated, match=words):
        eng.apply(plan)
    assert list(eng.log.book.names()) == before, "nothing was erased"
    again = eng.plan.erase("eve")
    assert {text for _, _, text in again.drops} >= {text for _, _, text in plan.drops}
    eng.apply(again)
    assert not any("eve" in str(name.key).casefold() for name in eng.log.book.names())


def test_an_erasure_drops_what_its_plan_says_whatever_else_is_recorded() -> None:
    for meanwhile in (*UNTOUCHED, lambda eng: eng.record(game(9, "eve", "dee", uid="eve-9"))):
        eng = league()
        eng.void("g-1", why="as eve said")
        plan = eng.plan.erase("eve")
        assert Erasure.from_json(json.loads(json.dumps(plan.as_json()))) == plan
        meanwhile(eng)
        before, head = {name.id: name.key for name in eng.log.book.names()}, eng.log.head
        report = eng.apply(Erasure.from_json(json.loads(json.dumps(plan.as_json()))))
        gone = {number: key for number, key in before.items() if eng.log.book.names()[number - 1].key is None}
        assert gone == {drop.name: drop.text for drop in plan.drops}
        assert eng.log.head == head
        assert report.mentions == sum("eve" in uid for uid in uids_at(eng.log, range(1, head.position + 1)))
        assert eng.apply(plan).players == report.players, "erased once"
    with pytest.raises(ValueError, match="plan"):
        Erasure.from_json({**plan.as_json(), "drops": 1})


def test_a_publication_is_as_known_when_it_was_planned_whatever_came_since() -> None:
    for meanwhile in (*UNTOUCHED[:-1], lambda eng: eng.void("g-1"), lambda eng: eng.merge("ann", "dee")):
        eng = league()
        march = eng.rating_list(POOL, "elo")
        plan = eng.plan.publish(march, "first")
        meanwhile(eng)
        assert eng.apply(plan).accepted == 1
        assert list(eng.published_list("first")) == list(march)
        assert not eng.plan.publish(march, "first").events, "it is published already"
        with pytest.raises(AlreadyPublished):
            eng.plan.publish(eng.rating_list(POOL, "elo:k=9"), "first")
