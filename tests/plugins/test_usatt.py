"""USATT: the chart in a published event, another program's numbers, the adjustment of those who gain many points."""

import pytest
from ratingcore_usatt import Usatt

from ratingcore.engine import Engine
from ratingcore.events import DAY, GamePlayed, RatingSeeded
from ratingcore.log import SqliteLog
from ratingcore.plugin import Period
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated

FOUR = [1500.0, 1490.0, 1300.0, 1800.0]


def after(ratings: list[float], won: list[tuple[int, int]]) -> tuple[list[float], list[float]]:
    """The ratings after an event, and those to which players were adjusted; the first of each pair won."""
    played = games([a for a, _ in won], [b for _, b in won], [1.0] * len(won))
    result = rated(Usatt(), ratings, played)
    adjusted = result.after["adjusted"] + ratings
    return result.state["rating"].tolist(), adjusted.tolist()


@pytest.mark.parametrize(
    ("winner", "loser", "points"),
    [
        (2145, 1562, 0), (2145, 1985, 2), (2145, 1974, 2), (2145, 2184, 13), (2145, 2084, 6), (2145, 2162, 10),
        (2145, 2025, 3), (2270, 2145, 3), (2087, 2145, 13), (2179, 2145, 7),
    ],
)  # fmt: skip
def test_matches_of_a_published_event(winner: float, loser: float, points: float) -> None:
    """USATT, rating explainer: first pass of the 888 Table Tennis Grand Opening Team Challenge, June 2021."""
    assert after([winner, loser], [(0, 1)])[0] == [winner + points, loser - points]


@pytest.mark.parametrize(
    ("ratings", "won", "wanted"),
    [
        ([1400.0, 1425.0, 1500.0], [(0, 1), (0, 2), (1, 2)], [1430.0, 1431.0, 1464.0]),
        (FOUR, [(0, 1)], [1508.0, 1482.0, 1300.0, 1800.0]),
        (FOUR, [(0, 3), (0, 3)], [1816.0, 1490.0, 1300.0, 1784.0]),
    ],
)
def test_an_event_is_rated_as_by_usatt_ratings(
    ratings: list[float], won: list[tuple[int, int]], wanted: list[float]
) -> None:
    """usatt-ratings 1.0.5 (github.com/owenallenaz/usatt-ratings): its README and its test of tournaments."""
    assert after(ratings, won)[0] == wanted


@pytest.mark.parametrize(
    ("ratings", "won", "adjusted"),
    [
        (FOUR, [(0, 1)], FOUR),
        (FOUR, [(0, 3), (0, 1)], [1558.0, 1490.0, 1300.0, 1800.0]),
        (FOUR, [(2, 0), (2, 0), (2, 3), (1, 2)], [1500.0, 1490.0, 1537.0, 1800.0]),
        ([1551.0, 1490.0, 1300.0, 1805.0], [(2, 0), (2, 1), (2, 3), (1, 2)], [1551.0, 1490.0, 1543.0, 1805.0]),
    ],
)
def test_players_are_adjusted_as_by_usatt_ratings(
    ratings: list[float], won: list[tuple[int, int]], adjusted: list[float]
) -> None:
    """Its test of the third pass."""
    assert after(ratings, won)[1] == adjusted


def test_without_a_loss_the_median_of_the_opponents_counts_if_it_is_higher() -> None:
    assert after([1200.0, 1400.0, 1500.0, 1600.0], [(0, 1), (0, 2), (0, 3)])[1][0] == 1500.0
    assert after([1200.0, 1401.0, 1500.0], [(0, 1), (0, 2)])[1][0] == 1450.0
    many = [1200.0, *[1190.0] * 10]
    assert after(many, [(0, other) for other in range(1, 11)])[1] == many


def test_an_explanation_has_a_line_of_the_adjustment_and_adds_up() -> None:
    with Engine(SqliteLog(":memory:")) as engine:
        for player, rating in (("ann", 1500.0), ("bo", 1800.0)):
            engine.record(RatingSeeded(pool="club", played=0, player=player, values={"rating": rating}))
        for number in (1, 2):
            engine.record(
                GamePlayed(pool="club", played=number * DAY, a="ann", b="bo", score=1.0, data={"event": "Open"})
            )
        explained = engine.explain("club", "ann", "usatt", since="1970-01-02")
    assert (explained.opening, explained.closing) == (1500.0, 1816.0)
    assert [line.contribution for line in explained.lines] == [8.0, 8.0, 300.0]


@method_checks(Usatt(), Usatt(initial=1500.0, period=Period.parse("month")))
def test_usatt_keeps_the_laws(law: Law, method: Usatt) -> None:
    law(method)
