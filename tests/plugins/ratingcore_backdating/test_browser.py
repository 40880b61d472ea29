"""The report on a change of rule in a browser without a network: drawn, whole, on a narrow and on a wide page."""

from pathlib import Path
from typing import Any

import pytest
from ratingcore_backdating import BackdatingPlan, backdate
from ratingcore_backdating.page import backdating_html

from tests.browser.test_report import CUT, Opened
from tests.plugins.ratingcore_backdating.test_backdating import league


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    starts = ("today", "1970-06-01", "1971-01-01", "beginning")
    made = backdate(league(), BackdatingPlan("elo", "elo:k=40", starts, thresholds=(1450, 1550), grades="elo_class"))
    file = tmp_path_factory.mktemp("choices") / "report.html"
    file.write_text(backdating_html(made), encoding="utf-8")
    return file


@pytest.mark.parametrize("width", [360, 1400])
def test_every_picture_is_drawn_and_nothing_is_asked_for(browser: Any, report: Path, width: int) -> None:
    opened = Opened(browser, report, width)
    opened.check()
    assert opened.page.evaluate(CUT) == []
    assert opened.page.evaluate("document.querySelectorAll('details[open]').length") == 4
    opened.page.context.close()


def test_it_prints(browser: Any, report: Path) -> None:
    opened = Opened(browser, report, 690)
    opened.page.emulate_media(media="print")
    assert len(opened.page.pdf(format="A4")) > 50_000
    opened.page.context.close()
