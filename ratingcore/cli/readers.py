"""`ratingcore readers`: formats of files, the options of one, and which reader takes a file."""

import os
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import attrs
import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake
from ratingcore.cli.output import write

if TYPE_CHECKING:
    from ratingcore.readers import Reader, Writer
    from ratingcore.registry import Registry


@click.command(
    "readers",
    cls=Command,
    examples=(
        "ratingcore readers",
        "ratingcore readers csv",
        "ratingcore readers games.csv unknown.xml",
        "ratingcore readers --writers",
    ),
)
@options.form
@click.argument("names", metavar="[NAME | FILE...]", nargs=-1)
@click.option("--writers", is_flag=True, help="The formats that can be written instead.")
def readers(names: tuple[str, ...], form: str | None, writers: bool) -> None:
    """List the formats of files that can be imported.

    Columns: reader, plugin, unit, summary. A document is the whole truth about one tournament or session: issued
    again, it corrects and takes back. Rows of a stream stand alone.

    With the name of a reader, its options: name, default, values. With files, the readers that may take each:
    file, reader, sure (1 to 100; from 50 on it is chosen by itself), begins, the first three things it says.

    With --writers, the formats that can be written: writer, plugin, summary; and with the name of one, its options.
    """
    from ratingcore.importer.choice import readers_of
    from ratingcore.importer.tables.writers import WRITERS
    from ratingcore.registry import Registry

    registry = Registry.installed()
    installed: dict[str, Any] = {**WRITERS, **registry.writers} if writers else readers_of(registry)
    if writers:
        _written(registry, installed, names, form)
    elif not names:
        of = {reader: plugin.name for plugin in registry.plugins for reader in plugin.readers}
        rows = [
            {"reader": name, "plugin": of.get(name, ""), "unit": one.unit, "summary": one.summary}
            for name, one in installed.items()
        ]
        write(rows, ("reader", "plugin", "unit", "summary"), form)
    elif len(names) == 1 and names[0] in installed and not os.path.exists(names[0]):
        write(list(_options(installed[names[0]])), ("option", "default", "values"), form)
    else:
        write(list(_taken(names, installed)), ("file", "reader", "sure", "begins"), form)


def _written(registry: "Registry", installed: dict[str, Any], names: tuple[str, ...], form: str | None) -> None:
    """The formats that are written, or the options of one."""
    if names:
        if len(names) > 1 or names[0] not in installed:
            raise Mistake(f"no writer is named {' '.join(names)}", f"installed are {', '.join(installed)}")
        write(list(_options(installed[names[0]])), ("option", "default", "values"), form)
        return
    of = {writer: plugin.name for plugin in registry.plugins for writer in plugin.writers}
    rows = [{"writer": name, "plugin": of.get(name, ""), "summary": one.summary} for name, one in installed.items()]
    write(rows, ("writer", "plugin", "summary"), form)


def _options(reader: "Reader | Writer") -> Iterator[dict[str, Any]]:
    """The options of a reader: those that can be typed."""
    for option in attrs.fields(reader.options):
        if isinstance(option.default, str | int | bool):
            values = getattr(option.validator, "options", ())
            yield {"option": option.name, "default": option.default, "values": " ".join(map(str, values))}


def _taken(names: tuple[str, ...], installed: "dict[str, Reader]") -> Iterator[dict[str, Any]]:
    """A row for each file and each reader that may take it."""
    from ratingcore.errors import RatingCoreError
    from ratingcore.importer.choice import guesses
    from ratingcore.importer.inputs import Opening, Unreadable

    for found in Opening().found(names):
        if isinstance(found, Unreadable):
            raise found.problem
        source = found.source.kept()
        taking = guesses(installed, found.sample)
        for guess in taking:
            try:
                items = islice(guess.reader.read(source, guess.reader.options()), 3)
                begins = " | ".join(_told(item) for item in items) if guess is taking[0] else ""
            except RatingCoreError as problem:
                begins = str(problem)
            yield {"file": source.name, "reader": guess.reader.name, "sure": guess.sure, "begins": begins}
        if not taking:
            yield {"file": source.name, "reader": "", "sure": 0, "begins": ""}


def _told(item: Any) -> str:
    """What a reader says, in few words."""
    from ratingcore.importer.event_maker import text_of

    return f"{type(item).__name__.lower()} {text_of(item)}".strip()[:80]
