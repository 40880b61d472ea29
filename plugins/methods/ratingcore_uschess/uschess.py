"""US Chess: the short form of the leaflet, and the algorithm in five steps."""

from math import inf, nan
from typing import Literal, NamedTuple

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import (
    DAY,
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
)
from ratingcore.plugin.curves import LN10, expit
from ratingcore.plugin.rules import BORN
from ratingcore.validators import finite, instance_of, not_negative, one_of
from ratingcore_uschess.formulas import FLOOR, PROVISIONAL, effective, floor_of, initial, short, special, standard

DUAL = Need("dual", words={"yes": 1.0, "no": 0.0}, default=0.0)


class _Event(NamedTuple):
    """Games and scores of one player in an event."""

    player: int
    opponents: Ints
    scores: Floats
    games: Ints
    first: Floats
    repeated: bool
    dual: bool


@frozen
class UsChess(Method):
    """The rating of the US Chess Federation, an event at a time [1]_.

    Parameters
    ----------
    form : {"short", "full"}
        The short form, each player by the ratings before the event; or the published algorithm, which estimates
        newcomers first and counts opponents as the event leaves them.
    bonus : float >= 0, rating points
        Threshold of the bonus: the part of a gain beyond it times the root of the number of games is doubled.
    initial : float, rating points
        First rating of a newcomer whose year of birth is not known.
    floors : bool
        Whether ratings have floors: of `short` 100 for everybody, of `full` that of each player.
    period : Period
        Span whose results are rated together.

    References
    ----------
    .. [1] M. E. Glickman, T. Doan, "The US Chess Rating system", 2015 to 2020; "Approximating formulas for the US Chess
       rating system", a leaflet.

    Examples
    --------
    >>> method = UsChess()
    >>> state = State.start(method.columns(), players=4)
    >>> known = {"rating": np.array([1500.0, 1400.0, 1550.0, 1650.0]), "played": np.array([6.0, 50.0, 50.0, 50.0])}
    >>> state = state.replace(**known)
    >>> at, score = np.arange(1, 4), np.array([1.0, 0.0, 0.5])
    >>> facts, players = {"dual": at * 0.0}, {"born": np.full(4, np.nan)}
    >>> event = Games(at * 0, at, score, at, at, span=(0, 4), facts=facts, players=players)
    >>> method.rate(state, event).state["rating"].round(3).tolist()[0]
    1511.111
    """

    name = "uschess"
    formula = 2  # the short form has a floor too
    cadence = Cadence.PERIODIC
    facts_read = (BORN.name,)
    form: Literal["short", "full"] = field(default="short", validator=one_of("short", "full"))
    bonus: float = field(default=14.0, validator=not_negative)
    initial: float = field(default=750.0, validator=finite)
    floors: bool = field(default=True, validator=instance_of(bool))
    period: Period = field(factory=lambda: Period("event"), validator=instance_of(Period))

    @property
    def needs(self) -> tuple[Need, ...]:
        return BORN, DUAL

    def columns(self) -> tuple[Column, ...]:
        hidden = ("wins", "draws", "events", "peak")
        return (
            Column("rating", self.initial, unit="points"),
            Column("played", 0.0, unit="games", digits=0),
            Column("record", nan, digits=None, kept=False),
            *(Column(name, 0.0, digits=None, kept=False) for name in hidden),
        )

    def rate(self, state: State, games: Games) -> Rated:
        odd = {"a number of games below 0": of_players(games, ~(state["played"] >= 0.0))}
        return leaving_out(odd, self._all_rated, state, games)

    def _all_rated(self, state: State, games: Games) -> Rated:
        names = ("rating", "played", "record", "wins", "draws", "events", "peak")
        columns = {name: state.copy(name) for name in names}
        before, start = state["rating"], self._started(state, games)
        events = self._events(games, len(before))
        now, bonus, part = before.copy(), np.zeros(len(before)), np.zeros((2, len(games)))
        strength = start if self.form == "short" else self._estimated(state, start, events)
        for event in events:
            i = event.player
            now[i], bonus[i], shares = self._rated(state, start, strength, event)
            part[(event.first < 0.5).astype(np.int64), event.games] = shares
        for event in events:
            self._remember(columns, event, now)
        columns["rating"] = now
        moved = before + np.bincount(games.a, part[0], len(before)) + np.bincount(games.b, part[1], len(before))
        after = {"bonus": bonus, "first rating, floor, special rating": now - moved - bonus}
        expected = self.expected(state, games).expected
        return Rated(state.replace(**columns), expected, (part[0], part[1]), after=after)

    def expected(self, state: State, games: Games) -> Forecast:
        start = self._started(state, games)
        return Forecast(expit((start[games.a] - start[games.b]) * (LN10 / 400.0)))

    def _started(self, state: State, games: Games) -> Floats:
        """Ratings before the event; with the full form, first ratings of newcomers by age."""
        rating = state["rating"]
        if self.form == "short":
            return rating
        year = 1970.0 + games.span[0] / DAY / 365.2425
        ages = year - games["born"][: len(rating)]
        first = np.array([initial(age, self.initial) for age in ages.tolist()])
        return np.where((state["played"] == 0.0) & (rating == self.initial), first, rating)

    def _events(self, games: Games, players: int) -> list[_Event]:
        who = np.concatenate([games.a, games.b])
        order = np.argsort(who, kind="stable")
        cuts = np.flatnonzero(np.diff(who[order])) + 1
        opponent = np.concatenate([games.b, games.a])
        score = np.concatenate([games.score, 1.0 - games.score])
        made = []
        for at in np.split(order, cuts) if len(order) else ():
            met, game = opponent[at], at % len(games)
            most = int(np.bincount(met).max())
            first = (at < len(games)).astype(np.float64)
            dual = bool((games["dual"][game] > 0.0).any())
            made.append(_Event(int(who[at[0]]), met, score[at], game, first, most > 2, dual))
        return made

    def _estimated(self, state: State, start: Floats, events: list[_Event]) -> Floats:
        """Estimated strengths after the event, from which the ratings of opponents are computed.

        Newcomers come first, with their first rating as one drawn game; then everybody, against these estimates.
        """
        strength = start.copy()
        for event in events:
            if state["played"][event.player] == 0.0:
                first = float(start[event.player])
                strength[event.player] = special(first, 1.0, start[event.opponents], event.scores)
        middle = strength.copy()
        for event in events:
            middle[event.player] = self._rated(state, start, strength, event)[0]
        return middle

    def _rated(self, state: State, start: Floats, strength: Floats, event: _Event) -> tuple[float, float, Floats]:
        """New rating, bonus and the part of each game."""
        i = event.player
        rating, played, record = float(start[i]), float(state["played"][i]), float(np.nan_to_num(state["record"][i]))
        others = strength[event.opponents]
        if self.form == "short":
            floor = FLOOR if self.floors and not self.superseded else -inf
            step = short(rating, played, others, event.scores, self.bonus, event.repeated, floor)
            return step.rating, step.bonus, step.parts
        if played <= PROVISIONAL or abs(record) == 1.0:
            new = special(rating, effective(rating, played), others, event.scores, record)
            bonus, parts = 0.0, np.zeros(len(others))
        else:
            step = standard(rating, played, others, event.scores, self.bonus, event.repeated, event.dual)
            new, bonus, parts = step.rating, step.bonus, step.parts
        if self.floors:
            wins, draws, events, peak = (float(state[name][i]) for name in ("wins", "draws", "events", "peak"))
            wins, draws = wins + float((event.scores == 1.0).sum()), draws + float((event.scores == 0.5).sum())
            new = max(new, floor_of(wins, draws, events + float(len(others) >= 3), peak))
        return new, bonus, parts

    def _remember(self, columns: dict[str, Floats], event: _Event, now: Floats) -> None:
        i, scores = event.player, event.scores
        record, played = columns["record"][i], columns["played"][i]
        for value, whole in ((1.0, bool((scores == 1.0).all())), (-1.0, bool((scores == 0.0).all()))):
            if whole and (played == 0.0 or record == value):
                columns["record"][i] = value
                break
        else:
            columns["record"][i] = 0.0
        columns["played"][i] += len(scores)
        columns["wins"][i] += float((scores == 1.0).sum())
        columns["draws"][i] += float((scores == 0.5).sum())
        columns["events"][i] += float(len(scores) >= 3)
        if columns["played"][i] > 25.0:
            columns["peak"][i] = max(columns["peak"][i], now[i])


@frozen
class EarlierUsChess(UsChess):
    """Formula 1: the short form had no floor, so that a newcomer who lost could have less than 0.

    The parameters are those of the present formula.
    """

    formula = 1
    superseded = True
