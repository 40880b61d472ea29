"""Rates the results of each round by the method of one contender, and admits its newcomers."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from ratingcore.plugin import Cadence, Column, Floats, Games, Ints, Rated, Sides, State
from ratingcore.plugin.analysis import RULES, Answers, cuts_of, frozen_array, owned
from ratingcore_laboratory.contender import Contender
from ratingcore_laboratory.played import Played, month


class Rater:
    """A method in a simulation, with a row for each player who has appeared."""

    def __init__(self, contender: Contender) -> None:
        self._contender = contender
        self._method = contender.method
        columns = self._method.columns()
        self._answers = Answers(self._method, columns)
        self._seating = Seating(columns)
        self._state = self._seating.start()
        self._position = 1
        self._past: list[Played] = []
        self._planted: tuple[Ints, Floats] = np.empty(0, dtype=np.int64), np.empty(0)
        self._newcomers = (
            Newcomers(contender.games or 1, contender.months, contender.rule) if contender.pooled else None
        )

    @property
    def state(self) -> State:
        """The state of the method, a row per player who has appeared."""
        return self._state

    def know(self, players: int) -> None:
        """Makes room for this number of ids."""
        self._seating.know(players)

    def estimated(self) -> Floats:
        """Rating of every player; for those who have not appeared the start, or NaN if they enter by results."""
        fill = np.nan if self._contender.pooled else self._contender.begins
        rating = np.full(len(self._seating.row), fill)
        rating[self._seating.id] = self._state["rating"]
        return rating

    def columns(self) -> Mapping[str, Floats]:
        """Other listed columns of the method, for every player; NaN for those who have not appeared."""
        listed = {}
        for column in self._method.columns():
            if column.name != "rating" and column.per == "player" and column.digits is not None and not column.shape:
                values = np.full(len(self._seating.row), np.nan)
                values[self._seating.id] = self._state[column.name]
                listed[column.name] = values
        return listed

    def plant(self, new: Ints, rating: Floats) -> None:
        """Seeds new players."""
        self._seating.seat(new)
        self._planted = np.concatenate([self._planted[0], new]), np.concatenate([self._planted[1], rating])
        self._grow()
        if len(new):
            self._state = owned(self._state)
            self._state.write("rating", self._seating.row[new], rating)

    def _grow(self) -> None:
        self._state = owned(self._state.grown(self._seating.start()))

    def rate(self, played: Played, round_: int) -> None:
        """Rates the results of a round."""
        if self._newcomers is not None:
            self._rate_and_admit(self._newcomers, played, round_)
            return
        self._seating.seat(played.members)
        if self._method.cadence is Cadence.RETROSPECTIVE:
            self._solve(played)
            return
        self._call(self._results(played, round_))

    def _results(self, played: Played, round_: int) -> Games | Sides:
        row = self._seating.row
        results = played.columns(self._method, row, len(self._seating.id), month(round_), self._position)
        self._position += len(played)
        return results

    def _call(self, results: Games | Sides) -> None:
        self._pair(results)
        self._grow()
        if len(results) or self._method.cadence is Cadence.PERIODIC:
            rated: Rated = self._answers.rated(self._method.rate(self._state, results), self._state, results)
            self._state = rated.state

    def _rate_and_admit(self, newcomers: "Newcomers", played: Played, round_: int) -> None:
        """Rates games of two rated players; games of an unrated with a rated player count for the unrated one alone."""
        rating, a, b = self.estimated(), played.a[:, 0], played.b[:, 0]
        new_a, new_b = np.isnan(rating[a]), np.isnan(rating[b])
        rated, trial = np.flatnonzero(~new_a & ~new_b), np.flatnonzero(new_a != new_b)
        opponent = np.where(new_a, b, a)[trial]
        results = self._results(played, round_)
        assert isinstance(results, Games)  # contenders that enter by results read games
        games = results.take(rated)
        if self._method.cadence is Cadence.CONTINUOUS:
            faced = self._play(games, np.searchsorted(rated, trial), opponent)
        else:
            faced = rating[opponent]
            self._call(games)
        score = np.where(new_a, played.score, 1.0 - played.score)[trial]
        newcomers.add(round_, np.where(new_a, a, b)[trial].astype(np.int64), faced, score)
        self.plant(*newcomers.admitted(round_))

    def _play(self, games: Games, due: Ints, opponent: Ints) -> Floats:
        """Rates games one after another; returns the rating of each opponent before the game of the index `due`."""
        row = self._seating.row[opponent].astype(np.int64)
        cut = cuts_of((games.a, games.b), due, row, len(self._seating.id))
        faced, start = np.empty(len(due)), 0
        for at in np.unique(cut).tolist():
            self._call(games.take(np.arange(start, at)))
            faced[cut == at] = self._state["rating"][row[cut == at]]
            start = at
        self._call(games.take(np.arange(start, len(games))))
        return faced

    def _solve(self, played: Played) -> None:
        """Solves all results so far anew."""
        self._past = [Played.joined([*self._past, played])]
        whole = self._past[0]
        span = month(1) if not len(whole) else month(1)._replace(end=int(whole.at[-1]) + 1)
        results = whole.columns(self._method, self._seating.row, len(self._seating.id), span, 1)
        self._pair(results)
        state = owned(self._seating.start())
        player, rating = self._planted
        state.write("rating", self._seating.row[player], rating)
        if len(whole):
            state = self._answers.solved(self._method.rate(state, results), state, results).state
        self._state = state

    def _pair(self, results: Games | Sides) -> None:
        if self._seating.paired and isinstance(results, Games):
            self._seating.pair(results)


class Newcomers:
    """Games of unrated players against rated ones, collected until they make a first rating.

    A replay with `entry=pooled(games,months,rule)` does the same with the log of a simulation: a round is a month.

    Parameters
    ----------
    games : int
        Games that make a first rating.
    months : int
        Rounds in which they lie, the one that ends included.
    rule : str
        Rule that makes a rating of them, one of `RULES`.

    Examples
    --------
    >>> waiting = Newcomers(2, 3, "periodic")
    >>> waiting.add(1, np.array([7, 7, 9]), np.array([1100.0, 1100.0, 1300.0]), np.array([1.0, 0.0, 1.0]))
    >>> who, rating = waiting.admitted(1)
    >>> who.tolist(), rating.tolist()
    ([7], [1100.0])
    """

    __slots__ = ("_faced", "_games", "_months", "_player", "_round", "_rule", "_score")

    def __init__(self, games: int, months: int, rule: str) -> None:
        self._games, self._months = games, months
        self._rule: Callable[[Floats, Floats], float] = RULES[rule]
        self._round: Ints = np.empty(0, dtype=np.int64)
        self._player: Ints = np.empty(0, dtype=np.int64)
        self._faced: Floats = np.empty(0)
        self._score: Floats = np.empty(0)

    def add(self, round_: int, player: Ints, faced: Floats, score: Floats) -> None:
        """Keeps games of unrated players in the order of play.

        Parameters
        ----------
        player : (n,) int
            The unrated player of each game.
        faced : (n,) float64, rating points
            Rating of their opponent when it was played.
        score : (n,) float64 in [0, 1]
            Score of the unrated player.
        """
        self._round = np.concatenate([self._round, np.full(len(player), round_, dtype=np.int64)])
        self._player = np.concatenate([self._player, player])
        self._faced = np.concatenate([self._faced, faced])
        self._score = np.concatenate([self._score, score])

    def admitted(self, round_: int) -> tuple[Ints, Floats]:
        """The players whose games make a first rating at the end of a round, and these ratings."""
        self._keep(round_ - self._round < self._months)
        players, counts = np.unique(self._player, return_counts=True)
        ready = players[counts >= self._games]
        made = np.array([self._made(player) for player in ready.tolist()])
        some = np.isfinite(made)  # a rule may make no rating: these games go on waiting
        self._keep(~np.isin(self._player, ready[some]))
        return ready[some], made[some]

    def _made(self, player: int) -> float:
        mine = self._player == player
        return self._rule(self._faced[mine], self._score[mine])

    def _keep(self, which: NDArray[np.bool_]) -> None:
        self._round, self._player = self._round[which], self._player[which]
        self._faced, self._score = self._faced[which], self._score[which]


NOWHERE = -1


class Seating:
    """Assigns rows of the state, as a replay of the same results would.

    Attributes
    ----------
    row : (ids,) int32
        Row of each player; `NOWHERE` for those who have not appeared.
    id : (rows,) int
        Player of each row.
    """

    __slots__ = ("_columns", "_pairs", "_ranks", "id", "row")

    def __init__(self, columns: tuple[Column, ...]) -> None:
        self._columns = columns
        self.row: Ints = np.empty(0, dtype=np.int32)
        self.id: Ints = np.empty(0, dtype=np.int64)
        self._pairs: Ints = np.empty(0, dtype=np.int64)
        self._ranks: Ints = np.empty(0, dtype=np.int64)

    def know(self, players: int) -> None:
        """Makes room for this number of ids."""
        more = np.full(players - len(self.row), NOWHERE, dtype=np.int32)
        self.row = np.concatenate([self.row, more])

    def seat(self, members: Ints) -> None:
        """Gives rows to the members who have none yet, in this order."""
        fresh = members[self.row[members] == NOWHERE]
        if not len(fresh):
            return
        player, first = np.unique(fresh, return_index=True)
        player = player[np.argsort(first)]
        self.row[player] = np.arange(len(self.id), len(self.id) + len(player))
        self.id = np.concatenate([self.id, player])

    @property
    def paired(self) -> bool:
        """True if the state has rows for pairs of players."""
        return any(column.per == "pair" for column in self._columns)

    def pair(self, games: Games) -> None:
        """Sets the row of the pair of each game."""
        low, high = np.minimum(games.a, games.b).astype(np.int64), np.maximum(games.a, games.b).astype(np.int64)
        keys = low * 2**31 + high
        seen = self._pairs
        fresh = keys[~np.isin(keys, seen)]
        key, first = np.unique(fresh, return_index=True)
        rank = np.empty(len(key), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(seen), len(seen) + len(key))
        self._pairs, self._ranks = np.concatenate([seen, key]), np.concatenate([self._ranks, rank])
        by = np.argsort(self._pairs)
        self._pairs, self._ranks = self._pairs[by], self._ranks[by]
        games.pair = frozen_array(self._ranks[np.searchsorted(self._pairs, keys)])

    def start(self) -> State:
        """The state before any game, with the rows there are now."""
        return State.start(self._columns, len(self.id), len(self._pairs))
