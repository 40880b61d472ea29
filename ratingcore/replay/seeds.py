"""Writes seeds into states: early ones into the initial state, others at their time, with as few calls as possible."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Games, Ints, frozen_array
from ratingcore.columns.timeline import SeedTable
from ratingcore.columns.view import View
from ratingcore.methods.contract import Method
from ratingcore.methods.kernels import kernel
from ratingcore.methods.state import Column, State
from ratingcore.replay.period_calls import OpenPeriod


@frozen(eq=False)
class Planting:
    """Seeds that are planted together, before the result at an index."""

    index: int
    seeds: Ints


@kernel
def _cuts(a: Ints, b: Ints, due: Ints, player: Ints, waiting: NDArray[np.int8], cut: Ints) -> int:
    """Chooses cuts greedily: all seeds that are due are planted just before the first game of any of their players.

    `cut[s]` becomes the index of the game before which seed `s` is planted. `waiting` is working memory of one byte per
    player: every game reads two of these bytes, so they must stay in the nearest cache.
    """
    n, n_seeds = len(a), len(due)
    s, done, g, turns = 0, 0, 0, 1
    while g < n and done < n_seeds:
        if s == done and due[s] > g:
            g = due[s]  # no seed waits: skip to the next one
        while s < n_seeds and due[s] <= g:
            waiting[player[s]] = 1
            s += 1
        stop = n
        if s < n_seeds:
            stop = min(n, due[s])
        while g < stop and waiting[a[g]] + waiting[b[g]] == 0:
            g += 1
        if g < stop:
            for t in range(done, s):
                cut[t] = g
                waiting[player[t]] = 0
            done = s
            turns += 1
    for t in range(done, n_seeds):
        cut[t] = n
    return turns


def grouped(cut: Ints, seeds: Ints) -> Iterator[Planting]:
    """Groups seeds with the same cut into one planting; cuts never decrease."""
    if not len(cut):
        return
    starts = np.flatnonzero(np.diff(cut, prepend=cut[0] - 1))
    ends = np.append(starts[1:], len(cut))
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        yield Planting(int(cut[start]), seeds[start:end])


def continuous_plantings(
    seeds: SeedTable, debut: Ints, played: Ints, members: tuple[Ints, Ints] | None, exact: bool
) -> tuple[Ints, Ints, Ints]:
    """Returns the seeds of the initial state, the other seeds, and the index of the result before each of the others.

    Parameters
    ----------
    debut : (players,) int64
        Time of each player's first result.
    members : (a, b) or None
        Players of each game; None for results that are not games: their seeds are planted exactly.
    exact : bool
        Whether to plant every seed just before the next result, even one without its player.
    """
    numbers = np.arange(len(seeds.played))
    first = seeds.played <= debut[seeds.player]
    if exact:
        first &= seeds.played <= (played[0] if len(played) else 0)
    later = numbers[~first]
    due = np.searchsorted(played, seeds.played[later])
    if exact or members is None:
        return numbers[first], later, due
    return numbers[first], later, cuts_of(members, due, seeds.player[later], len(debut))


def cuts_of(members: tuple[Ints, Ints], due: Ints, player: Ints, players: int) -> Ints:
    """Returns the fewest cuts between games at which each step, such as a seed, is done before its player's next game.

    Every cut costs a call of the method, so due steps wait until one of their players plays.

    Parameters
    ----------
    members : (a, b)
        Players of each game.
    due : (n,) int
        Index of the game from which each step is due; never decreasing.
    player : (n,) int
        Player of each step: it must be done before the player's next game.
    """
    cut = np.empty(len(due), dtype=np.int64)
    if len(due):
        _cuts(*members, due, player, np.zeros(players, dtype=np.int8), cut)
    return cut


class Planter:
    """Writes the values of seeds into a state, and notes the changes."""

    def __init__(self, seeds: SeedTable, columns: tuple[Column, ...]) -> None:
        self.player = seeds.player
        names = naming(seeds, columns)
        self._columns = [
            _Sowing.of(column, seeds, names)
            for column in columns
            if column.per == "player" and (column.name in seeds.values or not column.kept or column.seeded is not None)
        ]
        self._all = len(self._columns) == len(columns)
        self.index = np.zeros(len(seeds.played), dtype=np.int64)
        self.call = np.zeros(len(seeds.played), dtype=np.int64)
        self.rating = np.full(len(seeds.played), np.nan)
        self._was = np.zeros(len(seeds.played))
        self.planted: Callable[[Ints, Ints, State], None] | None = None
        """Called after seeds were planted, with their numbers, their players and the state."""

    @property
    def jump(self) -> Floats:
        """Change of the rating by each seed; NaN for a player without a rating before."""
        with np.errstate(invalid="ignore"):
            return self.rating - self._was

    def plant(self, state: State, which: Ints, index: int, call: int) -> None:
        """Writes some seeds into a writable state, and notes them as planted before the result at `index` in `call`."""
        player = self.player[which]
        if len(which) > 1 and len(set(player.tolist())) < len(which):
            for one in range(len(which)):  # one by one, so that each change starts from the seed before
                self.plant(state, which[one : one + 1], index, call)
            return
        was = state["rating"][player]
        self.write(state, player, which)
        self.note(which, was, state["rating"][player], index, call)
        if self.planted is not None:
            self.planted(which, player, state)

    def write(self, state: State, rows: Ints, which: Ints) -> None:
        """Writes the values of some seeds into these rows of a writable state."""
        for column in self._columns:
            column.write(state, rows, which)

    def rates(self, which: Ints) -> NDArray[np.bool_]:
        """Returns a mask of the seeds that give a rating."""
        for column in self._columns:
            if column.name == "rating":
                return np.ones(len(which), dtype=np.bool_) if column.named is None else column.named[which]
        return np.zeros(len(which), dtype=np.bool_)

    def note(self, which: Ints, was: Floats, rating: Floats, index: int | Ints, call: int) -> None:
        """Notes the ratings before and after some seeds, which count as planted before the result at `index`."""
        self._was[which], self.rating[which] = was, rating
        self.index[which], self.call[which] = index, call

    def values(self, which: Ints) -> dict[str, Floats] | None:
        """Returns the values in a player's row after each of these seeds, by column; None if a seed lacks a column."""
        if not self._all or not all(column.named is None or column.named[which].all() for column in self._columns):
            return None
        return {column.name: column.values[which] for column in self._columns}


@frozen(eq=False)
class _Sowing:
    """Values that seeds write into one column; `named` masks the seeds that write, None if all of them do."""

    name: str
    values: Floats
    named: NDArray[np.bool_] | None

    @classmethod
    def of(cls, column: Column, seeds: SeedTable, names: NDArray[np.bool_]) -> "_Sowing":
        nothing = np.full(len(names), np.nan)
        values = seeds.values.get(column.name, nothing)
        if column.seeded is not None:
            given = ~np.isnan(seeds.values.get(column.seeded_by, nothing))
            values = np.where(np.isnan(values) & given, column.seeded(seeds.played), values)
        named = ~np.isnan(values)
        if not column.kept:
            values, named = np.where(named, values, column.start), names
        shaped = np.broadcast_to(values.reshape(-1, *(1 for _ in column.shape)), (len(names), *column.shape))
        return cls(column.name, shaped, None if named.all() else named)

    def write(self, state: State, player: Ints, which: Ints) -> None:
        if self.named is not None:
            some = self.named[which]
            player, which = player[some], which[some]
        state.write(self.name, player, self.values[which])


def naming(seeds: SeedTable, columns: tuple[Column, ...]) -> NDArray[np.bool_]:
    """Returns a mask of the seeds that name a column of players; a method ignores the others."""
    names = np.zeros(len(seeds.played), dtype=np.bool_)
    for column in columns:
        if column.per == "player" and column.name in seeds.values:
            names |= ~np.isnan(seeds.values[column.name])
    return names


def newcomers_of(wait: OpenPeriod, method: Method, view: View, seeds: SeedTable) -> NDArray[np.bool_]:
    """Returns a mask of the players who are not on a list yet: all of their results wait, and they have no seed."""
    unseeded = np.ones(view.n_players, dtype=np.bool_)
    unseeded[seeds.player[naming(seeds, method.columns())]] = False
    return np.asarray((wait.games > 0) & (wait.games == view.played_counts()) & unseeded)


@kernel
def _placed(a: Ints, b: Ints, cut: Ints, player: Ints, first: int, row: Ints, row_a: Ints, row_b: Ints) -> None:
    """Sets the rows on which both sides of each game are rated; `row`, of each player, is kept from call to call."""
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
    """Extra rows of a state, one per seed, after those of the players, so that no seed ends a call of the method.

    A player moves to the row of their seed. A continuous method reads only the rows of the players of a game, so the
    ratings are the same to the last bit.

    Parameters
    ----------
    seeds : (n,) int
        Numbers of the seeds in the planter, in order of time.
    index : (n,) int
        Index of the result before which each seed is planted; never decreasing.
    values : mapping of name to (n, ...) float64
        Values of players after each seed, in every column of the method.
    players : int
        Number of rows of the state without the extra rows.
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

    def opening_state(self, state: State) -> State:
        """Returns the state with an extra row for every seed."""
        return State({name: frozen_array(np.concatenate([state[name], self._values[name]])) for name in state.names})

    def placed(self, games: Games, start: int) -> Games:
        """Returns games in which each player has the row on which they are rated; calls come in order of play.

        Parameters
        ----------
        start : int
            Index of the first game.
        """
        rows_a, rows_b = np.empty_like(games.a), np.empty_like(games.b)
        some = slice(*np.searchsorted(self._index, [start, start + len(games)]))
        cut, player = self._index[some] - start, self._player[some]
        first = self._players + some.start
        _placed(games.a, games.b, cut, player, first, self._row, rows_a, rows_b)
        players = {name: column[self._origin] for name, column in games.players.items()}
        return games.seated(frozen_array(rows_a), frozen_array(rows_b), players)

    def ended(self, state: State) -> State:
        """Returns the state of the players, taken from the last row of each; the planter notes each seed's change."""
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
