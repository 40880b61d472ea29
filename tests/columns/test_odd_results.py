"""A timeline without odd results is the timeline of a log that never had them."""

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.columns.odd_results import NONE, OddResults, in_words
from ratingcore.replay.readable_view import fitting


def pool(*events: rc.GamePlayed | rc.SessionPlayed) -> rc.Engine:
    engine = rc.open(":memory:")
    engine.record(*events)
    return engine


def game(day: int, a: str, b: str, score: float = 1.0, **data: float | str) -> rc.GamePlayed:
    return rc.GamePlayed(uid=f"g{day}{a}{b}", pool="p", played=f"2024-03-{day:02}", a=a, b=b, score=score, data=data)


FIT = [game(2, "ann", "bo", points_a=3, points_b=1), game(5, "bo", "cy", 0.0, points_a=0, points_b=1)]
ODD = [game(1, "zed", "ann"), game(3, "bo", "ann", points_a="3:1", points_b=2), game(9, "yo", "xi", points_a=1)]


def test_rows_are_numbered_as_if_the_odd_results_had_never_been_there() -> None:
    with pool(*ODD, *FIT) as mixed, pool(*FIT) as alone:
        method = mixed.registry.method("elo-margin")
        fits, whole = fitting(method, mixed.view("p")), alone.view("p")
        assert fits.names() == whole.names() == ["ann", "bo", "cy"]
        assert fits.played_counts().tolist() == whole.played_counts().tolist()
        assert (fits.first_played, fits.last_played) == (whole.first_played, whole.last_played)
        for one, other in zip(fits.timeline.players[1:], whole.timeline.players[1:], strict=True):
            assert one.tolist() == other.tolist()


def test_each_odd_result_has_one_reason_and_counts_from_its_day_on() -> None:
    with pool(*ODD, *FIT) as engine:
        fits = fitting(engine.registry.method("elo-margin"), engine.view("p"))
        assert fits.odd.why == ("no points", "unreadable points", "no points")
        assert fits.odd.counts(fits.through) == {"no points": 2, "unreadable points": 1}
        assert fits.odd.counts(int(fits.odd.played[0])) == {"no points": 1}


def test_a_pool_in_which_everything_fits_stays_the_same_object() -> None:
    with pool(*FIT) as engine:
        view = engine.view("p")
        assert all(fitting(engine.registry.method(text), view) is view for text in ("elo", "elo-margin", "trueskill"))


def test_a_pool_in_which_nothing_fits_says_what_is_missing() -> None:
    games = game(1, "ann", "bo"), game(2, "bo", "ann")
    with pool(*games) as engine, pytest.raises(rc.errors.MissingField, match="points_a"):
        engine.rating_list("p", "elo-margin")


def test_reasons_are_told_in_words() -> None:
    assert [in_words("session", n) for n in (1, 2)] == ["1 result (session)", "2 results (session)"]
    two = OddResults(np.array([4, 7]), np.array([10, 20]), ("session", "no points"))
    assert two.told(15) == ["left out: 1 result (session)"]
    assert two.before(20) == [(4, "session"), (7, "no points")]
    assert NONE.told(2**62) == []
