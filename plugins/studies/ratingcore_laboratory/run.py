"""The laboratory: one world simulated for several contenders, round by round."""

from collections.abc import Iterator, Sequence
from functools import partial
from math import nan

import numpy as np

from ratingcore.plugin import BadValue, Floats, Ints
from ratingcore.plugin.analysis import run_parts, workers
from ratingcore_laboratory.contender import Contender
from ratingcore_laboratory.course import Course
from ratingcore_laboratory.measures import Measures
from ratingcore_laboratory.population import Population
from ratingcore_laboratory.trial import People, Standing, Trial
from ratingcore_laboratory.world import World

CURVES = 5000
"""Approximate number of players whose curves are kept; of more players, every n-th one by id."""


class Laboratory:
    """A world with contenders that share its players, arrivals and departures.

    The population and every contender have random numbers of their own, so that adding a contender changes nothing for
    the others. Pairings differ between contenders, because they depend on ratings.

    Parameters
    ----------
    world : World
    contenders : sequence of Contender
        With different names; at least one.
    seed : int >= 0
    keep : bool
        Keep every result, so that the run can be written as a log.
    follow : sequence of int
        Ids of players, who need not have joined yet, whose curves are kept in any case.

    Attributes
    ----------
    world : World
        May be changed between rounds.
    round : int
        Rounds played.

    Examples
    --------
    >>> from ratingcore.plugin.analysis import Registry
    >>> elo = Contender("elo", Registry.installed().method("elo:k=15,initial=1100"))
    >>> laboratory = Laboratory(World(players=50, rounds=3), [elo], seed=1)
    >>> first = laboratory.step()
    >>> laboratory.add(base=[1500.0, 1600.0])
    >>> trial = laboratory.run()
    >>> trial.rounds, trial.series("elo", "mean").shape
    (3, (3,))
    """

    def __init__(
        self, world: World, contenders: Sequence[Contender], seed: int = 1, *, keep: bool = False,
        follow: Sequence[int] = (),
    ) -> None:  # fmt: skip
        names = [contender.name for contender in contenders]
        if not names:
            raise BadValue("contenders", names, "must be one or more")
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise BadValue("contenders", twice, "must have different names; given twice is")
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise BadValue("seed", seed, "must be a whole number, zero or more")
        self.world = world
        self.seed = seed
        self.contenders = tuple(contenders)
        self._population = Population(seed)
        self._courses = [Course(contender, self._population, seed, keep) for contender in contenders]
        self._worlds: list[World] = []
        self._measures: list[list[Measures]] = [[] for _ in contenders]
        expected = world.players + world.batch + world.rounds * max(world.joining_mean, 0.0)
        self._stride = max(1, int(np.ceil(expected / CURVES)))
        self._follow = np.array(sorted(set(follow)), dtype=np.int64)
        self._curves: list[list[tuple[Floats, Floats]]] = [[] for _ in contenders]
        self._extremes: list[list[Floats]] = [[] for _ in contenders]
        self._welcome(self._population.born(world, world.players, 0))

    @property
    def round(self) -> int:
        """Rounds played."""
        return len(self._worlds)

    def step(self) -> dict[str, Measures]:
        """Plays one round and returns the measures of each contender.

        Games are played and rated, some players leave, the ratings of those who stay are measured, others join.
        """
        population, world, active = self._population, self.world, self._population.active
        number = self.round + 1
        games = [course.play(world, active, number) for course in self._courses]
        self._worlds.append(world)
        population.leave(world, number)
        stay = population.active
        lists = zip(self._courses, games, self._measures, self._curves, self._extremes, strict=True)
        for course, played, measures, curves, extremes in lists:
            true, estimated = course.true(world), course.estimated
            measures.append(Measures.of(stay, true[stay], estimated[stay], played))
            extremes.append(_extreme(measures[-1], true, estimated))
            sample = self._sample()
            there = population.left[sample] < 0
            curves.append((np.where(there, estimated[sample], np.nan), np.where(there, true[sample], np.nan)))
        self._welcome(population.join(world, number))
        return {name: measures[-1] for name, measures in zip(self._names, self._measures, strict=True)}

    def add(self, base: Sequence[float] | Floats, appetite: Sequence[float] | Floats | None = None) -> None:
        """Adds players with given strengths.

        Parameters
        ----------
        base : (n,) rating points
        appetite : (n,) numbers of zero or more, or None
            Games wanted in units of the world's mean; 1 if None.
        """
        strengths = np.asarray(base, dtype=np.float64).ravel()
        wanted = np.ones(len(strengths)) if appetite is None else np.asarray(appetite, dtype=np.float64).ravel()
        if len(wanted) != len(strengths):
            raise BadValue("appetite", len(wanted), f"must have as many numbers as base, {len(strengths)}")
        for what, values, fits in (
            ("base", strengths, np.isfinite(strengths)),
            ("appetite", wanted, np.isfinite(wanted) & (wanted >= 0.0)),
        ):
            if not fits.all():
                raise BadValue(
                    what, float(values[~fits][0]), "is not a strength" if what == "base" else "is not an appetite"
                )
        pool = self._population.active
        self._welcome(self._population.add(strengths, wanted, self.round), pool)

    def run(self) -> Trial:
        """Plays the remaining rounds of the world."""
        while self.round < self.world.rounds:
            self.step()
        return self.trial()

    def trial(self) -> Trial:
        """The results so far."""
        people = self._population
        world = self._worlds[0] if self._worlds else self.world
        return Trial(
            world, tuple(self._worlds), self.seed, self._names,
            tuple(contender.identity for contender in self.contenders),
            People(people.base, people.appetite, people.joined, people.left.copy()),
            tuple(self._standing(number) for number in range(len(self._courses))),
        )  # fmt: skip

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(contender.name for contender in self.contenders)

    def _welcome(self, new: Ints, pool: Ints | None = None) -> None:
        members = np.setdiff1d(self._population.active, new) if pool is None else pool
        for course in self._courses:
            course.welcome(self.world, new, members, self.round)

    def _standing(self, number: int) -> Standing:
        course, sample = self._courses[number], self._sample()
        estimated, true = (self._curve([pair[which] for pair in self._curves[number]], sample) for which in (0, 1))
        world = self._worlds[-1] if self._worlds else self.world
        return Standing(
            course.estimated, course.true(world), course.games, course.last, course.table.copy(), course.columns(),
            sample, estimated, true, tuple(self._measures[number]), tuple(course.round_results),
            np.array(self._extremes[number]).reshape(-1, 2, 2),
        )  # fmt: skip

    def _sample(self) -> Ints:
        """Ids of the players whose curves are kept, in ascending order: players who join later come last."""
        n = len(self._population)
        return np.union1d(np.arange(0, n, self._stride), self._follow[self._follow < n])

    def _curve(self, rounds: list[Floats], sample: Ints) -> Floats:
        curve = np.full((len(rounds), len(sample)), np.nan)
        for row, ratings in zip(curve, rounds, strict=True):
            row[: len(ratings)] = ratings
        return curve


def _extreme(measures: Measures, true: Floats, estimated: Floats) -> Floats:
    """True and estimated rating of the best and of the worst estimated player."""
    who = measures.whose_smallest, measures.whose_largest
    return np.array([[nan, nan] if player is None else [true[player], estimated[player]] for player in who])


def trials(
    world: World,
    contenders: Sequence[Contender],
    seeds: Sequence[int],
    jobs: int | None = 1,
    *,
    follow: Sequence[int] = (),
) -> Iterator[Trial]:
    """Runs the same world with several seeds; yields trials in the order of the seeds.

    `jobs` is the number of workers; None uses those of the user's `joblib.parallel_config`. Curves of the players in
    `follow` are kept in any case.

    Raises
    ------
    BadValue
        If a seed is given twice: the same run would count as two samples.
    """
    if len(set(seeds)) < len(seeds):
        raise BadValue("seeds", list(seeds), "must be different")
    count = min(workers(jobs), len(seeds))
    if count <= 1:
        yield from (Laboratory(world, contenders, seed, follow=follow).run() for seed in seeds)
        return
    yield from run_parts(partial(_run, world, tuple(contenders), follow=tuple(follow)), seeds, count)


def _run(world: World, contenders: Sequence[Contender], seed: int, *, follow: Sequence[int]) -> Trial:
    return Laboratory(world, contenders, seed, follow=follow).run()
