"""Sweeps: in one pass or one by one, the scores are those of the forecasts of replays."""

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import frozen

import ratingcore as rc
from ratingcore.columns import Span, View
from ratingcore.compare.forecasts import forecast
from ratingcore.compare.played import Played
from ratingcore.compare.scores import binary
from ratingcore.compare.sweep import OBJECTIVES, SESSION, pass_of, sweep
from ratingcore.engine import Engine
from ratingcore.errors import BrokenContract, NothingForecast, UnknownScore
from ratingcore.events import instant
from ratingcore.plugin import Method
from tests.testing.liars import Honest

SPANS = (
    Span(instant("2024-01-01"), instant("2024-03-01")),
    Span(instant("2024-03-01"), instant("2024-12-01")),
    Span(instant("2024-02-10"), instant("2024-03-10")),
)
FIRST = rc.RatingSeeded(pool="p", played="2023-12-01", player="b", values={"rating": 1700.0})
LATER = rc.RatingSeeded(pool="p", played="2024-02-15", player="b", values={"rating": 1300.0})


def league(*further: rc.Event, games: int = 240) -> Engine:
    random = Random(3)
    engine = rc.open(":memory:")
    engine.record(*further)
    for n in range(games):
        a, b = random.sample("abcdefgh", 2)
        day = f"2024-{1 + n // 60:02d}-{1 + n % 28:02d}"
        data = {"home": random.choice(["a", "b", "n"])}
        engine.record(rc.GamePlayed(pool="p", played=day, a=a, b=b, score=random.choice([0.0, 0.5, 1.0]), data=data))
    return engine


def methods(engine: Engine, *texts: str) -> list[Method]:
    return [engine.registry.method(text) for text in texts]


def by_replay(method: Method, view: View) -> list[float]:
    told, played = forecast(method, view), Played.of(view)
    inside = [(played.played >= span.start) & (played.played < span.end) for span in SPANS]
    return [binary(told.expected[some], played.score[some]).log_loss or 0.0 for some in inside]


@pytest.mark.parametrize("further", [(), (FIRST,)])
def test_one_pass_scores_as_replays_do(further: tuple[rc.Event, ...]) -> None:
    with league(*further) as engine:
        settings = methods(engine, "elo", "elo:k=40", "elo:first_move=80", "elo:scale=200,initial=1000", "elo:k=0")
        view = engine.core.view("p")
        swept = pass_of(settings, view, SPANS)
        assert swept is not None
        np.testing.assert_allclose(swept.score, [by_replay(method, view) for method in settings], rtol=1e-12)
        assert (swept.games[:, :2].sum(axis=1) == 240).all()


def test_who_has_no_pass_is_replayed_and_all_come_back_in_their_places() -> None:
    with league() as engine:
        texts = ("elo:cap=100", "elo", "elo-margin:margin=none", "elo:k=40", "elo:curve=normal", "elo:period=month")
        settings, view = methods(engine, *texts), engine.core.view("p")
        told = sweep(settings, view, SPANS)
        np.testing.assert_allclose(told.score, [by_replay(method, view) for method in settings], rtol=1e-12)


def test_a_seed_in_the_middle_is_for_replays() -> None:
    with league(LATER) as engine:
        settings, view = methods(engine, "elo", "elo:k=40"), engine.core.view("p")
        assert pass_of(settings, view, SPANS) is None
        told = sweep(settings, view, SPANS)
        np.testing.assert_allclose(told.score, [by_replay(method, view) for method in settings], rtol=1e-12)


def test_a_pass_is_used_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with league() as engine:
        settings, view = methods(engine, "elo", "elo:k=40"), engine.core.view("p")
        monkeypatch.setattr("ratingcore.compare.sweep._replayed", lambda *args: pytest.fail("it was replayed"))
        assert sweep(settings, view, SPANS).score.shape == (2, 3)


@pytest.mark.parametrize("objective", [name for name in OBJECTIVES if not name.startswith(SESSION)])
def test_every_objective_is_scored(objective: str) -> None:
    with league() as engine:
        told = sweep(methods(engine, "elo:curve=normal,draw_band=100"), engine.core.view("p"), SPANS, objective)
        assert np.isfinite(told.score).all()


def test_scores_of_draws_are_refused_where_nothing_is_said_of_them() -> None:
    with league() as engine, pytest.raises(NothingForecast, match="elo forecasts no draws"):
        sweep(methods(engine, "elo"), engine.core.view("p"), SPANS, "rps")


def test_an_unknown_score_is_refused_with_those_there_are() -> None:
    with (
        league(games=1) as engine,
        pytest.raises(UnknownScore, match="no score named likelihood: there are log_loss, "),
    ):
        sweep(methods(engine, "elo"), engine.core.view("p"), SPANS, "likelihood")


def test_a_span_without_games_has_no_score() -> None:
    with league(games=3) as engine:
        empty = (Span(instant("2020-01-01"), instant("2020-02-01")),)
        for texts in (("elo", "elo:k=40"), ("elo:cap=10", "elo:cap=20")):
            told = sweep(methods(engine, *texts), engine.core.view("p"), empty)
            assert np.isnan(told.score).all()
            assert (told.games == 0).all()


def test_games_of_the_unrated_are_not_scored_and_counted_apart() -> None:
    with league() as engine:
        told = sweep(methods(engine, "elo:unrated=skip", "elo:unrated=skip,k=40"), engine.core.view("p"), SPANS)
        assert (told.games == 0).all()


@frozen
class Short(Honest):
    """Sweeps into a column that is too short."""

    @classmethod
    def sweep(cls, settings: Sequence[Any], games: Any, given: Any, cuts: Any, *, single: bool = False) -> Any:
        return np.zeros((len(settings), 1))


def test_a_pass_that_does_not_fit_breaks_the_contract() -> None:
    with league() as engine, pytest.raises(BrokenContract, match=r"a sweep returned shape \(2, 1\)"):
        sweep([Short(), Short(k=10.0)], engine.core.view("p"), SPANS)
