"""Laws of what a method declares: columns fit a list, parameters refuse invalid values, its text builds it again."""

from collections.abc import Iterator
from math import inf, nan
from types import NoneType, UnionType
from typing import get_args

import attrs
import numpy as np

from ratingcore.columns.games import Need
from ratingcore.errors import BadParameter
from ratingcore.methods.contract import Method
from ratingcore.methods.text import build, called, identity, split, text_of
from ratingcore.methods.wrapped import innermost
from ratingcore.testing.law import Violation, law, law_of_seasons
from ratingcore.testing.season import Season

LISTED = {"rank", "player", "games"}
"""Names of the columns that every list has in addition to those of the method."""


@law()
def columns(method: Method) -> None:
    """Columns include a rating, and have distinct names, finite starts and sensible digits."""
    declared = method.columns()
    names = [column.name for column in declared]
    ratings = [column for column in declared if column.name == "rating"]
    if not ratings or ratings[0].per != "player" or ratings[0].shape:
        raise Violation(f"no column named rating with one number per player: {', '.join(names) or 'none at all'}")
    if ratings[0].digits is None or ratings[0].labels:
        raise Violation("the rating must be listed as a number: digits given, no labels")
    if len(set(names)) < len(names):
        raise Violation(f"two columns have one name: {', '.join(names)}")
    for column in declared:
        if np.isinf(column.start):
            raise Violation(f"{column.name} starts at {column.start}")
        if column.digits is not None and not 0 <= column.digits <= 15:
            raise Violation(f"{column.name} has {column.digits} digits")
        if column.significant is not None:
            if not 1 <= column.significant <= 15 or column.significant != ratings[0].significant:
                raise Violation(f"{column.name} has {column.significant} significant digits, the rating others")
            if column.digits is None or column.labels:
                raise Violation(f"{column.name} has significant digits, but no digits on a list")
        if column.per == "player" and column.digits is not None and (column.name in LISTED or column.shape):
            raise Violation(f"{column.name} cannot be listed: the name is taken, or it has several numbers per player")
        if column.labels and not column.start < len(column.labels):
            raise Violation(f"{column.name} starts at {column.start}, which has no label")
    if repr(method.columns()) != repr(declared) or not all(isinstance(need, Need) for need in method.needs):
        raise Violation("columns or needs are not the same each time, or no needs")
    undeclared = {need.name for need in method.needs if need.of == "player"} - {*method.facts_read}
    if undeclared:
        raise Violation(f"facts_read lacks {', '.join(sorted(undeclared))}: an erasure would take what ratings need")


@law_of_seasons()
def shown(method: Method, season: Season) -> None:
    """The columns shown on a day have a value per player, and include the rating."""
    labels = {column.name: len(column.labels) for column in method.columns() if column.labels}
    for stage in season.stages(method):
        state = method.rate(stage.state, stage.results).state
        listed = method.show(state, stage.results.span.end)
        if "rating" not in listed or LISTED & listed.keys():
            raise Violation(f"a list cannot be made of {', '.join(listed)}")
        for name, column in listed.items():
            if not isinstance(column, np.ndarray) or column.shape != state["rating"].shape:
                raise Violation(f"{name} as shown has shape {np.shape(column)}, not {state['rating'].shape}")
            if name in labels and not np.isin(column, np.arange(labels[name])).all():
                raise Violation(f"{name} as shown holds codes without a label")
            if np.isinf(column).any():
                raise Violation(f"{name} of {season.who(int(np.argmax(np.isinf(column))))} is shown as infinite")


@law()
def value(method: Method) -> None:
    """A method is a frozen value: equal parameters make equal methods."""
    again = attrs.evolve(method)  # type: ignore[misc]  # methods are attrs classes
    if again != method or hash(again) != hash(method):
        raise Violation("two methods with the same parameters are not equal, or hash differently")
    for field in attrs.fields(type(method)):  # type: ignore[arg-type]  # methods are attrs classes
        try:
            setattr(method, field.name, getattr(method, field.name))
        except AttributeError:
            continue
        raise Violation(f"{field.name} can be assigned: make the class @frozen")


@law()
def text(method: Method) -> None:
    """The text of a method builds the same method again."""
    spelt = text_of(method)
    name, given = split(spelt)
    again = build(type(innermost(method)), given)
    if name != called(method) or again != method:
        raise Violation(f"{spelt} builds {again!r}")
    if identity(again) != identity(method):
        raise Violation(f"{spelt} builds a method of another identity: {identity(again)}")


@law()
def parameters(method: Method) -> None:
    """Every parameter refuses values of a wrong type or range, with `BadParameter`."""
    method = innermost(method)  # `entry`, which any method takes, is not a parameter of its own
    for field in attrs.fields(type(method)):  # type: ignore[arg-type]  # methods are attrs classes
        for wrong in _wrong(field.type):
            try:
                attrs.evolve(method, **{field.name: wrong})  # type: ignore[misc]  # methods are attrs classes
            except BadParameter:
                continue
            except Exception as error:
                raise Violation(f"{field.name}={wrong!r} raises {type(error).__name__}, not BadParameter") from error
            raise Violation(f"{field.name}={wrong!r} is accepted")


def _wrong(kind: object) -> Iterator[object]:
    """Yields values that are invalid for every parameter of this type."""
    options = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    if float in options or int in options:
        yield from (nan, inf, -inf)
    if str not in options:
        yield "no-such-value"
    if NoneType not in options:
        yield None
