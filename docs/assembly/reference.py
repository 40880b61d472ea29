"""The reference: a page for each command, from its help; pages of the Python names, from their docstrings."""

import json
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from inspect import isclass, isroutine
from pathlib import Path
from pkgutil import iter_modules

import click

from ratingcore import plugin
from ratingcore.cli.main import SECTIONS, cli

GROUPS = {
    "engine": ("The engine", ("open", "Engine")),
    "events": (
        "Events",
        [
            "GamePlayed",
            "SessionPlayed",
            "Side",
            "RatingSeeded",
            "PlayerDescribed",
            "PlayersMerged",
            "MergeUndone",
            "PoolDeclared",
            "ResultAmended",
            "ResultVoided",
            "ListPublished",
            "PeriodClosed",
            "Event",
        ],
    ),
    "lists": ("Rating lists", ("RatingList", "ListedRow", "ListPolicy", "expect")),
    "log": ("The log", ("Log", "SqliteLog", "Head")),
}
"""Pages of the names of `ratingcore`, each with its title."""


DOORS = ("errors", "plugin.contract", "hooks", "testing")
"""Modules whose names are documented whole; those of the doors below `plugin` follow."""


def write(source: Path) -> None:
    """Write all generated pages into the folder that Sphinx reads."""
    folder = source / "reference"
    (folder / "commands").mkdir(parents=True, exist_ok=True)
    (folder / "python").mkdir(exist_ok=True)
    (folder / "commands.md").write_text("".join(_commands(folder / "commands")), encoding="utf-8")
    (folder / "api.md").write_text("".join(_addresses()), encoding="utf-8")
    below = (f"plugin.{name}" for _, name, _ in iter_modules(plugin.__path__) if name != "contract")
    parts: dict[str, tuple[str, str, Sequence[str]]] = {
        name: (title, "ratingcore", names) for name, (title, names) in GROUPS.items()
    }
    for name in (*DOORS, *below):
        shown = name.removesuffix(".contract")
        parts[shown.replace(".", "_")] = f"`ratingcore.{shown}`", f"ratingcore.{name}", _declared(f"ratingcore.{name}")
    written: dict[object, str] = {}
    for name, (title, module, names) in parts.items():
        (folder / "python" / f"{name}.md").write_text(_page(name, title, module, names, written), encoding="utf-8")
    (folder / "python.md").write_text(
        "# Python\n\nMade from the docstrings of what a program or a plugin may import.\n\n"
        "```{toctree}\n" + "".join(f"python/{name}\n" for name in parts) + "```\n",
        encoding="utf-8",
    )


def _declared(module: str) -> list[str]:
    """Public classes and functions of ratingcore that a module offers, sorted."""
    door = import_module(module)
    values = {name: getattr(door, name) for name in dir(door) if not name.startswith("_")}
    return sorted(
        name
        for name, value in values.items()
        if (isclass(value) or isroutine(value)) and getattr(value, "__module__", "").startswith("ratingcore")
    )


def _page(page: str, title: str, module: str, names: Sequence[str], written: dict[object, str]) -> str:
    """A page of names; what another page documents already is a link to it."""
    door = import_module(module)
    intro = "" if module == "ratingcore" else " ".join((door.__doc__ or "").partition("\n\n")[0].split())
    lines, elsewhere = [], []
    for name in names:
        value = getattr(door, name)
        if value in written:
            elsewhere.append(f"[`{name}`]({written[value]}.md)")
            continue
        written[value] = page
        kind = "class" if isclass(value) else "function"
        lines += [f".. auto{kind}:: {name}", ""]
    also = f"Also here, with pages of their own: {', '.join(elsewhere)}.\n\n" if elsewhere else ""
    start = ["```{eval-rst}", f".. currentmodule:: {module}", ""]
    return "\n".join([f"# {title}", "", intro, "", also, *start, *lines, "```", ""])


def _addresses() -> Iterator[str]:
    """The addresses of the service, from the contract that it publishes."""
    from ratingcore_service.app import ROUTES  # a guest, which may be left out when nothing is built
    from ratingcore_service.contract import document

    yield "# Addresses of the service\n\nMade from the contract, which a service gives at `/api/v1/openapi.json`.\n"
    for path, operations in json.loads(document(ROUTES))["paths"].items():
        for verb, operation in operations.items():
            yield f"\n## {verb.upper()} {path}\n\n{_text(operation['summary'])}.\n\n"
            rows = [each for each in operation.get("parameters", ()) if each.get("in") in ("query", "header")]
            if rows:
                yield "| parameter | in | |\n|---|---|---|\n"
                for each in rows:
                    yield f"| `{each['name']}` | {each['in']} | {_text(each.get('description', ''))} |\n"


def _commands(folder: Path) -> Iterator[str]:
    context = click.Context(cli, info_name="ratingcore")
    yield "# Commands\n\nMade from the help of each command: `ratingcore COMMAND --help` prints the same.\n"
    entries = []
    for title, names in SECTIONS.items():
        yield f"\n## {title}\n\n| command | |\n|---|---|\n"
        for name in names:
            command = cli.get_command(context, name)
            assert command is not None
            (folder / f"{name}.md").write_text("".join(_command(name, command)), encoding="utf-8")
            entries.append(f"commands/{name}")
            yield f"| [`{name}`](commands/{name}.md) | {_text(command.get_short_help_str(200))} |\n"
    yield "\n```{toctree}\n:hidden:\n\n" + "\n".join(entries) + "\n```\n"


def _command(name: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=f"ratingcore {name}")
    yield f"# {name}\n\n```text\n{command.get_usage(context).removeprefix('Usage: ')}\n```\n\n"
    for paragraph in re.split(r"\n\s*\n", (command.help or "").strip()):
        yield _text(" ".join(paragraph.split())) + "\n\n"
    options = [option.get_help_record(context) for option in command.params]
    rows = [record for record in options if record]
    if rows:
        yield "| option | |\n|---|---|\n"
        yield from (f"| `{option.replace('|', chr(92) + '|')}` | {_text(text)} |\n" for option, text in rows)
    yield "\n```console\n" + "".join(f"$ {line}\n" for line in getattr(command, "examples", ())) + "```\n"


def _text(text: str) -> str:
    """Help as Markdown: what would be markup is text, what looks like an option is code."""
    text = re.sub(r"([*<|\[\]{}$`])", r"\\\1", text)
    return re.sub(r"(?<![\w-])(--[a-z][\w-]*)", r"`\1`", text)
