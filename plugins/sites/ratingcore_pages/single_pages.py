"""Single pages for files, as written by `--to list.html` and `--to list.pdf`."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from ratingcore import Engine, RatingList
from ratingcore.errors import NotInstalled
from ratingcore_pages.look import Look
from ratingcore_pages.pages import Pages

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
"""Programs that print a page to PDF, in order of preference."""


def list_page(engine: Engine, listed: RatingList, top: int | None = None, *, language: str = "en") -> str:
    """Returns the page of a given rating list or its first rows, with its added columns."""
    return Pages(engine, Look(language=language)).listing(listed, top).html()


def published_page(engine: Engine, pool: str, name: str, *, language: str = "en") -> str:
    """Returns the page of a published list, with its proof and what would be different today."""
    return Pages(engine, Look(language=language)).published_list(pool, name).html()


def player_page(engine: Engine, player: str, pool: str, *question: str | None, language: str = "en") -> str:
    """Returns the page of a player, by a question's method and cuts."""
    return Pages(engine, Look(language=language), *question).player(pool, player).html()


def meeting_page(
    engine: Engine, player: str, other: str, pool: str, *question: str | None, language: str = "en"
) -> str:
    """Returns the page of two players side by side, by a question's method and cuts."""
    return Pages(engine, Look(language=language), *question).meeting(pool, player, other).html()


def pdf(html: str) -> bytes:
    """Converts a page to PDF on A4 paper.

    Raises
    ------
    NotInstalled
        If there is neither WeasyPrint nor a browser.
    """
    try:
        import weasyprint  # type: ignore[import-not-found,import-untyped,unused-ignore]  # optional
    except ImportError:
        return _printed(html)
    made: bytes = weasyprint.HTML(string=html).write_pdf()
    return made


def _printed(html: str) -> bytes:
    """Prints a page with a browser, without a window or network."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise NotInstalled("weasyprint", "a page as PDF without a browser", "pdf")
    with tempfile.TemporaryDirectory() as folder:
        page, printed = Path(folder, "page.html"), Path(folder, "page.pdf")
        page.write_text(html, encoding="utf-8")
        flags = ["--headless", "--disable-gpu", "--no-pdf-header-footer", f"--user-data-dir={folder}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:  # run by root, a browser refuses to start with a sandbox
            flags.append("--no-sandbox")
        command = [browser, *flags, f"--print-to-pdf={printed}", page.as_uri()]
        subprocess.run(command, capture_output=True, check=True, timeout=120)
        return printed.read_bytes()
