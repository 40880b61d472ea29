"""`ratingcore methods`: what can rate, and with which parameters."""

import inspect
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import note, say
from ratingcore.cli.output import write

if TYPE_CHECKING:
    from ratingcore.methods import Method

COLUMNS = ("name", "formula", "cadence", "reads", "parameters", "presets")


@click.command(
    "methods",
    cls=Command,
    examples=(
        "ratingcore methods",
        "ratingcore methods elo-margin",
        "ratingcore methods --format json",
    ),
)
@click.argument("name", required=False)
@options.form
def methods(name: str | None, form: str | None) -> None:
    """List the methods, or explain one of them in full.

    Columns: name, formula (rises when the numbers change), cadence (when it takes notice of games), reads (games of
    two players, or sides), parameters with their defaults, presets. A method is asked for by its name and the
    parameters that differ: elo:k=24,curve=normal
    """
    from ratingcore.registry import Registry

    registry = Registry.installed()
    if name is None:
        write(map(_listed, registry.methods.values()), COLUMNS, form)
        return
    kind = type(registry.method(name))
    if form is not None:
        write([_row(kind)], COLUMNS, form)
        return
    say("\n".join(_explained(kind)))


def _default(kind: "type[Method]") -> "Method | None":
    """The method with its defaults; None if it has a parameter without one."""
    from ratingcore.errors import RatingCoreError

    try:
        return kind()
    except (TypeError, RatingCoreError):
        return None


def _listed(kind: "type[Method]") -> dict[str, Any]:
    """A row of the list; where the code of a plugin fails at it, what is known without asking it."""
    from ratingcore.errors import in_words

    try:
        return _row(kind)
    except BaseException as error:  # a plugin may raise anything, or call `sys.exit`; the others are listed
        if type(error) is KeyboardInterrupt:
            raise
        note(f"warning: the method {kind.name} (module {kind.__module__}) fails: {in_words(error)}")
    row = dict.fromkeys(COLUMNS)
    return row | {"name": kind.name, "formula": kind.formula, "reads": kind.reads.__name__.lower()}


def _defaults(kind: "type[Method]") -> dict[str, str]:
    """Parameters and their defaults as text; a question mark where one must be given."""
    import attrs

    from ratingcore.methods.text import parameters

    method = _default(kind)
    if method is not None:
        return parameters(method)
    return {field.name: "?" for field in attrs.fields(kind)}  # type: ignore[arg-type]  # methods are attrs classes


def _row(kind: "type[Method]") -> dict[str, Any]:
    method = _default(kind)
    return {
        "name": kind.name,
        "formula": kind.formula,
        "cadence": method.cadence.value if method else None,
        "reads": kind.reads.__name__.lower(),
        "parameters": ",".join(f"{name}={text}" for name, text in _defaults(kind).items()),
        "presets": ",".join(kind.presets),
    }


def _explained(kind: "type[Method]") -> Iterator[str]:
    """A method in full: what it is, its parameters, what it reads and remembers, its presets."""
    row, method = _row(kind), _default(kind)
    yield f"{kind.name}, formula {kind.formula}: {row['cadence'] or 'cadence by parameters'}, reads {row['reads']}"
    yield ""
    yield from _prose(inspect.getdoc(kind) or "")
    yield ""
    yield "Defaults"
    yield "--------"
    yield f"{kind.name}:{row['parameters']}"
    if method is not None:
        yield f"columns: {', '.join(column.name for column in method.columns())}"
        yield f"result and player fields it reads: {_fields(method)}"
    for preset, values in kind.presets.items():
        spelt = ",".join(f"{name}={_short(value)}" for name, value in values.items())
        yield f"preset={preset}: {spelt}; {_preset(kind, values)}"
    for law, reason in method.excuses.items() if method is not None else ():
        yield f"does not keep the law {law}: {reason}"


def _preset(kind: "type[Method]", values: Mapping[str, Any]) -> str:
    """What a preset reads, or what else must be given with it."""
    from ratingcore.errors import BadParameter

    try:
        return f"reads {_fields(kind(**values))}"
    except BadParameter as missing:
        return f"{missing.parameter} {missing.why}"


def _fields(method: "Method") -> str:
    return ", ".join(need.name for need in method.needs) or "none"


def _prose(text: str) -> list[str]:
    """A docstring as plain text, without its examples, which are for Python."""
    plain = re.sub(r"\n*Examples\n-+\n.*?(?=\n\S[^\n]*\n-+\n|\Z)", "", text, flags=re.DOTALL)
    return re.sub(r"\.\. (?=\[)|(?<=\])_|[`*]", "", plain).strip().splitlines()


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value).lower()
