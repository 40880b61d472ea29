"""Commands that check the log and its lists: anchor, verify and prove."""

import json
import sys
from pathlib import Path

import click

from ratingcore.cli import options
from ratingcore.cli.console import FAILED, Mistake, complain, note
from ratingcore.cli.options import command
from ratingcore.cli.output import write
from ratingcore.cli.question import reading
from ratingcore.cli.sentences import chained
from ratingcore.errors import BadCut, BadFile
from ratingcore.events import exact
from ratingcore.log.verify import LARGEST, Anchor, anchors_of, anchors_text, read_anchors
from ratingcore.readers.files import content
from ratingcore.safe_text import counted


@command(
    "anchor",
    "ratingcore anchor club.db >> anchors.txt",
    "ratingcore verify club.db --anchor anchors.txt",
    "ratingcore anchor club.db --format json",
)
@options.log
@click.option(
    "--format", "-f", "form", type=click.Choice(("line", "json")), default="line",
    help="Format of the line: text, or a JSON object.",
)  # fmt: skip
def anchor(log: str, form: str) -> None:
    """Print the head of a log in one line, to be kept elsewhere.

    The line begins with POSITION:DIGEST, which identifies every event up to now; the rest, after #, is for people: the
    name of the log, and when its newest event was recorded. Mail it, print it, or put it under version control,
    anywhere out of reach of those who can write to the log: verify --anchor checks later whether the log still begins
    with these events.
    """
    with reading(log) as engine:
        made = Anchor.of(engine.log)
    if form == "line":
        click.echo(str(made))
        return
    recorded = None if made.recorded is None else exact(made.recorded)
    click.echo(json.dumps({"head": str(made.head), "recorded": recorded, "log": made.log}, ensure_ascii=False))


@command(
    "verify",
    "ratingcore verify club.db",
    "ratingcore verify club.db --anchor 2:HEAD2",
    "ratingcore verify club.db --anchor anchors.txt",
)
@options.log
@click.option(
    "--anchor", "anchors", multiple=True, metavar="ANCHOR",
    help="A head as printed before, POSITION:DIGEST; or a file with one per line, or a document of a "
    "list; - reads stdin. Repeatable.",
)  # fmt: skip
@click.option("--caches", is_flag=True, help="Also recompute the files beside the log, and remove wrong ones.")
def verify(log: str, anchors: tuple[str, ...], caches: bool) -> None:
    """Recompute every digest, read every event, check the file, and print the head.

    Everything that differs from what ratingcore wrote is reported on a line of its own: rows, names, the key of the
    log, indexes, triggers, tables, cursors, erasures. Tables of your own in the file are not checked.

    --anchor checks that the log still begins with what was published then: no event of it was changed, removed or
    inserted. Every anchor that fails is named, with its line. Only an anchor can show that the whole history was
    rewritten.

    None of this reads the files beside the log. With --caches, these files are recomputed from the log and compared;
    one that differs is named and removed, and the exit code is 1 although the log itself is sound.
    """
    parsed = [anchor for text in anchors for anchor in _anchors(text)]
    with reading(log) as engine:
        verified = engine.verify(parsed, caches=caches)
    click.echo(str(verified.head))
    hold = counted(verified.anchors, "anchor holds", "anchors hold")
    anchored = f", {hold}" if anchors else ""
    note(f"{chained(verified.head.position, verified.batches)}, the chain is whole{anchored}")
    for remark in verified.remarks:
        note(remark)
    if not verified.bound:
        note("no digest covers the key of the log yet: the next append adds it, and you need not do anything")
    for damage in verified.damaged:
        note(f"dropped {damage}")
    if caches and not verified.damaged:
        note("the files beside the log agree with its rows")
    if verified.damaged:
        click.get_current_context().exit(FAILED)


def _anchors(text: str) -> list[Anchor]:
    """Returns the anchors that an option gives: the text itself, those in a file, or those on stdin."""
    if text == "-":
        return read_anchors(anchors_text(sys.stdin.buffer.read(LARGEST + 1), "stdin"), "stdin")
    try:
        return [Anchor.parse(text)]
    except BadCut as error:
        if ":" in text and not Path(text).exists():
            raise
        if not Path(text).exists():
            raise BadCut("anchor", text, f"{error.why}, and there is no such file") from None
        return list(anchors_of([Path(text)]))


LONGEST = 2**28
"""Largest size of a document, in bytes."""


@command(
    "prove",
    "ratingcore prove list.json club.db",
    "ratingcore prove - club.db < list.json",
    "ratingcore prove signed.json club.db --key public.pem",
)
@click.argument("file")
@options.log
@click.option(
    "--key", metavar="KEYFILE",
    help="Check that the document is signed by this key, the public half of an Ed25519 key in a PEM file.",
)  # fmt: skip
@options.form
def prove(file: str, log: str, key: str | None, form: str) -> None:
    """Recompute a list from its JSON document, and check every part of it.

    FILE is a document of show --format json; - reads stdin. Columns: check, holds (yes, no or unproved), detail. The
    checks are: that the log contains the head of the list, the method, the day, every row, the seal of the rows, the
    digest, the name of the published list, and with --key the signature. The exit code is 1 if a check fails. The head
    of a list that was carried over from an earlier log cannot be checked, and is reported as unproved.
    """
    try:
        text = _stdin() if file == "-" else content(file, LONGEST)
    except BadFile as problem:
        raise Mistake(str(problem), "the document comes first, then the log") from None
    with reading(log) as engine:
        proof = engine.prove(text, key)
    write(proof, ("check", "holds", "detail"), form)
    for row in proof.different:
        note(str(row))
    if proof.more:
        note(f"... and {proof.more} more rows that differ")
    if proof.unchecked:
        note(f"not checked: {', '.join(proof.unchecked)}")
    if not proof.holds:
        failed = ", ".join(check.what for check in proof.checks if not check.holds)
        complain(f"the document does not hold: {failed}")
        raise click.exceptions.Exit(FAILED)
    if proof.unproved:
        note(
            f"warning: unproved: {', '.join(proof.unproved)}; only an anchor or a copy of the log before could prove it"
        )
        note("the rest of the document holds")
        return
    note("the document holds")


def _stdin() -> bytes:
    """Reads stdin; raises `BadFile` if it is longer than a document may be."""
    read = sys.stdin.buffer.read(LONGEST + 1)
    if len(read) > LONGEST:
        raise BadFile("stdin", f"it has more than {LONGEST:,} bytes")
    return read
