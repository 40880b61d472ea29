"""Validators for the parameters of methods; an error names the method, the parameter and the value.

Numbers are limited to 1e9, because no rating is larger, and powers of larger numbers could overflow in a formula.
"""

from collections.abc import Callable
from math import isfinite
from typing import Any

from attrs import Attribute

from ratingcore.errors import BadParameter
from ratingcore.errors.root import quoted
from ratingcore.safe_text import Filled

LIMIT = 1e9
"""Largest absolute value of a parameter."""

Validator = Callable[[Any, "Attribute[Any]", Any], None]


def _refuse(
    instance: object, attribute: "Attribute[Any]", value: object, why: str, words: tuple[str, ...] = ()
) -> None:
    method = getattr(type(instance), "name", type(instance).__name__)
    raise BadParameter(str(method), attribute.name, why, value=quoted(value), words=words)


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isfinite(value) if isinstance(value, float) else True


def _check_size(instance: object, attribute: "Attribute[Any]", value: Any) -> None:
    if not -LIMIT <= value <= LIMIT:
        bounds = Filled("must be from {low} to {high}", low=f"{-LIMIT:.0f}", high=f"{LIMIT:.0f}")
        _refuse(instance, attribute, value, bounds)


def _check_infinite(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    if isinstance(value, float) and not isfinite(value):
        _refuse(instance, attribute, value, "must be a finite number")


def finite(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    """Allows any finite number from -1e9 to 1e9."""
    if not _is_number(value):
        _refuse(instance, attribute, value, "must be a finite number")
    _check_size(instance, attribute, value)


def positive(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    """Allows a number above zero, up to 1e9."""
    _check_infinite(instance, attribute, value)
    if not _is_number(value) or not value > 0:  # type: ignore[operator]  # a number, tested before
        _refuse(instance, attribute, value, "must be a positive number")
    _check_size(instance, attribute, value)


def not_negative(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    """Allows a number from zero to 1e9."""
    _check_infinite(instance, attribute, value)
    if not _is_number(value) or not value >= 0:  # type: ignore[operator]  # a number, tested before
        _refuse(instance, attribute, value, "must be zero or more")
    _check_size(instance, attribute, value)


def between(low: float, high: float) -> Validator:
    """Returns a validator that allows numbers from `low` to `high`, both included."""

    def check(instance: object, attribute: "Attribute[Any]", value: object) -> None:
        if not _is_number(value) or not low <= value <= high:  # type: ignore[operator]  # a number, tested before
            _refuse(instance, attribute, value, Filled("must be from {low} to {high}", low=low, high=high))

    return check


def one_of(*words: str) -> Validator:
    """Returns a validator that allows these words."""

    def check(instance: object, attribute: "Attribute[Any]", value: object) -> None:
        if value not in words:
            _refuse(instance, attribute, value, f"must be one of {', '.join(words)}", words)

    return check


def optional(rule: Validator) -> Validator:
    """Returns a validator that allows None and all values that `rule` allows."""

    def check(instance: object, attribute: "Attribute[Any]", value: object) -> None:
        if value is not None:
            rule(instance, attribute, value)

    return check


_IN_WORDS = {int: "a whole number", bool: "true or false"}


def instance_of(kind: type) -> Validator:
    """Returns a validator that allows instances of a type."""

    def check(instance: object, attribute: "Attribute[Any]", value: object) -> None:
        if not isinstance(value, kind):
            _refuse(instance, attribute, value, f"must be {_IN_WORDS.get(kind, f'a {kind.__name__.lower()}')}")

    return check
