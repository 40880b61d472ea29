"""List policy: which players are listed, and how their numbers are rounded and ranked."""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from math import floor, isfinite, log10
from typing import Any, Literal, Self

import numpy as np
from attrs import Attribute, asdict, evolve, field, fields_dict, frozen
from attrs.validators import optional
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Ints
from ratingcore.errors import BadValue, NotOneOf
from ratingcore.events import DAY, Instant, canonical
from ratingcore.events.times import FIRST
from ratingcore.methods.contract import Method
from ratingcore.safe_text import Filled

_SPAN = r"(months|days)\((\d{1,5})\)|(\d{1,5}) ?(month|day)s?"


@frozen
class Window:
    """A stretch of played time that ends with the day of a list: `months(12)`, `days(90)`.

    Examples
    --------
    >>> from ratingcore.events import iso, last_instant
    >>> iso(Window.parse("months(12)").start(last_instant("2024-03-31")))
    '2023-04-01'
    """

    unit: Literal["months", "days"]
    count: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads a window from a text, also `12 months`; raises `BadValue` for any other text."""
        match = re.fullmatch(_SPAN, text.strip())
        unit, count = (match[1] or f"{match[4]}s", int(match[2] or match[3])) if match else ("", 0)
        if count < 1:
            raise BadValue("window", text, "must be a window such as '12 months' or '90 days'")
        return cls(unit, count)  # type: ignore[arg-type]  # the pattern knows the units

    def __str__(self) -> str:
        return f"{self.unit}({self.count})"

    def start(self, at: Instant) -> Instant:
        """Returns the first instant of the window whose last instant is `at`."""
        end = at + 1
        if self.unit == "days":
            return max(end - self.count * DAY, FIRST)
        days, rest = divmod(end, DAY)
        today = np.datetime64(days, "D")
        month = today.astype("M8[M]")
        first = month - self.count
        last = (first + 1).astype("M8[D]") - 1  # the month may be too short for this day
        day = min(first.astype("M8[D]") + (today - month.astype("M8[D]")), last)
        return max(int(day.astype(np.int64)) * DAY + rest, FIRST)


def _from(low: int, high: int) -> Callable[[object, "Attribute[Any]", object], None]:
    """Returns a validator that allows whole numbers from `low` to `high`."""

    def check(instance: object, attribute: "Attribute[Any]", value: object) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise BadValue(
                attribute.name, value, Filled("must be a whole number from {low} to {high}", low=low, high=high)
            )

    return check


def _ties(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    if value not in TIES:
        raise NotOneOf.of(attribute.name, value, TIES)


def _window(given: "Window | str | None") -> Window | None:
    if given is None or isinstance(given, Window):
        return given
    if not isinstance(given, str):
        raise BadValue("active", given, "must be a window such as '12 months' or '90 days'")
    return Window.parse(given)


REASONS = {
    "game": ("fewer than 1 game", "fewer than %(num)s games"),
    "months": ("no game in 1 month", "no game in %(num)s months"),
    "days": ("no game in 1 day", "no game in %(num)s days"),
}
"""Reasons why players are left off, in the singular and the plural."""
TIES = ("shared", "dense", "games")
"""Ways to rank equal ratings."""


@frozen
class ListPolicy:
    """A federation's choices for its list, apart from the formula; the default policy lists everybody.

    Its text, such as `min_games=5,active=months(12),digits=0`, is part of the provenance of the list.

    Parameters
    ----------
    min_games : int
        Players with fewer results are left off.
    active : Window, str or None
        Players without a result in this window before the day of the list are left off.
    provisional : int
        Number of results below which the column `provisional` shows the progress of a player: "4 of 9 games".
    digits : int or None
        Decimals of the rating, rounded half away from zero; None for those of the method.
    significant : int or None
        Least number of digits of the rating, and of other columns on its scale, counted from the first digit that is
        not 0: smaller numbers get more decimals. If a new list leaves both this and `digits` open, `of_method` takes
        the number that the method declares. It becomes part of the policy's text, so a rebuilt list has the same
        digits.
    ties : {"shared", "dense", "games"}
        Ranks of equal ratings, which are in alphabetical order. `shared`: they share a rank, and the following ranks
        are skipped (1, 1, 3); `dense`: they share a rank, and no rank is skipped (1, 1, 2); `games`: the player with
        more results comes first, and only players with equal numbers of results share a rank.

    Examples
    --------
    >>> policy = ListPolicy.parse("min_games=5, active=12 months")
    >>> str(policy), policy.ties
    ('min_games=5,active=months(12)', 'shared')
    """

    min_games: int = field(default=0, validator=_from(0, 999_999))
    active: Window | None = field(default=None, converter=_window)
    provisional: int = field(default=0, validator=_from(0, 999_999))
    digits: int | None = field(default=None, validator=optional(_from(-4, 9)))
    significant: int | None = field(default=None, validator=optional(_from(1, 15)))
    ties: Literal["shared", "dense", "games"] = field(default="shared", validator=_ties)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads a policy from a text, the default one from an empty text; raises `BadValue` for any other text."""
        names = fields_dict(cls)
        given: dict[str, Any] = {}
        for part in text.split(",") if text.strip() else []:
            name, equals, value = (word.strip() for word in part.partition("="))
            if not equals or name not in names or name in given:
                raise BadValue("policy", text, f"must be written name=value, each once, with {', '.join(names)}")
            given[name] = value if name in ("active", "ties") else _number(name, value)
        return cls(**given)

    def __str__(self) -> str:
        start = asdict(ListPolicy(), recurse=False)
        mine = asdict(self, recurse=False)
        return ",".join(f"{name}={value}" for name, value in mine.items() if value != start[name])

    def of_method(self, method: Method) -> "ListPolicy":
        """Returns the policy of a new list: if it leaves the digits open, with the method's significant digits."""
        declared = next(column.significant for column in method.columns() if column.name == "rating")
        return self if (self.digits, self.significant) != (None, None) else evolve(self, significant=declared)

    @property
    def reasons(self) -> dict[str, str]:
        """Reasons why players are left off, by the name of the rule."""
        return self.reasons_in(str)

    def reasons_in(self, word: Callable[[str], str]) -> dict[str, str]:
        """Returns the reasons in another language; `word` translates one of `REASONS`."""
        whys = {}
        if self.min_games:
            whys["min_games"] = word(REASONS["game"][self.min_games > 1]) % {"num": self.min_games}
        if self.active is not None:
            whys["active"] = word(REASONS[self.active.unit][self.active.count > 1]) % {"num": self.active.count}
        return whys


def _number(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadValue(name, text, "must be a whole number") from None


def policy_of(given: "ListPolicy | str | None") -> ListPolicy:
    """Returns the policy for a policy, its text, or None, which gives the default policy."""
    if given is None:
        return ListPolicy()
    if not isinstance(given, ListPolicy | str):
        raise BadValue("policy", given, "must be a text such as min_games=5,active=12 months")
    return given if isinstance(given, ListPolicy) else ListPolicy.parse(given)


_WHOLE = 2.0**52
"""From this number on, every float is a whole number."""


_LEAST, _MOST = -4, 308
"""Fewest and most decimals of a number with significant digits; below 1e-290 there are fewer, as 1e309 is infinite."""

_POWERS = np.array([float(f"1e{places}") for places in range(_LEAST, _MOST + 1)])
"""Powers of ten by number of decimals, each the nearest float, which `np.power` does not guarantee."""

_EXACT = 22
"""Largest exponent for which the power of ten is an exact float, so that a division by it is rounded correctly."""


def rounded(column: Floats, digits: int, significant: int | None = None) -> Floats:
    """Rounds numbers half away from zero to `digits` decimals, or to more if a number needs them for `significant`.

    A larger number is never rounded below a smaller one.

    Parameters
    ----------
    column : (n,) float64
    digits : int
        Least number of decimals.
    significant : int from 1 to 15, or None
        Least number of digits, counted from the first digit that is not 0; None to round to decimals alone.

    Examples
    --------
    >>> rounded(np.array([0.5, -1.25, 2.4499]), 1).tolist()
    [0.5, -1.3, 2.4]
    >>> rounded(np.array([1512.34567, 0.0191432087]), 4, significant=6).tolist()
    [1512.3457, 0.0191432]
    """
    if significant is None:
        return _rounded(column, 10.0**digits)
    size = np.abs(column)
    known = np.isfinite(size) & (size > 0.0)
    decade = np.floor(np.log10(np.where(known, size, 1.0))).astype(np.int64)
    places = np.clip(np.where(known, significant - 1 - decade, digits), max(digits, _LEAST), _MOST)
    listed = _rounded(column, _POWERS[places - _LEAST])
    for row in np.flatnonzero(places > _EXACT).tolist():
        listed[row] = float(f"{listed[row]:.{significant}e}")  # the scale was only nearly a power of ten
    return listed


def _rounded(column: Floats, scale: Floats | float) -> Floats:
    size = np.abs(column)
    exact = size < _WHOLE / scale  # larger numbers, infinities and NaN have no decimals to lose
    every = bool(exact.all())
    whole = np.round((size if every else np.where(exact, size, 0.0)) * scale, 6)  # 12.4499999999 counts as 12.45
    whole += 0.5
    np.floor(whole, out=whole)
    np.minimum(whole, _WHOLE, out=whole)  # not above the smallest number that is not rounded
    whole /= scale
    np.copysign(whole, column, out=whole)
    return (whole if every else np.where(exact, whole, column)) + 0.0


def foremost(rating: Floats, digits: int, top: int) -> Ints:
    """Returns rows that include the first `top` players of a list after rounding; all rows if too few are rated.

    Parameters
    ----------
    rating : (n,) float64
        Unrounded ratings; NaN for the unrated.
    digits : int
        Least number of decimals to which they will be rounded.
    top : int, from 1 to n
        Number of players.

    Examples
    --------
    >>> foremost(np.array([3.0, 9.9, np.nan, 11.0, 8.5]), 0, 2).tolist()
    [1, 3, 4]
    """
    n = len(rating)
    least = np.partition(np.where(np.isnan(rating), -np.inf, rating), n - top)[n - top]
    if least == -np.inf:
        return np.arange(n)
    # numbers that round equally differ by at most 10^-digits
    return np.flatnonzero(rating >= least - 2.0 * 10.0**-digits)


def ranked(
    rating: Floats,
    games: Ints,
    names: Callable[[Ints], Sequence[str]],
    ties: str,
    places: Ints | None = None,
) -> tuple[Ints, Ints]:
    """Returns the order of the rows from the top, and their ranks in that order; the unrated come last with rank 0.

    Parameters
    ----------
    rating : (n,) float64
        Rounded ratings; NaN for the unrated.
    games : (n,) int
    names : callable
        Returns the names of the players in rows; called for equal ratings only.
    ties : {"shared", "dense", "games"}
        Rule by which equal ratings are ranked; see `ListPolicy`.
    places : (n,) int or None
        Numbers that sort the rows like their names, so that no names are needed.

    Examples
    --------
    >>> names = np.array(["bo", "cy", "ann"], dtype=object)
    >>> order, rank = ranked(np.array([1.0, 2.0, 1.0]), np.zeros(3, int), lambda rows: names[rows].tolist(), "shared")
    >>> order.tolist(), rank.tolist()
    ([1, 2, 0], [1, 2, 2])
    """
    key = np.where(np.isnan(rating), np.inf, -rating)
    if ties == "games":
        places = None
    order = np.argsort(key) if places is None else _sorted_by_place(key, places)
    differs = _steps(key[order])
    if places is None and not differs.all():
        tied = np.flatnonzero(~differs | np.append(~differs[1:], False))
        rows = np.sort(order[tied])
        more = -games[rows] if ties == "games" else np.zeros(len(rows), dtype=np.int64)
        by = np.lexsort((more, key[rows]))
        order[tied] = rows[_by_name(by, _steps(key[rows][by]) | _steps(more[by]), names(rows))]
        if ties == "games":
            differs |= _steps(games[order])
    rank: Ints = np.cumsum(differs)
    if ties != "dense":
        rank = (np.flatnonzero(differs) + 1)[rank - 1]
    rank[np.isinf(key[order])] = 0
    return order, rank


def _sorted_by_place(key: Floats, places: Ints) -> Ints:
    """Returns the rows sorted by key, and rows with equal keys by place."""
    row: Ints = np.full(int(places.max(initial=-1)) + 1, -1)
    row[places] = np.arange(len(places))
    unrated = np.isposinf(key)
    whole = np.rint(np.where(unrated, 0.0, key) * _FINE)
    if len(row) <= _PLACES and np.abs(whole).max(initial=0.0) < _UNRATED and ((whole / _FINE == key) | unrated).all():
        # key and place are joined in one number, since sorting numbers is much faster than sorting their indices
        both = np.where(unrated, _UNRATED, whole).astype(np.int64) * _PLACES + places
        both.sort()
        order: Ints = row[both % _PLACES]
        return order
    order = row[row >= 0]
    return order[np.argsort(key[order], kind="stable")]


_FINE = 1e4
"""Factor that makes numbers of up to four decimals whole."""

_PLACES, _UNRATED = 2**24, 2**38
"""Bounds of places and of keys; the second is the key of the unrated. Together they fit into an int64."""


def _by_name(order: Ints, begins: NDArray[np.bool_], names: Sequence[str]) -> list[int]:
    """Sorts rows with equal keys by name: many short sorts take a fraction of the time of one sort of all rows."""
    sorted_: list[int] = order.tolist()
    starts = np.append(np.flatnonzero(begins), len(order))
    several = np.flatnonzero(np.diff(starts) > 1)
    for start, stop in zip(starts[several].tolist(), starts[several + 1].tolist(), strict=True):
        sorted_[start:stop] = sorted(sorted_[start:stop], key=names.__getitem__)
    return sorted_


def _steps(column: Floats | Ints) -> NDArray[np.bool_]:
    """Returns a mask of the first entry of a sorted column, and of entries that differ from the one before."""
    differs = np.ones(len(column), dtype=np.bool_)
    differs[1:] = column[1:] != column[:-1]
    return differs


Cell = str | int | float | None


def cell(number: float | None) -> float | None:
    """Returns a number as a cell; None for NaN."""
    return None if number is None or number != number else number


def change_of(new: float, old: float) -> float:
    """Returns the difference of two listed numbers to nine decimals, and one more per leading zero of small numbers.

    Examples
    --------
    >>> change_of(1522.3613, 1488.4143), change_of(0.0191432, 0.0191)
    (33.947, 4.32e-05)
    """
    size = max(abs(new), abs(old))
    zeros = -floor(log10(size)) if isfinite(size) and 0.0 < size < 1.0 else 0
    return round(new - old, 9 + zeros)


def rows_digest(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Returns the sha256 of rows and their headings in canonical JSON."""
    return hashlib.sha256(canonical([list(columns), list(map(list, rows))]).encode()).hexdigest()
