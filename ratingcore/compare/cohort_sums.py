"""Sums over cohorts and calendar months, from which means and standard errors of every cohort are made."""

from functools import cached_property
from math import sqrt

import numpy as np
from attrs import frozen

from ratingcore.compare.cohorts import Cohorts
from ratingcore.compare.played_games import Bools
from ratingcore.tables import Floats, Ints


@frozen(eq=False)
class Cells:
    """The games that are scored, in cells of one cohort and one calendar month each.

    Parameters
    ----------
    by : str
    names : tuple of str
        Of the cohorts.
    code : (n,) int
        Cell of each game: cohort times months, plus month. Games in no cohort are in an extra cell after the last.
    other : (n,) int or None
        Second cell of each game.
    months : int
        Number of months.
    """

    by: str
    names: tuple[str, ...]
    code: Ints
    other: Ints | None
    months: int

    @classmethod
    def of(cls, part: Cohorts, month: Ints, which: Bools | None) -> "Cells":
        """The cells of all games, or of those in `which`."""
        some = slice(None) if which is None else which
        months = int(month.max(initial=0)) + 1
        last = len(part.names) * months

        def cells(code: Ints) -> Ints:
            return np.where(code < 0, last, code * months + month)[some]

        return cls(part.by, part.names, cells(part.code), None if part.other is None else cells(part.other), months)

    def sums(self, values: Floats) -> Floats:
        """Sums of one number a game over each cell; a game in two cohorts counts in both."""
        size = len(self.names) * self.months + 1
        total = np.zeros(size)
        for code in (self.code, self.other):
            if code is not None:
                total += np.bincount(code, values, size)
        return total[:-1]

    @cached_property
    def n(self) -> Floats:
        """Number of games in each cell."""
        return self.sums(np.ones(len(self.code)))

    def cohort(self, sums: Floats) -> Floats:
        """Sums over each cohort, from sums over its cells."""
        return np.asarray(sums.reshape(len(self.names), self.months).sum(axis=1))

    def mean(self, sums: Floats, cohort: int) -> tuple[float, float | None]:
        """Mean of one number a game in a cohort, and its standard error by clusters of months (None of one month)."""
        some = slice(cohort * self.months, (cohort + 1) * self.months)
        n, total = self.n[some], sums[some]
        games, months = float(n.sum()), int(np.count_nonzero(n))
        mean = float(total.sum()) / games
        if months < 2:
            return mean, None
        return mean, sqrt(float(np.square(total - mean * n).sum()) * months / (months - 1)) / games
