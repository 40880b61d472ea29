"""`ratingcore plugins`: what is installed, and what is broken."""

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.output import write


@click.command("plugins", cls=Command, examples=("ratingcore plugins", "ratingcore plugins --format json"))
@options.form
def plugins(form: str | None) -> None:
    """List the installed plugins, broken ones with the reason.

    Columns: name, distribution, version, methods, readers, broken. A plugin that does not load never stops the others.
    """
    from ratingcore.registry import Registry

    registry = Registry.installed()
    registry.commands()  # a plugin may be broken in what it adds to the command line
    rows = [
        {
            "name": plugin.name,
            "distribution": plugin.distribution,
            "version": plugin.version,
            "methods": " ".join(plugin.methods),
            "readers": " ".join(plugin.readers),
            "broken": plugin.broken or None,
        }
        for plugin in registry.plugins
    ]
    write(rows, ("name", "distribution", "version", "methods", "readers", "broken"), form)
