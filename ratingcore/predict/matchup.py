"""Future meetings: the players of each side, the possible results, and the form in which methods read them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import permutations
from sys import float_info
from uuid import UUID

import numpy as np
from attrs import evolve, field, frozen

from ratingcore.columns import Games, Sides, View
from ratingcore.columns.games import Floats, Ints, Need, frozen_array
from ratingcore.errors import BadValue, PlayedThemselves
from ratingcore.events import Event, Fact, GamePlayed, Instant, SessionPlayed, Side
from ratingcore.events.values import Key, player_key
from ratingcore.methods.contract import Method
from ratingcore.methods.first_ratings import Entering
from ratingcore.methods.rule_histories import last_step
from ratingcore.methods.state import State
from ratingcore.replay.replay import members_of
from ratingcore.replay.run import pairs_in, with_pairs

EVERY_ORDER = 4
"""Largest number of sides for which every order of finish is predicted; with more, one result per winner."""

LAST = 2**31 - 1
"""Order of a future game among games of the same time: the last one, so that the players' rows in the state stay the
same."""

Meeting = Sequence[Key | Sequence[Key]]
"""Two or more sides; each is one player, or a sequence of players."""


@frozen
class Result:
    """One way in which a game may end.

    Parameters
    ----------
    label : str
        `win`, `draw` or `loss` of the first of two sides; with more sides the place of each, `2-1-3`; or the scores.
    scores : tuple of float
        One score per side.
    """

    label: str
    scores: tuple[float, ...]

    @property
    def words(self) -> str:
        """The result as a noun phrase for sentences."""
        return f"a {self.label}" if self.label in ("win", "draw", "loss") else f"the result {self.label}"


@frozen
class Matchup:
    """Sides that meet, and the results to consider.

    Parameters
    ----------
    sides : tuple of tuple of str
        Two or more sides of one or more players.
    facts : mapping of str to str, int or float
        Further facts of the game, as in the data of a recorded result: `{"home": "a"}`.
    results : tuple of tuple of float
        Scores of the results to consider, one per side; if empty, wins, draws and losses, or orders of finish.
    session : bool
        True if two players meet in a session, whose scores are not shares of a point.
    """

    sides: tuple[tuple[str, ...], ...]
    facts: Mapping[str, Fact] = field(factory=dict)
    results: tuple[tuple[float, ...], ...] = ()
    session: bool = False

    @property
    def players(self) -> tuple[str, ...]:
        """All players, side by side."""
        return tuple(player for side in self.sides for player in side)

    @property
    def is_game(self) -> bool:
        """True if two players meet for shares of one point; any other meeting is a session."""
        alone = all(len(side) == 1 for side in self.sides) and len(self.sides) == 2 and not self.session
        return alone and all(sum(scores) == 1.0 and min(scores) >= 0.0 for scores in self.results)

    def outcomes(self, order: Sequence[int] = ()) -> tuple[Result, ...]:
        """Returns the results to consider.

        Parameters
        ----------
        order : sequence of int
            Sides in their expected order of finish; if empty, the order in which they are given.
        """
        n = len(self.sides)
        if self.results:
            return tuple(Result(hyphened(scores), scores) for scores in self.results)
        if n == 2:
            both = [Result("win", (1.0, 0.0)), Result("draw", (0.5, 0.5)), Result("loss", (0.0, 1.0))]
            points = [self.facts.get(name) for name in ("points_a", "points_b")]
            if self.is_game and all(isinstance(one, int | float) for one in points):  # the points decide the result
                a, b = (float(one) for one in points if isinstance(one, int | float))
                both = [both[1 - (a > b) + (a < b)]]
            return tuple(both)
        likely = list(order) or list(range(n))
        orders: Iterable[Sequence[int]] = permutations(range(n))
        if n > EVERY_ORDER:
            orders = ([first, *(side for side in likely if side != first)] for first in range(n))
        return tuple(_ordered(finish) for finish in orders)

    def event(self, pool: str, played: Instant, scores: Sequence[float] | None = None) -> Event:
        """Returns the event that would record the meeting, after all others of its time; by default with any scores."""
        facts = dict(self.facts)
        if self.is_game:
            share = 0.5 if scores is None else scores[0]
            (a,), (b,) = self.sides
            return GamePlayed(pool=pool, played=played, a=a, b=b, score=share, order=LAST, data=facts)
        given = [0.0] * len(self.sides) if scores is None else scores
        sides = [Side(side, score) for side, score in zip(self.sides, given, strict=True)]
        return SessionPlayed(pool=pool, played=played, sides=sides, order=LAST, data=facts)


def hyphened(numbers: Iterable[float]) -> str:
    """Joins numbers with hyphens, as in 60-40."""
    return "-".join(f"{number:g}" for number in numbers)


def _ordered(finish: Sequence[int]) -> Result:
    """Makes a result, with places and scores, from the sides in order of finish."""
    place = {side: number for number, side in enumerate(finish)}
    places = [place[side] for side in range(len(finish))]
    label = hyphened([number + 1 for number in places])
    return Result(label, tuple(float(len(finish) - 1 - number) for number in places))


def matchup(
    meeting: Meeting, facts: Mapping[str, Fact] | None = None, results: Sequence[Sequence[float]] = ()
) -> Matchup:
    """Makes a matchup from sides as callers write them: `("ann", "bo")`, or `(("ann", "cy"), ("bo", "di"))`.

    Raises
    ------
    BadValue
        If it is not a sequence of two or more sides, or a result does not have one finite score per side.
    PlayedThemselves
        If a player occurs twice.

    Examples
    --------
    >>> matchup(("ann", "bo")).sides
    (('ann',), ('bo',))
    >>> [result.label for result in matchup(("ann", ("bo", "cy"), "di")).outcomes()][:2]
    ['1-2-3', '1-3-2']
    """
    if isinstance(meeting, str) or not isinstance(meeting, Sequence) or len(meeting) < 2:
        raise BadValue("sides", meeting, 'must be two or more sides, such as ("ann", "bo")')
    sides = tuple(_side(side) for side in meeting)
    seen: set[str] = set()
    for player in (player for side in sides for player in side):
        if player in seen:
            raise PlayedThemselves(player)
        seen.add(player)
    scores = tuple(_scores(result, len(sides)) for result in results)
    return Matchup(sides, dict(facts or {}), scores)


def _side(given: object) -> tuple[str, ...]:
    if isinstance(given, str | int | UUID):
        return (player_key(given),)
    if not isinstance(given, Iterable):
        raise BadValue("side", given, "must be a player, or several players")
    players = tuple(player_key(player) for player in given)
    if not players:
        raise BadValue("side", given, "must have a player")
    return players


def _scores(given: object, sides: int) -> tuple[float, ...]:
    numbers = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else ()
    # refuses NaN, for which every comparison is false, and numbers too large for a float
    if len(numbers) != sides or not all(isinstance(n, int | float) and abs(n) <= float_info.max for n in numbers):
        raise BadValue("result", given, f"must have {sides} finite scores, one per side")
    return tuple(map(float, numbers))


@frozen(eq=False)
class Meetings:
    """Meetings in the order of the request, as results that a method reads.

    Parameters
    ----------
    results : Games or Sides
        The meetings as results; their scores are arbitrary.
    players, pairs : int
        Numbers of rows that a state needs for them.
    """

    results: Games | Sides
    players: int
    pairs: int

    @cached_property
    def members(self) -> list[Ints]:
        """Rows of the players of each meeting, side by side."""
        member, start = members_of(self.results)
        return [member[first:stop] for first, stop in zip(start[:-1].tolist(), start[1:].tolist(), strict=True)]


def meetings_of(method: Method, view: View, n: int, head: int) -> Meetings:
    """Returns the last `n` events of a view's log as results that a method reads.

    A field that the method requires of a result, but that a meeting does not have yet, is NaN.

    Parameters
    ----------
    view : View
        View through the time of the meetings.
    head : int
        Position of the last meeting.
    """
    needs = tuple(_relaxed(need) for need in method.needs)
    paired = any(column.per == "pair" for column in method.columns())
    after = None if paired else view.through - 1
    if method.reads is Sides:
        results: Games | Sides = view.sides(needs, method.name, after)
    else:
        results = view.games(needs, method.name, after)
        results = with_pairs(results, view.n_players) if paired else results
    which = np.flatnonzero(results.position > head - n)
    which = which[np.argsort(results.position[which], kind="stable")]
    if len(which) < n:
        missing = sorted({*range(head - n + 1, head + 1)} - {*results.position[which].tolist()})
        raise BadValue("meeting", missing[0] - head + n, "is between two merged names of one player: number")
    return Meetings(results.take(which), view.n_players, pairs_in(results) if paired else 0)


def absent(method: Method, one: Matchup) -> tuple[str, ...]:
    """Returns the fields of results that the method requires and that a meeting does not have."""
    return tuple(
        need.name
        for need in method.needs
        if need.of != "player" and need.default is None and need.name not in one.facts
    )


def _relaxed(need: Need) -> Need:
    """Returns a need that reads NaN where a meeting does not have a value yet."""
    if need.of == "player":
        return need
    return evolve(need, default=np.nan if need.default is None else need.default, leaves_out=False)


def alone(method: Method) -> bool:
    """True if results of different players are independent, so that one call can rate them all."""
    return not isinstance(last_step(method), Entering) and all(column.per == "player" for column in method.columns())


def apart(state: State, results: Games | Sides, scores: Floats) -> tuple[State, Games | Sides]:
    """Makes a state with a separate row for every seat, and results with these rows and scores.

    Parameters
    ----------
    scores : (n,) or (sides,) float64
    """
    member, _ = members_of(results)
    seats = np.arange(len(member), dtype=np.int32)
    rows = State({name: frozen_array(state[name][member].copy()) for name in state.names})
    players = {name: frozen_array(column[member]) for name, column in results.players.items()}
    if isinstance(results, Sides):
        return rows, results.replaced(player=frozen_array(seats), score=frozen_array(scores), players=players)
    a, b = frozen_array(seats[0::2].copy()), frozen_array(seats[1::2].copy())
    return rows, results.replaced(a=a, b=b, score=frozen_array(scores), players=players)
