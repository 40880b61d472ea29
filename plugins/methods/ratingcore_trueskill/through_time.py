"""TrueSkill through time: the skill of each player at each game, from earlier and later games."""

from collections.abc import Mapping
from math import inf, nan, sqrt
from statistics import NormalDist

import numpy as np
from attrs import evolve, field, frozen

from ratingcore.plugin import (
    DAY,
    BadParameter,
    BadResult,
    Cadence,
    Column,
    Floats,
    Forecast,
    Games,
    Ints,
    Method,
    Solved,
    State,
    Track,
)
from ratingcore.plugin.curves import ndtr
from ratingcore.validators import between, finite, not_negative, positive
from ratingcore_trueskill.messages import chained_places, sweep
from ratingcore_trueskill.pool_level import PoolLevel

SWEEPS = 2000
HASTE, SLOW = 10, 0.05
"""Every `HASTE` sweeps, the limit of the messages is extrapolated if they converge slowly, as between parts of a pool
that seldom meet: if their changes are still more than the share `SLOW` of those `HASTE` sweeps before."""
LEVELS = (1, 5)
"""Numbers, from 0, of the sweeps in every ten after which the level of the pool is settled."""
SHOWN = 1e-7
"""Change of messages, in the unit of `REST`, above which lists could still change: the method then reports that it
stopped early."""
REST = 1e-12
"""Change of messages, in units of the skill of a newcomer, below which the past is at rest."""


def _days(at: Ints) -> Floats:
    """Converts instants to days since 1970."""
    return np.asarray(at / DAY)


@frozen
class TrueSkillThroughTime(Method):
    """TrueSkill in hindsight, for games of two players: past skill is estimated from later games too [1]_ [2]_.

    Parameters
    ----------
    initial, deviation : float
        Rating and deviation of a newcomer; the mean and sigma of the sources.
    beta : float > 0
        Deviation of one performance of a player around their skill.
    gamma : float >= 0
        Growth of a deviation per day, added in squares.
    draw_chance : float from 0 to below 1
        Chance of a draw between two players of equal skill; with 0 a draw means that performances were equal.

    References
    ----------
    .. [1] P. Dangauthier, R. Herbrich, T. Minka, T. Graepel, "TrueSkill Through Time", NIPS 20, 2007.
    .. [2] G. Landfried, E. Mocskos, "TrueSkill Through Time: Reliable Initial Skill Estimates and Historical
       Comparability with Julia, Python, and R", Journal of Statistical Software 112, 2025.

    Examples
    --------
    Three players who each beat the next are equals in hindsight.

    >>> method, one = TrueSkillThroughTime(gamma=0.0), np.arange(1, 4)
    >>> circle = Games(np.array([0, 1, 2]), np.array([1, 2, 0]), np.ones(3), one, one, span=(0, 4))
    >>> state = method.rate(State.start(method.columns(), players=3), circle).state
    >>> (state["rating"].round(6) + 0.0).tolist(), state["deviation"].round(3).tolist()
    ([0.0, 0.0, 0.0], [2.395, 2.395, 2.395])
    """

    name = "trueskill-through-time"
    formula = 3  # seeds are on another scale and rate nobody
    cadence = Cadence.RETROSPECTIVE
    initial: float = field(default=0.0, validator=finite)
    deviation: float = field(default=6.0, validator=positive)
    beta: float = field(default=1.0, validator=positive)
    gamma: float = field(default=0.03, validator=not_negative)
    draw_chance: float = field(default=0.0, validator=between(0.0, 1.0))

    def __attrs_post_init__(self) -> None:
        if self.draw_chance == 1.0:
            raise BadParameter(self.name, "draw_chance", "must be below 1: with 1.0 nobody ever wins")

    def columns(self) -> tuple[Column, ...]:
        return (
            Column("rating", self.initial, significant=6),
            Column("deviation", self.deviation, significant=6),
            Column("last", nan, unit="days since 1970", digits=None, kept=False),
        )

    def _before_results(self, state: State) -> State:
        """The state without the ratings of seeds, which are on another scale."""
        return State.start(self.columns(), len(state["rating"]))

    def rate(self, state: State, games: Games) -> Solved:
        state = self._before_results(state)
        n = len(games)
        if not n:
            return Solved(state, np.empty(0))
        for g in np.flatnonzero(np.isnan(games.score))[:1].tolist():
            raise BadResult(self.name, f"position {games.position[g]}", "it has no score")
        player = np.empty(2 * n, dtype=np.int32)
        player[0::2], player[1::2] = games.a, games.b
        time = np.repeat(games.played, 2)
        before, behind = np.full(2 * n, -1, dtype=np.int32), np.full(2 * n, -1, dtype=np.int32)
        none = np.full(len(state["rating"]), -1, dtype=np.int32)
        chained_places(player, none, before, behind)  # games come in order of play
        scale = 1.0 / self.deviation
        gap = np.where(before >= 0, time - time[before], 0) / DAY * (self.gamma * scale) ** 2
        front, back, game = np.zeros(4 * n), np.zeros(4 * n), np.zeros(4 * n)
        beta2, eps = (self.beta * scale) ** 2, self._eps * scale
        level = PoolLevel.of(time / DAY, before, behind, gap, 1.0)
        past: list[Floats] = []
        passed, slow, moved = inf, False, 0.0
        for number in range(SWEEPS):
            forwards = number % 2 == 0
            moved = sweep(forwards, before, behind, gap, games.score, beta2, eps, 1.0, front, back, game)
            if forwards:
                continue
            if moved < REST:
                break
            turn = number % HASTE
            if turn in LEVELS:
                level.settle(front, back, game)
            if turn == 3:
                passed, slow = moved, moved > SLOW * passed
            if slow and turn > 3:
                past = [*past, np.concatenate([game[1::2], back[1::2]])]
            if slow and turn == HASTE - 1:
                ahead = _remaining(*past)
                game[1::2] += ahead[: 2 * n]
                back[1::2] += ahead[2 * n :]
                past = []
        whole = front + back + game
        variance = 1.0 / whole[0::2]
        rating = self.initial + self.deviation * whole[1::2] * variance
        deviation = self.deviation * np.sqrt(variance)
        filled = {name: state.copy(name) for name in ("rating", "deviation", "last")}
        last = np.flatnonzero(behind < 0)
        who = player[last]
        filled["rating"][who], filled["deviation"][who] = rating[last], deviation[last]
        filled["last"][who] = time[last] / DAY
        ends = np.flatnonzero((behind < 0) | (time[behind] > time))
        # of games at the same instant only the last, since the skill is the same
        shown = ends[np.argsort(player[ends], kind="stable")]
        track = Track(player[shown], time[shown], {"rating": rating[shown], "deviation": deviation[shown]})
        share, _ = self._chances(rating[0::2] - rating[1::2], deviation[0::2] ** 2 + deviation[1::2] ** 2)
        stopped = (
            f"after {SWEEPS} sweeps, the last of which still moved messages by {moved:.1g}" if moved > SHOWN else ""
        )
        return Solved(state.replace(**filled), share, track, stopped=stopped)

    def expected(self, state: State, games: Games) -> Forecast:
        gap = state["rating"][games.a] - state["rating"][games.b]
        day = games.played / DAY
        both = np.zeros(len(games))
        for side in (games.a, games.b):
            passed = day - state["last"][side]
            both += state["deviation"][side] ** 2 + np.where(passed > 0.0, self.gamma**2 * passed, 0.0)
        return Forecast(*self._chances(gap, both))

    def show(self, state: State, at: int) -> Mapping[str, Floats]:
        passed = at // DAY - np.floor(state["last"])  # a list is for a whole day
        grown = state["deviation"] ** 2 + np.where(passed > 0.0, self.gamma**2 * passed, 0.0)
        return self._listed({"rating": state["rating"], "deviation": np.sqrt(grown)}, state)

    def _listed(self, shown: Mapping[str, Floats], state: State) -> Mapping[str, Floats]:
        """Columns of players with results; others are unrated."""
        return {name: np.where(np.isnan(state["last"]), nan, column) for name, column in shown.items()}

    @property
    def _eps(self) -> float:
        """Draw margin of two performances."""
        return NormalDist().inv_cdf(0.5 + 0.5 * self.draw_chance) * self.beta * sqrt(2.0)

    def _chances(self, gap: Floats, variance: Floats) -> tuple[Floats, Floats]:
        width = np.sqrt(variance + 2.0 * self.beta**2)
        win, loss = ndtr((gap - self._eps) / width), ndtr((-gap - self._eps) / width)
        return 0.5 + 0.5 * (win - loss), np.maximum(1.0 - win - loss, 0.0)


@frozen
class EarlierThroughTime(TrueSkillThroughTime):
    """Formula 2: players without results had the rating of their seed, which is of another scale, or the initial one.

    The parameters are those of the present formula.
    """

    formula = 2
    superseded = True

    def columns(self) -> tuple[Column, ...]:
        return tuple(evolve(column, seeded=_days) if column.name == "last" else column for column in super().columns())

    def _before_results(self, state: State) -> State:
        return state

    def _listed(self, shown: Mapping[str, Floats], state: State) -> Mapping[str, Floats]:
        return shown


def _remaining(one: Floats, two: Floats, three: Floats) -> Floats:
    """Distance of a sequence from its limit, if its steps keep shrinking at the same rate."""
    step, last = two - one, three - two
    size = float((step * step).sum())
    ratio = float((last * step).sum()) / size if size > 0.0 else 0.0
    return last * (ratio / (1.0 - ratio)) if 0.0 < ratio < 0.9999 else np.zeros_like(last)
