"""`ratingcore export`: the log as lines of JSON."""

import gzip
import io
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import BinaryIO, TextIO, cast

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import note
from ratingcore.cli.new_file import must_be_new, new_file
from ratingcore.cli.open_log import reading


@click.command(
    "export",
    cls=Command,
    examples=(
        "ratingcore export club.db club.jsonl.gz",
        "ratingcore export club.db > club.jsonl",
    ),
)
@options.log
@click.argument("file", default="-")
def export(log: str, file: str) -> None:
    """Write the log as lines of JSON.

    From them, load makes the log again with every digest the same. Without FILE, or with -, to stdout; compressed if
    the name ends in .gz.
    """
    if file != "-":
        must_be_new(file)
    with reading(log) as engine, _opened(file) as out:
        for line in engine.export():
            out.write(line + "\n")
        head = engine.log.head
    note(f"{'stdout' if file == '-' else file}: head {head}")


@contextmanager
def _opened(path: str) -> Iterator[TextIO]:
    """Stdout, or a new text file, packed if its name says so."""
    if path == "-":
        yield sys.stdout
        return
    with new_file(path) as raw, _packed(raw, path) as plain, io.TextIOWrapper(plain, "utf-8", newline="") as text:
        yield text


def _packed(raw: BinaryIO, path: str) -> AbstractContextManager[BinaryIO]:
    if not path.endswith(".gz"):
        return nullcontext(raw)
    return cast(BinaryIO, gzip.GzipFile("", "wb", fileobj=raw, mtime=0))  # the same log gives the same bytes
