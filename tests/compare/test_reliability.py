"""Calibration in bins: edges, Wilson intervals against statsmodels, any number of bins."""

import numpy as np
import pytest

from ratingcore.compare.reliability import reliability, wilson
from tests.compare.making import made_up


@pytest.mark.parametrize("draws", [False, True])
def test_statsmodels_gives_the_same_wilson_intervals(draws: bool) -> None:
    from statsmodels.stats.proportion import proportion_confint

    table = reliability(*made_up(300, 1, draws))
    low, high = proportion_confint(table.scored * table.n, table.n, method="wilson")
    assert table.from_ == pytest.approx(low, abs=1e-12)
    assert table.to == pytest.approx(high, abs=1e-12)
    low, high = proportion_confint(3, 7, alpha=0.2, method="wilson")
    assert [bound[0] for bound in wilson(np.array([3 / 7]), np.array([7]), 0.8)] == pytest.approx([low, high])


@pytest.mark.parametrize(("p", "bin_"), [(0.0, 0), (0.1, 1), (0.3, 3), (0.7, 7), (np.nextafter(0.7, 0), 6), (1.0, 9)])
def test_bins_hold_their_lower_edge_and_the_last_both(p: float, bin_: int) -> None:
    table = reliability(np.array([p]), np.array([1.0]))
    assert table.low.tolist() == [bin_ / 10]


def test_any_number_of_bins() -> None:
    p, y = made_up(1000)
    for bins in (1, 3, 7, 20, 49):
        table = reliability(p, y, bins)
        assert table.n.sum() == 1000
        assert ((table.low <= table.expected) & (table.expected <= table.high)).all()
    assert reliability(p, y, 1).ece == pytest.approx(abs(p.mean() - y.mean()))
