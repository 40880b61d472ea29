"""Numbers in cells: which texts are one, with a decimal point or a decimal comma."""

import re
from collections.abc import Callable

from ratingcore.errors import BadValue

Number = Callable[[str], int | float | None]
"""Reads a text as the number it certainly is, or as None."""

_NOT_FINITE = frozenset({"NaN", "nan", "NAN", "inf", "Inf", "-inf", "-Inf", "Infinity", "-Infinity"})
"""How programs write what is no finite number; a person or a place called Nan is none of these."""

_SAFE_DIGITS = 18
"""An integer of more digits is a code, and may not fit into 64 bits."""


def number(decimal: str) -> Number:
    """A reader of numbers; a plus, leading zeros and a bare decimal sign are allowed."""
    sign = re.escape(decimal)
    form = re.compile(rf"[+-]?(?:[0-9]+{sign}?[0-9]*|{sign}[0-9]+)(?:[eE][+-]?[0-9]+)?")
    whole = re.compile(rf"[+-]?[0-9]{{1,{_SAFE_DIGITS}}}")

    def read(text: str) -> int | float | None:
        if whole.fullmatch(text):
            return int(text)
        return float(text.replace(decimal, ".")) if form.fullmatch(text) else None

    return read


def fact(decimal: str) -> Callable[[str, str], str | int | float | None]:
    """A reader of free fields by name: what is written as a number is one, codes such as 007 stay text."""
    sign = re.escape(decimal)
    form = re.compile(rf"-?(?:0|[1-9][0-9]*)(?:{sign}[0-9]+)?(?:[eE][+-]?[0-9]+)?")
    code = re.compile(rf"-?[0-9]{{{_SAFE_DIGITS + 1},}}")
    value_of = number(decimal)

    def read(field: str, text: str) -> str | int | float | None:
        if form.fullmatch(text) and not code.fullmatch(text):
            return value_of(text)
        if text in _NOT_FINITE:
            raise BadValue(field, text, "is not a finite number")
        return text or None

    return read


def required(field: str, text: str, read: Number) -> int | float | None:
    """The number in a cell that must hold one, or None when the cell is empty.

    Raises
    ------
    BadValue
        If the text is no number.
    """
    value = read(text)
    if value is None and text:
        raise BadValue(field, text, "is not a finite number")
    return value


def whole(field: str, text: str) -> int:
    """The whole number in a cell; an empty one is 0.

    Raises
    ------
    BadValue
        If the text is no whole number.
    """
    if re.fullmatch(rf"[+-]?[0-9]{{1,{_SAFE_DIGITS}}}", text):
        return int(text)
    if text:
        raise BadValue(field, text, "is not a whole number")
    return 0
