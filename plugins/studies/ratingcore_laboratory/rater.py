"""The ratings of one contender: the state of its method, fed with the results of each round."""

from collections.abc import Mapping

import numpy as np

from ratingcore.plugin import Cadence, Floats, Games, Ints, Rated, Sides, State
from ratingcore.plugin.analysis import Answers, cuts_of, owned
from ratingcore_laboratory.calendar import month
from ratingcore_laboratory.contender import Contender
from ratingcore_laboratory.newcomers import Newcomers
from ratingcore_laboratory.played import Played
from ratingcore_laboratory.seats import Seating


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
        """The state of the method, a row a player who has appeared."""
        return self._state

    def know(self, players: int) -> None:
        """Makes room for this number of ids."""
        self._seating.know(players)

    def estimated(self) -> Floats:
        """Rating of every player; for those who have not appeared the start, or NaN where they enter by results."""
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

    def _rate_and_admit(self, newcomers: Newcomers, played: Played, round_: int) -> None:
        """Rates the games of two rated players; those of an unrated one with a rated one count for the former alone."""
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
