"""Which events of a log a correction of many takes: by positions, by source, by pool."""

from typing import Any

import pytest

import ratingcore as rc
from ratingcore.corrections.propose import ChosenEvents, Propose
from ratingcore.errors import BadCorrection
from tests.columns.making import POOL, engine, game


def chosen(eng: rc.Engine, **asked: Any) -> list[int]:
    return [row.position for row in ChosenEvents.of(eng.log, **asked).rows]


def test_events_are_chosen_by_spans_ends_included_each_once() -> None:
    eng = engine(*(game(day, "ann", "bo", uid=f"g-{day}") for day in range(1, 6)))
    assert chosen(eng, positions=[(1, 3), (2, 4)]) == [1, 2, 3, 4]
    assert chosen(eng, positions=[(3, 5), (1, 3), (3, 3)]) == [1, 2, 3, 4, 5]
    assert chosen(eng, positions=[(5, 5)]) == [5]
    for wrong in ((0, 2), (3, 2), (4, 6), (6, 6)):
        with pytest.raises(BadCorrection, match="the positions of the log are 1 to 5"):
            ChosenEvents.of(eng.log, positions=[wrong])


def test_a_batch_of_one_event_is_chosen_by_its_source_within_spans() -> None:
    eng = engine()
    for day, source in ((1, "march"), (2, "april"), (3, "march")):
        eng.record(game(day, "ann", "bo", uid=f"g-{day}"), source=source)
    assert chosen(eng, source="march") == [1, 3]
    assert chosen(eng, source="march", positions=[(1, 1)]) == [1]
    assert chosen(eng, source="march", positions=[(2, 3)]) == [3]
    assert chosen(eng, source="a*", positions=[(1, 3)]) == [2]
    assert chosen(eng, source="april", positions=[(3, 3)]) == []


def test_a_source_whose_name_reads_as_a_pattern_is_chosen_alone() -> None:
    """`void --source 'r[12].csv'` took r1.csv back as well."""
    eng = engine()
    for day, source in ((1, "r[12].csv"), (2, "r1.csv"), (3, "r*.csv")):
        eng.record(game(day, "ann", "bo", uid=f"g-{day}"), source=source)
    assert chosen(eng, source="r[12].csv") == [1]
    assert chosen(eng, source="r*.csv") == [3]
    assert chosen(eng, source="r[13].csv") == [2]
    plan = eng.plan.void_all(eng.plan.chosen("r[12].csv"))
    eng.record(game(4, "ann", "bo"), source="r1.csv")
    eng.apply(plan)
    assert chosen(eng, source="r[12].csv taken back") == [5]


def test_a_correction_is_chosen_with_the_pool_of_what_it_corrects() -> None:
    eng = engine(game(1, "ann", "bo", uid="g-1"), game(1, "ann", "bo", uid="g-2", pool="other"))
    eng.void("g-1")  # 3
    eng.void("g-2")  # 4
    eng.revive("g-2")  # 5, a void of the void
    assert chosen(eng, pool=POOL) == [1, 3], "without its void, 1 would count again"
    assert chosen(eng, pool="other") == [2, 4, 5], "without its void, the void 4 would be in force again"
    assert [ChosenEvents.of(eng.log, pool=pool).void for pool in (POOL, "other")] == [0, 0]


def test_a_session_is_not_revived_once_two_of_its_players_are_one() -> None:
    eng = rc.open(":memory:")
    sides = [rc.Side(["ann", "bo"], 1.0), rc.Side(["anna", "cy"], 0.0)]
    eng.record(rc.SessionPlayed(uid="s-1", pool=POOL, played="2024-03-02", sides=sides))
    eng.void("s-1")
    eng.merge("ann", "anna")
    with pytest.raises(BadCorrection, match="ann and anna count as one player"):
        Propose(eng.log, eng.core.view).revive("s-1")
