"""The results of a pool as matrices, their solution by least squares, and the base class of the methods."""

from abc import abstractmethod
from typing import Any

import numpy as np
from attrs import frozen

from ratingcore.plugin import BadResult, Cadence, Column, Floats, Games, Ints, Method, Need, Solved, State

OK, NO_RESULTS, APART = range(3)
STATUS = ("ok", "no results", "not connected")
CLOSE, SHOWN = 1e-14, 1e-8
"""Relative residual at which the solution of the equations ends, and residual above which lists mention it."""

POINTS = (Need("points_a", least=0.0), Need("points_b", least=0.0))


def scored(games: Games, counts: str) -> tuple[Floats, Floats]:
    """Returns what each side scored: its points, or its share of the point."""
    return (games["points_a"], games["points_b"]) if counts == "points" else (games.score, 1.0 - games.score)


@frozen(eq=False)
class Pool:
    """The players who have results, numbered from 0, with the part of the pool to which each belongs.

    Two players belong to one part if a chain of results connects them.
    """

    rows: Ints
    a: Ints
    b: Ints
    part: Ints

    @classmethod
    def of(cls, games: Games, method: str) -> "Pool":
        """Builds the pool of these games; raises `BadResult` if a game has no score."""
        from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]  # scipy has no types; slow

        for g in np.flatnonzero(np.isnan(games.score))[:1].tolist():
            raise BadResult(method, f"position {games.position[g]}", "it has no score")
        rows, place = np.unique(np.concatenate([games.a, games.b]), return_inverse=True)
        a, b = place[: len(games)], place[len(games) :]
        _, part = connected_components(_sparse(np.ones(len(a)), a, b, len(rows)), directed=False)
        return cls(rows, a, b, np.asarray(part, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.rows)

    def sums(self, of_a: Floats, of_b: Floats) -> Floats:
        """Sums, for each player, of a number that each result has for each side."""
        n = len(self)
        return np.asarray(np.bincount(self.a, of_a, n) + np.bincount(self.b, of_b, n), dtype=np.float64)

    def between(self, of_a: Floats, of_b: Floats) -> Any:
        """A sparse matrix: row i, column j is the sum of what i scored against j."""
        return _sparse(np.append(of_a, of_b), np.append(self.a, self.b), np.append(self.b, self.a), len(self))

    def means(self, column: Floats) -> Floats:
        """The mean of a column over the part that each player belongs to."""
        return (np.bincount(self.part, column) / np.bincount(self.part))[self.part]

    def filled(self, state: State, rating: Floats, parts: bool) -> State:
        """Returns the state with these ratings; players without results are unrated.

        All players of a pool that is not connected are unrated, too, unless `parts`.
        """
        start, whole = unrated(state), parts or not self.part.any()
        new = {name: start.copy(name) for name in start.names}
        new["rating"][self.rows] = rating if whole else np.nan
        new["status"][self.rows] = OK if whole else APART
        if "part" in new:
            new["part"][self.rows] = self.part
        return start.replace(**new)


def unrated(state: State) -> State:
    """The state without ratings, since seeds are on another scale."""
    players = len(state["rating"])
    blank = {"rating": np.nan, "status": float(NO_RESULTS), "part": 0.0}
    return state.replace(**{name: np.full(players, value) for name, value in blank.items() if name in state})


def _sparse(values: Floats, i: Ints, j: Ints, n: int) -> Any:
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]  # as above

    return csr_matrix((values, (i, j)), (n, n))


def least_squares(pool: Pool, ahead: Floats, prior: float) -> tuple[Floats, float]:
    """Least-squares ratings: their gaps come closest to the leads in the results; found by conjugate gradients.

    Parameters
    ----------
    ahead : (n,) float64
        How far `a` came ahead of `b` in each result.
    prior : float >= 0
        Number of draws against a rating of 0 that are added for each player.

    Returns
    -------
    (players,) float64 and float
        Ratings, and the residual of the equations.
    """
    ones = np.ones(len(ahead))
    games, met = pool.sums(ones, ones) + prior, pool.between(ones, ones)
    rating, residual = np.zeros(len(pool)), pool.sums(ahead, -ahead)
    goal = CLOSE * float(np.linalg.norm(residual))
    direction, before = np.zeros(len(pool)), 1.0
    for _ in range(20 * len(pool) + 100):
        if float(np.linalg.norm(residual)) <= goal:
            break
        scaled = residual / games  # preconditioned by the diagonal
        now = float(residual @ scaled)
        direction = scaled + (now / before) * direction if direction.any() else scaled
        change = games * direction - met @ direction
        curvature = float(direction @ change)
        if not curvature > 0.0:
            break
        rating += now / curvature * direction
        residual -= now / curvature * change
        before = now
    return rating, float(np.linalg.norm(residual))


def not_converged(residual: float, unit: str) -> str:
    """The note on lists about a solution that stopped before it converged; empty if it converged."""
    return "" if residual <= SHOWN else f"with {residual:.1g} {unit} left over"


class WholePoolMethod(Method):
    """Base of the methods that solve the equations of a whole pool; without results nobody is rated."""

    cadence = Cadence.RETROSPECTIVE
    counts: str = "score"

    @property
    def needs(self) -> tuple[Need, ...]:
        return POINTS if self.counts == "points" else ()

    def columns(self) -> tuple[Column, ...]:
        return (
            Column("rating", np.nan, significant=6),
            Column("status", NO_RESULTS, labels=STATUS, kept=False),
            Column("part", 0.0, digits=None, kept=False),
        )

    def rate(self, state: State, games: Games) -> Solved:
        if not len(games):
            return Solved(unrated(state), np.empty(0))
        after, stopped = self.solved(state, games, Pool.of(games, self.name))
        return Solved(after, self.expected(after, games).expected, stopped=stopped)

    @abstractmethod
    def solved(self, state: State, games: Games, pool: Pool) -> tuple[State, str]:
        """Returns the state with the ratings of a pool that has results, and the note of `not_converged`."""
