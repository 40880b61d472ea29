"""Slices of pools: the results whose fields meet conditions, named by a text such as `arena[category=coding]`."""

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self
from weakref import WeakKeyDictionary

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Ints
from ratingcore.columns.log_history import NameBook
from ratingcore.columns.method_input import without_masked
from ratingcore.columns.result_fields import ResultFields
from ratingcore.columns.timeline import Timeline
from ratingcore.errors import BadValue, UnknownName
from ratingcore.safe_text import Filled

Bools = NDArray[np.bool_]

_SPELT = re.compile(r"\s*([\w.-]+?)\s*(>=|<=|!=|=|>|<)\s*(.*?)\s*", re.DOTALL)
_QUOTED = re.compile(r"""(["'])((?:(?!\1).|\1\1)*)\1""", re.DOTALL)
_PLAIN = re.compile(r"""(?![=<>!])[^\s&|\[\]"']+( [^\s&|\[\]"']+)*""")
_PART = re.compile(r"""[^&"'\[\]]*(?:((?:"[^"]*")+|(?:'[^']*')+)\s*)?""")
_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge, "<=": operator.le, "!=": operator.ne, "=": operator.eq, ">": operator.gt, "<": operator.lt,
}  # fmt: skip


@frozen(order=True)
class Condition:
    """A condition on one column or field: a name, a comparison, and a value to compare the cells with.

    Numbers are compared as numbers, texts without regard to case. `<`, `<=`, `>` and `>=` compare only as many
    characters of a text as the value has, so that `2005-03-01` meets `born<=2005`. An empty cell meets no condition.
    A value may be in quotes; a quote of the same kind within it is doubled, as in SQL.

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
    def parse(cls, text: str, what: str = "where") -> "Condition":
        """Reads a condition; raises `BadValue` for any other text."""
        match = _SPELT.fullmatch(text) if isinstance(text, str) else None
        if match is None or not match[3]:
            raise BadValue(what, text, "must be a condition such as sex=w or born>=2005")
        quoted = _QUOTED.fullmatch(match[3])
        if not quoted and ("|" in match[3] or match[3].startswith(("=", "<", ">", "!"))):
            raise BadValue(what, text, f"must have {match[3]} in quotes")
        return cls(match[1], match[2], quoted[2].replace(2 * quoted[1], quoted[1]) if quoted else match[3])

    def __str__(self) -> str:
        return f"{self.name}{self.sign}{self.value}"

    def fits(self, cells: Sequence[Any]) -> Bools:
        """(n,) bool: which cells of a column meet the condition."""
        known = {cell: self.holds(cell) for cell in set(cells)}
        return np.array([known[cell] for cell in cells], dtype=np.bool_)

    def holds(self, cell: str | float | None) -> bool:
        """True if a cell meets the condition."""
        if cell is None:
            return False
        compared = _COMPARED[self.sign]
        if isinstance(cell, str):
            text, value = cell.casefold(), self.value.casefold()
            return compared(text if self.sign in ("=", "!=") else text[: len(value)], value)
        try:
            return compared(cell, float(self.value))
        except ValueError:
            return self.sign == "!="


def _in_order(given: Iterable[Condition]) -> tuple[Condition, ...]:
    return tuple(sorted(set(given)))


_MADE: "WeakKeyDictionary[Timeline, dict[tuple[str, int], Timeline]]" = WeakKeyDictionary()
"""Timelines of slices, by the timeline of the pool, and by conditions and the position `later`."""


@frozen
class Slice:
    """The results of a pool whose fields meet every condition; a result without a field meets no condition on it.

    Parameters
    ----------
    pool : str
        Pool of the results.
    conditions : tuple of Condition
        In canonical order, so that a slice has only one text.

    Examples
    --------
    >>> str(Slice.parse("arena[language != en & category='hard prompts']"))
    'arena[category=hard prompts & language!=en]'
    >>> Slice.parse("arena [coding]") is None
    True
    """

    pool: str
    conditions: tuple[Condition, ...] = field(converter=_in_order)

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Reads a slice from text; None for any other text, such as the name of a pool."""
        pool, bracket, rest = text.partition("[") if isinstance(text, str) else ("", "", "")
        if not bracket or not pool.strip() or not rest.endswith("]") or not _SPELT.fullmatch(rest[:-1]):
            return None
        return cls(pool.strip(), conditions_of(rest[:-1], text))

    @property
    def results(self) -> str:
        """The conditions as a text."""
        return " & ".join(f"{one.name}{one.sign}{_quoted(one.value)}" for one in self.conditions)

    def __str__(self) -> str:
        return f"{self.pool}[{self.results}]"

    def takes(self, facts: Mapping[str, Any]) -> bool:
        """True if a result with these fields belongs to the slice."""
        return all(one.holds(facts.get(one.name)) for one in self.conditions)

    def of(self, timeline: Timeline, fields: ResultFields, later: int) -> Timeline:
        """The timeline as if no other results had been recorded, except that all after position `later` remain.

        Raises
        ------
        UnknownName
            If no result has one of the fields.
        """
        made = _MADE.setdefault(timeline, {})
        key = (self.results, later)
        if key not in made:
            pairings = np.array(sorted(timeline.self_pairings), dtype=np.int64)
            games, sessions, paired = (
                self._members(fields, position) | (position > later)
                for position in (timeline.games.position, timeline.sessions.position, pairings)
            )
            part = without_masked(timeline, ~games, ~sessions)
            made[key] = evolve(part, self_pairings=frozenset(pairings[paired].tolist()))
        return made[key]

    def _members(self, fields: ResultFields, positions: Ints) -> Bools:
        """Which of the results at these positions belong to the slice."""
        fits = np.ones(len(positions), dtype=np.bool_)
        for one in self.conditions:
            codes, values = fields.codes(one.name, positions)
            if not values:
                raise UnknownName("field of results", Filled("{key} in pool {pool}", key=one.name, pool=self.pool))
            fits &= one.fits((None, *values))[codes]
        return fits


def conditions_of(text: str, whole: str = "") -> tuple[Condition, ...]:
    """Reads the conditions of a text, separated by `&`; raises `BadValue` for any other text."""
    found, at = [], 0
    while at <= len(text):
        end = at + len(_PART.match(text, at)[0])  # type: ignore[index]  # it matches nothing, too
        if text[end : end + 1] in ("'", '"'):
            why = "has an opening quote without a closing one; within a value, double the quote"
        elif text[end : end + 1] not in ("", "&"):
            why = f"has {text[end]} after {text[at:end].strip() or 'nothing'}: put quotes around the whole value"
        elif not text[at:end].strip():
            why = "has no condition such as category=coding" + (" on one side of an &" if "&" in text else "")
        else:
            found.append(Condition.parse(text[at:end], "conditions"))
            at = end + 1
            continue
        raise BadValue("conditions", whole or text, why)
    return tuple(found)


def _quoted(value: str) -> str:
    if _PLAIN.fullmatch(value):
        return value
    quote = "'" if "'" not in value or '"' in value else '"'
    return quote + value.replace(quote, 2 * quote) + quote


def pool_of(book: NameBook, text: str) -> tuple[int, Slice | None]:
    """Id of the pool in a text, and the slice if the text is one; a pool of exactly this name takes precedence.

    Raises
    ------
    UnknownName
        If there is no such pool.
    """
    number, part = book.find("pool", text), None
    if number is None:
        part = Slice.parse(text)
    if part is None:
        return book.number("pool", text) if number is None else number, None
    return book.number("pool", part.pool), part
