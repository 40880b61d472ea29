"""Elo's rating: K times the surprise changes hands, after every game or at the end of every period."""

from math import inf
from typing import Literal

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import (
    LN10,
    BadParameter,
    Cadence,
    Column,
    Curve,
    Floats,
    Forecast,
    Games,
    Method,
    Need,
    Period,
    Rated,
    State,
    opposed,
)
from ratingcore.validators import finite, instance_of, not_negative, one_of, optional, positive
from ratingcore_elo.continuous import play, play_bounded
from ratingcore_elo.periodic import lifted, summed

HOME = Need("home", words={"a": 1.0, "b": -1.0, "n": 0.0}, default=0.0)


@frozen
class Elo(Method):
    """Elo's rating with the curve, the cap and the floor of your federation [1]_ [2]_.

    Parameters
    ----------
    k : float >= 0, rating points
        What a whole point of surprise is worth.
    curve : {"logistic", "normal", "table"}
        From rating gap to expected score; the table is FIDE 8.1.2.
    scale : float > 0, rating points
        Width of the curve; the table has 400 and no other.
    draw_band : float >= 0, rating points
        Performances that differ by no more make a draw; needs the normal curve.
    first_move : float, rating points
        Added to the gap for the side named by the result field `home`.
    cap : float > 0 or None, rating points
        The gap, first move included, counts as no more than this.
    floor : float or None, rating points
        No update leaves a player below it.
    initial : float, rating points
        Rating of a newcomer.
    period : Period or None
        None rates game by game; a period rates its games together at its end.

    References
    ----------
    .. [1] A. E. Elo, *The Rating of Chessplayers, Past and Present*, 1978: the formula, normal curve.
    .. [2] FIDE Handbook B.02, Rating Regulations, 2024, table 8.1.2 and section 8.3.1 (the cap of 400).

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
    k: float = field(default=20.0, validator=not_negative)
    curve: Literal["logistic", "normal", "table"] = field(
        default="logistic", validator=one_of("logistic", "normal", "table")
    )
    scale: float = field(default=400.0, validator=positive)
    draw_band: float = field(default=0.0, validator=not_negative)
    first_move: float = field(default=0.0, validator=finite)
    cap: float | None = field(default=None, validator=optional(positive))
    floor: float | None = field(default=None, validator=optional(finite))
    initial: float = field(default=1500.0, validator=finite)
    period: Period | None = field(default=None, validator=optional(instance_of(Period)))

    def __attrs_post_init__(self) -> None:
        if self.draw_band > 0 and self.curve != "normal":
            raise BadParameter(self.name, "draw_band", f"needs curve=normal, not {self.curve}: {self.draw_band!r}")
        if self.curve == "table" and self.scale != 400:
            raise BadParameter(self.name, "scale", f"must be 400 where curve=table: {self.scale!r}")

    @property
    def cadence(self) -> Cadence:
        return Cadence.CONTINUOUS if self.period is None else Cadence.PERIODIC

    @property
    def needs(self) -> tuple[Need, ...]:
        return (HOME,) if self.first_move else ()

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", self.initial, unit="points"),)

    def rate(self, state: State, games: Games) -> Rated:
        if self.period is not None:
            return self._rate_period(state, games)
        plain = not self.first_move and self.cap is None and self.floor is None
        if plain and self.curve == "logistic":
            return self._rate_plain(state, games)
        return self._rate_bounded(state, games)

    def expected(self, state: State, games: Games) -> Forecast:
        gap = self._gap(state["rating"], games)
        return Forecast(self._shape.share(gap), self._draw(gap))

    def _rate_plain(self, state: State, games: Games) -> Rated:
        rating, expected, change = state.copy("rating"), games.blank(), games.blank()
        play(rating, games.a, games.b, games.score, self.k, LN10 / self.scale, expected, change)
        return Rated(state.replace(rating=rating), expected, opposed(change))

    def _rate_bounded(self, state: State, games: Games) -> Rated:
        rating, gap, expected, change_a, change_b = state.copy("rating"), *(games.blank() for _ in range(4))
        cap, floor = inf if self.cap is None else self.cap, -inf if self.floor is None else self.floor
        play_bounded(
            rating, games.a, games.b, games.score, self._ahead(games),
            self.k, *self._shape.packed(), cap, floor, gap, expected, change_a, change_b,
        )  # fmt: skip
        return Rated(state.replace(rating=rating), expected, (change_a, change_b), self._draw(gap))

    def _rate_period(self, state: State, games: Games) -> Rated:
        rating, forecast = state["rating"], self.expected(state, games)
        change = self.k * (games.score - forecast.expected)
        moved = rating + summed(games, change, len(rating))
        after = {} if self.floor is None else {"floor": lifted(games, moved, self.floor)}
        final = moved if self.floor is None else np.where(after["floor"] > 0, self.floor, moved)
        return Rated(state.replace(rating=final), forecast.expected, opposed(change), forecast.draw, after=after)

    @property
    def _shape(self) -> Curve:
        return Curve(self.curve, self.scale, self.draw_band)

    def _ahead(self, games: Games) -> Floats:
        return self.first_move * games["home"] if self.first_move else np.zeros(len(games))

    def _gap(self, rating: Floats, games: Games) -> Floats:
        gap = rating[games.a] - rating[games.b] + self._ahead(games)
        return gap if self.cap is None else np.clip(gap, -self.cap, self.cap)

    def _draw(self, gap: Floats) -> Floats | None:
        return self._shape.draw(gap) if self.draw_band else None
