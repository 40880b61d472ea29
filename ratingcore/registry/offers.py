"""Checks what plugins offer before any of it is registered: kinds, names and parameters."""

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import attrs

from ratingcore.columns.games import Games
from ratingcore.columns.sides import Sides
from ratingcore.log.address import Store
from ratingcore.log.contract import Eraser
from ratingcore.methods.contract import Method
from ratingcore.methods.text import called
from ratingcore.spelling import spelt_like

_LONGEST = 40
NAME = re.compile(r"[a-z][a-z0-9-]*")
"""Names of methods and writers, as they are typed in method texts and on the command line."""
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+")
FILE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PRESET = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def methods_of(given: object) -> dict[str, type[Method]]:
    """Checks the return value of `ratingcore_methods`, and returns methods by the name under which they are found."""
    offered: dict[str, type[Method]] = {}
    for kind in list_of(given, "ratingcore_methods", "methods"):
        if not (isinstance(kind, type) and issubclass(kind, Method)):
            raise TypeError(f"{ascii_of(kind)} is not a Method")
        whole = attrs.has(kind) and not inspect.isabstract(kind)
        if not whole:
            raise TypeError(
                f"{ascii_of(kind)} is not a method that can be made: a frozen attrs class with every function"
            )
        _check_declared(kind)
        if called(kind) in offered:
            raise ValueError(f"two methods are named {called(kind)}")
        offered[called(kind)] = kind
    return offered


def stores_of(given: object) -> dict[str, Store]:
    """Checks the return value of `ratingcore_stores`, and returns stores by scheme."""
    offered: dict[str, Store] = {}
    for store in list_of(given, "ratingcore_stores", "stores"):
        if not isinstance(store, Store):
            raise TypeError(f"{ascii_of(store)} is not a Store")
        for scheme in store.schemes:
            check_typeable("scheme", scheme, _SCHEME)
            if scheme in offered:
                raise ValueError(f"two stores have the scheme {scheme}")
            offered[scheme] = store
    return offered


def erasers_of(given: object) -> list[Eraser]:
    """Checks the return value of `ratingcore_erasers`, and returns the erasers."""
    offered = list(list_of(given, "ratingcore_erasers", "functions"))
    for eraser in offered:
        if not callable(eraser):
            raise TypeError(f"{ascii_of(eraser)} is not a function")
    return offered


def grades_of(given: object) -> dict[str, Callable[[float], str | int | None]]:
    """Checks the return value of `ratingcore_grades`, and returns functions from rating to grade, by table."""
    if not isinstance(given, Mapping) or not all(map(callable, given.values())):
        raise TypeError(f"ratingcore_grades returned {kind_named(given)}, not a dictionary of functions")
    for name in given:
        check_typeable("table of grades", name, _FIELD)
    return dict(given)


def check_hooks(plugin: object, marked: Callable[[str], Mapping[str, object] | None], hooks: Collection[str]) -> None:
    """Refuses a plugin that implements no hook, or has a function named like a hook that does not exist.

    Parameters
    ----------
    plugin : module or object
    marked : callable
        Returns the options with which a function of the plugin is marked as a hook implementation; None for others.
    hooks : collection of str
        Names of the existing hooks.

    Raises
    ------
    ValueError
    """
    names = dir(plugin)
    for name in (name for name in names if name.startswith("ratingcore_")):
        if not inspect.isroutine(getattr(plugin, name, None)):
            continue
        options = marked(name)
        if name in hooks and options is None:
            raise ValueError(f"{name} is not marked as a hook: put @hookimpl above it")
        if name in hooks or (options or {}).get("optionalhook"):
            continue
        near = spelt_like(name.removeprefix("ratingcore_"), [hook.removeprefix("ratingcore_") for hook in hooks])
        hint = f"did you mean ratingcore_{near[0]}?" if near else f"there are {', '.join(sorted(hooks))}"
        if name == "ratingcore_commands":
            hint = "commands are announced by entry points of the group ratingcore.commands"
        raise ValueError(f"{name} is not a hook: {hint}")
    if not any(marked(name) is not None for name in names):
        raise ValueError(f"it registers nothing: no function of it is one of the hooks {', '.join(sorted(hooks))}")


def _check_declared(kind: type[Method]) -> None:
    """Refuses a method with an invalid name, formula number, kind of results, parameters or presets."""
    name = getattr(kind, "name", None)
    check_typeable("method", name, NAME)
    if type(kind.formula) is not int or not 0 < kind.formula < 10**9:
        raise ValueError(f"{name}: formula is {ascii_of(kind.formula)}, not a number from 1 on")
    if type(kind.superseded) is not bool:
        raise ValueError(f"{name}: superseded is {ascii_of(kind.superseded)}, neither True nor False")
    if kind.reads not in (Games, Sides):
        raise ValueError(f"{name}: reads is {ascii_of(kind.reads)}, neither Games nor Sides")
    for parameter in attrs.fields(kind):  # type: ignore[arg-type]  # an attrs class, as was just seen
        check_typeable(f"parameter of {name}", parameter.name, _FIELD)
    if not isinstance(kind.presets, Mapping) or not all(isinstance(one, Mapping) for one in kind.presets.values()):
        raise TypeError(f"{name}: presets are {kind_named(kind.presets)}, not dictionaries of parameters by name")
    for preset in kind.presets:
        check_typeable(f"preset of {name}", preset, _PRESET)


def check_typeable(what: str, name: object, pattern: re.Pattern[str]) -> None:
    """Refuses a name that is not a text, is longer than 40 characters, or does not match the pattern."""
    if not isinstance(name, str) or not pattern.fullmatch(name) or len(name) > _LONGEST:
        why = f"cannot be typed: use at most {_LONGEST} plain letters"
        raise ValueError(f"the name of a {what} {why}: {ascii_of(name)}")


def list_of(given: object, hook: str, what: str) -> Iterable[Any]:
    if not isinstance(given, list | tuple):
        raise TypeError(f"{hook} returned {kind_named(given)}, not a list of {what}")
    return given


def kind_named(value: object) -> str:
    return "None" if value is None else f"a {type(value).__name__}"


def ascii_of(value: object) -> str:
    """Formats a value in at most about 80 printable ASCII characters."""
    text = ascii(value)
    return text if len(text) <= 2 * _LONGEST else f"{text[: 2 * _LONGEST]}..."
