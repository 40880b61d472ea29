"""The strategies make logs that can be replayed, by methods of every form."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ratingcore_elo import Elo

from ratingcore.columns import FOREVER, TimelineCache, View
from ratingcore.events import GamePlayed
from ratingcore.log import SqliteLog, verify
from ratingcore.plugin import Method
from ratingcore.replay import fold
from ratingcore.testing.season import POOL
from ratingcore.testing.strategies import games, histories, logs
from tests.testing.toys import BradleyTerry, Glacier, TeamElo

pinned = settings(derandomize=True, deadline=None, max_examples=40)


def view_of(log: SqliteLog) -> View | None:
    pool = log.book.find("pool", POOL)
    return pool and View(log, TimelineCache(None, pool).at_head(log), POOL, FOREVER, log.book)


@pinned
@given(games())
def test_games_are_of_two_players(game: GamePlayed) -> None:
    assert game.a != game.b


@pytest.mark.parametrize("method", [Elo(), Glacier(), BradleyTerry()], ids=lambda method: method.name)
@pinned
@given(data=st.data())
def test_any_log_can_be_replayed(method: Method, data: st.DataObject) -> None:
    log = data.draw(logs(corrections=True, seeded=not isinstance(method, BradleyTerry)))
    verify(log, [])
    view = view_of(log)
    if view is not None:
        replay = fold(method, view, keep=True)
        assert len(replay.state["rating"]) == view.n_players


@pinned
@given(logs(seated=True))
def test_sessions_among_the_games_can_be_replayed(log: SqliteLog) -> None:
    view = view_of(log)
    if view is not None:
        fold(TeamElo(), view, keep=True)


@pinned
@given(histories(corrections=False, seeded=False))
def test_a_history_of_results_alone_holds_nothing_else(events: list[GamePlayed]) -> None:
    assert {type(event) for event in events} == {GamePlayed}
