"""Rows of seeds: from a seed on its player is rated on a new row, so that many seeds need no calls of their own."""

from collections.abc import Mapping

import numpy as np

from ratingcore.columns.arrays import Floats, Ints, frozen_array
from ratingcore.columns.games import Games
from ratingcore.methods.kernels import kernel
from ratingcore.methods.state import State
from ratingcore.replay.seeds import Planter


@kernel
def _placed(a: Ints, b: Ints, cut: Ints, player: Ints, first: int, row: Ints, row_a: Ints, row_b: Ints) -> None:
    """The rows on which both sides of each game are rated; `row` is that of each player, and goes from call to call."""
    n, n_seeds = len(a), len(cut)
    s, g = 0, 0
    while g < n:
        while s < n_seeds and cut[s] <= g:
            row[player[s]] = first + s
            s += 1
        stop = n
        if s < n_seeds:
            stop = min(n, cut[s])
        while g < stop:
            row_a[g] = row[a[g]]
            row_b[g] = row[b[g]]
            g += 1


class SeedRows:
    """Rows for seeds behind those of the players, one a seed, so that no seed ends a call of the method.

    A continuous method looks at nothing but the rows of those who play, so that the numbers are the same to the last
    bit.

    Parameters
    ----------
    seeds : (n,) int
        Numbers of the seeds in the planter, in order of time.
    index : (n,) int
        Index of the result before which each is planted; never decreasing.
    values : mapping of name to (n, ...) float64
        What players have after each seed, in every column of the method.
    players : int
        How many rows the state has without them.
    """

    def __init__(self, planter: Planter, seeds: Ints, index: Ints, values: Mapping[str, Floats], players: int) -> None:
        self._planter = planter
        self._seeds = seeds
        self._index = index
        self._values = values
        self._players = players
        self._player = planter.player[seeds]
        self._origin = np.append(np.arange(players), self._player)
        self._row = np.arange(players, dtype=np.int32)

    def begun(self, state: State) -> State:
        """The state with a row for every seed."""
        return State({name: frozen_array(np.concatenate([state[name], self._values[name]])) for name in state.names})

    def placed(self, games: Games, start: int) -> Games:
        """Games whose players are the rows on which they are rated; calls come in order.

        Parameters
        ----------
        start : int
            Index of the first of them.
        """
        rows_a, rows_b = np.empty_like(games.a), np.empty_like(games.b)
        some = slice(*np.searchsorted(self._index, [start, start + len(games)]))
        cut, player = self._index[some] - start, self._player[some]
        first = self._players + some.start
        _placed(games.a, games.b, cut, player, first, self._row, rows_a, rows_b)
        players = {name: column[self._origin] for name, column in games.players.items()}
        return games.seated(frozen_array(rows_a), frozen_array(rows_b), players)

    def ended(self, state: State) -> State:
        """The state of the players, each as their last row has it; the planter notes what each seed moved."""
        player, rating = self._player, state["rating"]
        rows = self._players + np.arange(len(player))
        order = np.argsort(player, kind="stable")  # seeds of one player side by side, in order of time
        again = np.append(False, player[order][1:] == player[order][:-1])
        before = player.astype(np.int64)
        before[order[again]] = rows[order[np.flatnonzero(again) - 1]]
        self._planter.note(self._seeds, rating[before], self._values["rating"], self._index, 1)
        last = np.arange(self._players)
        np.maximum.at(last, player, rows)
        return State({name: frozen_array(state[name][last]) for name in state.names})
