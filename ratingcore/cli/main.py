"""The group of all commands: which there are, and the entry point that reports every error in one way."""

import builtins
import errno
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from keyword import iskeyword
from typing import Any

import click

from ratingcore._version import __version__
from ratingcore.cli.console import Mistake, hush, note, prepare, print_traceback, report_error
from ratingcore.errors import PluginFails, RatingCoreError

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "See it work": ("demo",),
    "Tell the log what happened": (
        "import", "seed", "record", "void", "revive", "amend", "merge", "unmerge", "split", "name",
        "players", "declare",
    ),
    "Look at it": (
        "list", "player", "explain", "forecasts", "predict", "performance", "category", "impact", "connect", "plot",
        "log", "names",
    ),
    "Find the right method": ("compare", "tune", "fit", "backdate", "simulate"),
    "Calculate without a log": ("expect",),
    "Publish lists": ("publish", "lists", "show", "diff", "prove", "catch-up"),
    "Keep it": ("anchor", "verify", "backup", "export", "load", "erase"),
    "Convert files without a log": ("convert",),
    "See what is installed": ("methods", "check", "plugins", "readers"),
}  # fmt: skip
"""Names of the commands under the headings of the help. A command lives in the module of its name."""

COMMANDS = tuple(name for names in SECTIONS.values() for name in names)

FORMER = {"whatif": "backdate"}
"""Former names of commands; each still works for one version, with a warning."""


def module_name(command: str) -> str:
    """Name of a command's module, and of the function in it: `list_` for list, `catch_up` for catch-up."""
    name = command.replace("-", "_")
    return f"{name}_" if iskeyword(name) or hasattr(builtins, name) else name


@cache
def _plugged() -> Mapping[str, click.Command]:
    """Commands of plugins; the bundled ones have none, so nothing is loaded where there is no other."""
    from importlib.metadata import entry_points

    if all(point.dist and point.dist.name == "ratingcore" for point in entry_points(group="ratingcore")):
        return {}
    from ratingcore.registry import Registry

    registry = Registry.installed()
    loaded = {plugin.name for plugin in registry.plugins if not plugin.broken}
    commands = registry.commands()
    for plugin in registry.plugins:
        if plugin.broken and plugin.name in loaded:
            note(f"warning: the commands of the plugin {plugin} cannot be used: {plugin.broken}")
    for name in sorted(commands.keys() & {*COMMANDS, *FORMER}):
        note(f"warning: a plugin offers a command {name}, which is one of ratingcore; it cannot be used")
    return {name: command for name, command in commands.items() if name not in (*COMMANDS, *FORMER)}


def _blamed(error: BaseException) -> PluginFails | None:
    """The failure of a plugin, if an error came out of the code of one."""
    from ratingcore.registry import Registry

    registry = Registry.installed()
    registry.commands()  # their code may have failed too
    return registry.blamed(error)


class Commands(click.Group):
    """A group that imports a command when it is asked for, and reports every error in one way."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *sorted(_plugged().keys() - set(COMMANDS))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return _plugged().get(cmd_name)
        name = module_name(cmd_name)
        command: click.Command = getattr(import_module(f"ratingcore.cli.{name}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] in FORMER:
            note(f"warning: {args[0]} is now called {FORMER[args[0]]}")
            args = [FORMER[args[0]], *args[1:]]
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            near = get_close_matches(args[0], self.list_commands(ctx))
            hint = f"did you mean {' or '.join(near)}?" if near else "ratingcore --help lists the commands"
            raise Mistake(f"no command named {args[0]}", hint)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        further = tuple(name for name in self.list_commands(ctx) if name not in COMMANDS)
        for heading, names in (*SECTIONS.items(), ("From plugins", further)):
            commands = [(name, self.get_command(ctx, name)) for name in names]
            rows = [(name, command.get_short_help_str(90)) for name, command in commands if command]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            done = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:  # whoever read our output has seen enough
            hush()
            return None
        except (click.exceptions.Exit, click.Abort):
            raise
        except (RatingCoreError, click.ClickException, OSError) as error:
            if getattr(error, "errno", None) == errno.ENOSPC:  # else closing stdout fails once more
                hush()
            if ctx.params["debug"]:
                print_traceback(error)
            raise
        except BaseException as error:  # ours, or that of a plugin, which may call `sys.exit`
            if type(error) is KeyboardInterrupt:
                raise
            if ctx.params["debug"]:
                print_traceback(error)
            failure = _blamed(error)
            if failure is None:
                raise
            raise failure from error
        return done

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command line as click does, but report every error as `error:` and `hint:`.

        It ends with the exit code that `ratingcore.cli.exit_codes` gives the error.
        """
        try:
            _see_text(sys.argv[1:] if args is None else args)
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except Exception as error:  # nobody sees a traceback without asking for one
            code = report_error(error)
        if standalone_mode:
            sys.exit(code if isinstance(code, int) else 0)
        return code


def _see_text(args: Sequence[str]) -> None:
    """Refuses arguments that no file name and no name can be: bytes that are no UTF-8, and the character 0."""
    for arg in args:
        if "\0" in arg or any("\ud800" <= char <= "\udfff" for char in arg):
            raise Mistake(f"an argument is no text in UTF-8: {arg!r}")


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="ratingcore COMMAND --help explains a command, with examples. Exit codes: 0 done, 1 data refused or a "
    "failure of ours, 2 a mistake in what was asked.",
)
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(__version__, "--version", message="ratingcore %(version)s")
@click.pass_context
def cli(ctx: click.Context, debug: bool) -> None:
    """Keep results in an append-only log, and make rating lists of them: by any method, as of any day,
    as it was known on any day.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """The entry point."""
    prepare()
    cli(prog_name="ratingcore")
