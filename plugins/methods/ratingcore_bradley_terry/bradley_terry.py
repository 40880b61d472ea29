"""Bradley and Terry's model: the strengths of a whole pool under which its results are most likely."""

from collections.abc import Mapping
from functools import cached_property
from math import exp, inf, log, nan, sqrt
from typing import Any, ClassVar, Literal

import numpy as np
from attrs import define, field, frozen

from ratingcore.plugin import (
    DAY,
    QUIET,
    BadParameter,
    BadResult,
    Bools,
    Cadence,
    Column,
    Floats,
    Forecast,
    Games,
    Ints,
    Method,
    Need,
    Solved,
    State,
    significant_digits,
)
from ratingcore.plugin.curves import LN10, expit, ndtr
from ratingcore.plugin.rules import HOME
from ratingcore.validators import finite, instance_of, not_negative, one_of, optional, positive
from ratingcore_bradley_terry.covariates import Covariates
from ratingcore_bradley_terry.curvature import DENSE, Curvature, Root
from ratingcore_bradley_terry.field import Field, gathered, parts, with_prior
from ratingcore_bradley_terry.fit import SHOWN, STEPS, Fit, fitted
from ratingcore_bradley_terry.models import DAVIDSON, HALF, RAO_KUPPER
from ratingcore_bradley_terry.scatter import of_clusters, of_half_points, of_weights

DAYS = "day"
MODELS = {"half": HALF, "davidson": DAVIDSON, "rao_kupper": RAO_KUPPER}
OK, NO_RESULTS, REDUCIBLE, ALONE, ONE_CLUSTER = range(5)
STATUS = ("ok", "no results", "reducible", "alone", "one cluster")

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "ordo": {"scale": 202.0 * LN10 / log(0.76 / 0.24), "mean": 2300.0, "parts": True},
    "bayeselo": {"ties": "rao_kupper", "draw": 10.0 ** (97.3 / 400.0), "home": 32.8, "prior_draws": 2.0},
}


@frozen
class BradleyTerry(Method):
    """The most likely strengths of a whole pool and their deviations, from all results at once [1]_ [4]_.

    Presets: `ordo` and `bayeselo`, the programs of M. Ballicora and R. Coulom for engines; see the README.

    Parameters
    ----------
    ties : {"half", "davidson", "rao_kupper"}
        A draw is half a win and half a loss, or an outcome of its own by one of two models [2]_ [3]_.
    draw : float > 0 or None
        Draw parameter: nu of `davidson`, theta of `rao_kupper` (above 1); None estimates it. Not read by `half`.
    home : float or None, rating points
        Added to the gap for the side named by the result field `home`; None estimates it.
    prior_games : float >= 0, games
        Wins, and as many losses, that every player is given against an imaginary player at the mean.
    prior_draws : float >= 0, games
        Draws that players are given on average, shared among the opponents they met.
    gauge : {"mean", "seeds"}
        What fixes the level: the mean rating, or the seeds, who keep their ratings. With `mean`, seeds are ignored.
    mean : float, rating points
        Mean rating of the pool, or of each part of it.
    parts : bool
        Whether a pool that is not strongly connected is rated part by part; otherwise nobody in it is rated.
    deviations : bool
        Whether deviations are computed.
    scale : float > 0, rating points
        Width of the logistic curve.
    clusters : str or None
        Field of results, such as a voter or an opening: results with the same value may err together, and deviations
        allow for that. `day` is the day of a result. A result without the field is independent of all others.
    weights : str or None
        Field of results with the weight of each, a millionth to a million, and 1 without the field. For deviations, a
        result of weight 2 is one result that counts twice, not two. Results of another weight, such as 0, are left out.
    with_ : Covariates
        Fields of results in which sides differ, such as the lengths of two answers: `with=style_length+first`. Ratings
        are those of equal sides. Spelt `with` in a method text.

    References
    ----------
    .. [1] R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39, 1952.
    .. [2] R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties", JASA 65, 1970.
    .. [3] P. V. Rao, L. L. Kupper, "Ties in paired-comparison experiments", JASA 62, 1967.
    .. [4] H. White, "Maximum likelihood estimation of misspecified models", Econometrica 50, 1982.

    Examples
    --------
    Three wins and a loss are 190.85 points.

    >>> method = BradleyTerry()
    >>> four = np.arange(1, 5)
    >>> games = Games(np.zeros(4, dtype=int), np.ones(4, dtype=int), np.array([1.0, 1.0, 1.0, 0.0]), four, four, (0, 5))
    >>> solved = method.rate(State.start(method.columns(), players=2), games)
    >>> solved.state["rating"].round(6).tolist(), solved.state["deviation"].round(3).tolist()
    ([95.424251, -95.424251], [100.296, 100.296])
    >>> round(superiority(solved, 0, 1), 4)
    0.8293
    """

    name = "bradley-terry"
    formula = 3  # deviations allow for draws, which vary less than wins and losses
    cadence = Cadence.RETROSPECTIVE
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS
    ties: Literal["half", "davidson", "rao_kupper"] = field(
        default="half", validator=one_of("half", "davidson", "rao_kupper")
    )
    draw: float | None = field(default=None, validator=optional(positive))
    home: float | None = field(default=0.0, validator=optional(finite))
    prior_games: float = field(default=0.0, validator=not_negative)
    prior_draws: float = field(default=0.0, validator=not_negative)
    gauge: Literal["mean", "seeds"] = field(default="mean", validator=one_of("mean", "seeds"))
    mean: float = field(default=0.0, validator=finite)
    parts: bool = field(default=False, validator=instance_of(bool))
    deviations: bool = field(default=True, validator=instance_of(bool))
    scale: float = field(default=400.0, validator=positive)
    clusters: str | None = field(default=None, metadata=QUIET)
    weights: str | None = field(default=None, metadata=QUIET)
    with_: Covariates = field(default=Covariates(), metadata=QUIET, validator=instance_of(Covariates))

    def __attrs_post_init__(self) -> None:
        if self.ties == "rao_kupper" and self.draw is not None and self.draw <= 1.0:
            raise BadParameter(self.name, "draw", f"must be above 1 where ties=rao_kupper: {self.draw!r}")

    @property
    def needs(self) -> tuple[Need, ...]:
        labels = () if self.clusters in (None, DAYS) else (Need(self.clusters, labels=True, default=0.0),)
        weights = () if self.weights is None else (Need(self.weights, default=nan, least=1e-6, most=1e6),)
        return (*(() if self.home == 0.0 else (HOME,)), *labels, *weights, *self.with_.needs)

    def columns(self) -> tuple[Column, ...]:
        significant = significant_digits(self.scale)
        deviation = (Column("deviation", nan, unit="points", significant=significant, kept=False),)
        return (
            Column("rating", nan, unit="points", significant=significant),
            *(deviation if self.deviations else ()),
            Column("status", NO_RESULTS, labels=STATUS, kept=False),
            Column("part", 0.0, digits=0 if self.parts else None, kept=False),
            Column("edge", 0.0, per="pool", digits=None),
            Column("drawn", 0.0, per="pool", digits=None),
            *([Column("per_unit", 0.0, shape=(k,), per="pool", digits=None)] if (k := len(self.with_.names)) else []),
        )

    def refuses(self, games: Games) -> Mapping[str, Bools]:
        if self.ties == "half":
            return {}
        return {"neither win, draw nor loss": ~np.isin(games.score, (0.0, 0.5, 1.0))}

    def rate(self, state: State, games: Games) -> Solved:
        self._check_scores(games)
        state = self._before_results(state)
        rows = np.unique(np.concatenate([games.a, games.b]))
        if not len(rows):
            return Solved(state, np.empty(0))
        covariates, scale = self.with_.scaled(games, self.name)
        pool = _Pool.of(self, state, games, rows, covariates)
        solution = pool.fit()
        rating, status = state.copy("rating"), state.copy("status")
        number = pool.numbered()
        rating[rows], status[rows] = pool.ratings(solution), pool.status
        part = state.copy("part")
        part[rows] = number
        filled = {"rating": rating, "status": status, "part": part}
        root, degrees = self._scatter(solution)
        joint = _Joint(rows, np.where(degrees > 0.0, pool.status, nan), self._slope, solution.curvature, root)
        if self.deviations:
            filled["deviation"] = state.copy("deviation")
            filled["deviation"][rows] = joint.deviations()
            if not degrees > 0.0:
                status[rows] = np.where(pool.status == OK, ONE_CLUSTER, pool.status)
        edges, drawn = solution.edges / self._slope, exp(solution.draw)
        filled |= {"per_unit": edges[None, 1:] / scale} if self.with_.names else {}
        after = state.replace(edge=edges[:1], drawn=np.array([drawn]), **filled)
        stopped = f"after {STEPS} steps, the last of {solution.moved / self._slope:.2g} points"
        return Solved(
            after, self.expected(after, games).expected, covariance=joint, degrees=degrees,
            stopped=stopped if solution.moved > SHOWN else "",
            coefficients=self.with_.worth(solution, scale, 1.0 / self._slope, root, degrees),
        )  # fmt: skip

    def _scatter(self, fit: Fit) -> tuple[Root | None, float]:
        """Returns the root of the scatter of results, None if it equals the curvature, and the degrees of freedom."""
        if self.clusters is not None and len(fit.curvature.field.i):
            root, clusters = of_clusters(MODELS[self.ties], fit)
            return root, clusters - 1.0
        return (of_half_points if self.ties == "half" else of_weights)(fit), inf

    def _clusters(self, games: Games) -> Ints:
        """Number of the cluster of each game; a game without the field is a cluster of its own."""
        if self.clusters is None:
            return np.zeros(len(games), dtype=np.int64)
        if self.clusters == DAYS:
            day = games.played // DAY
            return np.asarray(day - min(int(day.min(initial=0)), 0))
        label = games[self.clusters].astype(np.int64)
        self._check_given("clusters", self.clusters, label != 0)
        own_cluster = int(label.max(initial=0)) + 1 + np.arange(len(label))
        return np.where(label == 0, own_cluster, label)

    def _weights(self, games: Games) -> Floats:
        if self.weights is None:
            return np.ones(len(games))
        weight = games[self.weights]
        self._check_given("weights", self.weights, ~np.isnan(weight))
        return np.nan_to_num(weight, nan=1.0)

    def _check_given(self, parameter: str, name: str, given: Bools) -> None:
        """Refuses a field that no game has."""
        if len(given) and not given.any():
            raise BadParameter(self.name, parameter, f"names a field that no result has: {name!r}")

    def _before_results(self, state: State) -> State:
        """The state without the ratings of seeds, which are on another scale, unless seeds fix the level."""
        unrated = np.full(len(state["rating"]), nan)
        seeded = [name for name in ("rating", "deviation") if name in state]
        return state if self.gauge == "seeds" else state.replace(**dict.fromkeys(seeded, unrated))

    def expected(self, state: State, games: Games) -> Forecast:
        """Expected score by the ratings of the state; NaN without two comparable ratings."""
        gap = state["rating"][games.a] - state["rating"][games.b]
        if self.home != 0.0:
            gap = gap + state["edge"][0] * games["home"]
        if self.with_.names:
            gap = gap + self.with_.of(games) @ state["per_unit"][0]
        part = state["part"]
        d = np.where(part[games.a] == part[games.b], gap, nan) * self._slope
        if self.ties == "half":
            return Forecast(expit(d))
        x = state["drawn"][0]
        if self.ties == "davidson":
            half = np.exp(-0.5 * np.abs(d))
            whole = 1.0 + half * half + x * half
            best, least = 1.0 / whole, half * half / whole
            win, loss = np.where(d >= 0.0, best, least), np.where(d >= 0.0, least, best)
        else:
            shift = log(max(x, 1.0))
            win, loss = expit(d - shift), expit(-d - shift)
        return Forecast(0.5 + 0.5 * (win - loss), np.maximum(1.0 - win - loss, 0.0))

    @property
    def _slope(self) -> float:
        return LN10 / self.scale

    def _check_scores(self, games: Games) -> None:
        for g in np.flatnonzero(np.isnan(games.score))[:1].tolist():
            raise BadResult(self.name, f"position {games.position[g]}", "it has no score")
        if self.ties == "half":
            return
        for g in np.flatnonzero(~np.isin(games.score, (0.0, 0.5, 1.0)))[:1].tolist():
            why = f"where ties={self.ties} a game is won, drawn or lost: {float(games.score[g])!r}"
            raise BadResult(self.name, f"position {games.position[g]}", why)


@frozen
class SecondBradleyTerry(BradleyTerry):
    """Formula 2: deviations treated draws as just as uncertain as wins and losses.

    The parameters are those of the current formula.
    """

    formula = 2
    superseded = True

    def _scatter(self, fit: Fit) -> tuple[Root | None, float]:
        return super()._scatter(fit) if self.clusters is not None else (None, inf)


@frozen
class EarlierBradleyTerry(SecondBradleyTerry):
    """Formula 1: players without results had the rating of their seed, whatever its scale.

    The parameters are those of the current formula.
    """

    formula = 1

    def _before_results(self, state: State) -> State:
        return state


@frozen(eq=False)
class _Pool:
    """The players of one call: their results, the ratings that seeds fix, and the parts that can be compared."""

    method: BradleyTerry
    field: Field
    given: Floats
    part: Ints
    status: Floats
    rated: Floats

    @classmethod
    def of(cls, method: BradleyTerry, state: State, games: Games, rows: Ints, covariates: Floats) -> "_Pool":
        row = np.zeros(len(state["rating"]), dtype=np.int64)
        row[rows] = np.arange(len(rows))
        n, ties = len(rows), method.ties != "half"
        home = games["home"] if method.home != 0.0 else np.zeros(len(games))
        clusters, weights = method._clusters(games), method._weights(games)
        results = gathered(games, row, np.column_stack([home, covariates]), ties, clusters, weights)
        results = with_prior(results, n, method.prior_games, method.prior_draws, not ties)
        given = np.append(state["rating"][rows] if method.gauge == "seeds" else np.full(n, nan), method.mean)
        held = np.flatnonzero(~np.isnan(given)) if method.prior_games else np.flatnonzero(~np.isnan(given[:n]))
        part = parts(results, n + 1, held)
        size = np.bincount(part[:n], minlength=n + 1)[part[:n]]
        anchored = np.isin(part[:n], part[held])
        status = np.where((size > 1) | anchored, OK, ALONE).astype(np.float64)
        if not method.parts and len(np.unique(part[:n])) > 1:
            status[:] = REDUCIBLE
        return cls(method, results, given, part, status, (status == OK).astype(np.float64))

    def fit(self) -> Fit:
        """Fits all parts at once, from the results between players of one part who are rated."""
        method, n = self.method, len(self.status)
        results = self.field
        rated = np.append(self.rated, float(method.prior_games > 0.0)) > 0.0
        same_part = (self.part[results.i] == self.part[results.j]) & rated[results.i] & rated[results.j]
        results = results.take(np.flatnonzero(same_part))
        slope = method._slope
        theta = np.where(np.isnan(self.given), 0.0, self.given - method.mean) * slope
        free = np.append(np.isnan(self.given) & rated, np.zeros(results.terms.shape[1] + 1)).astype(np.float64)
        edges = np.zeros(results.terms.shape[1])
        edges[0] = 0.0 if method.home is None else method.home * slope
        free[n + 1 : n + 1 + len(edges)] = float(bool(len(results.i)))
        free[n + 1] = float(method.home is None and bool(results.terms[:, 0].any()))
        drawn = bool(results.drawn.any())
        draw = log(method.draw) if method.draw is not None else (log(2.0) if method.ties == "rao_kupper" else 0.0)
        if method.draw is None and not drawn:
            draw = -inf if method.ties == "davidson" else 0.0
        free[-1] = float(method.ties != "half" and method.draw is None and drawn)
        part = np.where(rated, self.part, self.part.max() + 1 + np.arange(n + 1))
        if len(results.i):
            method.with_.check_distinct(results, free, part, method.name)
        fit = fitted(MODELS[method.ties], results, theta, edges, max(draw, -700.0), free, part)
        method.with_.check_bounded(fit, method.name)
        return fit

    def ratings(self, solution: Fit) -> Floats:
        """Ratings in points; a part whose level neither seeds nor results fix has the mean rating `mean`."""
        n = len(self.status)
        curvature = solution.curvature
        theta = curvature.centred(np.append(solution.theta, np.zeros(len(curvature.free) - n - 1)))[:n]
        level = np.where(curvature.floating[:n] > 0.0, theta, solution.theta[:n]) / self.method._slope
        points = np.where(np.isnan(self.given[:n]), level + self.method.mean, self.given[:n])
        return np.where(self.status == OK, points, nan)

    def numbered(self) -> Floats:
        """Number of each player's part, from 1 in the order of the parts' first players."""
        _, first, place = np.unique(self.part[: len(self.status)], return_index=True, return_inverse=True)
        rank = np.empty(len(first))
        rank[np.argsort(first)] = np.arange(1, len(first) + 1)
        return rank[place]


@define(eq=False, slots=False)
class _Joint:
    """Covariances of ratings by rows of the state, computed on request."""

    rows: Ints
    status: Floats
    slope: float
    curvature: Curvature
    root: Root | None
    _solved: tuple[int, Floats] = field(factory=lambda: (-1, np.empty(0)), init=False)

    @cached_property
    def _place(self) -> dict[int, int]:
        return {row: n for n, row in enumerate(self.rows.tolist())}

    @cached_property
    def _whole(self) -> Floats:
        return self.curvature.covariance(self.root)

    def deviations(self) -> Floats:
        n = len(self.rows)
        small = len(self.curvature.part) <= DENSE
        variance = np.diag(self._whole)[:n] if small else self.curvature.variances(self.root)[:n]
        points = np.sqrt(np.maximum(variance, 0.0)) / self.slope
        return np.where(self.status == OK, points, nan)

    def __call__(self, i: int, j: int) -> float:
        if i not in self._place or j not in self._place:
            return nan
        a, b = self._place[i], self._place[j]
        part = self.curvature.part
        if self.status[a] != OK or self.status[b] != OK or part[a] != part[b]:
            return nan
        if len(part) <= DENSE:
            return float(self._whole[a, b]) / self.slope**2
        solved = self._solved
        if solved[0] != a:  # callers usually ask for all pairs of one player in turn
            solved = self._solved = a, self.curvature.covariances_of(a, self.root)
        return float(solved[1][b]) / self.slope**2


def superiority(solved: Solved, i: int, j: int) -> float:
    """Likelihood that the player in row `i` is stronger than the one in row `j`, given all results.

    Parameters
    ----------
    solved : Solved
        The result of the method for a whole pool.
    i, j : int
        Rows of the players in the state.
    """
    joint = solved.covariance
    assert joint is not None
    variance = joint(i, i) + joint(j, j) - 2.0 * joint(i, j)
    gap = float(solved.state["rating"][i] - solved.state["rating"][j])
    if not variance > 0.0:
        return 0.5 + 0.5 * float(np.sign(gap))
    return float(ndtr(np.array([gap / sqrt(variance)]), solved.degrees)[0])
