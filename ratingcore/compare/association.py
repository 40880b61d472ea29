"""Correlation of two columns of numbers, by values and by ranks, and the normality of one column."""

import numpy as np
from attrs import frozen

from ratingcore.columns.games import Floats


@frozen
class Association:
    """Correlations of two columns; None where one is undefined.

    Parameters
    ----------
    n : int
        Pairs of numbers.
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
        Of the absolute differences.
    shift : float
        Mean of the differences, the second column minus the first.
    where : int
        Index of the pair with the largest; the first of several.
    """

    mean: float
    median: float
    largest: float
    smallest: float
    shift: float
    where: int


def association(x: Floats, y: Floats) -> Association:
    """All correlations of two columns.

    Examples
    --------
    >>> association(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0])).spearman
    1.0
    """
    return Association(len(x), pearson(x, y), kendall(x, y), spearman(x, y), cosine(x, y))


def pearson(x: Floats, y: Floats) -> float | None:
    """Correlation of two columns of finite numbers; None with fewer than two of them or if a column is constant.

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
    """Kendall's tau-b: the share of pairs in the same order less that in the opposite one, corrected for ties.

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
    """Correlation of the ranks of two columns, equal numbers at the middle of theirs; None as `pearson`.

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
    """Normality of a column: the correlation of its sorted values with the medians of normal order statistics [1]_.

    1 for a sample that is exactly normal; None as `pearson`.

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
    """How far two columns lie apart, pair by pair; None if there is no pair.

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
    """The column in standard deviations from its mean; None if it is constant.

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
    """Distances from the mean in units of the largest, so that squares neither overflow nor vanish."""
    shrunk = x / np.abs(x).max()
    centred = shrunk - shrunk.mean()
    return np.asarray(centred / np.abs(centred).max(), dtype=np.float64)


def _bounded(measure: float) -> float:
    """A correlation brought back into [-1, 1] after rounding."""
    return min(max(measure, -1.0), 1.0)
