"""The style of pictures."""

import sys
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingcore.errors import NotInstalled
from ratingcore.report.style import check_installed, evenly, thinned, values


def test_a_missing_package_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(NotInstalled) as caught:
        check_installed()
    assert "altair" in str(caught.value)
    assert caught.value.hint == 'pip install "ratingcore[report]"'


def test_cells_without_a_number_take_no_room() -> None:
    rows = values({"x": np.array([1.0, nan, inf]), "name": ["a", None, "c"]}).values
    assert rows == [{"x": 1.0, "name": "a"}, {}, {"name": "c"}]


def test_times_are_milliseconds() -> None:
    rows = values({"at": np.array(["1970-01-02", "NaT"], dtype="M8[us]")}).values
    assert rows == [{"at": 86_400_000}, {}]


heights = st.lists(st.floats(-1e6, 1e6) | st.just(float("nan")), max_size=400).map(np.array)


@given(heights, st.integers(4, 50))
def test_ends_and_extremes_stay_and_no_more_points_than_asked(y: np.ndarray, most: int) -> None:
    kept = thinned(y.astype(np.float64), most).tolist()
    assert len(kept) <= max(most, 4)
    assert kept == sorted(set(kept))
    if len(y):
        assert {0, len(y) - 1} <= set(kept)
    if np.isfinite(y).any():
        assert {np.nanmax(y), np.nanmin(y)} <= set(y[kept])


def test_short_curves_stay_as_they_are() -> None:
    assert thinned(np.arange(5.0), 5).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 9, 1000])
def test_spread_rows_are_distinct_and_hold_both_ends(n: int) -> None:
    rows = evenly(n, 4).tolist()
    assert len(set(rows)) == len(rows) == min(n, 4)
    assert not n or (rows[0], rows[-1]) == (0, n - 1)
