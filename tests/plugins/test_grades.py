"""Grades, titles, classes and categories, as functions of plugins and as a column of lists."""

import json
from pathlib import Path

import pytest
from ratingcore_egf.grades import go_rating
from ratingcore_elo import Elo

from ratingcore.errors import BadValue
from ratingcore.registry import Registry
from tests.cli.conftest import Run, club, run
from tests.columns.making import POOL, engine, seed

__all__ = ["club", "run"]

INSTALLED = Registry.installed()


@pytest.mark.parametrize(
    ("table", "rating", "label"),
    [
        ("egf", -900, "30 kyu"), ("egf", -5000, "30 kyu"), ("egf", -850, "29 kyu"), ("egf", 100, "20 kyu"),
        ("egf", 149.9, "20 kyu"), ("egf", 150, "19 kyu"), ("egf", 2000, "1 kyu"), ("egf", 2049.9, "1 kyu"),
        ("egf", 2050, "1 dan"), ("egf", 2699, "7 dan"), ("egf", 2714.9, "7 dan"), ("egf", 2715, "2 pro"),
        ("egf", 2744.9, "2 pro"), ("egf", 2745, "3 pro"), ("egf", 2940, "9 pro"), ("egf", 3200, "9 pro"),
        ("ru_go", 2100, "1 dan"), ("ru_go", 100, "20 kyu"), ("ru_go", 95, "20 kyu"), ("ru_go", 94.9, "21 kyu"),
        ("ru_go", 90, "21 kyu"), ("ru_go", 0, "30 kyu"), ("ru_go", -40, "30 kyu"),
        ("fesa", 0.9, None), ("fesa", 1, "20 kyu"), ("fesa", 80, "19 kyu"), ("fesa", 400, "15 kyu"),
        ("fesa", 1200, "5 kyu"), ("fesa", 1280, "4 kyu"), ("fesa", 1360, "3 kyu"), ("fesa", 1460, "2 kyu"),
        ("fesa", 1560, "1 kyu"), ("fesa", 1679.9, "1 kyu"), ("fesa", 1680, "1 dan"), ("fesa", 1800, "2 dan"),
        ("fesa", 1920, "3 dan"), ("fesa", 2080, "4 dan"), ("fesa", 2240, "5 dan"), ("fesa", 2440, "6 dan"),
        ("fide_category", 2250, None), ("fide_category", 2250.4, None), ("fide_category", 2250.5, 1),
        ("fide_category", 2275, 1), ("fide_category", 2275.5, 2), ("fide_category", 2500, 10),
        ("fide_category", 2802, 23),
        ("fide_category_women", 2050.4, None), ("fide_category_women", 2050.5, 1), ("fide_category_women", 2075, 1),
        ("fide_category_women", 2300, 10),
        ("es_group", 999, None), ("es_group", 1000, "beginner"), ("es_group", 1400, "amateur"),
        ("es_group", 1600, "average club player"), ("es_group", 1800, "strong club player"),
        ("es_group", 2000, "candidate master"), ("es_group", 2300, "national master"),
        ("es_group", 2400, "international master"), ("es_group", 2500, "grandmaster"),
    ],
)  # fmt: skip
def test_lower_bounds_are_included_and_upper_ones_are_not(table: str, rating: float, label: str | int | None) -> None:
    assert INSTALLED.grade(table)(rating) == label


@pytest.mark.parametrize(
    ("table", "bound", "at", "over"),
    [
        ("ru_chess", 1000, "novice", "fourth category"), ("ru_chess", 1400, "fourth category", "third category"),
        ("ru_chess", 2200, "candidate master", "national master"),
        ("ru_chess", 2500, "international master", "international grandmaster"),
        ("ru_chess", 2750, "international grandmaster", "candidates-tournament participant"),
        ("ru_chess_women", 2000, "first category", "woman national master"),
        ("ru_chess_women", 2500, "woman grandmaster", "women's world champion"),
        ("elo_class", 1200, "1200 and below", "over 1200 to 1400"),
        ("elo_class", 2600, "over 2400 to 2600", "over 2600"),
    ],
)  # fmt: skip
def test_bounds_of_the_encyclopedia_are_exclusive(table: str, bound: float, at: str, over: str) -> None:
    """Its lowest class is "1200 and below", and a grandmaster is "over 2500"."""
    assert (INSTALLED.grade(table)(bound), INSTALLED.grade(table)(bound + 0.1)) == (at, over)


def test_elo_has_nine_classes() -> None:
    assert len({INSTALLED.grade("elo_class")(rating) for rating in range(900, 3000, 100)}) == 9


@pytest.mark.parametrize("table", ["egf", "ru_go"])
def test_every_declared_grade_comes_back_from_its_rating(table: str) -> None:
    for declared in [*(f"{kyu} kyu" for kyu in range(1, 21)), *(f"{dan} dan" for dan in range(1, 8))]:
        assert INSTALLED.grade(table)(go_rating(declared)) == declared


def test_declared_grades_have_ratings() -> None:
    """1 dan 2100, 100 points apart; 1 pro is 7 dan, then 30 apart."""
    assert [go_rating(text) for text in ("1d", "7 dan", "1K", "30k", "1p", "9 pro")] == [
        2100,
        2700,
        2000,
        -900,
        2700,
        2940,
    ]


@pytest.mark.parametrize("text", ["", "dan", "0 dan", "31 kyu", "10p", "3 danish", "3", "-1k"])
def test_what_is_no_grade_is_refused(text: str) -> None:
    with pytest.raises(BadValue, match="grade must be a grade from 30 kyu to 9 dan, or a professional one"):
        go_rating(text)


def test_a_list_gets_a_last_column_of_what_ratings_are_called_as_listed() -> None:
    made = engine(seed(1, "ann", 2049.9999999), seed(1, "bo", 150.0)).rating_list(POOL, Elo())
    graded = made.with_grades(INSTALLED.grade("egf"))
    assert graded.columns == ("rank", "player", "rating", "games", "grade")
    assert [row["grade"] for row in graded] == ["1 dan", "19 kyu"]
    assert graded.rating("bo") == 150.0
    assert "grade" not in made.columns
    assert graded.digest != made.digest


def test_the_command_adds_the_column_and_keeps_the_digest(run: Run, club: Path) -> None:
    plain, graded = (run("list", "club.db", "-f", "csv", *more) for more in ((), ("--grades", "es_group")))
    assert graded.code == 0
    assert graded.out.splitlines()[0] == "rank,player,rating,games,grade"
    assert graded.out.splitlines()[1].endswith(",average club player")
    assert graded.err == plain.err
    rows = json.loads(run("list", "club.db", "-f", "json", "--grades", "fide_category").out)
    assert {row["grade"] for row in rows} == {None}


def test_a_table_that_no_plugin_offers_is_refused_with_those_that_there_are(run: Run, club: Path) -> None:
    code, out, err = run("list", "club.db", "--grades", "dan")
    assert (code, out) == (2, "")
    assert err.startswith(
        "error: table of grades must be one of egf, elo_class, es_group, fesa, fide_category, fide_category_women, "
        "ru_chess, ru_chess_women, ru_go: 'dan'"
    )
