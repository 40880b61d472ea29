"""The ways the ratings of a pool could go: the old rule for ever, or the new one from one day or another."""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from attrs import field, frozen

from ratingcore.backdating.changeover import Changeover
from ratingcore.compare.forecasts import Forecasts, forecast
from ratingcore.compare.period_lists import first_ratings, watch
from ratingcore.errors import MethodError
from ratingcore.events import Instant
from ratingcore.lists import RatingList
from ratingcore.methods.contract import Method
from ratingcore.methods.text import identity
from ratingcore.replay import Standing, fold
from ratingcore.tables.arrays import Floats
from ratingcore.tables.view import View

OLD = "old rule"
"""What the way is called on which nothing changes."""

Listing = Callable[[Standing], RatingList]


@frozen(eq=False)
class Alternative:
    """One way; what it makes of the pool is worked out when it is asked for.

    Parameters
    ----------
    name : str
        `old rule`, `from today`, `from 1980-01-01`, `from the beginning`.
    method : Method
        The rule that all ratings are made with, or those from the day on.
    view : View
    listing : callable
        Makes the list of a standing.
    change : Changeover or None
        The day before which the old rule holds; None if one rule holds all the time.
    since : int or None
        From when on its forecasts are those of the new rule; None if they never are.
    """

    name: str
    method: Method
    view: View
    listing: Listing
    change: Changeover | None = None
    since: Instant | None = None
    _seen: dict[tuple[Instant, ...], list[Floats]] = field(factory=dict, init=False)

    @cached_property
    def listed(self) -> RatingList:
        """The list in the end."""
        replay = fold(self.method, self.view) if self.change is None else self.change.run()
        return self.listing(Standing(self.method, self.view, replay.state, replay.at, self.view.played_counts()))

    @cached_property
    def rating(self) -> Floats:
        """Ratings on the list, in its order; NaN for the unrated."""
        return np.asarray(self.listed.values["rating"], dtype=np.float64)

    @cached_property
    def told(self) -> Forecasts | MethodError:
        """What its rule expected of the games it holds for, strictly before each; or why it cannot say."""
        try:
            if self.change is None:
                return forecast(self.method, self.view, text=self.name)
            return self._padded(forecast(self.method, self.change.after, text=self.name), self.change)
        except MethodError as error:
            return error

    def _padded(self, late: Forecasts, change: Changeover) -> Forecasts:
        """Forecasts of some of the games among all of them."""
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

    def watched(self, instants: Sequence[Instant], old: "Alternative") -> list[Floats]:
        """Ratings of all players of the view at some instants, by row: the old rule's before the day."""
        key = tuple(instants)
        if key not in self._seen:
            change, seen = self.change, []
            late = [at for at in key if change is None or at >= change.at]
            if change is not None:
                seen += old.watched(key, old)[: len(key) - len(late)]
            view = self.view if change is None else change.after
            watch(self.method, view, late, lambda number, rating: seen.append(rating))
            self._seen[key] = seen
        return self._seen[key]

    def first(self, old: "Alternative") -> Floats:
        """The rating each player came in with, by row; NaN where that is for the games to find."""
        if self.change is None:
            return first_ratings(self.method, self.view)
        early = self.view.timeline.players.debut[: self.view.n_players] < self.change.at
        return np.where(early, old.first(old), first_ratings(self.method, self.change.after))

    @property
    def identity(self) -> str:
        """Identity of its rule."""
        return identity(self.method)
