"""The group of all commands, and the entry point, which reports every error in the same way."""

import builtins
import errno
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from keyword import iskeyword
from typing import Any

import click
from click.shell_completion import CompletionItem

from ratingcore._version import __version__
from ratingcore.cli.announced import Announced, announced
from ratingcore.cli.console import Mistake, discard_output, note, prepare, print_traceback, report_error
from ratingcore.errors import PluginFails, RatingCoreError, in_words
from ratingcore.spelling import spelt_like

SECTIONS: Mapping[str, Mapping[str, str]] = {
    "See it work": {"demo": "Show the main job on 50,257 real games, end to end."},
    "Record what happened": {
        "import": "Import the results in files, folders, archives, or standard input (-).",
        "seed": "Record ratings from another source.",
        "record": "Record one game.",
        "void": "Count an event as never recorded, or all events of a file.",
        "revive": "Count a voided event again.",
        "amend": "Correct fields of a recorded event.",
        "merge": "Count two names as one player.",
        "unmerge": "Count a merge as never recorded.",
        "split": "Move games of a player, or all from a day on, to another one.",
        "name": "Show a player under another name.",
        "players": "Record facts of players, or show them.",
        "declare": "Declare the rule of a pool, the day it holds from, the results it takes, and its zone.",
        "pools": "List the pools and what is declared of each.",
    },
    "Read lists and ratings": {
        "list": "Rate a pool and list its players.",
        "player": "Show the history of a player, line by line.",
        "explain": "Explain a rating: its opening, a line for everything that moved it, and its closing.",
        "forecasts": "List the forecast of every game, and the rating change that it caused.",
        "predict": "Predict the score of a game, and the ratings after each result.",
        "season": "Play out a season: the final table, and the chance of every place.",
        "versus": "List the results of two players against each other.",
        "superiority": "Show how likely players are to be stronger than each other.",
        "order": "Show how much of a list's order is certain from its results.",
        "performance": "Show the performance of a player over a span or in an event.",
        "category": "Show the category of a tournament.",
        "impact": "Show who moved, and by how much, because of one event.",
        "connect": "Show how results connect the players of a pool.",
        "plot": "Draw one picture, with a panel for each method.",
        "log": "List the events in the order in which they were recorded.",
        "names": "List the keys of players.",
    },
    "Find the right method": {
        "compare": "Score the forecasts of several methods on the same results.",
        "tune": "Find the parameters with which a method forecasts best.",
        "fit": "Estimate parameters of a method from the results of a pool.",
        "backdate": "Compare possible first days of a new rule; nothing is recorded.",
        "simulate": "Simulate players of known strength, and measure how well each method finds it.",
    },
    "Calculate without a log": {
        "expect": "Calculate the expected score of a game between two ratings.",
        "performance-of": "Calculate the performance rating of points made against given ratings.",
    },
    "Publish lists": {
        "publish": "Publish a rating list under a name.",
        "calendar": "Publish all lists of a calendar that are due.",
        "lists": "List what was published, in the order of publication.",
        "show": "Show a published list as it was published.",
        "diff": "Compare a published list with what is known now, or with another published list.",
        "against": "Compare a published list with ratings that others published.",
        "prove": "Recompute a list from its JSON document, and check every part of it.",
        "catch-up": "Keep tables of ratings that any SQLite tool can read.",
        "report": "Write a report for a meeting: pages in a new folder, index.html first.",
        "site": "Write a site: a page for every pool, player, published list and tournament.",
    },
    "Serve a log": {
        "serve": "Serve a log: pages for players and officers, and an API for programs.",
        "token": "Add, list or revoke the tokens of programs and officers for a log that is served.",
        "webhook": "Add, list or remove the addresses to which a running service sends what is recorded from now on.",
        "datasette": "Show a log in Datasette: games, events and corrections as pages with facets and filters.",
    },
    "Look after the log": {
        "anchor": "Print the head of a log in one line, to be kept elsewhere.",
        "verify": "Recompute every digest, read every event, check the file, and print the head.",
        "backup": "Copy the log to a new file.",
        "restore": "Replace a log by a backup.",
        "export": "Write the log as lines of JSON, or its results as a file of another format.",
        "load": "Make a log, in a file or at an address, from an export.",
        "erase": "Erase a player for good: name and facts.",
    },
    "Convert files without a log": {"convert": "Write a file of one tournament in another format."},
    "See what is installed": {
        "methods": "List the methods, or explain one of them in full.",
        "check": "Check that a method, or a reader, keeps the laws of its contract.",
        "plugins": "List the installed plugins, broken ones with the reason.",
        "readers": "List the formats of files that can be imported.",
    },
}
"""Names of the commands under the headings of the help, each with the first sentence of the command's own help.

The sentences are repeated here so that the general help need not import the commands; a test compares the two.
"""

SUMMARIES: Mapping[str, str] = {name: summary for names in SECTIONS.values() for name, summary in names.items()}

GUESTS = frozenset({
    "against", "backdate", "calendar", "catch-up", "category", "connect", "datasette", "demo", "order", "performance",
    "performance-of", "plot", "report", "season", "serve", "simulate", "site", "superiority", "token", "versus",
    "webhook",
})  # fmt: skip
"""Commands in `SECTIONS` that plugins of this distribution announce; they are listed if their plugin is installed."""

COMMANDS = tuple(name for name in SUMMARIES if name not in GUESTS)
"""Our own commands, whose names no plugin can take."""

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "comparisons": ("compare", "tune", "fit"),
    "copies": ("backup", "restore", "export", "load"),
    "declare": ("declare", "pools"),
    "corrections": ("void", "revive", "merge", "unmerge", "split"),
    "histories": ("player", "explain", "forecasts", "impact"),
    "installed": ("methods", "check", "plugins", "readers"),
    "names": ("name", "names", "erase"),
    "proofs": ("anchor", "verify", "prove"),
    "published": ("publish", "lists", "show", "diff"),
}
"""Modules that hold several commands; every other command is in the module with its name."""


def function_name(command: str) -> str:
    """Returns the name of a command's function: `list_` for list, `catch_up` for catch-up."""
    name = command.replace("-", "_")
    return f"{name}_" if iskeyword(name) or hasattr(builtins, name) else name


def module_name(command: str) -> str:
    """Returns the name of a command's module, which is that of its family or of its function."""
    return next((module for module, names in FAMILIES.items() if command in names), function_name(command))


class Commands(click.Group):
    """Group that imports a command only when it is needed, and reports every error in the same way."""

    @property
    def guests(self) -> dict[str, Announced]:
        """The usable commands that plugins announce, by name."""
        return {guest.name: guest for guest in announced(COMMANDS) if not guest.broken}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *self.guests]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            guest = self.guests.get(cmd_name)
            return None if guest is None else guest.load()
        module = import_module(f"ratingcore.cli.{module_name(cmd_name)}")
        command: click.Command = getattr(module, function_name(cmd_name))
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Completes names of commands, with descriptions, without importing any command."""
        names = (name for name in self.list_commands(ctx) if name.startswith(incomplete))
        offered = [CompletionItem(name, help=SUMMARIES.get(name)) for name in names]
        return offered + click.Command.shell_complete(self, ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            listed = self.list_commands(ctx)
            if name not in listed:
                near = spelt_like(name, listed)
                hint = f"did you mean {' or '.join(near)}?" if near else "ratingcore --help lists the commands"
                raise Mistake(f"no command named {name}", hint)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the commands by section, and those of other distributions with their origin, without loading any."""
        rows = {name: SUMMARIES[name] for name in COMMANDS}
        strangers = []
        for guest in announced(COMMANDS):
            if guest.broken:
                note(f"warning: the command {guest} cannot be used: {guest.broken}")
            elif guest.bundled and guest.name in SUMMARIES:
                rows[guest.name] = SUMMARIES[guest.name]
            else:
                strangers.append((guest.name, f"Of {guest.distribution} {guest.version}."))
        for heading, names in SECTIONS.items():
            installed = [(name, rows[name]) for name in names if name in rows]
            if installed:
                with formatter.section(heading):
                    formatter.write_dl(installed)
        if strangers:
            with formatter.section("From plugins"):
                formatter.write_dl(strangers)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            done = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader of our output has closed it
            discard_output()
            return None
        except (click.exceptions.Exit, click.Abort):
            raise
        except (RatingCoreError, click.ClickException, OSError) as error:
            if getattr(error, "errno", None) == errno.ENOSPC:  # otherwise closing stdout would fail again
                discard_output()
            if ctx.params["debug"]:
                print_traceback(error)
            raise
        except BaseException as error:  # our own error, or anything that a plugin raises, even by `sys.exit`
            if type(error) is KeyboardInterrupt:
                raise
            if ctx.params["debug"]:
                print_traceback(error)
            failure = self._blamed(error)
            if failure is None:
                raise
            raise failure from error
        return done

    def _blamed(self, error: BaseException) -> PluginFails | None:
        """Returns the failure of a plugin, if an error came from a plugin's code; else None."""
        for guest in self.guests.values():
            if not guest.bundled and guest.raised(error):
                return PluginFails(str(guest), in_words(error))
        from ratingcore.registry import Registry  # slow to import, and needed only after a failure

        return Registry.installed().blamed(error)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Runs a command line as click does, but reports every error as `error:` and `hint:`.

        The exit code is the one that `ratingcore.cli.console` gives the error.
        """
        try:
            _check_text(sys.argv[1:] if args is None else args)
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except Exception as error:  # tracebacks are shown only on request
            code = report_error(error)
        if standalone_mode:
            sys.exit(code if isinstance(code, int) else 0)
        return code


def _check_text(args: Sequence[str]) -> None:
    """Refuses arguments that cannot be names or paths: bytes that are not UTF-8, and the null character."""
    for arg in args:
        if "\0" in arg or any("\ud800" <= char <= "\udfff" for char in arg):
            raise Mistake(f"an argument is not text in UTF-8: {arg!r}")


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="ratingcore COMMAND --help explains a command, with examples. Exit codes: 0 done, 1 data refused or an "
    "internal error, 2 a mistake in what was asked.",
)
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(__version__, "--version", message="ratingcore %(version)s")
@click.pass_context
def cli(ctx: click.Context, debug: bool) -> None:
    """Keep results in an append-only log, and make rating lists of them: by any method, for any day, and from what was
    known on any day.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Runs the command line; the entry point of the program `ratingcore`."""
    prepare()
    cli(prog_name="ratingcore")
