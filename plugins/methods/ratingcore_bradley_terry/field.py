"""The results of a pool as rows: wins, draws and losses of a pair, by home side and covariates."""

from typing import NamedTuple

import numpy as np

from ratingcore.plugin import Floats, Games, Ints


class Field(NamedTuple):
    """Rows of results between two players, `i` and `j`, with everything that affects them besides strengths.

    `terms` is (m, c): first the ground, which is 1 if `i` was at home, -1 if `j` was, else 0; then the covariates of
    `i`. `shared` is the sum of S (1 - S) over the scores S of a row: a quarter for each draw that counts as half a win.
    `cluster` is the number, from 0, of the cluster of results that may err together; it is -1 in rows of a prior.
    `weight` is the weight of each result of a row; `won`, `drawn`, `lost` and `shared` include it.
    """

    i: Ints
    j: Ints
    terms: Floats
    won: Floats
    drawn: Floats
    lost: Floats
    shared: Floats
    cluster: Ints
    weight: Floats

    @property
    def results(self) -> Floats:
        """(m,) float64: number of results in each row; 0 in rows of a prior."""
        return (self.won + self.drawn + self.lost) / self.weight * (self.cluster >= 0)

    def take(self, which: Ints) -> "Field":
        """Returns some of the rows."""
        return Field._make(column[which] for column in self)

    def shift(self, edges: Floats) -> Floats:
        """Returns the number that the terms of each row add to its gap."""
        return np.asarray(self.terms @ edges, dtype=np.float64)

    def joined(self, other: "Field") -> "Field":
        """Returns the rows of both fields."""
        return Field._make(np.concatenate(columns) for columns in zip(self, other, strict=True))


def gathered(games: Games, row: Ints, terms: Floats, draws: bool, cluster: Ints, weight: Floats) -> Field:
    """Returns the games as rows, one for each pair, ground, cluster and weight; `draws` counts half points as draws.

    With covariates, every game has a row of its own.
    """
    a, b = row[games.a].astype(np.int64), row[games.b].astype(np.int64)
    low, high = np.minimum(a, b), np.maximum(a, b)
    turned = a > b
    score = np.where(turned, 1.0 - games.score, games.score)
    terms = np.where(turned[:, None], -terms, terms)
    key = (low * (int(row.max(initial=0)) + 1) + high) * 3 + (terms[:, 0] + 1.0).astype(np.int64)
    if terms.shape[1] > 1:
        key = np.arange(len(key))
    else:
        for more in (cluster, np.unique(weight, return_inverse=True)[1]):
            if more.any():
                key = np.unique(key, return_inverse=True)[1] * (int(more.max()) + 1) + more
    distinct, place = np.unique(key, return_inverse=True)
    n = len(distinct)
    first = np.empty(n, dtype=np.int64)
    first[place[::-1]] = np.arange(len(key))[::-1]
    drawn = (score == 0.5) & draws
    taken = np.where(drawn, 0.0, score)
    given = np.where(drawn, 0.0, 1.0 - score)
    columns = (taken, drawn, given, taken * given)
    won, tied, lost, shared = (np.bincount(place, weight * column, n).astype(np.float64) for column in columns)
    return Field(low[first], high[first], terms[first], won, tied, lost, shared, cluster[first], weight[first])


def with_prior(field: Field, players: int, wins: float, draws: float, half: bool) -> Field:
    """Returns the rows, followed by those of a prior.

    Every player gets `wins` wins and as many losses against an imaginary player in row `players`, and on average
    `draws` draws against the opponents they met, in proportion to their games.
    """
    if draws > 0.0:
        games = field.won + field.drawn + field.lost
        met = np.bincount(field.i, games, players) + np.bincount(field.j, games, players)
        extra = 0.5 * draws * games * (1.0 / met[field.i] + 1.0 / met[field.j])
        still, grounds = np.zeros_like(games), (1.0, -1.0) if field.terms[:, 0].any() else (0.0,)
        for ground in grounds:
            each = extra / len(grounds)
            split, whole = (0.5 * each, still) if half else (still, each)
            terms = np.zeros((len(games), field.terms.shape[1]))
            terms[:, 0] = ground
            field = field.joined(_of_prior(field.i[: len(games)], field.j[: len(games)], terms, split, whole))
    if wins > 0.0:
        everybody, nobody = np.arange(players), np.full(players, players)
        still = np.zeros(players)
        terms = np.zeros((players, field.terms.shape[1]))
        field = field.joined(_of_prior(everybody, nobody, terms, still + wins, still))
    return field


def _of_prior(i: Ints, j: Ints, terms: Floats, won: Floats, drawn: Floats) -> Field:
    """Returns rows of a prior, with equal numbers of wins and losses."""
    return Field(i, j, terms, won, drawn, won, np.zeros(len(i)), np.full(len(i), -1), np.ones(len(i)))


def parts(field: Field, players: int, held: Ints) -> Ints:
    """Numbers each player's part of the pool: in a part, all scored against each other, directly or through others.

    `held` lists players whose ratings are given: they count as one player.
    """
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]  # scipy has no types  # slow to import
    from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]  # as above

    node = np.arange(players)
    if len(held):
        node[held] = held[0]
    wins = field.won + field.drawn > 0.0
    losses = field.lost + field.drawn > 0.0
    start = np.concatenate([node[field.i[wins]], node[field.j[losses]]])
    end = np.concatenate([node[field.j[wins]], node[field.i[losses]]])
    graph = csr_matrix((np.ones(len(start)), (start, end)), (players, players))
    _, label = connected_components(graph, directed=True, connection="strong")
    return np.asarray(label[node], dtype=np.int64)
