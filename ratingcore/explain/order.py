"""Finds how much of a list's order its results support: possible places, tiers, and results that decide it."""

from math import inf, pi, sqrt

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Games, Ints, same_value
from ratingcore.errors import BadValue, CannotSay
from ratingcore.explain.superiority import covariance_of, listed_of
from ratingcore.lists.rating_list import RatingList
from ratingcore.methods.contract import Cadence
from ratingcore.methods.curves import ndtr
from ratingcore.methods.rule_histories import Book
from ratingcore.replay.replay import Replay
from ratingcore.replay.run import WholePool
from ratingcore.report.table import AsTable, Table
from ratingcore.safe_text import counted

Bools = NDArray[np.bool_]

CLUSTERS = 30
"""Fewest clusters of results, which must also be as many as players: with fewer, false orders are too frequent."""
MOST = 1000
"""Largest number of players, because every pair is compared."""
TRIED = 3
"""Number of players whose results are left out on trial: those that weigh most for the first place."""


@frozen(eq=False)
class SupportedOrder(AsTable):
    """The part of a list's order that its results support, at one level of confidence for all pairs together [1]_.

    As a table, a row per player: rank, player, rating, `first` and `last` (the best and the worst place that the
    results leave open), tier, and `ahead`: whether the player is ahead of the next one beyond chance.

    Parameters
    ----------
    level : float in (0, 1)
        Chance that no pair is put in a false order.
    player : tuple of str
        The compared players in order of rank: the largest part of the list that results connect.
    rank : (n,) int
        Place among these by the list, where equal ratings share one.
    rating : (n,) float64, rating points
    first, last : (n,) int
        Best and worst place of each player.
    tier : (n,) int
        1 for the first player and all who cannot be distinguished from them; 2 for the next player and all remaining
        ones who cannot be distinguished from them; and so on.
    ahead : (n - 1,) bool
        Whether each player can be distinguished from the next one.
    apart : tuple of str
        Rated players of the list whom no results connect with the compared ones.
    parts : int
        Number of unconnected parts of the rated players.
    without : (str, str) or None
        A player whose results decide the first place, and who would be first without them. Only whole-pool methods
        look for them, among the three players whose results weigh most.
    further : (str, str, int) or None
        The first two neighbours who cannot be distinguished, and the number of further results that each would need.

    References
    ----------
    .. [1] C. Y. Kramer, "Extension of multiple range tests to group means with unequal numbers of replications",
       Biometrics 12, 1956: Tukey's studentized range.
    """

    level: float
    player: tuple[str, ...]
    rank: Ints
    rating: Floats
    first: Ints
    last: Ints
    tier: Ints
    ahead: Bools
    apart: tuple[str, ...] = ()
    parts: int = 1
    without: tuple[str, str] | None = None
    further: tuple[str, str, int] | None = None

    def __eq__(self, other: object) -> bool:
        return same_value(self, other)

    def __hash__(self) -> int:
        return hash(self.player)

    def __len__(self) -> int:
        return len(self.player)

    @property
    def tiers(self) -> list[list[str]]:
        """The players of each tier, in order of rank."""
        tiers: list[list[str]] = [[] for _ in range(int(self.tier.max()))]
        for name, tier in zip(self.player, self.tier.tolist(), strict=True):
            tiers[tier - 1].append(name)
        return tiers

    @property
    def sentence(self) -> str:
        """A printable sentence that sums up the order."""
        top, n = self.tiers[0], len(self.player)
        equal = [name for name, rank in zip(self.player, self.rank.tolist(), strict=True) if rank == 1]
        if len(top) == 1:
            begins = f"{top[0]} is ahead of all others"
        elif len(equal) > 1:
            begins = f"{counted(len(equal), 'player')} share the first place"
            if more := len(top) - len(equal):
                begins += f", and {counted(more, 'more player')} cannot be told apart from them"
        elif len(top) == 2:
            begins = f"{top[1]} cannot be told apart from {top[0]}, who is first"
        else:
            begins = f"{counted(len(top) - 1, 'player')} cannot be told apart from {top[0]}, who is first"
        if n > 2:
            begins += f"; {int(self.ahead.sum())} of {n - 1} pairs of neighbours can be told apart"
        return f"{begins} (at {self.level:.0%} confidence for all pairs at once)"

    def lines(self) -> list[str]:
        """Returns the sentence, followed by what would change the order."""
        lines = [self.sentence]
        if self.without is not None:
            lines.append(f"without the results of {self.without[0]}, {self.without[1]} would be first")
        if self.further is not None:
            one, other, more = self.further
            lines.append(
                f"about {counted(more, 'more result')} each would tell {one} and {other} apart, if their gap stays"
            )
        if self.apart:
            others = counted(len(self.apart), "player")
            lines.append(f"not compared: {others} whom no results connect with these; the pool has {self.parts} parts")
        return lines

    def as_table(self) -> Table:
        """Returns a table with one row per player."""
        ahead: tuple[bool | None, ...] = (*self.ahead.tolist(), None)
        columns = {
            "rank": self.rank, "player": self.player, "rating": self.rating, "first": self.first,
            "last": self.last, "tier": self.tier, "ahead": ahead[: len(self)],
        }  # fmt: skip
        return Table("order", "Which order the results support", columns)


def supported_order(replay: Replay, listed: RatingList, level: float = 0.95) -> SupportedOrder:
    """Returns the part of a list's order that its results support.

    Two players can be distinguished if their gap, in its own deviations, exceeds the critical value for this number of
    players (see `critical`). Whole-pool methods also give the covariance of two ratings.

    Parameters
    ----------
    replay : Replay
        The replay behind the list.
    listed : RatingList
    level : float in (0, 1)

    Raises
    ------
    CannotSay
        If the method has no deviations, or its deviations come from fewer than 30 clusters of results, or from fewer
        clusters than players.
    BadValue
        If the level is not between 0 and 1, or the list has fewer than two rated players or more than 1,000.
    """
    if not 0.0 < level < 1.0:
        raise BadValue("level", level, "must lie between 0 and 1")
    rows = np.array([replay.view.row_of(number) for number in listed.id.tolist()], dtype=np.int64)
    rating, _ = listed_of(replay.method, replay.state, replay.at, rows)
    order = np.argsort(-rating[~np.isnan(rating)], kind="stable")
    there = np.flatnonzero(~np.isnan(rating))[order]
    if not 2 <= len(there) <= MOST:
        raise BadValue("number of rated players on the list", len(there), f"must be 2 to {MOST} for an order")
    clusters, method = replay.degrees + 1.0, replay.method
    if clusters < max(CLUSTERS, len(there)):
        are = "cluster is" if clusters == 1.0 else "clusters are"
        why = f"{int(clusters)} {are} too few for {len(there)} players: at least {max(CLUSTERS, len(there))} are needed"
        raise CannotSay(method.name, "which order is supported", why)
    covariance = covariance_of(method, replay.state, replay.at, rows[there], replay.covariance)
    own = np.diag(covariance)
    variance = own[:, None] + own - 2.0 * covariance
    part = _parts(~np.isnan(variance))
    mine = part == np.bincount(part).argmax()
    some, names = there[mine], [listed.player[i] for i in there.tolist()]
    gap = rating[some][:, None] - rating[some]
    width = critical(level, len(some), replay.degrees) * np.sqrt(variance[np.ix_(mine, mine)])
    above = gap > width
    compared = tuple(name for name, is_mine in zip(names, mine.tolist(), strict=True) if is_mine)
    places, shown = np.arange(len(some) - 1), np.asarray(listed.values["rating"], np.float64)[some]
    return SupportedOrder(
        level, compared, 1 + (shown > shown[:, None]).sum(axis=1), rating[some],
        1 + above.sum(axis=0), len(some) - above.sum(axis=1), _tiers(above),
        above[places, places + 1], tuple(name for name in names if name not in {*compared}), int(part.max()) + 1,
        _turning(replay, rows[some], compared, covariance[np.ix_(mine, mine)], gap),
        _further(replay, rows[some], compared, gap, width),
    )  # fmt: skip


def studentized_range(level: float, players: int) -> float:
    """Returns the range that equal players stay within with chance `level`, in deviations of one player.

    Computed by quadrature, because scipy has it in a module that is slow to import.

    Examples
    --------
    The range of two is a difference: 1.96 times the root of 2.

    >>> round(studentized_range(0.95, 2), 4), round(studentized_range(0.95, 10), 3)
    (2.7718, 4.474)
    """
    node, weight = np.polynomial.legendre.leggauss(128)

    def chance(q: float) -> float:
        reach = 9.0 + 0.5 * q
        z = 0.5 * q + reach * node
        inside = (ndtr(z) - ndtr(z - q)) ** (players - 1)
        return float((weight * reach * players * np.exp(-0.5 * z * z) / sqrt(2.0 * pi) * inside).sum())

    low, high = 0.0, 100.0
    while high - low > 1e-8:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if chance(middle) < level else (low, middle)
    return low


def critical(level: float, players: int, degrees: float = inf) -> float:
    """Returns the gap, in its own deviations, above which two of `players` players can be distinguished.

    Deviations from clusters are estimated for each pair by itself. Such a pair is judged by Student's t, at the chance
    of error that the studentized range leaves to one pair; the range itself would be exceeded too often.
    """
    from scipy.special import stdtrit  # type: ignore[import-untyped]  # scipy has no types  # seldom needed

    normal = studentized_range(level, players) / sqrt(2.0)
    return normal if degrees == inf else -float(stdtrit(degrees, ndtr(np.array([-normal]))[0]))


def _parts(known: Bools) -> Ints:
    """Numbers the part of each player; players whose gap has a known variance are in the same part."""
    part = np.full(len(known), -1)
    for i in range(len(known)):
        if part[i] < 0:
            part[(part < 0) & known[i]] = part[i] = part.max() + 1
    return part


def _tiers(above: Bools) -> Ints:
    """Numbers the tiers: each has the first remaining player and all who cannot be distinguished from them."""
    tier = np.zeros(len(above), dtype=np.int64)
    for i in range(len(above)):
        if not tier[i]:
            tier[(tier == 0) & ~above[i]] = tier.max() + 1
    return tier


def _turning(
    replay: Replay, rows: Ints, names: tuple[str, ...], covariance: Floats, gap: Floats
) -> tuple[str, str] | None:
    """Returns a player whose results decide the first place, and who would be first without them.

    The weight of each player's results follows from their surprises and the covariances. The pool is rated anew
    without the results of each of the heaviest.
    """
    results, method, n = replay.results, replay.method, len(rows)
    whole = method.cadence is Cadence.RETROSPECTIVE and not isinstance(method, Book) and replay.covariance is not None
    if not whole or not isinstance(results, Games) or replay.fitted is None or n < 3:
        return None
    place = np.full(replay.view.n_players, n)
    place[rows] = np.arange(n)
    one, other = place[results.a], place[results.b]
    surprise = np.nan_to_num(results.score - replay.fitted)
    net = np.bincount(one * (n + 1) + other, surprise, (n + 1) ** 2).reshape(n + 1, n + 1)[:n, :n]
    net = net - net.T  # points of each player beyond those expected, by opponent
    moved = -(np.diag(net.sum(axis=1)) + net.T) @ covariance
    closer = (moved[:, 1:] - moved[:, :1]) / np.maximum(gap[0, 1:], 1e-9)
    closer[np.arange(1, n), np.arange(n - 1)] = -inf  # the player left out does not compete
    run = WholePool(method, replay.view)
    for i in (1 + np.argsort(-closer[1:].max(axis=1))[:TRIED]).tolist():
        left = np.flatnonzero((one != i) & (other != i))
        solved = run.solved(left)
        rating = solved.state["rating"][rows]
        rating[i] = -inf
        best = int(np.nan_to_num(rating, nan=-inf).argmax())
        if best and solved.covariance is not None and not np.isnan(solved.covariance(rows[0], rows[best])):
            return names[i], names[best]
    return None


def _further(
    replay: Replay, rows: Ints, names: tuple[str, ...], gap: Floats, width: Floats
) -> tuple[str, str, int] | None:
    """The first two neighbours who cannot be distinguished, and the number of further results that each would need."""
    for i in range(len(rows) - 1):
        if 0.0 < gap[i, i + 1] <= width[i, i + 1]:
            results = replay.view.played_counts()[rows[i : i + 2]].mean()
            more = results * ((width[i, i + 1] / gap[i, i + 1]) ** 2 - 1.0)
            digits = max(int(np.log10(max(more, 1.0))) - 1, 0)
            return names[i], names[i + 1], max(int(round(more, -digits)), 1)
    return None
