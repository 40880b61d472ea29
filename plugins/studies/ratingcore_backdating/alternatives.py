"""One way to rate a pool: by the old rule throughout, or by the new one from a given day on."""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from attrs import frozen

from ratingcore.plugin import Floats, Method
from ratingcore.plugin.analysis import (
    Forecasts,
    Instant,
    MethodError,
    RatingList,
    Seen,
    Standing,
    View,
    first_ratings,
    fold,
    forecast,
    identity,
    watch,
)
from ratingcore_backdating.changeover import Changeover

OLD = "old rule"
"""Name of the alternative in which the old rule holds throughout."""

Listing = Callable[[Standing], RatingList]


@frozen(eq=False)
class Alternative:
    """One way to rate a pool; its lists and forecasts are computed on first use.

    Parameters
    ----------
    name : str
        `old rule`, `from today`, `from 1980-01-01`, `from the beginning`.
    method : Method
        The rule that holds from the start on, or throughout.
    view : View
    listing : callable
        Makes a rating list from a standing.
    change : Changeover or None
        The change from the old rule on a day; None if one rule holds throughout.
    since : int or None
        Instant from which its forecasts are those of the new rule; None if they never are.
    """

    name: str
    method: Method
    view: View
    listing: Listing
    change: Changeover | None = None
    since: Instant | None = None

    @cached_property
    def listed(self) -> RatingList:
        """The final rating list."""
        replay = fold(self.method, self.view) if self.change is None else self.change.run()
        counts = self.view.played_counts()
        made = Standing(self.method, self.view, replay.state, replay.at, counts, self.identity, replay.remarks)
        return self.listing(made)

    @cached_property
    def rating(self) -> Floats:
        """Ratings in the order of the list; NaN for the unrated."""
        return np.asarray(self.listed.values["rating"], dtype=np.float64)

    @cached_property
    def forecasts(self) -> Forecasts | MethodError:
        """Forecasts of its rule, each made strictly before its game, or the error that prevents them.

        Games that the rule does not rate have NaN.
        """
        try:
            if self.change is None:
                return forecast(self.method, self.view, text=self.name)
            return self._padded(forecast(self.method, self.change.after, text=self.name), self.change)
        except MethodError as error:
            return error

    def _padded(self, late: Forecasts, change: Changeover) -> Forecasts:
        """Forecasts of the games after the change, put among all games of the view."""
        n = self.view.n_games

        def among(column: Floats) -> Floats:
            whole = np.full(n, np.nan)
            whole[change.games] = column
            return whole

        draw = None if late.draw is None else among(late.draw)
        return Forecasts(
            late.method, late.text, among(late.expected), draw, late.seconds,
            lambda: (among(late.rating_a), among(late.rating_b)),
        )  # fmt: skip

    def watch(self, old: "Alternative", instants: Sequence[Instant], seen: Seen) -> None:
        """Calls back with what it lists of all players at each instant; that before the change is the old rule's."""
        change = self.change
        early = 0 if change is None else sum(at < change.at for at in instants)
        if early:
            watch(old.method, old.view, instants[:early], seen)
        after = self.view if change is None else change.after
        watch(self.method, after, instants[early:], lambda number, shown: seen(early + number, shown))

    def first(self, old: "Alternative") -> Floats:
        """The rating with which each player entered, by row; NaN if their games determine it."""
        if self.change is None:
            return first_ratings(self.method, self.view)
        early = self.view.timeline.players.debut[: self.view.n_players] < self.change.at
        return np.where(early, old.first(old), first_ratings(self.method, self.change.after))

    @property
    def identity(self) -> str:
        """Identity of its rule."""
        return identity(self.method)
