"""Checks the arguments of a failed call, to find the first one whose type differs from its annotation."""

import builtins
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from ratingcore.errors import BadValue
from ratingcore.events import Event, ResultAmended, iso
from ratingcore.events.times import is_count
from ratingcore.lazy_imports import Later

_WIDER: Mapping[Any, type] = {float: Real, int: Integral}
"""Types that accept numbers of NumPy, too."""


def mistyped(function: Callable[..., Any], part: object, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Returns a `BadValue` for the first argument that does not fit its annotation; None if all fit.

    It runs only after a call has failed with an error that does not name the cause, so other calls cost nothing.
    """
    signature = inspect.signature(function)
    try:
        given = signature.bind(part, *args, **options).arguments
    except TypeError:  # the error names the missing or unknown argument
        return None
    for name, value in list(given.items())[1:]:
        parameter = signature.parameters[name]
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        hint = _meant(parameter.annotation, function)
        for one in value if parameter.kind is parameter.VAR_POSITIONAL else (value,):
            if isinstance(one, str) and not _written(one):
                return BadValue(name, one, "cannot be written in UTF-8")
            if not _fits(one, hint):
                return BadValue(name, one, f"must be {_spelt(parameter.annotation)}, not {type(one).__name__}")
    return None


def check_counted(events: Iterable[Event]) -> None:
    """Refuses events whose time is a count of seconds or milliseconds, which would be a moment of January 1970.

    A time that was given as text or as a datetime is a `Timed` there, so that it is not refused.

    Raises
    ------
    BadValue
    """
    for event in events:
        at = event.changes.get("played") if isinstance(event, ResultAmended) else getattr(event, "played", None)
        if type(at) is int and is_count(at):
            why = f"counts microseconds since 1970, and would be {iso(at)}: give an ISO text or a datetime"
            raise BadValue("played", at, why)


def _written(text: str) -> bool:
    """True if a text can be written in UTF-8; half of a surrogate pair cannot."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


class _Unseen:
    """Base of placeholders for types that are not imported yet: their values are recognised by the type's name."""


class _Names(dict[str, Any]):
    """Names for evaluating an annotation in quotes; unknown names become placeholders."""

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, None) or type(name, (_Unseen,), {})


def _meant(annotation: Any, function: Callable[..., Any]) -> Any:
    if not isinstance(annotation, str):
        return annotation
    seen = inspect.unwrap(function).__globals__.items()
    names = _Names({name: value for name, value in seen if not isinstance(value, Later)})
    return eval(annotation, {}, names)  # our own annotations, never a user's text


def _fits(value: Any, hint: Any) -> bool:
    """True if a value is of a type, or if this cannot be checked without consuming the value."""
    origin, within = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in within)
    if origin is Literal:
        return value in within
    if hint is None or hint is NoneType:
        return value is None
    kind = origin or hint
    if hint is Any or isinstance(hint, TypeVar) or not isinstance(kind, type):
        return True
    if issubclass(kind, _Unseen):
        return any(base.__name__ == kind.__name__ for base in type(value).__mro__)
    if not isinstance(value, _WIDER.get(kind, kind)):
        return False
    if within and isinstance(value, Mapping):
        return all(_fits(key, within[0]) and _fits(one, within[1]) for key, one in value.items())
    if within and issubclass(kind, Iterable) and isinstance(value, list | tuple | set | frozenset):
        return all(_fits(one, within[0]) for one in value)
    return True


def _spelt(annotation: Any) -> str:
    """Returns the text of an annotation, without the modules of its names."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", text)


def checked_top(top: int | None, name: str = "top") -> int | None:
    """Returns a number of rows, or None for all; raises `BadValue` for anything else."""
    if top is not None and (type(top) is not int or top < 1):
        raise BadValue(name, top, "must be a whole number from 1")
    return top
