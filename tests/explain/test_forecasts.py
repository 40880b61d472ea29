"""Forecasts: a row a game in order of play, with names that other programs read."""

from typing import Any

import pytest
from ratingcore_elo import Elo
from ratingcore_glicko.glicko2 import Glicko2

from ratingcore.errors import BadValue, UnknownName
from ratingcore.events import DAY
from ratingcore.plugin import Method
from tests.columns.making import POOL, engine, game, seed, session
from tests.laws.methods import TALLY
from tests.replay.toys import Monthly, Walk, Whole


def test_rows_are_in_order_of_play_with_ratings_before_the_game() -> None:
    eng = engine(game(2, "a", "b", 0.5, uid="g2"), game(1, "a", "b", uid="g1"), seed(2, "b", 1000.0))
    first, second = eng.forecasts(POOL, Elo())
    assert first == {
        "uid": "g1", "played": "1970-01-02", "a": "a", "b": "b", "score": 1.0, "rating_a": 1500.0, "rating_b": 1500.0,
        "expected": 0.5, "change_a": 10.0, "change_b": -10.0,
    }  # fmt: skip
    assert tuple(first) == (
        "uid",
        "played",
        "a",
        "b",
        "score",
        "rating_a",
        "rating_b",
        "expected",
        "change_a",
        "change_b",
    )
    assert (second["uid"], second["rating_a"], second["rating_b"]) == ("g2", 1510.0, 1000.0)
    assert second["expected"] == pytest.approx(1 / (1 + 10 ** (-510 / 400)), abs=1e-12)


def test_the_chance_of_a_draw_is_a_column_where_the_method_gives_it() -> None:
    eng = engine(game(1, "a", "b"))
    (row,) = eng.forecasts(POOL, Elo(curve="normal", draw_band=50.0))
    assert tuple(row)[-1] == "draw"
    assert 0 < row["draw"] < 1


def test_of_sessions_there_is_a_row_a_player_with_the_sides_expectation() -> None:
    eng = engine(session(1, ("ab", 60.0), ("c", 40.0), uid="s"), game(2, "a", "c", uid="g"))
    found = list(eng.forecasts(POOL, TALLY))
    assert [(row["uid"], row["side"], row["player"], row["score"], row["expected"]) for row in found] == [
        ("s", 1, "a", 60, 50), ("s", 1, "b", 60, 50), ("s", 2, "c", 40, 50),
        ("g", 1, "a", 1, 0.5), ("g", 2, "c", 0, 0.5),
    ]  # fmt: skip
    assert [row["rating"] for row in found] == [0, 0, 0, 10, -10]


def test_a_whole_pool_method_forecasts_from_before_never_what_it_fitted() -> None:
    eng = engine(game(1, "a", "b", uid="g1"), game(40, "a", "b", uid="g2"))
    first, second = eng.forecasts(POOL, Whole())
    assert (first["expected"], second["expected"]) == (0.5, 0.501)
    assert (first["rating_a"], second["rating_a"]) == (100, 101)


def test_only_games_of_closed_periods_have_been_forecast_by_a_periodic_method() -> None:
    eng = engine(game(1, "a", "b", uid="g1"), game(40, "a", "b", uid="g2"))
    assert [row["uid"] for row in eng.forecasts(POOL, Monthly(), through=41 * DAY)] == ["g1"]
    assert [row["uid"] for row in eng.forecasts(POOL, Monthly())] == ["g1", "g2"]


@pytest.mark.parametrize("method", [Walk(), Monthly(), Whole(), TALLY], ids=lambda m: m.name)
def test_nothing_played_gives_no_row(method: Walk) -> None:
    assert list(engine(seed(1, "a")).forecasts(POOL, method)) == []


def test_many_games_find_their_uids() -> None:
    eng = engine(*(game(day % 7, "a", "b", uid=f"g{day}") for day in range(700)))
    assert sorted(row["uid"] for row in eng.forecasts(POOL, Elo())) == sorted(f"g{day}" for day in range(700))


@pytest.mark.parametrize("method", [Elo(), Glicko2(), TALLY])
def test_meetings_are_the_rows_of_two_players_among_all_forecasts(method: Method) -> None:
    sessions = [session(4, ("ab", 60.0), ("c", 40.0), uid="s")] if method is TALLY else []
    eng = engine(game(1, "a", "b", uid="g1"), game(2, "b", "c", uid="g2"), game(3, "c", "a", uid="g3"), *sessions)
    rows = [dict(row) for row in eng.forecasts(POOL, method)]
    of_two = {"g3", "s"}
    assert [dict(row) for row in eng.forecasts(POOL, method, between=("a", "c"))] == [
        row for row in rows if row["uid"] in of_two and row.get("player") != "b"
    ]


@pytest.mark.parametrize("between", ["ab", ("a",), ("a", "b", "c"), 5])
def test_meetings_are_between_two_players(between: Any) -> None:
    eng = engine(game(1, "a", "b", uid="g1"))
    with pytest.raises(BadValue, match="between must be the keys of two players"):
        eng.forecasts(POOL, Elo(), between=between)
    with pytest.raises(UnknownName):
        eng.forecasts(POOL, Elo(), between=("a", "nobody"))
