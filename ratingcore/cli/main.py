"""The group of all commands: which there are, where each lives, and what becomes of errors."""

import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any

import click

from ratingcore._version import __version__
from ratingcore.cli.console import Mistake, hush, note, prepare, tell, told_with_traceback

SECTIONS: Mapping[str, Mapping[str, str]] = {
    "See it work": {"demo": "demo:demo"},
    "Tell the log what happened": {
        "import": "imports:import_results",
        "seed": "imports:import_seeds",
        "record": "record:record",
        "void": "corrections:void",
        "revive": "corrections:revive",
        "amend": "corrections:amend",
        "merge": "merges:merge",
        "unmerge": "merges:unmerge",
        "split": "split:split",
    },
    "Look at it": {
        "list": "list_:show",
        "player": "player:show",
        "explain": "explain:show",
        "forecasts": "forecasts:show",
        "performance": "performance:show",
        "impact": "impact:show",
        "connect": "connect:show",
        "plot": "plot:plot",
        "log": "log:show",
    },
    "Find the right method": {
        "compare": "compare:compare",
        "tune": "tune:tune",
        "whatif": "whatif:whatif",
        "simulate": "simulate:simulate",
    },
    "Publish lists": {
        "publish": "published:publish",
        "lists": "published:lists",
        "show": "published:show",
        "diff": "proving:diff",
        "prove": "proving:prove",
        "catch-up": "catch_up:catch_up",
    },
    "Keep it": {
        "verify": "copies:verify",
        "backup": "copies:backup",
        "export": "copies:export",
        "load": "copies:load",
        "erase": "erase:erase",
    },
    "See what is installed": {
        "methods": "methods:methods",
        "check": "methods:check",
        "plugins": "plugins:plugins",
        "readers": "plugins:readers",
    },
}
"""Command to module and function, under the headings of the help; a module is imported when it is needed."""

_HOMES = {name: home for section in SECTIONS.values() for name, home in section.items()}


@cache
def _plugged() -> Mapping[str, click.Command]:
    """Commands of plugins; the bundled ones have none, so nothing is loaded where there is no other."""
    from importlib.metadata import entry_points

    if all(point.dist and point.dist.name == "ratingcore" for point in entry_points(group="ratingcore")):
        return {}
    from ratingcore.registry import Registry

    try:
        return {str(command.name): command for command in Registry.installed().commands()}
    except Exception as error:  # whatever a stranger's hook does; it never stops our own commands
        note(f"warning: the commands of plugins cannot be read: {type(error).__name__}: {error}")
        return {}


class Commands(click.Group):
    """A group that imports a command when it is asked for, and tells every error in one way."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_HOMES, *sorted(_plugged().keys() - _HOMES.keys())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _HOMES:
            return _plugged().get(cmd_name)
        module, _, function = _HOMES[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"ratingcore.cli.{module}"), function)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            near = get_close_matches(args[0], self.list_commands(ctx))
            hint = f"did you mean {' or '.join(near)}?" if near else "ratingcore --help lists the commands"
            raise Mistake(f"no command named {args[0]}", hint)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        further = {name: "" for name in self.list_commands(ctx) if name not in _HOMES}
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
        except click.exceptions.Exit:
            raise
        except Exception as error:
            if ctx.params["debug"]:
                told_with_traceback(error)
            raise
        return done

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command line; as click's own, but every error is told as `error:` and `hint:`."""
        try:
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except Exception as error:  # nobody sees a traceback without asking for one
            code = tell(error)
        if standalone_mode:
            sys.exit(code if isinstance(code, int) else 0)
        return code


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
