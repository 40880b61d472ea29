"""The Deutsche Wertungszahl: the normal curve, and changes by event with a development coefficient."""

from math import nan
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from ratingcore.plugin import (
    Bools,
    Cadence,
    Column,
    Floats,
    Forecast,
    Games,
    Ints,
    Method,
    Need,
    Period,
    Rated,
    State,
    leaving_out,
    of_players,
    summed,
)
from ratingcore.plugin.rules import BORN, no_year, years
from ratingcore.validators import finite, instance_of, one_of, optional, positive
from ratingcore_dwz.development import Appendix, development
from ratingcore_dwz.event import expected_scores, played, rated_event

BELOW = "a development coefficient not above 0"


def _established(seeded: Ints) -> Floats:
    """The index of players whose seed gives none: such a rating counts as one from many events."""
    return np.full(len(seeded), 6.0)


@frozen
class Dwz(Method):
    """The rating of the German chess federation, an event at a time, in whole points [1]_.

    Parameters
    ----------
    development : float > 0 or None, games
        Development coefficient E of players whose seed gives none: the larger, the less an event moves. None is the
        federation's rule, by rating, age, index and how the event went.
    appendix : {"1.2", "2.4"}
        The edition of that rule: the present one, or that of 2014.
    rounding : bool
        Whether ratings are rounded half up at the end of an event, as the rule has it.
    initial : float, rating points
        Rating of a newcomer without a seed.
    period : Period
        Span whose results are rated together.

    References
    ----------
    .. [1] Deutscher Schachbund, *Wertungsordnung*, 3.5: the formula of the new rating; appendix 1.2: E.

    Examples
    --------
    Two adults who have been rated often: 1530 beats 1930.

    >>> dwz = Dwz()
    >>> state = State.start(dwz.columns(), players=2)
    >>> state = state.replace(rating=np.array([1530.0, 1930.0]), index=np.array([22.0, 40.0]))
    >>> born = {"born": np.full(2, np.nan)}
    >>> game = Games(*(np.array([x]) for x in (0, 1, 1.0, 0, 1)), span=(0, 1), players=born)
    >>> rated = dwz.rate(state, game)
    >>> rated.state["rating"].tolist(), rated.notes["development_a"].tolist(), rated.notes["development_b"].tolist()
    ([1565.0, 1905.0], [20.0], [29.0])
    """

    name = "dwz"
    formula = 2  # E follows from rating, age and index; before, it was one number
    cadence = Cadence.PERIODIC
    facts_read: ClassVar[tuple[str, ...]] = (BORN.name,)
    development: float | None = field(default=None, validator=optional(positive))
    appendix: Appendix = field(default="1.2", validator=one_of("1.2", "2.4"))
    rounding: bool = field(default=True, validator=instance_of(bool))
    initial: float = field(default=1000.0, validator=finite)
    period: Period = field(factory=lambda: Period("event"), validator=instance_of(Period))

    @property
    def needs(self) -> tuple[Need, ...]:
        return (BORN,) if self.development is None else ()

    def columns(self) -> tuple[Column, ...]:
        given = nan if self.development is None else self.development
        return (
            Column("rating", self.initial, unit="points", digits=0 if self.rounding else 4),
            Column("development", given, unit="games", digits=None),
            Column("index", 0.0, unit="events", digits=0, seeded=_established, seeded_by="rating"),
        )

    def rate(self, state: State, games: Games) -> Rated:
        odd: dict[str, Bools] = {BELOW: of_players(games, state["development"] <= 0.0)}
        if self.development is None:
            odd["a year of birth that is not a year"] = of_players(games, no_year(games["born"]))
        return leaving_out(odd, self._rated, state, games)

    def _rated(self, state: State, games: Games) -> Rated:
        share = self.expected(state, games).expected
        known = state["development"]
        if self.development is None:
            known = np.where(np.isnan(known), self._development(state, games, share), known)
        rated = rated_event(state, games, share, known, rounding=self.rounding)
        index = state["index"] + (played(games, len(known)) > 0)
        notes = {**rated.notes, "development_a": known[games.a], "development_b": known[games.b]}
        return evolve(rated, state=rated.state.replace(index=index), notes=notes)

    def _development(self, state: State, games: Games, share: Floats) -> Floats:
        """E of each player by the rule."""
        players = len(state["rating"])
        age = float(years(np.array([games.span[1] - 1]))[0]) - games["born"][:players]
        surplus = np.round(summed(games, games.score - share, share - games.score, players), 10)
        return development(state["rating"], age, state["index"], surplus, self.appendix)

    def expected(self, state: State, games: Games) -> Forecast:
        return expected_scores(state, games)


@frozen
class EarlierDwz(Method):
    """Formula 1: E is what a seed gives, or else one number.

    Parameters
    ----------
    development : float > 0, games
        Development coefficient E of players whose seed gives none.
    rounding : bool
        Whether ratings are rounded half up at the end of an event.
    initial : float, rating points
        Rating of a newcomer without a seed.
    period : Period
        Span whose results are rated together.
    """

    name = "dwz"
    superseded = True
    cadence = Cadence.PERIODIC
    development: float = field(default=15.0, validator=positive)
    rounding: bool = field(default=True, validator=instance_of(bool))
    initial: float = field(default=1000.0, validator=finite)
    period: Period = field(factory=lambda: Period("event"), validator=instance_of(Period))

    def columns(self) -> tuple[Column, ...]:
        return (
            Column("rating", self.initial, unit="points", digits=0 if self.rounding else 4),
            Column("development", self.development, unit="games", digits=None),
        )

    def rate(self, state: State, games: Games) -> Rated:
        return leaving_out({BELOW: of_players(games, ~(state["development"] > 0.0))}, self._rated, state, games)

    def _rated(self, state: State, games: Games) -> Rated:
        share = self.expected(state, games).expected
        return rated_event(state, games, share, state["development"], rounding=self.rounding)

    def expected(self, state: State, games: Games) -> Forecast:
        return expected_scores(state, games)
