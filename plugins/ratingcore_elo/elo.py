"""Elo's rating: K times the surprise changes hands, after every game or at the end of every period."""

from collections.abc import Mapping, Sequence
from math import inf, nan
from typing import Any, ClassVar, Literal, Self

import numpy as np
from attrs import Attribute, evolve, field, frozen

from ratingcore.plugin import (
    ALWAYS,
    LN10,
    BadParameter,
    Cadence,
    Column,
    Curve,
    Floats,
    Forecast,
    Games,
    Ints,
    KRule,
    Method,
    Need,
    Period,
    Rated,
    State,
    as_k,
    opposed,
    summed,
)
from ratingcore.validators import finite, instance_of, not_negative, one_of, optional, positive
from ratingcore_elo.capping import RULES, CapRegime, Dated
from ratingcore_elo.continuous import play, play_bounded
from ratingcore_elo.lists import ListFloor, as_floor
from ratingcore_elo.periodic import lifted
from ratingcore_elo.players import Unrated, as_unrated
from ratingcore_elo.rules import Rules
from ratingcore_elo.sweep import Settings, losses

HOME = Need("home", words={"a": 1.0, "b": -1.0, "n": 0.0}, default=0.0)
BORN = Need("born", of="player", default=nan)
EVENT = Need("event", labels=True)
EVENT_BY_DATE = Need("event", labels=True, default=nan)

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "fide": {
        "k": KRule("by-date"), "curve": "table", "rule": "by-date", "rounding": True, "list_floor": ListFloor(),
        "unrated": Unrated.SKIP, "period": Period.parse("month"),
    },
}  # fmt: skip


def _k(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    if not isinstance(value, KRule):
        not_negative(instance, attribute, value)


@frozen
class Elo(Method):
    """Elo's rating with the curve, the K, the caps and the floors of your federation [1]_ [2]_.

    Preset: `fide`, a chess archive as FIDE rated it, month by month.

    Parameters
    ----------
    k : float >= 0, rating points, or KRule
        What a whole point of surprise is worth: a number, or a rule by experience, level and age,
        `fide2014`, `fide2009`, `fide_pre2009`, `czech` or `by-date`.
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
    rule : {"none", "pre2009", "2014", "2022", "2024", "2025", "by-date"}
        FIDE's rule on great differences in the regime of a year, in place of `cap`.
    floor : float or None, rating points
        No update leaves a player below it.
    initial : float, rating points
        Rating of a newcomer.
    unrated : Unrated
        `initial`: newcomers have the initial rating. Else they have none until a seed or an entry
        gives one, and games against them count for nobody (`skip`), count after a first pass that
        rates them (`two_pass`), or are refused (`error`).
    rounding : bool
        Whether the change of a period is rounded to whole points, a half away from zero.
    list_floor : ListFloor or None, rating points
        Who ends a period below it is unrated; `by-date` is FIDE's.
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
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS
    k: float | KRule = field(default=20.0, converter=as_k, validator=_k)
    curve: Literal["logistic", "normal", "table"] = field(
        default="logistic", validator=one_of("logistic", "normal", "table")
    )
    scale: float = field(default=400.0, validator=positive)
    draw_band: float = field(default=0.0, validator=not_negative)
    first_move: float = field(default=0.0, validator=finite)
    cap: float | None = field(default=None, validator=optional(positive))
    rule: Literal["none", "pre2009", "2014", "2022", "2024", "2025", "by-date"] = field(
        default="none", validator=one_of(*RULES)
    )
    floor: float | None = field(default=None, validator=optional(finite))
    initial: float = field(default=1500.0, validator=finite)
    unrated: Unrated = field(default=Unrated.INITIAL, converter=as_unrated, validator=instance_of(Unrated))
    rounding: bool = field(default=False, validator=instance_of(bool))
    list_floor: ListFloor | None = field(default=None, converter=as_floor, validator=optional(instance_of(ListFloor)))
    period: Period | None = field(default=None, validator=optional(instance_of(Period)))

    def __attrs_post_init__(self) -> None:
        if self.draw_band > 0 and self.curve != "normal":
            self._refuse("draw_band", f"needs curve=normal, not {self.curve}")
        if self.curve == "table" and self.scale != 400:
            self._refuse("scale", "must be 400 where curve=table")
        if self.cap is not None and self.rule != "none":
            self._refuse("cap", f"is part of rule={self.rule}")
        if self.list_floor is not None and self.unrated is Unrated.INITIAL:
            self._refuse("list_floor", "needs unrated=skip, two_pass or error, not initial")
        if self.period is None:
            self._refuse_without_period()
        elif self.rule == "by-date" and self.period.unit == "event":
            self._refuse("rule", "needs periods of the calendar, not period=event")

    def _refuse_without_period(self) -> None:
        if self.rule in {"2022", "by-date"}:
            self._refuse("rule", "looks at all games of a period and needs one")
        if self.unrated is Unrated.TWO_PASS:
            self._refuse("unrated", "needs a period")
        if self.rounding:
            self._refuse("rounding", "needs a period")
        if self.list_floor is not None:
            self._refuse("list_floor", "needs a period")

    def _refuse(self, parameter: str, why: str) -> None:
        raise BadParameter(self.name, parameter, f"{why}: {getattr(self, parameter)}")

    @property
    def cadence(self) -> Cadence:
        return Cadence.CONTINUOUS if self.period is None else Cadence.PERIODIC

    @property
    def excuses(self) -> Mapping[str, str]:
        if self.list_floor is None or self.rule == "by-date":  # which refuses great differences of no event
            return {}
        return {"finite": "who falls below the list floor is unrated, by the rules: NaN, until a new first rating"}

    @property
    def needs(self) -> tuple[Need, ...]:
        asked = (
            (HOME, self.first_move != 0),
            (BORN, isinstance(self.k, KRule) and self.k.by_age),
            (EVENT, self.rule == "2022"),
            (EVENT_BY_DATE, self.rule == "by-date"),
        )
        return tuple(need for need, wanted in asked if wanted)

    def columns(self) -> tuple[Column, ...]:
        rating = Column("rating", self.initial if self.unrated is Unrated.INITIAL else nan, unit="points")
        if not isinstance(self.k, KRule):
            return (rating,)
        return rating, Column("counted", 0.0, unit="games", digits=0), Column("reached", 0.0, digits=None)

    def rate(self, state: State, games: Games) -> Rated:
        if self._federal:
            return self._rate_by_rules(state, games)
        if self.period is not None:
            return self._rate_period(state, games)
        plain = not self.first_move and self._cap == inf and self.floor is None
        if plain and self.curve == "logistic":
            return self._rate_plain(state, games)
        return self._rate_bounded(state, games)

    def expected(self, state: State, games: Games) -> Forecast:
        gap = self._gap(state["rating"], games)
        return Forecast(self._shape.share(gap), self._draw(gap))

    @classmethod
    def sweep(
        cls, settings: Sequence[Self], games: Games, given: Floats, cuts: Ints, *, single: bool = False
    ) -> Floats | None:
        able = np.array([setting._sweepable for setting in settings], dtype=bool)
        if not able.any():
            return None
        some = [setting for setting in settings if setting._sweepable]
        columns = (np.array([getattr(one, name) for one in some], dtype=np.float64) for name in Settings._fields)
        ahead = games["home"] if any(one.first_move for one in some) else np.zeros(len(games))
        told = np.full((len(settings), len(cuts) - 1), nan)
        told[able] = losses(Settings(*columns), games, ahead, given, cuts, single)
        return told

    def _rate_plain(self, state: State, games: Games) -> Rated:
        rating, expected, change = state.copy("rating"), games.blank(), games.blank()
        play(rating, games.a, games.b, games.score, self._number, LN10 / self.scale, expected, change)
        return Rated(state.replace(rating=rating), expected, opposed(change))

    def _rate_bounded(self, state: State, games: Games) -> Rated:
        rating, gap, expected, change_a, change_b = state.copy("rating"), *(games.blank() for _ in range(4))
        floor = -inf if self.floor is None else self.floor
        play_bounded(
            rating, games.a, games.b, games.score, self._ahead(games),
            self._number, *self._shape.packed(), self._cap, floor, gap, expected, change_a, change_b,
        )  # fmt: skip
        return Rated(state.replace(rating=rating), expected, (change_a, change_b), self._draw(gap))

    def _rate_period(self, state: State, games: Games) -> Rated:
        rating, forecast = state["rating"], self.expected(state, games)
        change = opposed(self._number * (games.score - forecast.expected))
        moved = rating + summed(games, *change, len(rating))
        after = {} if self.floor is None else {"floor": lifted(games, moved, self.floor)}
        final = moved if self.floor is None else np.where(after["floor"] > 0, self.floor, moved)
        return Rated(state.replace(rating=final), forecast.expected, change, forecast.draw, after=after)

    def _rate_by_rules(self, state: State, games: Games) -> Rated:
        rate = self._rules.rate_games if self.period is None else self._rules.rate_list
        rated, gap = rate(state, games, self._ahead(games))
        return evolve(rated, draw=self._draw(gap))

    # what the parameters come to

    @property
    def _federal(self) -> bool:
        """Whether more is asked for than one K for all, everybody rated, and one cap."""
        settled = self.rounding or self.list_floor is not None or self.unrated is not Unrated.INITIAL
        return settled or isinstance(self.k, KRule) or self.rule in {"2022", "2025", "by-date"}

    @property
    def _sweepable(self) -> bool:
        """Whether it is the logistic curve game by game with nothing bounded, as a pass of many settings is."""
        game_by_game = self.period is None and not self._federal
        return game_by_game and self.curve == "logistic" and self._cap == inf and self.floor is None

    @property
    def _rules(self) -> Rules:
        floor = -inf if self.floor is None else self.floor
        return Rules(
            self.name, self.k, self._shape, self._caps, floor, self.initial, self.unrated, self.rounding,
            self.list_floor, self.rule == "by-date",
        )  # fmt: skip

    @property
    def _number(self) -> float:
        assert not isinstance(self.k, KRule), "a rule for K has a loop of its own"
        return self.k

    @property
    def _caps(self) -> Dated:
        if self.rule == "none":
            return ((ALWAYS, CapRegime(inf if self.cap is None else self.cap)),)
        return RULES[self.rule]

    @property
    def _cap(self) -> float:
        return self._caps[0][1].cap

    @property
    def _shape(self) -> Curve:
        return Curve(self.curve, self.scale, self.draw_band)

    def _ahead(self, games: Games) -> Floats:
        return self.first_move * games["home"] if self.first_move else np.zeros(len(games))

    def _gap(self, rating: Floats, games: Games) -> Floats:
        if self._federal:
            return self._rules.gap(rating, games, self._ahead(games))
        gap = rating[games.a] - rating[games.b]
        if self.first_move:
            gap += self._ahead(games)
        return gap if self._cap == inf else np.clip(gap, -self._cap, self._cap)

    def _draw(self, gap: Floats) -> Floats | None:
        return self._shape.draw(gap) if self.draw_band else None
