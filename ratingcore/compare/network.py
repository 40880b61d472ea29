"""Measures how results connect players: components, bridges, and the graph walk that finds bridges."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ratingcore.columns.games import Ints
from ratingcore.columns.view import View


def parts_of(low: Ints, high: Ints, nodes: int) -> Ints:
    """Numbers the component of each node, in order of their first nodes.

    Each component is joined to the neighbour with the first node, until no edge leads from one to another.
    """
    first = np.arange(nodes)
    one, other = low, high
    while (across := one != other).any():
        one, other = one[across], other[across]
        np.minimum.at(first, np.maximum(one, other), np.minimum(one, other))
        while not np.array_equal(further := first[first], first):
            first = further
        one, other = first[one], first[other]
    return (np.cumsum(first == np.arange(nodes)) - 1)[first]


def certificate(low: Ints, high: Ints, nodes: int) -> Ints:
    """Returns the edges of two forests that preserve every bridge and every cut node [1]_.

    Both forests are grown breadth first, the second from the edges that the first leaves over. At most two edges per
    node remain to be walked.

    References
    ----------
    .. [1] J. Cheriyan, M. Kao, R. Thurimella, "Scan-first search and sparse certificates", SIAM J. Computing 22, 1993.
    """
    left = np.arange(len(low))
    forests = []
    for _ in range(2):
        tree = _forest(low[left], high[left], nodes)
        forests.append(left[tree])
        left = np.delete(left, tree)
    return np.sort(np.concatenate(forests))


def _forest(low: Ints, high: Ints, nodes: int) -> Ints:
    """Returns the edges of a breadth-first forest, grown from an extra node joined to one node of every component."""
    from scipy import sparse  # type: ignore[import-untyped]  # scipy has no types; a tenth of a second no list needs
    from scipy.sparse.csgraph import breadth_first_order  # type: ignore[import-untyped]  # as above

    _, roots = np.unique(parts_of(low, high, nodes), return_index=True)
    row, column = np.concatenate([low, np.full(len(roots), nodes)]), np.concatenate([high, roots])
    graph = sparse.csr_matrix((np.ones(len(row), dtype=np.int8), (row, column)), (nodes + 1, nodes + 1))
    before = np.asarray(breadth_first_order(graph, nodes, directed=False)[1][:nodes])
    return np.flatnonzero((before[high] == low) | (before[low] == high))


class Walk:
    """A depth-first walk through a graph, with the earliest node that can be reached from each node [1]_.

    In the order of the walk, all nodes below a node form one contiguous stretch. Nodes from `players` on are sessions;
    every component has a player.

    References
    ----------
    .. [1] R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Computing 1, 1972.
    """

    def __init__(self, low: Ints, high: Ints, nodes: int, players: int) -> None:
        self._players = players
        ends = np.concatenate([low, high])
        order = np.argsort(ends, kind="stable")
        self._start = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=nodes))]).tolist()
        self._near = np.concatenate([high, low])[order].tolist()
        self._edge = np.tile(np.arange(len(low)), 2)[order].tolist()
        self._node: list[int] = []
        self._turn, self._end, self._back = [-1] * nodes, [0] * nodes, [0] * nodes
        self._root, self._before, self._by = [0] * nodes, [-1] * nodes, [-1] * nodes
        following = self._start[:-1]
        for root in range(nodes):
            if self._turn[root] < 0:
                self._from(root, following)
        walked = np.array(self._node, dtype=np.int64)
        self._order = walked[walked < players]
        self._seen = np.concatenate([[0], np.cumsum(walked < players)])

    def _from(self, root: int, following: list[int]) -> None:
        """Walks the component of a node without recursion; `following` has the next neighbour of each node."""
        turn, back, before, by = self._turn, self._back, self._before, self._by
        self._enter(root, root)
        path = [root]
        while path:
            at = path[-1]
            if following[at] < self._start[at + 1]:
                k = following[at]
                following[at] += 1
                near = self._near[k]
                if turn[near] < 0:
                    before[near], by[near] = at, self._edge[k]
                    self._enter(near, root)
                    path.append(near)
                elif self._edge[k] != by[at]:
                    back[at] = min(back[at], turn[near])
                continue
            path.pop()
            self._end[at] = len(self._node)
            if path:
                back[path[-1]] = min(back[path[-1]], back[at])

    def _enter(self, node: int, root: int) -> None:
        self._turn[node] = self._back[node] = len(self._node)
        self._root[node] = root
        self._node.append(node)

    def bridges(self) -> Iterator[tuple[int, int]]:
        """Yields the node below each bridge, and the edge of the bridge."""
        for node in self._node:
            if self._before[node] >= 0 and self._back[node] == self._turn[node]:
                yield node, self._by[node]

    def cuts(self) -> Iterator[tuple[int, list[int]]]:
        """Yields the sessions whose removal splits their component, each with the nodes below it that come loose."""
        loose: dict[int, list[int]] = {}
        for node in self._node:
            above = self._before[node]
            if above >= self._players and self._back[node] >= self._turn[above]:
                loose.setdefault(above, []).append(node)
        yield from sorted(loose.items())

    def smaller(self, node: int, some: int) -> tuple[int, Ints]:
        """Counts the players on the smaller side of the bridge above a node; also returns a few of them."""
        under, rest = self._under(node), self._rest(node, [node])
        return _counted([under] if _size([under]) <= _size(rest) else rest, self._order, some)

    def all_but_largest(self, node: int, loose: list[int], some: int) -> tuple[int, Ints]:
        """Counts the players outside the largest part that a session connects; also returns a few of them."""
        sides = [[self._under(below)] for below in loose] + [self._rest(node, loose)]
        small = sorted(sides, key=_size)[:-1]
        return _counted([stretch for side in small for stretch in side], self._order, some)

    def _under(self, node: int) -> slice:
        """Returns the players at a node and below it, as a stretch of the walk."""
        return slice(int(self._seen[self._turn[node]]), int(self._seen[self._end[node]]))

    def _rest(self, node: int, below: list[int]) -> list[slice]:
        """Returns the players of a component except those at and below some nodes, as stretches of the walk."""
        whole = self._under(self._root[node])
        stops = [whole.start]
        for stretch in sorted((self._under(other) for other in below), key=lambda stretch: stretch.start):
            stops += [stretch.start, stretch.stop]
        stops.append(whole.stop)
        return [slice(low, high) for low, high in zip(stops[::2], stops[1::2], strict=True)]


def _size(side: list[slice]) -> int:
    return sum(stretch.stop - stretch.start for stretch in side)


def _counted(side: list[slice], order: Ints, some: int) -> tuple[int, Ints]:
    """Counts the players on a side; also returns the first few of them in the order of the walk."""
    first = [order[stretch][:some] for stretch in side]
    return _size(side), np.sort(np.concatenate(first)[:some])


LARGE = 20_000
"""Number of players and sessions from which on bridges are not counted, because that takes seconds."""


class Network(NamedTuple):
    """How results connect players; a session connects all of its players.

    Parameters
    ----------
    players : int
        Number of players with a result.
    components : int
        Number of groups without results between them.
    largest : float in (0, 1] or None
        Share of the players in the largest component; None if nobody played.
    bridges : int or None
        Number of pairs and sessions whose removal would split a component; None if they were not counted.
    """

    players: int
    components: int
    largest: float | None
    bridges: int | None


class Seats:
    """The players of the games and sessions of a view, in order of play."""

    def __init__(self, view: View) -> None:
        games, sessions = view.timeline.games.take(slice(0, view.n_games)), view.timeline.sessions
        self.a, self.b, self.games = games.a, games.b, games.played
        self.start = sessions.side[sessions.result[: view.n_sessions + 1]]
        self.player, self.sessions = sessions.player, sessions.played[: view.n_sessions]

    def between(self, start: int, end: int) -> tuple[Ints, Ints, Ints, Ints]:
        """Returns results from `start` to before `end`: both players per game, then session and player per seat."""
        games = slice(*np.searchsorted(self.games, (start, end)).tolist())
        first, last = np.searchsorted(self.sessions, (start, end)).tolist()
        session = np.repeat(np.arange(last - first), np.diff(self.start[first : last + 1]))
        return self.a[games], self.b[games], session, self.player[int(self.start[first]) : int(self.start[last])]


def network(a: Ints, b: Ints, session: Ints, seated: Ints, large: int = LARGE) -> Network:
    """Measures how some results connect their players.

    Parameters
    ----------
    a, b : (n,) int
        Players of each game.
    session, seated : (m,) int
        Session and player of each seat; sessions are numbered from 0.
    large : int
        Number of players and sessions from which on bridges are not counted.

    Examples
    --------
    >>> nobody = np.empty(0, dtype=np.int64)
    >>> row = network(np.array([0, 1, 2]), np.array([1, 2, 3]), nobody, nobody)
    >>> row.components, row.bridges
    (1, 3)
    """
    n, (one, other, seat) = _numbered(a, b, seated)
    if not n:
        return Network(0, 0, None, 0)
    pair = np.unique(np.minimum(one, other) * n + np.maximum(one, other))
    nodes = n + int(session.max(initial=-1)) + 1
    low = np.concatenate([pair // n, seat])
    high = np.concatenate([pair % n, n + session])
    sizes = np.bincount(parts_of(low, high, nodes)[:n])
    bridges = None if nodes >= large else _bridges(low, high, nodes, n, len(pair))
    return Network(n, int(np.count_nonzero(sizes)), float(sizes.max()) / n, bridges)


def _numbered(*rows: Ints) -> tuple[int, list[Ints]]:
    """Renumbers rows from 0; returns the number of different rows and the renumbered columns."""
    seen = np.zeros(max(int(row.max(initial=-1)) for row in rows) + 1, dtype=np.bool_)
    for row in rows:
        seen[row] = True
    number = np.cumsum(seen) - 1
    return int(np.count_nonzero(seen)), [number[row] for row in rows]


def _bridges(low: Ints, high: Ints, nodes: int, players: int, pairs: int) -> int:
    """Counts the pairs and sessions whose removal splits a component."""
    sparse = certificate(low, high, nodes)
    walk = Walk(low[sparse], high[sparse], nodes, players)
    return sum(bool(sparse[edge] < pairs) for _, edge in walk.bridges()) + sum(1 for _ in walk.cuts())
