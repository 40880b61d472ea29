"""`ratingcore verify`, `backup`, `export` and `load`: proof that a log is whole, and copies of it."""

import gzip
import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO, TextIO, cast

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.open_log import reading, recording


@click.command(
    "verify",
    cls=Command,
    examples=(
        "ratingcore verify club.db",
        "ratingcore verify club.db --anchor 2:HEAD2",
    ),
)
@options.log
@click.option("--anchor", "anchors", multiple=True, metavar="N:DIGEST", help="A head printed once; repeatable.")
def verify(log: str, anchors: tuple[str, ...]) -> None:
    """Recompute every digest, and print the head.

    With --anchor, prove that what was published then is still the beginning of this log: no event of it was
    changed, taken out or put in between.
    """
    with reading(log) as engine:
        verified = engine.verify(anchors)
    click.echo(str(verified.head))
    held = f", {verified.anchors} anchors hold" if anchors else ""
    note(f"{verified.head.position} events in {verified.batches} batches, the chain is whole{held}")


@click.command("backup", cls=Command, examples=("ratingcore backup club.db club-2024-03.db",))
@options.log
@click.argument("copy")
def backup(log: str, copy: str) -> None:
    """Copy the log to a new file.

    The copy is whole and consistent, also while others write to the log.
    """
    _must_be_new(copy)
    with reading(log) as engine:
        engine.backup(copy)
        note(f"{copy}: head {engine.log.head}")


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
        _must_be_new(file)
    with reading(log) as engine, _written(file) as out:
        for line in engine.export():
            out.write(line + "\n")
        head = engine.log.head
    note(f"{'stdout' if file == '-' else file}: head {head}")


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

    Every digest is checked on the way. FILE may be - for stdin, or compressed with gzip.
    """
    _must_be_new(log)
    part = f"{log}.part"
    _clear(part)
    try:
        with _lines(file) as lines, recording(part) as engine:
            verified = engine.load(lines)
        os.replace(part, log)
    finally:
        _clear(part)
    click.echo(str(verified.head))
    note(f"{verified.head.position} events in {verified.batches} batches, every digest as it was")


def _must_be_new(path: str) -> None:
    if Path(path).exists():
        raise Mistake(f"there is something already: {path}", "name another file, or move that one away first")


def _clear(part: str) -> None:
    """Take away what an unfinished load has left."""
    for name in (part, f"{part}-wal", f"{part}-shm"):
        Path(name).unlink(missing_ok=True)


@contextmanager
def _written(path: str) -> Iterator[TextIO]:
    """A text file that is there when all of it was written, and not before."""
    if path == "-":
        yield sys.stdout
        return
    part = Path(f"{path}.part")
    try:
        with part.open("wb") as raw, _packed(raw, path) as plain, io.TextIOWrapper(plain, "utf-8", newline="") as text:
            yield text
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _packed(raw: BinaryIO, path: str) -> AbstractContextManager[BinaryIO]:
    if not path.endswith(".gz"):
        return nullcontext(raw)
    return cast(BinaryIO, gzip.GzipFile("", "wb", fileobj=raw, mtime=0))  # the same log gives the same bytes


@contextmanager
def _lines(path: str) -> Iterator[Iterable[str]]:
    if path == "-":
        yield sys.stdin
        return
    from ratingcore.archives.files import reading as opened

    with opened(path, None) as text:
        yield text
