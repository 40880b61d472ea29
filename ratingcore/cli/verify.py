"""`ratingcore verify`: proof that a log is whole."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import note
from ratingcore.cli.exit_codes import FAILED
from ratingcore.cli.open_log import reading
from ratingcore.cli.phrases import chained

if TYPE_CHECKING:
    from ratingcore.log.verify import Anchor


@click.command(
    "verify",
    cls=Command,
    examples=(
        "ratingcore verify club.db",
        "ratingcore verify club.db --anchor 2:HEAD2",
        "ratingcore verify club.db --anchor anchors.txt",
    ),
)
@options.log
@click.option(
    "--anchor", "anchors", multiple=True, metavar="ANCHOR",
    help="A head printed once, POSITION:DIGEST, or a file with one a line, or a document of a list; - reads stdin. "
    "Repeatable.",
)  # fmt: skip
@click.option("--caches", is_flag=True, help="Recompute the files beside the log too; drop those that are wrong.")
def verify(log: str, anchors: tuple[str, ...], caches: bool) -> None:
    """Recompute every digest, read every event, check the file, and print the head.

    What is not as the log was written is named, a line each: rows, names, the key of the log, indexes, triggers,
    tables, cursors, erasures. Tables of your own in the file are yours.

    With --anchor, prove that what was published then is still the beginning of this log: no event of it was
    changed, taken out or put in between. Every anchor that fails is named, with its line. Without an anchor nothing
    shows that the whole history was made anew.

    No file beside the log is read for this. With --caches, they are recomputed from the rows of the log and compared;
    one that differs is named and dropped, and the exit code is 1, though the log is whole.
    """
    kept = [anchor for text in anchors for anchor in _anchors(text)]
    with reading(log) as engine:
        verified = engine.verify(kept, caches=caches)
    click.echo(str(verified.head))
    hold = "1 anchor holds" if verified.anchors == 1 else f"{verified.anchors} anchors hold"
    anchored = f", {hold}" if anchors else ""
    note(f"{chained(verified.head.position, verified.batches)}, the chain is whole{anchored}")
    for remark in verified.remarks:
        note(remark)
    if not verified.bound:
        note("no digest covers the key of the log yet: the next append binds it, nothing has to be done")
    for damage in verified.damaged:
        note(f"dropped {damage}")
    if caches and not verified.damaged:
        note("the files beside the log are what its rows give")
    if verified.damaged:
        click.get_current_context().exit(FAILED)


def _anchors(text: str) -> "list[Anchor]":
    """The anchors that an option names: itself, those in a file, or those on stdin."""
    from ratingcore.errors import BadCut
    from ratingcore.log.verify import LARGEST, Anchor, anchors_of, read_anchors, text_of

    if text == "-":
        return read_anchors(text_of(sys.stdin.buffer.read(LARGEST + 1), "stdin"), "stdin")
    try:
        return [Anchor.parse(text)]
    except BadCut as error:
        if ":" in text and not Path(text).exists():
            raise
        if not Path(text).exists():
            raise BadCut("anchor", text, f"{error.why}, and there is no such file") from None
        return list(anchors_of([Path(text)]))
