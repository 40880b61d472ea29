"""The page of a study: one file with the answer first, claims beside results, and what it is made again from."""

import json
from collections.abc import Callable
from functools import cache

import pytest
from ratingcore_laboratory.report import lab_html
from ratingcore_laboratory.study import Study

from tests.plugins.laboratory.report.samples import STRANGE, empty, lone, moving, short, thesis
from tests.report.reader import Page


@cache
def page(made: Callable[[], Study]) -> Page:
    return Page(lab_html(made()))


def sections(made: Page) -> list[str | None]:
    return [attrs["id"] for attrs in made.of("section")]


def test_it_opens_with_the_answer_and_tells_the_claims() -> None:
    made = page(thesis)
    assert made.text.index(thesis().answer) < made.text.index("How near the truth")
    for row in thesis().claims:
        assert str(row["said"]) in made.text
        assert str(row["here"]) in made.text
    assert sections(made) == [
        "near", "claims", "order", "distributions", "players", "outcomes", "normality", "people", "provenance",
    ]  # fmt: skip


def test_claims_are_open_and_numbers_behind_pictures_are_folded() -> None:
    html = lab_html(thesis())
    claims = html[html.index('<section id="claims"') : html.index('<section id="order"')]
    assert claims.count("<details open") == claims.count("<details") == 3
    assert html.count("<details open") == 3


def test_a_world_that_is_not_of_the_study_has_no_claims() -> None:
    made = page(moving)
    assert "claims" not in sections(made)
    assert "METHODS" not in made.text


def test_a_name_cannot_end_the_script() -> None:
    made = page(moving)
    assert len(made.of("script")) == 3
    assert not made.of("b")
    assert STRANGE in made.text
    assert "the first 6 contenders; the table has 1 more" in made.text


@pytest.mark.parametrize("made", [thesis, moving, lone, short], ids=lambda made: made.__name__)
def test_axes_have_units_and_pictures_have_words(made: Callable[[], Study]) -> None:
    told = page(made)
    specs = json.loads(told.scripts[0])["specs"]
    pictures = [attrs for attrs in told.of("div") if attrs.get("role") == "img"]
    assert len(pictures) == len(specs) == len(told.of("figcaption")) > 5
    assert all(attrs["aria-label"] for attrs in pictures)
    titles = {axis.get("title") for axis in _axes(specs)} - {None}
    assert {"round", "points off the truth", "rating, points", "players", "share of the results"} <= titles
    assert "NaN" not in told.scripts[0]
    assert "nan" not in told.text.split()


def _axes(node: object) -> list[dict[str, object]]:
    if isinstance(node, dict):
        own = [cell for key, cell in node.items() if key in ("x", "y") and isinstance(cell, dict)]
        return own + [axis for cell in node.values() for axis in _axes(cell)]
    return [axis for cell in node for axis in _axes(cell)] if isinstance(node, list) else []


def test_a_long_run_is_thinned_and_says_so() -> None:
    made = page(lone)
    assert "240 of 300 rounds" in made.text
    assert "compare --csv" not in made.text


def test_a_world_that_everybody_leaves_is_told_all_the_same() -> None:
    made = page(empty)
    assert "nobody with a rating is left" in made.text
    assert "players" not in sections(made)


def test_nothing_is_asked_of_anybody_and_everything_is_told_again() -> None:
    made = page(thesis)
    assert not [attrs for _, attrs in made.tags if "src" in attrs]
    assert all(str(attrs["href"]).startswith("#") for _, attrs in made.tags if "href" in attrs)
    for row in thesis().provenance:
        assert str(row["value"]) in made.text
