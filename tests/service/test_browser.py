"""Pages in a browser: axe finds nothing, nothing overflows, nothing is asked of other hosts, the keyboard is enough."""

import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from ratingcore_service import application
from ratingcore_service.access import open_tokens
from ratingcore_service.routing import Scope
from ratingcore_service.settings import Settings

import ratingcore as rc
from tests.plugins.ratingcore_pages.leagues import HOSTILE, league
from tests.service.serving import PATIENCE

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
PAGES = (
    "/rapid/", "/rapid/?q=script", "/rapid/published/", "/rapid/published/March", "/rapid/tournaments/",
    "/rapid/methods", "/rapid/health", "/rapid/compare?a=ann&b=bo", "/rapid/compare", "/log", "/log/3", "/about",
    "/embed/rapid/list",
    "/nothing/", "/desk/",
)  # fmt: skip
DESK = (
    "/desk/", "/desk/file", "/desk/result", "/desk/result?sheet=true", "/desk/rule?pool=rapid", "/desk/members",
    "/desk/similar", "/desk/correct/split?player=ann", "/desk/correct/amend?uid=3", "/desk/publish",
    "/desk/calendar", "/desk/backup", "/desk/complaint", "/desk/complaint?pool=rapid&player=ann",
    "/desk/correct/void", "/desk/correct/merge", "/desk/erase", "/desk/jobs", "/desk/studies/compare",
    "/desk/studies/simulate",
)  # fmt: skip


class Site:
    """A server of a small league with hostile names, and the token of its officer."""

    def __init__(self, path: Path) -> None:
        engine = league(str(path))
        engine.record(
            rc.GamePlayed(pool="rapid", played="2024-04-01", a=HOSTILE, b='"><img src=x onerror=alert(1)>', score=1.0,
                          data={"event": "</title><script>alert(2)</script>"}),
        )  # fmt: skip
        self.players = engine.rating_list("rapid").id.tolist()
        engine.close()
        self.app = application(
            str(path), title=HOSTILE, seconds=PATIENCE, rate=1e6, burst=1e6, cpu_rate=1e6, offered="any"
        )
        self.token = open_tokens(self.app.service.desk.engine, Settings()).add("secretary", Scope.ERASE)
        self._door = socket.socket()
        self._door.bind(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        self._server = uvicorn.Server(uvicorn.Config(self.app, log_level="warning", lifespan="off"))
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._door]}, daemon=True)
        self._thread.start()
        until = time.monotonic() + PATIENCE
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            assert time.monotonic() < until, "the server does not start"
            time.sleep(0.02)

    def close(self) -> None:
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the server did not end"
        self._door.close()
        self.app.service.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    made = Site(tmp_path_factory.mktemp("site") / "club.db")
    yield made
    made.close()


class Visit:
    """A window of the browser, and everything that it said and asked for."""

    def __init__(self, browser: Any, site: Site, width: int, scheme: str = "light", scripts: bool = True) -> None:
        self.view = f"{width}-{scheme}"
        self.site, self.said, self.asked = site, [], []  # type: ignore[var-annotated]  # texts
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=scripts
        )
        self.page = context.new_page()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: self.said.append(dialog.message))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, url: str) -> None:
        self.page.goto(self.site.address + url, wait_until="load")

    def sign_in(self) -> None:
        self.open("/desk/")
        self.page.get_by_label("Your token").fill(self.site.token)
        self.page.keyboard.press("Enter")
        self.page.get_by_text("signed in as secretary").wait_for()

    def check(self, url: str) -> None:
        self.open(url)
        assert self.page.evaluate(OVERFLOW) == 0, url
        found = axe.Axe().run(self.page, options=RULES).response["violations"]
        assert found == [], (url, [(one["id"], [node["html"] for node in one["nodes"]]) for one in found])
        if folder := os.environ.get("RATINGCORE_SCREENSHOTS"):
            name = url.strip("/").replace("/", "_").replace("?", "_") or "index"
            self.page.screenshot(path=Path(folder) / f"{name}-{self.view}.png", full_page=True)

    def close(self) -> None:
        others = [url for url in self.asked if not url.startswith(self.site.address)]
        self.page.context.close()
        assert others == []
        missing = [text for text in self.said if "404" in text]
        assert len(missing) == self.asked.count(f"{self.site.address}/nothing/")  # and no icon, script or style
        assert len(missing) == len(self.said), self.said


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1200, "dark")])
def test_every_page_is_accessible_narrow_and_inert(
    browser: Any, site: Site, width: int, scheme: str, tmp_path: Path
) -> None:
    visit = Visit(browser, site, width, scheme)
    for url in (*PAGES, f"/rapid/players/{site.players[0]}", f"/rapid/players/{site.players[-1]}"):
        visit.check(url)
    visit.sign_in()
    for url in DESK:
        visit.check(url)
    file = tmp_path / "round.csv"
    file.write_bytes("Datum;Weiß;Schwarz;Ergebnis\n05.07.2026;ann;bo;1-0\n12.07.2026;cy;ann;?\n".encode("cp1252"))
    unknown = tmp_path / "unknown.csv"
    unknown.write_text("Datum;wer;gegen wen;Ergebnis\n2026-07-05;ann;bo;1-0\n", "utf-8")
    visit.open("/desk/file")
    visit.page.locator("input[type=file]").set_input_files(unknown)
    visit.page.get_by_role("button", name="See what it holds").click()
    visit.page.get_by_text("Choose the columns of the file").wait_for()
    visit.check(visit.page.url.removeprefix(site.address))
    visit.open("/desk/file")
    visit.page.locator("input[type=file]").set_input_files(file)
    visit.page.get_by_role("button", name="See what it holds").click()
    visit.page.get_by_role("button", name="Accept 1 result").wait_for()
    address = visit.page.url.removeprefix(site.address)
    visit.check(address)
    visit.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_keyboard_is_enough_from_a_file_to_the_log(browser: Any, site: Site, scripts: bool, tmp_path: Path) -> None:
    visit = Visit(browser, site, 360, scripts=scripts)
    visit.sign_in()
    page, keys = visit.page, visit.page.keyboard
    file = tmp_path / "round 7.csv"
    file.write_text(f"Datum;Weiß;Schwarz;Ergebnis\n2024-05-0{1 + scripts};ann;bo;1-0\n", "utf-8")
    visit.open("/desk/file")
    page.locator("input[type=file]").set_input_files(file)  # what a dialog of the system does
    page.locator("input[type=file]").focus()
    for _ in range(20):
        if page.evaluate("document.activeElement.tagName") == "BUTTON":
            break
        keys.press("Tab")
    keys.press("Enter")
    accept = page.get_by_role("button", name="Accept 1 result")
    accept.wait_for()
    accept.focus()
    keys.press("Enter")
    page.get_by_text("1 result is in the log").wait_for()
    visit.close()


def test_print_has_no_forms(browser: Any, site: Site) -> None:
    visit = Visit(browser, site, 800)
    visit.open("/rapid/")
    visit.page.emulate_media(media="print")
    assert not visit.page.locator("form").first.is_visible()
    assert visit.page.locator(".permalink a").is_visible()
    visit.close()


def test_a_card_has_its_style_where_it_is_opened_by_itself(browser: Any, site: Site) -> None:
    """A fixed bug: the policy of the service forbade the style within it, so that everything was black and small."""
    visit = Visit(browser, site, 1200)
    visit.open("/rapid/card.svg")
    assert visit.page.evaluate("getComputedStyle(document.querySelector('text.site')).fontSize") == "34px"
    visit.close()


def test_news_are_offered_and_nothing_is_swapped(browser: Any, site: Site) -> None:
    visit = Visit(browser, site, 360)
    visit.open("/rapid/")
    before = visit.page.locator("table.list").inner_text()
    site.app.service.desk.engine.record(
        rc.GamePlayed(pool="rapid", played="2024-06-01", a="ann", b="bo", score=1.0), source="hall"
    )
    visit.page.get_by_text("New results came in").wait_for()
    assert visit.page.locator("table.list").inner_text() == before
    visit.page.get_by_text("New results came in").click()
    visit.page.wait_for_function("document.querySelector('.status').textContent === ''")
    visit.close()


def test_a_job_is_followed_to_its_end_without_a_click(browser: Any, site: Site) -> None:
    """A fixed bug: the page of a job stayed as it was."""
    visit = Visit(browser, site, 360)
    visit.sign_in()
    visit.open("/desk/studies/compare")
    visit.page.locator("main form [name=methods]").fill("elo\nglicko2")
    visit.page.locator("main form button").first.click()
    visit.page.wait_for_url("**/desk/jobs/*")
    visit.page.get_by_text("It is done.").wait_for(timeout=1000 * PATIENCE)
    visit.close()
