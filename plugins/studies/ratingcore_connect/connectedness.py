"""Connectedness of a pool: which players are comparable, and the results on which that depends."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from attrs import frozen

from ratingcore.plugin import Bools, Ints
from ratingcore.plugin.analysis import View, Walk, certificate, parts_of

NAMED = 5
"""Number of players on the smaller side of a bridge that are named."""


class Component(NamedTuple):
    """Players connected with each other by results, and with nobody else.

    `strong` is the number of its parts whose players scored against each other; 0 if there are sessions, which do not
    show who scored against whom.
    """

    players: tuple[str, ...]
    results: int
    strong: int


class Bridge(NamedTuple):
    """Results that alone connect two parts of a component.

    Without them two sets of players would not be comparable: `parted` is the size of the smaller one, `side` names a
    few of its players. `position` is None if there is more than one such game.
    """

    between: tuple[str, ...]
    results: int
    position: int | None
    parted: int
    side: tuple[str, ...]


class Strong(NamedTuple):
    """Players who scored against each other, directly or through others; a ratio method can rate no larger set.

    They are `above` if nobody else in the component scored against them, `below` if they scored against nobody else.
    """

    players: tuple[str, ...]
    results: int
    component: int
    above: bool
    below: bool


@frozen(eq=False)
class Connectedness:
    """Components, bridges and strong parts of a pool, the largest first.

    Attributes
    ----------
    components : tuple of Component
        Ratings of different components are not comparable, whatever the method.
    bridges : tuple of Bridge
    strong : tuple of Strong
        Empty if the view has sessions.
    unplayed : tuple of str
        Players without results.
    """

    components: tuple[Component, ...]
    bridges: tuple[Bridge, ...]
    strong: tuple[Strong, ...]
    unplayed: tuple[str, ...]


def connectedness(view: View) -> Connectedness:
    """Finds how the results of a view connect its players.

    Examples
    --------
    >>> import ratingcore as rc
    >>> with rc.open(":memory:") as engine:
    ...     for a, b, score in (("ann", "bo", 1.0), ("bo", "cy", 0.5), ("dan", "eve", 1.0)):
    ...         _ = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a=a, b=b, score=score))
    ...     found = connectedness(engine.core.view("rapid"))
    >>> [component.players for component in found.components]
    [('ann', 'bo', 'cy'), ('dan', 'eve')]
    >>> [bridge.between for bridge in found.bridges]
    [('ann', 'bo'), ('bo', 'cy'), ('dan', 'eve')]
    >>> [strong.players for strong in found.strong]
    [('bo', 'cy'), ('ann',), ('dan',), ('eve',)]
    """
    return _Survey(view).result()


class _Survey:
    """The graph of a view: a node for each player, then for each session; edges have the numbers of games."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.players = view.n_players
        self.names = np.array(view.names(), dtype=object)
        table, sessions = view.timeline.games.take(slice(0, view.n_games)), view.timeline.sessions
        self.games = table
        n = self.players
        low, high = np.minimum(table.a, table.b).astype(np.int64), np.maximum(table.a, table.b).astype(np.int64)
        pair, first, games = np.unique(low * n + high, return_index=True, return_counts=True)
        start = sessions.side[sessions.result[: view.n_sessions + 1]]
        seat = np.repeat(np.arange(view.n_sessions), np.diff(start))
        member = sessions.player[: int(start[-1])]
        self.nodes = n + view.n_sessions
        self.low = np.concatenate([pair // max(n, 1), member]).astype(np.int64)
        self.high = np.concatenate([pair % max(n, 1), n + seat]).astype(np.int64)
        self.count = np.concatenate([games, np.zeros(len(member), dtype=np.int64)])
        self.position = np.concatenate([table.position[first], np.zeros(len(member), dtype=np.int64)])
        self.seats = start

    def result(self) -> Connectedness:
        played = np.zeros(self.players, dtype=np.bool_)
        played[self.games.a] = played[self.games.b] = True
        played[self.view.timeline.sessions.player[: int(self.seats[-1])]] = True
        number = _ranked(parts_of(self.low, self.high, self.nodes), self.players, played)
        component = number[: self.players]
        per_game = component[self.games.a]
        results = np.bincount(per_game, minlength=component.max(initial=-1) + 1)
        if self.view.n_sessions:
            results = results + np.bincount(number[self.players :], minlength=len(results))
        strong = tuple(self._strong(component, played)) if not self.view.n_sessions else ()
        parts = np.bincount(np.array([part.component for part in strong], dtype=np.int64), minlength=len(results) + 1)
        groups = _grouped(component, len(results))
        components = tuple(
            Component(self._named(rows), int(results[c]), int(parts[c + 1])) for c, rows in enumerate(groups)
        )
        return Connectedness(
            components,
            tuple(sorted(self._bridges(), key=lambda bridge: (-bridge.parted, bridge.between))),
            strong,
            self._named(np.flatnonzero(~played)),
        )

    def _named(self, rows: Ints) -> tuple[str, ...]:
        return tuple(self.names[rows].tolist())

    def _strong(self, component: Ints, played: Bools) -> Iterator[Strong]:
        """Strongly connected parts of the graph of who scored against whom."""
        from scipy import sparse  # type: ignore[import-untyped]  # scipy has no types; slow to import
        from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]  # as above

        a, b, score = self.games.a, self.games.b, self.games.score
        up, down = score > 0.0, score < 1.0
        winner, loser = np.concatenate([a[up], b[down]]), np.concatenate([b[up], a[down]])
        graph = sparse.csr_matrix((np.ones(len(winner), dtype=np.int8), (winner, loser)), (self.players,) * 2)
        part = _ranked(connected_components(graph, connection="strong")[1], self.players, played)
        count = int(part.max(initial=-1)) + 1
        across = part[winner] != part[loser]
        beaten, beating = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
        beating[part[winner[across]]] = True
        beaten[part[loser[across]]] = True
        within = part[a] == part[b]
        results = np.bincount(part[a[within]], minlength=count)
        for number, rows in enumerate(_grouped(part, count)):
            alone = not (beaten[number] or beating[number])
            yield Strong(
                self._named(rows), int(results[number]), int(component[rows[0]]) + 1,
                not alone and not bool(beaten[number]), not alone and not bool(beating[number]),
            )  # fmt: skip

    def _bridges(self) -> Iterator[Bridge]:
        """Pairs and sessions whose removal splits a component."""
        sparse = certificate(self.low, self.high, self.nodes)
        walk = Walk(self.low[sparse], self.high[sparse], self.nodes, self.players)
        for node, edge in walk.bridges():
            at = sparse[edge]
            games = int(self.count[at])
            if games:  # a seat has no position: sessions are treated as a whole below
                between = self._named(np.array([self.low[at], self.high[at]]))
                position = int(self.position[at]) if games == 1 else None
                parted, side = walk.smaller(node, NAMED)
                yield Bridge(between, games, position, parted, self._named(side))
        sessions = self.view.timeline.sessions
        for node, loose in walk.cuts():
            number = node - self.players
            seated = sessions.player[int(self.seats[number]) : int(self.seats[number + 1])]
            parted, side = walk.all_but_largest(node, loose, NAMED)
            yield Bridge(self._named(seated), 1, int(sessions.position[number]), parted, self._named(side))


def _ranked(part: Ints, players: int, played: Bools) -> Ints:
    """Numbers parts from 0 by size, the larger first; -1 for players without results."""
    own = part[:players]
    size = np.bincount(own[played], minlength=int(part.max(initial=-1)) + 1)
    first = np.full(len(size), players)
    np.minimum.at(first, own, np.arange(players))
    rank = np.empty(len(size), dtype=np.int64)
    rank[np.lexsort((first, -size))] = np.arange(len(size))
    ranked = rank[part]
    ranked[:players][~played] = -1
    return ranked


def _grouped(number: Ints, count: int) -> list[Ints]:
    """Rows of each group, without those numbered -1."""
    order = np.argsort(number, kind="stable")
    order = order[int((number < 0).sum()) :]
    ends = np.cumsum(np.bincount(number[number >= 0], minlength=count))
    return np.split(order, ends[:-1]) if count else []
