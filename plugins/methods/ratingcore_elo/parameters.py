"""The parameters of elo: which of them exclude each other, and what follows from them."""

from collections.abc import Mapping
from math import inf, nan
from typing import Any, ClassVar, Literal

import numpy as np
from attrs import Attribute, field, frozen

from ratingcore.plugin import (
    QUIET,
    BadParameter,
    Cadence,
    Column,
    Floats,
    Games,
    Method,
    Need,
    Period,
    significant_digits,
)
from ratingcore.plugin.curves import Curve
from ratingcore.plugin.rules import ALWAYS, BORN, HOME, KRegime, KRule, as_k
from ratingcore.validators import finite, instance_of, not_negative, one_of, optional, positive
from ratingcore_elo.extra import Extra
from ratingcore_elo.federation.cap import RULES, CapRegime, Dated
from ratingcore_elo.federation.list_rules import ListFloor, as_floor
from ratingcore_elo.federation.players import UnratedPolicy, as_unrated
from ratingcore_elo.spreads import SIGMA, OwnSpreads

EVENT = Need("event", labels=True)
EVENT_IF_NAMED = Need("event", labels=True, default=nan)

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "fide": {
        "k": KRule("by-date"), "curve": "table", "rule": "by-date", "rounding": True, "list_floor": ListFloor(),
        "unrated": UnratedPolicy.SKIP, "period": Period.parse("month"),
    },
}  # fmt: skip


def _k(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    if not isinstance(value, KRule):
        not_negative(instance, attribute, value)


@frozen
class Parameters(Method):
    """Parameters that `Elo` documents; their order is part of the identity of every list made with it."""

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS
    facts_read: ClassVar[tuple[str, ...]] = (BORN.name, SIGMA.name)
    k: float | KRule = field(default=20.0, converter=as_k, validator=_k)
    curve: Literal["logistic", "normal", "table", "davidson"] = field(
        default="logistic", validator=one_of("logistic", "normal", "table", "davidson")
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
    unrated: UnratedPolicy = field(
        default=UnratedPolicy.INITIAL, converter=as_unrated, validator=instance_of(UnratedPolicy)
    )
    rounding: bool = field(default=False, validator=instance_of(bool))
    list_floor: ListFloor | None = field(default=None, converter=as_floor, validator=optional(instance_of(ListFloor)))
    period: Period | None = field(default=None, validator=optional(instance_of(Period)))
    extra: float = field(default=0.0, validator=not_negative, metadata=QUIET)
    extra_gap: float = field(default=0.0, validator=not_negative, metadata=QUIET)
    mean: float | None = field(default=None, validator=optional(finite), metadata=QUIET)
    spread: Literal["common", "own"] = field(default="common", validator=one_of("common", "own"), metadata=QUIET)
    nu: float = field(default=0.8, validator=not_negative, metadata=QUIET)

    def __attrs_post_init__(self) -> None:
        for parameter, used in (("draw_band", self.draw_band > 0), ("spread", self.spread == "own")):
            if used and self.curve != "normal":
                self._refuse(parameter, f"needs curve=normal, not {self.curve}")
        if self.curve == "table" and self.scale != 400:
            self._refuse("scale", "must be 400 where curve=table")
        if self.cap is not None and self.rule != "none":
            self._refuse("cap", f"cannot be combined with rule={self.rule}, which sets the cap")
        if self.list_floor is not None and self.unrated is UnratedPolicy.INITIAL:
            self._refuse("list_floor", "needs unrated=skip, two_pass or error, not initial")
        if self.extra > self.least_k:
            self._refuse("extra", f"must be at most {self.least_k:g}, the least K, or favourites gain by losing")
        if self.mean is not None and self.floor is not None:
            self._refuse("mean", f"cannot be combined with floor={self.floor:g}")
        if self.period is None:
            self._refuse_without_period()
        elif self.rule == "by-date" and self.period.unit == "event":
            self._refuse("rule", "needs periods of the calendar, not period=event")

    def _refuse_without_period(self) -> None:
        if self.rule in {"2022", "by-date"}:
            self._refuse("rule", "needs a period, whose games it looks at together")
        if self.unrated is UnratedPolicy.TWO_PASS:
            self._refuse("unrated", "needs a period")
        if self.rounding:
            self._refuse("rounding", "needs a period")
        if self.list_floor is not None:
            self._refuse("list_floor", "needs a period")
        if self.mean is not None:
            self._refuse("mean", "needs a period")

    def _refuse(self, parameter: str, why: str) -> None:
        raise BadParameter(self.name, parameter, f"{why}: {getattr(self, parameter)}")

    # what the core asks of a method

    @property
    def cadence(self) -> Cadence:
        return Cadence.CONTINUOUS if self.period is None else Cadence.PERIODIC

    @property
    def excuses(self) -> Mapping[str, str]:
        if self.list_floor is None:
            return {}
        return {"finite": "players below the list floor are unrated by the rules: NaN until a new first rating"}

    @property
    def needs(self) -> tuple[Need, ...]:
        named = self.rule == "2022" and self.period is not None and self.period.unit != "event"
        needs = (
            (HOME, self.first_move != 0),
            (BORN, self.by_age),
            (SIGMA, self.spread == "own"),
            (EVENT, named),
            (EVENT_IF_NAMED, self.rule in {"2022", "by-date"} and not named),
        )
        return tuple(need for need, wanted in needs if wanted)

    def columns(self) -> tuple[Column, ...]:
        start = self.initial if self.unrated is UnratedPolicy.INITIAL else nan
        rating = Column("rating", start, unit="points", significant=significant_digits(self.scale))
        if not isinstance(self.k, KRule):
            return (rating,)
        return rating, Column("counted", 0.0, unit="games", digits=0), Column("reached", 0.0, digits=None)

    # what follows from the parameters

    @property
    def by_rules(self) -> bool:
        """Whether the parameters go beyond one K for all, everybody rated, and one cap."""
        listing = self.rounding or self.list_floor is not None or self.unrated is not UnratedPolicy.INITIAL
        return listing or isinstance(self.k, KRule) or self.rule in {"2022", "2025", "by-date"}

    @property
    def is_plain(self) -> bool:
        """Whether gaps are plain differences of ratings, without bounds, on the logistic curve."""
        plain = self.curve == "logistic" and self.most == inf and self.floor is None and not self.extra
        return plain and not self.first_move

    @property
    def is_sweepable(self) -> bool:
        """Whether one pass can rate this setting together with others: it is plain apart from the first move."""
        game_by_game = self.period is None and not self.by_rules
        return game_by_game and self.curve == "logistic" and self.most == inf and self.floor is None and not self.extra

    @property
    def number(self) -> float:
        """K where it is one number for all."""
        assert not isinstance(self.k, KRule), "a rule for K has a loop of its own"
        return self.k

    @property
    def least_k(self) -> float:
        """The least K that a rule gives to anybody, or the one number for all."""
        regimes = self.k.regimes if isinstance(self.k, KRule) else (KRegime.constant(self.k),)
        return min(min(regime.newcomer, regime.standard, regime.top) for regime in regimes)

    @property
    def by_age(self) -> bool:
        """Whether K depends on the year of birth."""
        return isinstance(self.k, KRule) and self.k.by_age

    @property
    def caps(self) -> Dated:
        """Regimes that cap differences, each with the instant from which it is in force."""
        if self.rule == "none":
            return ((ALWAYS, CapRegime(inf if self.cap is None else self.cap)),)
        return RULES[self.rule]

    @property
    def most(self) -> float:
        """Cap on the gap in the first regime; inf for none."""
        return self.caps[0][1].cap

    @property
    def least(self) -> float:
        """The floor as a number; -inf for none."""
        return -inf if self.floor is None else self.floor

    @property
    def shape(self) -> Curve:
        """The curve from gap to expected score if players' own spreads do not count."""
        return Curve(self.curve, self.scale, self.draw_band, self.nu)

    def curves(self, games: Games) -> Curve | OwnSpreads:
        """The curve from gap to expected score, one for all games or one for each."""
        return OwnSpreads.of(games, self.scale, self.draw_band) if self.spread == "own" else self.shape

    def slopes(self, games: Games) -> Floats:
        """Factor of each game from points to the argument of the curve."""
        return np.broadcast_to(self.curves(games).slope, len(games)).copy()

    @property
    def rewards(self) -> Extra:
        """Extra points for both players after a win by the lower rated one."""
        return Extra(self.extra, self.extra_gap)

    def ahead(self, games: Games) -> Floats:
        """Points of each game for the first move of `a`."""
        return self.first_move * games["home"] if self.first_move else np.zeros(len(games))

    def draw(self, gap: Floats, games: Games) -> Floats | None:
        """Chance of a draw of each game at its gap, if there is a draw band or the curve is Davidson's."""
        return self.curves(games).draw(gap) if self.draw_band or self.curve == "davidson" else None
