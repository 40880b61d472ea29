"""The fold: a method run over a view by its cadence."""

from typing import Any

import numpy as np
import pytest
from ratingcore_elo import Elo

from ratingcore.engine import Engine
from ratingcore.events import DAY
from ratingcore.plugin import Cadence, Column, Forecast, Games, Period, Solved, State
from ratingcore.replay import replay_with_forecasts, walk_forward
from tests.columns.making import POOL, engine, game, seed
from tests.laws.methods import TALLY
from tests.replay.leagues import league, run
from tests.replay.toys import Monthly, Pairs, Peeking, Toy, Walk, Whole, ratings


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


@pytest.fixture
def season() -> Engine:
    return engine(
        game(1, "a", "b"), game(2, "b", "c"), game(40, "a", "c", 0.5), game(41, "d", "a", 0.0), game(70, "d", "b"),
        game(71, "b", "a"),
    )  # fmt: skip


def test_every_period_is_forecast_from_a_fit_of_the_results_before_it(season: Engine) -> None:
    method = Whole()
    replay = walk_forward(method, season.core.view(POOL))
    assert [call.positions for call in method.calls] == [[1, 2, 3, 4, 5, 6], [], [1, 2], [1, 2, 3, 4]]
    assert replay.moves is not None
    a, b, c, d = 101.5 + 1, 101.0, 100.5, 100.0
    gaps = [0, 0, 101 - 100, 100 - 101, d - b, b - a]
    assert replay.moves.expected == pytest.approx([0.5 + gap / 1000 for gap in gaps])
    assert replay.rating_before.tolist() == [100, 100, 100, 100, 101, 100, 100, 101, d, b, b, a]
    assert not replay.moves.change.any()
    assert c == 100.5


def test_a_method_that_peeks_at_the_scores_sees_none(season: Engine) -> None:
    replay = replay_with_forecasts(Peeking(), season.core.view(POOL))
    assert replay.moves is not None
    assert replay.moves.expected.tolist() == [0.5] * 6
    assert replay.fitted is not None
    assert replay.fitted.tolist() == [1, 1, 0.5, 0, 1, 1], "fitted scores are hindsight, and kept apart"


def test_what_comes_later_never_changes_a_forecast(season: Engine) -> None:
    whole = replay_with_forecasts(Whole(), season.core.view(POOL))
    assert whole.moves is not None
    for day in (0, 2, 3, 40, 41, 60, 70, 90):
        cut = replay_with_forecasts(Whole(), season.core.view(POOL, day * DAY))
        assert cut.moves is not None
        n = len(cut.results)
        assert cut.moves.expected.tolist() == whole.moves.expected[:n].tolist()
        assert cut.rating_before.tolist() == whole.rating_before[: 2 * n].tolist()


def test_a_fit_is_not_told_when_the_results_after_it_end(season: Engine) -> None:
    method = Whole()
    walk_forward(method, season.core.view(POOL))
    for call in method.calls[1:]:
        assert call.span[1] in (0, 31 * DAY, 59 * DAY)


def test_a_fit_holds_only_players_who_had_appeared_by_the_end_of_the_period(season: Engine) -> None:
    method = Whole()
    walk_forward(method, season.core.view(POOL))
    assert [len(call.state["rating"]) for call in method.calls] == [4, 3, 4, 4]


def test_seeds_are_known_from_the_start_of_their_period(season: Engine) -> None:
    season.record(seed(45, "d", 700.0))
    method = Whole()
    walk_forward(method, season.core.view(POOL))
    assert [call.state["rating"][-1] for call in method.calls[1:]] == [100, 700, 700]


def test_a_period_that_is_not_closed_is_forecast_too(season: Engine) -> None:
    """Its forecasts were whatever the memory had held."""
    replay = replay_with_forecasts(Whole(), season.core.view(POOL, 40 * DAY))
    assert replay.moves is not None
    assert replay.moves.expected == pytest.approx([0.5, 0.5, 0.501])


def test_a_method_with_columns_of_pairs_has_a_row_for_every_pair_of_the_period() -> None:
    class Known(Toy):
        name = "known"
        cadence = Cadence.RETROSPECTIVE

        def columns(self) -> tuple[Column, ...]:
            return (Column("rating"), Column("met", per="pair", digits=None))

        def rate(self, state: State, games: Games) -> Solved:
            met = state.copy("met")
            np.add.at(met, games.pair, 1.0)
            return Solved(state.replace(met=met), games.score)

        def expected(self, state: State, games: Games) -> Forecast:
            return Forecast(state["met"][games.pair] / 10)

    replay = replay_with_forecasts(
        Known(), engine(*(game(day, "a", "b") for day in (1, 2, 40)), game(41, "a", "c")).core.view(POOL)
    )
    assert replay.moves is not None
    assert replay.moves.expected.tolist() == [0, 0, 0.2, 0]


def test_other_methods_say_themselves_what_they_expected(season: Engine) -> None:
    replay = replay_with_forecasts(Walk(), season.core.view(POOL))
    assert replay.moves is not None
    assert replay.moves.change.tolist()[:2] == [5.0, -5.0]


@pytest.mark.parametrize("period", ["days(7)", "year", "cuts(1970-01-03)"])
def test_any_calendar_period_forecasts_every_result(period: str, season: Engine) -> None:
    replay = walk_forward(Whole(), season.core.view(POOL, 70 * DAY), Period.parse(period))
    assert replay.moves is not None
    assert np.isfinite(replay.moves.expected).all()
    assert np.isfinite(replay.rating_before).all()


def test_nothing_played_is_nothing_forecast(season: Engine) -> None:
    replay = replay_with_forecasts(Whole(), season.core.view(POOL, 0))
    assert replay.moves is not None
    assert len(replay.moves.expected) == 0
