"""Elo's rating: K times the surprise changes hands, after every game or at the end of every period."""

from collections.abc import Callable, Sequence
from math import nan
from typing import Self

import numpy as np
from attrs import frozen

from ratingcore.plugin import (
    COMPILED,
    Fitted,
    Floats,
    Forecast,
    Games,
    Ints,
    Method,
    Rated,
    State,
    kernel,
    leaving_out,
    of_players,
    opposed,
    prefetch,
    summed,
)
from ratingcore.plugin.curves import LN10, logistic
from ratingcore.plugin.rules import half_away, lifted, no_year
from ratingcore_elo.inflation import inflation
from ratingcore_elo.loops import rate_bounded
from ratingcore_elo.parameters import Parameters
from ratingcore_elo.spreads import no_spread


@kernel
def play(
    rating: Floats, a: Ints, b: Ints, score: Floats, k: float, slope: float, expected: Floats, change: Floats
) -> None:
    """The formula, game by game: what one side wins the other loses."""
    for g in range(len(a)):
        if COMPILED:
            prefetch(rating, a, g)
            prefetch(rating, b, g)
        i = a[g]
        j = b[g]
        x = rating[i]
        y = rating[j]
        expected[g] = e = logistic(slope * (x - y))
        change[g] = c = k * (score[g] - e)
        rating[i] = x + c
        rating[j] = y - c


@frozen
class Elo(Parameters):
    """Elo's rating with the curve, the K, the caps and the floors of your federation [1]_ [2]_.

    Preset: `fide`, a chess archive as FIDE rated it, month by month.

    Parameters
    ----------
    k : float >= 0, rating points, or KRule
        What a whole point of surprise is worth: a number, or a rule by experience, level and age,
        `fide2014`, `fide2009`, `fide_pre2009`, `czech`, `by-date` or `rapid-by-date`.
    curve : {"logistic", "normal", "table", "davidson"}
        From rating gap to expected score; the table is FIDE 8.1.2; Davidson's gives chances of win, draw and loss.
    scale : float > 0, rating points
        Width of the curve; the table allows only 400.
    draw_band : float >= 0, rating points
        Performances that differ by no more are a draw; needs the normal curve.
    first_move : float, rating points
        Added to the gap for the side named by the result field `home`.
    cap : float > 0 or None, rating points
        The gap, first move included, counts as no more than this.
    rule : {"none", "pre2009", "2014", "2022", "2024", "2025", "by-date"}
        FIDE's rule on great differences, in the edition of a year, in place of `cap`.
    floor : float or None, rating points
        No update leaves a player below it.
    initial : float, rating points
        Rating of a newcomer.
    unrated : Unrated
        `initial`: newcomers have the initial rating. Otherwise they have none until a seed or an entry
        gives one, and games against them count for nobody (`skip`), count after a first pass that
        rates them (`two_pass`), or are refused (`error`).
    rounding : bool
        Whether the change of a period is rounded to whole points, a half away from zero.
    list_floor : ListFloor or None, rating points
        A player who ends a period below it becomes unrated; `by-date` is FIDE's.
    period : Period or None
        None rates game by game; a period rates its games together at its end.
    extra : float >= 0, rating points
        Given to both players after a win by the lower rated one, against deflation; at most `k`.
    extra_gap : float >= 0, rating points
        Extra points are for winners who were rated lower by more than this.
    mean : float or None, rating points
        At the end of every period all ratings move by the same number, so that their mean is this.
    spread : {"common", "own"}
        `own`: the spread of a player's performances is their field `sigma`, or `scale / 2` without it.
    nu : float >= 0
        Of curve=davidson: equals draw with chance nu / (2 + nu) [3]_ [4]_.

    References
    ----------
    .. [1] A. E. Elo, *The Rating of Chessplayers, Past and Present*, 1978: the formula, normal curve.
    .. [2] FIDE Handbook B.02, Rating Regulations, 2024, table 8.1.2 and section 8.3.1 (the cap of 400).
    .. [3] R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties", JASA 65, 1970.
    .. [4] L. Szczecinski, A. Djebbi, "Understanding draws in Elo rating algorithm", Journal of Quantitative Analysis in
       Sports 16, 2020: Elo's update with Davidson's expected score.

    Examples
    --------
    >>> elo = Elo(k=20.0)
    >>> state = State.start(elo.columns(), players=2).replace(rating=np.array([1800.0, 1600.0]))
    >>> game = Games(*(np.array([x]) for x in (0, 1, 0.5, 0, 1)), span=(0, 1))
    >>> rated = elo.rate(state, game)
    >>> rated.expected.round(6).tolist(), rated.state["rating"].round(4).tolist()
    ([0.759747], [1794.8051, 1605.1949])
    """

    name = "elo"

    def rate(self, state: State, games: Games) -> Rated:
        odd = {}
        if self.by_age:
            odd["a year of birth that is not a year"] = of_players(games, no_year(games["born"]))
        if self.spread == "own":
            odd["a spread that is not above 0"] = of_players(games, no_spread(games["sigma"]))
        return leaving_out(odd, self._rated, state, games)

    def _rated(self, state: State, games: Games) -> Rated:
        if self.by_rules:
            from ratingcore_elo.federation import rules  # not needed with one K for all

            return rules.rate(self, state, games)
        if self.period is not None:
            return self._rate_period(state, games)
        if not self.is_plain:
            return rate_bounded(self, state, games)
        rating, expected, change = state.copy("rating"), games.blank(), games.blank()
        play(rating, games.a, games.b, games.score, self.number, LN10 / self.scale, expected, change)
        return Rated(state.replace(rating=rating), expected, opposed(change))

    def _rate_period(self, state: State, games: Games) -> Rated:
        rating, forecast = state["rating"], self.expected(state, games)
        change = opposed(self.number * (games.score - forecast.expected))
        if self.extra:
            change = self.rewards.added(change, rating[games.a] - rating[games.b], games.score)
        moved = rating + summed(games, *change, len(rating))
        final, after = self._closed(games, moved)
        return Rated(state.replace(rating=final), forecast.expected, change, forecast.draw, after=after)

    def _closed(self, games: Games, moved: Floats) -> tuple[Floats, dict[str, Floats]]:
        """Returns the ratings at the end of a period, and the lines that lead to them."""
        if self.floor is not None:
            lift = lifted(games, moved, self.floor)
            return np.where(lift > 0, self.floor, moved), {"floor": lift}
        if self.mean is not None:
            shift = inflation(moved, self.mean, whole=False)
            return moved + shift, {"inflation": shift}
        return moved, {}

    def expected(self, state: State, games: Games) -> Forecast:
        gap = self._gap(state["rating"], games)
        return Forecast(self.curves(games).share(gap), self.draw(gap, games))

    def _gap(self, rating: Floats, games: Games) -> Floats:
        if self.by_rules:
            from ratingcore_elo.federation import rules  # as above

            return rules.gap(self, rating, games)
        gap = rating[games.a] - rating[games.b]
        if self.first_move:
            gap += self.ahead(games)
        return gap if self.most == np.inf else np.clip(gap, -self.most, self.most)

    def taking_over(self, old: Method, state: State) -> State:
        """Returns the state in which this rule begins: in whole points, and not below the floor, if it has these."""
        taken, was = super().taking_over(old, state), old if isinstance(old, Parameters) else None
        rating = taken["rating"]
        if self.rounding and not (was is not None and was.rounding):
            rating = half_away(rating)
        if self.floor is not None and not (was is not None and was.floor is not None and was.floor >= self.floor):
            rating = np.maximum(rating, self.floor)
        return taken.replace(rating=rating)

    def fit(self, replay: Callable[[Method], object], what: Sequence[str] = ()) -> Fitted:
        from ratingcore_elo import draw_fit  # not needed for lists

        return draw_fit.fit(self, replay, what)

    @classmethod
    def sweep(
        cls, settings: Sequence[Self], games: Games, given: Floats, cuts: Ints, *, single: bool = False
    ) -> Floats | None:
        from ratingcore_elo.sweep import losses  # not needed for lists
        from ratingcore_elo.sweep.settings import SweptSettings

        able = np.array([setting.is_sweepable for setting in settings], dtype=bool)
        if not able.any():
            return None
        totals = np.full((len(settings), len(cuts) - 1), nan)
        sweepable = SweptSettings.of(setting for setting in settings if setting.is_sweepable)
        totals[able] = losses(sweepable, games, given, cuts, single)
        return totals
