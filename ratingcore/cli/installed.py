"""Commands about what is installed: methods, check, plugins and readers."""

import os
from collections.abc import Iterator, Mapping
from itertools import islice
from textwrap import fill

import attrs
import click

from ratingcore.cli import options
from ratingcore.cli.announced import Announced, announced
from ratingcore.cli.console import FAILED, Mistake, complain, note, say
from ratingcore.cli.main import COMMANDS
from ratingcore.cli.options import command
from ratingcore.cli.output import chosen, write
from ratingcore.errors import BadParameter, PluginFails, RatingCoreError, in_words
from ratingcore.importer.event_maker import item_text
from ratingcore.importer.inputs import Opening, Unreadable
from ratingcore.importer.reader_choice import InstalledReaders, guesses
from ratingcore.importer.tables.writers import table_writers
from ratingcore.methods import Method
from ratingcore.methods.text import called, default_method, default_parameters, prose_of, summary_of
from ratingcore.methods.wrapped import Wrapped
from ratingcore.readers import Reader, Writer
from ratingcore.registry import Plugin, Registry

COLUMNS = ("name", "formula", "cadence", "reads", "parameters", "presets")


@command(
    "methods",
    "ratingcore methods",
    "ratingcore methods elo-margin",
    "ratingcore methods --format json",
)
@click.argument("name", required=False)
@options.given_form
def methods(name: str | None, form: str | None) -> None:
    """List the methods, or explain one of them in full.

    Columns: name, formula (a number that rises when the ratings it gives change), cadence (when it uses new results),
    reads (games of two players, or sides), parameters with their defaults, presets. To ask for a method, write its name
    and the parameters that differ from the defaults: elo:k=24,curve=normal. A table shows the name and a sentence.
    """
    registry = Registry.installed()
    if name is None:
        rows = {name: _listed(kind) for name, kind in registry.methods.items()}  # with a warning of each that fails
        if chosen(form) == "table":
            _two_columns({name: summary_of(registry.methods[name]) for name in rows})
            return
        write(rows.values(), COLUMNS, chosen(form))
        return
    method = registry.method(name)
    while isinstance(method, Wrapped):  # a rule for newcomers, or a rule with a history, wraps the method
        method = method.method
    kind = type(method)
    if form is not None:
        write([_row(kind)], COLUMNS, form)
        return
    say("\n".join(_explained(kind)))


WIDTH = 80
"""Width of the list of methods, in columns of a terminal."""


def _two_columns(summaries: Mapping[str, str]) -> None:
    """Prints the names, each with a sentence beside it."""
    indent = max(map(len, summaries), default=0) + 2
    for name, summary in summaries.items():
        say(fill(summary, WIDTH, initial_indent=f"{name:{indent}}", subsequent_indent=" " * indent))


def _listed(kind: type[Method]) -> dict[str, object]:
    """Returns the row of a method; if the code of its plugin fails, only with what is known without it."""
    try:
        return _row(kind)
    except BaseException as error:  # a plugin may raise anything, or call `sys.exit`; the others are listed
        if type(error) is KeyboardInterrupt:
            raise
        note(f"warning: the method {kind.name} (module {kind.__module__}) fails: {in_words(error)}")
    row = dict.fromkeys(COLUMNS)
    return row | {"name": called(kind), "formula": kind.formula, "reads": kind.reads.__name__.lower()}


def _row(kind: type[Method]) -> dict[str, object]:
    method = default_method(kind)
    return {
        "name": called(kind),
        "formula": kind.formula,
        "cadence": method.cadence.value if method else None,
        "reads": kind.reads.__name__.lower(),
        "parameters": ",".join(f"{name}={text}" for name, text in default_parameters(kind).items()),
        "presets": ",".join(kind.presets),
    }


def _explained(kind: type[Method]) -> Iterator[str]:
    """Yields the lines that explain a method: description, parameters, fields, columns and presets."""
    row, method = _row(kind), default_method(kind)
    yield f"{called(kind)}, formula {kind.formula}: {row['cadence'] or 'cadence by parameters'}, reads {row['reads']}"
    yield ""
    yield from prose_of(kind).splitlines()
    yield ""
    yield "Defaults"
    yield "--------"
    yield f"{called(kind)}:{row['parameters']}"
    if method is not None:
        yield f"columns: {', '.join(column.name for column in method.columns())}"
        yield f"result and player fields it reads: {_fields(method)}"
    for preset, values in kind.presets.items():
        spelt = ",".join(f"{name}={_short(value)}" for name, value in values.items())
        yield f"preset={preset}: {spelt}; {_preset(kind, values)}"
    for law, reason in method.excuses.items() if method is not None else ():
        yield f"does not keep the law {law}: {reason}"


def _preset(kind: type[Method], values: Mapping[str, object]) -> str:
    """Returns the fields that a preset reads, or the parameter that must be given with it."""
    try:
        return f"reads {_fields(kind(**values))}"
    except BadParameter as missing:
        return f"{missing.parameter} {missing.why}"


def _fields(method: Method) -> str:
    return ", ".join(need.name for need in method.needs) or "none"


def _short(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value).lower()


@command(
    "check",
    "ratingcore check elo",
    "ratingcore check elo:k=40,curve=normal",
    "ratingcore check --reader opengotha cup.xml open.xml",
)
@click.argument("names", metavar="METHOD | FILE...", nargs=-1, required=True)
@click.option("--reader", metavar="NAME", help="Check this reader instead of a method, on files of its format.")
def check(names: tuple[str, ...], reader: str | None) -> None:
    """Check that a method, or a reader, keeps the laws of its contract.

    For authors of methods: an object that passes is a method. With --reader, the laws of readers are checked on each
    FILE and on damaged copies of it: the format is recognised, reports add up, the same file again changes nothing, and
    no error is a traceback. One line per law; the exit code is 1 if one is broken.
    """
    from ratingcore.testing import check_method, check_reader

    if reader is not None:
        installed = InstalledReaders(Registry.installed())
        if reader not in installed:
            raise Mistake(f"no reader is named {reader}", f"installed are {', '.join(installed)}")
        report, what = check_reader(installed[reader], names), "reader"
    else:
        if len(names) > 1:
            raise Mistake("only one method can be checked at a time", "use --reader NAME to check a reader on files")
        report, what = check_method(Registry.installed().method(names[0])), "method"
    say("\n".join(report.lines()))
    if not report.passed:
        complain(f"{reader or names[0]} breaks laws of the {what} contract")
        click.get_current_context().exit(FAILED)


PLUGIN_COLUMNS = ("name", "distribution", "version", "methods", "readers", "stores", "commands", "broken")


@command("plugins", "ratingcore plugins", "ratingcore plugins --format json")
@options.form
def plugins(form: str) -> None:
    """List the installed plugins, broken ones with the reason.

    Columns: name, distribution, version, methods, readers, stores, commands, broken. A plugin that fails to load never
    stops the others. A command has a line of its own, since it is announced and loaded by itself.
    """
    rows = [
        _row_of(plugin, *map(" ".join, (plugin.methods, plugin.readers, plugin.stores)), "", plugin.broken or None)
        for plugin in Registry.installed().plugins
    ]
    rows += [_row_of(guest, "", "", "", guest.name, guest.broken or _failure(guest)) for guest in announced(COMMANDS)]
    write(rows, PLUGIN_COLUMNS, form)


def _row_of(one: Plugin | Announced, *offered: str | None) -> dict[str, object]:
    """Returns the row of a plugin or of an announced command."""
    return dict(zip(PLUGIN_COLUMNS, (one.name, one.distribution, one.version, *offered), strict=True))


def _failure(guest: Announced) -> str | None:
    """Returns the reason why a command does not load; None if it loads."""
    try:
        guest.load()
    except PluginFails as failure:
        return failure.why
    return None


@command(
    "readers",
    "ratingcore readers",
    "ratingcore readers csv",
    "ratingcore readers games.csv unknown.xml",
    "ratingcore readers --writers",
)
@options.form
@click.argument("names", metavar="[NAME | FILE...]", nargs=-1)
@click.option("--writers", is_flag=True, help="List the formats that can be written.")
def readers(names: tuple[str, ...], form: str, writers: bool) -> None:
    """List the formats of files that can be imported.

    Columns: reader, plugin, unit, summary. A document is the whole of one tournament or session: importing a newer
    version of it corrects the earlier one, and results it no longer has are taken back. Rows of a stream are
    independent of each other.

    With the name of a reader, its options are listed: name, default, values. With files, the readers that recognise
    each file: file, reader, sure (1 to 100; from 50 on, --reader is not needed), and begins, the first three items it
    reads.

    With --writers, the formats that can be written are listed: writer, plugin, summary; with the name of a writer, its
    options.
    """
    registry = Registry.installed()
    if writers:
        _written(registry, {**table_writers(registry.sheets), **registry.writers}, names, form)
        return
    installed = InstalledReaders(registry)
    if not names:
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


def _written(registry: Registry, installed: Mapping[str, Writer], names: tuple[str, ...], form: str) -> None:
    """Prints the formats that can be written, or the options of the named one."""
    if names:
        if len(names) > 1 or names[0] not in installed:
            raise Mistake(f"no writer is named {' '.join(names)}", f"installed are {', '.join(installed)}")
        write(list(_options(installed[names[0]])), ("option", "default", "values"), form)
        return
    of = {writer: plugin.name for plugin in registry.plugins for writer in plugin.writers}
    rows = [{"writer": name, "plugin": of.get(name, ""), "summary": one.summary} for name, one in installed.items()]
    write(rows, ("writer", "plugin", "summary"), form)


def _options(reader: Reader | Writer) -> Iterator[dict[str, object]]:
    """Yields the options of a reader or writer that can be given on the command line."""
    for option in attrs.fields(reader.options):
        if isinstance(option.default, str | int | bool):
            values = getattr(option.validator, "options", ())
            yield {"option": option.name, "default": option.default, "values": " ".join(map(str, values))}


def _taken(names: tuple[str, ...], installed: Mapping[str, Reader]) -> Iterator[dict[str, object]]:
    """Yields a row for each file and each reader that may read it."""
    for found in Opening().found(names):
        if isinstance(found, Unreadable):
            raise found.problem
        source = found.source.reusable()
        taking = guesses(installed, found.sample)
        for guess in taking:
            try:
                items = islice(guess.reader.read(source, guess.reader.options()), 3)
                begins = " | ".join(_in_brief(item) for item in items) if guess is taking[0] else ""
            except RatingCoreError as problem:
                begins = str(problem)
            yield {"file": source.name, "reader": guess.reader.name, "sure": guess.sure, "begins": begins}
        source.close()
        if not taking:
            yield {"file": source.name, "reader": "", "sure": 0, "begins": ""}


def _in_brief(item: object) -> str:
    """Describes an item of a reader in at most 80 characters."""
    return f"{type(item).__name__.lower()} {item_text(item)}".strip()[:80]
