"""Elo for leagues with points and seasons: margin of victory, home advantage, carry-over between seasons."""

from collections.abc import Mapping
from math import nan
from typing import Any, ClassVar, Literal

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import (
    BadResult,
    Bools,
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
    opposed,
    significant_digits,
)
from ratingcore.plugin.curves import LN10, expit
from ratingcore.plugin.rules import HOME
from ratingcore.validators import between, finite, instance_of, not_negative, one_of, positive
from ratingcore_elo_margin.margins import MARGINS, Margin
from ratingcore_elo_margin.play import play

POINTS = (Need("points_a"), Need("points_b"))
SEASON = Need("season", labels=True, default=nan)
IMPORTANCE = Need("importance", default=nan, least=0.0)
POLE = "a winner so far behind that the multiplier has a pole"

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "nba538": {"k": 20.0, "home": 100.0, "margin": "power", "carry": 0.75, "carry_to": 1505.0},
    "nfl538": {"k": 20.0, "home": 65.0, "margin": "log", "carry": 2.0 / 3.0, "carry_to": 1505.0},
    "football": {"k": 30.0, "home": 100.0, "margin": "goals", "importance": True},
}


@frozen
class EloMargin(Method):
    """Elo where a bigger win moves more, the home side is expected to do better, and seasons begin anew.

    Presets: `nba538` and `nfl538`, FiveThirtyEight's ratings of basketball [1]_ and American football [2]_;
    `football`, the World Football Elo Ratings of national teams [3]_.

    Parameters
    ----------
    k : float >= 0, rating points
        What a whole point of surprise is worth at a multiplier of 1.
    home : float, rating points
        Added to the gap for the side named by the result field `home`.
    scale : float > 0, rating points
        Width of the logistic curve.
    margin : {"log", "power", "goals", "none"}
        Multiplier of k by the difference of `points_a` and `points_b`; see the README for the forms.
    carry : float in [0, 1]
        Share of the distance from `carry_to` that stays in a new season; 1 keeps all.
    carry_to : float, rating points
        Where ratings are drawn between seasons.
    importance : bool
        Whether the result field `importance`, where there is one, is the K of a game.
    initial : float, rating points
        Rating of a newcomer.

    References
    ----------
    .. [1] N. Silver, R. Fischer-Baum, "How We Calculate NBA Elo Ratings", FiveThirtyEight, 2015.
    .. [2] N. Silver, "Introducing NFL Elo Ratings", FiveThirtyEight, 2014, and its program nfl-elo-game.
    .. [3] "About the ratings", World Football Elo Ratings, eloratings.net.

    Examples
    --------
    1648.5449 at home beats 1571.1626 by 102-91; published were 1653.6521 and 1566.0554.

    >>> nba = EloMargin(**EloMargin.presets["nba538"])
    >>> state = State.start(nba.columns(), players=2).replace(rating=np.array([1648.5449, 1571.1626]))
    >>> facts = {"points_a": 102.0, "points_b": 91.0, "home": 1.0, "season": 3.0}
    >>> facts = {name: np.array([value]) for name, value in facts.items()}
    >>> game = Games(*(np.array([x]) for x in (0, 1, 1.0, 0, 1)), span=(0, 1), facts=facts)
    >>> nba.rate(state, game).state["rating"].round(4).tolist()
    [1653.6521, 1566.0554]
    """

    name = "elo-margin"
    cadence = Cadence.CONTINUOUS
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS
    k: float = field(default=20.0, validator=not_negative)
    home: float = field(default=0.0, validator=finite)
    scale: float = field(default=400.0, validator=positive)
    margin: Literal["log", "power", "goals", "none"] = field(default="log", validator=one_of(*MARGINS))
    carry: float = field(default=1.0, validator=between(0.0, 1.0))
    carry_to: float = field(default=1500.0, validator=finite)
    importance: bool = field(default=False, validator=instance_of(bool))
    initial: float = field(default=1500.0, validator=finite)

    @property
    def needs(self) -> tuple[Need, ...]:
        points = POINTS if self.margin != "none" else ()
        optional = ((HOME, self.home != 0), (SEASON, self.carry < 1), (IMPORTANCE, self.importance))
        return (*points, *(need for need, wanted in optional if wanted))

    def columns(self) -> tuple[Column, ...]:
        rating = Column("rating", self.initial, unit="points", significant=significant_digits(self.scale))
        return rating, Column("season", nan, digits=None, kept=False)

    def refuses(self, games: Games) -> Mapping[str, Bools]:
        if MARGINS[self.margin].ties:
            return {}
        return {f"a tie, for which margin={self.margin} has no multiplier": games.score == 0.5}

    def rate(self, state: State, games: Games) -> Rated:
        form, k = MARGINS[self.margin], self._k(games)
        self._refuse_ties(form, games)
        rating, season = state.copy("rating"), state.copy("season")
        carried_a, carried_b, expected, multiplier, change = (games.blank() for _ in range(5))
        poles = play(
            rating, season, games.a, games.b, games.score, self._label(games), self._ahead(games), k,
            form.numerator(self._margin(games)), LN10 / self.scale, form.base, form.tilt, 1.0 - self.carry,
            self.carry_to, carried_a, carried_b, expected, multiplier, change,
        )  # fmt: skip
        before = {"season carry-over": (carried_a, carried_b)} if self.carry < 1 else {}
        notes = {"multiplier": multiplier, "k": k} if self.importance else {"multiplier": multiplier}
        state = state.replace(rating=rating, season=season)
        left_out = {POLE: poles} if poles else {}
        return Rated(state, expected, opposed(change), before=before, notes=notes, left_out=left_out)

    def expected(self, state: State, games: Games) -> Forecast:
        label = self._label(games)
        a, b = self._carried(state, games.a, label), self._carried(state, games.b, label)
        return Forecast(expit((a - b + self._ahead(games)) * (LN10 / self.scale)))

    def _carried(self, state: State, player: Ints, label: Floats) -> Floats:
        rating, season = state["rating"][player], state["season"][player]
        new = (season != label) & ~np.isnan(season) & ~np.isnan(label)
        return rating + np.where(new, (1.0 - self.carry) * (self.carry_to - rating), 0.0)

    def _label(self, games: Games) -> Floats:
        return games["season"] if self.carry < 1 else np.full(len(games), nan)

    def _ahead(self, games: Games) -> Floats:
        return self.home * games["home"] if self.home else np.zeros(len(games))

    def _margin(self, games: Games) -> Floats:
        return np.zeros(len(games)) if self.margin == "none" else np.abs(games["points_a"] - games["points_b"])

    def _k(self, games: Games) -> Floats:
        if not self.importance:
            return np.full(len(games), float(self.k))
        given = games["importance"]
        return np.where(np.isnan(given), self.k, given)

    def _refuse_ties(self, form: Margin, games: Games) -> None:
        for g in () if form.ties else np.flatnonzero(games.score == 0.5)[:1]:
            raise BadResult(self.name, _where(games, g), f"margin={self.margin} has no multiplier for a tie")


def _where(games: Games, g: int) -> str:
    return f"position {games.position[g]}"
