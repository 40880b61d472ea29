"""Two rating lists compared: how well their ratings and orders agree, and which players moved."""

from collections.abc import Mapping
from functools import cached_property
from math import isfinite
from typing import NamedTuple

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Ints, frozen_array
from ratingcore.compare.association import Association, association, deviations, filliben, standardised
from ratingcore.lists.provenance import Provenance
from ratingcore.lists.rating_list import RatingList
from ratingcore.read_only import ReadOnly
from ratingcore.report.text import aligned, shown

MOVERS = 5
"""Movers up, and movers down, in a summary."""


class Mover(NamedTuple):
    """A player on both lists; `places` up are positive, `standardised` is in standard deviations of each list."""

    player: str
    rank: int
    new_rank: int
    places: int
    rating: float
    new_rating: float
    change: float
    standardised: float | None


@frozen
class Apart:
    """How far two lists lie apart, over the players rated on both.

    Parameters
    ----------
    shift : float
        Mean of the new ratings less mean of the old ones.
    mean, median, largest : float >= 0
        Of the absolute differences.
    whose : str
        Player with the largest.
    """

    shift: float
    mean: float
    median: float
    largest: float
    whose: str


@frozen(eq=False)
class Agreement:
    """The players rated on both of two lists, in the order of the old one, with measures of how far the lists agree.

    Differences are measured twice: between the ratings as listed, which means little if the lists have different
    scales, and between standardised ratings (less the mean, divided by the standard deviation, of each list over these
    players), which do not depend on scale or on a common shift.

    Parameters
    ----------
    old, new : Provenance
        Provenance of each list.
    player : tuple of str
    rank, new_rank : (n,) int
        As listed.
    rating, new_rating : (n,) float64
        As listed.
    only_old, only_new : tuple of str
        Players on one list only.
    unrated : tuple of str
        Players on both lists to whom one of them gives no finite rating.
    measures : Association
        Correlations of the ratings.
    normal, new_normal : float or None
        Filliben's probability plot correlation coefficient of each list, over these players.
    points, standardised : Apart or None
        How far the lists lie apart, as listed and standardised; None if that is undefined.
    """

    old: Provenance
    new: Provenance
    player: tuple[str, ...]
    rank: Ints
    new_rank: Ints
    rating: Floats
    new_rating: Floats
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]
    unrated: tuple[str, ...]
    measures: Association
    normal: float | None
    new_normal: float | None
    points: Apart | None
    standardised: Apart | None

    def __len__(self) -> int:
        return len(self.player)

    @property
    def same_scale(self) -> bool:
        """Whether both lists are of one method: only then a difference of ratings surely means something."""
        return self.old.method.partition("@")[0] == self.new.method.partition("@")[0]

    @cached_property
    def change(self) -> Floats:
        """New rating less old, of each player."""
        return np.asarray(np.round(self.new_rating - self.rating, 9))

    @cached_property
    def places(self) -> Ints:
        """How many places each player went up the list."""
        return np.asarray(self.rank - self.new_rank)

    @cached_property
    def standardised_change(self) -> Floats:
        """New standardised rating less old, of each player; NaN if undefined."""
        before, after = standardised(self.rating), standardised(self.new_rating)
        if before is None or after is None:
            return np.full(len(self), np.nan)
        return np.asarray(after - before)

    @property
    def columns(self) -> Mapping[str, tuple[str, ...] | NDArray[np.generic]]:
        """A row a player: rank and rating on each list, and the differences."""
        return ReadOnly(
            {
                "player": self.player, "rank": self.rank, "new_rank": self.new_rank, "places": self.places,
                "rating": self.rating, "new_rating": self.new_rating, "change": self.change,
                "standardised": self.standardised_change,
            }
        )  # fmt: skip

    def movers(self, n: int = MOVERS) -> tuple[tuple[Mover, ...], tuple[Mover, ...]]:
        """Players who went furthest up, and those who went furthest down, at most `n` of each.

        Ordered by the change of the rating if both lists are of one method, else of the standardised rating.
        """
        moved = self.change if self.same_scale else np.nan_to_num(self.standardised_change)
        order = np.argsort(-moved, kind="stable")
        up = order[moved[order] > 0.0][:n]
        down = np.argsort(moved, kind="stable")
        return self._movers(up), self._movers(down[moved[down] < 0.0][:n])

    def _movers(self, rows: Ints) -> tuple[Mover, ...]:
        places, change, free = self.places, self.change, self.standardised_change
        return tuple(
            Mover(
                self.player[i], int(self.rank[i]), int(self.new_rank[i]), int(places[i]), float(self.rating[i]),
                float(self.new_rating[i]), float(change[i]), float(free[i]) if isfinite(free[i]) else None,
            )
            for i in rows.tolist()
        )  # fmt: skip

    def facts(self) -> dict[str, str | int | float | None]:
        """The comparison as one row: both lists, counts, measures and distances."""
        of = self.measures
        distances: dict[str, str | int | float | None] = {}
        for name, apart in (("", self.points), ("standardised_", self.standardised)):
            for fact in ("shift", "mean", "median", "largest", "whose"):
                distances[f"{name}{fact}"] = getattr(apart, fact) if apart else None
        return {
            "method": self.old.method, "at": self.old.clock.day(self.old.at), "known_at": self.old.known_at,
            "new_method": self.new.method, "new_at": self.new.clock.day(self.new.at), "new_known_at": self.new.known_at,
            "players": len(self), "only_old": len(self.only_old), "only_new": len(self.only_new),
            "unrated": len(self.unrated),
            "pearson": of.pearson, "kendall": of.kendall, "spearman": of.spearman, "cosine": of.cosine,
            "filliben": self.normal, "new_filliben": self.new_normal, **distances,
        }  # fmt: skip

    def __str__(self) -> str:
        """The comparison in words and tables, a fact a line."""
        lines = [
            f"old {_described(self.old)}",
            f"new {_described(self.new)}",
            f"{len(self)} players rated on both, {len(self.only_old)} only on the old list, "
            f"{len(self.only_new)} only on the new one, {len(self.unrated)} unrated",
        ]
        for name in ("pearson", "kendall", "spearman", "cosine"):
            lines.append(f"{name} {_or_undefined(getattr(self.measures, name))}")
        lines.append(f"filliben {_or_undefined(self.normal)} old, {_or_undefined(self.new_normal)} new")
        for unit, apart in (("as listed", self.points), ("in standard deviations", self.standardised)):
            if apart is None:
                lines.append(f"differences {unit} undefined")
            else:
                lines.append(
                    f"differences {unit}: mean {shown(apart.mean)}, median {shown(apart.median)}, "
                    f"largest {shown(apart.largest)} ({apart.whose}), shift {shown(apart.shift)}"
                )
        for heading, movers in zip(("up", "down"), self.movers(), strict=True):
            if movers:
                by = "rating" if self.same_scale else "standardised rating"
                lines += [
                    "",
                    f"furthest {heading} by {by}",
                    *aligned(Mover._fields, [mover._asdict() for mover in movers]),
                ]
        return "\n".join(lines)


def agreement(old: RatingList, new: RatingList) -> Agreement:
    """How far two lists agree: of two methods, of one method on two dates, as published and as restated.

    Players are matched by name.

    Parameters
    ----------
    old, new : RatingList

    Examples
    --------
    >>> from ratingcore.engine import open_engine
    >>> from ratingcore.events import GamePlayed
    >>> with open_engine(":memory:") as engine:
    ...     for a, b in (("ann", "bo"), ("bo", "cy"), ("ann", "cy")):
    ...         _ = engine.record(GamePlayed(pool="rapid", played="2024-03-02", a=a, b=b, score=1.0))
    ...     found = agreement(engine.rating_list("rapid", "elo"), engine.rating_list("rapid", "elo:k=40"))
    >>> len(found), found.measures.kendall
    (3, 1.0)
    """
    place = {player: row for row, player in enumerate(new.player)}
    rows = [(row, place[player]) for row, player in enumerate(old.player) if player in place]
    mine, others = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    rating, new_rating = _ratings(old)[mine], _ratings(new)[others]
    rated = np.isfinite(rating) & np.isfinite(new_rating)
    unrated = tuple(old.player[row] for row in mine[~rated].tolist())
    mine, others, rating, new_rating = mine[rated], others[rated], rating[rated], new_rating[rated]
    player = tuple(old.player[row] for row in mine.tolist())
    before = set(old.player)
    return Agreement(
        old.provenance,
        new.provenance,
        player,
        frozen_array(old.rank[mine]),
        frozen_array(new.rank[others]),
        frozen_array(rating),
        frozen_array(new_rating),
        tuple(name for name in old.player if name not in place),
        tuple(name for name in new.player if name not in before),
        unrated,
        association(rating, new_rating),
        filliben(rating),
        filliben(new_rating),
        _apart(rating, new_rating, player),
        _apart(standardised(rating), standardised(new_rating), player),
    )


def _ratings(listed: RatingList) -> Floats:
    return np.asarray(listed.values["rating"], dtype=np.float64)


def _apart(old: Floats | None, new: Floats | None, player: tuple[str, ...]) -> Apart | None:
    gaps = None if old is None or new is None else deviations(old, new)
    if gaps is None:
        return None
    return Apart(gaps.shift, gaps.mean, gaps.median, gaps.largest, player[gaps.where])


def _described(made: Provenance) -> str:
    return f"{made.method}, as of {made.clock.day(made.at)}, known at {made.known_at}"


def _or_undefined(measure: float | None) -> str:
    return "undefined" if measure is None else f"{measure:.6f}"
