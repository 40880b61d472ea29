"""`ratingcore backup`: a copy of the log, made while others may be writing."""

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import note
from ratingcore.cli.new_file import must_be_new
from ratingcore.cli.open_log import reading


@click.command("backup", cls=Command, examples=("ratingcore backup club.db club-2024-03.db",))
@options.log
@click.argument("copy")
def backup(log: str, copy: str) -> None:
    """Copy the log to a new file.

    The copy is whole and consistent, also while others write to the log.
    """
    must_be_new(copy)
    with reading(log) as engine:
        engine.backup(copy)
        note(f"{copy}: head {engine.log.head}")
