"""Plans on every store: applied beside the results of others, refused where one of them decided about the same."""

from collections.abc import Callable
from threading import Thread

import pytest

import ratingcore as rc
from ratingcore.errors import PlanOutdated
from tests.columns.making import POOL, game
from tests.log.conftest import Store


def test_a_plan_is_applied_beside_results_and_refused_beside_a_decision(log: Store) -> None:
    engine = rc.Engine(log)
    engine.record(game(1, "ann", "bo", uid="g-1"), game(2, "cy", "dee", uid="g-2"))
    plans = [engine.plan.void("g-1"), engine.plan.amend("g-2", {"score": 0.5}), engine.plan.merge("ann", "cy")]
    engine.record(game(3, "eve", "fay"), game(3, "eve", "gus", pool="other"))
    assert [engine.apply(plan).accepted for plan in plans] == [1, 1, 1]
    late = engine.plan.amend("g-2", {"score": 0.0})
    engine.void("g-2", why="a default", by="secretary")
    with pytest.raises(PlanOutdated, match="is a void of g-2 by secretary: a default"):
        engine.apply(late)


def test_of_officers_who_decide_at_once_about_one_game_one_wins_and_all_about_others(log: Store) -> None:
    engine = rc.Engine(log)
    engine.record(*(game(day, f"p{day}", "bo", uid=f"g-{day}") for day in range(8)))
    shared = [engine.plan.amend("g-0", {"score": n / 4}) for n in range(4)]
    own = [engine.plan.amend(f"g-{n}", {"score": 0.5}) for n in range(1, 8)]
    refused: list[int] = []

    def decide(number: int, plan: rc.Plan) -> None:
        try:
            engine.apply(plan)
        except PlanOutdated:
            refused.append(number)

    threads = [Thread(target=decide, args=pair) for pair in enumerate([*shared, *own])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 3
    assert set(refused) < set(range(4))
    amended = [event for _, event in engine.events(kinds=["amend"])]
    assert len(amended) == 8
    assert len(engine.rating_list(POOL, "elo")) == 9


def test_an_erasure_and_a_publication_of_one_process_are_applied_beside_another(address: Callable[[str], str]) -> None:
    with rc.open(address("club")) as here, rc.open(address("club")) as there:
        here.record(game(1, "ann", "bo", uid="g-1"), game(2, "cy", "dee", uid="g-2"))
        march = here.rating_list(POOL, "elo")
        published, taken = here.plan.publish(march, "march"), there.plan.publish(march, "march")
        there.void("g-2")
        assert here.apply(published).accepted == 1
        assert there.apply(taken).accepted == 0, "the same list has the name"
        assert list(there.published_list("march")) == list(march)
        may = there.plan.publish(there.rating_list(POOL, "elo"), "may")
        here.publish(here.rating_list(POOL, "elo:k=9"), "may")
        with pytest.raises(PlanOutdated, match="is a list of may"):
            there.apply(may)
        plans = [here.plan.erase("ann") for _ in range(3)]
        there.record(game(3, "ann", "eve"), source="round-2.csv")
        assert here.apply(plans[0]).labels == there.apply(plans[1]).labels, "erased once"
        assert there.log.book.find("player", "ann") is None
        with pytest.raises(PlanOutdated, match="a name was erased"):
            there.apply(may)
        late = here.plan.erase("dee")
        there.amend("g-1", {"score": 0.5}, why="asked by Dee", by="board")
        with pytest.raises(PlanOutdated, match="is an amendment of g-1 by board: asked by Dee"):
            here.apply(late)
        assert here.log.book.find("player", "dee") is not None
        assert [drop.text for drop in here.plan.erase("dee").drops] == ["dee", "asked by Dee"]
