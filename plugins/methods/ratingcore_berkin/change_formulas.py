"""Berkin's change formulas: ratio ratings that move with every result, or once a period."""

from collections.abc import Mapping
from math import nan

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import (
    BadParameter,
    Cadence,
    Column,
    Floats,
    Forecast,
    Games,
    Method,
    Period,
    Rated,
    State,
    leaving_out,
    of_players,
    significant_digits,
)
from ratingcore.validators import instance_of, one_of, optional, positive
from ratingcore_berkin.berkin import shares
from ratingcore_berkin.formulas import FLOOR, VARIANTS, Variant
from ratingcore_berkin.periods import tally
from ratingcore_berkin.play import play_constant, play_exact

STATUS = ("ok", "unbounded", "zero")
OK, UNBOUNDED, ZERO = range(3)


@frozen
class BerkinChange(Method):
    """Ratio ratings moved by `(R_c S - R_o (1 - S)) / D`, D by the variant [1]_.

    Parameters
    ----------
    variant : {"13.10", "13.11", "13.12", "13.13"}
        D is `L + 1 - S` with the points lost so far, `n0 + 1 - S`, or `n0`; 13.13 is 13.12 for a period at once.
    n0 : float >= 1, games
        Constant in place of the points lost; ignored by 13.10.
    anchor : float > 0
        Rating of a newcomer.
    period : Period or None
        None rates result by result; a period rates its results together at its end. 13.13 needs one.
    reanchor : bool
        Whether the geometric mean of all ratings is made `anchor` at the end of every period.

    References
    ----------
    .. [1] "The Berkin System", unpublished, formulas 13.10 to 13.13; written out in the README here.

    Examples
    --------
    >>> method = BerkinChange(variant="13.11")
    >>> state = State.start(method.columns(), players=2).replace(rating=np.array([1000.0, 1200.0]))
    >>> game = Games(*(np.array([x]) for x in (0, 1, 1.0, 0, 1)), span=(0, 1))
    >>> rated = method.rate(state, game)
    >>> rated.expected.round(6).tolist(), rated.state["rating"].round(6).tolist()
    ([0.454545], [1060.0, 1142.857143])
    """

    name = "berkin-change"
    variant: Variant = field(default="13.12", validator=one_of(*VARIANTS))
    n0: float = field(default=20.0, validator=positive)
    anchor: float = field(default=1000.0, validator=positive)
    period: Period | None = field(default=None, validator=optional(instance_of(Period)))
    reanchor: bool = field(default=False, validator=instance_of(bool))

    def __attrs_post_init__(self) -> None:
        if self.n0 < 1.0:
            raise BadParameter(self.name, "n0", f"must be 1 or more: {self.n0!r}")
        if self.variant == "13.13" and self.period is None:
            raise BadParameter(self.name, "period", "is needed by variant=13.13 (without periods, use 13.12): None")
        if self.variant == "13.12" and self.period is not None:
            raise BadParameter(self.name, "variant", "must be 13.13 for a period: '13.12'")
        if self.reanchor and self.period is None:
            raise BadParameter(self.name, "reanchor", "needs a period: True")

    @property
    def cadence(self) -> Cadence:
        return Cadence.CONTINUOUS if self.period is None else Cadence.PERIODIC

    def columns(self) -> tuple[Column, ...]:
        rating = Column("rating", self.anchor, significant=significant_digits(self.anchor, usual=1000.0))
        if self.variant != "13.10":
            return (rating,)
        status = Column("status", OK, labels=STATUS, kept=False)
        return rating, Column("lost", 0.0, unit="points"), Column("wins", 0.0, digits=None, kept=False), status

    def rate(self, state: State, games: Games) -> Rated:
        rating = state["rating"]
        odd = {"a rating below 0, which a ratio scale excludes": of_players(games, rating < 0.0)}
        if self.variant == "13.13":
            busy = tally(rating, games).games > self.n0
            odd["a player with more games in the period than n0"] = of_players(games, busy)
        return leaving_out(odd, self._rated, state, games)

    def _rated(self, state: State, games: Games) -> Rated:
        if self.period is not None:
            return self._rate_period(state, games)
        return self._rate_exact(state, games) if self.variant == "13.10" else self._rate_constant(state, games)

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(shares(state["rating"], games.a, games.b))

    def show(self, state: State, at: int) -> Mapping[str, Floats]:
        """The columns, without the rating of unbounded players: it serves their opponents only."""
        listed = dict(super().show(state, at))
        if "status" in state:
            listed["rating"] = np.where(state["status"] == UNBOUNDED, nan, listed["rating"])
        return listed

    def _rate_constant(self, state: State, games: Games) -> Rated:
        rating, expected, change_a, change_b = state.copy("rating"), games.blank(), games.blank(), games.blank()
        per_loss = 1.0 if self.variant == "13.11" else 0.0
        play_constant(
            rating, games.a, games.b, games.score, self.n0, per_loss, FLOOR * self.anchor, expected, change_a, change_b
        )
        return Rated(state.replace(rating=rating), expected, (change_a, change_b))

    def _rate_exact(self, state: State, games: Games) -> Rated:
        rating, lost, wins = (state.copy(name) for name in ("rating", "lost", "wins"))
        expected, change_a, change_b = games.blank(), games.blank(), games.blank()
        play_exact(rating, lost, wins, games.a, games.b, games.score, expected, change_a, change_b)
        status = state.copy("status")
        played = np.concatenate([games.a, games.b])
        status[played] = _status(rating[played], lost[played])
        after = state.replace(rating=rating, lost=lost, wins=wins, status=status)
        return Rated(after, expected, (change_a, change_b))

    def _rate_period(self, state: State, games: Games) -> Rated:
        rating, before = state["rating"], self.expected(state, games)
        worth, given, played = tally(rating, games)
        over = self._over(state, given)
        swing = rating[games.b] * games.score - rating[games.a] * (1.0 - games.score)
        change = _divided(swing, over[games.a]), _divided(-swing, over[games.b])
        moved = rating + np.where(played > 0, _divided(worth - rating * given, over), 0.0)
        changed: dict[str, Floats] = {}
        after: dict[str, Floats] = {}
        if self.variant == "13.10":
            late = np.where(played > 0, _divided(state["wins"], over), 0.0)
            after["earlier wins"] = late
            moved = np.maximum(moved + late, 0.0)
            total = state["lost"] + given
            changed = {
                "lost": total,
                "wins": np.where(total == 0.0, state["wins"] + worth, 0.0),
                "status": np.where(played > 0, _status(moved, total), state["status"]),
            }
        else:
            raised = np.where((played > 0) & (moved < FLOOR * self.anchor), FLOOR * self.anchor - moved, 0.0)
            after["floor"] = raised
            moved = moved + raised
        if self.reanchor:
            moved, factor = _reanchored(moved, self.anchor)
            after["re-anchor"] = moved - moved / factor
            if "wins" in changed:
                changed["wins"] = changed["wins"] * factor
        return Rated(state.replace(rating=moved, **changed), before.expected, change, after=after)

    def _over(self, state: State, given: Floats) -> Floats:
        """Denominator of every player for a period."""
        if self.variant == "13.10":
            return state["lost"] + given
        return self.n0 + given if self.variant == "13.11" else np.full(len(given), self.n0)


def _divided(over: Floats, under: Floats) -> Floats:
    """The quotient; 0 for players who never lost a point, for whom 13.10 is undefined."""
    return np.where(under == 0.0, 0.0, over / np.where(under == 0.0, 1.0, under))


def _status(rating: Floats, lost: Floats) -> Floats:
    return np.where(lost == 0.0, float(UNBOUNDED), np.where(rating == 0.0, float(ZERO), float(OK)))


def _reanchored(rating: Floats, anchor: float) -> tuple[Floats, float]:
    """Ratings scaled so that the positive ones have the anchor as geometric mean, and the factor."""
    positive_ones = rating[rating > 0.0]
    factor = anchor / float(np.exp(np.mean(np.log(positive_ones)))) if len(positive_ones) else 1.0
    return rating * factor, factor
