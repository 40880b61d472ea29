"""The lists of several methods side by side: how far they agree, who stands elsewhere, how ratings move over time."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from attrs import frozen

from ratingcore.compare.agreement import Agreement, agreement
from ratingcore.compare.curves import busiest, curves, distributions
from ratingcore.compare.health import health
from ratingcore.compare.period_lists import watch
from ratingcore.compare.played_games import Played
from ratingcore.events import DAY
from ratingcore.lists import RatingList
from ratingcore.methods import Method
from ratingcore.report.table import Table
from ratingcore.tables import View

MOVERS = 5
"""Players each way whose rank differs most, of a pair of lists."""
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
    """What lists of several methods over one view say; worked out when it is asked for.

    Parameters
    ----------
    methods : mapping of text to Method
    view : View
    reference : str
        Text of the method that the others are held against.
    followed : tuple of int
        Rows of the players whose ratings are followed; those with most games if empty.
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
        """All of it, as tables by name."""
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
            told: dict[str, Any] = {"method": text, "against": self.reference}
            rows.append(told | {name: cell for name, cell in found.facts().items() if name not in left_off})
        return _columns(("method", "against", "players"), rows)

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
        return _columns(("method", "against", "player", "rank", "rank_against"), rows)

    def _ranks(self) -> dict[str, Any]:
        found: dict[str, dict[str, int]] = {}
        for text, listed in self.lists.items():
            for player, rank in zip(listed.player, listed.rank.tolist(), strict=True):
                if rank:
                    found.setdefault(player, {})[text] = rank
        order = sorted(found, key=lambda player: (found[player].get(self.reference, len(found) + 1), player))
        ranks = {text: tuple(found[player].get(text) for player in order) for text in self.methods}
        return {"player": tuple(order)} | ranks

    def _health(self) -> dict[str, Any]:
        made = health(self.methods.values(), self.view)
        played, n = made.activity.columns, len(self.methods)
        at = (played["end"].astype(np.int64) - 1) // DAY * DAY
        told: dict[str, Any] = {
            "method": tuple(text for text in self.methods for _ in at),
            "at": np.tile(at.astype("M8[us]"), n),
        }
        told |= {name: np.tile(played[column], n) for name, column in PLAY.items()}
        levels = [level.columns for level in made.levels]
        return told | {name: np.concatenate([level[column] for level in levels]) for name, column in LEVELS.items()}

    def _curves(self) -> dict[str, Any]:
        watches = {text: partial(watch, method, self.view) for text, method in self.methods.items()}
        return curves(self.view, watches, self.followed or busiest(Played.of(self.view)))

    def _distributions(self) -> dict[str, Any]:
        ratings = {text: np.asarray(found.values["rating"], np.float64) for text, found in self.lists.items()}
        return distributions(ratings)


def _furthest(found: Agreement) -> list[int]:
    """Who went most places up, most first, and who went most places down."""
    order = np.argsort(-found.places, kind="stable")
    up = [at for at in order[:MOVERS].tolist() if found.places[at] > 0]
    down = [at for at in order[::-1][:MOVERS].tolist() if found.places[at] < 0]
    return up + down


def _columns(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Rows as columns; the names are those of a table without rows."""
    return {name: tuple(row[name] for row in rows) for name in (rows[0] if rows else names)}
