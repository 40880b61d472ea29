"""A way to rate a pool: by the old rule throughout, or by the new one from a given day on."""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from attrs import frozen

from ratingcore.plugin import Floats, Method
from ratingcore.plugin.analysis import (
    Book,
    Forecasts,
    Instant,
    MethodError,
    RatingList,
    Seen,
    Standing,
    View,
    first_ratings,
    forecast,
    stand,
    watch,
)

OLD = "old rule"
"""Name of the alternative with the old rule throughout."""

Listing = Callable[[Standing], RatingList]


@frozen(eq=False)
class Alternative:
    """A way to rate a pool; its lists and forecasts are computed on first use.

    Parameters
    ----------
    name : str
        `old rule`, `from today`, `from 1980-01-01`, `from the beginning`.
    method : Method
        The rule that holds from the start on, or throughout; a `Book` where the new one follows the old on a day.
    view : View
    listing : callable
        Makes a rating list from a standing.
    since : int or None
        Instant from which its forecasts are those of the new rule; None if they never are.
    """

    name: str
    method: Method
    view: View
    listing: Listing
    since: Instant | None = None

    @property
    def change(self) -> Book | None:
        """The rule that changes on a day; None if one rule holds throughout."""
        return self.method if isinstance(self.method, Book) else None

    @cached_property
    def listed(self) -> RatingList:
        """The final rating list."""
        return self.listing(stand(self.method, self.view))

    @cached_property
    def rating(self) -> Floats:
        """Ratings in the order of the list; NaN for the unrated."""
        return np.asarray(self.listed.values["rating"], dtype=np.float64)

    @cached_property
    def forecasts(self) -> Forecasts | MethodError:
        """Forecasts of its rule, each made strictly before its game, or the error that prevents them."""
        try:
            return forecast(self.method, self.view, text=self.name)
        except MethodError as error:
            return error

    def watch(self, instants: Sequence[Instant], seen: Seen) -> None:
        """Calls back with the listed ratings of all players at each instant."""
        watch(self.method, self.view, instants, seen)

    def first(self) -> Floats:
        """The rating with which each player entered, by row; NaN if their games determine it."""
        return first_ratings(self.method, self.view)
