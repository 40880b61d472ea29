"""The pictures of the README and of the documents, photographed in a browser: pages of the archive that the demo uses.

`python -m tests.browser.pictures` makes them anew.
"""

import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

from ratingcore_backdating import BackdatingPlan, backdate
from ratingcore_backdating.page import backdating_html
from ratingcore_demo.command import METHOD, archive
from ratingcore_pages import Look, Pages
from ratingcore_pages.comparison import report_html
from ratingcore_service import application

import ratingcore as rc
from ratingcore.importer.tables import FieldMap
from tests.conftest import CHROMIUM, FLAGS
from tests.service.desk import Desk
from tests.service.serving import PATIENCE

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
LARGEST = 80_000
"""Bytes that a picture may have."""
WIDTH, HEIGHT = 900, 560
TALLER = {"player": 780}
"""Heights of pictures that need another one, to show a curve whole."""
SCHEMES = {"light": "", "dark": "-dark"}
"""What is added to the name of a picture, by the colours that its reader prefers."""
SECTIONS = {"compare": "#scores", "backdate": "#movers"}
"""The section of a report that its picture shows."""
BEFORE = (("Ann Lee", "Bo Novak", 0.5), ("Cy Marek", "Ann Lee", 0.0), ("Bo Novak", "Di Ortiz", 1.0))
FILE = """\
date,white,black,result,event,round
2024-05-04,Ann Lee,Bo Novak,1-0,Spring Open,1
2024-05-04,Cy Marek,Di Ortiz,1/2-1/2,Spring Open,1
2024-05-05,Bo Nowak,Cy Marek,1-0,Spring Open,2
2024-05-05,Di Ortiz,Ann Lee,0-1,Spring Open,2
"""


def nba() -> rc.Engine:
    """The archive, with its rule and a published list."""
    data, engine = archive(), rc.open(":memory:")
    engine.import_file(data / "games.csv.xz", "nba", FieldMap.load(data / "mapping.toml"))
    engine.import_seeds(data / "seeds.csv", "nba")
    engine.declare("nba", method=METHOD)
    engine.publish(engine.rating_list("nba", through="1995-06-30"), "season 1995")
    return engine


def pages() -> Iterator[tuple[str, str]]:
    """Pages by name: the list of 1996 with the changes since that of 1995, the team at its top, a file at the desk."""
    with nba() as engine:
        made = Pages(engine, Look(title="NBA"), through="1996-06-30", provenance=False)
        yield "list", made.ratings("nba").html()
        yield "player", made.player("nba", "CHI").html()
    with ThreadPoolExecutor(1) as aside:  # the driver of the browser has the loop of this thread
        yield "desk", aside.submit(desk).result()


def reports() -> Iterator[tuple[str, str]]:
    """Reports by name: a comparison of two methods, and a change of rule on a past day."""
    with nba() as engine:
        yield "compare", report_html(engine.compare("nba", [METHOD, "elo:k=20"], through="1996-06-30"))
        plan = BackdatingPlan(METHOD, "elo:k=20", ["1995-10-01"], through="1996-06-30")
        yield "backdate", backdating_html(backdate(engine, plan))


def desk() -> str:
    """What the desk shows of a file before it is accepted."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "club.db")
        with rc.open(path) as engine:
            engine.declare("club", method="elo:k=24", digits=0)
            for day, (a, b, score) in enumerate(BEFORE, 1):
                engine.record(rc.GamePlayed(pool="club", played=f"2024-04-0{day}", a=a, b=b, score=score))
        app = application(path, title="Club ratings", seconds=PATIENCE)
        try:
            officer = Desk(app)
            page = officer.get(officer.bring("may.csv", FILE, pool="club").headers["location"])
            styles = f"<style>{officer.get('/style.css')}</style>"
            return page.replace('<link rel="stylesheet" href="/style.css">', styles)
        finally:
            app.service.close()


def photograph(browser: Any, folder: Path, made: Iterable[tuple[str, str]]) -> list[Path]:
    """The pictures, in a folder: pages in both colours; of a report, which has the colours of paper, one section."""
    found = []
    for name, html in made:
        section = SECTIONS.get(name)
        for scheme, end in SCHEMES.items() if section is None else [("light", "")]:
            size = {"width": WIDTH, "height": TALLER.get(name, HEIGHT)}
            page = browser.new_page(viewport=size, color_scheme=scheme, offline=True)
            page.set_content(html)
            if section is not None:
                page.wait_for_selector("html.drawn", timeout=120_000)
            found.append(folder / f"{name}{end}.png")
            (page if section is None else page.locator(section)).screenshot(path=found[-1])
            page.close()
    return found


def main() -> None:
    """Makes the pictures of the README and of the documents."""
    from playwright.sync_api import sync_playwright  # only this command needs it

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        photograph(browser, FOLDER, chain(pages(), reports()))


if __name__ == "__main__":
    main()
