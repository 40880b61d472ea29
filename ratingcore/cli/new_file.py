"""Files that a command makes: whole or not at all, and never over something that is there already."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ratingcore.atomic_file import atomic_file
from ratingcore.cli.console import Mistake


def must_be_new(path: str) -> None:
    """Refuses a path where there is something already, and an address of a database."""
    from ratingcore.log.address import file_path

    if file_path(path).exists():
        raise Mistake(f"there is something already: {path}", "name another file, or move that one away first")


@contextmanager
def new_file(path: str) -> Iterator[BinaryIO]:
    """Opens a new file for writing; it is there under its name when all of it is written."""
    must_be_new(path)
    with atomic_file(Path(path)) as part:
        with part.open("wb") as file:
            yield file
        must_be_new(path)  # somebody may have made one meanwhile


def write_new(path: str, text: str) -> None:
    """Writes a text to a new file."""
    with new_file(path) as raw, io.TextIOWrapper(raw, "utf-8", newline="") as file:
        file.write(text)
