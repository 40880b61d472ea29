"""Measures how far two rating lists agree: correlations of values and of ranks, and distances between ratings."""

from functools import cached_property

import numpy as np
from attrs import frozen

from ratingcore.columns.games import Floats, Ints, frozen_array
from ratingcore.lists.provenance import Provenance
from ratingcore.lists.rating_list import RatingList


@frozen
class Association:
    """Correlations of two columns; None where one is undefined.

    Parameters
    ----------
    n : int
        Number of pairs.
    pearson, kendall, spearman, cosine : float in [-1, 1] or None
        Results of the functions of these names.
    """

    n: int
    pearson: float | None
    kendall: float | None
    spearman: float | None
    cosine: float | None


@frozen
class Deviations:
    """Distances between two columns, pair by pair.

    Parameters
    ----------
    mean, median, largest, smallest : float >= 0
        Statistics of the absolute differences.
    shift : float
        Mean of the differences, the second column minus the first.
    where : int
        Index of the pair with the largest absolute difference; the first of several.
    """

    mean: float
    median: float
    largest: float
    smallest: float
    shift: float
    where: int


def association(x: Floats, y: Floats) -> Association:
    """Computes all correlations of two columns.

    Examples
    --------
    >>> association(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0])).spearman
    1.0
    """
    return Association(len(x), pearson(x, y), kendall(x, y), spearman(x, y), cosine(x, y))


def pearson(x: Floats, y: Floats) -> float | None:
    """Returns Pearson's correlation of two columns of finite numbers; None below two numbers or for a constant column.

    Parameters
    ----------
    x, y : (n,) float64

    Examples
    --------
    >>> pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
    1.0
    """
    if _constant(x) or _constant(y):
        return None
    dx, dy = _centred(x), _centred(y)
    return _bounded(float(dx @ dy) / float(np.sqrt((dx @ dx) * (dy @ dy))))


def kendall(x: Floats, y: Floats) -> float | None:
    """Kendall's tau-b: the share of pairs in the same order minus the share in opposite order, corrected for ties.

    None with fewer than two numbers or if a column is constant. Takes n log n steps [1]_.

    Parameters
    ----------
    x, y : (n,) float64

    References
    ----------
    .. [1] W. Knight, "A computer method for calculating Kendall's tau with ungrouped data", J. American Statistical
       Association 61, 1966.

    Examples
    --------
    >>> round(kendall(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])), 6)
    0.333333
    """
    if _constant(x) or _constant(y):
        return None
    from scipy.stats import kendalltau  # type: ignore[import-untyped]  # no types; a second that few need

    return _bounded(float(kendalltau(x, y).statistic))


def spearman(x: Floats, y: Floats) -> float | None:
    """Returns the correlation of the ranks of two columns, ties at their middle rank; None as for `pearson`.

    Parameters
    ----------
    x, y : (n,) float64
    """
    if _constant(x) or _constant(y):
        return None
    from scipy.stats import rankdata

    return pearson(rankdata(x), rankdata(y))


def cosine(x: Floats, y: Floats) -> float | None:
    """Cosine of the angle between two columns; None with fewer than two numbers or if a column is all zero.

    Parameters
    ----------
    x, y : (n,) float64

    Examples
    --------
    >>> cosine(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    0.0
    """
    if len(x) < 2 or not x.any() or not y.any():
        return None
    x, y = x / np.abs(x).max(), y / np.abs(y).max()
    return _bounded(float(x @ y) / float(np.sqrt((x @ x) * (y @ y))))


def filliben(x: Floats) -> float | None:
    """Measures normality: the correlation of the sorted values with the medians of normal order statistics [1]_.

    1 for a sample that is exactly normal; None as for `pearson`.

    Parameters
    ----------
    x : (n,) float64

    References
    ----------
    .. [1] J. Filliben, "The probability plot correlation coefficient test for normality", Technometrics 17, 1975.

    Examples
    --------
    >>> round(filliben(np.array([1.0, 2.0, 3.0, 4.0, 5.0])), 6)
    0.998352
    """
    if _constant(x):
        return None
    from scipy.special import ndtri  # type: ignore[import-untyped]  # scipy has no types

    n = len(x)
    median = (np.arange(1, n + 1) - 0.3175) / (n + 0.365)
    median[-1] = 0.5 ** (1.0 / n)
    median[0] = 1.0 - median[-1]
    return pearson(np.sort(x), ndtri(median))


def deviations(x: Floats, y: Floats) -> Deviations | None:
    """Measures how far two columns lie apart, pair by pair; None without pairs.

    Parameters
    ----------
    x, y : (n,) float64

    Examples
    --------
    >>> deviations(np.array([1500.0, 1600.0]), np.array([1510.0, 1570.0]))
    Deviations(mean=20.0, median=20.0, largest=30.0, smallest=10.0, shift=-10.0, where=1)
    """
    if not len(x):
        return None
    size = np.abs(y - x)
    where = int(np.argmax(size))
    return Deviations(
        float(size.mean()), float(np.median(size)), float(size[where]), float(size.min()), float((y - x).mean()), where
    )


def standardised(x: Floats) -> Floats | None:
    """Returns a column in standard deviations from its mean; None if it is constant.

    Parameters
    ----------
    x : (n,) float64

    Examples
    --------
    >>> standardised(np.array([1400.0, 1600.0])).tolist()
    [-1.0, 1.0]
    """
    if _constant(x):
        return None
    centred = _centred(x)
    return np.asarray(centred / np.sqrt((centred @ centred) / len(x)), dtype=np.float64)


def _constant(x: Floats) -> bool:
    return len(x) < 2 or bool(x.min() == x.max())


def _centred(x: Floats) -> Floats:
    """Returns distances from the mean in units of the largest one, so that squares neither overflow nor vanish."""
    shrunk = x / np.abs(x).max()
    centred = shrunk - shrunk.mean()
    return np.asarray(centred / np.abs(centred).max(), dtype=np.float64)


def _bounded(measure: float) -> float:
    """Clips a correlation that rounding carried out of [-1, 1]."""
    return min(max(measure, -1.0), 1.0)


@frozen(eq=False)
class Agreement:
    """The players rated on both of two lists, in the order of the old one, with measures of how far the lists agree.

    Differences are measured twice. Between the ratings as listed, they mean little if the lists have different scales.
    Between standardised ratings (minus the mean, divided by the standard deviation, of these players on each list),
    they do not depend on scale or on a common shift.

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
        Players on both lists without a finite rating on one of them.
    measures : Association
        Correlations of the ratings.
    normal, new_normal : float or None
        Filliben's probability plot correlation coefficient of each list, over these players.
    points, standardised : Deviations or None
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
    points: Deviations | None
    standardised: Deviations | None

    def __len__(self) -> int:
        return len(self.player)

    @cached_property
    def change(self) -> Floats:
        """New rating minus the old one, for each player."""
        return np.asarray(np.round(self.new_rating - self.rating, 9))

    @cached_property
    def places(self) -> Ints:
        """Number of places that each player went up the list."""
        return np.asarray(self.rank - self.new_rank)

    def facts(self) -> dict[str, str | int | float | None]:
        """Returns the comparison as one row: both lists, counts, measures and distances."""
        return {
            "method": self.old.method, "at": self.old.clock.day(self.old.at), "known_at": self.old.known_at,
            "new_method": self.new.method, "new_at": self.new.clock.day(self.new.at), "new_known_at": self.new.known_at,
            **self.distances(),
        }  # fmt: skip

    def distances(self) -> dict[str, str | int | float | None]:
        """Returns counts, measures and distances by name."""
        of = self.measures
        distances: dict[str, str | int | float | None] = {}
        for name, apart in (("", self.points), ("standardised_", self.standardised)):
            for fact in ("shift", "mean", "median", "largest"):
                distances[f"{name}{fact}"] = getattr(apart, fact) if apart else None
            distances[f"{name}whose"] = self.player[apart.where] if apart else None
        return {
            "players": len(self), "only_old": len(self.only_old), "only_new": len(self.only_new),
            "unrated": len(self.unrated),
            "pearson": of.pearson, "kendall": of.kendall, "spearman": of.spearman, "cosine": of.cosine,
            "filliben": self.normal, "new_filliben": self.new_normal, **distances,
        }  # fmt: skip


def agreement(old: RatingList, new: RatingList) -> Agreement:
    """Measures how far two lists agree, such as lists of two methods or two dates, or a list published and restated.

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
    before, before_free, after_free = set(old.player), standardised(rating), standardised(new_rating)
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
        deviations(rating, new_rating),
        None if before_free is None or after_free is None else deviations(before_free, after_free),
    )


def _ratings(listed: RatingList) -> Floats:
    return np.asarray(listed.values["rating"], dtype=np.float64)
