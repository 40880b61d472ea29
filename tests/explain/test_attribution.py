"""Attribution by refitting: each result is the difference of two fits, and the differences are all there is."""

from itertools import pairwise
from math import isnan

import numpy as np
import pytest
from attrs import frozen
from ratingcore_berkin import Berkin

from ratingcore.engine import Engine
from ratingcore.events import DAY
from ratingcore.explain.attribution import WORDS, Attribution, Fits, attribute
from ratingcore.plugin import Column, Games, Solved, State
from ratingcore.replay import fold
from tests.columns.making import POOL, engine, game, seed, session
from tests.replay.toys import Tables, Toy, Whole

BERKIN = Berkin(prior_draws=1.0)


def attributed(method: object, eng: Engine, player: str, since: int = 0, **more: int) -> Attribution:
    replay = fold(method, eng.core.view(POOL))  # type: ignore[arg-type]  # a method
    return attribute(replay, replay.view.names().index(player), since, **more)


def rating(method: object, eng: Engine, player: str, through: int) -> float:
    replay = fold(method, eng.core.view(POOL, through))  # type: ignore[arg-type]  # a method
    return float(replay.state["rating"][replay.view.names().index(player)])


def test_a_result_is_what_it_moves_in_a_fit_of_all_before_it() -> None:
    eng = engine(game(1, "a", "b"), game(2, "b", "c"), game(3, "c", "a", 0.25))
    made = attributed(Whole(), eng, "a")
    assert [(share.results, share.before, share.after) for share in made.shares] == [
        ((0,), 100.0, 101.0), ((2,), 101.0, 101.75),
    ]  # fmt: skip
    assert made.shares[1].expected.tolist() == [pytest.approx(1 - (0.5 + (100.0 - 101.0) / 1000))]
    assert made.shares[1].opposition == 100.0
    assert (made.word, made.refits) == ("", 4)


def test_every_fit_equals_the_list_of_its_instant() -> None:
    """Where no two results share an instant, the fit with a result is the list through it, the one before too."""
    rng = np.random.default_rng(5)
    days = rng.permutation(60)
    pairs = [rng.choice(6, 2, replace=False) for _ in days]
    eng = engine(
        seed(3.5, "p5", 1200.0),
        *(
            game(int(day), f"p{a}", f"p{b}", float(rng.choice([0, 0.5, 1])))
            for day, (a, b) in zip(days, pairs, strict=True)
        ),
    )
    for method in (BERKIN, Whole(), Berkin(gauge="player", prior_draws=1.0)):
        for share in attributed(method, eng, "p1").shares:
            assert share.after == rating(method, eng, "p1", share.played)
            if share.played > 5 * DAY:
                assert share.before == rating(method, eng, "p1", share.played - 1)


def test_results_at_one_instant_are_taken_one_after_the_other() -> None:
    eng = engine(game(1, "a", "b"), game(1, "c", "b"), game(1, "a", "c"), game(1, "b", "a"))
    made = attributed(BERKIN, eng, "a")
    assert [share.results for share in made.shares] == [(0,), (2,), (3,)]
    assert made.shares[1].after == made.shares[2].before
    assert made.shares[2].after == rating(BERKIN, eng, "a", DAY)
    assert made.refits == 5


@pytest.mark.parametrize("day", [2, 3])
def test_an_own_seed_is_a_share_and_comes_before_results_of_its_time(day: int) -> None:
    eng = engine(game(1, "a", "b"), seed(day, "a", 500.0), game(3, "a", "b"))
    made = attributed(Whole(), eng, "a")
    assert [(share.seed, share.results, share.before, share.after) for share in made.shares] == [
        (None, (0,), 100.0, 101.0), (0, (), 101.0, 501.0), (None, (1,), 501.0, 502.0),
    ]  # fmt: skip


@pytest.mark.parametrize(("most", "word"), [(200, ""), (12, "day"), (6, "month"), (4, "year"), (2, "all"), (0, "all")])
def test_the_work_is_bounded_by_taking_results_together(most: int, word: str) -> None:
    hour = 1 / 24
    played = [0, hour, 2 * hour, 1, 1 + hour, 40, 41, 70, 71 + hour, 71, 400, 401]
    eng = engine(*(game(day, *(("a", "b") if n % 3 else ("b", "c"))) for n, day in enumerate(played)))
    replay = fold(BERKIN, eng.core.view(POOL))
    row = replay.view.names().index("b")
    calls = []

    @frozen
    class Counted(Berkin):
        def rate(self, state: State, games: Games) -> Solved:
            calls.append(len(games))
            return super().rate(state, games)

    made = attributed(Counted(prior_draws=1.0), eng, "b", most=most)
    assert made.word == word
    assert made.word in WORDS
    assert len(calls) - 1 == made.refits <= max(most, 2), "each fit is made once, and one is the list's"
    told = [r for share in made.shares for r in share.results]
    assert told == [*range(12)]
    assert made.shares[0].before == float(replay.start[row]) or isnan(made.shares[0].before)
    assert made.shares[-1].after == replay.state["rating"][row]
    for one, other in pairwise(made.shares):
        if word == "all" or one.results[-1] + 1 == other.results[0]:
            assert one.after == other.before


def test_results_together_are_those_of_the_player_and_nobody_elses() -> None:
    eng = engine(game(1, "a", "b"), game(1.1, "c", "b"), game(1.2, "a", "c", 0.25))
    made = attributed(Whole(), eng, "c", most=2)
    (share,) = made.shares
    assert (made.word, share.results, share.before, share.after) == ("day", (1, 2), 100.0, 101.75)


def test_only_results_since_a_day_are_shares_of_fits_of_everything() -> None:
    rng = np.random.default_rng(8)
    met = ((rng.integers(0, 180), *rng.choice(8, 2, replace=False)) for _ in range(80))
    eng = engine(*(game(int(day), f"p{a}", f"p{b}", 0.5) for day, a, b in met))
    whole, late = attributed(BERKIN, eng, "p1"), attributed(BERKIN, eng, "p1", 90 * DAY)
    assert [share.after for share in late.shares] == [share.after for share in whole.shares][-len(late.shares) :]
    assert len(late.shares) < len(whole.shares)


def test_sessions_are_attributed_from_the_own_side() -> None:
    @frozen(eq=False)
    class Seated(Tables):
        name = "seated"
        cadence = Whole.cadence

        def columns(self) -> tuple[Column, ...]:
            return (Column("rating", 100.0),)

        def rate(self, state: State, games: object) -> Solved:
            return Solved(super().rate(state, games).state, np.zeros(len(games.score)))  # type: ignore[attr-defined]  # Sides

    eng = engine(
        session(1, ("ab", 6.0), ("cd", 4.0)), game(2, "b", "c"), session(3, ("ac", 7.0), ("b", 5.0), ("d", 3.0))
    )
    made = attributed(Seated(), eng, "a")
    assert [(share.results, share.before, share.after) for share in made.shares] == [
        ((0,), 100.0, 106.0), ((2,), 106.0, 113.0),
    ]  # fmt: skip
    assert made.shares[1].opposition == (107.0 + 104.0) / 2
    assert attributed(Seated(), eng, "d", most=2).shares[0].results == (0, 2)


def test_who_was_not_there_yet_has_the_start_rating_before() -> None:
    eng = engine(game(1, "a", "b"), game(2, "z", "a"), game(3, "c", "z"))
    shares = attributed(Whole(), eng, "z").shares
    assert (shares[0].before, shares[0].after) == (100.0, 101.0)
    unrated = attributed(Berkin(), eng, "z").shares
    assert [isnan(share.before) and isnan(share.after) for share in unrated] == [True, True], "a reducible pool"


def test_columns_of_pairs_have_rows_for_whoever_met() -> None:
    @frozen(eq=False)
    class Met(Toy):
        name = "met"
        cadence = Whole.cadence

        def columns(self) -> tuple[Column, ...]:
            return (Column("rating"), Column("met", per="pair", digits=None))

        def rate(self, state: State, games: Games) -> Solved:
            rating, met = state.copy("rating"), state.copy("met")
            for g in range(len(games)):
                met[games.pair[g]] += 1
                rating[games.a[g]] += met[games.pair[g]]
            return Solved(state.replace(rating=rating, met=met), games.score.copy())

    eng = engine(game(1, "a", "b"), game(2, "c", "b"), game(3, "a", "c"), game(4, "a", "b"))
    assert [share.after - share.before for share in attributed(Met(), eng, "a").shares] == [1, 1, 2]


def test_a_fit_that_serves_two_shares_is_made_once() -> None:
    eng = engine(*(game(day, "a", "b") for day in range(9)))
    method = Whole()
    made = attributed(method, eng, "a")
    assert made.refits == 10
    assert len(method.calls) == 10 + 1
    assert Fits(fold(method, eng.core.view(POOL)), 0).own(5 * DAY)[0].tolist() == [5, 6, 7, 8]


def test_without_results_or_seeds_there_is_nothing_to_share() -> None:
    eng = engine(game(1, "a", "b"), game(2, "a", "b"))
    made = attributed(BERKIN, eng, "a", since=5 * DAY)
    assert (made.shares, made.refits, made.word) == ((), 0, "")
