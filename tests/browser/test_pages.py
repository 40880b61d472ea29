"""Pages in a browser: nothing overflows on a telephone, and axe finds nothing at levels A and AA, light and dark."""

from functools import partial
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from ratingcore_pages import Look, Pages, write_site
from ratingcore_pages.explanation import explanation_page
from ratingcore_pages.report import report
from ratingcore_pages.report_plan import ReportPlan
from ratingcore_pages.words import LANGUAGES

import ratingcore as rc
from ratingcore.log.lookup import row_of
from tests.browser.test_report import OVERFLOW
from tests.plugins.ratingcore_pages.leagues import league

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")

SERVED = files("ratingcore_service").joinpath("static", "service.css").read_text("utf-8")
PLAN = """pool = "rapid"
comparison.methods = ["elo", "elo:k=40"]
backdating = { old = "elo", new = "elo:k=40", start = 2024-03-05 }
"""


def made() -> dict[str, str]:
    """A page of every kind."""
    engine = league()
    engine.declare("open", of="rapid", results="event='Spring Open'", method="elo")
    engine.declare("a-board-with-a-long-name-" * 4, of="rapid", results="event!=x", method="elo")
    engine.void("g-1-0", why="played by a substitute")
    pages = Pages(engine, Look(title="Club ratings"))
    found = {
        "list": pages.ratings("rapid"), "player": pages.player("rapid", "ann"),
        "meeting": pages.meeting("rapid", "ann", "bo"), "published": pages.published_list("rapid", "March"),
        "tournament": pages.tournament("rapid", "Spring Open"), "results": pages.results("rapid", 3, "2024"),
        "health": pages.health("rapid"),
        "event": pages.event(row_of(engine.log, "g-1-0").position), "index": pages.index(),
        "board": pages.ratings("open"),
    }  # fmt: skip
    html = {name: page.html() for name, page in found.items()}
    for name in ("list", "board", "index"):  # with tabs and other links
        one = found[name]
        html[f"{name} of a site"] = one.look.page(one.template, one.values, lambda path: f"#{path}", alone=True)
    html["explanation"] = explanation_page(engine, engine.explain("rapid", "ann"), "elo:k=24")
    full = engine.with_columns(engine.rating_list("rapid"), "won,drawn,lost,share,opposition,last,peak")
    html["full list"] = pages.listing(full).html()
    return html | report(engine, ReportPlan.parse(PLAN))


@pytest.mark.parametrize(("scheme", "width"), [("light", 360), ("dark", 1600)])
def test_nothing_overflows_and_axe_finds_nothing(browser: Any, scheme: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
    page = context.new_page()
    for name, html in made().items():
        page.set_content(html)
        if page.locator("[data-picture]").count():
            page.wait_for_selector("html.drawn", timeout=120_000)
        assert page.evaluate(OVERFLOW) == 0, name
        found = axe.Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
        assert [rule["id"] for rule in found.response["violations"]] == [], name
    context.close()


def test_a_printed_list_has_the_numbers_of_its_pages(browser: Any) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.set_content(made()["list"])
    rules = page.evaluate(
        "[...document.styleSheets[0].cssRules].filter(rule => rule instanceof CSSPageRule).map(rule => rule.cssText)"
    )
    assert any("@bottom-right" in rule and "counter(pages)" in rule for rule in rules), rules
    context.close()


def test_a_page_is_printed_in_light_colours_by_who_prefers_dark_ones(browser: Any) -> None:
    """A fixed fault: curves were pale on paper."""
    page = browser.new_page(color_scheme="dark")
    page.set_content(made()["list"])
    colour = "getComputedStyle(document.documentElement).getPropertyValue('--c7')"
    screen = page.evaluate(colour)
    page.emulate_media(media="print")
    assert (screen, page.evaluate(colour)) == ("#d0d0d0", "#3c3c3c")
    page.close()


def test_what_a_page_is_made_from_is_folded_and_printed(browser: Any) -> None:
    page = browser.new_page()
    page.set_content(made()["list"])
    shown = (
        "document.querySelector('.made ul').checkVisibility({contentVisibilityAuto: true, visibilityProperty: true})"
    )
    assert not page.evaluate(shown)
    page.emulate_media(media="print")
    page.wait_for_function(shown)
    page.close()


@pytest.mark.parametrize("width", [360, 1200])
def test_short_names_and_outcomes_of_a_table_of_results_are_on_one_line(browser: Any, width: int) -> None:
    """Words were broken in a column of 54 pixels, since served pages let any cell break anywhere."""
    engine = rc.open(":memory:")
    engine.declare("p", method="elo", digits=0)
    for day, b in enumerate(("Bartholomäus", "Priya Raghu", "A" * 60), 1):
        data = {"event": "Club championship of the association"}
        engine.record(rc.GamePlayed(pool="p", played=f"2024-03-{day:02d}", a="Ann", b=b, score=1.0, data=data))
    pages = Pages(engine, Look(language="de"))
    page = browser.new_page(viewport={"width": width, "height": 900})
    for made in (pages.player("p", "Ann"), pages.meeting("p", "Ann", "A" * 60)):
        page.set_content(made.html().replace("</style>", SERVED + "</style>", 1))
        assert page.evaluate(OVERFLOW) == 0
        lines = "[...document.querySelectorAll('td.short, td.who:not(.wide)')].flatMap(one => { const range = "
        lines += "document.createRange(); range.selectNodeContents(one); const tops = new Set([...range."
        lines += "getClientRects()].map(rect => Math.round(rect.top))); return [[one.textContent, tops.size]]; })"
        found = page.evaluate(lines)
        assert found
        assert [text for text, rows in found if rows > 1 and len(text) < 15] == []
    page.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_what_needs_a_script_is_there_from_the_first_paint_and_not_at_all_without_scripts(
    browser: Any, tmp_path: Path, scripts: bool
) -> None:
    """A fixed fault: the search, the choice and the button to print pushed the list down once the script had loaded."""
    engine = league()
    for name, club in (("ann", "North"), ("bo", "South"), ("cy", "North")):
        engine.record(rc.PlayerDescribed(pool="rapid", player=name, played="2024-01-01", data={"club": club}))
    write_site(engine, tmp_path)
    page = browser.new_page(viewport={"width": 360, "height": 800}, java_script_enabled=scripts)
    page.route("**/search.js", lambda route: None)  # it never comes
    page.goto((tmp_path / "rapid" / "index.html").as_uri(), wait_until="commit")
    page.locator("table.list").wait_for()
    parts = page.locator("form.search, form.choose, .print")
    assert [one.is_visible() for one in parts.all()] == [scripts] * 3
    if scripts:
        top = page.locator("table.list").bounding_box()["y"]
        page.unroute("**/search.js")
        page.reload()
        assert page.locator("table.list").bounding_box()["y"] == top
        page.get_by_label("Club").select_option("North")
        assert page.locator("table.list tbody tr:visible").count() == 2
    page.close()


def crowd() -> rc.Engine:
    """A round robin of 24 players with long names, who meet twice."""
    engine = rc.open(":memory:")
    engine.declare("p", method="elo", digits=0)
    names = [f"{chr(65 + n) * 9}, Maximiliane" for n in range(24)]
    for n, (a, b) in enumerate([*combinations(names, 2)] * 2):
        played = f"2024-03-{1 + n % 28:02d}"
        engine.record(rc.GamePlayed(pool="p", played=played, a=a, b=b, score=n % 3 / 2, data={"event": "League"}))
    return engine


def swiss(rounds: int = 14) -> rc.Engine:
    """Rounds of 120 players with long names, each with a colour."""
    engine = rc.open(":memory:")
    engine.declare("p", method="elo", digits=0)
    names = [f"{chr(65 + n % 26) * 7}{n}, Maximiliane" for n in range(120)]
    pairs = ((turn, names[n], names[-1 - (n + turn) % 60]) for turn in range(rounds) for n in range(60))
    for n, (turn, a, b) in enumerate(pairs):
        data = {"event": "Open", "round": turn + 1, "home": "a"}
        engine.record(rc.GamePlayed(pool="p", played=f"2024-03-{turn + 1:02d}", a=a, b=b, score=n % 3 / 2, data=data))
    return engine


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_of_a_player_is_wider_than_a_telephone(browser: Any, language: str) -> None:
    """A fixed fault: in Russian the change of each result was cut off at the right, where results have points."""
    engine = rc.open(":memory:")
    engine.declare("p", method="elo", digits=0)
    for day in range(1, 20):
        data = {"points_a": 108 + day % 2 * 9, "points_b": 112, "event": "FIFA World Cup qualification"}
        score = float(data["points_a"] > data["points_b"])
        b = ("Bosnia and Herzegovina", "Bartholomäus")[day % 3 // 2]
        engine.record(rc.GamePlayed(pool="p", played=f"2024-03-{day:02d}", a="Ann", b=b, score=score, data=data))
    page = browser.new_page(viewport={"width": 360, "height": 900})
    page.set_content(Pages(engine, Look(language=language)).player("p", "Ann").html())
    assert page.evaluate(OVERFLOW) == 0
    page.close()


@pytest.mark.parametrize(
    ("made", "event", "cells"),
    [(crowd, "League", 24 * 23), (swiss, "Open", 14 * 100), (partial(swiss, 8), "Open", 8 * 100)],
)
def test_a_table_of_a_tournament_is_whole_at_1200_pixels_and_on_paper(
    browser: Any, made: Any, event: str, cells: int
) -> None:
    html = Pages(made()).tournament("p", event).html(lambda path: f"/{path}")
    html = html.replace('<link rel="stylesheet" href="/style.css">', f"<style>{Look().style}</style>")
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.set_content(html)
    whole = "[...document.querySelectorAll('.scroll')].every(one => one.scrollWidth <= one.clientWidth)"
    assert page.evaluate(whole)
    links = "[...document.querySelectorAll('.cross td a')].map(one => one.getBoundingClientRect())"
    assert page.evaluate(f"{links}.length") == cells, "of the first 100 players"
    assert page.evaluate(f"{links}.every(one => one.width >= 24 && one.height >= 24)"), "large enough to touch"
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 1032, "height": 700})  # A4 across, without its margins
    assert page.evaluate(whole)
    assert page.evaluate(OVERFLOW) == 0
    page.close()


def test_a_dot_of_a_curve_is_reached_by_the_keyboard_and_shows_its_result(browser: Any) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 900})
    page.set_content(made()["player"])
    dot = page.locator("a.at").nth(2)
    text = dot.locator("text")
    shown = lambda: text.evaluate("node => Number(getComputedStyle(node).opacity)")  # noqa: E731
    assert shown() == 0
    page.locator("a.skip[href='#results']").focus()
    for _ in range(3):
        page.keyboard.press("Tab")
    assert dot.evaluate("node => node === document.activeElement")
    assert shown() == 1
    assert text.bounding_box()["x"] + text.bounding_box()["width"] <= 360
    page.locator("a.at circle").nth(4).hover()
    assert page.locator("a.at").nth(4).locator("text").evaluate("node => getComputedStyle(node).opacity") == "1"
    page.close()
