"""The order of a list that its results support: places at one level for all pairs, tiers, and critical results."""

from math import inf, pi, sqrt

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Games, Ints, same_value
from ratingcore.errors import BadValue, CannotSay
from ratingcore.explain.superiority import covariance_of, listed_of
from ratingcore.lists.rating_list import RatingList
from ratingcore.methods.books import Book
from ratingcore.methods.contract import Cadence
from ratingcore.methods.curves import ndtr
from ratingcore.replay.replay import Replay
from ratingcore.replay.run import WholePool
from ratingcore.report.table import AsTable, Table
from ratingcore.spelling import counted

Bools = NDArray[np.bool_]

CLUSTERS = 30
"""Number of clusters of results, at least, besides the number of players: with fewer, false orders are too frequent."""
MOST = 1000
"""Players at most: every pair is compared."""
TRIED = 3
"""Number of players whose results are left out on trial: those that weigh most for the first place."""


@frozen(eq=False)
class SupportedOrder(AsTable):
    """The part of a list's order that its results support, at one level for all pairs at once [1]_.

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
        1 for the first and all who cannot be distinguished from it, 2 for the first of the others and who cannot be
        distinguished from that one, and so on.
    ahead : (n - 1,) bool
        Whether each player can be distinguished from the next one.
    apart : tuple of str
        Rated players of the list whom no results connect with these.
    parts : int
        Number of unconnected parts of the rated players.
    without : (str, str) or None
        A player without whose results another would be first, and that other; whole-pool methods look among the three
        whose results weigh most.
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
        """The order in a sentence that can be printed."""
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
        """The sentence, and what would change it."""
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
        """A row a player."""
        ahead: tuple[bool | None, ...] = (*self.ahead.tolist(), None)
        columns = {
            "rank": self.rank, "player": self.player, "rating": self.rating, "first": self.first,
            "last": self.last, "tier": self.tier, "ahead": ahead[: len(self)],
        }  # fmt: skip
        return Table("order", "Which order the results support", columns)


def supported_order(replay: Replay, listed: RatingList, level: float = 0.95) -> SupportedOrder:
    """Returns the part of a list's order that its results support.

    Two players can be distinguished if their gap exceeds the studentized range of as many equal players at
    the level, in units of the deviation of the gap. Whole-pool methods have the covariance of two ratings.

    Parameters
    ----------
    replay : Replay
        The replay behind the list.
    listed : RatingList
    level : float in (0, 1)

    Raises
    ------
    CannotSay
        If the method has no deviations, or deviations by clusters of results are too few: fewer than 30, or than
        players.
    BadValue
        If the level is no share, or the list has fewer than two rated players or more than 1,000.
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
        why = f"{int(clusters)} {are} too few for {len(there)} players: as many, and {CLUSTERS} at least"
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
    """The range of so many equal players, in deviations of one, that is not exceeded with chance `level`.

    By quadrature: scipy has it, too, in a module that takes longer to import than all of this.

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
    """Gap of two of so many players, in its own deviations, above which they can be distinguished.

    Deviations by clusters are known for each pair by itself. So a pair is then judged by Student's t, with the chance
    that it has under the studentized range; the range for one common deviation would be exceeded too often.
    """
    from scipy.special import stdtrit  # type: ignore[import-untyped]  # scipy has no types  # seldom asked for

    normal = studentized_range(level, players) / sqrt(2.0)
    return normal if degrees == inf else -float(stdtrit(degrees, ndtr(np.array([-normal]))[0]))


def _parts(known: Bools) -> Ints:
    """Number of the part of each player: players with known joint variances are in one part."""
    part = np.full(len(known), -1)
    for i in range(len(known)):
        if part[i] < 0:
            part[(part < 0) & known[i]] = part[i] = part.max() + 1
    return part


def _tiers(above: Bools) -> Ints:
    """Tiers in order of rank: the first player not in a tier yet, and all who cannot be distinguished from them."""
    tier = np.zeros(len(above), dtype=np.int64)
    for i in range(len(above)):
        if not tier[i]:
            tier[(tier == 0) & ~above[i]] = tier.max() + 1
    return tier


def _turning(
    replay: Replay, rows: Ints, names: tuple[str, ...], covariance: Floats, gap: Floats
) -> tuple[str, str] | None:
    """A player without whose results another would be first, and that other.

    The weight of each player's results follows from the surprises against everybody and the covariances; the pool is
    rated anew without the heaviest.
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
