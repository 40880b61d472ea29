"""One page as a file: what `--to list.html` and `--to list.pdf` write."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from ratingcore import Engine, RatingList
from ratingcore.errors import NotInstalled
from ratingcore_pages.pages import Pages

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
"""Programs that print a page to PDF, in the order in which they are looked for."""


def list_page(engine: Engine, listed: RatingList, top: int | None = None) -> str:
    """A rating list as it is, or the first rows of it, with the columns that were added to it."""
    return Pages(engine).listing(listed, top).html()


def published_page(engine: Engine, pool: str, name: str) -> str:
    """A published list, with what shows that it is this list and what would be another today."""
    return Pages(engine).published_list(pool, name).html()


def player_page(
    engine: Engine, player: str, pool: str, method: str | None, through: str | None, known_at: str | None
) -> str:
    """The card of a player."""
    return Pages(engine, None, method, through, known_at).player(pool, player).html()


def pdf(html: str) -> bytes:
    """A page on paper of A4.

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
    """A page as a browser prints it, without a window and without a network."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise NotInstalled("weasyprint", "a page as PDF without a browser", "pdf")
    with tempfile.TemporaryDirectory() as folder:
        page, printed = Path(folder, "page.html"), Path(folder, "page.pdf")
        page.write_text(html, encoding="utf-8")
        flags = ("--headless", "--disable-gpu", "--no-sandbox", "--no-pdf-header-footer", f"--user-data-dir={folder}")
        command = [browser, *flags, f"--print-to-pdf={printed}", page.as_uri()]
        subprocess.run(command, capture_output=True, check=True, timeout=120)
        return printed.read_bytes()
