"""Further settings of a method to check, derived from its presets, words and switches."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import UnionType
from typing import Any, Literal, get_args, get_origin

import attrs

from ratingcore.errors import BadParameter
from ratingcore.methods.contract import Method
from ratingcore.methods.periods import Period
from ratingcore.methods.text import identity, parameters


def settings(method: Method) -> list[Method]:
    """The method, then its presets, then the method with one word, switch or period changed.

    Examples
    --------
    >>> from ratingcore_elo import Elo
    >>> texts = [brief(other) for other in settings(Elo(k=40.0))]
    >>> texts[0], texts[-1]
    ('elo:k=40.0', 'elo:k=40.0,period=month')
    """
    distinct = {identity(method): method}
    others: list[tuple[Callable[..., Method], Mapping[str, Any]]] = [
        (type(method), values) for values in method.presets.values()
    ]
    others += [(partial(attrs.evolve, method), values) for values in _changes(method)]
    for make, values in others:
        try:
            other = make(**values)
        except BadParameter:  # it does not go with the other parameters
            continue
        distinct.setdefault(identity(other), other)
    return list(distinct.values())


def _changes(method: Method) -> Iterator[dict[str, Any]]:
    for field in attrs.fields(type(method)):  # type: ignore[arg-type]  # methods are attrs classes
        given = getattr(method, field.name)
        options = get_args(field.type) if isinstance(field.type, UnionType) else (field.type,)
        for option in options:
            if option is bool:
                yield {field.name: not given}
            elif option is Period and given is None:
                yield {field.name: Period.parse("month")}
            elif get_origin(option) is Literal:
                yield from ({field.name: word} for word in get_args(option) if word != given)


def brief(method: Method) -> str:
    """A method text that names only what differs from the defaults.

    Examples
    --------
    >>> from ratingcore_elo import Elo
    >>> brief(Elo()), brief(Elo(k=40.0))
    ('elo', 'elo:k=40.0')
    """
    try:
        defaults = parameters(type(method)())
    except Exception:  # a parameter has no default, or the class is broken: all of them are named
        defaults = {}
    spelt = [f"{name}={text}" for name, text in parameters(method).items() if defaults.get(name) != text]
    return f"{method.name}:{','.join(spelt)}" if spelt else method.name
