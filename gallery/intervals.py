"""Intervals for archives of less than ten months: the pigeonhole bootstrap, which draws players."""

from collections.abc import Callable, Sequence

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats
from ratingcore.compare.clusters import Clusters
from ratingcore.compare.common_games import Asked
from ratingcore.compare.losses import losses
from ratingcore.compare.pairs import NATS, NATS_A_SESSION, Paired, paired_by
from ratingcore.compare.score_tables import Scored, ScoredSessions
from ratingcore.compare.uncertainty import Estimate, estimate_of

ROUNDS = 1000
SEED = 27


@frozen(eq=False)
class Judged:
    """Estimates of the log loss of each method, and of its differences, on the same results.

    Parameters
    ----------
    ranked : tuple of str
        Methods, best log loss first.
    loss : mapping of str to Estimate
    against_best : mapping of str to Paired
        The best method against each other one.
    by : str
        What the intervals allow for.
    log_loss : mapping of str to float
        Of all methods that were asked, those of which nothing else is wanted too.
    gap : callable
        By how much the first of two methods is better than the second.
    """

    ranked: tuple[str, ...]
    loss: dict[str, Estimate]
    against_best: dict[str, Paired]
    by: str
    log_loss: dict[str, float]
    gap: Callable[[str, str], Estimate]


def judged(asked: Asked, unit: str, texts: Sequence[str]) -> Judged:
    """Scores methods of these texts, with intervals by players and months, or by players where months are few."""
    made = _Sessions(asked) if unit == "session" else _Games(asked)
    best, *others = ranked = tuple(text for text in made.ranked if text in texts)
    loss = {text: made.estimate(text) for text in made.ranked}
    every = {text: estimate.mean for text, estimate in loss.items() if estimate.mean is not None}
    if loss[best].margin is not None:
        pairs = {text: made.paired(best, text) for text in others}
        return Judged(
            ranked, loss, pairs, "players and months", every, lambda one, other: made.paired(one, other).estimate
        )
    drawn = Drawn.of(made.clusters, {text: made.results(text) for text in ranked})
    pairs = {text: Paired(best, text, drawn.gap(best, text), None, made.unit) for text in others}
    return Judged(ranked, {text: drawn.loss(text) for text in ranked}, pairs, "players", every, drawn.gap)


class _Games:
    """The games of a comparison."""

    unit = NATS

    def __init__(self, asked: Asked) -> None:
        self.games = asked.games
        self.scored = Scored(asked.games, next(iter(asked.games.forecasts)), (), SEED)
        self.ranked, self.clusters = self.scored.ranked, self.scored.clusters

    def estimate(self, text: str) -> Estimate:
        return estimate_of(self.scored.tallies[text].sums, self.clusters)

    def paired(self, one: str, other: str) -> Paired:
        gap = self.scored.tallies[other].sums - self.scored.tallies[one].sums
        return paired_by(one, other, gap, self.clusters, self.unit, seed=SEED)

    def results(self, text: str) -> Floats:
        of = self.games.of
        return losses(of(self.games.forecasts[text].expected), of(self.games.played.score))


class _Sessions:
    """The sessions of a comparison."""

    unit = NATS_A_SESSION

    def __init__(self, asked: Asked) -> None:
        self.scored = ScoredSessions(asked.sessions, next(iter(asked.sessions.forecasts)), (), SEED)
        self.ranked, self.clusters = self.scored.ranked, self.scored.clusters

    def estimate(self, text: str) -> Estimate:
        return estimate_of(self.scored.sums[text], self.clusters)

    def paired(self, one: str, other: str) -> Paired:
        gap = self.scored.sums[other] - self.scored.sums[one]
        return paired_by(one, other, gap, self.clusters, self.unit, seed=SEED)

    def results(self, text: str) -> Floats:
        return self.scored.pair_losses[text]


@frozen(eq=False)
class Drawn:
    """Mean losses over draws of the players, with replacement.

    A game counts as often as its two players were drawn, one times the other: Owen's pigeonhole bootstrap [1]_, which
    errs on the wide side. Of a session every pair of sides is a game of its weight.

    Parameters
    ----------
    n, players : int
    mean, rounds : mapping of str to float, and to (rounds,) float64
        The mean loss of each method, and those of the rounds.

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
        """Draws players; of a session `values` are weighed already, pair of sides by pair."""
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

    def loss(self, text: str) -> Estimate:
        """The mean loss of a method."""
        return self._estimate(self.mean[text], self.rounds[text])

    def gap(self, one: str, other: str) -> Estimate:
        """By how much the first method is better than the second."""
        return self._estimate(self.mean[other] - self.mean[one], self.rounds[other] - self.rounds[one])

    def _estimate(self, mean: float, rounds: Floats) -> Estimate:
        error, like = float(rounds.std(ddof=1)), float(self.players)
        return Estimate(self.n, mean, error, None, error, self.players, 0, like, like)
