"""Pi-ratings: the strength of a team at home and away, moved by the error of each forecast margin of goals."""

from collections.abc import Mapping
from math import exp, log1p

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import (
    Cadence,
    Column,
    Floats,
    Forecast,
    Games,
    Ints,
    Method,
    Need,
    Rated,
    State,
    kernel,
    opposed,
)
from ratingcore.plugin.curves import LN10, ndtr
from ratingcore.plugin.rules import HOME
from ratingcore.validators import between, finite, positive

GOALS = (Need("points_a"), Need("points_b"))
MOST = 40.0
"""Bound on the logarithm of expected goals, which only ratings given from outside can reach."""


@kernel
def _goals(rating: float, scale: float) -> float:
    """Expected margin, in goals, of a rating against an average team."""
    goals = exp(min(abs(rating) * LN10 / scale, MOST)) - 1.0
    return goals if rating > 0.0 else -goals


@kernel
def play(
    rating: Floats, lead: Floats, a: Ints, b: Ints, margin: Floats, ground: Floats, scale: float, mean: float,
    half: float, expected_margin: Floats, change: Floats,
) -> None:  # fmt: skip
    """Rates the matches; an error moves the mean of both ratings by `mean`, and half of their gap by `half`."""
    for g in range(len(a)):
        i, j, h = a[g], b[g], ground[g]
        expected_margin[g] = _goals(rating[i] + h * lead[i], scale) - _goals(rating[j] - h * lead[j], scale)
        surprise = margin[g] - expected_margin[g]
        error = scale * log1p(abs(surprise)) / LN10
        if surprise < 0.0:
            error = -error
        change[g] = mean * error
        rating[i] += change[g]
        rating[j] -= change[g]
        lead[i] += h * half * error
        lead[j] += h * half * error


@frozen
class PiRatings(Method):
    """Constantinou and Fenton's pi-ratings of football clubs, at home and away [1]_.

    The rating is the mean of both, which lists show as well.

    Parameters
    ----------
    learning : float from 0 to 1
        Share of a weighted error that the rating for the venue of the match takes: lambda.
    carried : float from 0 to 1
        Share of that move that the rating for the other venue takes: gamma.
    scale : float > 0
        Divisor of a rating in the exponent of the expected goals, and factor of a weighted error: c.
    spread : float > 0, goals
        Standard deviation of a margin about the expected one; only forecasts read it.
    initial : float
        Both ratings of a newcomer.

    References
    ----------
    .. [1] A. C. Constantinou, N. E. Fenton, "Determining the level of ability of football teams by dynamic ratings
       based on the relative discrepancies in scores between adversaries", J. Quant. Anal. Sports 9, 2013.

    Examples
    --------
    A newcomer wins at home by 9 goals against another: the error is 3 log10(10), and the home rating rises by 0.105.

    >>> pi, one = PiRatings(), np.array([1])
    >>> facts = {"points_a": np.array([9.0]), "points_b": np.array([0.0]), "home": np.array([1.0])}
    >>> match = Games(one * 0, one, np.array([1.0]), one, one, span=(0, 2), facts=facts)
    >>> shown = pi.show(pi.rate(State.start(pi.columns(), players=2), match).state, 0)
    >>> shown["home"].round(6).tolist(), shown["away"].round(6).tolist()
    ([0.105, -0.0735], [0.0735, -0.105])
    """

    name = "pi-ratings"
    cadence = Cadence.CONTINUOUS
    learning: float = field(default=0.035, validator=between(0.0, 1.0))
    carried: float = field(default=0.7, validator=between(0.0, 1.0))
    scale: float = field(default=3.0, validator=positive)
    spread: float = field(default=1.7, validator=positive)
    initial: float = field(default=0.0, validator=finite)

    @property
    def needs(self) -> tuple[Need, ...]:
        return (*GOALS, HOME)

    def columns(self) -> tuple[Column, ...]:
        return Column("rating", self.initial, significant=6), Column("lead", 0.0, digits=None)

    def rate(self, state: State, games: Games) -> Rated:
        rating, lead, expected_margin, change = state.copy("rating"), state.copy("lead"), games.blank(), games.blank()
        margin = games["points_a"] - games["points_b"]
        mean, half = 0.5 * self.learning * (1.0 + self.carried), 0.5 * self.learning * (1.0 - self.carried)
        play(rating, lead, games.a, games.b, margin, games["home"], self.scale, mean, half, expected_margin, change)
        after, chances = state.replace(rating=rating, lead=lead), self._chances(expected_margin)
        notes = {"expected_margin": expected_margin, "margin": margin}
        return Rated(after, chances.expected, opposed(change), draw=chances.draw, notes=notes)

    def expected(self, state: State, games: Games) -> Forecast:
        rating, lead, ground = state["rating"], state["lead"], games["home"]
        a = rating[games.a] + ground * lead[games.a]
        b = rating[games.b] - ground * lead[games.b]
        gap = [np.sign(x) * np.expm1(np.minimum(np.abs(x) * LN10 / self.scale, MOST)) for x in (a, b)]
        return self._chances(gap[0] - gap[1])

    def show(self, state: State, at: int) -> Mapping[str, Floats]:
        rating, lead = state["rating"], state["lead"]
        return {"rating": rating, "home": rating + lead, "away": rating - lead}

    def _chances(self, margin: Floats) -> Forecast:
        """Chances of margins above 1/2 and below -1/2 goals, normal about the expected margin; else a draw."""
        win, loss = ndtr((margin - 0.5) / self.spread), ndtr((-margin - 0.5) / self.spread)
        return Forecast(0.5 + 0.5 * (win - loss), np.maximum(1.0 - win - loss, 0.0))
