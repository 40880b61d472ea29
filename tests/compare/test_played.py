"""Burn-in, and the sessions of a view."""

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.compare.forecasts import forecast
from ratingcore.compare.played import BurnIn, PlayedSessions
from ratingcore.compare.scores import binary, scores
from ratingcore.errors import BadValue
from ratingcore.events import instant
from tests.columns.making import POOL, engine, game
from tests.compare.making import games_of, league
from tests.compare.test_forecasts import eng_method


@pytest.mark.parametrize(
    ("text", "scored"),
    [("none", 5), ("games(2)", 3), ("games(9)", 0), ("each(1)", 3), ("each(2)", 1), ("days(3)", 2), ("days(0)", 5)],
)
def test_burn_in_leaves_games_out_of_the_scores(text: str, scored: int) -> None:
    eng = engine(game(1, "a", "b"), game(2, "a", "b"), game(3, "b", "c"), game(4, "c", "a"), game(5, "a", "b"))
    played, which = games_of(eng), BurnIn.parse(text).scored(games_of(eng))
    found = scores(forecast(eng_method("elo"), eng.core.view(POOL)), played, which)
    assert (found.n, found.left_out, found.unrated) == (scored, 5 - scored, 0)


def test_what_burns_in_is_rated_all_the_same() -> None:
    eng = league(100)
    played, found = games_of(eng), forecast(eng_method("elo"), eng.core.view(POOL))
    which = BurnIn.parse("games(60)").scored(played)
    assert scores(found, played, which)._replace(left_out=0) == binary(found.expected[60:], played.score[60:])


@pytest.mark.parametrize("text", ["", "games", "games(x)", "weeks(3)", "none(1)", "days(-1)", "each(1.5)"])
def test_a_burn_in_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadValue, match="burn-in"):
        BurnIn.parse(text)


@pytest.mark.parametrize("text", ["none", "games(10)", "each(3)", "days(365)"])
def test_a_burn_in_is_spelt_as_it_is_read(text: str) -> None:
    assert str(BurnIn.parse(text)) == text


def club() -> PlayedSessions:
    days = (("2024-01-03", "ann bo"), ("2024-01-09", "ann cy di"), ("2024-03-01", "bo cy"), ("2024-03-05", "ann cy"))
    with rc.open(":memory:") as engine:
        for day, names in days:
            sides = [rc.Side([name], float(place)) for place, name in enumerate(names.split())]
            engine.record(rc.SessionPlayed(uid=day, pool="club", played=day, sides=sides))
        engine.record(rc.GamePlayed(uid="g", pool="club", played="2024-02-01", a="ann", b="bo", score=1.0))
        return PlayedSessions.of(engine.core.view("club", "2024-03-01"))


def test_sessions_stand_without_games_through_the_cut() -> None:
    played = club()
    assert len(played) == 3
    assert np.diff(played.result).tolist() == [2, 3, 2]
    assert played.block.tolist() == [0, 0, 2]


def test_experience_is_that_of_the_least_experienced() -> None:
    assert club().experience.tolist() == [0, 0, 1]


def test_what_comes_before_a_day_or_in_the_burn_in_is_not_scored() -> None:
    played = club()
    assert BurnIn().scored(played) is None
    assert np.array_equal(BurnIn().scored(played, instant("2024-01-04")), [False, True, True])
    for text in ("games(2)", "days(7)", "each(1)"):
        assert np.array_equal(BurnIn.parse(text).scored(played), [False, False, True])
