"""The result of a run: measures by round, and every player at the end; a measure of several runs as a band."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Self

import numpy as np
from attrs import define, field, frozen

from ratingcore.errors import NotOneOf
from ratingcore.plugin import Floats, Ints
from ratingcore_laboratory.course import RoundResults
from ratingcore_laboratory.measures import MEASURES, Measures
from ratingcore_laboratory.world import World


@frozen(eq=False)
class People:
    """Every player who ever took part, by id.

    Parameters
    ----------
    base : (n,) float64, rating points
    appetite : (n,) float64
    joined, left : (n,) int
        Rounds: 0 for players at the start; -1 for players who have not left.
    """

    base: Floats
    appetite: Floats
    joined: Ints
    left: Ints

    def __len__(self) -> int:
        return len(self.base)

    @property
    def active(self) -> Ints:
        """Ids of the players who have not left."""
        return np.flatnonzero(self.left < 0)


@define(eq=False, slots=False)
class Standing:
    """Ratings and results of every player under one contender at the end, by id.

    Parameters
    ----------
    estimated, true : (n,) float64, rating points
    games, last : (n,) int
        Number of results in all, and in the last round.
    table : (n, 3, 3) int
        Number of results by expected and actual outcome of the player: win, draw, loss.
    columns : mapping of name to (n,) float64
        Other listed columns of the method; NaN for players who have not appeared.
    sample : (s,) int
        Ids of the players whose curves are kept.
    estimated_curve, true_curve : (rounds, s) float64, rating points
        At the end of each round; NaN before a player joined and after they left.
    measures : tuple of Measures
        By round.
    round_results : tuple of RoundResults
        The results, if the laboratory keeps them.
    extremes : (rounds, 2, 2) float64, rating points
        True and estimated rating by round of the player with the highest estimated rating, then of the one with the
        lowest. NaN where nobody is rated.
    """

    estimated: Floats
    true: Floats
    games: Ints
    last: Ints
    table: Ints
    columns: Mapping[str, Floats]
    sample: Ints
    estimated_curve: Floats
    true_curve: Floats
    measures: tuple[Measures, ...]
    round_results: tuple[RoundResults, ...] = field(default=(), repr=False)
    extremes: Floats = field(factory=lambda: np.empty((0, 2, 2)), repr=False)

    def results(self, did: int) -> Ints:
        """Results won, drawn or lost, by id: `did` is `WIN`, `DRAW` or `LOSS`."""
        return np.asarray(self.table[:, :, did].sum(axis=1))

    @cached_property
    def boosts(self) -> dict[str, Ints]:
        """Games with a raised K by id: all of them, and by column of the method; empty if it has no such columns."""
        counts = {name: column for name, column in self.columns.items() if name.startswith("boosts")}
        each = {name: np.nan_to_num(column).astype(np.int64) for name, column in counts.items()}
        return {"boosts": np.sum([*each.values()], axis=0), **each} if each else {}


@frozen(eq=False)
class Trial:
    """The run of a world with some contenders.

    Parameters
    ----------
    world : World
        World of the first round.
    worlds : tuple of World
        Worlds by round.
    seed : int
    contenders, identities : tuple of str
        Names, and methods with all their parameters.
    people : People
    standings : tuple of Standing
        One for each contender.
    """

    world: World
    worlds: tuple[World, ...]
    seed: int
    contenders: tuple[str, ...]
    identities: tuple[str, ...]
    people: People
    standings: tuple[Standing, ...]

    @property
    def rounds(self) -> int:
        """Rounds that were played."""
        return len(self.worlds)

    @property
    def active(self) -> Ints:
        """Active players at the end of each round."""
        first = self.standings[0].measures if self.standings else ()
        return np.array([measures.active for measures in first], dtype=np.int64)

    def __getitem__(self, contender: str) -> Standing:
        if contender not in self.contenders:
            raise NotOneOf.of("contender", contender, self.contenders)
        return self.standings[self.contenders.index(contender)]

    def series(self, contender: str, measure: str) -> Floats:
        """A measure of a contender by round; NaN where it is undefined."""
        if measure not in MEASURES:
            raise NotOneOf.of("measure", measure, MEASURES)
        return np.array([measures.number(measure) for measures in self[contender].measures], dtype=np.float64)


@frozen(eq=False)
class Band:
    """A measure by round, over several seeds; NaN if it is undefined for one of them.

    Parameters
    ----------
    mean, lowest, highest : (rounds,) float64
    """

    mean: Floats
    lowest: Floats
    highest: Floats

    @classmethod
    def of(cls, trials: Sequence[Trial], contender: str, measure: str) -> Self:
        """The band of a measure of one contender; as long as the shortest of the runs."""
        curves = [trial.series(contender, measure) for trial in trials]
        rounds = min(map(len, curves), default=0)
        table = np.array([curve[:rounds] for curve in curves]).reshape(len(curves), rounds)
        if not len(table):
            return cls(np.empty(0), np.empty(0), np.empty(0))
        return cls(table.mean(axis=0), table.min(axis=0), table.max(axis=0))
