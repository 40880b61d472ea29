"""Docstrings as pages need them: notes of several docstrings on one page do not meet, so they are plain text."""

import re

from sphinx.application import Sphinx

MARK = re.compile(r"\s?\[(\d+)\]_")
NOTE = re.compile(r"^\.\. \[(\d+)\] ")


def plain(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    lines[:] = [NOTE.sub(r"[\1] ", MARK.sub(r" [\1]", line)) for line in lines]


def setup(app: Sphinx) -> dict[str, bool]:
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", plain, priority=100)  # before napoleon
    return {"parallel_read_safe": True}
