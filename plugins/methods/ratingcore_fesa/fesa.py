"""The European shogi ratings: tournament by tournament, with a whole number of points for every game."""

from collections.abc import Mapping

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import Cadence, Column, Floats, Forecast, Games, Method, Period, Rated, State
from ratingcore.plugin.rules import half_away
from ratingcore.validators import finite, instance_of
from ratingcore_fesa.points import CATEGORIES, category, k_of, moved, share, times


@frozen
class Fesa(Method):
    """European shogi's Elo: K by rating, whole points a game, more for a win over a much stronger player [1]_.

    Parameters
    ----------
    initial : float, rating points
        Rating of a newcomer without a seed.
    period : Period
        Span whose results are rated together, from the ratings before it.

    References
    ----------
    .. [1] Federation of European Shogi Associations, "FESA Elo rating system", shogi.net/fesa.

    Examples
    --------
    >>> fesa = Fesa()
    >>> state = State.start(fesa.columns(), players=2).replace(rating=np.array([1650.0, 1700.0]))
    >>> game = Games(*(np.array([x]) for x in (0, 1, 1.0, 0, 1)), span=(0, 1))
    >>> fesa.rate(state, game).state["rating"].tolist()
    [1664.0, 1686.0]
    """

    name = "fesa"
    cadence = Cadence.PERIODIC
    initial: float = field(default=400.0, validator=finite)
    period: Period = field(factory=lambda: Period("event"), validator=instance_of(Period))

    def columns(self) -> tuple[Column, ...]:
        return (
            Column("rating", self.initial, unit="points", digits=0),
            Column("category", digits=0, labels=CATEGORIES),
            Column("counted", unit="games", digits=None),
            Column("won", unit="games", digits=None),
            Column("lost", unit="games", digits=None),
        )

    def rate(self, state: State, games: Games) -> Rated:
        rating, players = state["rating"], len(state["rating"])
        a, b = rating[games.a], rating[games.b]
        change_a, change_b = half_away(moved(a, b, games.score)), half_away(moved(b, a, 1.0 - games.score))
        counts = dict(zip(("counted", "won", "lost"), self._counts(state, games, players), strict=True))
        # the changes are whole numbers, so their sum is the same in any order
        total = rating + times(games.a, change_a, players) + times(games.b, change_b, players)
        after = state.replace(rating=total, category=category(**counts), **counts)
        return Rated(after, share(a, b), (change_a, change_b), notes={"k_a": k_of(a), "k_b": k_of(b)})

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(share(state["rating"][games.a], state["rating"][games.b]))

    def show(self, state: State, at: float) -> Mapping[str, Floats]:
        codes = category(state["counted"], state["won"], state["lost"])  # a seed may have set the counts
        return {"rating": state["rating"], "category": codes}

    def _counts(self, state: State, games: Games, players: int) -> tuple[Floats, Floats, Floats]:
        every, won, lost = np.ones(len(games)), (games.score == 1.0) * 1.0, (games.score == 0.0) * 1.0
        return (
            state["counted"] + times(games.a, every, players) + times(games.b, every, players),
            state["won"] + times(games.a, won, players) + times(games.b, lost, players),
            state["lost"] + times(games.a, lost, players) + times(games.b, won, players),
        )
