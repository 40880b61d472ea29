"""Points of a league table: what wins, draws and losses are worth there, counted from the games of a list."""

import pytest

import ratingcore as rc
from ratingcore.errors import BadValue
from ratingcore.explain.points_table import Worth

RESULTS = [("ajax", "brno", 1.0), ("brno", "celje", 0.5), ("celje", "ajax", 0.0), ("celje", "brno", 0.8)]


@pytest.fixture
def engine() -> rc.Engine:
    engine = rc.open(":memory:")
    for day, (a, b, score) in enumerate(RESULTS, 1):
        engine.record(rc.GamePlayed(uid=f"g{day}", pool="league", played=f"2024-03-0{day}", a=a, b=b, score=score))
    return engine


def points(engine: rc.Engine, worth: str, through: str | None = None) -> dict[str, float]:
    listed = engine.with_columns(engine.rating_list("league", "elo", through), worth=worth)
    return {row["player"]: row["points"] for row in listed}


def test_three_points_for_a_win_and_one_for_a_draw(engine: rc.Engine) -> None:
    """By hand: ajax won twice; celje drew and won, by more than a half of the point; brno drew once."""
    assert points(engine, "3,1,0") == {"ajax": 6.0, "celje": 4.0, "brno": 1.0}
    assert points(engine, "2,1,0") == {"ajax": 4.0, "celje": 3.0, "brno": 1.0}
    assert points(engine, "1,0.5,-0.5") == {"ajax": 2.0, "celje": 1.0, "brno": -0.5}


def test_the_points_are_those_of_the_games_of_the_list(engine: rc.Engine) -> None:
    assert points(engine, "3,1,0", through="2024-03-02") == {"ajax": 3.0, "brno": 1.0, "celje": 1.0}
    before = engine.rating_list("league", "elo")
    engine.void("g1", why="default, not played")
    assert points(engine, "3,1,0")["ajax"] == 3.0
    assert {row["player"]: row["points"] for row in engine.with_columns(before, worth="3,1,0")}["ajax"] == 6.0


def test_neither_the_ratings_nor_the_seal_know_of_points(engine: rc.Engine) -> None:
    plain = engine.rating_list("league", "elo")
    with_points = engine.with_columns(plain, worth="3,1,0")
    assert with_points.seal == plain.seal
    assert [row["rating"] for row in with_points] == [row["rating"] for row in plain]


@pytest.mark.parametrize("text", ["3,1", "three,one,none", "3,1,0,0", "3,nan,0", ""])
def test_what_is_no_three_numbers_is_refused(text: str) -> None:
    with pytest.raises(BadValue, match="worth must be three numbers"):
        Worth.parse(text)


def test_a_pool_of_sessions_has_no_such_table(engine: rc.Engine) -> None:
    sides = [rc.Side(["ann"], 60.0), rc.Side(["bo"], 40.0)]
    engine.record(rc.SessionPlayed(pool="bridge", played="2024-03-02", sides=sides, data={"unit": "percent"}))
    listed = engine.rating_list("bridge", "bridge-bayes")
    with pytest.raises(BadValue, match="pool must have games of two players alone"):
        engine.with_columns(listed, worth="3,1,0")
