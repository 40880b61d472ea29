"""Ratings that players of one pool bring from another pool, where they are rated by that pool's rule."""

import hashlib
from collections.abc import Sequence
from math import nan
from typing import Protocol, Self

import numpy as np
from attrs import frozen

from ratingcore.columns.games import Floats, Games, Ints
from ratingcore.columns.view import View
from ratingcore.errors import BadValue
from ratingcore.events import DAY
from ratingcore.methods.contract import Method
from ratingcore.methods.first_ratings import Entering
from ratingcore.methods.rule_histories import Book, books_of
from ratingcore.replay.period_calls import tournament_starts

Seats = tuple[Floats, Floats]
"""For both players of each game, a rating or NaN."""


class OtherPools(Protocol):
    """The other pools of a log, as seen by the reader of a view."""

    def ratings(self, method: Method, pool: str, at: Ints, player: Ints) -> Floats:
        """Returns the ratings of players, by id, in another pool through each instant; NaN for the unrated.

        Parameters
        ----------
        method : Method
            Method whose players begin with these ratings.
        """
        ...

    def rules(self, pool: str) -> list[str]:
        """Returns the identities of the rules of another pool."""
        ...


def others_of(view: View) -> OtherPools:
    """Returns the other pools of the log of a view.

    Raises
    ------
    BadValue
        If the view was made without the other pools of its log.
    """
    if view.others is None:
        raise BadValue("entry", "from", "begins from ratings of another pool, which only a log has")
    others: OtherPools = view.others
    return others


@frozen(eq=False)
class Given:
    """Ratings of the players of a view's games in another pool.

    Parameters
    ----------
    position : (n,) int64
        Positions of the games, ascending.
    seats : (a, b) of (n,) float64
        Ratings of both players of each game.
    """

    position: Ints
    seats: Seats

    @classmethod
    def to(cls, method: Entering, view: View) -> Self:
        """Returns the ratings in the pool that an entry names, on the day before the tournament of each game began."""
        table, (known, start) = view.timeline.table.part(0, view.n_games), tournament_starts(view)
        by = np.argsort(table.position)
        position, place = table.position[by], np.argsort(known)
        began = start[place[np.searchsorted(known, position, sorter=place)]]
        through, ids = began // DAY * DAY - 1, view.timeline.players.id
        players = ids[np.concatenate([table.a[by], table.b[by]])]
        rating = others_of(view).ratings(method, method.entry.pool, np.concatenate([through, through]), players)
        return cls(position, (rating[: len(by)], rating[len(by) :]))

    def of(self, games: Games) -> Seats:
        """Returns the ratings for some of the games."""
        at = np.searchsorted(self.position, games.position)
        return self.seats[0][at], self.seats[1][at]

    def digest(self, rules: Sequence[str]) -> str:
        """Returns a digest of these ratings and of the rules that made them."""
        made = hashlib.sha256(" ".join(rules).encode())
        for column in (self.position, *self.seats):
            made.update(column.tobytes())
        return made.hexdigest()


def elsewhere_on(book: Book, view: View) -> Floats:
    """Returns all players' ratings in the other pool that a step of a rule names, on the day before the step."""
    ids = view.timeline.players.id
    if book.once is None or not book.once.pool:
        return np.full(len(ids), nan)
    return others_of(view).ratings(book.method, book.once.pool, np.full(len(ids), book.day - 1), ids)


def planted(method: Method, view: View) -> dict[str, str]:
    """Returns a digest for each other pool that a method names: of its rules and of the ratings taken from it."""
    found: dict[str, str] = {}
    if isinstance(method, Book):
        for one, _ in method.steps:
            found |= planted(one, view)
        for book in books_of(method):
            if book.once is not None and book.once.pool:
                pool, given = book.once.pool, elsewhere_on(book, view)[: view.n_players]
                facts = f"{found.get(pool, '')} {' '.join(others_of(view).rules(pool))} {book.since}"
                found[pool] = hashlib.sha256(facts.encode() + given.tobytes()).hexdigest()
    elif isinstance(method, Entering) and (pool := method.entry.pool):
        found[pool] = Given.to(method, view).digest(others_of(view).rules(pool))
    return found
