"""Validators for the parameters of methods; an error names the method, the parameter and the value."""

from collections.abc import Callable
from math import isfinite
from typing import Any

from attrs import Attribute

from ratingcore.errors import BadParameter

Validator = Callable[[Any, "Attribute[Any]", Any], None]


def _refuse(instance: object, attribute: "Attribute[Any]", value: object, why: str) -> None:
    method = getattr(type(instance), "name", type(instance).__name__)
    raise BadParameter(str(method), attribute.name, f"{why}: {value!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def finite(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    """Allows any finite number."""
    if not _is_number(value):
        _refuse(instance, attribute, value, "must be a finite number")


def positive(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    """Allows a finite number above zero."""
    if not _is_number(value) or not value > 0:  # type: ignore[operator]  # a number, tested before
        _refuse(instance, attribute, value, "must be a positive number")


def not_negative(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    """Allows a finite number, zero or more."""
    if not _is_number(value) or not value >= 0:  # type: ignore[operator]  # a number, tested before
        _refuse(instance, attribute, value, "must be zero or more")


def between(low: float, high: float) -> Validator:
    """Returns a validator that allows numbers from `low` to `high`, both included."""

    def check(instance: object, attribute: "Attribute[Any]", value: object) -> None:
        if not _is_number(value) or not low <= value <= high:  # type: ignore[operator]  # a number, tested before
            _refuse(instance, attribute, value, f"must be from {low} to {high}")

    return check


def one_of(*words: str) -> Validator:
    """Returns a validator that allows these words."""

    def check(instance: object, attribute: "Attribute[Any]", value: object) -> None:
        if value not in words:
            _refuse(instance, attribute, value, f"must be one of {', '.join(words)}")

    return check


def optional(rule: Validator) -> Validator:
    """Returns a validator that allows None and what the rule allows."""

    def check(instance: object, attribute: "Attribute[Any]", value: object) -> None:
        if value is not None:
            rule(instance, attribute, value)

    return check


def instance_of(kind: type) -> Validator:
    """Returns a validator that allows instances of a type."""

    def check(instance: object, attribute: "Attribute[Any]", value: object) -> None:
        if not isinstance(value, kind):
            _refuse(instance, attribute, value, f"must be a {kind.__name__.lower()}")

    return check
