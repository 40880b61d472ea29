"""Events that are given again with other content, over every store: amended where that is asked for, else refused."""

import pytest

import ratingcore as rc
from ratingcore.errors import BadCorrection, Conflict
from ratingcore.log.lookup import as_read
from tests.log.conftest import Store


def given(score: float, uid: str = "g-1", **data: object) -> rc.GamePlayed:
    return rc.GamePlayed(uid=uid, pool="p", played="2024-03-02", a="ann", b="bo", score=score, data=data)


def test_what_is_given_again_reads_as_it_was_given_last(log: Store) -> None:
    engine = rc.Engine(log)
    engine.record(given(1.0, round=1), given(0.0, "g-2"))
    with pytest.raises(Conflict):
        engine.record(given(0.5, round=1))
    receipt = engine.record(given(0.5, home="a"), given(0.0, "g-2"), given(1.0, "g-3"), amend=True)
    assert (receipt.accepted, receipt.duplicates) == (2, 1)
    assert engine.record(given(0.5, home="a"), amend=True).accepted == 0
    row = as_read(engine.log, "g-1")
    assert row is not None
    assert (row.score, row.facts) == (0.5, {"home": "a"})
    engine.verify()


def test_what_counts_as_never_recorded_stays_so(log: Store) -> None:
    engine = rc.Engine(log)
    engine.record(given(1.0))
    engine.void("g-1")
    assert engine.record(given(1.0), amend=True).accepted == 0
    with pytest.raises(Conflict):
        engine.record(given(0.0), amend=True)


def test_a_merged_player_and_a_time_in_the_zone_of_the_pool_are_no_changes(log: Store) -> None:
    engine = rc.Engine(log)
    engine.declare("p", zone="Europe/Prague")
    game = rc.GamePlayed(uid="g-1", pool="p", played="2024-03-02T19:00", a="ann", b="bo", score=1.0)
    engine.record(game)
    assert engine.record(game, amend=True).accepted == 0


@pytest.mark.parametrize("field", ["scor", "Score", "score ", "points_c"])
def test_a_field_that_no_result_has_and_no_method_reads_is_not_amended(log: Store, field: str) -> None:
    """A fixed bug: it was accepted, and no list changed."""
    engine = rc.Engine(log)
    engine.record(given(1.0, table=4), given(0.0, "g-2"))
    with pytest.raises(BadCorrection, match=f"no result of its pool has a field '{field}'") as refused:
        engine.amend("g-1", {field: 0.5})
    assert field == "points_c" or refused.value.hint == "did you mean score?"
    for known in ("table", "home", "points_a", "importance"):
        assert engine.amend("g-2", {known: 1}, own_uid=f"c-{known}").accepted == 1
        assert engine.amend("g-2", {known: 1}, own_uid=f"c-{known}").duplicates == 1
