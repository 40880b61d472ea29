"""`ratingcore load`: a log made from an export."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TextIO

import click

from ratingcore.atomic_file import atomic_file
from ratingcore.cli.command import Command
from ratingcore.cli.console import note
from ratingcore.cli.new_file import must_be_new
from ratingcore.cli.open_log import recording
from ratingcore.cli.phrases import chained
from ratingcore.errors import BadTransfer

LONGEST = 2**26
"""Characters of a line of an export at most: one event, however many sides it has."""


@click.command(
    "load",
    cls=Command,
    examples=(
        "ratingcore load copy.db club.jsonl.gz",
        "ratingcore load again.db - < club.jsonl",
    ),
)
@click.argument("log", metavar="NEW_LOG")
@click.argument("file")
def load(log: str, file: str) -> None:
    """Make a log from an export.

    Every digest is checked on the way, and every line as if it were appended. FILE may be - for stdin, or compressed
    with gzip.
    """
    must_be_new(log)
    with _new_log(log) as part, _lines(file) as lines, recording(part) as engine:
        verified = engine.load(lines)
    click.echo(str(verified.head))
    note(f"{chained(verified.head.position, verified.batches)}, every digest as the export has it")
    for remark in verified.remarks:
        note(remark)


@contextmanager
def _new_log(log: str) -> Iterator[str]:
    """Where to make a log that is there under its name when it is whole; nothing is left of an unfinished one."""
    with atomic_file(Path(log)) as part:
        sides = [Path(f"{part}{ending}") for ending in ("", "-wal", "-shm")]
        try:
            for file in sides:  # what a load that was killed has left
                file.unlink(missing_ok=True)
            yield str(part)
        finally:
            for file in sides[1:]:
                file.unlink(missing_ok=True)


@contextmanager
def _lines(path: str) -> Iterator[Iterable[str]]:
    from ratingcore.readers.files import reading as opened

    if path == "-":
        yield _ended(sys.stdin)
        return
    with opened(path, None) as text:
        yield _ended(text)


def _ended(text: TextIO) -> Iterator[str]:
    """Lines with their ends; `BadTransfer` at one that is too long, which may be one of a device that never ends."""
    for number, line in enumerate(iter(partial(text.readline, LONGEST), ""), 1):
        if len(line) == LONGEST and line[-1] not in "\r\n":
            raise BadTransfer(number, f"it is no line of an export, being longer than {LONGEST:,} characters")
        yield line
