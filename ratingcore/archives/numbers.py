"""Numbers in cells: which texts are one, with a decimal point or a decimal comma."""

import re
from collections.abc import Callable
from math import isinf

from ratingcore.errors import BadValue

Number = Callable[[str], int | float | None]
"""Reads a text as the number it certainly is, or as None."""

_NOT_FINITE = frozenset({"NaN", "nan", "NAN", "inf", "Inf", "-inf", "-Inf", "Infinity", "-Infinity"})
"""How programs write what is no finite number; a person or a place called Nan is none of these."""

_SAFE_DIGITS = 18
"""An integer of more digits is a code, and may not fit into 64 bits."""

_WHOLE = re.compile(rf"[+-]?[0-9]{{1,{_SAFE_DIGITS}}}")


def number(decimal: str) -> Number:
    """A reader of numbers; a plus, leading zeros and a bare decimal sign are allowed."""
    sign = re.escape(decimal)
    form = re.compile(rf"[+-]?(?:[0-9]+{sign}?[0-9]*|{sign}[0-9]+)(?:[eE][+-]?[0-9]+)?")

    def read(text: str) -> int | float | None:
        if _WHOLE.fullmatch(text):
            return int(text)
        value = float(text.replace(decimal, ".")) if form.fullmatch(text) else None
        return None if value is None or isinf(value) else value

    return read


def fact(field: str, decimal: str) -> Callable[[str], str | int | float | None]:
    """A reader of a free field: what is written as a number is one, codes such as 007 stay text."""
    sign = re.escape(decimal)
    form = re.compile(rf"-?(?:0|[1-9][0-9]*)(?:{sign}[0-9]+)?(?:[eE][+-]?[0-9]+)?")
    code = re.compile(rf"-?[0-9]{{{_SAFE_DIGITS + 1},}}")
    value_of = number(decimal)

    def read(text: str) -> str | int | float | None:
        if not form.fullmatch(text) or code.fullmatch(text):
            value: str | int | float | None = None if text in _NOT_FINITE else text
        else:
            value = value_of(text)
        if value is None:
            raise BadValue(field, text, "is not a finite number")
        return None if value == "" else value

    return read


def required(field: str, decimal: str) -> Number:
    """A reader of a field that holds a number or nothing; it raises `BadValue` for any other text."""
    value_of = number(decimal)

    def read(text: str) -> int | float | None:
        value = value_of(text)
        if value is None and text:
            raise BadValue(field, text, "is not a finite number")
        return value

    return read


def whole(field: str, text: str) -> int:
    """The whole number in a cell; an empty one is 0.

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
