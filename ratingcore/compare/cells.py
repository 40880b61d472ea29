"""Games in cells of cohort and month: what is added up over a cell serves means and errors of every cohort."""

from functools import cached_property
from math import sqrt

import numpy as np
from attrs import frozen

from ratingcore.compare.cohorts import Cohorts
from ratingcore.compare.forecasts import Bools
from ratingcore.tables import Floats, Ints


@frozen(eq=False)
class Cells:
    """The games that are scored, by cohort and calendar month.

    Parameters
    ----------
    by : str
    names : tuple of str
        Of the cohorts.
    code : (n,) int
        Cell of each game: cohort times months, plus month.
    other : (n,) int or None
        Second cell of each game.
    months : int
        How many there are. Games in no cohort are in the cell after the last.
    """

    by: str
    names: tuple[str, ...]
    code: Ints
    other: Ints | None
    months: int

    def sums(self, values: Floats) -> Floats:
        """Sums of a number a game over the cells."""
        size = len(self.names) * self.months + 1
        told = np.zeros(size)
        for code in (self.code, self.other):
            if code is not None:
                told += np.bincount(code, values, size)
        return told[:-1]

    @cached_property
    def n(self) -> Floats:
        """How many games there are in each cell."""
        return self.sums(np.ones(len(self.code)))

    def cohort(self, sums: Floats) -> Floats:
        """Sums over each cohort, of sums over its cells."""
        return np.asarray(sums.reshape(len(self.names), self.months).sum(axis=1))

    def mean(self, sums: Floats, cohort: int) -> tuple[float, float | None]:
        """Mean of a number over the games of a cohort, and its standard error by blocks of months."""
        some = slice(cohort * self.months, (cohort + 1) * self.months)
        n, total = self.n[some], sums[some]
        games, months = float(n.sum()), int(np.count_nonzero(n))
        mean = float(total.sum()) / games
        if months < 2:
            return mean, None
        return mean, sqrt(float(np.square(total - mean * n).sum()) * months / (months - 1)) / games


def cells_of(part: Cohorts, month: Ints, which: Bools | None) -> Cells:
    """The cells of the games that are scored."""
    some = slice(None) if which is None else which
    months = int(month.max(initial=0)) + 1
    last = len(part.names) * months

    def cells(code: Ints) -> Ints:
        return np.where(code < 0, last, code * months + month)[some]

    return Cells(part.by, part.names, cells(part.code), None if part.other is None else cells(part.other), months)
