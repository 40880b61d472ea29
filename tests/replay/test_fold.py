"""The fold: a method run over a view by its cadence."""

from typing import Any

import pytest
from ratingcore_elo import Elo

from ratingcore.events import DAY
from tests.columns.making import engine, game, seed
from tests.laws.methods import TALLY
from tests.replay.leagues import league, run
from tests.replay.toys import Monthly, Pairs, Walk, Whole, ratings


@pytest.mark.parametrize("method", [Walk(), Pairs(), Monthly(), Monthly(cut="event"), Whole(), Elo(), TALLY], ids=str)
def test_where_nothing_was_played_nothing_is_rated(method: Any) -> None:
    elsewhere = engine(game(1, "a", "b"), game(1, "a", "b", pool="other"))
    for cuts in ({"through": 0}, {"known_at": 0}):
        replay = run(method, elsewhere, **cuts)
        assert len(replay.results) == 0
        assert ratings(replay) == {}


@pytest.mark.parametrize("method", [Walk(), Monthly(), Elo(), Elo(period=Monthly().period)], ids=lambda m: m.name)
def test_keeping_what_was_moved_moves_nothing(method: Any) -> None:
    eng = league()
    for cuts in ({}, {"through": 100 * DAY}, {"known_at": 150}):
        kept, bare = run(method, eng, **cuts), run(method, eng, keep=False, **cuts)
        assert kept.state["rating"].tobytes() == bare.state["rating"].tobytes()


def test_the_span_of_a_view_reaches_from_its_first_to_its_last_result() -> None:
    method = Walk()
    run(method, engine(seed(0, "a"), game(1, "a", "b"), game(5, "a", "b")), through=4 * DAY)
    assert method.calls[0].span == (DAY, DAY + 1)
