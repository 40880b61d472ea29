"""The time that has passed for a deviation: whole calendar periods, or fractional periods of played time."""

import numpy as np
from attrs import frozen

from ratingcore.plugin import DAY, Floats, Games, Ints, Period


@frozen
class PeriodClock:
    """Counts rating periods since a player last played.

    Parameters
    ----------
    period : Period or None
        The span whose games are rated together; None if rated game by game.
    days : float > 0, days
        Length of a rating period if it does not follow from the calendar: game by game, and by tournaments.
    """

    period: Period | None
    days: float

    @property
    def whole(self) -> bool:
        """Whether periods are calendar periods, of which only whole ones are counted."""
        return self.period is not None and self.period.unit != "event"

    @property
    def unit(self) -> str:
        """Unit in which times are counted."""
        return f"{self.period} since 1970" if self.whole else f"periods of {self.days:g} days since 1970"

    def instants(self, times: Floats) -> Floats:
        """When the periods of these times end, in microseconds since 1970; NaN where nothing was played."""
        period = self.period
        if period is None or not self.whole:
            return times * (DAY * self.days)
        known = ~np.isnan(times)
        ends = np.full(len(times), np.nan)
        ends[known] = period.ends(times[known].astype(np.int64)) - 1
        return ends

    def read(self, instants: Floats) -> Floats:
        """Converts instants to times in periods; NaN stays NaN."""
        known = ~np.isnan(instants)
        times = np.full(len(instants), np.nan)
        times[known] = self.seeded(instants[known].astype(np.int64))
        return times

    @property
    def fresh(self) -> float:
        """Periods that have passed for a player who has not played: one in their first period of the calendar."""
        return 1.0 if self.whole else 0.0

    def times(self, games: Games) -> Floats:
        """When each game counts as played, in periods."""
        if self.period is None:
            return games.played / (DAY * self.days)
        return np.broadcast_to(self.now(games), len(games))

    def now(self, games: Games) -> float:
        """When the games of a call count as played, in periods: its calendar period, or the end of its tournament."""
        if self.period is not None and self.whole:
            return float(self.period.number(games.span.start))
        return games.span.end / (DAY * self.days)

    def seeded(self, at: Ints) -> Floats:
        """Converts the instants of seeds to times in periods: for calendar periods, the number of the period."""
        if self.period is not None and self.whole:
            return self.period.numbers(at).astype(np.float64)
        return at / (DAY * self.days)

    def listed(self, at: int) -> float:
        """The time of a list, in periods: the last completed calendar period, otherwise its day or instant."""
        if self.period is None:
            return at // DAY / self.days
        if self.period is not None and self.whole:
            return float(self.period.number(at + 1) - 1)
        return at / (DAY * self.days)

    def elapsed(self, last: Floats, now: Floats | float, fresh: float) -> Floats:
        """Periods from `last` to `now`, never below 0; `fresh` where `last` is NaN.

        Examples
        --------
        >>> PeriodClock(None, 30.0).elapsed(np.array([1.0, 5.0, np.nan]), 3.5, 0.0).tolist()
        [2.5, 0.0, 0.0]
        """
        return np.where(np.isnan(last), fresh, np.maximum(now - np.nan_to_num(last), 0.0))
