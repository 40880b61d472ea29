"""The order of rounds: numbers, and the stages of a cup as several sports and languages call them."""

import pytest

from ratingcore.events.rounds import follows_round, is_one_round, order_on_day, round_order
from ratingcore.events.times import Timed, instant

CUPS = {
    "tennis": ["Q1", "Q2", "Q3", "R128", "R64", "R32", "R16", "QF", "SF", "F"],
    "tennis in words": ["1st Round", "2nd Round", "3rd Round", "4th Round", "Quarterfinals", "Semifinals", "The Final"],
    "Davis Cup": ["RR", "QF", "SF", "BR", "F"],
    "football": ["Group A", "Round of 16", "Quarter-finals", "Semi-finals", "Third place", "Final"],
    "Europe": ["1st qualifying round", "2nd qualifying round", "group stage", "play-off", "Last 16", "Final"],
    "fractions": ["1/32", "1/16 final", "1/8-Finale", "1/4", "1/2", "final"],
    "German": ["Runde 2", "Gruppe B", "Sechzehntelfinale", "Achtelfinale", "Viertelfinale", "Halbfinale", "Finale"],
    "French": [
        "16èmes de finale",
        "huitièmes de finale",
        "quarts de finale",
        "demi-finales",
        "petite finale",
        "Finale",
    ],
    "Spanish": ["Jornada 3", "Octavos de final", "Cuartos de final", "Semifinales", "Final"],
    "Russian": [
        "Квалификация",
        "5",
        "Групповой этап",
        "Плей-офф",
        "1/8 финала",
        "1/4 финала",
        "1/2 финала",
        "за 3 место",
        "Финал",
    ],
    "Russian words": ["отборочный тур", "1 тур", "Четвертьфинал", "Полуфинал", "за третье место", "Суперфинал"],
    "English words": ["First round", "sixteenth-finals", "eighth-finals", "quarterfinal", "semi-final", "3rd place"],
    "numbers": ["1", "2.1", "2.2", "Round 3 of 9", "Matchday 4", "R5", "Rd. 6", "10"],
    "legs": ["Semi-final leg 1", "Semi-final leg 2", "Final game 1", "Final game 7"],
    "Australian football": ["Round 23", "Qualifying Final", "Semi Final", "Preliminary Final", "Grand Final"],
}


@pytest.mark.parametrize("cup", CUPS)
def test_the_rounds_of_a_cup_are_in_the_order_in_which_they_are_played(cup: str) -> None:
    orders = [round_order(name) for name in CUPS[cup]]
    assert orders == sorted(set(orders))
    assert all(-(2**31) <= order < 2**31 for order in orders)


@pytest.mark.parametrize(
    "text", ["", "?", "-", "-3", "tie-break", "Losers' round 2", "WB final", "Lower bracket final"]
)
def test_a_name_that_says_nothing_of_the_order_gives_none(text: str) -> None:
    assert round_order(text) == 0


def test_a_number_comes_before_what_is_said_of_it() -> None:
    assert round_order("3 (final)") == 3000


def test_rounds_order_days_and_no_times_of_day() -> None:
    day = instant("2024-03-02")
    assert order_on_day(day, {"round": 3}) == 3000
    assert order_on_day(day, {}) == order_on_day(day + 1, {"round": 3}) == order_on_day(Timed(day), {"round": 3}) == 0


def test_an_order_of_the_round_is_none_of_its_own_whichever_version_made_it() -> None:
    assert all(follows_round(order, "R16") for order in (0, 16_000, round_order("R16")))
    assert not follows_round(1, "R16")
    assert not follows_round(1, None)


def test_stages_of_several_rounds_are_not_one() -> None:
    assert [is_one_round(turn) for turn in ("RR", "group stage", "Group A 2", "qualifying", "F", 7)] == [
        False, False, True, False, True, True,
    ]  # fmt: skip
