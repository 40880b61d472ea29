"""Other rating programs: each function rates games with one of them, at its fastest, and returns every rating.

Packages are imported where they are used, because any of them may be missing.
"""

from math import exp
from typing import Any, NamedTuple

import numpy as np

from bench.worlds import World
from ratingcore.plugin import Floats, Ints


class Work(NamedTuple):
    """Games to rate, in order of play; the day of each, counted from 1; and the number of players."""

    made: World
    day: Ints
    players: int

    def pairs(self) -> list[tuple[int, int]]:
        """Winner and loser of each game."""
        a, b, score = self.made
        return list(zip(np.where(score == 1.0, a, b).tolist(), np.where(score == 1.0, b, a).tolist(), strict=True))


def evalica_elo(work: Work) -> Floats:
    """Evalica's Elo, in Rust."""
    return _evalica(work, "elo", initial=1500.0, k=20.0)


def evalica_bradley_terry(work: Work) -> Floats:
    """Evalica's Bradley-Terry, in Rust."""
    return 400.0 * np.log10(_evalica(work, "bradley_terry", tolerance=1e-12, limit=10_000))


def _evalica(work: Work, function: str, **options: Any) -> Floats:
    import evalica  # type: ignore[import-not-found,unused-ignore]  # see the module
    import pandas as pd  # type: ignore[import-untyped,unused-ignore]  # see the module

    winner = [evalica.Winner.Draw, evalica.Winner.X, evalica.Winner.Y]
    winners = [winner[1] if score == 1.0 else winner[2] for score in work.made.score.tolist()]
    a, b = work.made.a.tolist(), work.made.b.tolist()
    scores = getattr(evalica, function)(a, b, winners, index=pd.Index(range(work.players)), **options).scores
    return np.asarray(scores.reindex(range(work.players)), dtype=np.float64)


def penaltyblog_elo(work: Work) -> Floats:
    """Penaltyblog's Elo."""
    from penaltyblog.ratings import Elo  # type: ignore[import-not-found,unused-ignore]  # see the module

    elo = Elo(k=20.0, home_field_advantage=0.0)
    for a, b, score in zip(*(column.tolist() for column in work.made), strict=True):
        elo.update_ratings(a, b, 0 if score == 1.0 else 2)
    return np.array([elo.get_team_rating(player) for player in range(work.players)])


def elote_elo(work: Work) -> Floats:
    """Elote's Elo."""
    import elote  # type: ignore[import-not-found,unused-ignore]  # see the module

    everybody = [elote.EloCompetitor(initial_rating=1500.0, k_factor=20.0) for _ in range(work.players)]
    for winner, loser in work.pairs():
        everybody[winner].beat(everybody[loser])
    return np.array([competitor.rating for competitor in everybody])


def skelo_elo(work: Work) -> Floats:
    """Skelo's Elo."""
    from skelo.model.elo import EloEstimator  # type: ignore[import-not-found,unused-ignore]  # see the module

    model = EloEstimator(default_k=20.0, initial_value=1500.0)
    time = np.arange(1, len(work.day) + 1)
    model.fit(np.column_stack([work.made.a, work.made.b, time]), work.made.score)
    return np.array([model.rating_model.get(player)["rating"] for player in range(work.players)])


def glicko2_by_month(work: Work) -> Floats:
    """The package glicko2, by calendar months.

    Its equation of the volatility (version 2.1) uses the rating where Glickman's uses the deviation, which changes
    ratings by 0.01 points. `Player` here corrects that line, at the same cost.
    """
    import glicko2  # type: ignore[import-not-found,unused-ignore]  # see the module

    class Player(glicko2.Player):  # type: ignore[misc,unused-ignore]  # untyped
        def _f(self, x: float, delta: float, v: float, a: float) -> float:
            e, known = exp(x), self._Player__rd**2
            return float(e * (delta**2 - known - v - e) / (2.0 * (known + v + e) ** 2) - (x - a) / self._tau**2)

    day = np.datetime64("1999-12-31") + work.day
    month = day.astype("datetime64[M]").astype(np.int64)
    everybody = [Player() for _ in range(work.players)]
    seen: set[int] = set()
    a, b, score = work.made
    for number in range(int(month[0]), int(month[-1]) + 1):
        start, stop = np.searchsorted(month, [number, number + 1]).tolist()
        met: dict[int, tuple[list[float], list[float], list[float]]] = {}
        for i, j, s in zip(*(column[start:stop].tolist() for column in (a, b, score)), strict=True):
            for one, other, share in ((i, j, s), (j, i, 1.0 - s)):
                ratings, deviations, scores = met.setdefault(one, ([], [], []))
                ratings.append(everybody[other].rating)
                deviations.append(everybody[other].rd)
                scores.append(share)
        for player in seen - met.keys():
            everybody[player].did_not_compete()
        for player, faced in met.items():
            everybody[player].update_player(*faced)
        seen |= met.keys()
    return np.array([player.rating for player in everybody])


def openskill_games(work: Work) -> Floats:
    """Openskill's Plackett-Luce of two players."""
    from openskill.models import PlackettLuce  # type: ignore[import-not-found,unused-ignore]  # see the module

    model = PlackettLuce()
    everybody = [model.rating() for _ in range(work.players)]
    for winner, loser in work.pairs():
        (everybody[winner],), (everybody[loser],) = model.rate([[everybody[winner]], [everybody[loser]]])
    return np.array([rating.mu for rating in everybody])


def trueskill_games(work: Work) -> Floats:
    """The package trueskill, of two players."""
    import trueskill  # type: ignore[import-not-found,unused-ignore]  # see the module

    model = trueskill.TrueSkill()
    everybody = [model.create_rating() for _ in range(work.players)]
    for winner, loser in work.pairs():
        everybody[winner], everybody[loser] = trueskill.rate_1vs1(everybody[winner], everybody[loser], env=model)
    return np.array([rating.mu for rating in everybody])


def whr_games(work: Work) -> Floats:
    """The package whr, in C++, run until its own test of convergence passes."""
    import whr  # type: ignore[import-not-found,unused-ignore]  # see the module

    base = whr.Base(config={"w2": 30.0, "virtual_games": 2})
    columns = (work.made.a.tolist(), work.made.b.tolist(), work.made.score.tolist(), work.day.tolist())
    base.create_games([[str(a), str(b), "B" if s == 1.0 else "W", day] for a, b, s, day in zip(*columns, strict=True)])
    base.iterate_until_converge(verbose=False)
    ratings = np.full(work.players, np.nan)
    for player in np.unique(np.concatenate([work.made.a, work.made.b])).tolist():
        ratings[player] = base.ratings_for_player(str(player))[-1][1]
    return ratings


def through_time_games(work: Work) -> Floats:
    """The package trueskillthroughtime, run until no rating moves by more than 1e-6."""
    from trueskillthroughtime import History  # type: ignore[import-not-found,unused-ignore]  # see the module

    composition = [[[str(winner)], [str(loser)]] for winner, loser in work.pairs()]
    history = History(composition, times=work.day.tolist(), mu=0.0, sigma=6.0, beta=1.0, gamma=0.03, p_draw=0.0)
    history.convergence(epsilon=1e-6, iterations=1000, verbose=False)
    ratings = np.full(work.players, np.nan)
    for player, curve in history.learning_curves().items():
        ratings[int(player)] = curve[-1][1].mu
    return ratings


def choix_bradley_terry(work: Work) -> Floats:
    """Choix's fastest fit of Bradley-Terry, without a prior."""
    import choix  # type: ignore[import-not-found,unused-ignore]  # see the module

    strength = choix.ilsr_pairwise(work.players, work.pairs(), alpha=0.0, max_iter=1000, tol=1e-10)
    return np.asarray(strength, dtype=np.float64) * (400.0 / np.log(10.0))
