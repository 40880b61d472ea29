"""`ratingcore plugins` and `ratingcore readers`: what is installed, and what is broken."""

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import note
from ratingcore.cli.output import write


@click.command("plugins", cls=Command, examples=("ratingcore plugins", "ratingcore plugins --format json"))
@options.form
def plugins(form: str | None) -> None:
    """List the installed plugins, broken ones with the reason.

    Columns: name, distribution, version, methods, readers, broken. A plugin that does not load never stops the others.
    """
    from ratingcore.registry import Registry

    found = Registry.installed().plugins
    rows = [
        {
            "name": plugin.name,
            "distribution": plugin.distribution,
            "version": plugin.version,
            "methods": " ".join(plugin.methods),
            "readers": " ".join(plugin.readers),
            "broken": plugin.broken or None,
        }
        for plugin in found
    ]
    write(rows, ("name", "distribution", "version", "methods", "readers", "broken"), form)


@click.command("readers", cls=Command, examples=("ratingcore readers",))
@options.form
def readers(form: str | None) -> None:
    """List the readers of foreign files that plugins offer.

    Columns: name, plugin. CSV and JSON lines need no plugin.
    """
    from ratingcore.registry import Registry

    found = [(reader, plugin.name) for plugin in Registry.installed().plugins for reader in plugin.readers]
    write([{"name": name, "plugin": plugin} for name, plugin in found], ("name", "plugin"), form)
    if not found:
        note("no plugin offers a reader; ratingcore import reads CSV and JSON lines by itself")
