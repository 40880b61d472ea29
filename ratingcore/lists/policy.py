"""List policy: which players are listed, to how many digits, and how ties are ranked."""

import re
from typing import Any, Literal, Self

import numpy as np
from attrs import Attribute, asdict, evolve, field, fields_dict, frozen

from ratingcore.errors import BadValue
from ratingcore.events import DAY, Instant
from ratingcore.events.times import FIRST
from ratingcore.methods.contract import Method

_SPAN = re.compile(r"(months|days)\((\d{1,5})\)|(\d{1,5}) ?(month|day)s?")


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
        """The window that a text names, also spelt `12 months`; `BadValue` if it names none."""
        match = _SPAN.fullmatch(text.strip())
        unit, count = (match[1] or f"{match[4]}s", int(match[2] or match[3])) if match else ("", 0)
        if count < 1:
            raise BadValue("window", text, "is no window such as '12 months' or '90 days'")
        return cls(unit, count)  # type: ignore[arg-type]  # the pattern knows the units

    def __str__(self) -> str:
        return f"{self.unit}({self.count})"

    def start(self, at: Instant) -> Instant:
        """The first instant of the window that ends with `at`, `at` included."""
        end = at + 1
        if self.unit == "days":
            return max(end - self.count * DAY, FIRST)
        days, rest = divmod(end, DAY)
        today = np.datetime64(days, "D")
        month = today.astype("M8[M]")
        first = month - self.count
        last = (first + 1).astype("M8[D]") - 1  # a month may be too short for the day
        day = min(first.astype("M8[D]") + (today - month.astype("M8[D]")), last)
        return max(int(day.astype(np.int64)) * DAY + rest, FIRST)


def _whole(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**6:
        raise BadValue(attribute.name, value, "is not a whole number from 0 to 999999")


def _digits(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    if value is not None and (not isinstance(value, int) or isinstance(value, bool) or not -4 <= value <= 9):
        raise BadValue(attribute.name, value, "is not a whole number from -4 to 9")


def _significant(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    if value is not None and (not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 15):
        raise BadValue(attribute.name, value, "is not a whole number from 1 to 15")


def _ties(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    if value not in TIES:
        raise BadValue(attribute.name, value, f"is none of {', '.join(TIES)}")


def _window(given: "Window | str | None") -> Window | None:
    if given is None or isinstance(given, Window):
        return given
    if not isinstance(given, str):
        raise BadValue("active", given, "is no window such as '12 months' or '90 days'")
    return Window.parse(given)


TIES = ("shared", "dense", "games")
"""How equal ratings are ranked."""


@frozen
class ListPolicy:
    """What a federation decides about its list beside the formula; without any, everybody is listed.

    Its text is `min_games=5,active=months(12),digits=0`; it stands in the provenance of the list.

    Parameters
    ----------
    min_games : int
        Players with fewer results are left off.
    active : Window, str or None
        Players without a result in this window before the day of the list are left off.
    provisional : int
        Until a player has so many results, the column `provisional` says how far it is: "4 of 9 games".
    digits : int or None
        Decimals of the rating, a half away from zero; the method's own for None.
    significant : int or None
        Digits that the rating has at least, counted from its first that is not 0, and other columns of its scale
        likewise: smaller numbers get more decimals. Where a new list leaves it and `digits` open, `of_method` takes
        what the method declares, so that the text of a policy says it, and a list made again has the digits it had.
    ties : {"shared", "dense", "games"}
        Equal ratings share a rank and stand in alphabetical order. `shared`: the ranks they fill are
        skipped (1, 1, 3); `dense`: none is skipped (1, 1, 2); `games`: whoever has more results
        comes first, and only those with as many share a rank.

    Examples
    --------
    >>> policy = ListPolicy.parse("min_games=5, active=12 months")
    >>> str(policy), policy.ties
    ('min_games=5,active=months(12)', 'shared')
    """

    min_games: int = field(default=0, validator=_whole)
    active: Window | None = field(default=None, converter=_window)
    provisional: int = field(default=0, validator=_whole)
    digits: int | None = field(default=None, validator=_digits)
    significant: int | None = field(default=None, validator=_significant)
    ties: Literal["shared", "dense", "games"] = field(default="shared", validator=_ties)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The policy that a text names, an empty one for an empty text; `BadValue` if it names none."""
        names = fields_dict(cls)
        given: dict[str, Any] = {}
        for part in text.split(",") if text.strip() else []:
            name, equals, value = (word.strip() for word in part.partition("="))
            if not equals or name not in names or name in given:
                raise BadValue("policy", text, f"is not spelt name=value, each once, with {', '.join(names)}")
            given[name] = value if name in ("active", "ties") else _number(name, value)
        return cls(**given)

    def __str__(self) -> str:
        start = asdict(ListPolicy(), recurse=False)
        mine = asdict(self, recurse=False)
        return ",".join(f"{name}={value}" for name, value in mine.items() if value != start[name])

    def of_method(self, method: Method) -> "ListPolicy":
        """The policy of a new list: where it leaves digits open, with the significant ones that the method declares."""
        declared = next(column.significant for column in method.columns() if column.name == "rating")
        return self if (self.digits, self.significant) != (None, None) else evolve(self, significant=declared)

    @property
    def reasons(self) -> dict[str, str]:
        """Why players are left off, by the name of the rule."""
        whys = {}
        if self.min_games:
            whys["min_games"] = f"fewer than {_counted(self.min_games, 'game')}"
        if self.active is not None:
            whys["active"] = f"no game in {_counted(self.active.count, self.active.unit[:-1])}"
        return whys


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _number(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadValue(name, text, "is not a whole number") from None


def policy_of(given: "ListPolicy | str | None") -> ListPolicy:
    """A policy as callers may give it: a value, its text, or None for none."""
    if given is None:
        return ListPolicy()
    if not isinstance(given, ListPolicy | str):
        raise BadValue("policy", given, "is no text such as min_games=5,active=12 months")
    return given if isinstance(given, ListPolicy) else ListPolicy.parse(given)
