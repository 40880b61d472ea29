"""Calculator: the results that a method expects of games between given ratings, without a log."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from attrs import field, frozen

from ratingcore.columns.games import Floats, Games, Need, Span, frozen_array, interleaved
from ratingcore.columns.result_fields import Value, as_number
from ratingcore.errors import BadField, BadResult, BadValue, BrokenContract, CannotSay, MissingField
from ratingcore.events import Instant, When, instant
from ratingcore.events.times import LAST
from ratingcore.events.values import number
from ratingcore.methods.contract import Cadence, Forecast, Method
from ratingcore.methods.state import State
from ratingcore.methods.wrapped import failing
from ratingcore.registry import Registry

MOST = 10_000
"""Largest number of games in a series; the work grows with its square."""


def _share(instance: object, attribute: Any, value: Any) -> None:
    if value is not None and not 0.0 <= value <= 1.0:
        raise BadValue(attribute.name, value, "must be from 0 to 1")


@frozen
class Prospect:
    """Expected result of a game, seen from the first player.

    Parameters
    ----------
    expected : float in [0, 1]
        Expected share of the point.
    draw : float in [0, 1] or None
        Chance of a draw, if the method gives one.

    Examples
    --------
    >>> game = Prospect(0.7, draw=0.2)
    >>> round(game.win, 6), round(game.loss, 6), round(game.worth(3, 1, 0), 6)
    (0.6, 0.2, 2.0)
    >>> Prospect(0.7).win is None
    True
    """

    expected: float = field(validator=_share)
    draw: float | None = field(default=None, validator=_share)

    @property
    def win(self) -> float | None:
        """Chance of a win; None without a chance of a draw."""
        return None if self.draw is None else self.outcomes[0]

    @property
    def loss(self) -> float | None:
        """Chance of a loss; None without a chance of a draw."""
        return None if self.draw is None else self.outcomes[2]

    @property
    def outcomes(self) -> tuple[float, float, float]:
        """Chances of a win, a draw and a loss; if the method gives no chance of a draw, it is taken as 0."""
        draw = self.draw or 0.0
        # share and draw are rounded separately: a zero chance may come out slightly negative
        return max(self.expected - 0.5 * draw, 0.0), draw, max(1.0 - self.expected - 0.5 * draw, 0.0)

    def worth(self, win: float = 3.0, draw: float = 1.0, loss: float = 0.0) -> float:
        """Returns the expected points of a game, given the points for a win, a draw and a loss.

        Parameters
        ----------
        win, draw, loss : float, points
        """
        return sum(chance * points for chance, points in zip(self.outcomes, (win, draw, loss), strict=True))

    def wins(self, games: int) -> "Chances":
        """Returns the chances of every number of wins in a series of independent games like this one.

        Parameters
        ----------
        games : int from 1 to 10000

        Examples
        --------
        The chance of exactly 3, and of at least 3 wins out of 10 with 0.111278 each:

        >>> wins = Prospect(0.111278).wins(10)
        >>> wins.exactly[3].round(6).item(), wins.at_least[3].round(6).item()
        (0.072405, 0.090922)
        """
        win, draw, loss = self.outcomes
        return Chances.of([draw + loss, win], games, 1.0)

    def points(self, games: int) -> "Chances":
        """Returns the chances of every number of points, in steps of 0.5, in a series of independent games like this.

        Parameters
        ----------
        games : int from 1 to 10000
        """
        return Chances.of(list(reversed(self.outcomes)), games, 0.5)


@frozen(eq=False)
class Chances:
    """Chances of every count in a series of independent games.

    Parameters
    ----------
    count : (m,) float64
        Wins or points, ascending from 0.
    exactly : (m,) float64 in [0, 1]
        Chance of each count.
    """

    count: Floats
    exactly: Floats

    @classmethod
    def of(cls, steps: list[float], games: int, unit: float) -> Self:
        """Computes the chances after a series of games, each of which adds 0, 1, ... units with the chances `steps`."""
        if not 1 <= games <= MOST:
            raise BadValue("games", games, f"must be from 1 to {MOST}")
        exactly, square, left = np.ones(1), np.array(steps), games
        while left:  # powers by squaring: the chances of two series convolve to those of both together
            if left & 1:
                exactly = np.convolve(exactly, square)
            left >>= 1
            square = np.convolve(square, square) if left else square
        return cls(frozen_array(np.arange(len(exactly)) * unit), frozen_array(exactly))

    @property
    def at_least(self) -> Floats:
        """(m,) float64 in [0, 1]: chance of each count or more."""
        return np.minimum(np.cumsum(self.exactly[::-1])[::-1], 1.0)

    def place(self, count: float) -> int:
        """Returns the index of a count; raises `BadValue` if the series cannot end with it."""
        places = np.flatnonzero(self.count == count)
        if not len(places):
            unit = float(self.count[1])
            why = f"must be one of 0, {unit:g}, {2 * unit:g}, ... {self.count[-1]:g}"
            raise BadValue("wins" if unit == 1.0 else "points", count, why)
        return int(places[0])


NOTHING: Mapping[str, Value] = MappingProxyType({})
_WHAT = "what to expect of two ratings"
_OTHERS = ("elo", "glicko", "trueskill")


@frozen
class GameFacts:
    """Facts of a game besides the two ratings.

    Parameters
    ----------
    game : mapping of str to str, int or float
        Fields of the result that the method reads, in the form of the log: `{"home": "a"}`.
    a, b : mapping of str to str, int or float
        For each side, columns of the state other than `rating` (`deviation`) and fields of the player (`born`). A
        missing column has its initial value, a missing field its default.
    played : int, microseconds since 1970
        When the game is played, for rules that change over time; by default the latest rules apply.
    """

    game: Mapping[str, Value] = field(default=NOTHING)
    a: Mapping[str, Value] = field(default=NOTHING)
    b: Mapping[str, Value] = field(default=NOTHING)
    played: Instant = LAST


def expect(
    a: float,
    b: float,
    method: str | Method = "elo",
    *,
    fields: Mapping[str, Value] = NOTHING,
    of_a: Mapping[str, Value] = NOTHING,
    of_b: Mapping[str, Value] = NOTHING,
    played: When | None = None,
    registry: Registry | None = None,
) -> Prospect:
    """Returns a method's expectations for a game between a player rated `a` and one rated `b`.

    Parameters
    ----------
    a, b : float, rating points
    method : str or Method
        A method text such as `elo` or `elo:curve=normal,draw_band=20`, or a method. It must rate games of two players,
        one by one or by period.
    fields : mapping of str to str, int or float
        Fields of the game that the method reads: `{"home": "a"}`.
    of_a, of_b : mapping of str to str, int or float
        For each side, columns of the state other than `rating`, and fields of the player: `{"deviation": 80}`. A
        missing column has its initial value.
    played : str, date, datetime, int or None
        Day of the game, for rules that change over time; None for the latest rules.
    registry : Registry or None
        The installed plugins if None.

    Returns
    -------
    Prospect
        Expected score; chances of win, draw and loss if the method gives them; `wins(games)` and `points(games)` for a
        series.

    Raises
    ------
    CannotSay, MethodNotFound, BadParameter, BadField, BadValue

    Examples
    --------
    >>> import ratingcore as rc
    >>> game = rc.expect(1834, 2179, "elo:curve=normal")
    >>> round(game.expected, 6)
    0.111278
    >>> wins = game.wins(10)
    >>> round(float(wins.exactly[3]), 6), round(float(wins.at_least[3]), 6)
    (0.072405, 0.090922)
    >>> white = rc.expect(1834, 2179, "elo:first_move=35", fields={"home": "a"})
    >>> round(white.expected, 6)
    0.143748
    """
    rated = (registry or Registry.installed()).method(method)
    when = GameFacts(fields, of_a, of_b) if played is None else GameFacts(fields, of_a, of_b, instant(played))
    return prospect(rated, number(a, "rating"), number(b, "rating"), when)


def prospect(method: Method, a: float, b: float, facts: GameFacts | None = None) -> Prospect:
    """Returns a method's expectations for a game between a player rated `a` and one rated `b`.

    Raises
    ------
    CannotSay
        If two ratings are not enough: the method rates whole pools or sessions, or needs another field.
    BadValue, BadField
        If a rating is not a finite number, or a column or field is unknown or has an impossible value.

    Examples
    --------
    >>> from ratingcore.registry import Registry
    >>> prospect(Registry.installed().method("elo:curve=normal"), 1834.0, 2179.0)
    Prospect(expected=0.1112..., draw=None)
    """
    forecast = expectations(method, np.array([a]), np.array([b]), facts)
    draw = None if forecast.draw is None else min(max(float(forecast.draw[0]), 0.0), 1.0)
    return Prospect(float(forecast.expected[0]), draw)


def expectations(method: Method, a: Floats, b: Floats, facts: GameFacts | None = None) -> Forecast:
    """Returns a method's expectations for independent games; like `prospect`, but for columns.

    Parameters
    ----------
    method : Method
    a, b : (n,) float64, rating points
    facts : GameFacts or None
        The same for all games.

    Returns
    -------
    Forecast
        `expected` scores of the first side; `draw` if the method gives the chance of a draw.
    """
    given = facts or GameFacts()
    _check_able(method)
    for rating in (a, b):
        for bad in rating[~np.isfinite(rating)][:1].tolist():
            raise BadValue("rating", bad, "must be a finite number")
    games = _games(method, len(a), given)
    try:
        with failing(method):
            forecast = method.expected(_state(method, a, b, given), games)
            shape = forecast.expected.shape
    except BadResult as error:
        raise CannotSay(method.name, _WHAT, error.why) from None
    except MissingField as error:
        raise _absent(method, error.name) from None
    if shape != a.shape:
        raise BrokenContract(method.name, f"expected has shape {shape}, not {a.shape}")
    lost = np.flatnonzero(~np.isfinite(forecast.expected))
    if len(lost):
        raise _lack(method, float(a[lost[0]]), float(b[lost[0]]), given)
    return forecast


def _check_able(method: Method) -> None:
    if method.reads is not Games:
        why = "it reads sides of several players, with scores of their own unit"
        raise CannotSay(method.name, _WHAT, why, others=_OTHERS)
    if method.cadence is Cadence.RETROSPECTIVE:
        raise CannotSay(method.name, _WHAT, "it rates a whole pool at once, from all its results", others=_OTHERS)


def _state(method: Method, a: Floats, b: Floats, given: GameFacts) -> State:
    """Makes a state with two rows per game, with the given columns."""
    needed = {need.name for need in method.needs if need.of == "player"}
    columns = {c.name: c for c in method.columns() if c.per == "player" and not c.shape and c.name != "rating"}
    for name in (*given.a, *given.b):
        if name not in columns and name not in needed:
            raise BadValue("column", name, _unknown(method, (*columns, *sorted(needed))))
    state = State.start(method.columns(), 2 * len(a), len(a))
    filled = {"rating": interleaved(a, b)}
    for name in columns.keys() & (given.a.keys() | given.b.keys()):
        one, other = (_column(method, name, side.get(name, columns[name].start)) for side in (given.a, given.b))
        filled[name] = interleaved(np.full(len(a), one), np.full(len(a), other))
    return state.replace(**{name: frozen_array(column) for name, column in filled.items()})


def _column(method: Method, name: str, value: Value) -> float:
    return _number(method, Need(name), value) if isinstance(value, str) else float(value)


def _games(method: Method, n: int, given: GameFacts) -> Games:
    """Makes games of two rows each, without scores; a missing field without a default is NaN."""
    facts, players = {}, {}
    read = {need.name for need in method.needs if need.of == "result"}
    for name in given.game:
        if name not in read:
            raise BadValue("field", name, _unknown(method, sorted(read)))
    for need in method.needs:
        if need.of == "result":
            facts[need.name] = frozen_array(np.full(n, _number(method, need, given.game.get(need.name))))
        elif need.of == "player":
            one, other = (_number(method, need, side.get(need.name)) for side in (given.a, given.b))
            players[need.name] = frozen_array(interleaved(np.full(n, one), np.full(n, other)))
    row = np.arange(2 * n, dtype=np.int32)
    return Games(
        row[0::2], row[1::2], np.full(n, np.nan), np.full(n, given.played, dtype=np.int64),
        np.arange(1, n + 1, dtype=np.int64), Span(given.played, given.played + 1), facts, players,
        np.arange(n, dtype=np.int64),
    )  # fmt: skip


def _number(method: Method, need: Need, value: Value | None) -> float:
    if value is None:
        return np.nan if need.default is None else need.default
    try:
        return as_number(need, 1, value)
    except ValueError as error:
        raise BadField(method.name, need.name, value, "the game", str(error)) from None


def _lack(method: Method, a: float, b: float, given: GameFacts) -> CannotSay:
    """Builds the error for a game for which the method gives no number."""
    absent = [n.name for n in method.needs if n.default is None and n.of == "result" and n.name not in given.game]
    if absent:
        return _absent(method, absent[0])
    return CannotSay(method.name, _WHAT, f"it has no number for {a:g} against {b:g}")


def _absent(method: Method, name: str) -> CannotSay:
    return CannotSay(method.name, _WHAT, f"it reads the field {name}, which is not given", field=name)


def _unknown(method: Method, names: Sequence[str]) -> str:
    return f"is not read by {method.name}, which reads {', '.join(names) or 'none here'}"
