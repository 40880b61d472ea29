"""Seeds: planted at their time, before games of that time, with as few cuts as that takes."""

from typing import Any

import numpy as np
import pytest
from attrs import field, frozen
from ratingcore_chess_bayes import ChessBayes
from ratingcore_elo import Elo

from ratingcore.engine import Engine
from ratingcore.events import DAY, PlayerDescribed, RatingSeeded
from ratingcore.plugin import Cadence, Column, Games, Need, Rated, State
from ratingcore.replay import fold
from ratingcore.replay import run as runs
from ratingcore.replay.contract_check import left_out
from ratingcore.replay.fold import run_of
from tests.columns.making import POOL, engine, game, session
from tests.replay.leagues import run
from tests.replay.toys import Monthly, Pairs, Toy, Walk, Whole, column, ratings


def seed(day: float, player: str, **values: float) -> RatingSeeded:
    return RatingSeeded(pool=POOL, played=int(day * DAY), player=player, values=values or {"rating": 500.0})


def cuts(method: Toy) -> list[list[int]]:
    """Positions of the games of each call."""
    return [call.positions for call in method.calls]


def test_first_seeds_are_part_of_the_starting_state_and_cut_nothing() -> None:
    eng = engine(seed(5, "cy"), game(1, "ann", "bo"), game(6, "cy", "ann"), seed(1, "bo"), seed(0, "ann"))
    method = Walk()
    run(method, eng)
    assert cuts(method) == [[2, 3]]
    assert method.calls[0].state["rating"] == [500.0, 500.0, 500.0]


def test_a_seed_comes_before_a_game_of_exactly_its_time() -> None:
    eng = engine(game(1, "ann", "bo"), seed(1, "ann"))
    assert ratings(run(Walk(), eng)) == {"ann": 500 - 40 + 5, "bo": 95}


def test_a_seed_of_a_later_moment_comes_after() -> None:
    eng = engine(game(1, "ann", "bo"), RatingSeeded(pool=POOL, played=DAY + 1, player="ann", values={"rating": 500.0}))
    assert ratings(run(Walk(), eng))["ann"] == 500


def test_the_order_of_a_seed_counts_among_seeds_only() -> None:
    late = RatingSeeded(pool=POOL, played=DAY, player="ann", values={"rating": 700.0}, order=5)
    eng = engine(late, seed(1, "ann"), game(1, "ann", "bo", order=-3))
    assert ratings(run(Walk(), eng))["ann"] == 700 - 60 + 5


def test_a_seed_in_mid_history_waits_until_its_player_plays_again() -> None:
    games = [game(day, "ann", "bo") for day in range(1, 9)]
    eng = engine(game(0, "cy", "dee"), *games, game(9, "cy", "dee"), seed(3, "cy"), seed(5, "dee"))
    method = Walk()
    replay = run(method, eng)
    assert [len(call) for call in cuts(method)] == [9, 1]
    assert replay.sown.index.tolist() == [9, 9]


def test_seeds_that_fall_due_together_are_planted_at_one_cut() -> None:
    """The fewest cuts: each as late as the first game of a player who waits."""
    eng = engine(
        *(game(0, a, b) for a, b in ("ab", "cd", "ef")),
        seed(1, "a"), seed(1, "c"), game(2, "e", "f"), seed(3, "e"), game(4, "a", "c"), game(5, "e", "f"), seed(6, "b"),
    )  # fmt: skip
    method = Walk()
    replay = run(method, eng)
    assert cuts(method) == [[1, 2, 3, 6], [8, 9]]
    assert replay.sown.index.tolist() == [4, 4, 4, 6]
    assert ratings(replay)["b"] == 500


def test_however_seeds_are_cut_the_numbers_are_those_of_planting_each_in_its_place() -> None:
    rng = np.random.default_rng(4)
    events = []
    for day in range(120):
        a, b = rng.choice(12, 2, replace=False)
        events.append(game(day // 2, f"p{a}", f"p{b}", float(rng.choice([0, 0.5, 1]))))
        if rng.random() < 0.4:
            events.append(
                seed(day // 2 + rng.choice([0, 0.5]), f"p{rng.integers(12)}", rating=float(rng.integers(500)))
            )
    eng = engine(*events)
    rating: dict[str, float] = {}
    for event in sorted(events, key=lambda event: (event.played, event.kind == "game")):
        if isinstance(event, RatingSeeded):
            rating[event.player] = event.values["rating"]
            continue
        for player, score in ((event.a, event.score), (event.b, 1 - event.score)):
            was = rating.get(player, 100.0)
            rating[player] = was + (100 - was) / 10 + 10 * (score - 0.5)
    assert ratings(run(Walk(), eng)) == pytest.approx(rating, rel=0, abs=1e-9)


def test_a_seed_leaves_columns_it_does_not_name_but_those_that_are_not_kept_start_again() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "ann", "bo"), seed(3, "ann"))
    replay = run(Walk(), eng)
    assert column(replay, "rating")["ann"] == 500
    assert column(replay, "count") == {"ann": 2, "bo": 2}
    assert column(replay, "last") == {"ann": -1, "bo": 2 * DAY}


def test_a_seed_of_another_column_leaves_the_rating() -> None:
    eng = engine(game(1, "ann", "bo"), seed(2, "ann", count=40.0), seed(2, "bo", last=7.0, surprise=3.0))
    replay = run(Walk(), eng)
    assert column(replay, "rating") == {"ann": 105, "bo": 95}
    assert column(replay, "count") == {"ann": 40, "bo": 1}
    assert column(replay, "last") == {"ann": -1, "bo": 7}


def test_several_seeds_of_a_player_at_one_time_follow_one_another() -> None:
    eng = engine(
        game(1, "ann", "bo"), seed(2, "ann", rating=300.0), seed(2, "ann", count=9.0), seed(2, "ann", rating=400.0)
    )
    replay = run(Walk(), eng)
    assert (column(replay, "rating")["ann"], column(replay, "count")["ann"]) == (400, 9)
    assert replay.sown.rating.tolist() == [300, 300, 400]
    assert replay.sown.jump.tolist() == [195, 0, 100]


def test_first_seeds_of_a_player_follow_one_another_in_time() -> None:
    eng = engine(seed(2, "ann", rating=300.0), seed(1, "ann", rating=200.0), game(3, "ann", "bo"))
    replay = run(Walk(), eng)
    assert replay.sown.rating.tolist() == [200, 300]
    assert ratings(replay)["ann"] == 300 - 20 + 5


@pytest.mark.parametrize("method", [Walk(), Monthly(), Whole(), Elo()], ids=lambda method: method.name)
def test_a_seed_that_names_no_column_of_the_method_changes_nothing_and_is_counted(method: Any) -> None:
    events = [seed(1, "ann"), game(1, "ann", "bo")]
    without, withit = engine(*events), engine(*events, seed(1, "bo", mu=25.0, sigma=8.0))
    assert ratings(run(method, withit)) == ratings(run(method, without))
    assert left_out(method, withit.core.view(POOL)) == ((f"seed that names no column of {method.name}", 1),)
    assert left_out(method, without.core.view(POOL)) == ()


def test_a_seed_after_the_cut_is_not_looked_at() -> None:
    eng = engine(game(1, "ann", "bo"), seed(2, "bo", mu=25.0))
    assert ratings(run(Walk(), eng, through=DAY)) == {"ann": 105, "bo": 95}


def test_a_seed_cannot_set_what_belongs_to_pairs() -> None:
    eng = engine(game(1, "ann", "bo"), seed(1, "ann", met=3.0))
    assert run(Pairs(), eng).state["met"].tolist() == [1]
    assert left_out(Pairs(), eng.core.view(POOL)) == (("seed that names no column of pairs", 1),)


def test_a_method_with_columns_of_pairs_is_cut_exactly_where_the_seed_belongs() -> None:
    eng = engine(game(1, "cy", "dee"), game(2, "ann", "bo"), seed(2, "cy"), game(3, "ann", "bo"), seed(1, "ann"))
    method = Pairs()
    replay = run(method, eng)
    assert cuts(method) == [[1], [2, 4]]
    assert replay.state["met"].tolist() == [1, 2]
    assert replay.state["all"].tolist() == [3]


def test_in_periods_a_seed_before_the_games_of_its_player_is_planted_at_the_start_of_its_period() -> None:
    eng = engine(seed(20, "ann"), game(21, "ann", "bo"), seed(45, "bo", rating=300.0), game(46, "ann", "bo"))
    method = Monthly()
    run(method, eng)
    assert [call.state["rating"] for call in method.calls] == [[500, 100], [504, 300]]


def test_in_periods_a_seed_without_games_has_a_period_of_its_own() -> None:
    eng = engine(game(2, "ann", "bo"), seed(100, "cy"))
    method = Monthly()
    replay = run(method, eng)
    assert [len(call.positions) for call in method.calls] == [1, 0, 0, 0]
    assert ratings(replay) == {"ann": 101, "bo": 91, "cy": 499}


def test_in_periods_a_seed_of_an_open_period_stands_already() -> None:
    eng = engine(game(2, "ann", "bo"), seed(40, "ann"), game(45, "ann", "bo"))
    assert ratings(run(Monthly(), eng, through=50 * DAY)) == {"ann": 500, "bo": 94}


def test_a_whole_pool_method_has_seeds_in_its_starting_state_and_the_latest_of_a_player_stands() -> None:
    eng = engine(game(2, "ann", "bo"), seed(40, "ann"))
    method = Whole()
    run(method, eng)
    assert method.calls[0].state["rating"] == [500, 100]
    eng.record(seed(0, "ann", rating=300.0), seed(50, "bo", rating=700.0))
    again = Whole()
    run(again, eng)
    assert again.calls[0].state["rating"] == [500, 700]
    assert left_out(again, eng.core.view(POOL)) == (("seed before a later one of the player", 1),)


def test_two_seeded_names_that_are_merged_have_the_later_seed_in_a_whole_pool() -> None:
    eng = engine(game(2, "ann", "bo"), seed(1, "ann"), seed(3, "ann m", rating=900.0))
    eng.merge("ann", "ann m")
    method = Whole()
    run(method, eng)
    assert method.calls[0].state["rating"] == [900, 100]


@pytest.mark.parametrize("method", [Walk(), Monthly(), Whole()], ids=lambda method: method.name)
def test_a_pool_of_seeds_alone_has_their_ratings(method: Toy) -> None:
    eng = engine(seed(3, "ann"), seed(4, "bo", rating=300.0))
    lost = 1 if isinstance(method, Monthly) else 0
    assert ratings(run(method, eng)) == {"ann": 500 - lost, "bo": 300 - lost}


def test_a_list_of_seeds_alone_is_of_the_day_of_the_last() -> None:
    """It was dated 1970-01-01."""
    eng = engine(seed(300, "ann"), seed(400, "bo"))
    assert run(Walk(), eng).at == 400 * DAY
    eng.record(game(350, "ann", "bo"))
    assert run(Walk(), eng).at == 400 * DAY
    assert run(Walk(), eng, through=360 * DAY).at == 360 * DAY


def test_sessions_are_cut_just_before_the_first_result_of_the_time_of_a_seed() -> None:
    from tests.laws.methods import TALLY

    eng = engine(session(1, ("a", 1.0), ("b", 0.0)), session(2, ("a", 1.0), ("b", 0.0)), seed(2, "c"), seed(3, "a"))
    replay = fold(TALLY, eng.core.view(POOL), keep=True)
    assert ratings(replay) == pytest.approx({"a": 500, "b": -0.95, "c": 500})
    assert replay.sown.index.tolist() == [1, 2]


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

    monkeypatch.setattr(runs, "CHUNK", chunk)
    monkeypatch.setattr(runs, "PER_PLAYER", 0)
    view = eng.core.view(POOL)
    end = run_of(Elo(), view).stand(stops, keep)
    assert end["rating"].tobytes() == run(Elo(), eng).state["rating"].tobytes()
    for stop in stops:
        through = run(Elo(), eng, through=stop)
        assert np.frombuffer(seen[stop])[: through.view.n_players].tobytes() == through.state["rating"].tobytes()
