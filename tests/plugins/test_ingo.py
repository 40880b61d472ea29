"""Ingo numbers: published examples, another program's numbers, the limit, the number beside the rating."""

import pytest
from ratingcore_ingo import Ingo

from ratingcore.engine import Engine
from ratingcore.events import DAY, GamePlayed, RatingSeeded
from ratingcore.log import SqliteLog
from ratingcore.plugin import Period
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated

NO_LIMIT = Ingo(limit=None, development=20.0)


def numbers(method: Ingo, before: list[float], scores: list[float]) -> list[float]:
    """The Ingo numbers after the first player met each of the others once."""
    others = list(range(1, len(before)))
    played = games([0] * len(others), others, scores)
    after = rated(method, [2840.0 - 8.0 * number for number in before], played)
    number: list[float] = method.show(after.state, 0)["ingo"].tolist()
    return number


def test_seven_of_eleven_make_109_of_110() -> None:
    """schachecke.de, "Ingo-System": against 120 a performance of 106.4, a quarter of which counts."""
    number = numbers(Ingo(), [110.0] + [120.0] * 11, [1.0] * 7 + [0.0] * 4)[0]
    assert number == pytest.approx(0.75 * 110.0 + 0.25 * 106.4, abs=0.05)
    assert round(number) == 109


@pytest.mark.parametrize(
    ("before", "scores", "after"),
    [
        ([130.0, 160.0], [1.0], [129.04761904761904, 160.95238095238096]),
        ([130.0, 160.0], [0.0], [133.8095238095238, 156.1904761904762]),
        ([240.0, 240.0], [1.0], [237.61904761904762, 242.38095238095238]),
        ([130.0, 160.0, 160.0, 55.0, 90.0], [1.0, 0.5, 1.0, 0.0], [125.625]),
        ([112.5, 100.0, 121.0, 140.0, 95.5, 118.0], [1.0, 0.5, 0.0, 1.0, 1.0], [108.98]),
    ],
)
def test_numbers_are_those_of_skillratings(before: list[float], scores: list[float], after: list[float]) -> None:
    """Version 0.28.2 of the Rust package (MIT or Apache 2.0): `ingo` and `ingo_rating_period` of players aged 40."""
    assert numbers(NO_LIMIT, before, scores)[: len(after)] == pytest.approx(after, abs=1e-9)


@pytest.mark.parametrize("far", [140.0, 141.0, 250.0])
def test_an_opponent_further_than_forty_away_counts_as_forty_away(far: float) -> None:
    """So nobody loses by winning, and 100 gains a quarter of 10 by beating a beginner."""
    assert numbers(Ingo(), [100.0, far], [1.0])[0] == pytest.approx(97.5)


def test_a_list_ranks_the_lowest_number_first() -> None:
    with Engine(SqliteLog(":memory:")) as engine:
        engine.record(
            RatingSeeded(pool="club", played=0, player="ann", values={"rating": 2840.0 - 8.0 * 100.0}),
            RatingSeeded(pool="club", played=0, player="bo", values={"rating": 2840.0 - 8.0 * 120.0}),
            GamePlayed(pool="club", played=DAY, a="ann", b="bo", score=0.5),
        )
        rows = [(row["player"], row["rank"], row["ingo"]) for row in engine.rating_list("club", "ingo")]
    assert rows == [("ann", 1, pytest.approx(105.0)), ("bo", 2, pytest.approx(115.0))]


@method_checks(Ingo(), NO_LIMIT, Ingo(limit=50.0, initial=200.0, period=Period.parse("quarter")))
def test_ingo_keeps_the_laws(law: Law, method: Ingo) -> None:
    law(method)
