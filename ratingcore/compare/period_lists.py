"""Chooses the calendar periods in which a pool is followed."""

import numpy as np

from ratingcore.columns.games import Ints
from ratingcore.columns.view import View
from ratingcore.errors import BadValue
from ratingcore.events import Instant
from ratingcore.methods.periods import Period

MOST = 1000
"""Largest number of periods. There is a limit because each needs a list and a point on every chart."""

YEAR = 365 * 86_400_000_000


def chosen_period(first: Instant, last: Instant) -> Period:
    """Returns the calendar period (month, quarter or year) that splits a history into a few dozen parts.

    Examples
    --------
    >>> from ratingcore.events import instant
    >>> str(chosen_period(instant("2023-01-01"), instant("2024-06-30")))
    'month'
    """
    length = last - first
    return Period("months", 1 if length <= 3 * YEAR else 3 if length <= 12 * YEAR else 12)


def spans(view: View, period: Period | str | None = None) -> tuple[Period | None, Ints]:
    """Returns the periods in which a view is followed, and their edges from the first to the last result.

    Parameters
    ----------
    period : Period, str or None
        A calendar period or fixed cuts; None chooses months, quarters or years by the length of the history.

    Returns
    -------
    Period or None, (n + 1,) int64
        Period `i` goes from `edges[i]` to before `edges[i + 1]`; there are no edges if nothing was played.

    Raises
    ------
    BadValue
        If the period is not a calendar period, or makes too many parts.
    """
    parsed = Period.parse(period) if isinstance(period, str) else period
    if parsed is not None and parsed.unit == "event":
        raise BadValue("period", str(parsed), "must be a calendar period: use month, quarter, year or days(n)")
    first, last = view.first_played, view.last_played
    if first is None or last is None:
        return parsed, np.empty(0, dtype=np.int64)
    by = parsed or chosen_period(first, last)
    if by.unit == "days" and (last - first) // (by.count * YEAR // 365) >= MOST:
        raise BadValue("period", str(by), f"makes more than {MOST} periods of this history: choose a longer one")
    edges = by.edges(first, last)
    if len(edges) - 1 > MOST:
        raise BadValue(
            "period", str(by), f"makes {len(edges) - 1} periods of this history, more than {MOST}: choose a longer one"
        )
    return by, edges
