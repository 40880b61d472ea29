"""What-if: as if events had been recorded, and nothing is written."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ratingcore_elo import Elo

import ratingcore as rc
from ratingcore.columns import cache
from ratingcore.engine import Engine
from ratingcore.errors import BrokenChain, OnlySupposed, RatingCoreError, UnknownName, UnknownUid
from ratingcore.events import DAY, PlayersMerged, ResultVoided
from ratingcore.log import SqliteLog
from ratingcore.replay import checkpoint_store as rules
from tests.columns.making import POOL, columns, engine, game, session
from tests.engine.supposed import METHODS, copied, league, unrounded
from tests.laws.histories import POOLS

# what-if


@pytest.mark.parametrize("seed", range(12))
def test_a_what_if_answers_as_the_log_that_recorded_the_events(seed: int) -> None:
    eng, more = league(seed)
    known = [eng.rating_list(pool, "elo").digest for pool in eng.pools()]  # what the parent holds is brought forward
    events = [event for _ in range(3) for event in more.batch()]
    trial, real = eng.what_if(events), copied(eng, *events)
    assert trial.pools() == real.pools()
    for pool in real.pools():
        assert columns(trial.view(pool).timeline) | {"cut": []} == columns(real.view(pool).timeline) | {"cut": []}
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
    assert (trial.supposed, eng.supposed) == (2, 0)
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
        lambda: list(trial.export()), lambda: trial.load([]), lambda: trial.publish(made, name="march"),
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
    assert (one.supposed, two.supposed) == (1, 4)
    assert two.rating_list(POOL, Elo()).player == ("cy", "bo")
    assert one.impact("h", method=Elo()).player == ("cy", "ann")
    assert one.rating_list(POOL, Elo()).player == ("ann", "cy", "bo")


def test_what_a_pool_holds_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    eng = engine(*(game(day, "ann", "bo") for day in range(50)))
    eng.view(POOL)
    asked: list[int] = []
    games = SqliteLog.games

    def watched(self: SqliteLog, pool: int, after: int, to: int) -> Any:
        asked.append(max(0, to - after))
        return games(self, pool, after, to)

    monkeypatch.setattr(SqliteLog, "games", watched)
    trial = eng.what_if([game(60, "ann", "cy")])
    assert len(trial.view(POOL).timeline.games.a) == 51
    assert sum(asked) == 0


@pytest.mark.parametrize("seed", range(15))
def test_checkpoints_of_the_log_below_serve_until_its_history_is_another(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "WORTH", 1)
    monkeypatch.setattr(rules, "CLOSEST", 2)
    eng, more = league(seed)
    methods = METHODS[:2] if all(len(eng.view(pool).timeline.games.a) for pool in eng.pools()) else METHODS[:1]
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
        assert len(eng.foresee([ResultVoided(of=eng.log.uid(3))])) > 0
        assert len(eng.impact(eng.log.uid(4))) > 0
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
        made.view(POOL)
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
