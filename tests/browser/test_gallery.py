"""The gallery in a browser: accessible and as wide as the window, on a telephone and a desk, by day and by night."""

from pathlib import Path
from typing import Any

import pytest

from gallery.__main__ import main
from gallery.archives import ARCHIVES

from .test_report import OVERFLOW

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
PAGES = ("index", *(archive.key for archive in ARCHIVES))
VIEWS = ((360, "light"), (1200, "dark"))


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gallery")
    assert main(["--kept", "--to", str(folder)]) == 0
    return folder


@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_every_page_is_accessible_and_as_wide_as_the_window(browser: Any, drawn: Path, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for name in PAGES:
        page.goto((drawn / f"{name}.html").as_uri())
        assert page.evaluate(OVERFLOW) == 0, name
        found = axe.Axe().run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], name
    assert all(url.startswith(drawn.as_uri()) for url in asked)
    context.close()
