"""A summary in five numbers of how well some results connect their players."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ratingcore.columns.arrays import Floats, Ints
from ratingcore.columns.view import View
from ratingcore.network.connectedness import Walk, certificate, parts_of

LARGE = 20_000
"""Players, and sessions, from which on bridges and algebraic connectivity are left out, because they take seconds."""

MANY = 100_000
"""Pairs that met, and seats at sessions, from which on algebraic connectivity is left out, for the same reason."""

_DENSE = 64
"""Players up to which all eigenvalues are found at once."""

_WIDTH, _ROUNDS, _TOLERANCE = 40, 300, 1e-5
"""Vectors, restarts and tolerance of the search for an eigenvalue."""


class Network(NamedTuple):
    """Connectedness of players; a game weighs 1, a session connects all of its players.

    Parameters
    ----------
    players : int
        Number of players with a result.
    components : int
        Number of groups that no result connects.
    largest : float in (0, 1] or None
        Share of the players in the largest component; None if nobody played.
    bridges : int or None
        Number of pairs and sessions without which a component would fall apart; None from `LARGE` players on.
    algebraic : float in [0, 2] or None
        Algebraic connectivity of the largest component: the second smallest eigenvalue of its normalised Laplacian
        1 - D^-1/2 W D^-1/2, where W counts the games of each pair [1]_. It is near 0 if the component almost
        falls into two, and n / (n - 1) if all n have played all others equally often. To about five digits; None
        from `LARGE` players or `MANY` pairs on, and if the search did not converge.

    References
    ----------
    .. [1] F. Chung, *Spectral Graph Theory*, 1997, sections 1.2 and 1.3.
    """

    players: int
    components: int
    largest: float | None
    bridges: int | None
    algebraic: float | None


class Seats:
    """The players of the games and sessions of a view, in order of play."""

    def __init__(self, view: View) -> None:
        games, sessions = view.timeline.games.take(slice(0, view.n_games)), view.timeline.sessions
        self.a, self.b, self.games = games.a, games.b, games.played
        self.start = sessions.side[sessions.result[: view.n_sessions + 1]]
        self.player, self.sessions = sessions.player, sessions.played[: view.n_sessions]

    def between(self, start: int, end: int) -> tuple[Ints, Ints, Ints, Ints]:
        """Results from `start` to before `end`: both players of each game, then session and player of each seat."""
        games = slice(*np.searchsorted(self.games, (start, end)).tolist())
        first, last = np.searchsorted(self.sessions, (start, end)).tolist()
        session = np.repeat(np.arange(last - first), np.diff(self.start[first : last + 1]))
        return self.a[games], self.b[games], session, self.player[int(self.start[first]) : int(self.start[last])]


def network(a: Ints, b: Ints, session: Ints, seated: Ints) -> Network:
    """Summarises how some results connect their players.

    Parameters
    ----------
    a, b : (n,) int
        Players of each game.
    session, seated : (m,) int
        Session and player of each seat at sessions, sessions numbered from 0.

    Examples
    --------
    >>> nobody = np.empty(0, dtype=np.int64)
    >>> row = network(np.array([0, 1, 2]), np.array([1, 2, 3]), nobody, nobody)
    >>> row.components, row.bridges, round(row.algebraic, 6)
    (1, 3, 0.5)
    """
    n, (one, other, seat) = _numbered(a, b, seated)
    if not n:
        return Network(0, 0, None, 0, None)
    pair, games = np.unique(np.minimum(one, other) * n + np.maximum(one, other), return_counts=True)
    nodes = n + int(session.max(initial=-1)) + 1
    low = np.concatenate([pair // n, seat])
    high = np.concatenate([pair % n, n + session])
    part = _parts(low, high, nodes)
    sizes = np.bincount(part[:n])
    largest = int(np.argmax(sizes))
    summary = Network(n, int(np.count_nonzero(sizes)), float(sizes[largest]) / n, None, None)
    if nodes >= LARGE:
        return summary
    summary = summary._replace(bridges=_bridges(low, high, nodes, n, len(pair)))
    if len(low) >= MANY:
        return summary
    mine = part == largest
    place = np.cumsum(mine) - 1
    inner = mine[low]
    weight = np.concatenate([games, np.ones(len(seat))])[inner]
    algebraic = _algebraic(place[low[inner]], place[high[inner]], weight, int(sizes[largest]), int(mine.sum()))
    return summary._replace(algebraic=algebraic)


def _numbered(*rows: Ints) -> tuple[int, list[Ints]]:
    """Number of different rows, and the columns with these rows numbered from 0."""
    seen = np.zeros(max(int(row.max(initial=-1)) for row in rows) + 1, dtype=np.bool_)
    for row in rows:
        seen[row] = True
    number = np.cumsum(seen) - 1
    return int(np.count_nonzero(seen)), [number[row] for row in rows]


def _parts(low: Ints, high: Ints, nodes: int) -> Ints:
    """Number of the connected part of each node: a few edges join most nodes, the others join what is left."""
    every = max(len(low) // (4 * nodes), 1)
    part = parts_of(low[::every], high[::every], nodes, directed=False)
    if every == 1:
        return part
    one, other = part[low], part[high]
    across = one != other
    return np.asarray(parts_of(one[across], other[across], int(part.max()) + 1, directed=False)[part])


def _bridges(low: Ints, high: Ints, nodes: int, players: int, pairs: int) -> int:
    """Number of pairs and sessions without which a component falls apart."""
    sparse = certificate(low, high, nodes)
    walk = Walk(low[sparse], high[sparse], nodes, players)
    return sum(bool(sparse[edge] < pairs) for _, edge in walk.bridges()) + sum(1 for _ in walk.cuts())


def _algebraic(low: Ints, high: Ints, weight: Floats, players: int, nodes: int) -> float | None:
    """The second smallest eigenvalue of the normalised Laplacian of a connected graph; sessions are its last nodes."""
    from scipy import sparse  # type: ignore[import-untyped]  # scipy has no types; a tenth of a second no list needs

    game = high < players
    ends = (np.concatenate([low[game], high[game]]), np.concatenate([high[game], low[game]]))
    games = sparse.csr_matrix((np.tile(weight[game], 2), ends), (players, players))
    who, where = low[~game], high[~game] - players
    size = np.bincount(where, minlength=nodes - players)
    share = 1.0 / np.maximum(size - 1.0, 1.0)[where]  # a seat is one result, shared among the others there
    seats = sparse.csr_matrix((np.ones(len(who)), (who, where)), (players, nodes - players))
    shares = sparse.csr_matrix((share, (who, where)), seats.shape)
    own = np.bincount(who, share, minlength=players)
    degree = np.asarray(games.sum(axis=1)).ravel() + np.bincount(who[size[where] > 1], minlength=players)
    if players < 2:
        return None
    root = np.sqrt(degree)
    still = root / np.sqrt(root @ root)

    def step(x: Floats) -> Floats:
        """A step of the random walk over results; its first eigenvector is moved to the low end of the spectrum."""
        y = np.ravel(x) / root
        moved = (games @ y + shares @ (seats.T @ y) - own * y) / root
        return np.asarray(moved - 3.0 * still * (still @ np.ravel(x)))

    if players <= _DENSE:
        return 1.0 - float(np.linalg.eigvalsh(np.column_stack([step(unit) for unit in np.eye(players)]))[-1])
    return _largest(step, players)


def _largest(step: Callable[[Floats], Floats], n: int) -> float | None:
    """1 minus the largest eigenvalue of a symmetric operator; None if it is not found in `_ROUNDS`."""
    from scipy.sparse.linalg import (  # type: ignore[import-untyped]  # as above
        ArpackNoConvergence,
        LinearOperator,
        eigsh,
    )

    operator = LinearOperator((n, n), matvec=step, dtype=np.float64)
    begin = np.random.default_rng(n).standard_normal(n)  # the same each time, and in no special direction
    try:
        eigenvalues = eigsh(operator, k=1, which="LA", v0=begin, ncv=_WIDTH, maxiter=_ROUNDS, tol=_TOLERANCE)[0]
    except ArpackNoConvergence:
        return None
    return 1.0 - float(eigenvalues[0])
