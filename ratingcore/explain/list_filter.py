"""Conditions on the players of a list, such as `sex=w` or `born>=2005`, and the order of a column."""

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Ints
from ratingcore.errors import BadValue
from ratingcore.lists.policy import Cell

_SPELT = re.compile(r"\s*([\w.-]+?)\s*(>=|<=|!=|=|>|<)\s*(.*?)\s*")

_QUOTED = re.compile(r"""^(["'])(.+)\1$""")

_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge, "<=": operator.le, "!=": operator.ne, "=": operator.eq, ">": operator.gt, "<": operator.lt,
}  # fmt: skip


@frozen
class Condition:
    """A condition on one column: a name, a comparison, and what the cells are compared with.

    Numbers are compared as numbers, texts without regard to case; of a longer text such as a day only as much is
    compared as the value has, so that `born<=2005` holds for `2005-03-01`. An empty cell fits no condition. Quotes
    around a value are no part of it.

    Examples
    --------
    >>> Condition.parse("born >= 2005").fits((2007, None, "2005-03-01", 1990)).tolist()
    [True, False, True, False]
    >>> Condition.parse("sex=w").fits(("W", "m")).tolist()
    [True, False]
    >>> Condition.parse("club = 'SK Praha'").fits(("SK Praha", "SK Brno")).tolist()
    [True, False]
    """

    name: str
    sign: str
    value: str

    @classmethod
    def parse(cls, text: str) -> "Condition":
        """Reads a condition; raises `BadValue` for any other text."""
        match = _SPELT.fullmatch(text) if isinstance(text, str) else None
        if match is None or not match[3]:
            raise BadValue("where", text, "is no condition such as sex=w or born>=2005")
        return cls(match[1], match[2], _QUOTED.sub(r"\2", match[3]))

    def __str__(self) -> str:
        return f"{self.name}{self.sign}{self.value}"

    def fits(self, cells: Sequence[Cell]) -> NDArray[np.bool_]:
        """(n,) bool: which cells of the column the condition holds for."""
        known = {cell: cell is not None and self._holds(cell) for cell in set(cells)}
        return np.array([known[cell] for cell in cells], dtype=np.bool_)

    def _holds(self, cell: str | float) -> bool:
        compared = _COMPARED[self.sign]
        if isinstance(cell, str):
            text, value = cell.casefold(), self.value.casefold()
            return compared(text if self.sign in ("=", "!=") else text[: len(value)], value)
        try:
            return compared(cell, float(self.value))
        except ValueError:
            return self.sign == "!="


def order_of(cells: Sequence[Cell], *, backwards: bool = False) -> Ints:
    """Rows in order of a column: numbers from the highest on, texts by alphabet, empty cells last; equal ones stay.

    Parameters
    ----------
    cells : sequence
    backwards : bool
        The other way round; empty cells come last all the same.

    Examples
    --------
    >>> order_of((3, None, 5)).tolist(), order_of(("bo", "ann", None)).tolist()
    ([2, 0, 1], [1, 0, 2])
    """
    texts = any(isinstance(cell, str) for cell in cells)
    kept: list[Any] = [str(cell) if texts else cell for cell in cells if cell is not None]
    distinct = sorted(set(kept), reverse=texts == backwards)
    place = {cell: number for number, cell in enumerate(distinct)}
    key = [len(place) if cell is None else place[str(cell) if texts else cell] for cell in cells]
    return np.argsort(np.array(key, dtype=np.int64), kind="stable")
