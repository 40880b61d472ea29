"""The grades of English chess to 2020: the mean worth of each player's latest games."""

from collections.abc import Mapping

import numpy as np
from attrs import Attribute, field, frozen

from ratingcore.plugin import BadParameter, Cadence, Column, Floats, Forecast, Games, Ints, Method, Period, Rated, State
from ratingcore.validators import finite, instance_of, positive

FULL, YEARS = 30, 3
"""Number of games that make a full grade, and the number of latest years from which they are taken."""

CATEGORIES = ("none", "A", "B", "C", "D", "E", "F")
LEAST = ((30, 30, 30), (20, 30, 30), (10, 10, 30), (5, 5, 15), (1, 1, 9), (1, 1, 5))
"""Least games of each category in the latest 12, 24 and 36 months."""


def _half_years(method: "EcfGrade", attribute: "Attribute[Period]", value: Period) -> None:
    if value.unit != "months" or value.count not in (6, 12):
        raise BadParameter(method.name, attribute.name, f"must be half-year or year: {value}")


@frozen
class EcfGrade(Method):
    """The grade of the English Chess Federation for adults, to 2020 [1]_ [2]_.

    Lists come every half-year, or every year before 2012. A game is worth the opponent's grade, 50 more for a win and
    50 less for a loss. The grade is the mean of all games of the latest 12 months if these are 30 or more; otherwise of
    the latest 30 within 36 months.

    Parameters
    ----------
    limit : float > 0, points
        An opponent whose grade is further away counts as so far away.
    initial : float, points
        Grade of a newcomer without a seed, until five games make one.
    period : Period
        `half-year` or `year`: between two lists.

    References
    ----------
    .. [1] English Chess Federation, *ECF Arbiter Seminar*, "Grading"; the rules as its clubs quote them.
    .. [2] Yorkshire Chess Association, "Grade Calculation".

    Examples
    --------
    150 beats 90, who counts as 110, draws with 130 and loses to 200, who counts as 190.

    >>> ecf, at = EcfGrade(), np.arange(1, 4)
    >>> state = State.start(ecf.columns(), players=4).replace(rating=np.array([150.0, 90.0, 130.0, 200.0]))
    >>> half_year = Games(at * 0, at, np.array([1.0, 0.5, 0.0]), at, at, span=(0, 4))
    >>> ecf.rate(state, half_year).notes["worth_a"].tolist()
    [160.0, 130.0, 140.0]
    """

    name = "ecf-grade"
    cadence = Cadence.PERIODIC
    limit: float = field(default=40.0, validator=positive)
    initial: float = field(default=100.0, validator=finite)
    period: Period = field(factory=lambda: Period("months", 6), validator=[instance_of(Period), _half_years])

    @property
    def excuses(self) -> Mapping[str, str]:
        return {"permutation": "the latest 30 games are those that were played last"}

    def columns(self) -> tuple[Column, ...]:
        periods = YEARS * self._yearly
        return (
            Column("rating", self.initial, unit="points", digits=0),
            Column("category", 0.0, labels=CATEGORIES),
            Column("count", 0.0, unit="games", digits=None, shape=(periods,)),
            Column("total", 0.0, unit="points", digits=None, shape=(periods,)),
            Column("latest", 0.0, unit="points", digits=None, shape=(FULL,)),
        )

    def rate(self, state: State, games: Games) -> Rated:
        rating, n = state["rating"], len(games)
        who, worth = np.append(games.a, games.b), np.append(*self._worth(state, games))
        count, total = self._shifted(state["count"], who, np.ones(2 * n)), self._shifted(state["total"], who, worth)
        latest, place = state.copy("latest"), np.zeros(2 * n)
        order = np.lexsort((*(-np.tile(column, 2) for column in (games.position, games.played)), who))
        for rows in np.split(order, np.flatnonzero(np.diff(who[order])) + 1) if n else ():
            i, place[rows] = who[rows[0]], np.arange(len(rows))
            latest[i] = np.append(worth[rows], latest[i])[:FULL]
        within = np.cumsum(count, axis=1)[:, self._yearly - 1 :: self._yearly]  # in the latest 12, 24, 36 months
        used = np.where(within[:, 0] >= FULL, within[:, 0], np.minimum(within[:, -1], FULL))
        graded = (within[:, 0] >= 1.0) & (within[:, -1] >= 5.0)
        borrowed = np.where(np.arange(FULL) < used[:, None], latest, 0.0).sum(axis=1)
        points = np.where(within[:, 0] >= FULL, total[:, : self._yearly].sum(axis=1), borrowed)
        grade = np.where(graded, points / np.maximum(used, 1.0), rating)
        part = np.where(graded[who] & (place < used[who]), (worth - rating[who]) / np.maximum(used[who], 1.0), 0.0)
        moved = np.asarray(np.bincount(who, part, len(rating)), dtype=np.float64)
        reached = np.stack([(within >= np.array(least)).all(axis=1) for least in LEAST], axis=1)
        category = np.where(reached.any(axis=1), reached.argmax(axis=1) + 1.0, 0.0)
        after = state.replace(rating=grade, category=category, count=count, total=total, latest=latest)
        notes, share = {"worth_a": worth[:n], "worth_b": worth[n:]}, self.expected(state, games).expected
        older = {"earlier games": grade - rating - moved}
        return Rated(after, share, (part[:n], part[n:]), after=older, notes=notes)

    def expected(self, state: State, games: Games) -> Forecast:
        """One half, plus a hundredth per point of the gap, up to the limit."""
        gap = np.clip(state["rating"][games.a] - state["rating"][games.b], -self.limit, self.limit)
        return Forecast(np.clip(0.5 + 0.01 * gap, 0.0, 1.0))

    @property
    def _yearly(self) -> int:
        return 12 // self.period.count

    def _worth(self, state: State, games: Games) -> tuple[Floats, Floats]:
        """Points that each game is worth to both sides."""
        a, b = state["rating"][games.a], state["rating"][games.b]
        gap, score = np.clip(b - a, -self.limit, self.limit), 100.0 * games.score - 50.0
        return a + gap + score, b - gap - score

    def _shifted(self, column: Floats, who: Ints, of: Floats) -> Floats:
        """Returns the sums by period: this period's come first, and the oldest are dropped."""
        return np.column_stack([np.bincount(who, of, len(column)), column[:, :-1]])
