"""A field: the points that each player scored against each other player, as a sparse matrix."""

from typing import Any

import numpy as np
from attrs import frozen

from ratingcore.plugin import BadParameter, Floats, Games, Ints


@frozen(eq=False)
class Field:
    """Points scored in a field of players.

    Attributes
    ----------
    points : (n, n) sparse matrix stored by rows (CSR), float64
        `points[i, j]` is what `i` scored against `j`; nothing on the diagonal.
    lost : (n,) float64, points
        Points that each player lost to all others.
    """

    points: Any
    lost: Floats

    @property
    def won(self) -> Floats:
        """(n,) float64: points each player scored."""
        return np.asarray(self.points.sum(axis=1), dtype=np.float64).ravel()

    def __len__(self) -> int:
        return len(self.lost)

    @classmethod
    def of_points(cls, points: Floats) -> "Field":
        """The field of a square table of points, none of them negative.

        Raises
        ------
        BadParameter
            If the table is not square, or holds a value that is not a number of points.
        """
        from scipy import sparse  # type: ignore[import-untyped]  # scipy has no types; imported here, since lists of other methods do not need it

        table = np.array(points, dtype=np.float64)
        if table.ndim != 2 or table.shape[0] != table.shape[1] or not table.size:
            raise BadParameter("berkin", "points", f"must be a square table: {table.shape}")
        for i, j in np.argwhere(~np.isfinite(table) | (table < 0))[:1].tolist():
            raise BadParameter("berkin", "points", f"must be zero or more: {float(table[i, j])!r} of {i} against {j}")
        np.fill_diagonal(table, 0.0)
        return cls(sparse.csr_matrix(table), table.sum(axis=0))

    @classmethod
    def of_games(cls, games: Games, row: Ints, players: int) -> "Field":
        """The field of games whose players have these rows in it.

        Parameters
        ----------
        row : (rows of the state,) int
            Row in the field of each row of the state.
        players : int
            Number of rows of the field; everyone in it has played.
        """
        from scipy import sparse

        a, b, score = row[games.a], row[games.b], games.score
        up, down = np.flatnonzero(score > 0.0), np.flatnonzero(score < 1.0)
        winner = np.concatenate([a[up], b[down]])
        loser = np.concatenate([b[up], a[down]])
        scored = np.concatenate([score[up], 1.0 - score[down]])
        table = sparse.csr_matrix((scored, (winner, loser)), (players, players))
        return cls(table, np.bincount(loser, scored, players).astype(np.float64))

    def part(self, rows: Ints) -> "Field":
        """The field of some of the players: their points against each other."""
        points = self.points[rows][:, rows].tocsr()
        return Field(points, np.asarray(points.sum(axis=0), dtype=np.float64).ravel())

    def with_draws(self, draws: float) -> "Field":
        """Returns this field with an imaginary player in the last row, who drew this number of games with everybody."""
        from scipy import sparse

        half = np.full((len(self), 1), 0.5 * draws)
        points = sparse.bmat([[self.points, half], [half.T, None]], format="csr")
        lost = np.append(self.lost + 0.5 * draws, 0.5 * draws * len(self))
        return Field(points, lost)

    def parts(self) -> Ints:
        """(n,) int: the strongly connected part of each player, numbered from 0 in arbitrary order."""
        from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]  # as above

        return np.asarray(connected_components(self.points, directed=True, connection="strong")[1])


def numbered(part: Ints, seen: Ints) -> Ints:
    """Numbers the parts from 0, in the order in which their first players were seen.

    Parameters
    ----------
    part : (n,) int
        Part of each player, from 0.
    seen : (n,) int
        A number per player, lower for players seen earlier.

    Returns
    -------
    (n,) int

    Examples
    --------
    >>> numbered(np.array([1, 0, 1]), np.array([7, 8, 9])).tolist()
    [0, 1, 0]
    """
    first = np.full(int(part.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, part, seen)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[part]


def first_seen(games: Games, row: Ints, players: int) -> Ints:
    """First game of each player; a winner comes before the loser, so exchanging `a` and `b` changes nothing."""
    a, b, score = row[games.a], row[games.b], games.score
    seen = np.full(players, np.iinfo(np.int64).max)
    turn = 2 * np.arange(len(a))
    np.minimum.at(seen, a, turn + (score == 0.0))
    np.minimum.at(seen, b, turn + (score == 1.0))
    return seen
