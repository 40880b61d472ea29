"""`ratingcore anchor`: the head of a log in one line, to be kept elsewhere."""

import json

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.open_log import reading


@click.command(
    "anchor",
    cls=Command,
    examples=(
        "ratingcore anchor club.db >> anchors.txt",
        "ratingcore verify club.db --anchor anchors.txt",
        "ratingcore anchor club.db --format json",
    ),
)
@options.log
@click.option(
    "--format", "-f", "form", type=click.Choice(("line", "json")), default="line",
    help="How it comes out: a line of text, or an object on a line.",
)  # fmt: skip
def anchor(log: str, form: str) -> None:
    """Print the head of a log in one line, to be kept elsewhere.

    The line begins with POSITION:DIGEST, which stands for every event up to now; what follows # is for people: the
    name of the log, and when its newest event was recorded. Mail it, print it, put it under version control, anywhere
    that nobody who can write to the log can write to: verify --anchor shows later whether the log still begins with
    these events.
    """
    from ratingcore.events import exact

    with reading(log) as engine:
        made = engine.anchor()
    if form == "line":
        click.echo(str(made))
        return
    recorded = None if made.recorded is None else exact(made.recorded)
    click.echo(json.dumps({"head": str(made.head), "recorded": recorded, "log": made.log}, ensure_ascii=False))
