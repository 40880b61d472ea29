"""The health of a pool by period: the level of its ratings, who comes and goes, and how results connect it."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Ints
from ratingcore.columns.view import View
from ratingcore.compare.period_lists import first_ratings, spans, watch
from ratingcore.errors import BadValue
from ratingcore.events import Instant
from ratingcore.lists.policy import Window
from ratingcore.methods.contract import Method
from ratingcore.methods.periods import Period
from ratingcore.methods.text import identity
from ratingcore.network import Network, Seats, network
from ratingcore.read_only import ReadOnly


class PeriodActivity(NamedTuple):
    """The results of one period, and the players who were active at its end.

    A player is active who has a result in the period or in the window before its end.

    Parameters
    ----------
    start, end : int
        The period, half-open.
    results : int
    players : int
        Number of players who took part in them.
    median : float or None
        Median number of results of those players; None if nobody played.
    debuts : int
        Number of players whose first result is in the period.
    active : (n,) int
        Rows of the active players.
    network : Network
        How the results of the window connect them.
    """

    start: Instant
    end: Instant
    results: int
    players: int
    median: float | None
    debuts: int
    active: Ints
    network: Network


@frozen(eq=False)
class Activity:
    """What was played in a pool, period by period.

    Parameters
    ----------
    window : Window
        How long a player stays active without a result.
    periods : tuple of PeriodActivity
    """

    window: Window
    periods: tuple[PeriodActivity, ...]

    @property
    def columns(self) -> Mapping[str, NDArray[np.generic]]:
        """A row a period, NaN where something is not defined."""
        periods, nets = self.periods, [period.network for period in self.periods]
        return ReadOnly(
            {
                "start": np.array([p.start for p in periods], dtype="M8[us]"),
                "end": np.array([p.end for p in periods], dtype="M8[us]"),
                "results": _whole([p.results for p in periods]),
                "players": _whole([p.players for p in periods]),
                "median": _real([p.median for p in periods]),
                "debuts": _whole([p.debuts for p in periods]),
                "active": _whole([len(p.active) for p in periods]),
                "components": _whole([net.components for net in nets]),
                "largest": _real([net.largest for net in nets]),
                "bridges": _real([net.bridges for net in nets]),
                "algebraic": _real([net.algebraic for net in nets]),
            }
        )


def activity(view: View, edges: Ints, window: Window) -> Activity:
    """What was played in a pool, period by period.

    Parameters
    ----------
    edges : (n + 1,) int64
        Period `i` is `edges[i]` to before `edges[i + 1]`.
    window : Window
        How long a player stays active without a result.
    """
    return Activity(window, tuple(_periods(view, edges, window)))


def _periods(view: View, edges: Ints, window: Window) -> Iterator[PeriodActivity]:
    seats, debut = Seats(view), view.timeline.players.debut[: view.n_players]
    for start, end in pairwise(edges.tolist()):
        a, b, session, seated = seats.between(start, end)
        counts = np.bincount(np.concatenate([a, b, seated]), minlength=view.n_players)
        counts = counts[counts > 0]
        recent = seats.between(min(start, window.start(end - 1)), end)
        yield PeriodActivity(
            start,
            end,
            len(a) + int(session.max(initial=-1)) + 1,
            len(counts),
            float(np.median(counts)) if len(counts) else None,
            int(np.count_nonzero((debut >= start) & (debut < end))),
            np.unique(np.concatenate([recent[0], recent[1], recent[3]])),
            network(*recent),
        )


def _whole(numbers: list[int]) -> NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64)


def _real(numbers: list[float | None] | list[int | None]) -> NDArray[np.float64]:
    return np.array(numbers, dtype=np.float64)


TOP = 10
"""Players in the mean of the top, by default."""


class Level(NamedTuple):
    """Ratings of the active players at the end of a period, and the changes of their sum since the period before.

    Parameters
    ----------
    rated : int
        Number of active players with a rating; all other fields are about these.
    mean, top, panel : float or None
        Mean of all, of the best `top` of them, and of the fixed panel: players active in the first and the last period.
        None if nobody is rated, if fewer than `top` are, and if the panel is empty.
    stayers : float or None
        Mean change of the players who were also active at the end of the period before.
    came, returned, left : int
        Number of players who were never active before; who were, but not at the end of the period before; who no
        longer are.
    brought, carried, taken : float
        Sums of the ratings with which those players came, came back and left.
    total : float
        Sum of all ratings: the total before + brought + carried - taken + made.
    made : float
        Points that results, seeds and rules added, to newcomers since their entry: zero for a method in which one
        player wins what another loses.
    """

    rated: int
    mean: float | None
    top: float | None
    panel: float | None
    stayers: float | None
    came: int
    returned: int
    left: int
    brought: float
    carried: float
    taken: float
    total: float
    made: float


@frozen(eq=False)
class Levels:
    """Ratings of the active players under one method, period by period.

    Parameters
    ----------
    method : str
        Identity of the method.
    panel : tuple of str
        Players of the fixed panel.
    periods : tuple of Level
    """

    method: str
    panel: tuple[str, ...]
    periods: tuple[Level, ...]

    @property
    def columns(self) -> Mapping[str, NDArray[np.generic]]:
        """A row a period, NaN where undefined."""
        counts = ("rated", "came", "returned", "left")
        return ReadOnly(
            {
                name: np.array([level[n] for level in self.periods], dtype=np.int64 if name in counts else np.float64)
                for n, name in enumerate(Level._fields)
            }
        )


@frozen(eq=False)
class Health:
    """Activity of a pool and levels of its ratings by each method, period by period.

    Parameters
    ----------
    period : Period or None
        None if nothing was played.
    top : int
        Players in the mean of the top.
    activity : Activity
    levels : tuple of Levels
        One for each method.
    """

    period: Period | None
    top: int
    activity: Activity
    levels: tuple[Levels, ...]


def health(
    methods: Iterable[Method],
    view: View,
    period: Period | str | None = None,
    window: Window | str = "months(12)",
    top: int = TOP,
) -> Health:
    """Activity of a pool and levels of its ratings by each method, period by period.

    Parameters
    ----------
    methods : iterable of Method
        Continuous and periodic methods take one replay each.
    view : View
    period : Period, str or None
        Calendar periods or fixed cuts; None chooses months, quarters or years by the length of the history.
    window : Window or str
        How long a player stays active without a result.
    top : int > 0
        Players in the mean of the top.

    Raises
    ------
    BadValue
        If the period, the window or the number cannot be read.

    Examples
    --------
    >>> from ratingcore.engine import open_engine
    >>> from ratingcore.events import GamePlayed
    >>> with open_engine(":memory:") as engine:
    ...     for day, a, b in (("2024-01-05", "ann", "bo"), ("2024-02-05", "bo", "cy")):
    ...         _ = engine.record(GamePlayed(pool="rapid", played=day, a=a, b=b, score=1.0))
    ...     found = health([engine.registry.method("elo")], engine.view("rapid"))
    >>> [(level.rated, level.mean, level.brought) for level in found.levels[0].periods]
    [(2, 1500.0, 3000.0), (3, 1500.0, 1500.0)]
    """
    if isinstance(top, bool) or not isinstance(top, int) or top < 1:
        raise BadValue("top", top, "is not a whole number above zero")
    by, edges = spans(view, period)
    played = activity(view, edges, Window.parse(window) if isinstance(window, str) else window)
    return Health(by, top, played, tuple(_levels(method, view, edges, played, top) for method in methods))


def _levels(method: Method, view: View, edges: Ints, played: Activity, top: int) -> Levels:
    if not played.periods:
        return Levels(identity(method), (), ())
    seen = Accounts(first_ratings(method, view), [period.active for period in played.periods], top)
    ends = [end - 1 for end in edges[1:-1].tolist()]
    watch(method, view, [*ends, view.through], seen.close)
    panel, means = seen.panel()
    return Levels(
        identity(method),
        tuple(view.name(row) for row in panel.tolist()),
        tuple(level._replace(panel=mean) for level, mean in zip(seen.levels, means, strict=True)),
    )


class Accounts:
    """The sum of ratings of a pool and its changes, closed at the end of every period."""

    def __init__(self, first: Floats, active: list[Ints], top: int) -> None:
        self.first, self.active, self.top = first, active, top
        self.levels: list[Level] = []
        self.before = np.full(len(first), np.nan)
        self.was, self.ever = np.zeros(len(first), dtype=np.bool_), np.zeros(len(first), dtype=np.bool_)
        self.candidates = np.intersect1d(active[0], active[-1])
        self.followed: list[Floats] = []

    def close(self, number: int, rating: Floats) -> None:
        """Closes a period with the ratings at its end."""
        before, was = self.before, self.was
        now = np.zeros(len(rating), dtype=np.bool_)
        now[self.active[number]] = True
        now &= np.isfinite(rating)  # a ratio of 0 or without bound is no number to add up
        came, stayed = now & ~self.ever, now & was
        returned, left = now & self.ever & ~was, was & ~now
        entered = np.where(np.isfinite(self.first), self.first, rating)
        carried = np.where(np.isfinite(before), before, rating)
        made = (rating - before)[stayed].sum() + (rating - entered)[came].sum() + (rating - carried)[returned].sum()
        mine = rating[now]
        n = len(mine)
        self.levels.append(
            Level(
                rated=n,
                mean=float(mine.mean()) if n else None,
                top=float(np.partition(mine, n - self.top)[n - self.top :].mean()) if n >= self.top else None,
                panel=None,
                stayers=float((rating - before)[stayed].mean()) if stayed.any() else None,
                came=int(came.sum()),
                returned=int(returned.sum()),
                left=int(left.sum()),
                brought=float(entered[came].sum()),
                carried=float(carried[returned].sum()),
                taken=float(before[left].sum()),
                total=float(mine.sum()),
                made=float(made),
            )
        )
        self.before, self.was, self.ever = rating, now, self.ever | now
        self.followed.append(rating[self.candidates])

    def panel(self) -> tuple[Ints, list[float | None]]:
        """Rows of the fixed panel, and the mean of its rated players at the end of every period."""
        lasting = np.isfinite(self.followed[0]) & np.isfinite(self.followed[-1])
        means: list[float | None] = []
        for ratings in self.followed:
            rated = ratings[lasting & np.isfinite(ratings)]
            means.append(float(rated.mean()) if len(rated) else None)
        return self.candidates[lasting], means
