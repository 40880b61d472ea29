"""Grades of English chess: published tables of what a game is worth, which games count, categories, idle years."""

import numpy as np
import pytest
from ratingcore_ecf import EcfGrade

from ratingcore.engine import Engine
from ratingcore.errors import BadParameter
from ratingcore.events import GamePlayed, RatingSeeded
from ratingcore.log import SqliteLog
from ratingcore.plugin import Period, State
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated, state

ECF = EcfGrade()


def half_year(before: State, opponents: list[float], scores: list[float]) -> State:
    """The state after the first player met strangers of these grades, in this order."""
    rating = before.copy("rating")
    rating[1 : len(opponents) + 1] = opponents
    others = list(range(1, len(opponents) + 1))
    return ECF.rate(before.replace(rating=rating), games([0] * len(others), others, scores)).state


def starting(grade: float = 150.0) -> State:
    return state(ECF, [grade] + [0.0] * 40)


@pytest.mark.parametrize(
    ("opponent", "worth"),
    [(90.0, (160.0, 110.0, 60.0)), (130.0, (180.0, 130.0, 80.0)), (150.0, (200.0, 150.0, 100.0)),
     (200.0, (240.0, 190.0, 140.0))],
)  # fmt: skip
def test_a_game_is_worth_what_the_table_of_the_arbiters_seminar_has(opponent: float, worth: tuple[float, ...]) -> None:
    """ECF Arbiter Seminar, "Grading": win, draw and loss of a player graded 150."""
    played = games([0, 0, 0], [1, 1, 1], [1.0, 0.5, 0.0])
    assert rated(ECF, [150.0, opponent], played).notes["worth_a"].tolist() == [*worth]


@pytest.mark.parametrize(("opponent", "worth"), [(140.0, (190.0, 110.0)), (100.0, (170.0, 90.0))])
def test_160_beats_somebody(opponent: float, worth: tuple[float, float]) -> None:
    """The encyclopedia's article on the ECF grading system."""
    notes = rated(ECF, [160.0, opponent], games([0], [1], [1.0])).notes
    assert (notes["worth_a"][0], notes["worth_b"][0]) == worth


def test_a_full_grade_is_the_mean_of_opponents_and_the_percentage_less_fifty() -> None:
    """Newcastle-under-Lyme chess club, "Grading": 18 of 30 against 130 is 60 %."""
    after = half_year(starting(), [130.0] * 30, [1.0] * 18 + [0.0] * 12)
    assert after["rating"][0] == pytest.approx(130.0 + 60.0 - 50.0)
    assert after["category"][0] == 1.0


def test_fewer_than_thirty_games_borrow_the_latest_of_earlier_half_years() -> None:
    first = half_year(starting(), [150.0] * 15 + [140.0] * 5, [0.5] * 20)
    assert first["rating"][0] == pytest.approx((15 * 150.0 + 5 * 140.0) / 20)
    idle = half_year(half_year(first, [], []), [], [])
    assert idle["rating"][0] == first["rating"][0]
    later = half_year(idle, [150.0] * 22, [0.5] * 22)
    assert later["rating"][0] == pytest.approx((22 * 150.0 + 5 * 140.0 + 3 * 150.0) / 30)
    assert later["category"][0] == 2.0  # 22 in 12 months and 42 in 24


def test_thirty_games_of_a_year_push_all_others_out() -> None:
    first = half_year(starting(), [190.0] * 20, [0.5] * 20)
    second = half_year(half_year(first, [], []), [150.0] * 20, [0.5] * 20)
    third = half_year(second, [130.0] * 20, [0.5] * 20)
    assert third["rating"][0] == pytest.approx((20 * 150.0 + 20 * max(130.0, second["rating"][0] - 40.0)) / 40)


def test_what_games_move_and_what_earlier_games_do_add_up() -> None:
    """Of twenty games that made 147.5, the last eight stay: five of 140 and three of 150."""
    before = half_year(starting(), [150.0] * 15 + [140.0] * 5, [0.5] * 20)
    before = half_year(half_year(before, [], []), [], [])
    result = ECF.rate(before, games([0] * 22, [1] * 22, [1.0] * 22))
    earlier, change = result.after["earlier games"][0], np.asarray(result.change[0])
    assert earlier == pytest.approx((5 * 140.0 + 3 * 150.0 - 8 * 147.5) / 30)
    assert 147.5 + change.sum() + earlier == pytest.approx(result.state["rating"][0])


def test_games_are_forgotten_after_36_months_and_a_grade_lapses_after_twelve() -> None:
    now = half_year(starting(), [150.0] * 9, [1.0] * 9)
    for _ in range(6):
        now = half_year(now, [], [])
    assert (now["rating"][0], now["category"][0]) == (200.0, 0.0)
    again = half_year(now, [200.0] * 5, [0.5] * 5)
    assert (again["rating"][0], again["category"][0]) == (200.0, 6.0)


@pytest.mark.parametrize(
    ("played", "category"),
    [((30,), "A"), ((20, 0, 10), "B"), ((10, 0, 0, 0, 20), "C"), ((5, 0, 10), "D"), ((1, 0, 8), "E"), ((1, 4), "F"),
     ((4,), "none"), ((0, 0, 30), "none")],
)  # fmt: skip
def test_categories_by_games_of_the_latest_half_years(played: tuple[int, ...], category: str) -> None:
    now = starting()
    for count in reversed(played):
        now = half_year(now, [150.0] * count, [0.5] * count)
    code = int(now["category"][0])
    assert next(column for column in ECF.columns() if column.name == "category").labels[code] == category


def test_two_years_of_a_log_are_listed() -> None:
    with Engine(SqliteLog(":memory:")) as engine:
        for player, grade in (("ann", 150.0), ("bo", 130.0)):
            engine.record(RatingSeeded(pool="c", played="2015-01-01", player=player, values={"rating": grade}))
        for year in (2015, 2016):
            engine.record(
                *(GamePlayed(pool="c", played=f"{year}-02-0{day}", a="ann", b="bo", score=0.5) for day in range(1, 9))
            )
        listed = engine.rating_list("c", "ecf-grade", through="2016-12-31")
        lines = engine.history("c", "ann", "ecf-grade")
    (ann,) = (row for row in listed if row["player"] == "ann")
    assert (ann["rating"], ann["category"]) == (140.0, "D")
    assert list(lines)[-1].rating == 140.0


def test_other_periods_are_refused() -> None:
    with pytest.raises(BadParameter, match="must be half-year or year: month"):
        EcfGrade(period=Period.parse("month"))


@method_checks(EcfGrade(), EcfGrade(period=Period.parse("year"), initial=120.0, limit=60.0))
def test_ecf_keeps_the_laws(law: Law, method: EcfGrade) -> None:
    law(method)
