"""Impact of an event: who would move, and how far, if it had been recorded or had not."""

from typing import Any

import numpy as np
import pytest
from ratingcore_elo import Elo
from ratingcore_elo_margin import EloMargin

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import SeveralPools, UnknownName, UnknownUid, WrongForm
from ratingcore.events import DAY, MergeUndone, PlayerDescribed, PlayersMerged, ResultAmended, ResultVoided
from ratingcore.explain.impact import Impact
from ratingcore.log import SqliteLog
from ratingcore.registry import Registry
from tests.columns.making import POOL, columns, engine, game, scratch, seed, session
from tests.engine.supposed import METHODS, copied, league, unrounded
from tests.laws.histories import POOLS


def changes(impact: Impact) -> dict[str, float | None]:
    """Who moved by how much."""
    return {row["player"]: row["change"] for row in impact}  # type: ignore[misc]  # a name, a number


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(6))
def test_the_impact_of_an_event_is_the_difference_of_the_two_logs(seed: int, method: str) -> None:
    """The newest event of a log moved whoever stands otherwise than on the list known just before."""
    eng, more = league(seed)
    event = next(e for e in (more.event() for _ in range(100)) if e.kind not in ("merge", "player"))
    before = {pool: unrounded(eng, pool, method) for pool in eng.pools()}
    foreseen = {pool: eng.foresee([event], pool, method) for pool in eng.pools()}
    eng.record(event)
    for pool in before:
        after = unrounded(eng, pool, method)
        found = eng.impact(event.uid, pool, method)
        everyone = before[pool].keys() | after.keys()
        moved = {
            name: after[name] - before[pool][name] if {name} <= before[pool].keys() & after.keys() else None
            for name in everyone
            if not same(before[pool].get(name), after.get(name))
        }
        assert {name: none(change) for name, change in changes(found).items()} == {n: none(c) for n, c in moved.items()}
        assert rows(foreseen[pool]) == rows(found)
        assert foreseen[pool].same == found.same


def same(one: float | None, other: float | None) -> bool:
    return none(one) == none(other)


def none(number: float | None) -> float | None:
    return None if number is None or np.isnan(number) else number


def rows(impact: Impact) -> list[dict[str, Any]]:
    return list(impact)


@pytest.mark.parametrize("seed", range(20))
def test_voiding_moves_everyone_back(seed: int) -> None:
    eng, _ = league(seed)
    for uid in [eng.log.uid(position) for position in range(1, eng.log.head.position + 1, 3)]:
        row = eng.log.row_of(uid)
        if row.kind == "merge":
            continue
        for pool in eng.pools():
            there = eng.impact(uid, pool, "elo")
            back = eng.foresee([ResultVoided(of=uid)], pool, "elo")
            if there.why:
                assert not len(back)
                continue
            assert {name: none(change) for name, change in changes(there).items()} == {
                name: None if change is None else -change for name, change in changes(back).items()
            }


def test_an_impact_says_who_moved_in_which_order_and_from_where_to_where() -> None:
    eng = engine(*(game(day, "ann", "bo", 0.5) for day in (1, 2)), game(3, "ann", "bo", uid="g"))
    eng.record(game(4, "bo", "cy", 0.5), game(5, "dee", "cy", 0.5, uid="h"))
    lost = 20.0 * (0.5 - 1 / (1 + 10 ** (10 / 400)))  # what a draw with a player of 1490 costs one of 1500
    found = eng.impact("g", method=Elo(k=20.0))
    assert found.player == ("ann", "bo", "cy", "dee")
    assert found.change.tolist()[:2] == pytest.approx([10.0, -10.0 + lost])
    assert found.change[2] + found.change[3] == pytest.approx(-lost)
    assert abs(found.change[3]) < abs(found.change[2])
    assert found.rank_without.tolist() == [1, 1, 1, 1]
    assert found.rank_with.tolist() == [1, 4, 3, 2]
    assert (len(found), found.same, found.total) == (4, 0, pytest.approx(0.0))


def test_players_whom_an_event_brings_have_a_rating_on_one_side_only() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), game(2, "ann", "cy"))
    found = eng.impact("g", method=Elo())
    assert next(iter(found)) == {
        "player": "bo", "rank_without": None, "rank_with": 3,
        "rating_without": None, "rating_with": 1490.0, "change": None,
    }  # fmt: skip
    assert found.player == ("bo", "ann", "cy")
    assert found.total == pytest.approx(sum(found.change[1:]))
    assert found.lines()[0].startswith("g moves 3 of 3 players in pool club")


def test_an_event_that_says_nothing_now_moves_nobody() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), game(2, "ann", "bo"))
    eng.void("g", own_uid="v")
    gone = eng.impact("g", method=Elo())
    assert (len(gone), gone.lines()) == (0, ["g moves nobody: it counts as never recorded"])
    eng.void("v", own_uid="w")
    assert not len(eng.impact("v", method=Elo()))
    assert changes(eng.impact("w", method=Elo())) == changes(eng.impact("g", method=Elo()))
    assert len(eng.impact("g", method=Elo())) == 2


def test_events_of_other_pools_and_other_kinds_move_nobody() -> None:
    eng = engine(
        game(1, "ann", "bo", uid="g"),
        game(1, "ann", "bo", pool="other", uid="h"),
        rc.ListPublished(uid="l", pool=POOL, played=5, name="march"),
        rc.PeriodClosed(uid="c", pool=POOL, played=5),
        PlayerDescribed(uid="p", pool=POOL, player="ann", played=0, data={"born": 1990}),
    )
    assert eng.impact("h", POOL, Elo()).lines() == ["h moves nobody in pool club: it concerns pool other"]
    assert eng.impact("l", method=Elo()).why == "a published list says nothing of a result"
    assert eng.impact("c", method=Elo()).why == "a closed period says nothing of a result"
    described = eng.impact("p", method=Elo())
    assert (described.pool, len(described), described.same, described.why) == (POOL, 0, 2, "")
    with pytest.raises(UnknownUid):
        eng.impact("nobody", method=Elo())
    with pytest.raises(UnknownName):
        eng.impact("l", "nowhere", Elo())
    with pytest.raises(UnknownName):
        eng.impact("g", "nowhere", Elo())


def test_an_amendment_of_the_pool_concerns_two() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), game(1, "cy", "dee", pool="other"))
    eng.amend("g", {"pool": "other"}, own_uid="a")
    with pytest.raises(SeveralPools, match="a concerns several pools: club, other"):
        eng.impact("a", method=Elo())
    assert list(eng.impact("a", POOL, Elo()).rating_without) == [1510.0, 1490.0]
    assert list(eng.impact("a", "other", Elo()).rating_with) == [1510.0, 1490.0]
    assert eng.impact("g", method=Elo()).pool == "other"


def test_the_impact_of_a_merge_is_that_of_taking_it_back() -> None:
    eng = engine(
        game(1, "ann", "cy"), game(2, "anna", "dee"), game(3, "dee", "cy"), game(3, "dee", "cy", pool="other"),
        game(1, "ann", "cy", pool="other"),
    )  # fmt: skip
    before = unrounded(eng, POOL, Elo())
    foreseen = eng.foresee([PlayersMerged(keep="ann", other="anna")], method=Elo())
    eng.merge("ann", "anna", own_uid="m")
    found = eng.impact("m", method=Elo())  # only one pool knows anna
    assert rows(found) == rows(foreseen)
    assert changes(found)["anna"] is None
    assert changes(found)["ann"] == unrounded(eng, POOL, Elo())["ann"] - before["ann"]
    back = eng.foresee([MergeUndone(of="m")], method=Elo())
    assert changes(back) == {n: None if c is None else -c for n, c in changes(found).items()}
    assert eng.impact("m", "other", Elo()).why == "it concerns pool club"
    eng.unmerge("m", own_uid="u")
    assert eng.impact("m", method=Elo()).why
    assert changes(eng.impact("u", method=Elo())) == changes(back)


def test_a_supposed_pool_is_compared_with_nothing() -> None:
    eng = engine(game(1, "ann", "bo"))
    found = eng.foresee([game(1, "ann", "bo", pool="new")], method=Elo())
    assert (found.pool, found.player, found.same) == ("new", ("ann", "bo"), 0)
    nothing = Engine(SqliteLog(":memory:"), Registry()).foresee([game(1, "ann", "bo")], method=Elo())
    assert nothing.rating_with.tolist() == [1510.0, 1490.0]


def test_what_was_recorded_already_would_move_nobody() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"))
    assert eng.foresee([game(1, "ann", "bo", uid="g")], method=Elo()).why == "it is recorded already"
    assert eng.foresee([], method=Elo()).why == "it is recorded already"


def test_impact_through_a_day_ends_there() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), game(5, "ann", "cy"), game(9, "cy", "dee"))
    assert set(eng.impact("g", method=Elo(), through=3 * DAY).player) == {"ann", "bo"}
    assert set(eng.impact("g", method=Elo()).player) == {"ann", "bo", "cy", "dee"}
    assert not len(eng.impact("g", method=Elo(), through=0))


def test_a_carry_over_between_seasons_is_in_the_impact() -> None:
    method = EloMargin(carry=0.75, carry_to=1505.0)
    played = ((1, "ann", "bo"), (150, "bo", "ann"), (250, "ann", "bo"))
    facts = {"points_a": 2, "points_b": 1}
    eng = engine(*(game(day, a, b, uid=f"{a}{day}", data={"season": day // 100, **facts}) for day, a, b in played))
    before = unrounded(eng, POOL, method)
    found = eng.impact("bo150", method=method)
    eng.void("bo150")
    after = unrounded(eng, POOL, method)
    assert changes(found) == {name: before[name] - after[name] for name in before}


def test_a_method_that_cannot_rate_the_pool_says_so() -> None:
    eng = engine(session(1, ("ab", 1.0), ("cd", 2.0), uid="s"))
    with pytest.raises(WrongForm):
        eng.impact("s", method=Elo())


def test_one_column_of_a_timeline_is_the_same_from_scratch_and_brought_forward() -> None:
    eng, more = league(99)
    eng.view(POOLS[0])
    events = more.batch()
    trial, real = eng.what_if(events), copied(eng, *events)
    one, other = columns(trial.view(POOLS[0]).timeline), columns(scratch(real.log, pool=POOLS[0]))
    assert one | {"cut": []} == other | {"cut": []}


def test_amending_under_supposition_sees_seeds_too() -> None:
    eng = engine(seed(0, "ann", 1700.0, uid="s"), game(1, "ann", "bo"))
    found = eng.foresee([ResultAmended(of="s", changes={"values": {"rating": 1800.0}})], method=Elo())
    assert changes(found)["ann"] == pytest.approx(100.0, abs=5.0)
    assert eng.impact("s", method=Elo()).player[0] == "ann"
