"""Tables of the lists of several methods: agreement, movers, ranks, health, curves, distributions."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Protocol

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints, View
from ratingcore.compare.agreement import Agreement, agreement
from ratingcore.compare.health import health
from ratingcore.compare.period_lists import spans, watch
from ratingcore.compare.played import Played
from ratingcore.events import DAY, Instant
from ratingcore.lists import RatingList
from ratingcore.methods import Method
from ratingcore.report.table import Table, columns_of

FOLLOWED = 5
"""Players who are drawn unless some are chosen."""
BINS = 30
"""Bins of a distribution."""

Seen = Callable[[int, Floats], None]


class Watch(Protocol):
    """Calls back with the ratings, and the deviations, that a method lists at each of some instants."""

    def __call__(self, instants: Sequence[Instant], seen: Seen, deviation: Seen | None = None) -> None: ...


def busiest(played: Played, n: int = FOLLOWED) -> list[int]:
    """Rows of the players with most results, most first."""
    count = played.view.played_counts()
    return [row for row in np.argsort(-count, kind="stable")[:n].tolist() if count[row]]


def instants(view: View) -> Ints:
    """The last instant of each calendar period of a view; the cut of the view is the last one."""
    _, edges = spans(view)
    inside = edges[1:-1] - 1
    return np.append(inside[inside < view.through], view.through) if len(edges) else edges


def curves(view: View, watches: Mapping[str, Watch], rows: Sequence[int]) -> dict[str, object]:
    """The rating of each player on the list of each period end, under each method, and the deviation where one has it.

    Parameters
    ----------
    view : View
    watches : mapping of method text to callable
    rows : sequence of int
        Players whose ratings are wanted.
    """
    at, names = instants(view), [view.name(row) for row in rows]
    last = view.last_happened
    days = at.copy()
    if len(at) and last is not None:
        days[-1] = min(int(at[-1]), last)  # a list of everything is dated by the last event
    days = days // DAY * DAY
    method: list[str] = []
    parts: list[Floats] = []
    deviations: list[Floats] = []
    for text, followed in watches.items():
        seen, deviation = (np.full((len(at), len(rows)), np.nan) for _ in range(2))
        followed(at.tolist(), partial(_keep, rows, seen), partial(_keep, rows, deviation))
        method += [text] * seen.size
        parts.append(seen.T.ravel())
        deviations.append(deviation.T.ravel())
    made: dict[str, object] = {
        "method": tuple(method),
        "player": tuple(name for _ in watches for name in names for _ in at),
        "at": np.tile(days, len(names) * len(watches)).astype("M8[us]"),
        "rating": _joined(parts),
    }
    known = _joined(deviations)
    return made | {"deviation": known} if np.isfinite(known).any() else made


def _keep(rows: Sequence[int], columns: Floats, number: int, listed: Floats) -> None:
    columns[number] = listed[list(rows)]


def distributions(ratings: Mapping[str, Floats]) -> dict[str, object]:
    """Number of players in each of equal bins of rating, under each method.

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

    def _agreement(self) -> dict[str, object]:
        left_off = ("method", "at", "known_at", "new_method", "new_at", "new_known_at")
        rows: list[dict[str, object]] = []
        for text, found in self.agreements.items():
            names: dict[str, object] = {"method": text, "against": self.reference}
            rows.append(names | {name: cell for name, cell in found.facts().items() if name not in left_off})
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

    def _ranks(self) -> dict[str, object]:
        ranks: dict[str, dict[str, int]] = {}
        for text, listed in self.lists.items():
            for player, rank in zip(listed.player, listed.rank.tolist(), strict=True):
                if rank:
                    ranks.setdefault(player, {})[text] = rank
        order = sorted(ranks, key=lambda player: (ranks[player].get(self.reference, len(ranks) + 1), player))
        columns = {text: tuple(ranks[player].get(text) for player in order) for text in self.methods}
        return {"player": tuple(order), **columns}

    def _health(self) -> dict[str, object]:
        made = health(self.methods.values(), self.view)
        played, n = made.activity.columns, len(self.methods)
        at = (played["end"].astype(np.int64) - 1) // DAY * DAY
        cells: dict[str, object] = {
            "method": tuple(text for text in self.methods for _ in at),
            "at": np.tile(at.astype("M8[us]"), n),
        }
        cells |= {name: np.tile(played[column], n) for name, column in PLAY.items()}
        levels = [level.columns for level in made.levels]
        return cells | {name: np.concatenate([level[column] for level in levels]) for name, column in LEVELS.items()}

    def _curves(self) -> dict[str, object]:
        watches = {text: partial(watch, method, self.view) for text, method in self.methods.items()}
        return curves(self.view, watches, self.followed or busiest(Played.of(self.view)))

    def _distributions(self) -> dict[str, object]:
        ratings = {text: np.asarray(found.values["rating"], np.float64) for text, found in self.lists.items()}
        return distributions(ratings)


def _furthest(found: Agreement) -> list[int]:
    """Rows of the players who went most places up, then of those who went most places down."""
    order = np.argsort(-found.places, kind="stable")
    up = [at for at in order[:MOVERS].tolist() if found.places[at] > 0]
    down = [at for at in order[::-1][:MOVERS].tolist() if found.places[at] < 0]
    return up + down
