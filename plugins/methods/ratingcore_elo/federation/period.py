"""Rates a period by the rules of a federation: which games count for whom, with which difference and K."""

from math import inf
from typing import Self

import numpy as np
from attrs import frozen

from ratingcore.plugin import Bools, Floats, Games, Ints, State
from ratingcore.plugin.curves import Curve
from ratingcore.plugin.rules import KRegime, half_away, in_force, years
from ratingcore_elo.extra import Extra
from ratingcore_elo.federation.cap import Dated
from ratingcore_elo.federation.views import Views
from ratingcore_elo.spreads import OwnSpreads


@frozen(eq=False)
class Experience:
    """State of each player at the start of a period, as rules for K read it.

    Parameters
    ----------
    counted, reached, age : (players,) float64
        Games counted; 1 for players who have reached the top; age attained in the year (NaN if unknown).
    """

    counted: Floats
    reached: Floats
    age: Floats

    @classmethod
    def of(cls, state: State, games: Games, *, by_age: bool) -> Self:
        """Reads the columns of a state; zeros if K is one number, for which the state has no such columns."""
        players = len(state["rating"])
        age = np.full(players, np.nan)
        if by_age:
            age = float(years(np.array([games.span.start]))[0]) - games["born"][:players]
        if "counted" in state:
            return cls(state["counted"], state["reached"], age)
        return cls(np.zeros(players), np.zeros(players), age)


@frozen(eq=False)
class Reckoned:
    """The outcome of each view of a period, and the ratings to which the changes are added.

    Parameters
    ----------
    counting : (m,) bool
        Which views count.
    gap, expected, k, change : (m,) float64
        Difference, expected score, K and change of each view; NaN, and a change of 0, if it does not count.
    base : (players,) float64, rating points
        Rating at the start of the period; for a player who gets a first rating in it, the initial rating.
    """

    counting: Bools
    gap: Floats
    expected: Floats
    k: Floats
    change: Floats
    base: Floats

    def over(self, earlier: Self) -> Self:
        """These views together with those that counted in an earlier pass."""
        mine, theirs = ((r.gap, r.expected, r.k, r.change) for r in (self, earlier))
        both = (np.where(self.counting, new, old) for new, old in zip(mine, theirs, strict=True))
        gap, expected, k, change = both
        return type(self)(self.counting | earlier.counting, gap, expected, k, change, self.base)


@frozen(eq=False)
class PeriodRules:
    """The rules in force in one period.

    Parameters
    ----------
    shape : Curve or OwnSpreads
        One curve for all views, or one for each.
    cap : tuple of (instant, CapRegime)
    k : KRegime
    whole : bool
        Whether the change of a period is rounded.
    extra : Extra
        Extra points for both players after a win by the lower rated one.
    """

    shape: Curve | OwnSpreads
    cap: Dated
    k: KRegime
    whole: bool
    extra: Extra

    def rounded(self, total: Floats) -> Floats:
        """Returns the change of a period, in whole points if the rules say so."""
        return half_away(total) if self.whole else total

    def one_pass(self, views: Views, seen: Experience, base: Floats, number: Floats) -> Reckoned:
        """Rates the views of rated players, who play with their rating in `base` against opponents rated `number`."""
        return self._reckon(views, seen, base, number, _rated(base, views) & ~np.isnan(number[views.opponent]))

    def two_passes(self, views: Views, seen: Experience, rating: Floats, initial: float) -> Reckoned:
        """Rates first the unrated, who play from `initial` against opponents with a number, then everybody else.

        The first pass is repeated as long as it gives new players a number. A newcomer's rating comes from the pass
        that made it; a game between two newcomers of one pass counts for neither.
        """
        base, number = rating.copy(), rating.copy()
        done = self.one_pass(views, seen, rating, rating)
        while True:
            enters = np.isnan(number[views.player]) & ~np.isnan(number[views.opponent])
            if not enters.any():
                break
            base[views.player[enters]] = initial
            first = self._reckon(views, seen, base, number, enters)
            total = self.rounded(views.summed(first.change, len(base)))
            number[views.player[enters]] = initial + total[views.player[enters]]
            done = first.over(done)
        then = self._reckon(views, seen, base, number, _rated(rating, views) & ~np.isnan(number[views.opponent]))
        return then.over(done)

    def _reckon(self, views: Views, seen: Experience, base: Floats, number: Floats, counting: Bools) -> Reckoned:
        own = base[views.player]
        gap = capped(self.cap, views, own - number[views.opponent] + views.ahead, own, counting)
        games = np.bincount(views.player[counting], minlength=len(base))
        k = self.k.limited(self.k.k(base, seen.counted, seen.reached, seen.age), games)[views.player]
        expected = self.shape.share(gap)
        change = np.where(counting, k * (views.score - expected), 0.0)
        if self.extra.points:
            more = self.extra.of(own - number[views.opponent], views.score)
            change = np.where(counting, change + more, change)
        gap, expected, k = (np.where(counting, column, np.nan) for column in (gap, expected, k))
        return Reckoned(counting, gap, expected, k, change, base)


def _rated(rating: Floats, views: Views) -> Bools:
    return np.asarray(~np.isnan(rating[views.player]))


_UNNAMED = -1.0
"""Label for games without an event; the labels of events are never negative."""


def capped(regimes: Dated, views: Views, gap: Floats, own: Floats, counting: Bools) -> Floats:
    """Returns the difference that is used in each side's own calculation.

    Parameters
    ----------
    regimes : tuple of (instant, CapRegime)
        Regimes, each with the instant from which it is in force.
    views : Views
    gap : (m,) float64, rating points
        Own rating less the opponent's, of each view.
    own : (m,) float64, rating points
        Own rating.
    counting : (m,) bool
        Which views are rated; others never count as a player's greatest difference.
    """
    if len(regimes) == 1 and regimes[0][1].free_from == inf and not regimes[0][1].once:
        return np.clip(gap, -regimes[0][1].cap, regimes[0][1].cap)
    starts, each = zip(*regimes, strict=True)
    which = in_force(starts, views.played)
    most = np.array([regime.cap for regime in each])[which]
    over = (np.abs(gap) > most) & ~(own >= np.array([regime.free_from for regime in each])[which])
    rare = np.flatnonzero(over & counting & np.array([regime.once for regime in each])[which])
    if len(rare):
        over[rare] = _greatest(views, gap, rare)
    return np.where(over, np.copysign(most, gap), gap)


def _greatest(views: Views, gap: Floats, rare: Ints) -> Bools:
    """True for views with the greatest difference of a player in an event; the earliest among equals."""
    event, player = np.nan_to_num(views.event[rare], nan=_UNNAMED), views.player[rare]
    order = np.lexsort((views.position[rare], views.played[rare], -np.abs(gap[rare]), event, player))
    first = np.ones(len(rare), dtype=np.bool_)
    first[1:] = (np.diff(event[order]) != 0) | (np.diff(player[order]) != 0)
    greatest = np.zeros(len(rare), dtype=np.bool_)
    greatest[order[first]] = True
    return greatest
