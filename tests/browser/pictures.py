"""The pictures of the README: a list and a player of the archive that the demo uses, photographed in a browser.

`python -m tests.browser.pictures` makes them anew.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ratingcore_demo.command import METHOD, archive
from ratingcore_pages import Look, Pages

import ratingcore as rc
from ratingcore.importer.tables import FieldMap
from tests.conftest import CHROMIUM, FLAGS

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
LARGEST = 80_000
"""Bytes that a picture may have."""
SIZE = {"width": 900, "height": 640}


def pages() -> Iterator[tuple[str, str]]:
    """The pages by name: the list of 1996 with the changes since that of 1995, and the team at its top."""
    data = archive()
    with rc.open(":memory:") as engine:
        engine.import_file(data / "games.csv.xz", "nba", FieldMap.load(data / "mapping.toml"))
        engine.import_seeds(data / "seeds.csv", "nba")
        engine.declare("nba", method=METHOD)
        engine.publish(engine.rating_list("nba", through="1995-06-30"), "season 1995")
        made = Pages(engine, Look(title="NBA"), through="1996-06-30", provenance=False)
        yield "list", made.ratings("nba").html()
        yield "player", made.player("nba", "CHI").html()


def photograph(browser: Any, folder: Path) -> list[Path]:
    """The pictures, in a folder."""
    context = browser.new_context(viewport=SIZE, color_scheme="light", offline=True)
    page, found = context.new_page(), []
    for name, html in pages():
        page.set_content(html)
        found.append(folder / f"{name}.png")
        page.screenshot(path=found[-1])
    context.close()
    return found


def main() -> None:
    """Makes the pictures of the README."""
    from playwright.sync_api import sync_playwright  # only this command needs it

    with sync_playwright() as started:
        photograph(started.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS)), FOLDER)


if __name__ == "__main__":
    main()
