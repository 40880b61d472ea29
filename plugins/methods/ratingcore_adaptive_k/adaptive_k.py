"""The adaptive-K method: Elo with a higher K while a player's last games suggest that the rating lags behind."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import inf, nan
from typing import Any

import numpy as np
from attrs import Attribute, field, frozen

from ratingcore.plugin import (
    BadParameter,
    BadResult,
    Bools,
    Cadence,
    Column,
    Forecast,
    Games,
    Method,
    Need,
    Rated,
    State,
)
from ratingcore.plugin.curves import LN10, expit
from ratingcore.plugin.rules import BORN, KRule, as_k, years
from ratingcore.validators import between, finite, instance_of, not_negative, optional
from ratingcore_adaptive_k.boosts import boosts
from ratingcore_adaptive_k.last_games import LONGEST, nothing
from ratingcore_adaptive_k.play import play, play_ruled

SLOPE = LN10 / 400.0
FINEST = 10_000
"""Largest denominator of a threshold; up to it, comparisons are exact in whole numbers."""


def _ratio(method: "AdaptiveK", attribute: "Attribute[float]", value: float) -> None:
    """Refuses a rate that is not a ratio of small whole numbers, since rates of games are compared with it exactly."""
    if float(Fraction(value).limit_denominator(FINEST)) != value:
        raise BadParameter(method.name, attribute.name, f"must be a ratio of whole numbers up to {FINEST}: {value!r}")


@cache
def _lead(threshold: float) -> tuple[float, float]:
    """Returns the threshold as a lead per game (wins less losses), a ratio of whole numbers: a rate of 3/5 is 1/5."""
    lead = 2 * Fraction(threshold).limit_denominator(FINEST) - 1
    return float(lead.numerator), float(lead.denominator)


def _number_or_rule(method: "AdaptiveK", attribute: "Attribute[Any]", value: Any) -> None:
    if not isinstance(value, KRule):
        not_negative(method, attribute, value)


@frozen
class AdaptiveK(Method):
    """Continuous Elo that raises K to `K (1 + S)` for a player on the rise or in decline [1]_.

    S is the overall success rate after a win, the overall failure rate after a loss. A win is boosted if at least
    `window` games were played; the overall success or failure rate is at least `threshold`; the success rate in the
    last `window` games is higher than both; and the player has more losses than earlier boosted wins. A loss is boosted
    by the same rule with success and failure, and wins and losses, exchanged. The game itself counts in all of these. A
    draw is never boosted.

    Parameters
    ----------
    k : float >= 0, rating points, or a rule
        K of a game without a boost; a number, or the rule of a federation: `fide2014`, `fide2009`, `fide_pre2009`,
        `czech`, `by-date`, `rapid-by-date`. Rules read the player's field `born`, if there is one, for the K of
        juniors.
    window : int from 1 to 23
        Number of games that count as the last ones.
    threshold : float from 0 to 1
        Least rate of success, or of failure, for a boost; a ratio of whole numbers.
    floor : float or None, rating points
        Least rating after an update.
    initial : float, rating points
        Rating of a newcomer.

    References
    ----------
    .. [1] A Czech bachelor thesis on the Elo measure, section 3.2, as written out in the README of this plugin.

    Examples
    --------
    Eight wins and two losses, then a run of wins: two wins have a raised K, one for each loss.

    >>> adaptive = AdaptiveK(k=20.0)
    >>> order = np.arange(15)
    >>> score = np.array([1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    >>> games = Games(order * 0, order + 1, score, order, order + 1, span=(0, 99))
    >>> adaptive.rate(State.start(adaptive.columns(), players=16), games).notes["k_a"].round(2).tolist()[9:]
    [20.0, 20.0, 36.67, 36.92, 20.0, 20.0]
    """

    name = "adaptive-k"
    facts_read = (BORN.name,)
    k: float | KRule = field(default=15.0, converter=as_k, validator=_number_or_rule)
    window: int = field(default=10, validator=[instance_of(int), between(1, LONGEST)])
    threshold: float = field(default=0.6, validator=[between(0.0, 1.0), _ratio])
    floor: float | None = field(default=0.0, validator=optional(finite))
    initial: float = field(default=1100.0, validator=finite)

    @property
    def cadence(self) -> Cadence:
        return Cadence.CONTINUOUS

    @property
    def needs(self) -> tuple[Need, ...]:
        return (BORN,) if isinstance(self.k, KRule) and self.k.by_age else ()

    def columns(self) -> tuple[Column, ...]:
        ruled = (Column("reached", digits=None),) if isinstance(self.k, KRule) else ()
        return (
            Column("rating", self.initial, unit="points"),
            Column("games", digits=None),
            Column("wins", digits=None),
            Column("losses", digits=None),
            Column("boosts_won", digits=0),
            Column("boosts_lost", digits=0),
            Column("last", float(nothing(self.window)), unit=f"last {self.window} results", digits=None),
            *ruled,
        )

    def refuses(self, games: Games) -> Mapping[str, Bools]:
        return {"neither win, draw nor loss": ~np.isin(games.score, (0.0, 0.5, 1.0))}

    def rate(self, state: State, games: Games) -> Rated:
        now = {name: state.copy(name) for name in state.names}
        counted = state.copy("games")  # a K rule needs the count before the games, which `boosts` moves on
        boost_a, boost_b, k_a, k_b, expected, change_a, change_b = (games.blank() for _ in range(7))
        over, under = _lead(self.threshold)
        other = boosts(
            now["games"], now["wins"], now["losses"], now["boosts_won"], now["boosts_lost"], now["last"],
            games.a, games.b, games.score, self.window, over, under, boost_a, boost_b,
        )  # fmt: skip
        if other != 0.0:
            g = int(np.flatnonzero(~np.isin(games.score, (0.0, 0.5, 1.0)))[0])
            why = f"its score is neither a win, a draw nor a loss: {float(games.score[g])!r}"
            raise BadResult(self.name, f"position {games.position[g]}", why)
        floor = -inf if self.floor is None else float(self.floor)
        if isinstance(self.k, KRule):
            born = games["born"] if self.k.by_age else np.full(len(counted), nan)
            play_ruled(
                now["rating"], counted, now["reached"], games.a, games.b, games.score, boost_a, boost_b,
                born, years(games.played), self.k.which(games.played), self.k.packed(), SLOPE, floor,
                k_a, k_b, expected, change_a, change_b,
            )  # fmt: skip
        else:
            play(
                now["rating"], games.a, games.b, games.score, boost_a, boost_b, self.k, SLOPE, floor,
                k_a, k_b, expected, change_a, change_b,
            )  # fmt: skip
        notes = {"k_a": k_a, "k_b": k_b, "boost_a": boost_a, "boost_b": boost_b}
        return Rated(state.replace(**now), expected, (change_a, change_b), notes=notes)

    def expected(self, state: State, games: Games) -> Forecast:
        rating = state["rating"]
        return Forecast(expit((rating[games.a] - rating[games.b]) * SLOPE))
