"""Changes of ratings at the end of a period: whole points, floors, and FIDE's raise of March 2024."""

from typing import Self

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import BadParameter, BadValue, Bools, Floats, Span
from ratingcore.plugin.rules import day, half_away

MARCH_2024 = day("2024-03-01")
"""First day of the list on which FIDE raised the ratings below 2000, and the floor from 1000 to 1400."""


def raised(rating: Floats, span: Span, *, whole: bool) -> Floats:
    """Points that the list of March 2024 added: R + 0.4 (2000 - R) for 1000 < R < 2000, once [1]_.

    Parameters
    ----------
    rating : (players,) float64, rating points
        At the end of the period.
    span : Span
        The period: the one that ends with 1 March 2024, or holds it.
    whole : bool
        Whether ratings are whole numbers.

    References
    ----------
    .. [1] FIDE Handbook B.02, Rating Regulations effective from 1 March 2024.

    Examples
    --------
    >>> february = Span(day("2024-02-01"), day("2024-03-01"))
    >>> raised(np.array([1000.0, 1500.0, 1751.0, 2000.0, np.nan]), february, whole=True).tolist()
    [0.0, 200.0, 100.0, 0.0, 0.0]
    """
    if not span.start < MARCH_2024 <= span.end:
        return np.zeros(len(rating))
    added = np.where((rating > 1000.0) & (rating < 2000.0), 0.4 * (2000.0 - rating), 0.0)
    return half_away(added) if whole else added


def _finite(instance: object, attribute: object, value: float | None) -> None:
    if value is not None and not np.isfinite(value):
        raise BadParameter("elo", "list_floor", f"must be a finite number, by-date or none: {value!r}")


@frozen
class ListFloor:
    """The lowest rating that is listed; a player who falls below it becomes unrated.

    Parameters
    ----------
    rating : float or None, rating points
        None is the floor by date: 1000, from the list of March 2024 on 1400.

    Examples
    --------
    >>> floor = ListFloor.parse("by-date")
    >>> floor.at(day("2024-02-01")), floor.at(day("2024-03-01")), str(ListFloor.parse("1200"))
    (1000.0, 1400.0, '1200.0')
    """

    rating: float | None = field(default=None, validator=_finite)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads a number or `by-date`; raises `BadValue` for any other text."""
        if text == "by-date":
            return cls()
        try:
            return cls(float(text))
        except ValueError:
            raise BadValue("list_floor", text, "must be a number, by-date or none") from None

    def __str__(self) -> str:
        return "by-date" if self.rating is None else str(self.rating)

    def at(self, when: int) -> float:
        """The floor of the list that is made at an instant."""
        if self.rating is not None:
            return self.rating
        return 1400.0 if when >= MARCH_2024 else 1000.0


def unlisted(rating: Floats, floor: ListFloor | None, when: int) -> Bools:
    """True for players with a rating below the floor of the list that is made at an instant."""
    return np.asarray(rating < (-np.inf if floor is None else floor.at(when)))


def as_floor(given: "ListFloor | float | str | None") -> "ListFloor | None":
    """Turns a number or `by-date` into a floor; anything else is left for the validator to refuse."""
    if isinstance(given, int | float) and not isinstance(given, bool):
        return ListFloor(float(given))
    return ListFloor() if given == "by-date" else given  # type: ignore[return-value]  # refused by the validator
