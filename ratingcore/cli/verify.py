"""`ratingcore verify`: proof that a log is whole."""

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import note
from ratingcore.cli.open_log import reading


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
    anchored = f", {verified.anchors} anchors hold" if anchors else ""
    note(f"{verified.head.position} events in {verified.batches} batches, the chain is whole{anchored}")
