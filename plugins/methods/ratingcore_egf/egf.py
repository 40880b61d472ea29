"""The European Go Federation's rating: each tournament is rated from the ratings before it."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import (
    BadField,
    BadParameter,
    Bools,
    Cadence,
    Column,
    Floats,
    Forecast,
    Games,
    Method,
    Need,
    Period,
    Rated,
    State,
    leaving_out,
    summed,
)
from ratingcore.plugin.rules import lifted
from ratingcore.validators import between, finite, instance_of, one_of, optional, positive
from ratingcore_egf import before_2021, since_2021
from ratingcore_egf.handicap import ByStones, as_points

HANDICAP = Need("handicap", default=0.0)
EVENT_CLASS = Need("event_class", words={"A": 1.0, "B": 0.75, "C": 0.5, "D": 0.25}, default=1.0)


def _points(instance: object, attribute: Any, value: object) -> None:
    if value is not None and not isinstance(value, ByStones):
        positive(instance, attribute, value)


@frozen
class Egf(Method):
    """Ratings of the European Go Federation: 100 points per grade, rated tournament by tournament [1]_.

    Parameters
    ----------
    variant : {"2021", "gor"}
        The rules since 2021, or those before.
    epsilon : float in [0, 1], points of the game
        For `gor`: how far the two expected scores of a game add up to less than 1, against deflation; 0.014 in early
        years.
    handicap_points : float > 0, ByStones or None, rating points
        For `2021`: points added to the weaker side of a handicap game: `by-stones` as before 2021, or one number for
        any number of stones; None leaves handicap games out.
    floor : float or None, rating points
        Least rating after a tournament; lower ones are raised to it.
    initial : float, rating points
        Rating of a newcomer without a seed: give newcomers the rating of their grade by a seed.
    period : Period
        Span whose results are rated together.

    References
    ----------
    .. [1] European Go Federation, "EGF Official Ratings": the system of 2021, and the system of 1998 to 2021.

    Examples
    --------
    >>> egf = Egf()
    >>> state = State.start(egf.columns(), players=2).replace(rating=np.array([2000.0, 2100.0]))
    >>> facts = {"handicap": np.zeros(1), "event_class": np.ones(1)}
    >>> game = Games(*(np.array([x]) for x in (0, 1, 1.0, 0, 1)), span=(0, 1), facts=facts)
    >>> egf.rate(state, game).state["rating"].round(6).tolist()
    [2013.474282, 2089.32513]
    """

    name = "egf"
    formula = 2  # handicap games since 2021 count; before, they were left out
    cadence = Cadence.PERIODIC
    variant: Literal["2021", "gor"] = field(default="2021", validator=one_of("2021", "gor"))
    epsilon: float = field(default=0.016, validator=between(0.0, 1.0))
    handicap_points: ByStones | float | None = field(factory=ByStones, converter=as_points, validator=_points)
    floor: float | None = field(default=-900.0, validator=optional(finite))
    initial: float = field(default=100.0, validator=finite)
    period: Period = field(factory=lambda: Period("event"), validator=instance_of(Period))

    @property
    def needs(self) -> tuple[Need, ...]:
        return HANDICAP, EVENT_CLASS

    def __attrs_post_init__(self) -> None:
        if self.variant == "2021" and self.initial >= since_2021.TOP:
            why = f"must be below {since_2021.TOP:g}, where the curve ends: {self.initial!r}"
            raise BadParameter(self.name, "initial", why)

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", self.initial, unit="points", digits=3),)

    def refuses(self, games: Games) -> Mapping[str, Bools]:
        stones = games["handicap"]
        odd = {"a handicap that is not a number of stones": (stones < 0) | (stones != np.floor(stones))}
        if self.variant != "gor" and self.handicap_points is None:
            odd["a handicap, for which variant=2021 has no rule"] = stones > 0
        return odd

    def rate(self, state: State, games: Games) -> Rated:
        if self.variant == "gor":
            return self._rated(state, games)
        a, b = self._sides(state, games)
        high, low = (a >= since_2021.TOP) | (b >= since_2021.TOP), np.minimum(a, b) <= since_2021.LEAST
        beyond = {f"a rating of {since_2021.TOP:g} or more": high, f"a rating of {since_2021.LEAST:g} or less": low}
        return leaving_out(beyond, self._rated, state, games)

    def _rated(self, state: State, games: Games) -> Rated:
        rating, share = state["rating"], self._share(state, games)
        con_a, change_a = self._moved(rating[games.a], games.score, share)
        con_b, change_b = self._moved(rating[games.b], 1.0 - games.score, 1.0 - share)
        change_a, change_b = change_a * games["event_class"], change_b * games["event_class"]
        moved = rating + summed(games, change_a, change_b, len(rating))
        notes = {"con_a": con_a, "con_b": con_b}
        if self.floor is None:
            return Rated(state.replace(rating=moved), share, (change_a, change_b), notes=notes)
        lift = lifted(games, moved, self.floor)
        final = np.where(lift > 0.0, self.floor, moved)
        return Rated(state.replace(rating=final), share, (change_a, change_b), after={"floor": lift}, notes=notes)

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(self._share(state, games))

    def _moved(self, rating: Floats, score: Floats, share: Floats) -> tuple[Floats, Floats]:
        """Points for a whole point of surprise, and the change of one side in a tournament of class A."""
        if self.variant == "gor":
            con = before_2021.con(rating)
            return con, con * (score - (share - 0.5 * self.epsilon))
        con = since_2021.con(rating)
        return con, con * (score - share) + since_2021.bonus(rating)

    def _share(self, state: State, games: Games) -> Floats:
        """Expected share of `a`; NaN where the formula has none."""
        a, b = self._sides(state, games)
        return before_2021.share(a, b) if self.variant == "gor" else since_2021.share(a, b)

    def _sides(self, state: State, games: Games) -> tuple[Floats, Floats]:
        """Ratings of both sides, with stones as points for the weaker one; between equals stones add nothing."""
        a, b, given = state["rating"][games.a], state["rating"][games.b], self._given(games)
        return a + np.where(a < b, given, 0.0), b + np.where(b < a, given, 0.0)

    def _given(self, games: Games) -> Floats:
        """Worth of the stones of each game, in points."""
        stones = games["handicap"]
        for g in np.flatnonzero((stones < 0) | (stones != np.floor(stones)))[:1]:
            why = "must be a non-negative whole number"
            raise BadField(self.name, "handicap", float(stones[g]), _where(games, g), why)
        if self.variant == "gor" or isinstance(self.handicap_points, ByStones):
            return ByStones.worth(stones)
        for g in np.flatnonzero(stones > 0)[:1] if self.handicap_points is None else ():
            why = "has no rule in variant=2021 without handicap_points"
            raise BadField(self.name, "handicap", float(stones[g]), _where(games, g), why)
        return np.where(stones > 0, self.handicap_points or 0.0, 0.0)


@frozen
class EarlierEgf(Egf):
    """Formula 1: under the rules since 2021, a handicap game counts only if `handicap_points` is a number.

    The parameters are those of the present formula.
    """

    formula = 1
    superseded = True
    handicap_points: float | None = field(default=None, validator=optional(positive))  # keeps its place in method texts
    floor: float | None = field(default=-900.0, validator=optional(finite))
    initial: float = field(default=100.0, validator=finite)
    period: Period = field(factory=lambda: Period("event"), validator=instance_of(Period))


def _where(games: Games, g: int) -> str:
    return f"position {games.position[g]}"
