"""The report in a browser without a network: every picture is drawn, nothing is asked of anybody, nothing overflows."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ratingcore_pages.comparison import report_html

from ..compare.samples import made_up

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CUT = """[...document.querySelectorAll('.picture')].filter(place => {
    const frame = place.getBoundingClientRect();
    return [...place.querySelectorAll('svg text')].some(text => {
        const box = text.getBoundingClientRect();
        return box.width && (box.left < frame.left - 1 || box.right > frame.right + 1);
    });
}).map(place => place.parentElement.getAttribute('aria-label').slice(0, 60))"""
EMPTY = """[...document.querySelectorAll('.picture')].filter(place => {
    const kinds = ['symbol path', 'rect path', 'line path', 'rule line'].map(kind => 'svg .mark-' + kind);
    const marks = place.querySelectorAll(kinds.join(','));
    return ![...marks].some(mark => mark.getBoundingClientRect().width + mark.getBoundingClientRect().height > 0);
}).length"""
OVERLAPPING = """[...document.querySelectorAll('.picture svg .role-axis-label')].filter(axis => {
    const boxes = [...axis.querySelectorAll('text')].filter(text => text.getAttribute('opacity') !== '0')
        .map(text => text.getBoundingClientRect());
    return boxes.some((one, n) => boxes.slice(n + 1).some(other => one.left < other.right && other.left < one.right
        && one.top < other.bottom - 2 && other.top < one.bottom - 2));
}).length"""


@cache
def report(methods: int) -> str:
    return report_html(made_up(methods, draws=methods == 3))


class Opened:
    """A report on a page of some width, and everything the browser had to say of it."""

    def __init__(self, browser: Any, file: Path, width: int) -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        context = browser.new_context(viewport={"width": width, "height": 900}, offline=True)
        self.page = context.new_page()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri())
        self.page.wait_for_selector("html.drawn", timeout=120_000)
        self.file = file

    def check(self) -> None:
        ask = self.page.evaluate
        assert self.said == []
        assert self.asked == [self.file.as_uri()]
        assert ask("document.querySelectorAll('.picture').length") > 0
        assert ask("document.querySelectorAll('.picture:not(.drawn)').length") == 0
        assert ask(EMPTY) == 0
        assert ask(OVERFLOW) == 0
        assert ask(OVERLAPPING) == 0
        assert ask("window.broken") is None


@pytest.mark.parametrize("width", [360, 1400])
@pytest.mark.parametrize("methods", [1, 3, 12])
def test_every_picture_is_drawn_and_nothing_is_asked_for(
    browser: Any, tmp_path: Path, methods: int, width: int
) -> None:
    file = tmp_path / "report.html"
    file.write_text(report(methods), encoding="utf-8")
    opened = Opened(browser, file, width)
    opened.check()
    assert opened.page.evaluate(CUT) == []
    opened.page.screenshot(path=tmp_path / f"{width}.png", full_page=True)
    opened.page.context.close()


def test_tables_open_without_widening_the_page(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(report(3), encoding="utf-8")
    opened = Opened(browser, file, 360)
    opened.page.evaluate("document.querySelectorAll('details').forEach(table => table.open = true)")
    opened.check()
    assert opened.page.evaluate("document.querySelectorAll('details table').length") >= 8
    opened.page.context.close()


def test_print_opens_short_tables_and_closes_them_again(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(report(3), encoding="utf-8")
    opened = Opened(browser, file, 690)
    opened.page.emulate_media(media="print")
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert opened.page.evaluate("document.querySelectorAll('details[data-short][open]').length") > 0
    assert opened.page.evaluate(OVERFLOW) == 0
    opened.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert opened.page.evaluate("document.querySelectorAll('details[open]').length") == 2  # scores, the first twenty
    assert len(opened.page.pdf(format="A4")) > 50_000
    opened.page.context.close()


def test_without_scripts_the_tables_are_there(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(report(3), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.get_by_text("elo forecasts best").is_visible()
    assert page.locator("details table").count() >= 8
    context.close()
