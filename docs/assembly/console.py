"""Console blocks of a page: files that `cat` shows are written, commands are what a reader types."""

import re
from collections.abc import Iterator

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(language: str, text: str) -> list[str]:
    """The code blocks of a page in one language."""
    return [block for kind, block in BLOCK.findall(text) if kind == language]


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of the console blocks of a page, and what it prints.

    Examples
    --------
    >>> list(commands("```console\\n$ ratingcore anchor club.db\\n3:af\\n```\\n"))
    [('ratingcore anchor club.db', '3:af\\n')]
    """
    for block in blocks("console", text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE):
            if part:
                command, _, printed = part.partition("\n")
                yield command, printed
