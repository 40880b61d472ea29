"""Finds the commands that plugins announce by entry points, and loads them on demand."""

import re
from collections.abc import Collection
from importlib.metadata import EntryPoint, entry_points

import click
from attrs import evolve, frozen

from ratingcore.distributions import distribution_of, printable
from ratingcore.errors import PluginFails, in_words

GROUP = "ratingcore.commands"
"""Group of the entry points that announce commands, such as `tally = "league_tally.cli:tally"`."""

_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
_OPTION = re.compile(r"-{0,2}[A-Za-z0-9?][A-Za-z0-9_-]{0,39}")


@frozen
class Announced:
    """A command that a plugin announces; only `load` imports the plugin.

    Parameters
    ----------
    point : EntryPoint
    name : str
        The name of the entry point, which is also the name of the command, in printable letters.
    distribution, version : str
    broken : str
        Reason why the command cannot be used; empty if nothing in its announcement prevents it.
    """

    point: EntryPoint
    name: str
    distribution: str
    version: str
    broken: str = ""

    @property
    def bundled(self) -> bool:
        """True if the command comes with ratingcore."""
        return self.distribution == "ratingcore"

    def __str__(self) -> str:
        return f"{self.name} ({self.distribution} {self.version})"

    def load(self) -> click.Command:
        """Imports the command.

        Raises
        ------
        PluginFails
            If its module does not load, or the announced object is not a click command with this name.
        """
        try:
            command = self.point.load()
            _check(command, self.name)
        except BaseException as error:  # a module may do anything while it is imported, `sys.exit` too
            if type(error) is KeyboardInterrupt:
                raise
            raise PluginFails(str(self), in_words(error)) from error
        made: click.Command = command
        return made

    def raised(self, error: BaseException) -> bool:
        """True if an error was raised in the package of the command, or by code that it called."""
        package, trace = self.point.module.partition(".")[0], error.__traceback__
        while trace is not None:
            if str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0] == package:
                return True
            trace = trace.tb_next
        return False


def announced(own: Collection[str]) -> list[Announced]:
    """Lists the commands that plugins announce, bundled ones first.

    Parameters
    ----------
    own : collection of str
        Names of ratingcore's own commands, which no plugin can take.
    """
    listed: list[Announced] = []
    for point in entry_points(group=GROUP):
        listed.append(Announced(point, printable(point.name), *distribution_of(point)))
    listed.sort(key=lambda command: (not command.bundled, command.name, command.distribution))
    taken = dict.fromkeys(own, "ratingcore")
    for place, command in enumerate(listed):
        broken = ""
        if not _NAME.fullmatch(command.point.name):
            broken = "its name must be 1 to 40 characters of a-z, 0-9 and -, a letter first"
        elif command.name in taken:
            broken = f"the name {command.name} is taken by {taken[command.name]}"
        taken.setdefault(command.name, str(command))
        listed[place] = evolve(command, broken=broken)
    return listed


def _check(command: object, name: str) -> None:
    """Raises an error unless an object is a click command with the announced name and options that can be typed."""
    if not isinstance(command, click.Command):
        raise TypeError(f"{name} is a {type(command).__name__}, not a click command")
    if command.name != name:
        raise ValueError(f"the command {ascii(command.name)[:80]} is announced as {name}")
    for param in command.params:
        for option in (*param.opts, *param.secondary_opts):
            if not isinstance(option, str) or not _OPTION.fullmatch(option):
                raise ValueError(f"an option of {name} cannot be typed: {ascii(option)[:80]}")
    command.get_short_help_str()  # a command whose help fails would break the help of all commands
