"""Rows for seeds: many seeds in one call, and the numbers of a call between every two of them."""

from typing import Any

import numpy as np
import pytest
from attrs import field, frozen
from ratingcore_chess_bayes import ChessBayes
from ratingcore_elo import Elo

from ratingcore.engine import Engine
from ratingcore.events import DAY, PlayerDescribed, RatingSeeded
from ratingcore.plugin import Cadence, Column, Games, Need, Rated, State
from ratingcore.replay import continuous
from ratingcore.replay.fold import run_of
from tests.columns.making import POOL, engine, game
from tests.replay.leagues import run
from tests.replay.toys import Toy, Walk


@frozen(eq=False)
class Years(Toy):
    """Continuous: the surplus and a field of players; the last ten scores of each."""

    name = "years"
    cadence = Cadence.CONTINUOUS
    needs = (Need("born", of="player", default=2000.0),)
    sizes: list[int] = field(factory=list, kw_only=True)

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 100.0), Column("past", np.nan, shape=(10,), digits=None, kept=False))

    def rate(self, state: State, games: Games) -> Rated:
        self.sizes.append(len(games))
        rating, past, change = state.copy("rating"), state.copy("past"), games.blank()
        for g, (a, b) in enumerate(zip(games.a, games.b, strict=True)):
            change[g] = games.score[g] - 0.5 + (games["born"][a] - games["born"][b]) / 7 + np.nansum(past[a])
            rating[a] += change[g]
            rating[b] -= change[g]
            past[a] = np.append(past[a][1:], games.score[g])
        return Rated(state.replace(rating=rating, past=past), np.full(len(games), 0.5), (change, -change))


def seeded(partly: bool = False) -> Engine:
    """Games of twelve players, many of whom are seeded time and again, some twice at one time."""
    rng = np.random.default_rng(11)
    events: list[Any] = [
        PlayerDescribed(player=f"p{i}", played=0, pool=POOL, data={"born": 1980 + i}) for i in range(12)
    ]
    for day in range(300):
        a, b = rng.choice(12, 2, replace=False)
        events.append(game(day // 2, f"p{a}", f"p{b}", float(rng.choice([0, 0.5, 1]))))
        for _ in range(rng.integers(3)):
            values = {"deviation": 50.0} if partly and rng.random() < 0.3 else {"rating": float(rng.integers(2000))}
            when = int((day // 2 + rng.choice([0.0, 0.5])) * DAY)
            events.append(RatingSeeded(pool=POOL, played=when, player=f"p{rng.integers(14)}", values=values))
    return engine(*events)


@pytest.mark.parametrize("method", [Elo(), Elo(floor=900.0), Elo(k="fide2014"), Walk(), Years(), ChessBayes()])
@pytest.mark.parametrize("partly", [False, True])
def test_rows_for_seeds_give_the_bits_of_calls_that_are_cut_at_seeds(method: Any, partly: bool) -> None:
    """What is kept of every game has calls that are cut, so it is the other way."""
    eng = seeded(partly)
    cut, rows = run(method, eng), run(method, eng, keep=False)
    for name in cut.state.names:
        assert rows.state[name].tobytes() == cut.state[name].tobytes(), name
    assert rows.sown.index.tolist() == cut.sown.index.tolist()
    assert rows.sown.rating.tobytes() == cut.sown.rating.tobytes()
    assert rows.sown.jump.tobytes() == cut.sown.jump.tobytes()
    assert rows.sown.call.tolist() == cut.sown.call.tolist()


def test_many_seeds_take_the_calls_of_a_history_without_them() -> None:
    method = Years()
    run(method, seeded(), keep=False)
    assert method.sizes == [300]


def test_a_seed_that_leaves_a_column_ends_a_call() -> None:
    """Nothing but the row of the player has what the seed leaves."""
    method = Walk()
    eng = engine(game(1, "ann", "bo"), *(RatingSeeded(pool=POOL, played=d * DAY, player="ann", values={"rating": 9.0})
                 for d in (2, 4)), game(3, "ann", "bo"), game(5, "ann", "bo"))  # fmt: skip
    assert run(method, eng, keep=False).state["count"].tolist() == [3.0, 3.0]
    assert [len(call.positions) for call in method.calls] == [1, 1, 1]


@pytest.mark.parametrize("chunk", [3, 50])
def test_states_on_the_way_and_chunks_do_not_show_that_seeds_had_rows(
    chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    eng = seeded()
    stops = [day * DAY for day in (0, 20, 21, 90, 149, 400)]
    seen: dict[int, bytes] = {}

    def keep(stop: int, state: State) -> None:
        seen[stop] = state["rating"].tobytes()

    monkeypatch.setattr(continuous, "CHUNK", chunk)
    monkeypatch.setattr(continuous, "PER_PLAYER", 0)
    view = eng.view(POOL)
    end = run_of(Elo(), view).stand(stops, keep)
    assert end["rating"].tobytes() == run(Elo(), eng).state["rating"].tobytes()
    for stop in stops:
        through = run(Elo(), eng, through=stop)
        assert np.frombuffer(seen[stop])[: through.view.n_players].tobytes() == through.state["rating"].tobytes()
