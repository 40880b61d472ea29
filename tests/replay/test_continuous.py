"""Continuous methods: many games a call, and nobody sees where one call ends."""

from typing import Any

import pytest
from ratingcore_elo import Elo
from ratingcore_weng_lin import WengLin

from ratingcore.events import PlayerDescribed
from ratingcore.plugin import Games, Rated, State
from ratingcore.replay import run as runs
from tests.columns.making import POOL, engine, game
from tests.laws.methods import TALLY
from tests.replay.leagues import league, run
from tests.replay.toys import Aged, Pairs, Walk, ratings


@pytest.mark.parametrize("method", [Walk(), Pairs(), Elo(), Elo(k=32.0, floor=1400.0, cap=400.0)], ids=lambda m: m.name)
@pytest.mark.parametrize("chunk", [1, 2, 7, 199])
def test_chunks_are_invisible(method: Any, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    eng = league()
    whole, bare = run(method, eng), run(method, eng, keep=False)
    monkeypatch.setattr(runs, "CHUNK", chunk)
    monkeypatch.setattr(runs, "PER_PLAYER", 0)
    for cut in (run(method, eng), run(method, eng, keep=False)):
        for name in whole.state.names:
            assert cut.state[name].tobytes() == whole.state[name].tobytes() == bare.state[name].tobytes(), name
    cut = run(method, eng)
    assert cut.moves is not None
    assert whole.moves is not None
    assert cut.moves.expected.tobytes() == whole.moves.expected.tobytes()
    assert cut.moves.change.tobytes() == whole.moves.change.tobytes()
    assert {name: note.tolist() for name, note in cut.moves.notes.items()} == {
        name: note.tolist() for name, note in whole.moves.notes.items()
    }
    assert cut.rating_before.tobytes() == whole.rating_before.tobytes()


def test_a_call_has_as_many_games_as_there_are_players_since_every_call_copies_what_they_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runs, "CHUNK", 2)
    calls: list[int] = []
    rate = Walk.rate

    def counted(walk: Walk, state: State, games: Games) -> Rated:
        calls.append(len(games))
        return rate(walk, state, games)

    monkeypatch.setattr(Walk, "rate", counted)
    run(Walk(), engine(*(game(day, f"p{day % 5}", f"q{day % 3}") for day in range(1, 21))), keep=False)
    assert calls == [8, 8, 4]


@pytest.mark.parametrize("weights", [None, "1 1/2"])
def test_chunks_are_invisible_to_methods_of_sides_with_a_field_of_members(
    weights: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = [{} if weights is None or day % 3 else {"weights": weights} for day in range(1, 40)]
    eng = engine(*(game(day, f"p{day % 5}", f"q{day % 3}", data=given) for day, given in enumerate(data, 1)))
    whole = run(WengLin(), eng)
    monkeypatch.setattr(runs, "CHUNK", 4)
    monkeypatch.setattr(runs, "PER_PLAYER", 0)
    for cut in (run(WengLin(), eng), run(WengLin(), eng, keep=False)):
        for name in whole.state.names:
            assert cut.state[name].tobytes() == whole.state[name].tobytes(), name


def test_chunks_are_invisible_where_sessions_are_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    eng = league(sessions=True, games=60)
    whole = run(TALLY, eng)
    monkeypatch.setattr(runs, "CHUNK", 3)
    monkeypatch.setattr(runs, "PER_PLAYER", 0)
    cut = run(TALLY, eng)
    assert cut.state["rating"].tobytes() == whole.state["rating"].tobytes()
    assert cut.moves is not None
    assert whole.moves is not None
    assert cut.moves.change.tobytes() == whole.moves.change.tobytes()


def test_pairs_are_numbered_by_first_appearance_whoever_sits_where() -> None:
    replay = run(Pairs(), engine(game(1, "a", "b"), game(2, "c", "a"), game(3, "b", "a"), game(4, "b", "c")))
    assert isinstance(replay.results, Games)
    assert replay.results.pair.tolist() == [0, 1, 0, 2]
    assert replay.state["met"].tolist() == [2, 1, 1]


def test_fields_that_are_needed_stay_aligned_in_every_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "CHUNK", 2)
    monkeypatch.setattr(runs, "PER_PLAYER", 0)
    eng = engine(
        *(game(day, f"p{day}", "x", data={"k": day}) for day in range(1, 8)),
        PlayerDescribed(pool=POOL, player="p5", played=0, data={"born": 2010}),
    )
    assert ratings(run(Aged(), eng))["p5"] == 100 + 5 * 10
