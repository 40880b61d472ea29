"""Periods: half-open spans of played time whose games are rated together."""

import re
from typing import Literal, Self

import numpy as np
from attrs import field, frozen

from ratingcore.columns.games import Ints
from ratingcore.errors import BadValue, NotOneOf
from ratingcore.events import DAY, Instant, instant, iso
from ratingcore.validators import one_of

MONDAY = 4 * DAY
"""1970-01-05, the day from which periods of n days are counted."""

MOST = {"days": 365_250, "months": 12_000}
"""Largest length of a period: a thousand years."""

MOST_CUTS = 1_000
"""Largest number of cuts."""

_MONTHS = {"month": 1, "quarter": 3, "half-year": 6, "year": 12}


@frozen
class Period:
    """A way to cut played time into periods.

    Texts: `month`, `quarter`, `half-year`, `year` (calendar, UTC), `days(n)` (counted from Monday
    1970-01-05), `event` (one period per tournament, named by the result field `event`, in the order
    in which tournaments ended), `cuts(2020-01-01;2020-07-01)` (fixed days at whose beginning a period ends).

    Examples
    --------
    >>> [iso(int(edge)) for edge in Period.parse("quarter").edges(instant("2024-02-03"), instant("2024-04-01"))]
    ['2024-01-01', '2024-04-01', '2024-07-01']
    """

    unit: Literal["months", "days", "event", "cuts"] = field(validator=one_of("months", "days", "event", "cuts"))
    count: int = 1
    cuts: tuple[Instant, ...] = ()

    def __attrs_post_init__(self) -> None:
        most = MOST.get(self.unit, 1)
        if not isinstance(self.count, int) or not 1 <= self.count <= most:
            raise BadValue("count", self.count, f"must be a whole number from 1 to {most} where unit={self.unit}")
        if bool(self.cuts) != (self.unit == "cuts"):
            raise BadValue("cuts", self.cuts, "must be given if unit=cuts, and only then")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads a period from a text; raises `BadValue` for any other text."""
        word, _, inside = text.removesuffix(")").partition("(")
        if word in _MONTHS and not inside:
            return cls("months", _MONTHS[word])
        if word == "event" and not inside:
            return cls("event")
        if word in MOST and re.fullmatch("0*[1-9][0-9]*", inside):
            if len(inside) > 18 or int(inside) > MOST[word]:
                raise BadValue("period", text, f"must be at most {word}({MOST[word]})")
            return cls("days" if word == "days" else "months", int(inside))
        if word == "cuts" and inside:
            days = inside.split(";")
            if len(days) > MOST_CUTS:
                raise BadValue("period", text, f"must have at most {MOST_CUTS} cuts, not {len(days)}")
            return cls("cuts", cuts=tuple(sorted(map(instant, days))))
        raise NotOneOf.of(
            "period", text, ("month", "quarter", "half-year", "year", "days(n)", "event", "cuts(day;day)")
        )

    def __str__(self) -> str:
        if self.unit == "months":
            words = {count: word for word, count in _MONTHS.items()}
            return words.get(self.count, f"months({self.count})")
        if self.unit == "cuts":
            return f"cuts({';'.join(map(iso, self.cuts))})"
        return self.unit if self.unit == "event" else f"days({self.count})"

    def edges(self, first: Instant, last: Instant) -> Ints:
        """Returns the edges of the periods from the one that contains `first` to the one that contains `last`.

        Returns
        -------
        (n + 1,) int64
            Period `i` is `edges[i]` to before `edges[i + 1]`. Before the first and after the last fixed cut, the edges
            are `first` and just after `last`.
        """
        if self.unit == "months":
            begin, end = (np.int64(at).astype("M8[us]").astype("M8[M]").astype(np.int64) for at in (first, last))
            months = np.arange(begin // self.count, end // self.count + 2) * self.count
            return months.astype("M8[M]").astype("M8[us]").astype(np.int64)
        if self.unit == "days":
            width = self.count * DAY
            return (np.arange((first - MONDAY) // width, (last - MONDAY) // width + 2) * width + MONDAY).astype(
                np.int64
            )
        before = max((cut for cut in self.cuts if cut <= first), default=first)
        inner = [cut for cut in self.cuts if first < cut <= last]
        return np.array([before, *inner, last + 1], dtype=np.int64)

    def number(self, at: Instant) -> int:
        """Returns the number of the period that contains an instant; numbers are consecutive. Not for `event`.

        Examples
        --------
        >>> month = Period.parse("month")
        >>> month.number(instant("2024-03-31")) - month.number(instant("2023-12-01"))
        3
        """
        return int(self.numbers(np.array([at]))[0])

    def numbers(self, at: Ints) -> Ints:
        """Returns the numbers of the periods that contain these instants; see `number`."""
        if self.unit == "event":
            raise ValueError("tournaments cannot be numbered by their time")
        if self.unit == "months":
            return at.astype("M8[us]").astype("M8[M]").astype(np.int64) // self.count
        if self.unit == "days":
            return (at - MONDAY) // (self.count * DAY)
        return np.searchsorted(np.sort(np.array(self.cuts, dtype=np.int64)), at, "right")

    def ends(self, numbers: Ints) -> Ints:
        """Returns the instants at which the periods with these numbers end. Not for `event`.

        Examples
        --------
        >>> month = Period.parse("month")
        >>> [iso(int(end)) for end in month.ends(month.numbers(np.array([instant("2024-03-31")])))]
        ['2024-04-01']
        """
        if self.unit == "event":
            raise ValueError("tournaments cannot be numbered by their time")
        if self.unit == "months":
            return ((numbers + 1) * self.count).astype("M8[M]").astype("M8[us]").astype(np.int64)
        if self.unit == "days":
            return (numbers + 1) * (self.count * DAY) + MONDAY
        return np.array([*sorted(self.cuts), 2**62], dtype=np.int64)[numbers]
