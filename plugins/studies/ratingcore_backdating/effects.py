"""Tables of the effects of a new rule on a pool, for each choice of its start: lists, levels, crossings, curves."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from ratingcore.plugin import Bools, Column, Floats, Method
from ratingcore.plugin.analysis import (
    BINS,
    TOP,
    Agreement,
    OverTime,
    Way,
    agreement,
    busiest,
    fold,
    open_results,
)
from ratingcore.plugin.reports import Table, columns_of
from ratingcore_backdating.alternatives import OLD, Alternative
from ratingcore_backdating.plan import BackdatingPlan
from ratingcore_backdating.quality import Quality
from ratingcore_backdating.thresholds import CROSSED, CROSSINGS, Grading, Level, crossed, crossings, grades, thresholds

MOVERS = 10
"""Number of players whose rating moves most, each way."""
NEWCOMER = 10
"""Number of results below which a player is a newcomer, whose rating depends mostly on the one at entry."""
POINTS = "rating points"


@frozen(eq=False)
class Effects:
    """Tables that compare every choice with the old rule.

    Parameters
    ----------
    old : Alternative
        The old rule throughout.
    choices : tuple of Alternative
    plan : BackdatingPlan
    followed : tuple of int
        Rows of the players whose ratings are followed; those with most games if empty.
    grade : callable or None
        Returns the grade of a rating in the table of the plan.
    """

    old: Alternative
    choices: tuple[Alternative, ...]
    plan: BackdatingPlan
    followed: tuple[int, ...]
    grade: Grading | None = None

    @property
    def ways(self) -> tuple[Alternative, ...]:
        """The old rule, and every choice."""
        return (self.old, *self.choices)

    @cached_property
    def agreements(self) -> dict[str, Agreement]:
        """Agreement of the list of each choice with that of the old rule."""
        return {choice.name: agreement(self.old.listed, choice.listed) for choice in self.choices}

    def tables(self) -> dict[str, Table]:
        """All tables by name; those given as functions are computed on first use."""
        made = (
            Table("summary", "What each choice does", self._summary),
            Table("lists", "Lists before and after", self._lists(), POINTS),
            Table("levels", "What each choice makes of the pool", self._levels(), POINTS),
            Table("agreement", "How far the lists agree with the old one", self._agreement),
            Table("movers", "Ratings that move most", self._movers, POINTS),
            Table("crossings", "Thresholds and grades: who reaches them, who crosses them", self._crossings),
            Table("crossed", "Who crosses", self._crossed, POINTS),
            Table("distributions", "Distribution of ratings", self._distributions, "players"),
            Table("health", "Level of the pool over time", lambda: self._over_time.health(), POINTS),
            Table("curves", "Ratings of chosen players", lambda: self._over_time.curves(), POINTS),
            Table("starts", "What is carried over on the day", self._starts()),
            Table("carried", "Columns of the new rule", self._carried()),
        )
        return {table.name: table for table in made} | self.quality.tables()

    @cached_property
    def quality(self) -> Quality:
        """The forecasts of the choices compared with the old rule's."""
        return Quality(self.old, self.choices)

    @cached_property
    def games(self) -> dict[str, int]:
        """Number of results of every listed player."""
        return {
            player: n
            for way in self.ways
            for player, n in zip(way.listed.player, way.listed.games.tolist(), strict=True)
        }

    def moved(self, choice: str, *, newcomers: bool) -> float | None:
        """Mean difference of a rating from the old rule's in points, for newcomers or for all others."""
        both = self.agreements[choice]
        changes = np.abs(both.change[self._newcomers(both) == newcomers])
        return float(changes.mean()) if len(changes) else None

    def _newcomers(self, both: Agreement) -> Bools:
        """Which of the players on both lists are newcomers."""
        return np.array([self.games[player] < NEWCOMER for player in both.player], dtype=np.bool_)

    # lists

    def _summary(self) -> dict[str, Any]:
        """A row per choice, the old rule first."""
        crossings, rows = self._crossings(), []
        for row in Table("levels", "", self._levels()):
            name = str(row["choice"])
            own = [n for n, choice in enumerate(crossings["choice"]) if choice == name]
            gain = self.quality.since_own_start.get(name)
            low, high = (None, None) if gain is None or gain.interval is None else gain.interval
            is_old = name == OLD
            rows.append({
                **{cell: row[cell] for cell in ("choice", "rated", "mean", "spread", "best")},
                "moved_by": None if is_old else self.moved(name, newcomers=False),
                "newcomers_moved_by": None if is_old else self.moved(name, newcomers=True),
                **{way: sum(crossings[way][n] for n in own) if own else None for way in ("risen", "fallen")},
                "games": gain and gain.n, "better_by": gain and gain.mean, "low": low, "high": high,
            })  # fmt: skip
        return columns_of(rows)

    def _lists(self) -> dict[str, Any]:
        games = self.games
        rank, rating = _on_list(self.old, games)
        cells: dict[str, Any] = {
            "player": tuple(games), "games": tuple(games.values()), "old rank": rank, "old rating": rating
        }  # fmt: skip
        for choice in self.choices:
            rank, new = _on_list(choice, games)
            cells[f"rank {choice.name}"], cells[f"rating {choice.name}"] = rank, new
            cells[f"change {choice.name}"] = np.round(new - rating, 9)
        return cells

    def _levels(self) -> dict[str, Any]:
        rows = [{"choice": way.name, **_level(way.rating)} for way in self.ways]
        for row in rows[1:]:
            for name in ("total", "mean", "spread", "top_mean"):
                both = row[name] is not None and rows[0][name] is not None
                row[f"{name}_change"] = row[name] - rows[0][name] if both else None
        for name in rows[-1]:
            rows[0].setdefault(name, None)
        return columns_of(rows)

    def _agreement(self) -> dict[str, Any]:
        return columns_of([
            {"choice": name, "against": OLD, **found.distances()} for name, found in self.agreements.items()
        ])  # fmt: skip

    def _movers(self) -> dict[str, Any]:
        rows = []
        for name, both in self.agreements.items():
            newcomers = self._newcomers(both)
            order = np.argsort(-both.change, kind="stable")
            for newcomer in (False, True):
                some = order[newcomers[order] == newcomer]
                up = [at for at in some[:MOVERS].tolist() if both.change[at] > 0]
                down = [at for at in some[::-1][:MOVERS].tolist() if both.change[at] < 0]
                rows += [
                    {
                        "choice": name, "player": both.player[at], "newcomer": newcomer,
                        "old_rating": float(both.rating[at]), "rating": float(both.new_rating[at]),
                        "change": float(both.change[at]), "old_rank": int(both.rank[at]),
                        "rank": int(both.new_rank[at]), "places": int(both.places[at]),
                    }
                    for at in up + down
                ]  # fmt: skip
        names = ("choice", "player", "newcomer", "old_rating", "rating", "change", "old_rank", "rank", "places")
        return columns_of(rows, names)

    # thresholds and grades

    def _thresholds_and_grades(self) -> Iterator[tuple[str, Level]]:
        for name, both in self.agreements.items():
            for level in (*thresholds(self.plan.thresholds, both), *grades(self.grade, both)):
                yield name, level

    def _crossings(self) -> dict[str, Any]:
        return columns_of([crossings(name, level) for name, level in self._thresholds_and_grades()], CROSSINGS)

    def _crossed(self) -> dict[str, Any]:
        every = self._thresholds_and_grades()
        return columns_of(
            [row for name, level in every for row in crossed(name, level, self.agreements[name])], CROSSED
        )

    # over time

    @cached_property
    def _over_time(self) -> OverTime:
        ways = {way.name: Way(way.first, way.watch) for way in self.ways}
        return OverTime(self.old.view, ways, self.followed or busiest(self.old.view))

    def _distributions(self) -> dict[str, Any]:
        rated = {way.name: way.rating[np.isfinite(way.rating)] for way in self.ways}
        some = [rating for rating in rated.values() if len(rating)]
        if not some:
            return columns_of([], ("method", "low", "high", "players"))
        edges = np.histogram_bin_edges(np.concatenate(some), bins=BINS)
        counted = {name: np.histogram(rating, edges)[0] for name, rating in rated.items()}
        return {
            "method": tuple(name for name in counted for _ in edges[1:]),
            "low": np.tile(edges[:-1], len(counted)), "high": np.tile(edges[1:], len(counted)),
            "players": np.concatenate(list(counted.values())),
        }  # fmt: skip

    # what the new rule takes over on its first day

    def _starts(self) -> dict[str, Any]:
        view = self.old.view
        rows, results = [], view.n_games + view.n_sessions
        for choice in self.choices:
            by_new_rule = 0 if choice.since is None else results
            carried_over = unrated = waiting = 0
            if choice.change is not None:
                earlier = view.cut(choice.change.day - 1)
                rated = ~np.isnan(fold(choice.change.before, earlier).state["rating"])
                carried_over = int(np.count_nonzero(rated))
                unrated = int(np.count_nonzero(~rated & (earlier.played_counts() > 0)))
                waiting = len(open_results(choice.change.before, earlier))
                by_new_rule = results - sum(view.started(earlier.through)) + waiting
            rows.append({
                "choice": choice.name, "carried_over": carried_over, "unrated": unrated,
                "by_old_rule": results - by_new_rule, "by_new_rule": by_new_rule, "waiting": waiting,
            })  # fmt: skip
        return columns_of(rows)

    def _carried(self) -> dict[str, Any]:
        new = next((choice.change.method for choice in self.choices if choice.change is not None), None)
        why_not = {} if new is None else _not_carried(self.old.method, new)
        start = {} if new is None else {column.name: column.start for column in new.columns()}
        begins_with = (_start_text(start[name]) if why else "the old rule's value" for name, why in why_not.items())
        return {
            "column": tuple(why_not), "carried": tuple(not why for why in why_not.values()),
            "begins_with": tuple(begins_with), "why": tuple(why or None for why in why_not.values()),
        }  # fmt: skip


def _not_carried(old: Method, new: Method) -> dict[str, str]:
    """For each column of the new rule, the reason why it cannot be carried over; empty if it can."""
    before = {column.name: column for column in old.columns()}
    return {column.name: _why_not(before.get(column.name), column, old.name == new.name) for column in new.columns()}


def _why_not(old: Column | None, new: Column, same_method: bool) -> str:
    if old is None:
        return "the old rule has no such column"
    if old.per != new.per:
        return f"it has a value for each {new.per}, and the old rule's column one for each {old.per}"
    if old.shape != new.shape:
        return "it has another number of values"
    if old.labels != new.labels:
        return "its words differ"
    return "" if old.unit == new.unit and (same_method or new.unit) else "its unit differs"


def _on_list(way: Alternative, players: Iterable[str]) -> tuple[tuple[int | None, ...], Floats]:
    """Rank and rating of players on the list of an alternative; None and NaN for those not on it."""
    place = {player: row for row, player in enumerate(way.listed.player)}
    rows = [place.get(player, -1) for player in players]
    rank, rating = [*way.listed.rank.tolist(), 0], np.append(way.rating, np.nan)
    return tuple(rank[row] or None for row in rows), rating[rows]


def _start_text(start: float) -> str:
    return "nothing" if start != start else f"{start:g}"


def _level(rating: Floats) -> dict[str, Any]:
    """Sum, mean, spread and quantiles of ratings, as a row."""
    rated = np.sort(rating[np.isfinite(rating)])
    n = len(rated)
    low, middle, high = np.quantile(rated, [0.25, 0.5, 0.75]).tolist() if n else (None, None, None)
    return {
        "rated": n, "total": float(rated.sum()), "mean": float(rated.mean()) if n else None,
        "spread": float(rated.std(ddof=1)) if n > 1 else None, "lowest": float(rated[0]) if n else None,
        "lower_quarter": low, "median": middle, "upper_quarter": high, "best": float(rated[-1]) if n else None,
        "top_mean": float(rated[n - TOP :].mean()) if n >= TOP else None,
    }  # fmt: skip
