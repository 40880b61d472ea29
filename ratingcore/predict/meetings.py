"""Meetings as the columns that a method reads: taken from a view in which they are supposed."""

from functools import cached_property

import numpy as np
from attrs import evolve, frozen

from ratingcore.columns import Games, Sides, View
from ratingcore.columns.arrays import Floats, Ints, frozen_array
from ratingcore.columns.games import Need
from ratingcore.errors import BadValue
from ratingcore.methods.contract import Method
from ratingcore.methods.entry import Entering
from ratingcore.methods.state import State
from ratingcore.predict.matchup import Matchup
from ratingcore.replay.record import members_of
from ratingcore.replay.run import pairs_in, with_pairs


@frozen(eq=False)
class Meetings:
    """Meetings in the order in which they were asked for.

    Parameters
    ----------
    results : Games or Sides
        Their scores mean nothing.
    players, pairs : int
        Rows that a state needs for them.
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
    """The last `n` events of a view's log as results that a method reads.

    A field that a result must have, and a meeting does not have yet, is NaN.

    Parameters
    ----------
    view : View
        Through the time of the meetings.
    head : int
        Position of the last of them.
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
        raise BadValue("meeting", missing[0] - head + n, "is one of a player with themselves: they were merged; number")
    return Meetings(results.take(which), view.n_players, pairs_in(results) if paired else 0)


def absent(method: Method, one: Matchup) -> tuple[str, ...]:
    """Fields that the method reads of a result, which are not known of a meeting."""
    return tuple(
        need.name
        for need in method.needs
        if need.of != "player" and need.default is None and need.name not in one.facts
    )


def _relaxed(need: Need) -> Need:
    """A need that takes what a meeting does not have yet for NaN."""
    if need.of == "player":
        return need
    return evolve(need, default=np.nan if need.default is None else need.default, leaves_out=False)


def alone(method: Method) -> bool:
    """Whether results of different players have nothing to do with each other, and can be rated in one call."""
    return not isinstance(method, Entering) and all(column.per == "player" for column in method.columns())


def apart(state: State, results: Games | Sides, scores: Floats) -> tuple[State, Games | Sides]:
    """A state with rows of its own for every seat, and the results with these rows and these scores.

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
