"""What a replay leaves behind: ratings before every result, for every cadence."""

import numpy as np
import pytest
from ratingcore_elo import Elo

from ratingcore.events import DAY
from ratingcore.replay import fold
from tests.columns.making import POOL, engine, game, seed, session
from tests.laws.methods import TALLY
from tests.replay.toys import Monthly, Unrated, Walk

EVENTS = [game(1, "a", "b"), game(2, "b", "c", 0.5), seed(3, "a", 500.0), seed(0, "c", 200.0), game(3, "a", "c", 0.0)]


def test_the_rating_before_a_game_holds_what_moved_just_before_it_and_every_seed() -> None:
    replay = fold(Walk(), engine(*EVENTS).core.view(POOL), keep=True)
    assert replay.rating_before.tolist() == [100, 100, 95.5, 190, 460, 181]


def test_before_plus_change_is_the_rating_before_the_next_game_of_a_continuous_method() -> None:
    replay = fold(Elo(), engine(*EVENTS).core.view(POOL), keep=True)
    assert replay.moves is not None
    after = replay.rating_before + replay.moves.change
    last = {int(player): rating for player, rating in zip(replay.member, after, strict=True)}
    assert last == {row: rating for row, rating in enumerate(replay.state["rating"].tolist()) if row in last}
    assert replay.rating_before[4] == 500.0


def test_in_periods_the_rating_before_is_the_one_the_period_began_with() -> None:
    eng = engine(game(1, "a", "b"), game(2, "a", "b"), seed(40, "b", 300.0), game(41, "a", "b"), game(50, "b", "a"))
    replay = fold(Monthly(), eng.core.view(POOL), keep=True)
    assert replay.rating_before.tolist() == [100, 100, 100, 100, 109, 300, 300, 109]


def test_of_sessions_there_is_a_rating_a_member() -> None:
    eng = engine(
        session(1, ("ab", 3.0), ("c", 1.0)), seed(2, "c", 500.0), session(2, ("c", 4.0), ("b", 2.0), ("a", 0.0))
    )
    replay = fold(TALLY, eng.core.view(POOL), keep=True)
    assert replay.rating_before.tolist() == [0, 0, 0, 500, 1, 1]
    assert replay.member_start.tolist() == [0, 3, 6]


def test_where_a_rating_is_unknown_it_stays_unknown_until_a_seed() -> None:
    eng = engine(game(1, "a", "b"), seed(2, "a", 500.0), game(3, "a", "b"))
    replay = fold(Unrated(), eng.core.view(POOL), keep=True)
    before = replay.rating_before
    assert np.isnan(before[[0, 1, 3]]).all()
    assert before[2] == 500.0


@pytest.mark.parametrize("method", [Walk(), Monthly(), Elo()], ids=lambda m: m.name)
def test_nothing_played_gives_nothing_before(method: object) -> None:
    replay = fold(method, engine(seed(1, "a")).core.view(POOL), keep=True)  # type: ignore[arg-type]  # a method
    assert replay.rating_before.tolist() == []
    assert replay.at >= DAY


def test_a_periodic_replay_knows_its_periods_and_what_is_left_of_it_does_not() -> None:
    eng = engine(game(1, "a", "b"), game(2, "a", "b"), game(41, "a", "b"))
    replay, earlier = (fold(Monthly(), eng.core.view(POOL, through), keep=True) for through in (None, "1970-01-31"))
    assert [(call.start, call.stop) for call in replay.calls] == [(0, 2), (2, 3)]
    assert replay.beyond(earlier).calls == ()
    assert fold(Walk(), eng.core.view(POOL), keep=True).calls == ()
