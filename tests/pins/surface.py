"""The public names and the help texts as text; `python -m tests.pins.surface` writes the pins anew.

With a folder, they are written there.
"""

import inspect
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import click

import ratingcore as rc
from ratingcore import outbox, plugin, testing
from ratingcore.cli.main import cli

HERE = Path(__file__).parent


def names() -> str:
    """Every public name of the doors, signatures of the methods of the engine, and the options of every command."""
    lines = []
    for door in (rc, testing, outbox):
        lines += [f"{door.__name__}.{name}" for name in door.__all__]
    for name, names in doors_of_plugins().items():
        lines += [f"{name}.{each}" for each in names]
    for name in sorted(vars_of(rc.Engine)):
        value = getattr(rc.Engine, name)
        lines.append(f"Engine.{name}" + (parameters(value) if callable(value) else ""))
    group = click.Context(cli, info_name="ratingcore")
    for name in cli.list_commands(group):
        command = cli.get_command(group, name)
        assert command is not None
        lines.append(f"ratingcore {name} " + " ".join(sorted(spelt for one in command.params for spelt in one.opts)))
    return "\n".join(lines) + "\n"


def doors_of_plugins() -> dict[str, list[str]]:
    """The public names of every door below `ratingcore.plugin`, sorted; the contract is that door itself."""
    doors = {
        "ratingcore.plugin" if name == "contract" else f"ratingcore.plugin.{name}": import_module(
            f"ratingcore.plugin.{name}"
        )
        for _, name, _ in iter_modules(plugin.__path__)
    }
    return {name: sorted(each for each in dir(door) if not each.startswith("_")) for name, door in doors.items()}


def vars_of(kind: type) -> list[str]:
    """Public attributes of a class."""
    return [name for name in dir(kind) if not name.startswith("_")]


def parameters(function: object) -> str:
    """Names of the parameters of a method, without their types."""
    signature = inspect.signature(function)  # type: ignore[arg-type]  # it is callable
    marks: dict[object, str] = {inspect.Parameter.KEYWORD_ONLY: "{}=", inspect.Parameter.VAR_POSITIONAL: "*{}"}
    return f"({', '.join(marks.get(p.kind, '{}').format(p.name) for p in signature.parameters.values())})"


def helps() -> str:
    """The help of every command, as on a terminal of 110 columns."""
    settings: dict[str, Any] = {"terminal_width": 110, "help_option_names": ["-h", "--help"]}
    group = click.Context(cli, info_name="ratingcore", **settings)
    texts = [f"$ ratingcore --help\n{cli.get_help(group)}"]
    for name in cli.list_commands(group):
        command = cli.get_command(group, name)
        assert command is not None
        context = click.Context(command, info_name=f"ratingcore {name}", **settings)
        texts.append(f"$ ratingcore {name} --help\n{command.get_help(context)}")
    return "\n\n".join(texts) + "\n"


PINS = {"names.txt": names, "help.txt": helps}


if __name__ == "__main__":
    texts = {file: text() for file, text in PINS.items()}
    folder = Path(*sys.argv[1:2]) if sys.argv[1:] else HERE
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")
