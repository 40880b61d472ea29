"""Simulates one contender round by round: its games, its ratings, and the entry of its newcomers."""

from collections.abc import Mapping

import numpy as np
from attrs import frozen

from ratingcore.plugin import BadParameter, Floats, Ints, Sides, State
from ratingcore.plugin.analysis import RULES
from ratingcore_laboratory.contender import Contender
from ratingcore_laboratory.matchmaking import Pairings, pairings
from ratingcore_laboratory.played import Played, month, opening, spread
from ratingcore_laboratory.population import Population, generator
from ratingcore_laboratory.rater import Rater
from ratingcore_laboratory.results import chance, done, due, margins, percentage, score_of, true_rating, wanted
from ratingcore_laboratory.world import World

MARGIN = "\0margin"
"""Suffix of the name of a contender for the random numbers of its margins, which change no other number."""


@frozen(eq=False)
class RoundResults:
    """Results of a contender in a round, with the players who began at its end.

    Parameters
    ----------
    results : Played
        Results that counted for both sides.
    begun : (k,) int
        Ids of the players who were seeded, at `opening` of the round.
    rating : (k,) float64, rating points
    entries : Played or None
        Games of newcomers, which counted for the newcomers alone.
    """

    results: Played
    begun: Ints
    rating: Floats
    entries: Played | None


class Course:
    """The simulation of one contender in a world, round by round.

    Attributes
    ----------
    games : (ids,) int
        Number of results of each player, without entry games.
    last : (ids,) int
        Number of results in the last round.
    table : (ids, 3, 3) int
        Number of results by expected outcome (see `due`) and actual outcome of the player: win, draw, loss.
    round_results : list of RoundResults
        By round, the first before any round; empty unless `keep` is set.
    """

    def __init__(self, contender: Contender, population: Population, seed: int, keep: bool) -> None:
        self.contender = contender
        self.method = contender.method
        self._population = population
        self._random, self._finer = generator(seed, contender.name), generator(seed, f"{contender.name}{MARGIN}")
        self._rater = Rater(contender)
        self._keep = keep
        self.round_results: list[RoundResults] = []
        self.games: Ints = np.empty(0, dtype=np.int64)
        self.last: Ints = np.empty(0, dtype=np.int64)
        self.table: Ints = np.empty((0, 3, 3), dtype=np.int64)

    # ratings of players

    @property
    def estimated(self) -> Floats:
        """Rating of every player; for those who have not appeared the start, or NaN if they enter by results."""
        return self._rater.estimated()

    def true(self, world: World) -> Floats:
        """True rating of every player after the games they have played."""
        return self._true(world, np.arange(len(self.games)), self.games)

    def columns(self) -> Mapping[str, Floats]:
        """Other listed columns of the method, for every player; NaN for those who have not appeared."""
        return self._rater.columns()

    def _true(self, world: World, player: Ints, games: Ints) -> Floats:
        return true_rating(world.evolution, self._population.base[player], games, world.amplitude, world.period)

    # rounds

    def welcome(self, world: World, new: Ints, pool: Ints, round_: int) -> None:
        """Lets new players begin; if newcomers enter by games, they first play these against the pool."""
        self._fit(world)
        players = len(self._population)
        fresh = players - len(self.games)
        self.games = np.concatenate([self.games, np.zeros(fresh, dtype=np.int64)])
        self.last = np.concatenate([self.last, np.zeros(fresh, dtype=np.int64)])
        self.table = np.concatenate([self.table, np.zeros((fresh, 3, 3), dtype=np.int64)])
        self._rater.know(players)
        entries, begun, given = None, new, np.full(len(new), self.contender.begins)
        if self.contender.pooled and round_ > 0:
            begun, given = new[:0], given[:0]
        elif self.contender.seeded:
            rated = pool[~np.isnan(self.estimated[pool])]
            if self.contender.entry == "trial" and len(rated) and len(new) and round_ > 0:
                entries, given = self._enter(world, new, rated, round_)
                begun = new[:0]
            self._rater.plant(new, given)
            given = given[: len(begun)]
        else:
            begun, given = new[:0], given[:0]
        if self._keep:
            if entries is None and not len(begun):
                return
            self._begin(begun, given, entries)

    def _fit(self, world: World) -> None:
        if world.seats > 1 and self.method.reads is not Sides:
            why = f"must be 1, since {self.method.name} reads games of two players: {world.seats}"
            raise BadParameter(world.name, "seats", why)

    def _begin(self, begun: Ints, given: Floats, entries: Played | None) -> None:
        if not self.round_results:
            self.round_results.append(RoundResults(NOTHING, begun, given, entries))
            return
        last = self.round_results[-1]
        both = [part for part in (last.entries, entries) if part is not None]
        self.round_results[-1] = RoundResults(
            last.results, np.concatenate([last.begun, begun]), np.concatenate([last.rating, given]),
            Played.joined(both) if both else None,
        )  # fmt: skip

    def _enter(self, world: World, new: Ints, pool: Ints, round_: int) -> tuple[Played, Floats]:
        """Plays games of newcomers against players of the pool; returns these games and the first ratings from them."""
        n, each = len(new), self.contender.games or world.entry_games
        opponent = self._random.choice(pool, (n, each))
        own = self._true(world, new, self.games[new])
        other = self._true(world, opponent, self.games[opponent])
        percent = chance(own[:, None] - other, world.scale)
        drawn = self._random.integers(1, 101, (n, each))
        score = score_of(percent, drawn, world.half_band)
        faced = self.estimated[opponent]
        rule = RULES[self.contender.rule]
        rating = np.array([rule(*played) for played in zip(faced, score, strict=True)])
        span = month(round_)
        at = spread(opening(round_), span.end, n * each)
        a, b = np.repeat(new, each).astype(np.int32), opponent.ravel().astype(np.int32)
        margin = self._margin(world, percent.ravel(), drawn.ravel(), score.ravel())
        return Played(a[:, None], b[:, None], score.ravel(), at, margin), rating

    def _margin(self, world: World, percent: Floats, drawn: Ints, score: Floats) -> Floats | None:
        """Draws margins of games, for a method that reads points."""
        if not world.margin or not wanted(self.method.needs):
            return None
        return margins(percent, drawn, self._finer.random(len(drawn)), score, world.margin)

    def play(self, world: World, active: Ints, round_: int) -> int:
        """Plays a round and returns the number of its results."""
        self._fit(world)
        sides = self._sides(world, active)
        met = self._match(world, sides)
        played = self._results(world, sides, met, round_)
        self._rater.rate(played, round_)
        if self._keep:
            if not self.round_results:
                self.round_results.append(RoundResults(NOTHING, active[:0], np.empty(0), None))
            self.round_results.append(RoundResults(played, active[:0], np.empty(0), None))
        return len(played)

    def _sides(self, world: World, active: Ints) -> Ints:
        """Members of each side, a row per side: single players, or partners drawn for this round."""
        if world.seats == 1:
            return active[:, None]
        mixed = self._random.permutation(active)  # players left over sit out
        return mixed[: len(active) // world.seats * world.seats].reshape(-1, world.seats)

    def _match(self, world: World, sides: Ints) -> Pairings:
        estimated = self.estimated
        level = np.where(np.isnan(estimated), world.base_mean, estimated)  # unrated players are matched as average ones
        quota = np.rint(self._population.appetite[sides].mean(axis=1) * world.games_mean).astype(np.int64)
        return pairings(
            level[sides].mean(axis=1), quota, self._random,
            width=world.group_width, groups=world.groups, reach=world.reach, tries=world.tries,
        )  # fmt: skip

    def _results(self, world: World, sides: Ints, met: Pairings, round_: int) -> Played:
        """Draws and counts the results, each from the strengths of the players at that moment."""
        n = len(met.a)
        a, b = sides[met.a], sides[met.b]
        strength_a = self._true(world, a, self.games[a] + met.before_a[:, None]).sum(axis=1)
        strength_b = self._true(world, b, self.games[b] + met.before_b[:, None]).sum(axis=1)
        lead = strength_a - strength_b
        margin = None
        if world.seats == 1:
            percent, drawn = chance(lead, world.scale), self._random.integers(1, 101, n)
            score, even = score_of(percent, drawn, world.half_band), 0.5
            margin = self._margin(world, percent, drawn, score)
        else:
            score, percent = percentage(lead, 1.0 - self._random.random(n), world.worth, world.noise)
            even = 50.0
        self._count(due(percent, world.half_band), done(score, even), a, b)
        span = month(round_)
        return Played(a.astype(np.int32), b.astype(np.int32), score, spread(span.start, opening(round_), n), margin)

    def _count(self, should: Ints, did: Ints, a: Ints, b: Ints) -> None:
        players, seats = len(self.games), a.shape[1]
        cells = [np.repeat(3 * x + y, seats) for x, y in ((should, did), (2 - should, 2 - did))]
        where = np.concatenate([9 * a.ravel() + cells[0], 9 * b.ravel() + cells[1]])
        table = np.bincount(where, minlength=9 * players).reshape(players, 3, 3)
        self.last = table.sum(axis=(1, 2))
        self.games = self.games + self.last
        self.table += table

    @property
    def state(self) -> State:
        """The state of the method, a row per player who has appeared."""
        return self._rater.state


NOTHING = Played(np.empty((0, 1), np.int32), np.empty((0, 1), np.int32), np.empty(0), np.empty(0, np.int64))
"""No results."""
