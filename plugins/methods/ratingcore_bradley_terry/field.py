"""Results of a pool as rows: how often one of a pair won, drew and lost, by who was at home."""

from typing import NamedTuple

import numpy as np

from ratingcore.plugin import Floats, Games, Ints


class Field(NamedTuple):
    """Rows of results between two players, `i` and `j`; `home` is 1 if `i` was at home, -1 if `j` was, else 0."""

    i: Ints
    j: Ints
    home: Floats
    won: Floats
    drawn: Floats
    lost: Floats

    def of(self, which: Ints) -> "Field":
        """Some of the rows."""
        return Field._make(column[which] for column in self)

    def joined(self, other: "Field") -> "Field":
        """The rows of both."""
        return Field._make(np.concatenate(columns) for columns in zip(self, other, strict=True))


def gathered(games: Games, row: Ints, home: Floats, draws: bool) -> Field:
    """The games as rows, pairs that met under the same conditions in one; `draws` counts half points apart."""
    a, b = row[games.a].astype(np.int64), row[games.b].astype(np.int64)
    low, high = np.minimum(a, b), np.maximum(a, b)
    turned = a > b
    score = np.where(turned, 1.0 - games.score, games.score)
    ground = np.where(turned, -home, home)
    key = (low * (int(row.max(initial=0)) + 1) + high) * 3 + (ground + 1.0).astype(np.int64)
    distinct, place = np.unique(key, return_inverse=True)
    n = len(distinct)
    first = np.empty(n, dtype=np.int64)
    first[place[::-1]] = np.arange(len(key))[::-1]
    drawn = (score == 0.5) & draws
    taken = np.where(drawn, 0.0, score)
    given = np.where(drawn, 0.0, 1.0 - score)
    won, tied, lost = (np.bincount(place, column, n).astype(np.float64) for column in (taken, drawn, given))
    return Field(low[first], high[first], ground[first], won, tied, lost)


def with_prior(field: Field, players: int, wins: float, draws: float, half: bool) -> Field:
    """The rows with those of a prior behind them.

    `wins` wins and as many losses of everybody against an imaginary player in row `players`; and `draws` draws of
    everybody, in the mean, shared among those whom they met as their games are.
    """
    if draws > 0.0:
        games = field.won + field.drawn + field.lost
        met = np.bincount(field.i, games, players) + np.bincount(field.j, games, players)
        extra = 0.5 * draws * games * (1.0 / met[field.i] + 1.0 / met[field.j])
        still, grounds = np.zeros_like(games), (1.0, -1.0) if field.home.any() else (0.0,)
        for ground in grounds:
            each = extra / len(grounds)
            split, whole = (0.5 * each, still) if half else (still, each)
            field = field.joined(
                Field(field.i[: len(games)], field.j[: len(games)], still + ground, split, whole, split)
            )
    if wins > 0.0:
        everybody, nobody = np.arange(players), np.full(players, players)
        still = np.zeros(players)
        field = field.joined(Field(everybody, nobody, still, still + wins, still, still + wins))
    return field


def parts(field: Field, players: int, held: Ints) -> Ints:
    """Number of the part of each player: in a part, everybody has scored against everybody, if by way of others.

    `held` are rows whose ratings are given: they count as one player.
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
