"""What-ifs, and the impact of events supposed and recorded."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ratingcore_elo import Elo
from ratingcore_elo_margin import EloMargin

import ratingcore as rc
from ratingcore.columns import cache
from ratingcore.engine import Engine
from ratingcore.errors import (
    BrokenChain,
    OnlySupposed,
    RatingCoreError,
    SeveralPools,
    UnknownName,
    UnknownUid,
    WrongForm,
)
from ratingcore.events import DAY, MergeUndone, PlayerDescribed, PlayersMerged, ResultAmended, ResultVoided
from ratingcore.explain.impact import Impact
from ratingcore.log import SqliteLog, load_lines
from ratingcore.log.lookup import row_of, uid_at
from ratingcore.log.overlay import supposed_in
from ratingcore.registry import Registry
from ratingcore.replay import checkpoint_store as rules
from tests.columns.making import POOL, columns, engine, game, seed, session
from tests.engine.supposed import METHODS, copied, league, unrounded
from tests.laws.histories import POOLS

# what-if


@pytest.mark.parametrize("seed", range(5))
def test_a_what_if_answers_as_the_log_that_recorded_the_events(seed: int) -> None:
    eng, more = league(seed)
    known = [eng.rating_list(pool, "elo").digest for pool in eng.pools()]  # what the parent holds is brought forward
    events = [event for _ in range(3) for event in more.batch()]
    trial, real = eng.what_if(events), copied(eng, *events)
    assert trial.pools() == real.pools()
    for pool in real.pools():
        views = [one.core.view(pool) for one in (trial, real)]
        assert columns(views[0].timeline) | {"cut": []} == columns(views[1].timeline) | {"cut": []}
        for method in METHODS[:2]:
            assert trial.rating_list(pool, method).digest == real.rating_list(pool, method).digest
            cut: dict[str, Any] = {"through": 4 * DAY, "known_at": eng.log.head.position + 1}
            assert trial.rating_list(pool, method, **cut).digest == real.rating_list(pool, method, **cut).digest
        for player in real.rating_list(pool, "elo").player[:3]:
            assert trial.history(pool, player, "elo") == real.history(pool, player, "elo")
        assert list(trial.forecasts(pool, "elo")) == list(real.forecasts(pool, "elo"))
    assert [event for _, event in trial.events()] == [event for _, event in real.events()]
    assert [eng.rating_list(pool, "elo").digest for pool in eng.pools()] == known


def test_a_what_if_of_sessions_answers_too() -> None:
    eng = engine(session(1, ("ab", 60.0), ("cd", 40.0), uid="s", data={"unit": "percent"}))
    eng = Engine(eng.log)
    events = [session(2, ("ac", 55.0), ("bd", 45.0), data={"unit": "percent"}), ResultVoided(of="s")]
    trial, real = eng.what_if(events), copied(eng, *events)
    assert trial.rating_list(POOL, "bridge-bayes").digest == real.rating_list(POOL, "bridge-bayes").digest


def test_a_list_of_a_what_if_does_not_pass_for_a_real_one() -> None:
    eng = Engine(engine(game(1, "ann", "bo", uid="g")).log)
    trial = eng.what_if([game(2, "ann", "cy"), ResultVoided(of="g")])
    made = trial.rating_list(POOL, Elo())
    assert (supposed_in(trial.log), supposed_in(eng.log)) == (2, 0)
    assert any("2 events supposed, not recorded" in line for line in made.provenance.lines())
    assert made.provenance.digest.startswith("what-if:")
    older = trial.rating_list(POOL, Elo(), known_at=1)
    assert older.provenance == eng.rating_list(POOL, Elo()).provenance  # nothing supposed is in it
    with pytest.raises(OnlySupposed):
        trial.record(game(3, "ann", "bo"))
    for verb in (trial.void, trial.revive):
        with pytest.raises((OnlySupposed, UnknownUid)):
            verb("g")
    refused: list[Callable[[], Any]] = [
        lambda: list(trial.export()), lambda: load_lines(trial.log, []), lambda: trial.publish(made, name="march"),
        lambda: trial.follow("reader"), lambda: trial.erase("ann"),
    ]  # fmt: skip
    for write in refused:
        with pytest.raises(OnlySupposed):
            write()
    with pytest.raises(RatingCoreError):
        eng.publish(made, name="march")
    with pytest.raises(BrokenChain):
        trial.verify()
    assert eng.log.head.position == 1
    assert "ann" in eng.rating_list(POOL, Elo())


def test_a_what_if_stays_as_it_was_when_the_log_grows() -> None:
    eng = engine(game(1, "ann", "bo"))
    trial = eng.what_if([game(2, "ann", "cy", pool="other")])
    eng.record(game(3, "dee", "bo"), game(3, "eve", "bo", pool="other"), game(3, "eve", "bo", pool="third"))
    assert trial.pools() == [POOL, "other"]
    assert trial.rating_list(POOL, Elo()).player == ("ann", "bo")
    assert trial.rating_list("other", Elo()).player == ("ann", "cy")
    with pytest.raises(UnknownName):
        trial.rating_list("third", Elo())


def test_a_what_if_can_be_supposed_upon() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"))
    one = eng.what_if([game(2, "ann", "cy", uid="h")])
    two = one.what_if([ResultVoided(of="g"), ResultVoided(of="h"), game(3, "cy", "bo")])
    assert (supposed_in(one.log), supposed_in(two.log)) == (1, 4)
    assert two.rating_list(POOL, Elo()).player == ("cy", "bo")
    assert one.impact("h", method=Elo()).player == ("cy", "ann")
    assert one.rating_list(POOL, Elo()).player == ("ann", "cy", "bo")


def test_what_a_pool_holds_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    eng = engine(*(game(day, "ann", "bo") for day in range(50)))
    eng.core.view(POOL)
    asked: list[int] = []
    games = SqliteLog.games

    def watched(self: SqliteLog, pool: int, after: int, to: int) -> Any:
        asked.append(max(0, to - after))
        return games(self, pool, after, to)

    monkeypatch.setattr(SqliteLog, "games", watched)
    trial = eng.what_if([game(60, "ann", "cy")])
    assert len(trial.core.view(POOL).timeline.games.a) == 51
    assert sum(asked) == 0


@pytest.mark.parametrize("seed", range(5))
def test_checkpoints_of_the_log_below_serve_until_its_history_is_another(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "WORTH", 1)
    monkeypatch.setattr(rules, "CLOSEST", 2)
    eng, more = league(seed)
    methods = METHODS[:2] if all(len(eng.core.view(pool).timeline.games.a) for pool in eng.pools()) else METHODS[:1]
    made = [eng.rating_list(pool, method).digest for pool in eng.pools() for method in methods]
    for number in range(4):
        head, events = eng.log.head.position, more.batch()
        trial, real = eng.what_if(events), copied(eng, *events)
        if number % 2:  # the log below learns something else at the positions of what is supposed
            eng.record(*(game(day, "zoe", "yan", uid=f"{number}-{day}", pool=POOLS[0]) for day in range(9)))
            made = [eng.rating_list(pool, method).digest for pool in eng.pools() for method in methods]
        for _ in range(2):
            for pool in real.pools():
                for method in methods:
                    assert trial.rating_list(pool, method).digest == real.rating_list(pool, method).digest
                    cut = {"through": 3 * DAY, "known_at": head}
                    assert trial.rating_list(pool, method, **cut).digest == real.rating_list(pool, method, **cut).digest
        assert made == [eng.rating_list(pool, method).digest for pool in eng.pools() for method in methods]
        more._past = [event for _, event in eng.events()]


def test_a_what_if_writes_neither_to_the_file_nor_to_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with rc.open(path) as eng:
        eng.record(*(game(day, f"p{day % 7}", f"q{day % 5}") for day in range(1500)))
        eng.rating_list(POOL, "elo")
    path.chmod(0o444)

    def files() -> dict[str, bytes]:
        of_readers = (".db-shm", ".db-wal", ".json")  # a reader stamps the columns that it has checked
        found = [file for file in tmp_path.rglob("*") if file.is_file() and file.suffix not in of_readers]
        return {str(file): file.read_bytes() for file in found}

    before = files()
    with rc.open(path, read_only=True) as eng:
        trial = eng.what_if(
            [*(game(day, f"r{day}", f"q{day % 5}") for day in range(2000)), PlayersMerged(keep="p1", other="p2")]
        )
        assert len(trial.rating_list(POOL, "elo")) > 1000
        assert len(eng.impact([ResultVoided(of=uid_at(eng.log, 3))])) > 0
        assert len(eng.impact(uid_at(eng.log, 4))) > 0
    assert files() == before
    path.chmod(0o644)
    with SqliteLog(path) as log:
        assert log.head.position == 1500


# columns in files under it


@pytest.mark.parametrize("change", ["rewritten", "cut off"])
def test_a_what_if_notices_columns_that_are_changed_under_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setattr(cache, "NEWS", 1)
    monkeypatch.setattr(cache, "SMALL", -1)  # a file of their own, as many games have
    path = tmp_path / "club.db"
    with rc.open(path) as made:
        made.record(*(game(day, "ann", "bo", uid=f"g{day}") for day in range(1, 40)))
        made.core.view(POOL)
    with rc.open(path) as eng:
        trial = eng.what_if([game(50, "bo", "cy", 0.5)])
        further = trial.what_if([game(51, "cy", "ann", 0.5)])
        right = [unrounded(one, POOL, Elo()) for one in (trial, further)]
        (file,) = path.with_name("club.db.columns").glob("1/games-*")
        with file.open("r+b") as opened:
            opened.readline()
            opened.write(b"\1" * 600)
        assert [unrounded(one, POOL, Elo()) for one in (trial, further)] == right
        if change == "cut off":  # only now: reading beyond the end of a file ends the process
            for file in path.with_name("club.db.columns").glob("1/games-*"):
                os.truncate(file, 0)
            assert [unrounded(one, POOL, Elo()) for one in (trial, further)] == right


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
    foreseen = {pool: eng.impact([event], pool, method) for pool in eng.pools()}
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


@pytest.mark.parametrize("seed", range(6))
def test_voiding_moves_everyone_back(seed: int) -> None:
    eng, _ = league(seed)
    for uid in [uid_at(eng.log, position) for position in range(1, eng.log.head.position + 1, 3)]:
        row = row_of(eng.log, uid)
        if row.kind == "merge":
            continue
        for pool in eng.pools():
            there = eng.impact(uid, pool, "elo")
            back = eng.impact([ResultVoided(of=uid)], pool, "elo")
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
    assert eng.impact("l", method=Elo()).why == "a published list does not change a result"
    assert eng.impact("c", method=Elo()).why == "a closed period does not change a result"
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


def test_who_would_move_by_a_plan_is_the_impact_in_each_pool_that_it_concerns() -> None:
    eng = engine(
        game(1, "ann", "cy"), game(2, "anna", "dee"), game(1, "anna", "cy", pool="other"),
        game(1, "x", "y", pool="third"),
    )  # fmt: skip
    plan, methods = eng.plan.merge("ann", "anna"), {POOL: Elo(k=16.0), "": Elo(k=8.0)}
    moves = list(eng.moves(plan, methods))
    assert [one.pool for one in moves] == [POOL, "other"]
    for one in moves:
        alone = eng.impact(plan, one.pool, methods.get(one.pool, methods[""]))
        assert (list(one), one.method, one.lines()) == (list(alone), alone.method, alone.lines())
    file = eng.plan.import_file([{"played": "1970-01-05", "a": "x", "b": "y", "score": "0-1"}], "third")
    assert [(one.pool, len(one)) for one in eng.moves(file, methods)] == [("third", 2)]
    assert not list(eng.moves([], methods))
    assert [len(one) for one in eng.moves(eng.plan.rename("ann", "Ann Lee"), methods)] == [0]


def test_the_impact_of_a_merge_is_that_of_taking_it_back() -> None:
    eng = engine(
        game(1, "ann", "cy"), game(2, "anna", "dee"), game(3, "dee", "cy"), game(3, "dee", "cy", pool="other"),
        game(1, "ann", "cy", pool="other"),
    )  # fmt: skip
    before = unrounded(eng, POOL, Elo())
    foreseen = eng.impact([PlayersMerged(keep="ann", other="anna")], method=Elo())
    eng.merge("ann", "anna", own_uid="m")
    found = eng.impact("m", method=Elo())  # only one pool knows anna
    assert rows(found) == rows(foreseen)
    assert changes(found)["anna"] is None
    assert changes(found)["ann"] == unrounded(eng, POOL, Elo())["ann"] - before["ann"]
    back = eng.impact([MergeUndone(of="m")], method=Elo())
    assert changes(back) == {n: None if c is None else -c for n, c in changes(found).items()}
    assert eng.impact("m", "other", Elo()).why == "it concerns pool club"
    eng.void("m", own_uid="u")
    assert eng.impact("m", method=Elo()).why
    assert changes(eng.impact("u", method=Elo())) == changes(back)


def test_a_supposed_pool_is_compared_with_nothing() -> None:
    eng = engine(game(1, "ann", "bo"))
    found = eng.impact([game(1, "ann", "bo", pool="new")], method=Elo())
    assert (found.pool, found.player, found.same) == ("new", ("ann", "bo"), 0)
    nothing = Engine(SqliteLog(":memory:"), Registry()).impact([game(1, "ann", "bo")], method=Elo())
    assert nothing.rating_with.tolist() == [1510.0, 1490.0]


def test_what_was_recorded_already_would_move_nobody() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"))
    assert eng.impact([game(1, "ann", "bo", uid="g")], method=Elo()).why == "it is recorded already"
    assert eng.impact([], method=Elo()).why == "it is recorded already"


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


def test_amending_under_supposition_sees_seeds_too() -> None:
    eng = engine(seed(0, "ann", 1700.0, uid="s"), game(1, "ann", "bo"))
    found = eng.impact([ResultAmended(of="s", changes={"values": {"rating": 1800.0}})], method=Elo())
    assert changes(found)["ann"] == pytest.approx(100.0, abs=5.0)
    assert eng.impact("s", method=Elo()).player[0] == "ann"


def test_a_declaration_moves_who_is_rated_otherwise_by_the_new_rule() -> None:
    """Both sides were by the rule of now, and nobody moved."""
    with rc.open(":memory:") as engine:
        for day, a, b in ((2, "ann", "bo"), (9, "bo", "cy")):
            engine.record(rc.GamePlayed(pool="r", played=f"2024-03-{day:02d}", a=a, b=b, score=1.0))
        plan = engine.plan.declare("r", method="elo:k=40", starting="2024-03-05")
        moved = {row["player"]: (row["rating_without"], row["rating_with"]) for row in engine.impact(plan)}
        before = {row["player"]: row["rating"] for row in engine.rating_list("r")}
        engine.apply(plan)
        after = {row["player"]: row["rating"] for row in engine.rating_list("r")}
        assert moved == {player: (before[player], after[player]) for player in ("bo", "cy")}
        assert not len(engine.impact(engine.plan.declare("r", method="elo:k=10", starting="2031-01-01")))
