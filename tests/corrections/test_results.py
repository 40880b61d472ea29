"""Results of a log as they read: which pool, through which instant, and which pools are in use."""

import ratingcore as rc
from ratingcore.corrections.results import pools_in_use, results
from ratingcore.events import DAY, instant, last_instant


def uids(engine: rc.Engine, pool: str | None, through: int) -> list[str]:
    return [one.uid for _, one in results(engine.log, pool, through, engine.log.head.position)]


def test_a_result_at_the_last_instant_counts_and_one_after_it_does_not() -> None:
    engine, noon = rc.open(":memory:"), instant("2024-03-02T12:00:00Z")
    for uid, played in (("before", noon - 1), ("at", noon), ("after", noon + 1)):
        engine.record(rc.GamePlayed(uid=uid, pool="p", played=played, a="ann", b="bo", score=1.0))
    assert uids(engine, "p", noon) == ["before", "at"]
    assert uids(engine, "p", noon - 1) == ["before"]
    assert uids(engine, "p", noon + 1) == ["before", "at", "after"]


def test_of_a_pool_with_a_zone_the_last_instant_is_on_its_clock() -> None:
    engine = rc.open(":memory:")
    engine.declare("p", zone="Europe/Prague")
    end = instant("2024-03-02T23:00:00Z")  # in Prague the 2nd of March ends an hour earlier than in UTC
    for uid, played in (("last", end - 1), ("next day", end)):
        engine.record(rc.GamePlayed(uid=uid, pool="p", played=played, a="ann", b="bo", score=1.0))
    assert uids(engine, "p", last_instant("2024-03-02")) == ["last"]
    assert uids(engine, "p", last_instant("2024-03-02") + DAY) == ["last", "next day"]


def test_results_are_those_of_the_pool_as_they_read() -> None:
    engine = rc.open(":memory:")
    for uid, pool in (("g-1", "p"), ("g-2", "q"), ("g-3", "q")):
        engine.record(rc.GamePlayed(uid=uid, pool=pool, played="2024-03-02", a="ann", b="bo", score=1.0))
    engine.amend("g-2", {"pool": "p"})
    far = last_instant("2024-12-31")
    assert uids(engine, "p", far) == ["g-1", "g-2"]
    assert uids(engine, "q", far) == ["g-3"]
    assert uids(engine, None, far) == ["g-1", "g-2", "g-3"]


def test_a_pool_of_which_everything_was_taken_back_is_not_in_use() -> None:
    engine = rc.open(":memory:")
    for uid, pool in (("g-1", "p"), ("g-2", "slip")):
        engine.record(rc.GamePlayed(uid=uid, pool=pool, played="2024-03-02", a="ann", b="bo", score=1.0))
    assert pools_in_use(engine.log) == ["p", "slip"]
    engine.void("g-2")
    assert pools_in_use(engine.log) == ["p"]
    engine.void("g-1")
    assert pools_in_use(engine.log) == ["p", "slip"]  # none would be left
