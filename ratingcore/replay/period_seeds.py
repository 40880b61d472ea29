"""Seeds inside a period: each counts from its own day on, so earlier results of the period are rated without it.

Each such seed adds a row to the state, after the rows of all players. The results of its player before the seed are
rated on the player's row, later results on the added row. At the end of the period the added row becomes the player's.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ratingcore.columns.games import Games, Ints, frozen_array
from ratingcore.columns.sides import Sides
from ratingcore.methods.contract import Rated
from ratingcore.methods.state import Column, State
from ratingcore.replay.replay import members_of
from ratingcore.replay.seeds import Planter

R = TypeVar("R", Games, Sides)


def are_inside(planter: Planter, seeds: Ints, played: Ints, results: Games | Sides) -> NDArray[np.bool_]:
    """Returns a mask of the seeds that give a rating to a player who has already played in the period.

    Parameters
    ----------
    seeds : (n,) int
        Numbers of the seeds in the planter, in order of time.
    played : (n,) int
        Times of the seeds.
    results : Games or Sides
        Results of the period.
    """
    member, start = members_of(results)
    first = np.full(
        max(int(member.max(initial=-1)), int(planter.player[seeds].max(initial=-1))) + 1, np.iinfo("i8").max
    )
    np.minimum.at(first, member, np.repeat(results.played, np.diff(start)))
    return planter.rates(seeds) & (first[planter.player[seeds]] < played)


class FurtherRows:
    """Extra rows of a state for the seeds inside one period.

    Parameters
    ----------
    seeds : (n,) int
        Numbers of the seeds in the planter, in order of time.
    index : (n,) int
        Index of the result in the period before which each seed counts.
    state : State
        State in which the period begins.

    Attributes
    ----------
    state : State
        State with the extra rows: the one from which the results are rated.
    """

    def __init__(self, planter: Planter, columns: tuple[Column, ...], seeds: Ints, index: Ints, state: State) -> None:
        self._planter, self._seeds, self._index = planter, seeds, index
        self._player = planter.player[seeds]
        self._players = len(state["rating"])
        self._own = [column.name for column in columns if column.per == "player"]
        self._rows = self._players + np.arange(len(seeds))
        row: dict[int, int] = {}
        self._before = self._player.astype(np.int64)
        for number, player in enumerate(self._player.tolist()):
            self._before[number] = row.get(player, player)
            row[player] = self._players + number
        self._last = np.arange(self._players)
        np.maximum.at(self._last, self._player, self._rows)
        self._most = int(np.bincount(self._player).max())
        self.state = self._planted(state, state, self._player)

    def _planted(self, state: State, left: State, rows: Ints) -> State:
        """Returns `state` with extra rows: each is copied from a row of `left`, then gets the values of its seed."""
        columns = {name: state[name] for name in state.names}
        for name in self._own:
            columns[name] = frozen_array(np.concatenate([state[name][: self._players], left[name][rows]]))
        whole = State(columns)
        self._planter.write(whole, self._rows, self._seeds)
        return whole

    def seated(self, results: R) -> R:
        """Returns the results of the period, in which each player has the row on which they are rated."""
        member, start = members_of(results)
        seats, of = member.copy(), np.repeat(np.arange(len(results)), np.diff(start))
        for row, player, index in zip(self._rows.tolist(), self._player.tolist(), self._index.tolist(), strict=True):
            seats[(member == player) & (of >= index)] = row
        origin = np.append(np.arange(self._players), self._player)
        players = {name: frozen_array(column[origin]) for name, column in results.players.items()}
        if isinstance(results, Sides):
            return results.replaced(player=frozen_array(seats), players=players)
        return results.seated(frozen_array(seats[0::2].copy()), frozen_array(seats[1::2].copy()), players)

    def rate(self, rate: Callable[[State, Any], Rated], formula: Callable[[State, Any], Any], results: Any) -> Rated:
        """Rates the results, and returns a state with one row per player again.

        Columns that a seed does not name, such as counts of games, continue from the results before it.

        Parameters
        ----------
        rate : callable
            Rates results like `formula`, and checks the answer.
        formula : callable
            Rates results without a check.
        results : Games or Sides
            Results returned by `seated`.
        """
        start = self.state
        if self._planter.values(self._seeds) is None:
            for _ in range(self._most):
                self.state = self._planted(start, formula(self.state, results).state, self._before)
        rated = rate(self.state, results)
        self._rating = rated.state["rating"][self._before] - sum(
            np.nan_to_num(amount[self._before]) for amount in rated.after.values()
        )
        columns = {name: rated.state[name] for name in rated.state.names}
        for name in self._own:
            columns[name] = frozen_array(columns[name][self._last])
        after = {label: amount[self._last] for label, amount in rated.after.items()}
        return evolve(rated, state=State(columns), after=after)

    def note(self, start: int, call: int) -> None:
        """Notes in the planter how each seed changed a rating; `start` is the index of the period's first result."""
        rating, planter = self.state["rating"][self._rows], self._planter
        planter.note(self._seeds, self._rating, rating, start + self._index, call)
        if planter.planted is not None:
            for seed, player, row in zip(self._seeds.tolist(), self._player.tolist(), self._rows.tolist(), strict=True):
                columns = {name: self.state[name] for name in self.state.names}
                for name in self._own:
                    columns[name] = columns[name].copy()
                    columns[name][player] = columns[name][row]
                planter.planted(np.array([seed]), np.array([player]), State(columns))
