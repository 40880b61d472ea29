"""Screenshots of the site that the tutorial makes, taken by Chromium; without one the pages go without pictures."""

import shlex
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from docs.assembly.console import commands

CHROMIUM = Path("/usr/bin/chromium")
SHOTS = {"site_list": "club/index.html", "site_player": "club/players/2.html"}
"""Pages of the tutorial's site by the name of their picture."""


def missing() -> str:
    """What is missing for screenshots, in words; empty if nothing is."""
    if CHROMIUM.is_file() and find_spec("playwright") is not None:
        return ""
    return f"they need {CHROMIUM} and playwright; the pages are built without them"


def write(root: Path, folder: Path) -> None:
    """Take all screenshots."""
    from playwright.sync_api import sync_playwright  # only where it is installed

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as driver:
        _type(root / "docs" / "tutorial.md", Path(place))
        browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 900, "height": 620})
        for name, address in SHOTS.items():
            page.goto((Path(place) / "site" / address).as_uri())
            page.screenshot(path=str(folder / f"{name}.png"))
        browser.close()


def _type(page: Path, folder: Path) -> None:
    """Run the commands of a page in a folder."""
    for command, printed in commands(page.read_text(encoding="utf-8")):
        name, *words = shlex.split(command)
        if name == "cat":
            (folder / words[0]).write_text(printed, encoding="utf-8")
        elif name == "ratingcore" and "--html" not in words:  # reports take long and are not shown
            call = [sys.executable, "-m", "ratingcore", *words]
            subprocess.run(call, cwd=folder, check=True, capture_output=True)
