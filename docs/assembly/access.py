"""What the theme leaves undone, mended in the built pages: for a keyboard, a screen reader and a telephone."""

import re
from pathlib import Path

from sphinx.application import Sphinx

MENDED = (
    ("<pre>", '<pre tabindex="0">'),  # a block that scrolls takes the focus
    ('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="All pages">'),
    ('<aside class="toc-drawer', '<aside aria-label="On this page" class="toc-drawer'),
)
SHORT = re.compile(r'<span class="pre">(?=[^<]{1,30}</span>)')
"""Code that fits into a line of a telephone, and is not broken after a hyphen."""
EMPTY = re.compile(r'<th class="head">\s*(?:<p></p>)?\s*</th>')


def mend(app: Sphinx, error: Exception | None) -> None:
    if error is None:
        for path in Path(app.outdir).rglob("*.html"):
            text = path.read_text(encoding="utf-8")
            for old, new in MENDED:
                text = text.replace(new, old).replace(old, new)  # a page that was not built again is mended already
            text = SHORT.sub('<span class="pre short">', EMPTY.sub("<td></td>", text))
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", mend)
    return {"parallel_read_safe": True}
