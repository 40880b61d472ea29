"""Commands that copy a log or make one from a copy: backup, restore, export and load."""

import gzip
import io
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

import click

from ratingcore.atomic_file import atomic_file
from ratingcore.cli import completion, options
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.files import must_be_new, new_file
from ratingcore.cli.options import command
from ratingcore.cli.question import cut_of, reading
from ratingcore.cli.sentences import chained
from ratingcore.engine import open_engine
from ratingcore.errors import BadTransfer
from ratingcore.events import iso
from ratingcore.importer.inputs import source_at
from ratingcore.log.abilities import backup as copied
from ratingcore.log.address import scheme_of
from ratingcore.log.sqlite.restoration import given_up
from ratingcore.log.sqlite.restoration import restore as restored
from ratingcore.readers.files import reading as opened
from ratingcore.replay.caches import columns_folder
from ratingcore.safe_text import counted


@command("backup", "ratingcore backup club.db club-2024-03.db")
@options.log
@click.argument("copy")
def backup(log: str, copy: str) -> None:
    """Copy the log to a new file.

    The copy is complete and consistent, even while others write to the log.
    """
    must_be_new(copy)
    with reading(log) as engine:
        copied(engine.log, copy)
        note(f"{copy}: head {engine.log.head}")


@command("restore", "ratingcore restore club-2024-03.db club.db")
@click.argument("backup", metavar="BACKUP")
@click.argument("log", metavar="LOG")
def restore(backup: str, log: str) -> None:
    """Replace a log by a backup.

    The copy is verified first, and nothing changes unless it is complete. No other program may have the log open, so
    stop the service before. Files that SQLite and ratingcore keep beside the log are removed; the log that was there is
    kept beside it as LOG.replaced.
    """
    for text in (backup, log):
        if scheme_of(text) is not None:
            raise Mistake(
                f"restore works on files, not on addresses of databases: {text}", "load an export into the database"
            )
    later, since = given_up(backup, log)
    verified, replaced = restored(backup, log)
    shutil.rmtree(columns_folder(log), ignore_errors=True)
    click.echo(str(verified.head))
    note(chained(verified.head.position, verified.batches))
    if replaced is not None:
        if since is not None:
            events = counted(later, "later event, recorded", "later events, recorded")
            note(f"only the log that was there has {events} from {iso(since)[:10]} on")
        note(f"the log that was there is kept as {replaced}: delete it when you do not need it any more")


@command(
    "export",
    "ratingcore export club.db club.jsonl.gz",
    "ratingcore export club.db > club.jsonl",
    "ratingcore export club.db results.csv --to results --through 2024-12-31",
    "ratingcore export club.db list.xlsx --to ratings --list 2024-03 --show won,drawn,lost,last",
    'ratingcore export club.db open.trf --to trf:version=26 --event "Open (2024-03-02)"',
)
@options.log
@click.argument("file", default="-")
@click.option(
    "--to", "writer", metavar="NAME[:OPTION=VALUE,...]",
    help="Write a file of this format instead of the log: results, ratings, trf, ... (see ratingcore "
    "readers --writers).",
)  # fmt: skip
@click.option("--pool", "-p", metavar="NAME", help="With --to: only this pool.")
@options.through
@options.known_at
@click.option(
    "--list", "rating_list", metavar="NAME", shell_complete=completion.lists,
    help="With --to ratings: the published list to write. With --event: the published list with the "
    "players' ratings.",
)  # fmt: skip
@click.option(
    "--show", metavar="NAME,...",
    help="With --to ratings: further columns, as for list --show, such as change,born,federation.",
)  # fmt: skip
@click.option("--event", metavar="NAME", help="With --to trf: the tournament, by the name that its results give.")
def export(log: str, file: str, writer: str | None, **settings: Any) -> None:
    """Write the log as lines of JSON, or its results as a file of another format.

    With --to results, the results are written as they read now, or at the cuts that you give, with corrections applied.
    The ending of the file name gives the form: .csv, .jsonl, .parquet or .xlsx. Importing that file into an empty log
    gives the same lists, unless players were seeded or described. --to ratings writes a published list, with the
    question and the head that it was made from. --to trf writes one tournament as a report: what is known of its
    players, and its games by round. What a report cannot hold is named on stderr.

    Without --to, the export is the log itself: load makes the log again from these lines, with every digest the same.
    Without FILE, or with -, it goes to stdout; it is compressed if the name ends in .gz.
    """
    if file != "-":
        must_be_new(file)
    if writer is not None:
        _written(log, file, writer, settings)
        return
    if any(value is not None for value in settings.values()):
        raise Mistake("without --to, export writes the whole log", "use --to results to export some of the results")
    with reading(log) as engine, _opened(file) as out:
        for line in engine.export():
            out.write(line + "\n")
        head = engine.log.head
    note(f"{'stdout' if file == '-' else file}: head {head}")


def _written(log: str, file: str, writer: str, settings: Mapping[str, Any]) -> None:
    """Writes part of a log in another format."""
    name = "" if file == "-" else file
    with reading(log) as engine, nullcontext(sys.stdout.buffer) if file == "-" else new_file(file) as out:
        cut = cut_of(engine, settings["known_at"])
        given = {**settings, "known_at": cut, "show": settings["show"] or ""}
        for part in engine.written(writer, name, **given, remark=note):
            out.write(part)
        unwritten = sum(1 for _ in engine.log.rows(0, None, ("seed", "player")))
        head = engine.log.head
    note(f"{file if name else 'stdout'}: {writer} of head {head}")
    if unwritten and writer.partition(":")[0] == "results":
        note(
            f"{unwritten} first ratings and facts of players are not in this file, which holds results; export "
            "without --to has them"
        )


@contextmanager
def _opened(path: str) -> Iterator[TextIO]:
    """Opens stdout, or a new text file that is compressed if its name ends in .gz."""
    if path == "-":
        yield sys.stdout
        return
    with new_file(path) as raw, _packed(raw, path) as plain, io.TextIOWrapper(plain, "utf-8", newline="") as text:
        yield text


def _packed(raw: BinaryIO, path: str) -> AbstractContextManager[BinaryIO]:
    if not path.endswith(".gz"):
        return nullcontext(raw)
    return cast(BinaryIO, gzip.GzipFile("", "wb", fileobj=raw, mtime=0))  # the same log gives the same bytes


LONGEST = 2**26
"""Largest length of a line of an export, in characters; a line holds one event, however many sides it has."""


@command(
    "load",
    "ratingcore load copy.db club.jsonl.gz",
    "ratingcore load again.db - < club.jsonl",
)
@click.argument("log", metavar="NEW_LOG")
@click.argument("file")
def load(log: str, file: str) -> None:
    """Make a log, in a file or at an address, from an export.

    Every digest is checked on the way, and every line is checked as if it were appended. FILE may be - for stdin, or
    compressed with gzip. At an address the log may exist already if it is empty.
    """
    with _lines(file) as lines, _new_log(log) as part, open_engine(part) as engine:
        verified = engine.load(lines)
    click.echo(str(verified.head))
    note(f"{chained(verified.head.position, verified.batches)}, every digest matches the export")
    for remark in verified.remarks:
        note(remark)


@contextmanager
def _new_log(log: str) -> Iterator[str]:
    """Returns a path at which to make a log, which gets its name once complete; an unfinished log is removed.

    At an address, the log is filled in one transaction, and stays empty if that does not finish.
    """
    if scheme_of(log) is not None:
        yield log
        return
    must_be_new(log)
    with atomic_file(Path(log)) as part:
        sides = [Path(f"{part}{ending}") for ending in ("", "-wal", "-shm")]
        try:
            for file in sides:  # a load that was killed may have left them
                file.unlink(missing_ok=True)
            yield str(part)
        finally:
            for file in sides[1:]:
                file.unlink(missing_ok=True)


@contextmanager
def _lines(path: str) -> Iterator[Iterable[str]]:
    if path == "-":
        yield _ended(sys.stdin)
        return
    with opened(source_at(path), None) as text:
        yield _ended(text)


def _ended(text: TextIO) -> Iterator[str]:
    """Yields lines with their ends; raises `BadTransfer` at a line that is too long, as from an endless device."""
    for number, line in enumerate(iter(partial(text.readline, LONGEST), ""), 1):
        if len(line) == LONGEST and line[-1] not in "\r\n":
            raise BadTransfer(number, f"it is longer than {LONGEST:,} characters, so it is not a line of an export")
        yield line
