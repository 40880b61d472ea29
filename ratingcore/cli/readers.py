"""`ratingcore readers`: formats of files that plugins read."""

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import note
from ratingcore.cli.output import write


@click.command("readers", cls=Command, examples=("ratingcore readers",))
@options.form
def readers(form: str | None) -> None:
    """List the readers of foreign files that plugins offer.

    Columns: name, plugin. CSV and JSON lines need no plugin.
    """
    from ratingcore.registry import Registry

    offered = [(reader, plugin.name) for plugin in Registry.installed().plugins for reader in plugin.readers]
    write([{"name": name, "plugin": plugin} for name, plugin in offered], ("name", "plugin"), form)
    if not offered:
        note("no plugin offers a reader; ratingcore import reads CSV and JSON lines by itself")
