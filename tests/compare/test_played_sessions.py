"""The sessions of a view, and how long those who sat down had played before."""

import numpy as np

import ratingcore as rc
from ratingcore.compare.burn_in import BurnIn
from ratingcore.compare.played_sessions import PlayedSessions
from ratingcore.events import instant


def club() -> PlayedSessions:
    days = (("2024-01-03", "ann bo"), ("2024-01-09", "ann cy di"), ("2024-03-01", "bo cy"), ("2024-03-05", "ann cy"))
    with rc.open(":memory:") as engine:
        for day, names in days:
            sides = [rc.Side([name], float(place)) for place, name in enumerate(names.split())]
            engine.record(rc.SessionPlayed(uid=day, pool="club", played=day, sides=sides))
        engine.record(rc.GamePlayed(uid="g", pool="club", played="2024-02-01", a="ann", b="bo", score=1.0))
        return PlayedSessions.of(engine.view("club", "2024-03-01"))


def test_sessions_stand_without_games_through_the_cut() -> None:
    played = club()
    assert len(played) == 3
    assert np.diff(played.result).tolist() == [2, 3, 2]
    assert played.month.tolist() == [0, 0, 2]


def test_experience_is_that_of_the_least_experienced() -> None:
    assert club().experience.tolist() == [0, 0, 1]


def test_what_comes_before_a_day_or_in_the_burn_in_is_not_scored() -> None:
    played = club()
    assert played.scored(None, BurnIn()).tolist() == [True, True, True]
    assert played.scored(instant("2024-01-04"), BurnIn()).tolist() == [False, True, True]
    assert played.scored(None, BurnIn.parse("games(2)")).tolist() == [False, False, True]
    assert played.scored(None, BurnIn.parse("days(7)")).tolist() == [False, False, True]
    assert played.scored(None, BurnIn.parse("each(1)")).tolist() == [False, False, True]
