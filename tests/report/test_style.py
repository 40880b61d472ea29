"""The style of pictures: what is missing is named, thin cells are left out, axes have room."""

import sys
from math import inf, nan

import numpy as np
import pytest

from ratingcore.errors import NotInstalled
from ratingcore.report.style import see_installed, values


def test_a_missing_package_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(NotInstalled) as caught:
        see_installed()
    assert "altair" in str(caught.value)
    assert caught.value.hint == 'pip install "ratingcore[report]"'


def test_cells_without_a_number_take_no_room() -> None:
    rows = values({"x": np.array([1.0, nan, inf]), "name": ["a", None, "c"]}).values
    assert rows == [{"x": 1.0, "name": "a"}, {}, {"name": "c"}]


def test_times_are_milliseconds() -> None:
    rows = values({"at": np.array(["1970-01-02", "NaT"], dtype="M8[us]")}).values
    assert rows == [{"at": 86_400_000}, {}]
