"""Cohorts: every game in its place, edges by rule, fields of results and of players."""

from math import nan
from typing import Any

import numpy as np
import pytest

from ratingcore.compare.cohorts import (
    Cohorts,
    by_experience,
    by_gap,
    by_strength,
    cohorts,
)
from ratingcore.errors import BadValue
from ratingcore.events import PlayerDescribed
from tests.columns.making import POOL, engine, game
from tests.compare.making import games_of, league

DAY = 86_400_000_000


def named(found: Cohorts) -> list[Any]:
    first = [found.names[code] if code >= 0 else None for code in found.code.tolist()]
    if found.other is None:
        return first
    second = [found.names[code] if code >= 0 else None for code in found.other.tolist()]
    return list(zip(first, second, strict=True))


def described(player: str, **facts: Any) -> PlayerDescribed:
    return PlayerDescribed(pool=POOL, played=0, player=player, data=facts)


def test_gaps_are_parted_in_steps_of_a_round_number() -> None:
    gap = np.linspace(0, 420, 1000)
    found = by_gap(gap + 1500, np.full(1000, 1500.0))
    assert found.names == ("0-50", "50-100", "100-150", "150-200", "200-250", "250-300", "300-350", "350-400", "400+")
    assert named(found)[0] == "0-50"
    assert found.names[found.code[np.searchsorted(gap, 50.0)]] == "50-100"


def test_gaps_of_small_ratings_have_small_steps() -> None:
    assert by_gap(np.linspace(0, 0.42, 1000), np.zeros(1000)).names[:2] == ("0-0.05", "0.05-0.1")
    assert by_gap(np.linspace(0, 4.2, 1000), np.zeros(1000)).names[:2] == ("0-0.5", "0.5-1")


def test_given_edges_are_kept_and_unrated_players_are_nowhere() -> None:
    found = by_gap(np.array([1500.0, nan, 1700.0]), np.array([1400.0, 1500.0, 1500.0]), edges=(0, 100, 200))
    assert (found.names, named(found)) == (("0-100", "100-200", "200+"), ["100-200", None, "200+"])
    with pytest.raises(BadValue, match="do not rise"):
        by_gap(np.zeros(1), np.zeros(1), edges=(0, 100, 100))


@pytest.mark.parametrize("rating", [np.empty(0), np.full(3, nan), np.full(3, 1500.0)])
def test_no_gap_at_all_is_no_trouble(rating: np.ndarray) -> None:
    for found in (by_gap(rating, rating), by_strength(rating, rating)):
        assert len(found.code) == len(rating)


def test_strength_is_the_mean_of_both_in_parts_of_as_many_games() -> None:
    rating = np.random.default_rng(0).normal(1500, 200, 1000)
    found = by_strength(rating, rating + 100)
    assert np.bincount(found.code).tolist() == [200] * 5
    assert found.names[0].startswith(f"{rating.min() + 50:.0f}-")


def test_experience_is_of_the_less_experienced_and_newcomers_are_apart() -> None:
    eng = engine(*(game(day, "a", "b") for day in range(1, 13)), game(13, "a", "c"), game(14, "b", "a"))
    found = by_experience(games_of(eng))
    assert found.names == ("newcomers (0-9)", "10-29", "30-99", "100-299", "300+")
    assert named(found) == ["newcomers (0-9)"] * 10 + ["10-29"] * 2 + ["newcomers (0-9)", "10-29"]


def test_years_are_those_of_the_calendar() -> None:
    eng = engine(*(game(day, "a", "b") for day in (-1, 0, 364, 365, 1100)))
    found = cohorts("year", games_of(eng))
    assert named(found) == ["1969", "1970", "1970", "1971", "1973"]


def test_events_and_other_fields_of_results_are_cohorts() -> None:
    eng = engine(
        game(1, "a", "b", data={"event": "open", "round": 2}), game(2, "a", "b", data={"event": "cup", "round": 10}),
        game(3, "a", "b", data={"round": 9}),
    )  # fmt: skip
    played = games_of(eng)
    assert named(cohorts("event", played)) == ["open", "cup", None]
    assert cohorts("round", played).names == ("2", "9", "10"), "numbers in their order"
    assert named(cohorts("round", played)) == ["2", "10", "9"]


def test_a_field_of_many_numbers_is_parted_in_fifths() -> None:
    eng = engine(*(game(n, "a", "b", data={"board": n}) for n in range(1, 101)))
    found = cohorts("board", games_of(eng))
    assert len(found.names) == 5
    assert np.bincount(found.code).tolist() == [20] * 5


def test_a_game_is_in_the_cohorts_of_both_players() -> None:
    eng = engine(
        game(1, "a", "b"), game(2, "a", "c"), game(3, "c", "d"), game(4, "d", "e"),
        described("a", club="oak"), described("b", club="oak"), described("c", club="elm"), described("e", club="x"),
        described("e", club="ash"),
    )  # fmt: skip
    found = cohorts("club", games_of(eng))
    assert named(found) == [("oak", None), ("oak", "elm"), ("elm", None), ("ash", None)]
    assert found.names == ("ash", "elm", "oak", "x")


def test_a_field_that_nobody_has_is_refused_with_what_there_is() -> None:
    with pytest.raises(BadValue, match="gap, strength, experience, year, event, and no field of a result or a player"):
        cohorts("hair", games_of(league(5)))
    with pytest.raises(BadValue, match="no field of a result"):
        cohorts("event", games_of(league(5)))
    with pytest.raises(BadValue, match="without the ratings"):
        cohorts("gap", games_of(league(5)))


def test_a_field_that_only_games_after_the_cut_have_is_no_field() -> None:
    eng = engine(game(1, "a", "b"), game(9, "a", "b", data={"event": "cup"}))
    with pytest.raises(BadValue):
        cohorts("event", games_of(eng).of(eng.view(POOL, 2 * DAY)))


def test_a_game_in_two_cohorts_counts_in_both_and_one_in_none_in_neither() -> None:
    part = Cohorts("club", ("ash", "elm"), np.array([0, 0, -1]), np.array([1, -1, -1]))
    assert [part.games(cohort).tolist() for cohort in (0, 1)] == [[0, 1], [0]]


def test_games_that_are_not_asked_about_are_in_no_cohort() -> None:
    part = Cohorts("all", ("all",), np.zeros(4, dtype=int)).some(np.array([True, False, False, True]))
    assert part.games(0).tolist() == [0, 1]
