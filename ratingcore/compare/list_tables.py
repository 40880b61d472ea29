"""Tables of the lists of several methods: agreement, movers, ranks, health, curves, distributions."""

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any

import numpy as np
from attrs import frozen

from ratingcore.columns import View
from ratingcore.compare.agreement import Agreement, agreement
from ratingcore.compare.curves import busiest, curves, distributions
from ratingcore.compare.health import health
from ratingcore.compare.period_lists import watch
from ratingcore.compare.played_games import Played
from ratingcore.events import DAY
from ratingcore.lists import RatingList
from ratingcore.methods import Method
from ratingcore.report.table import Table, columns_of

MOVERS = 5
"""Movers up, and movers down, of a pair of lists."""
LEVELS = {
    "mean": "mean", "top_mean": "top", "panel_mean": "panel", "stayers": "stayers", "came": "came",
    "returned": "returned", "leavers": "left", "brought": "brought", "carried": "carried", "taken": "taken",
    "made": "made", "total": "total",
}  # fmt: skip
PLAY = {
    "games": "results", "players": "players", "active": "active", "newcomers": "debuts", "components": "components",
    "largest_share": "largest", "bridges": "bridges", "connectivity": "algebraic",
}  # fmt: skip


@frozen(eq=False)
class Listed:
    """Lists of several methods over one view, computed on first use.

    Parameters
    ----------
    methods : mapping of text to Method
    view : View
    reference : str
        Text of the method that the others are held against.
    followed : tuple of int
        Rows of the players whose ratings are drawn; those with most games if empty.
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
        """How the list of each other method agrees with that of the reference."""
        old = self.lists[self.reference]
        return {text: agreement(old, new) for text, new in self.lists.items() if text != self.reference}

    def tables(self) -> dict[str, Table]:
        """All tables by name; each is computed on first use."""
        made = (
            Table("agreement", "How far the lists agree", self._agreement),
            Table("movers", "Players who stand elsewhere", self._movers),
            Table("ranks", "Ranks under each method", self._ranks),
            Table("health", "Health of the pool", self._health, "rating points of each method"),
            Table("curves", "Ratings of chosen players", self._curves, "rating points of each method"),
            Table("distributions", "Distribution of ratings", self._distributions, "players"),
        )
        return {table.name: table for table in made}

    def _agreement(self) -> dict[str, Any]:
        left_off = ("method", "at", "known_at", "new_method", "new_at", "new_known_at")
        rows: list[dict[str, Any]] = []
        for text, found in self.agreements.items():
            names: dict[str, Any] = {"method": text, "against": self.reference}
            rows.append(names | {name: cell for name, cell in found.facts().items() if name not in left_off})
        return columns_of(rows, ("method", "against", "players"))

    def _movers(self) -> dict[str, Any]:
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

    def _ranks(self) -> dict[str, Any]:
        ranks: dict[str, dict[str, int]] = {}
        for text, listed in self.lists.items():
            for player, rank in zip(listed.player, listed.rank.tolist(), strict=True):
                if rank:
                    ranks.setdefault(player, {})[text] = rank
        order = sorted(ranks, key=lambda player: (ranks[player].get(self.reference, len(ranks) + 1), player))
        columns = {text: tuple(ranks[player].get(text) for player in order) for text in self.methods}
        return {"player": tuple(order)} | columns

    def _health(self) -> dict[str, Any]:
        made = health(self.methods.values(), self.view)
        played, n = made.activity.columns, len(self.methods)
        at = (played["end"].astype(np.int64) - 1) // DAY * DAY
        cells: dict[str, Any] = {
            "method": tuple(text for text in self.methods for _ in at),
            "at": np.tile(at.astype("M8[us]"), n),
        }
        cells |= {name: np.tile(played[column], n) for name, column in PLAY.items()}
        levels = [level.columns for level in made.levels]
        return cells | {name: np.concatenate([level[column] for level in levels]) for name, column in LEVELS.items()}

    def _curves(self) -> dict[str, Any]:
        watches = {text: partial(watch, method, self.view) for text, method in self.methods.items()}
        return curves(self.view, watches, self.followed or busiest(Played.of(self.view)))

    def _distributions(self) -> dict[str, Any]:
        ratings = {text: np.asarray(found.values["rating"], np.float64) for text, found in self.lists.items()}
        return distributions(ratings)


def _furthest(found: Agreement) -> list[int]:
    """Rows of the players who went most places up, then of those who went most places down."""
    order = np.argsort(-found.places, kind="stable")
    up = [at for at in order[:MOVERS].tolist() if found.places[at] > 0]
    down = [at for at in order[::-1][:MOVERS].tolist() if found.places[at] < 0]
    return up + down
