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
from ratingcore.cli.new_file import must_be_new, new_file, write_new
from ratingcore.cli.open_log import reading


@click.command(
    "export",
    cls=Command,
    examples=(
        "ratingcore export club.db club.jsonl.gz",
        "ratingcore export club.db > club.jsonl",
        "ratingcore export club.db fresh.jsonl.gz --new-uids uids.csv",
    ),
)
@options.log
@click.argument("file", default="-")
@click.option(
    "--new-uids", "mapping", metavar="FILE",
    help="Make the log anew, without uids that were made of names; FILE gets the old uids beside the new ones.",
)  # fmt: skip
def export(log: str, file: str, mapping: str | None) -> None:
    """Write the log as lines of JSON.

    From them, load makes the log again with every digest the same. Without FILE, or with -, to stdout; compressed if
    the name ends in .gz.

    With --new-uids the lines make a log that lists the same ratings to the last digit, under another key and with other
    digests: an older version made uids of names, and whoever has such a log can confirm a guess at an erased name.
    The log is verified first, and refused if it is not whole: under new digests nothing could tell what was changed.
    Corrections refer to the same events, and published lists are carried over with a note of the head they had. Keep
    anchors of the new log, start subscribers anew, and destroy the old log with its backups and exports: until then
    nothing is gained.
    """
    if file != "-":
        must_be_new(file)
    if mapping is not None:
        must_be_new(mapping)
    with reading(log) as engine, _opened(file) as out:
        renewal = None if mapping is None else engine.renewal()
        for line in engine.export() if renewal is None else renewal:
            out.write(line + "\n")
        head = engine.log.head
    if mapping is not None and renewal is not None:
        write_new(mapping, "".join(["old,new\n", *(f"{old},{new}\n" for old, new in renewal.uids.items())]))
        note(f"{mapping}: {len(renewal.uids)} uids are new; it holds the old ones, so keep it apart or destroy it")
        note(f"made from head {head}: load it, and destroy the old log with its backups and exports")
        return
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
