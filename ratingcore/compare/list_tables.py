"""Makes tables from the lists of several methods: agreement, movers, ranks, health, curves, distributions."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, View
from ratingcore.compare.agreement import Agreement, agreement
from ratingcore.compare.health import OverTime, Way
from ratingcore.lists import RatingList
from ratingcore.methods import Method
from ratingcore.report.table import Table, columns_of

FOLLOWED = 5
"""Number of players whose curves are drawn by default."""
BINS = 30
"""Number of bins of a distribution."""


def busiest(view: View, n: int = FOLLOWED) -> list[int]:
    """Returns the rows of the players with most results, in descending order."""
    count = view.played_counts()
    return [row for row in np.argsort(-count, kind="stable")[:n].tolist() if count[row]]


def spread_of(ratings: Mapping[str, Floats]) -> dict[str, object]:
    """Counts the players in equal bins of rating, under each method.

    Parameters
    ----------
    ratings : mapping of method text to (players,) float64
        NaN for the unrated.
    """
    method: list[str] = []
    low: list[Floats] = []
    high: list[Floats] = []
    players: list[int] = []
    for text, rating in ratings.items():
        rated = rating[np.isfinite(rating)]
        if not len(rated):
            continue
        count, edges = np.histogram(rated, bins=BINS)
        method += [text] * len(count)
        low.append(edges[:-1])
        high.append(edges[1:])
        players += count.tolist()
    return {"method": tuple(method), "low": _joined(low), "high": _joined(high), "players": tuple(players)}


def _joined(parts: Sequence[Floats]) -> Floats:
    return np.concatenate(parts) if parts else np.empty(0)


FIRST = 20
"""Number of places at the top of the lists that are shown side by side."""
MOVERS = 5
"""Number of movers up, and of movers down, between two lists."""


@frozen(eq=False)
class Listed:
    """Rating lists of several methods over one view, computed on first use.

    Parameters
    ----------
    methods : mapping of text to Method
    view : View
    reference : str
        Text of the method with which the others are compared.
    followed : tuple of int
        Rows of the players whose ratings are drawn; the players with most results if empty.
    listing : callable
        Makes the rating list of a method over the view.
    """

    methods: Mapping[str, Method]
    view: View
    reference: str
    followed: tuple[int, ...]
    listing: Callable[[Method], RatingList]

    @cached_property
    def lists(self) -> dict[str, RatingList]:
        """The rating list of each method."""
        return {text: self.listing(method) for text, method in self.methods.items()}

    @cached_property
    def agreements(self) -> dict[str, Agreement]:
        """How far the list of each other method agrees with the list of the reference."""
        old = self.lists[self.reference]
        return {text: agreement(old, new) for text, new in self.lists.items() if text != self.reference}

    def tables(self) -> dict[str, Table]:
        """Returns all tables by name; each is computed on first use."""
        points = "rating points of each method"
        made = (
            Table("agreement", "How far the lists agree", self._agreement),
            Table("movers", "Players whose place differs", self._movers),
            Table("first", "The first twenty under each method", self._first),
            Table("ranks", "Ranks under each method", self._ranks),
            Table("health", "Health of the pool", lambda: self._over_time.health(), points),
            Table("curves", "Ratings of chosen players", lambda: self._over_time.curves(), points),
            Table("distributions", "Distribution of ratings", self._distributions, "players"),
        )
        return {table.name: table for table in made}

    def _agreement(self) -> dict[str, object]:
        rows = [
            {"method": text, "against": self.reference, **found.distances()} for text, found in self.agreements.items()
        ]
        return columns_of(rows, ("method", "against", "players"))

    def _movers(self) -> dict[str, object]:
        rows = [
            {
                "method": text, "against": self.reference, "player": found.player[at],
                "rank": int(found.new_rank[at]), "rank_against": int(found.rank[at]), "places": int(found.places[at]),
                "rating": float(found.new_rating[at]), "rating_against": float(found.rating[at]),
            }
            for text, found in self.agreements.items()
            for at in _furthest(found)
        ]  # fmt: skip
        return columns_of(rows, ("method", "against", "player", "rank", "rank_against"))

    def _first(self) -> dict[str, object]:
        columns = {
            text: [player for player, rank in zip(listed.player, listed.rank.tolist(), strict=True) if rank][:FIRST]
            for text, listed in self.lists.items()
        }
        places = range(1, max(map(len, columns.values()), default=0) + 1)
        rows = [{text: column[n - 1] if n <= len(column) else None for text, column in columns.items()} for n in places]
        return columns_of([{"place": n, **row} for n, row in zip(places, rows, strict=True)], ("place", *columns))

    def _ranks(self) -> dict[str, object]:
        ranks: dict[str, dict[str, int]] = {}
        for text, listed in self.lists.items():
            for player, rank in zip(listed.player, listed.rank.tolist(), strict=True):
                if rank:
                    ranks.setdefault(player, {})[text] = rank
        order = sorted(ranks, key=lambda player: (ranks[player].get(self.reference, len(ranks) + 1), player))
        columns = {text: tuple(ranks[player].get(text) for player in order) for text in self.methods}
        return {"player": tuple(order), **columns}

    @cached_property
    def _over_time(self) -> OverTime:
        ways = {text: Way.of(method, self.view) for text, method in self.methods.items()}
        return OverTime(self.view, ways, self.followed or busiest(self.view))

    def _distributions(self) -> dict[str, object]:
        ratings = {text: np.asarray(found.values["rating"], np.float64) for text, found in self.lists.items()}
        return spread_of(ratings)


def _furthest(found: Agreement) -> list[int]:
    """Returns the rows of the players who moved up most places, then of those who moved down most."""
    order = np.argsort(-found.places, kind="stable")
    up = [at for at in order[:MOVERS].tolist() if found.places[at] > 0]
    down = [at for at in order[::-1][:MOVERS].tolist() if found.places[at] < 0]
    return up + down
