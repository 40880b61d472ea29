"""Whole-History Rating: both ways of solving, what time does, what is refused."""

import numpy as np
import pytest
import ratingcore_whr.history as history
import ratingcore_whr.whr as module
from ratingcore_whr import Whr, ratingcore_methods

from ratingcore.errors import BadParameter, BadResult
from ratingcore.plugin import DAY, Games, Span, State
from ratingcore.testing import Law, method_checks


def season(players: int = 30, n: int = 400) -> Games:
    rng = np.random.default_rng(3)
    a = rng.integers(0, players, n).astype(np.int32)
    b = ((a + rng.integers(1, players, n)) % players).astype(np.int32)
    at = np.arange(1, n + 1)
    return Games(a, b, rng.choice([0.0, 0.5, 1.0], n), at * DAY // 3, at, Span(0, n * DAY))


def test_long_histories_are_solved_like_short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    whr, games = Whr(w2=100.0), season()
    start = State.start(whr.columns(), 30)
    short = whr.rate(start, games)
    monkeypatch.setattr(history, "DENSE", 4)
    monkeypatch.setattr(module, "DENSE", 4)
    long = whr.rate(start, games)
    assert long.state["rating"] == pytest.approx(short.state["rating"], abs=1e-7)
    assert long.state["deviation"] == pytest.approx(short.state["deviation"], rel=0.1)
    assert short.covariance is not None
    assert long.covariance is not None
    assert long.covariance(1, 2) == pytest.approx(short.covariance(1, 2), rel=1e-5)


def test_deviations_are_smaller_where_opponents_stand_still() -> None:
    games = season()
    both = [Whr(deviations=word).rate(State.start(Whr().columns(), 30), games).state for word in ("own", "joint")]
    assert (both[0]["deviation"] < both[1]["deviation"]).all()
    assert both[0]["rating"] == pytest.approx(both[1]["rating"])


def test_no_other_past_is_more_likely() -> None:
    """What games pull a player's days by, all together, is what the prior pulls back."""
    whr, games = Whr(), season()
    solved = whr.rate(State.start(whr.columns(), 30), games)
    surprise = games.score - solved.fitted
    assert solved.track is not None
    for player in range(30):
        pull = surprise[games.a == player].sum() - surprise[games.b == player].sum()
        first = solved.track.columns["rating"][solved.track.player == player][0]
        assert pull == pytest.approx(2.0 / (1.0 + 10.0 ** (-first / 400.0)) - 1.0, abs=1e-7)


def test_deviations_grow_on_the_list_of_a_later_day() -> None:
    whr, games = Whr(w2=300.0), season()
    state = whr.rate(State.start(whr.columns(), 30), games).state
    day = int(state["last"][0])
    now, later = (float(whr.show(state, (day + more) * DAY)["deviation"][0]) for more in (0, 100))
    assert later**2 - now**2 == pytest.approx(300.0 * 100.0)


def test_a_score_that_is_none_is_refused() -> None:
    games = season(4, 3).replaced(score=np.array([1.0, np.nan, 0.0]))
    with pytest.raises(BadResult, match="no share of a point"):
        Whr().rate(State.start(Whr().columns(), 4), games)


@pytest.mark.parametrize("parameter", ["w2", "prior_games"])
def test_a_value_a_parameter_cannot_have_is_refused_by_name(parameter: str) -> None:
    with pytest.raises(BadParameter):
        Whr(**{parameter: 0.0})


def test_the_plugin_offers_whr() -> None:
    assert ratingcore_methods() == [Whr]


@method_checks(Whr(), Whr(w2=300.0, deviations="own", mean=1500.0), Whr(prior_games=0.2))
def test_whr_keeps_the_laws(law: Law, method: Whr) -> None:
    law(method)
