"""Intervals of log losses; for archives of fewer than ten months by the pigeonhole bootstrap, which draws players."""

from collections.abc import Callable, Sequence

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats
from ratingcore.compare.clusters import Clusters
from ratingcore.compare.common_games import CommonForecasts
from ratingcore.compare.losses import losses
from ratingcore.compare.pairs import Paired
from ratingcore.compare.score_tables import Ranking, Scored, ScoredSessions
from ratingcore.compare.uncertainty import MeanEstimate, estimate_of

ROUNDS = 1000
SEED = 27


@frozen(eq=False)
class Judged:
    """Estimates of the log loss of each method, and of its differences, on the same results.

    Parameters
    ----------
    ranked : tuple of str
        Methods, best log loss first.
    loss : mapping of str to MeanEstimate
    against_best : mapping of str to Paired
        The best method against each other one.
    by : str
        What the intervals allow for.
    log_loss : mapping of str to float
        The log loss of all methods, including those before tuning.
    gap : callable
        Returns the gain of one method over another.
    """

    ranked: tuple[str, ...]
    loss: dict[str, MeanEstimate]
    against_best: dict[str, Paired]
    by: str
    log_loss: dict[str, float]
    gap: Callable[[str, str], MeanEstimate]


def judged(asked: CommonForecasts, unit: str, texts: Sequence[str]) -> Judged:
    """Scores methods, with intervals by players and months, or by players alone if there are too few months."""
    ranking, results = _sessions(asked) if unit == "session" else _games(asked)
    best, *others = ranked = tuple(text for text in ranking.texts if text in texts)
    loss = {text: estimate_of(ranking.sums[text], ranking.clusters) for text in ranking.texts}
    every = {text: estimate.mean for text, estimate in loss.items() if estimate.mean is not None}
    if loss[best].margin is not None:
        pairs = {text: ranking.paired(best, text) for text in others}
        return Judged(
            ranked, loss, pairs, loss[best].clusters, every, lambda one, other: ranking.paired(one, other).estimate
        )
    drawn = Drawn.of(ranking.clusters, {text: results(text) for text in ranked})
    pairs = {text: Paired(best, text, drawn.gap(best, text), None, ranking.unit) for text in others}
    return Judged(
        ranked, {text: drawn.loss(text) for text in ranked}, pairs, f"{drawn.players} players", every, drawn.gap
    )


def _games(asked: CommonForecasts) -> tuple[Ranking, Callable[[str], Floats]]:
    """Returns the ranking of methods on games, and a function that gives a method's loss in each game."""
    games = asked.games
    score = games.of(games.played.score)
    ranking = Scored(games, next(iter(games.forecasts)), (), SEED).ranking
    return ranking, lambda text: losses(games.of(games.forecasts[text].expected), score)


def _sessions(asked: CommonForecasts) -> tuple[Ranking, Callable[[str], Floats]]:
    """Returns the ranking of methods on sessions, and a function that gives a method's loss for each pair of sides."""
    scored = ScoredSessions(asked.sessions, next(iter(asked.sessions.forecasts)), (), SEED)
    return scored.ranking, scored.pair_losses.__getitem__


@frozen(eq=False)
class Drawn:
    """Mean losses of methods over bootstrap draws of the players.

    The weight of a game is the product of how often each of its players was drawn: Owen's pigeonhole bootstrap [1]_,
    which makes intervals rather too wide. Each pair of sides of a session counts as a game with its weight.

    Parameters
    ----------
    n, players : int
    mean, rounds : mapping of str to float, and to (rounds,) float64
        The mean loss of each method, and its mean losses in all rounds.

    References
    ----------
    .. [1] A. B. Owen, "The Pigeonhole Bootstrap", Annals of Applied Statistics 1 (2007), p. 386-411.
    """

    n: int
    players: int
    mean: dict[str, float]
    rounds: dict[str, Floats]

    @classmethod
    def of(cls, clusters: Clusters, values: dict[str, Floats], rounds: int = ROUNDS, seed: int = SEED) -> "Drawn":
        """Draws players; `values` of sessions are already weighted, one for each pair of sides."""
        _, seat = np.unique(np.concatenate([clusters.a, clusters.b]), return_inverse=True)
        a, b = seat[: len(clusters)], seat[len(clusters) :]
        players = int(seat.max()) + 1
        weight = np.ones(len(a)) if clusters.weight is None else clusters.weight
        table = np.column_stack([weight, *values.values()])
        sums = table.sum(axis=0)
        drawn, random = [], np.random.default_rng(seed)
        for _ in range(rounds):
            times = np.bincount(random.integers(players, size=players), minlength=players).astype(np.float64)
            total = (times[a] * times[b]) @ table
            if total[0] > 0.0:
                drawn.append(total[1:] / total[0])
        columns = np.array(drawn).T
        means = (sums[1:] / sums[0]).tolist()
        return cls(clusters.n, players, dict(zip(values, means, strict=True)), dict(zip(values, columns, strict=True)))

    def loss(self, text: str) -> MeanEstimate:
        """Returns the mean loss of a method."""
        return self._estimate(self.mean[text], self.rounds[text])

    def gap(self, one: str, other: str) -> MeanEstimate:
        """Returns the gain of the first method over the second."""
        return self._estimate(self.mean[other] - self.mean[one], self.rounds[other] - self.rounds[one])

    def _estimate(self, mean: float, rounds: Floats) -> MeanEstimate:
        error, like = float(rounds.std(ddof=1)), float(self.players)
        return MeanEstimate(self.n, mean, error, None, error, self.players, 0, like, like)
