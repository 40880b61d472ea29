"""Several players side by side: chances by hand, names that nobody has, at most eight."""

import re
from html import unescape
from itertools import pairwise

from ratingcore_pages import Look, Pages, side_by_side

import ratingcore as rc
from tests.plugins.ratingcore_pages.leagues import HOSTILE, league


def test_chances_are_those_of_the_declared_method() -> None:
    """By Elo, 200 points less are 1 / (1 + 10 ** 0.5) = 0.2403, and 100 are 1 / (1 + 10 ** 0.25) = 0.3599."""
    engine = rc.open(":memory:")
    engine.declare("p", method="elo")
    for name, rating in (("ann", 1500.0), ("bo", 1700.0), ("cy", 1600.0)):
        engine.record(rc.RatingSeeded(pool="p", played="2024-01-01", player=name, values={"rating": rating}))
    page = side_by_side(Pages(engine), "p", "ann\n bo \n\ncy\nann")
    assert [one["name"] for one in page.values["players"]] == ["ann", "bo", "cy"]
    cells = re.findall(r'<td class="n">([^<]*)</td>', page.html())
    assert cells == ["1500", "", "24", "36", "1700", "76", "", "64", "1600", "64", "36", ""]


def test_names_that_nobody_has_are_told_and_hostile_ones_are_text() -> None:
    page = side_by_side(Pages(league()), "rapid", f"ann\nnobody<b>\n{HOSTILE}").html()
    assert "Nobody here is called <bdi>nobody&lt;b&gt;</bdi>." in page
    assert HOSTILE not in page
    assert HOSTILE in unescape(page)
    assert page.count('class="curve') == 2


def test_eight_curves_have_a_number_each_and_the_ninth_is_left_out() -> None:
    engine = rc.open(":memory:")
    names = [f"p{n}" for n in range(9)]
    for day in (1, 2):
        engine.record(*(rc.GamePlayed(pool="p", played=f"2024-03-0{day}", a=a, b="z", score=0.5) for a in names))
    page = side_by_side(Pages(engine), "p", "\n".join(names)).html()
    assert re.findall(r'class="curve (c[0-9])"', page) == [f"c{n}" for n in range(8)]
    heights = [float(y) for y in re.findall(r'<text x="419" y="([^"]*)" class="end">', page)]
    assert len(heights) == 8
    assert min(other - one for one, other in pairwise(heights)) >= 12.99


def test_a_folder_of_pages_compares_those_who_lead() -> None:
    page = side_by_side(Pages(league(), Look(title="Club")), "rapid")
    assert page.path == "rapid/compare"
    assert len(page.values["players"]) == 5
