"""Checkpoints: they change nothing but the time, and take no more room than they are given."""

import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from attrs import frozen

from ratingcore.engine import Engine, open_engine
from ratingcore.events import DAY, GamePlayed, RatingSeeded
from ratingcore.methods.text import identity
from ratingcore.plugin import Cadence, Column, Forecast, Games, Method, Rated, Solved, State
from ratingcore.replay import Standing, checkpoint_store, stand
from ratingcore.replay.checkpoint_store import stops

GAMES = 300


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave files of everything, however short the history."""
    monkeypatch.setattr(checkpoint_store, "WORTH", 0)
    monkeypatch.setattr(checkpoint_store, "FILE_SECONDS", 0.0)
    monkeypatch.setattr(checkpoint_store, "CLOSEST", 4)


def game(number: int, day: float | None = None, **more: object) -> GamePlayed:
    rng = np.random.default_rng(number)
    a, b = (f"player {n}" for n in rng.choice(12, 2, replace=False))
    played = int((number if day is None else day) * DAY)
    return GamePlayed(**{"pool": "club", "played": played, "a": a, "b": b, "score": 0.5, "uid": f"g{number}"} | more)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log of some hundred days."""
    with open_engine(tmp_path / "club.db") as engine:
        engine.record(*(game(number) for number in range(GAMES)))
    return tmp_path / "club.db"


@pytest.fixture
def engine(path: Path) -> Iterator[Engine]:
    with open_engine(path) as opened:
        yield opened


def elo(engine: Engine, text: str = "elo") -> Method:
    return engine.registry.method(text)


def files(path: Path) -> list[Path]:
    return sorted(path.with_name("club.db.columns").rglob("*.sealed"))


def right(engine: Engine, text: str = "elo", **cuts: object) -> Standing:
    """Where everybody stands, seen to be the same as without checkpoints."""
    method, view = elo(engine, text), engine.core.view("club", **cuts)  # type: ignore[arg-type]  # cuts as they are given
    stood, plain = engine.core.standing(method, view), stand(method, view)
    assert all(stood.state[name].tobytes() == plain.state[name].tobytes() for name in plain.state.names)
    assert (stood.at, stood.games.tolist()) == (plain.at, plain.games.tolist())
    return stood


def begins(engine: Engine, text: str = "elo", **cuts: object) -> int:
    """How many results lie before the checkpoint from which a replay would begin."""
    view = engine.core.view("club", **cuts)  # type: ignore[arg-type]  # cuts as they are given
    found = engine.core.columns.checkpoints(view.timeline.pool).nearest(
        elo(engine, text), view, identity(elo(engine, text))
    )
    return 0 if found is None else found.results


def test_a_list_after_one_new_game_begins_at_the_one_before(engine: Engine) -> None:
    right(engine)
    engine.record(game(GAMES))
    assert begins(engine) == GAMES
    right(engine)


def test_one_result_says_nothing_of_what_a_result_costs(
    engine: Engine, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_store, "FILE_SECONDS", 0.05)
    ticks = count()
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks) / 100)  # every run takes 10 ms
    right(engine)
    for number in range(20):
        engine.record(game(GAMES + number))
        right(engine)
    assert not files(path)


def test_a_large_state_gets_a_file_only_if_it_saves_more_than_writing_it(
    engine: Engine, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writing files of states with millions of players took a quarter of the time of a list."""
    monkeypatch.setattr(checkpoint_store, "BYTES_A_SECOND", 1)
    right(engine)
    assert not files(path)


def test_a_late_game_begins_shortly_before_its_day(engine: Engine) -> None:
    right(engine)
    engine.record(game(GAMES, day=270.5))
    assert 250 <= begins(engine) <= 271
    right(engine)


def test_a_checkpoint_that_a_correction_has_touched_is_passed_over(engine: Engine) -> None:
    right(engine)
    engine.amend("g200", {"score": 1.0})
    assert begins(engine) <= 200
    right(engine)
    engine.amend("g200", {"played": "1970-02-01"})
    assert begins(engine) <= 31
    right(engine)


def test_what_is_known_earlier_and_through_an_old_day_begins_near_that_day(engine: Engine) -> None:
    right(engine)
    known = engine.log.head.position
    engine.void("g280")
    right(engine)
    assert 120 <= begins(engine, through="1970-05-21", known_at=known) <= 141
    right(engine, through="1970-05-21", known_at=known)


@pytest.mark.parametrize("text", ["elo:period=month", "elo:period=days(7)", "elo:period=cuts(1970-03-01;1970-06-01)"])
def test_periods_go_on_where_the_last_closed_one_ended(engine: Engine, text: str) -> None:
    right(engine, text)
    for number, day in ((GAMES, 300.0), (GAMES + 1, 400.0), (GAMES + 2, 100.0)):
        engine.record(game(number, day))
        right(engine, text)
        right(engine, text, through="1970-08-15")
    assert begins(engine, text) > 0


def test_seeds_to_come_are_not_in_a_checkpoint_that_lies_before_them(engine: Engine) -> None:
    for day, player in ((500, "player 1"), (2, "newcomer"), (600, "newcomer"), (280, "player 2")):
        seed = RatingSeeded(pool="club", played=day * DAY, player=player, values={"rating": 1900.0})
        engine.record(seed)
        right(engine)
        engine.void(seed.uid)
        right(engine)
        right(engine, through="1970-10-01")
    engine.record(GamePlayed(pool="club", played=550 * DAY, a="newcomer", b="player 1", score=1.0))
    right(engine)


def test_a_new_process_goes_on_from_the_files(path: Path) -> None:
    with open_engine(path) as first:
        right(first)
    assert files(path)
    with open_engine(path) as second:
        assert begins(second) == GAMES
        right(second)


def test_files_of_another_history_are_not_taken(path: Path, tmp_path: Path) -> None:
    with open_engine(path) as first:
        first.log.backup(tmp_path / "then.db")
        first.record(game(GAMES, a="mallory"))
        right(first)
    for name in ("club.db", "club.db-wal", "club.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / "then.db").rename(path)
    with open_engine(path) as restored:
        restored.record(game(GAMES + 1, a="trent"))
        right(restored)
        assert "mallory" not in restored.rating_list("club", "elo")


def test_the_files_of_a_pool_take_no_more_room_than_they_are_given(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_store, "ROOM", 10_000)
    with open_engine(path) as engine:
        for k in range(1, 16):
            right(engine, f"elo:k={k}")
            assert sum(file.stat().st_size for file in files(path)) <= 10_000
        assert begins(engine, "elo:k=15") == GAMES


def test_states_of_many_players_take_no_more_memory_than_they_are_given(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_store, "A_RESULT", 0)
    for memory in (1, 1000, 4000):
        monkeypatch.setattr(checkpoint_store, "MEMORY", memory)
        text = f"elo:k={memory}"
        right(engine, text)
        held = engine.core.columns.checkpoints(engine.core.pool_id("club"))._methods[identity(elo(engine, text))].held
        assert len(held) == 1 or sum(one.size for one in held) <= memory
        engine.record(game(GAMES + memory))
        assert begins(engine, text) >= GAMES
        right(engine, text)


def test_with_room_for_few_states_those_near_the_end_are_kept(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """They were every so many of the places, so that a late game in the last tenth began far before it."""
    monkeypatch.setattr(checkpoint_store, "CLOSEST", 10)
    right(engine, "elo:k=7")
    states = engine.core.columns.checkpoints(engine.core.pool_id("club"))
    (size,) = {8 * len(one.state["rating"]) for one in states._methods[identity(elo(engine, "elo:k=7"))].held[-1:]}
    monkeypatch.setattr(checkpoint_store, "A_RESULT", 0)
    monkeypatch.setattr(checkpoint_store, "MEMORY", 15 * size)
    right(engine, "elo:k=8")
    held = states._methods[identity(elo(engine, "elo:k=8"))].held
    after = sorted(one.results / GAMES for one in held)
    assert len(after) > 2
    for share, expected in zip(after[:3], (0.63, 0.86, 0.95), strict=False):
        assert abs(share - expected) < 0.03


def test_twenty_checkpoints_are_enough_for_any_history() -> None:
    for n in (10, 1000, 50_000, 5_000_000, 10**9):
        assert len(stops(0, n, 10)) <= 21
    assert len(stops(0, 5_000_000, 4_000_000)) == 5, "more players than results in between"


def test_as_a_log_grows_the_checkpoints_stay_few_and_close_enough(engine: Engine) -> None:
    for number in range(GAMES, GAMES + 30):
        engine.record(game(number))
        right(engine)
    held = engine.core.columns.checkpoints(engine.core.pool_id("club"))._methods[identity(elo(engine))].held
    places = sorted([0, *(one.results for one in held)])
    assert len(places) < 32
    assert np.diff(places).max() <= 2 * (GAMES + 30) // 20


def test_a_published_list_keeps_its_checkpoint(engine: Engine, path: Path) -> None:
    march = engine.rating_list("club", "elo", through="1970-03-31")
    engine.publish(march, name="1970-03")
    assert [file for file in files(path) if file.stem.endswith("p")]
    engine.void("g10")
    right(engine)
    with open_engine(path) as other:
        view = other.core.view("club", "1970-03-31", march.known_at)
        found = other.core.columns.checkpoints(view.timeline.pool).nearest(elo(other), view, identity(elo(other)))
        assert found is not None
        assert found.results == view.n_games
        assert other.published_list("1970-03").seal == march.seal


def test_whole_pool_methods_and_newcomers_are_kept_at_the_end_only(engine: Engine) -> None:
    for text in ("berkin:prior_draws=1", "elo:entry=trial(3)", "elo:period=event"):
        right(engine, text)
        assert begins(engine, text) == engine.core.view("club").n_games
        right(engine, text)
        right(engine, text, through="1970-05-01")
        engine.record(game(GAMES + engine.log.head.position, day=50))
        assert begins(engine, text) == 0
        right(engine, text)


@frozen
class Choosy(Method):
    """Has no number for one result in ten, game by game or, in one fit, for all; its fit never converges."""

    name = "choosy"
    fits: bool = False

    @property
    def cadence(self) -> Cadence:
        return Cadence.RETROSPECTIVE if self.fits else Cadence.CONTINUOUS

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating"),)

    def rate(self, state: State, games: Games) -> Rated | Solved:
        odd, zero = games.position % 10 == 0, games.score * 0.0
        left_out = {"too far apart": int(odd.sum())} if odd.any() else {}
        if self.fits:
            return Solved(state, zero, left_out=left_out, stopped="after 1 round")
        return Rated(state, np.where(odd, np.nan, 0.5), (zero, zero), left_out=left_out)

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(games.score * 0.0)


@pytest.mark.parametrize("fits", [False, True])
def test_what_a_method_says_of_results_is_on_lists_from_checkpoints_too(path: Path, fits: bool) -> None:
    method, stopped = Choosy(fits), "after 1 round" if fits else ""
    for _ in range(2):  # the second time from files
        with open_engine(path) as engine:
            for _ in range(2):
                made = engine.rating_list("club", method)
                assert (made.left_out, made.provenance.stopped) == ({"too far apart": GAMES // 10}, stopped)
                assert "left out: 30 results (too far apart)" in made.provenance.lines()
                assert ("the fit stopped before it converged: after 1 round" in str(made)) == fits
            halfway = engine.rating_list("club", method, through=(GAMES // 2 - 1) * DAY)
            assert halfway.left_out == {"too far apart": GAMES // 20}
        assert files(path)


def test_a_what_if_leaves_no_checkpoint_behind(engine: Engine, path: Path) -> None:
    right(engine)
    before = files(path)
    supposed = engine.what_if([game(GAMES, day=10)])
    right(supposed)
    assert files(path) == before
    right(engine)
