"""Follows a pool over time: the level of its ratings, arrivals and departures, connectedness, and curves of players."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from attrs import frozen

from ratingcore.columns.games import Floats, Ints
from ratingcore.columns.view import View
from ratingcore.compare.network import LARGE, Seats, network
from ratingcore.compare.period_lists import spans
from ratingcore.events import DAY, Instant
from ratingcore.lists.policy import Window
from ratingcore.methods.contract import Method
from ratingcore.methods.periods import Period
from ratingcore.replay.day_lists import Seen, first_ratings, watch

YEAR = Window("months", 12)
TOP = 10
"""Default number of players in the mean of the top."""
PLAY = ("games", "players", "active", "newcomers", "components", "largest_share", "bridges")
"""Columns about play: counts for a period, and how the results of its window connect the active players."""
ACCOUNTS = (
    "mean", "top_mean", "panel_mean", "stayers", "came", "returned", "leavers", "brought", "carried", "taken", "made",
    "total",
)  # fmt: skip
"""Columns of the accounts of a pool."""


class Way(NamedTuple):
    """One way to rate a pool.

    Parameters
    ----------
    first : callable
        Returns the rating with which each player entered, by row; NaN where games determine it.
    watch : callable
        Calls back with the listed columns at some instants, as `day_lists.watch` does.
    """

    first: Callable[[], Floats]
    watch: Callable[[Sequence[Instant], Seen], None]

    @classmethod
    def of(cls, method: Method, view: View) -> "Way":
        """Rates the whole history with one method."""
        return cls(
            lambda: first_ratings(method, view),
            lambda instants, seen: watch(method, view, instants, seen),
        )


@frozen(eq=False)
class OverTime:
    """Follows a pool period by period, rated in several ways; each way takes one replay where possible.

    A player is active in a period if they have a result in it, or in the window before its end.

    Parameters
    ----------
    view : View
    ways : mapping of str to Way
    followed : sequence of int
        Rows of the players whose curves are wanted.
    period : Period, str or None
        Calendar periods or fixed cuts; None chooses months, quarters or years by the length of the history.
    window : Window
        How long a player stays active without a result.
    top : int > 0
        Number of players in the mean of the top.
    large : int
        Number of players and sessions from which on bridges are not counted; counting takes longer than the rest.

    Raises
    ------
    BadValue
        On first use, if the period cannot be read or makes too many parts.

    Examples
    --------
    >>> from ratingcore.engine import open_engine
    >>> from ratingcore.events import GamePlayed
    >>> with open_engine(":memory:") as engine:
    ...     for day, a, b in (("2024-01-05", "ann", "bo"), ("2024-02-05", "bo", "cy")):
    ...         _ = engine.record(GamePlayed(pool="rapid", played=day, a=a, b=b, score=1.0))
    ...     view = engine.core.view("rapid")
    ...     found = OverTime(view, {"elo": Way.of(engine.registry.method("elo"), view)}).health()
    >>> found["mean"].tolist(), found["brought"].tolist()
    ([1500.0, 1500.0], [3000.0, 1500.0])
    """

    view: View
    ways: Mapping[str, Way]
    followed: Sequence[int] = ()
    period: Period | str | None = None
    window: Window = YEAR
    top: int = TOP
    large: int = LARGE

    @cached_property
    def _edges(self) -> Ints:
        """Edges of the periods; period `i` goes from `edges[i]` to before `edges[i + 1]`."""
        return spans(self.view, self.period)[1]

    @cached_property
    def instants(self) -> Ints:
        """The last instant of each period; the last period ends at the cut of the view."""
        inside = self._edges[1:-1] - 1
        return np.append(inside[inside < self.view.through], self.view.through) if len(self._edges) else self._edges

    @cached_property
    def _played(self) -> list[tuple[Ints, dict[str, float | None]]]:
        """Rows of the active players and counts of what was played, for each period."""
        return list(self._periods())

    def _periods(self) -> Iterator[tuple[Ints, dict[str, float | None]]]:
        seats, debut = Seats(self.view), self.view.timeline.players.debut[: self.view.n_players]
        for start, end in pairwise(self._edges.tolist()):
            a, b, session, seated = seats.between(start, end)
            recent = seats.between(min(start, self.window.start(end - 1)), end)
            net, active = network(*recent, self.large), np.unique(np.concatenate([recent[0], recent[1], recent[3]]))
            games, players = len(a) + int(session.max(initial=-1)) + 1, len(np.unique(np.concatenate([a, b, seated])))
            newcomers = int(np.count_nonzero((debut >= start) & (debut < end)))
            linked = (net.components, net.largest, net.bridges)
            yield active, dict(zip(PLAY, (games, players, len(active), newcomers, *linked), strict=True))

    @cached_property
    def _seen(self) -> dict[str, tuple[dict[str, Floats], dict[str, Floats]]]:
        """The accounts of the ratings of each way, and the listed columns of the followed players."""
        return {name: self._watched(way) for name, way in self.ways.items()} if len(self.instants) else {}

    def _watched(self, way: Way) -> tuple[dict[str, Floats], dict[str, Floats]]:
        rows, accounts = list(self.followed), Accounts(way.first(), [active for active, _ in self._played], self.top)
        curves = {name: np.full((len(self.instants), len(rows)), np.nan) for name in ("rating", "deviation")}

        def seen(number: int, shown: Mapping[str, Floats]) -> None:
            accounts.close(number, shown["rating"])
            for name, column in shown.items():
                curves[name][number] = column[rows]

        way.watch(self.instants.tolist(), seen)
        return accounts.columns(), curves

    def health(self) -> dict[str, Floats | tuple[str, ...]]:
        """Returns one row per way and period: what was played, and the level of the ratings; NaN where undefined.

        `mean` is the mean rating of all rated active players, `top_mean` of the best of them, `panel_mean` of those who
        are rated and active in both the first and the last period. `stayers` is the mean change of players who were
        also active in the period before. `came` counts players active for the first time, `returned` those who were
        active before but not in the period before, and `leavers` those who are no longer active; `brought`, `carried`
        and `taken` are the sums of their ratings. `made` are the points that results, seeds and rules added: zero where
        one player wins what another loses. `total` is the sum of all ratings: the total before + brought + carried -
        taken + made.
        """
        n = len(self._seen)
        at = ((self._edges[1:] - 1) // DAY * DAY).astype("M8[us]")
        made: dict[str, Floats | tuple[str, ...]] = {"method": tuple(name for name in self._seen for _ in at)}
        made["at"] = np.tile(at, n)
        for name in PLAY:
            made[name] = np.tile(_column([cells[name] for _, cells in self._played]), n)
        for name in ACCOUNTS:
            made[name] = np.concatenate([accounts[name] for accounts, _ in self._seen.values()] or [np.empty(0)])
        return made

    def curves(self) -> dict[str, Floats | tuple[str, ...]]:
        """Returns each followed player's rating at the end of each period, with deviations if there are any."""
        names, days = [self.view.name(row) for row in self.followed], self.instants.copy()
        last = self.view.last_happened
        if len(days) and last is not None:
            days[-1] = min(int(days[-1]), last)  # a list of everything has the date of the last event
        seen = [curves for _, curves in self._seen.values()]
        rating, deviation = (
            np.concatenate([curves[name].T.ravel() for curves in seen] or [np.empty(0)])
            for name in ("rating", "deviation")
        )
        made: dict[str, Floats | tuple[str, ...]] = {
            "method": tuple(way for way in self._seen for _ in names for _ in days),
            "player": tuple(name for _ in self._seen for name in names for _ in days),
            "at": np.tile((days // DAY * DAY).astype("M8[us]"), len(names) * len(seen)),
            "rating": rating,
        }
        return made | {"deviation": deviation} if np.isfinite(deviation).any() else made


def _column(cells: Sequence[float | None]) -> Floats:
    """Makes a column of one number per period: integers if all are integers, else floats with NaN for None."""
    return np.array(cells, dtype=np.int64 if all(isinstance(cell, int) for cell in cells) else np.float64)


class Accounts:
    """Keeps account of the sum of ratings of a pool and its changes, period by period."""

    def __init__(self, first: Floats, active: Sequence[Ints], top: int) -> None:
        self.first, self.active, self.top = first, active, top
        self.closed: list[dict[str, float | None]] = []
        self.before = np.full(len(first), np.nan)
        self.was, self.ever = np.zeros(len(first), dtype=np.bool_), np.zeros(len(first), dtype=np.bool_)
        self.candidates = np.intersect1d(active[0], active[-1])
        self.followed: list[Floats] = []

    def close(self, number: int, rating: Floats) -> None:
        """Closes a period with the ratings at its end."""
        before, was = self.before, self.was
        now = np.zeros(len(rating), dtype=np.bool_)
        now[self.active[number]] = True
        now &= np.isfinite(rating)  # unrated and infinite ratings cannot be added up
        came, stayed = now & ~self.ever, now & was
        returned, left = now & self.ever & ~was, was & ~now
        entered = np.where(np.isfinite(self.first), self.first, rating)
        carried = np.where(np.isfinite(before), before, rating)
        made = (rating - before)[stayed].sum() + (rating - entered)[came].sum() + (rating - carried)[returned].sum()
        mine = rating[now]
        n = len(mine)
        self.closed.append({
            "mean": float(mine.mean()) if n else None,
            "top_mean": float(np.partition(mine, n - self.top)[n - self.top :].mean()) if n >= self.top else None,
            "stayers": float((rating - before)[stayed].mean()) if stayed.any() else None,
            "came": int(came.sum()), "returned": int(returned.sum()), "leavers": int(left.sum()),
            "brought": float(entered[came].sum()), "carried": float(carried[returned].sum()),
            "taken": float(before[left].sum()), "made": float(made), "total": float(mine.sum()),
        })  # fmt: skip
        self.before, self.was, self.ever = rating, now, self.ever | now
        self.followed.append(rating[self.candidates])

    def columns(self) -> dict[str, Floats]:
        """Returns the accounts by name, one number per period; NaN where undefined."""
        made = {name: _column([cells[name] for cells in self.closed]) for name in self.closed[0]}
        return made | {"panel_mean": np.array(self._panel(), dtype=np.float64)}

    def _panel(self) -> list[float]:
        """Returns the mean rating of the panel (players rated in the first and last period) at every period's end."""
        lasting = np.isfinite(self.followed[0]) & np.isfinite(self.followed[-1])
        rated = [ratings[lasting & np.isfinite(ratings)] for ratings in self.followed]
        return [float(ratings.mean()) if len(ratings) else np.nan for ratings in rated]
