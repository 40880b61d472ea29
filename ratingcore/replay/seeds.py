"""Planting seeds: which belong to the starting state, and at the fewest cuts all others in time."""

from collections.abc import Iterator

import numpy as np
from attrs import frozen

from ratingcore.errors import BadSeed
from ratingcore.methods.kernels import kernel
from ratingcore.methods.state import Column, State
from ratingcore.tables.arrays import Floats, Ints
from ratingcore.tables.timeline import SeedTable


@frozen(eq=False)
class Planting:
    """Seeds planted together, before the result of this index."""

    index: int
    seeds: Ints


@kernel
def _cuts(a: Ints, b: Ints, due: Ints, player: Ints, waiting: Ints, cut: Ints) -> int:
    """Greedy: plant all that is due just before the first game of any of its players.

    `cut[s]` becomes the index of the game before which seed `s` is planted; `waiting` is scratch.
    """
    n_seeds = len(due)
    s, done, turn = 0, 0, 1
    for g in range(len(a)):
        while s < n_seeds and due[s] <= g:
            waiting[player[s]] = turn
            s += 1
        if s > done and (waiting[a[g]] == turn or waiting[b[g]] == turn):
            for t in range(done, s):
                cut[t] = g
            done = s
            turn += 1
    for t in range(done, n_seeds):
        cut[t] = len(a)
    return turn


def grouped(cut: Ints, seeds: Ints) -> Iterator[Planting]:
    """Plantings from the cut of each seed; cuts never decrease."""
    if not len(cut):
        return
    starts = np.flatnonzero(np.diff(cut, prepend=cut[0] - 1))
    ends = np.append(starts[1:], len(cut))
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        yield Planting(int(cut[start]), seeds[start:end])


def continuous_plantings(
    seeds: SeedTable, debut: Ints, played: Ints, members: tuple[Ints, Ints] | None, exact: bool
) -> tuple[Ints, list[Planting]]:
    """Seeds of the starting state, and the others grouped by the cut they are planted at.

    Parameters
    ----------
    debut : (players,) int64
        When each player's first result was played.
    members : (a, b) or None
        Players of each game; None where results have other forms, which are cut exactly.
    exact : bool
        Plant every seed just before the first result of its time, also when its player does not sit there.
    """
    numbers = np.arange(len(seeds.played))
    first = seeds.played <= debut[seeds.player]
    if exact:
        first &= seeds.played <= (played[0] if len(played) else 0)
    later = numbers[~first]
    due = np.searchsorted(played, seeds.played[later])
    if exact or members is None:
        return numbers[first], list(grouped(due, later))
    cut = np.empty(len(later), dtype=np.int64)
    if len(later):
        waiting = np.zeros(len(debut), dtype=np.int64)
        _cuts(members[0], members[1], due, seeds.player[later], waiting, cut)
    return numbers[first], list(grouped(cut, later))


class Planter:
    """Puts the values of seeds into a state and keeps what that moved."""

    def __init__(self, seeds: SeedTable, columns: tuple[Column, ...], method: str) -> None:
        self._seeds = seeds
        self._columns = {c.name: c for c in columns if c.per == "player"}
        self.index = np.zeros(len(seeds.played), dtype=np.int64)
        self.rating = np.full(len(seeds.played), np.nan)
        self.jump = np.zeros(len(seeds.played))
        self._check(method)

    def _check(self, method: str) -> None:
        """Refuse a seed that names no column of the method."""
        named = [column for name, column in self._seeds.values.items() if name in self._columns]
        hit = np.zeros(len(self._seeds.played), dtype=bool)
        for column in named:
            hit |= ~np.isnan(column)
        if not hit.all():
            at = f"at position {int(self._seeds.position[int(np.argmin(hit))])}"
            raise BadSeed(method, at, "it names no column of this method", tuple(self._columns))

    def plant(self, state: State, which: Ints, index: int) -> State:
        """The state with these seeds in it."""
        if not len(which):
            return state
        player = self._seeds.player[which]
        if len(player) > 1 and len(np.unique(player)) < len(player):  # one after the other, so that each jump is told
            for one in which:
                state = self.plant(state, np.array([one]), index)
            return state
        was = state["rating"][player]
        columns: dict[str, Floats] = {}
        for name, column in self._columns.items():
            given = self._seeds.values.get(name)
            if given is None and column.kept:
                continue
            value = np.full(len(which), np.nan) if given is None else given[which]
            if column.kept:
                named = ~np.isnan(value)
                rows, value = player[named], value[named]
            else:
                rows, value = player, np.where(np.isnan(value), column.start, value)
            if len(rows):
                columns[name] = state.copy(name)
                columns[name][rows] = value if not column.shape else value.reshape(-1, *([1] * len(column.shape)))
        state = state.replace(**columns)
        self.index[which] = index
        self.rating[which] = state["rating"][player]
        with np.errstate(invalid="ignore"):
            self.jump[which] = self.rating[which] - was
        return state
