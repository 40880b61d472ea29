"""Ioffe's rating of bridge players: strengths are normal, results are linear in them, Bayes does the rest."""

from collections.abc import Callable, Mapping, Sequence
from math import nan
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from attrs import Factory, evolve, field, frozen

from ratingcore.plugin import (
    DAY,
    QUIET,
    BadParameter,
    BadResult,
    BadValue,
    Bools,
    Cadence,
    Column,
    Fitted,
    Floats,
    Forecast,
    Ints,
    Method,
    Need,
    Rated,
    Sides,
    State,
)
from ratingcore.validators import finite, instance_of, not_negative, one_of, optional, positive
from ratingcore_bridge_bayes.density import NORMAL, Density
from ratingcore_bridge_bayes.density_recorder import DensityRecorder
from ratingcore_bridge_bayes.forecasts import strengths_before
from ratingcore_bridge_bayes.joint import Joint
from ratingcore_bridge_bayes.model_rows import read, unfit
from ratingcore_bridge_bayes.outcome import Outcome
from ratingcore_bridge_bayes.search import TOLERANCE, USUAL, best
from ratingcore_bridge_bayes.separate import Separate
from ratingcore_bridge_bayes.sharing import BAYES, Sharing

if TYPE_CHECKING:
    from attrs import Attribute

PERCENT_K = 4.0 / 1500.0
"""Ioffe's value: 375 points in the sum of two ratings are worth 1 %."""

MOST = 2000
"""Largest number of players with covariances, which then take 32 MB of memory."""
MOST_DRAWS = 100_000
"""Largest number of draws; their error falls with the root of their number."""

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "percent": {"unit": "percent", "s0": 50.0, "k": PERCENT_K, "sigma1": 6.0, "per": "session"},
    "imp": {"unit": "imp", "s0": 0.0, "sigma1": 6.0, "per": "board"},
}


def _days(at: Ints) -> Floats:
    return at / DAY


def _s0(method: "BridgeBayes") -> float:
    return 0.0 if method.unit == "imp" else 50.0


def _k(method: "BridgeBayes") -> float:
    return nan if method.unit == "imp" else PERCENT_K


def _k_given(method: "BridgeBayes", attribute: "Attribute[float]", k: float) -> None:
    if method.unit == "imp" and k != k:
        why = "must be given with unit=imp, for which no source has a value: for example k=0.004"
        raise BadParameter(method.name, "k", why)
    positive(method, attribute, k)


def _seats(method: "BridgeBayes", attribute: "Attribute[int]", n: int) -> None:
    if isinstance(n, bool) or not isinstance(n, int) or not 2 <= n <= MOST:
        raise BadParameter(method.name, attribute.name, f"must be a whole number from 2 to {MOST}: {n!r}")


def _draws(method: "BridgeBayes", attribute: "Attribute[int]", n: int) -> None:
    if isinstance(n, bool) or not isinstance(n, int) or not 2 <= n <= MOST_DRAWS:
        raise BadParameter(method.name, attribute.name, f"must be a whole number from 2 to {MOST_DRAWS}: {n!r}")


def _seed(method: "BridgeBayes", attribute: "Attribute[int]", n: int) -> None:
    if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n < 2**63:
        raise BadParameter(method.name, attribute.name, f"must be a whole number from 0 to 2^63: {n!r}")


def _density(given: Density | str) -> Density:
    try:
        return Density.parse(given) if isinstance(given, str) else given
    except BadValue as error:
        raise BadParameter(BridgeBayes.name, "density", error.why, value=repr(given)) from None


def _sharing(given: Sharing | str) -> Sharing:
    try:
        return Sharing.parse(given) if isinstance(given, str) else given
    except BadValue as error:
        raise BadParameter(BridgeBayes.name, "sharing", error.why, value=repr(given)) from None


@frozen
class BridgeBayes(Method):
    """Bayesian ratings of people who play in pairs and teams and change partners [1]_.

    The strength of a side is the sum of its players' strengths. The score of a side is `s0 + k (own sum - opposing
    sum)` plus normal noise. Strengths that are normal before a result are normal after it, and partners share a change
    in proportion to their variances. Sessions of two sides are a table, a match or a round; sessions of more sides are
    a field, where each pair met the mean of the opposing line.

    Presets: `percent`, sessions scored in percent; `imp`, boards scored in IMPs, for which `k` must be given.

    Parameters
    ----------
    unit : {"percent", "imp"}
        Unit of the scores. A result with another unit in its field `unit` is refused.
    s0 : float, unit of the score
        What equal sides expect: 50 or 0.
    k : float > 0, unit of the score a rating point
        Worth of a point in the sum of a side's ratings.
    sigma1 : float > 0, unit of the score
        Deviation of a result around its expectation when all strengths are known.
    per : {"session", "board"}
        What `sigma1` is the deviation of. Per board, a result of `boards` boards has the variance `sigma1^2 / boards +
        tau^2`; percentages are means over its boards, IMPs are totals.
    tau : float >= 0, unit of the score
        Error that the boards of one session share; needs per=board.
    deviation : float > 0, rating points
        Prior deviation of a newcomer (Ioffe's sigma2).
    drift_var : float >= 0, rating points squared a day
        Growth of the variance of a strength per day, also while a player is idle.
    tracking : {"diag", "fixed", "full"}
        One variance per player; the prior variance, never updated; or all covariances, so that results of others move a
        player too.
    initial : float, rating points
        Rating of a newcomer.
    players : int from 2 to 2000
        Largest number of players in a pool with tracking=full: time and memory grow with its square.
    density : Density, such as normal, student(5), laplace, mixture(0.1,3)
        How a result scatters around its expectation when strengths are known, with the deviation `sigma1`: with heavy
        tails a surprise of many deviations moves little. Sessions then have up to 256 sides.
    draws, seed : int
        Combinations of variances drawn for a session of many sides, and the seed; ignored with density=normal.
    pair_k : float > 0 or None, rating points a unit of the score
        Change of the sum of a side's ratings per unit of surprise; None for the change by Bayes' rule.
    sharing : Sharing, such as variance, deviation, equal, rating(400)
        How the change of a side is shared among its members.

    References
    ----------
    .. [1] M. Ioffe, on applying a modernised Elo system to bridge, in Russian, formulas (8) to (12),
       as written out in the README of this plugin.

    Examples
    --------
    1500 and 1400 beat 1600 and 1550 by 60 to 40, where 49.33 were expected.

    >>> bridge = BridgeBayes(sigma1=10.0)
    >>> state = State.start(bridge.columns(), 4).replace(rating=np.array([1500.0, 1400.0, 1600.0, 1550.0]))
    >>> table = Sides(*map(np.array, ([0, 2], [0, 2, 4], [0, 1, 2, 3], [60.0, 40.0], [0], [1])), span=(0, 1),
    ...               facts={"unit": np.zeros(1), "first_line": np.zeros(1)}, members={"weights": np.ones(4)})
    >>> rated = bridge.rate(state, table)
    >>> rated.expected.round(6).tolist(), rated.state["rating"].round(4).tolist()
    ([49.333333, 50.666667], [1511.2498, 1411.2498, 1588.7502, 1538.7502])
    """

    name = "bridge-bayes"
    formula = 2  # a deviation from a seed grows from its own day, on lists by whole days
    reads = Sides
    cadence = Cadence.CONTINUOUS
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS
    unit: Literal["percent", "imp"] = field(default="percent", validator=one_of("percent", "imp"))
    s0: float = field(default=Factory(_s0, takes_self=True), validator=finite)
    k: float = field(default=Factory(_k, takes_self=True), validator=_k_given)
    sigma1: float = field(default=6.0, validator=positive)
    per: Literal["session", "board"] = field(default="session", validator=one_of("session", "board"))
    tau: float = field(default=0.0, validator=not_negative)
    deviation: float = field(default=200.0, validator=positive)
    drift_var: float = field(default=0.0, validator=not_negative)
    tracking: Literal["diag", "fixed", "full"] = field(default="diag", validator=one_of("diag", "fixed", "full"))
    initial: float = field(default=1500.0, validator=finite)
    players: int = field(default=300, validator=_seats)
    density: Density = field(default=NORMAL, converter=_density, validator=instance_of(Density), metadata=QUIET)
    draws: int = field(default=512, validator=_draws, metadata=QUIET)
    seed: int = field(default=0, validator=_seed, metadata=QUIET)
    pair_k: float | None = field(default=None, validator=optional(positive), metadata=QUIET)
    sharing: Sharing = field(default=BAYES, converter=_sharing, validator=instance_of(Sharing), metadata=QUIET)

    def __attrs_post_init__(self) -> None:
        if self.tau > 0 and self.per != "board":
            raise BadParameter(self.name, "tau", f"needs per=board, not {self.per}: {self.tau!r}")
        if self.drift_var > 0 and self.tracking == "fixed":
            why = f"of {self.drift_var!r} needs tracking=diag or tracking=full: fixed deviations never change"
            raise BadParameter(self.name, "drift_var", why)
        if self.tracking == "full":
            for name, other in (("pair_k", self.pair_k is not None), ("sharing", self.sharing != BAYES)):
                if other:
                    why = f"needs tracking=diag or fixed, since full has the exact posterior: {getattr(self, name)!s}"
                    raise BadParameter(self.name, name, why)
        if self.pair_k is not None and self.density != NORMAL:
            why = f"needs density=normal, since {self.density} itself sets the worth of a surprise: {self.pair_k!r}"
            raise BadParameter(self.name, "pair_k", why)

    @property
    def excuses(self) -> Mapping[str, str]:
        if self.tracking != "full":
            return {}
        why = "covariances are a column of the pool, by rows of players: the law leaves them in place"
        return {"relabelling": why, "rows": why}

    @property
    def needs(self) -> tuple[Need, ...]:
        unit = Need("unit", words={self.unit: 0.0}, default=0.0, leaves_out=True)
        boards = (Need("boards", default=1.0),) if self.per == "board" else ()
        weights = Need("weights", of="member", default=1.0)
        return (unit, Need("first_line", default=0.0), *boards, weights)

    def columns(self) -> tuple[Column, ...]:
        rating = Column("rating", self.initial, unit="points")
        deviation = Column("deviation", self.deviation, unit="points")
        last = Column("last", nan, unit="days since 1970", digits=None, kept=False, seeded=_days)
        if self.tracking == "full":  # no last day: the pool has no covariances of the player
            last, given = evolve(last, seeded=None), evolve(last, name="given")
            shift = Column("shift", unit="points", digits=None, shape=(self.players,), per="pool")
            square = (self.players, self.players)
            return rating, deviation, last, given, shift, Column("covariance", digits=None, shape=square, per="pool")
        return (rating, deviation, last) if self.drift_var > 0 else (rating, deviation)

    def refuses(self, games: Sides) -> Mapping[str, Bools]:
        return unfit(self, games)

    def rate(self, state: State, games: Sides) -> Rated:
        return self.play(state, games).rated()

    def play(self, state: State, results: Sides) -> Outcome:
        """Rates like `rate`; the outcome also has the surprise of every result."""
        reading = read(self, results)
        if self.tracking == "full":
            joint = self._joint(state, f"position {results.position[0]}" if len(results) else "the end")
            outcome = joint.play(reading, self.drift_var)
            return outcome.ended(joint.put(state))
        columns = {name: state.copy(name) for name in state.names}
        separate = Separate(
            columns["rating"], columns["deviation"], columns.get("last", np.empty(0)),
            self.drift_var, self.tracking == "diag",
        )  # fmt: skip
        return separate.play(reading).ended(state.replace(**columns))

    def expected(self, state: State, games: Sides) -> Forecast:
        mean = self._joint(state).mean if self.tracking == "full" else state["rating"]
        reading = read(self, games)
        expected = reading.forecast(mean)
        return Forecast(expected, strengths=strengths_before(reading, expected, state, self.drift_var))

    def fit(self, replay: Callable[[Method], object], what: Sequence[str] = ()) -> Fitted:
        """Estimates some of sigma1, deviation, k and drift_var by predictive likelihood; by default the first two."""

        def tallied(method: BridgeBayes) -> DensityRecorder:
            recorder = DensityRecorder(method, method)
            replay(recorder)
            return recorder

        def likelihood(method: BridgeBayes) -> float:
            return sum(tallied(method).likelihood)

        fitted, estimates, stopped = best(self, likelihood, what or USUAL, TOLERANCE)
        last = tallied(fitted)
        return Fitted(fitted, tuple(estimates), sum(last.likelihood), likelihood(self), sum(last.results), stopped)

    def show(self, state: State, at: int) -> Mapping[str, Floats]:
        """Ratings and deviations on a day: deviations grow by whole days while players are idle."""
        if self.tracking == "full":
            joint = self._joint(state)
            return {
                "rating": joint.mean,
                "deviation": np.sqrt(np.diag(joint.covariances(self.drift_var, self._listed(at)))),
            }
        return {"rating": state["rating"], "deviation": np.sqrt(self.variances(state, at))}

    def variances(self, state: State, at: int) -> Floats:
        """Variance of every player's strength on a day."""
        if self.tracking == "full":
            return np.diag(self._joint(state).covariances(self.drift_var, self._listed(at)))
        own = state["deviation"] ** 2
        if not self.drift_var:
            return own
        idle = np.maximum(np.nan_to_num(self._listed(at) - state["last"]), 0.0)
        return np.asarray(own + self.drift_var * idle)

    def covariances(self, state: State, at: int) -> Floats:
        """Covariance matrix of all players' strengths on a day; diagonal unless tracking=full."""
        if self.tracking == "full":
            return self._joint(state).covariances(self.drift_var, self._listed(at))
        return np.diag(self.variances(state, at))

    def _listed(self, at: int) -> float:
        """The day of a list: deviations grow by whole days."""
        return at // DAY

    def _joint(self, state: State, where: str = "the end") -> Joint:
        n = len(state["rating"])
        if n > self.players:
            why = f"the pool has {n} players, and tracking=full room for {self.players}: raise players, or use diag"
            raise BadResult(self.name, where, why)
        return Joint.of(state)


@frozen
class EarlierBridgeBayes(BridgeBayes):
    """Formula 1: a seeded deviation did not grow until the next result, and lists included drift for parts of days.

    The parameters are those of the present formula.
    """

    formula = 1
    superseded = True

    def columns(self) -> tuple[Column, ...]:
        return tuple(evolve(column, seeded=None) for column in super().columns())

    def _listed(self, at: int) -> float:
        return at / DAY
