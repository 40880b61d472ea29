"""The page of a study in a browser without a network: pictures are drawn, players chosen, print is whole."""

import os
from pathlib import Path
from typing import Any

import pytest
from ratingcore_laboratory.report import lab_html

from tests.browser.test_report import CUT, OVERFLOW, Opened
from tests.plugins.laboratory.report.samples import lone, moving, short, thesis


@pytest.mark.parametrize("width", [360, 1400])
@pytest.mark.parametrize("made", [thesis, moving, lone, short], ids=lambda made: made.__name__)
def test_every_picture_is_drawn_and_nothing_is_asked_for(browser: Any, tmp_path: Path, made: Any, width: int) -> None:
    file = tmp_path / "lab.html"
    file.write_text(lab_html(made()), encoding="utf-8")
    opened = Opened(browser, file, width)
    opened.check()
    assert opened.page.evaluate(CUT) == []
    if "RATINGCORE_SCREENSHOTS" in os.environ:
        shot = Path(os.environ["RATINGCORE_SCREENSHOTS"]) / f"lab-{made.__name__}-{width}.png"
        opened.page.screenshot(path=shot, full_page=True)
    opened.page.context.close()


def test_another_player_can_be_chosen(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "lab.html"
    file.write_text(lab_html(moving()), encoding="utf-8")
    opened = Opened(browser, file, 1000)
    curves = (
        "[...document.querySelectorAll('select')].map(box => box.closest('.picture').querySelector('svg').outerHTML)[0]"
    )
    before = opened.page.evaluate(curves)
    values = opened.page.evaluate("[...document.querySelectorAll('select option')].map(option => option.value)")
    opened.page.select_option("select", index=len(values) - 1)
    opened.page.wait_for_function(f"before => {curves} !== before", arg=before)
    opened.check()
    opened.page.context.close()


def test_print_holds_the_claims_and_is_no_wider_than_paper(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "lab.html"
    file.write_text(lab_html(thesis()), encoding="utf-8")
    opened = Opened(browser, file, 690)
    opened.page.emulate_media(media="print")
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert opened.page.evaluate(OVERFLOW) == 0
    assert opened.page.locator("#claims table").first.is_visible()
    opened.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert opened.page.evaluate("document.querySelectorAll('#claims details[open]').length") == 3
    assert len(opened.page.pdf(format="A4")) > 50_000
    opened.page.context.close()
