"""Tables of parameters as the registry has them, in place of those that a README gives to readers of the code."""

import inspect
import re
from collections.abc import Iterator

import attrs

from ratingcore.methods import Method
from ratingcore.registry import Registry

TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
ENTRY = re.compile(r"^([a-z_0-9, ]+) : (.+)\n((?:^(?: .*)?\n)+)", re.MULTILINE)


def of_package(package: str) -> dict[str, type[Method]]:
    """The methods of a package by name, each by its present formula."""
    found = Registry.installed().methods
    return {
        name: kind
        for name, kind in found.items()
        if kind.__module__.partition(".")[0] == package and not kind.superseded
    }


def described(kind: type[Method]) -> dict[str, tuple[str, str]]:
    """Type with unit and range, and meaning, of each parameter in the docstring of a method.

    Examples
    --------
    >>> described(Registry.installed().methods["elo-margin"])["k"]
    ('float >= 0, rating points', 'What a whole point of surprise is worth at a multiplier of 1.')
    """
    section = inspect.cleandoc(kind.__doc__ or "").partition("Parameters\n----------\n")[2]
    section = re.split(r"^\w[\w ]*\n-{3,}$", section, maxsplit=1, flags=re.MULTILINE)[0]
    found = {}
    for names, unit, meaning in ENTRY.findall(section.rstrip() + "\n"):
        for name in names.split(","):
            found[name.strip()] = (unit, " ".join(meaning.split()))
    return found


def table(kind: type[Method]) -> str:
    """The parameters of a method as a table in Markdown."""

    def rows() -> Iterator[str]:
        entries, made = described(kind), kind()
        for each in attrs.fields(kind):
            unit, meaning = entries.get(each.name, ("", ""))
            name = each.name.removesuffix("_")
            yield f"| `{name}` | {_default(getattr(made, each.name))} | {_cell(unit)} | {_cell(meaning)} |"

    head = ("| name | default | type, range, unit | meaning |", "|---|--:|---|---|")
    return "\n".join((*head, *rows())) + "\n"


def with_parameters(text: str, package: str) -> str:
    """A README whose tables of parameters are those of the registry."""
    methods = of_package(package)
    sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    for number, section in enumerate(sections):
        heading = section.partition("\n")[0].removeprefix("## ").replace("`", "")
        named = [name for name in methods if heading.removeprefix("Parameters of ") == name]
        if not named and heading == "Parameters":
            named = list(methods)
        match = next((each for each in TABLE.finditer(section) if each[0].startswith("| name ")), None)
        if named and match:
            several = len(named) > 1
            tables = "\n".join((f"`{name}`\n\n" if several else "") + table(methods[name]) for name in named)
            sections[number] = section[: match.start()] + tables + section[match.end() :]
    return "".join(sections)


def _default(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float | int) else f"`{value}`"


def _cell(text: str) -> str:
    text = re.sub(r"\s*\[\d+\]_", "", text.replace("``", "`"))
    return text.replace("|", "\\|").replace("{", "\\{").replace("*", "\\*")
