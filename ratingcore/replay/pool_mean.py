"""Newcomers who enter at the mean rating of the pool before their first game, so that every game is rated.

The mean is made from an exact sum, rounded once, so it does not depend on the order of the rows. It is computed anew
for every newcomer: a list with a hundred thousand newcomers takes minutes.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import fsum

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Games, Ints
from ratingcore.columns.view import View
from ratingcore.methods.contract import Rated
from ratingcore.methods.first_ratings import Entering
from ratingcore.methods.state import State
from ratingcore.replay.contract_check import owned
from ratingcore.replay.moves import ADMITTED, PLANTED, Admitted
from ratingcore.replay.newcomers import (
    NEVER,
    Newcomers,
    Opening,
    initial_rating,
    month_of,
    months_of,
    seeded_from,
)
from ratingcore.replay.period_calls import Call
from ratingcore.replay.seeds import Planter


class PoolMean:
    """Computes the mean rating that a newcomer gets, and notes the month in which each player last played.

    Parameters
    ----------
    method : Entering
    players : int
    """

    def __init__(self, method: Entering, players: int) -> None:
        self._start = initial_rating(method)
        self._entry = method.entry.own
        self._months = self._entry.months
        self._last = np.full(players, -NEVER)

    def played(self, a: Ints, b: Ints, month: Ints) -> None:
        """Notes games, in order of play, with the calendar month of each."""
        if self._months:
            np.maximum.at(self._last, a, month)
            np.maximum.at(self._last, b, month)

    def mean(self, rating: Floats, month: int) -> float:
        """Returns the mean rating of the players who have played recently, or of all rated players if nobody has.

        If nobody is rated, or the entry is `at_start`, returns the initial rating of the method.
        """
        if self._entry.kind == "at_start":
            return self._start
        counts: NDArray[np.bool_] = ~np.isnan(rating)
        late = counts & (month - self._last[: len(rating)] <= self._months)
        pool = rating[late if self._months and late.any() else counts].tolist()
        return fsum(pool) / len(pool) if pool else self._start


def pool_of(method: Entering, view: View, games: Games) -> PoolMean:
    """Returns the pool before some games: it notes the other games of the view, which the rule before has rated."""
    pool = PoolMean(method, view.n_players)
    if len(games) < view.n_games:
        table = view.timeline.table.part(0, view.n_games)
        earlier = ~np.isin(table.position, games.position)
        pool.played(table.a[earlier], table.b[earlier], months_of(table.played[earlier]))
    return pool


class AtMean(Newcomers):
    """Newcomers of a continuous run, who enter at the mean of the pool before their first game.

    Attributes
    ----------
    rated : Games
        All games.
    """

    def __init__(self, method: Entering, view: View, games: Games, opening: Opening) -> None:
        super().__init__(method, view, opening)
        self.rated = games
        self._due = np.searchsorted(games.played, opening.seeds.played)
        self._first = _first_games(games, view.n_players)
        self._seats = self._given(games)
        self._newcomers = np.flatnonzero((self._first < NEVER) & (seeded_from(opening, self._due) > self._first))
        self._pool = pool_of(method, view, games)
        self._month = months_of(games.played)
        self._noted = 0

    def steps(self, planter: Planter, exact: bool) -> Iterator[tuple[int, Callable[[State], None]]]:
        """Yields steps for seeds and newcomers, each at its own time, since a mean depends on all ratings."""
        seeds = np.arange(len(self._due))
        entering = np.unique(self._entering())  # if two newcomers meet, both get the same mean in one step
        index = np.concatenate([self._due, entering])
        for item in np.argsort(index, kind="stable").tolist():  # stable: at one index seeds are planted first
            at = int(index[item])
            if item < len(seeds):
                yield at, partial(planter.plant, which=seeds[item : item + 1], index=at, call=1)
            else:
                yield at, partial(self._admit, at)

    def _entering(self) -> Ints:
        """Returns the games before which newcomers may get a rating: the first, or later ones with another pool's."""
        first = self._first[self._newcomers]
        if self._seats is None or not np.isnan(initial_rating(self._method)):
            return first
        seats = zip(self._players, self._seats, strict=True)
        later = [np.flatnonzero(np.isin(seat, self._newcomers) & ~np.isnan(given)) for seat, given in seats]
        return np.concatenate([first, *later])

    @property
    def _players(self) -> tuple[Ints, Ints]:
        return self.rated.a, self.rated.b

    def _admit(self, index: int, state: State) -> None:
        games, before = self.rated, slice(self._noted, index)
        self._pool.played(games.a[before], games.b[before], self._month[before])
        self._noted = index
        mean = self._pool.mean(state["rating"], int(self._month[index]))
        for side, seat in enumerate(self._players):
            player, rating, position = int(seat[index]), mean, ADMITTED
            if not np.isnan(state["rating"][player]):
                continue
            if self._seats is not None and not np.isnan(given := self._seats[side][index]):
                rating, position = float(given), PLANTED
            elif self._first[player] != index or np.isnan(mean):
                continue
            state.write("rating", np.array([player]), np.array([rating]))
            self._admitted.append(Admitted(player, index, 1, int(games.played[index]), rating, position))


class AtMeanOfPeriod(Newcomers):
    """Newcomers of a periodic run, who enter at the mean of the pool at the start of their first period."""

    def __init__(self, method: Entering, view: View, games: Games, opening: Opening) -> None:
        super().__init__(method, view, opening)
        self._pool = pool_of(method, view, games)

    def entered(self, state: State, games: Games, call: Call, number: int) -> State:
        """Returns the state at the start of a period, in which its newcomers are rated."""
        if (given := self._given(games)) is not None:
            state = self._planted(given, state, games, call, number)
        players = np.unique(np.concatenate([games.a, games.b]))
        unrated = players[np.isnan(state["rating"][players])]
        if len(unrated):
            rating = self._pool.mean(state["rating"], month_of(call.span.start))
        if len(unrated) and not np.isnan(rating):
            state = owned(state)
            state.write("rating", unrated, np.full(len(unrated), rating))
            self._admitted += [
                Admitted(player, call.start, number, call.span.start, rating) for player in unrated.tolist()
            ]
        self._pool.played(games.a, games.b, months_of(games.played))
        return state

    def rate(self, rate: Callable[[State, Games], Rated], state: State, games: Games, call: Call, number: int) -> Rated:
        """Rates the games of a period, with all of its players."""
        return rate(state, games)


def _first_games(games: Games, players: int) -> Ints:
    """Index of the first game of each player; `NEVER` for those without a game."""
    first = np.full(players, NEVER)
    index = np.arange(len(games))
    np.minimum.at(first, games.a, index)
    np.minimum.at(first, games.b, index)
    return first
