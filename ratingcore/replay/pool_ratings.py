"""Ratings of one pool, by the pool's own rule, that are the first ratings of players in another pool."""

from collections.abc import Callable, Mapping, Sequence
from math import nan

import numpy as np
from attrs import field, frozen

from ratingcore.columns.games import Floats, Ints
from ratingcore.columns.view import View
from ratingcore.errors import BadValue, UnknownOtherPool
from ratingcore.events import Instant
from ratingcore.log import Log
from ratingcore.methods.contract import Method
from ratingcore.methods.rule_histories import pools_of
from ratingcore.methods.state import State
from ratingcore.methods.text import identity
from ratingcore.replay.day_lists import watch
from ratingcore.replay.declared import UNDECLARED, MethodOf, questions

KEPT = 4
"""Number of cached results: a list needs the same ratings twice, once for its checkpoints."""


@frozen(eq=False)
class PoolRatings:
    """The other pools of a log, as seen by a reader of its first events.

    Parameters
    ----------
    log : Log
    method_of : callable
        Returns the method of a text.
    position : int
        Number of events the reader knows.
    chain : tuple of str
        Pools of which each takes ratings from the next; needing one of them again would be a circle.
    view_of : callable
        Returns the view of another pool through an instant, for the same reader.
    """

    log: Log
    method_of: MethodOf
    position: int
    chain: tuple[str, ...]
    view_of: Callable[[str, Instant], View]
    _made: dict[tuple[str, bytes], Floats] = field(factory=dict, init=False)

    def ratings(self, method: Method, pool: str, at: Ints, player: Ints) -> Floats:
        """Returns the ratings of players, by id, in another pool through each instant; NaN for the unrated.

        Parameters
        ----------
        method : Method
            Method whose players begin with these ratings.

        Raises
        ------
        UnknownOtherPool
        BadValue
            If the other pool takes ratings, directly or through others, from a pool of the chain, or if its ratings are
            on another scale.
        """
        self._check(pool)
        key = pool, at.tobytes() + player.tobytes()
        if key not in self._made:
            while len(self._made) >= KEPT:
                del self._made[next(iter(self._made))]
            self._made[key] = self._rated(method, pool, at, player)
        return self._made[key]

    def _check(self, pool: str) -> None:
        _check_known(self.log, pool)
        if pool in self.chain:
            circle = _in_words((*self.chain[self.chain.index(pool) + 1 :], pool))
            raise BadValue("entry", f"from({pool})", f"goes round in a circle: {pool} begins from {circle}")

    def rules(self, pool: str) -> list[str]:
        self._check(pool)
        return [identity(self.method_of(text)) for _, text in self._questions(pool)]

    def _questions(self, pool: str) -> list[tuple[Instant, str]]:
        """Returns the rules of a pool, each with the first instant of its lists."""
        declared = [(one.start, one.method or UNDECLARED) for one in questions(self.log, pool, self.position)]
        return declared or [(-(2**62), UNDECLARED)]

    def _rated(self, method: Method, pool: str, at: Ints, player: Ints) -> Floats:
        rating = np.full(len(at), nan)
        if not len(at):
            return rating
        view, stated = self.view_of(pool, int(at.max())), self._questions(pool)
        if view.n_players == 0:
            return rating
        ids = view.timeline.players.id[: view.n_players]
        rows = np.full(int(max(ids.max(), player.max())) + 1, view.n_players)
        rows[ids] = np.arange(view.n_players)
        which = np.searchsorted([start for start, _ in stated], at, "right") - 1
        for number in np.unique(which).tolist():
            rule = self.method_of(stated[number][1] if number >= 0 else UNDECLARED)
            method.taking_over(rule, State.start(rule.columns(), players=0))
            mine = np.flatnonzero(which == number)
            mine = mine[np.argsort(at[mine], kind="stable")]
            days, begin = np.unique(at[mine], return_index=True)
            seats = np.split(rows[player[mine]], begin[1:])
            rating[mine] = _listed(rule, view, days, seats)
        return rating


def check_others(log: Log, pool: str, method: Method, method_of: MethodOf) -> None:
    """Refuses a rule of a pool that takes ratings from an unknown pool, or, perhaps through others, from itself.

    Raises
    ------
    UnknownOtherPool, BadValue
    """
    ways: list[tuple[str, ...]] = [(other,) for other in pools_of(method)]
    for (other,) in ways:
        _check_known(log, other)
    while ways:
        way = ways.pop()
        if way[-1] == pool:
            raise BadValue("entry", f"from({way[0]})", f"goes round in a circle: {pool} begins from {_in_words(way)}")
        if way[-1] not in way[:-1]:
            for question in questions(log, way[-1]):
                ways += [(*way, other) for other in (pools_of(method_of(question.method)) if question.method else ())]


def _check_known(log: Log, pool: str) -> None:
    if log.book.find("pool", pool) is None:
        raise UnknownOtherPool(pool)


def _in_words(pools: Sequence[str]) -> str:
    return ", then from ".join(pools)


def _listed(rule: Method, view: View, days: Ints, seats: list[Ints]) -> Floats:
    """Returns the ratings of each day's rows on the list of that day; NaN for the row after the last player."""
    found: list[Floats] = []

    def seen(day: int, shown: Mapping[str, Floats]) -> None:
        found.append(np.append(shown["rating"], nan)[seats[day]])

    watch(rule, view, days.tolist(), seen)
    return np.concatenate(found)
