"""Sums over cohorts: means are those of the games of a cohort, errors those of statsmodels by months."""

import numpy as np
import pytest

from ratingcore.compare.cohort_sums import Cells
from ratingcore.compare.cohorts import Cohorts, cohorts
from ratingcore.compare.forecasts import forecast
from ratingcore.compare.losses import losses
from tests.compare.making import games_of, league
from tests.compare.test_forecasts import eng_method
from tests.tables.making import POOL


def test_means_of_cohorts_are_those_of_their_games() -> None:
    eng = league(600)
    played, found = games_of(eng), forecast(eng_method("elo"), eng.view(POOL))
    loss = losses(found.expected, played.score)
    for by in ("gap", "strength", "experience", "year"):
        part = cohorts(by, played, found)
        cells = Cells.of(part, played.month, None)
        sums, sizes = cells.sums(loss), cells.cohort(cells.n)
        assert sizes.sum() == 600
        for cohort in np.flatnonzero(sizes).tolist():
            mine = part.code == cohort
            assert sizes[cohort] == mine.sum()
            assert cells.mean(sums, cohort)[0] == pytest.approx(loss[mine].mean())


def test_errors_of_cohorts_are_by_months() -> None:
    import statsmodels.api as sm

    played = games_of(league(500))
    half, values = np.arange(500) % 2, np.random.default_rng(0).normal(size=500)
    cells = Cells.of(Cohorts("half", ("even", "odd"), half), played.month, None)
    for cohort in (0, 1):
        mine = half == cohort
        fitted = sm.OLS(values[mine], np.ones(250)).fit(cov_type="cluster", cov_kwds={"groups": played.month[mine]})
        assert cells.mean(cells.sums(values), cohort)[1] == pytest.approx(float(fitted.bse[0]))


def test_one_month_has_no_error() -> None:
    cells = Cells.of(Cohorts("all", ("all",), np.zeros(3, dtype=int)), np.zeros(3, dtype=int), None)
    assert cells.mean(cells.sums(np.ones(3)), 0) == (1.0, None)


def test_a_game_in_two_cohorts_counts_in_both_and_one_in_none_in_neither() -> None:
    part = Cohorts("club", ("ash", "elm"), np.array([0, 0, -1]), np.array([1, -1, -1]))
    cells = Cells.of(part, np.zeros(3, dtype=int), None)
    assert cells.cohort(cells.n).tolist() == [2, 1]
    assert cells.cohort(cells.sums(np.array([1.0, 10.0, 100.0]))).tolist() == [11.0, 1.0]


def test_games_that_are_not_asked_about_are_in_no_cell() -> None:
    part = Cohorts("all", ("all",), np.zeros(4, dtype=int))
    assert Cells.of(part, np.array([0, 0, 1, 1]), np.array([True, False, False, True])).n.tolist() == [1, 1]
