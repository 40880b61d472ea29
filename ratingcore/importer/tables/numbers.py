"""Parses numbers in cells, with a decimal point or a decimal comma."""

import re
from collections.abc import Callable
from math import isinf

from ratingcore.errors import BadValue

Number = Callable[[str], int | float | None]
"""Parser of a text; None where it is no number."""

_NOT_FINITE = frozenset({"NaN", "nan", "NAN", "inf", "Inf", "-inf", "-Inf", "Infinity", "-Infinity"})
"""How programs write numbers that are not finite; `Nan`, a person or a place, is not among them."""

_SAFE_DIGITS = 18
"""Most digits of an integer; a longer one is a code, and may not fit into 64 bits."""

_WHOLE = re.compile(rf"[+-]?[0-9]{{1,{_SAFE_DIGITS}}}")


def number(decimal: str) -> Number:
    """Returns a parser of numbers that allows a plus, leading zeros and a bare decimal sign."""
    sign = re.escape(decimal)
    form = re.compile(rf"[+-]?(?:[0-9]+{sign}?[0-9]*|{sign}[0-9]+)(?:[eE][+-]?[0-9]+)?")

    def read(text: str) -> int | float | None:
        if _WHOLE.fullmatch(text):
            return int(text)
        value = float(text.replace(decimal, ".")) if form.fullmatch(text) else None
        return None if value is None or isinf(value) else value

    return read


def fact(field: str, decimal: str) -> Callable[[str], str | int | float | None]:
    """Returns a parser of a free field: what is written like a number becomes one, codes such as 007 stay text."""
    sign = re.escape(decimal)
    form = re.compile(rf"-?(?:0|[1-9][0-9]*)(?:{sign}[0-9]+)?(?:[eE][+-]?[0-9]+)?")
    code = re.compile(rf"-?[0-9]{{{_SAFE_DIGITS + 1},}}")
    value_of = number(decimal)

    def read(text: str) -> str | int | float | None:
        if not form.fullmatch(text) or code.fullmatch(text):
            value: str | int | float | None = None if text in _NOT_FINITE else str(text)  # no subclass of it
        else:
            value = value_of(text)
        if value is None:
            raise BadValue(field, text, "is not a finite number")
        return None if value == "" else value

    return read


def required(field: str, decimal: str) -> Number:
    """Returns a parser of a field that holds a number or nothing; any other text raises `BadValue`."""
    value_of = number(decimal)

    def read(text: str) -> int | float | None:
        value = value_of(text)
        if value is None and text:
            raise BadValue(field, text, "is not a finite number")
        return value

    return read


def whole(field: str, text: str) -> int:
    """Whole number of a cell; an empty cell is 0.

    Raises
    ------
    BadValue
        If the text is no whole number.
    """
    if (text.isdecimal() and len(text) <= _SAFE_DIGITS) or _WHOLE.fullmatch(text):
        return int(text)
    if text:
        raise BadValue(field, text, "is not a whole number")
    return 0
