"""Curves are drawn for a telephone: few marks, and labels that leave room for each other."""

import re
from itertools import pairwise

import numpy as np
import pytest
from ratingcore_pages.curves import APART, Mark, curves

DAY = 86_400_000_000


def test_marks_leave_room_and_the_newest_is_among_them() -> None:
    points = np.array([(day * DAY, 1500.0 + day % 7) for day in range(0, 4000, 10)])
    lists = [Mark(day * DAY, f"list {day}") for day in range(3990, 0, -30)]  # the newest first, as pools have them
    for marks in (lists, lists[::-1]):
        drawn = str(curves([points], marks))
        at = [float(x) for x in re.findall(r'class="mark" x1="([0-9.]+)"', drawn)]
        assert "<title>list 3990</title>" in drawn
        assert len(at) > 20
        assert all(one - other >= APART for one, other in pairwise(at))


def test_marks_beyond_the_curve_are_left_out() -> None:
    points = np.array([(0, 1500.0), (10 * DAY, 1510.0)])
    assert "mark" not in curves([points], [Mark(11 * DAY, "later")])


def test_the_name_of_a_mark_at_the_edge_is_left_out_rather_than_cut() -> None:
    """A fixed fault: the last letters of June 2025 were beyond the picture on a telephone."""
    points = np.array([(0, 1500.0), (100 * DAY, 1510.0)])
    drawn = [curves([points], [Mark(day * DAY, "June 2025")]).count("June 2025") for day in (92, 93)]
    assert drawn == [2, 1]


def test_steps_of_a_long_curve_end_where_its_dot_is() -> None:
    """Each step is rounded: the errors must not add up along the path."""
    drawn = curves([np.column_stack([np.arange(300.0), np.sin(np.arange(300.0))])])
    path = re.search(r'class="curve c0" d="M([0-9.]+) ([0-9.]+)([^"]*)"', drawn)
    dot = re.search(r'class="dot c0" r="2.5" cx="([0-9.]+)" cy="([0-9.]+)"', drawn)
    assert path is not None
    assert dot is not None
    right, down = (sum(map(float, re.findall(f"{letter}([^hv]+)", path[3]))) for letter in "hv")
    assert (float(path[1]) + right, float(path[2]) + down) == pytest.approx((float(dot[1]), float(dot[2])), abs=0.01)


@pytest.mark.parametrize("days", [3, 20, 61, 90, 400])
def test_an_axis_has_days_or_months_that_are_not_cut(days: int) -> None:
    """A fixed fault: a curve of a few weeks within a month had nothing below its axis."""
    drawn = curves([np.array([(0, 1500.0), (days * DAY, 1510.0)])])
    labels = re.findall(r'<text x="([0-9.]+)" y="[0-9]+" class="middle">([0-9-]+)</text>', drawn)
    assert len(labels) > 1
    assert all(float(x) + 3.5 * len(text) <= 420 for x, text in labels)
    assert all(float(b) - float(a) > 7 * len(text) for (a, text), (b, _) in pairwise(labels))


@pytest.mark.parametrize(("best", "labels"), [(1.0, [1, 2, 4, 6]), (2.0, [2, 4, 6])])
def test_the_first_place_is_labelled_where_the_curve_reaches_it(best: float, labels: list[int]) -> None:
    """A fixed bug: the label of place 1 was drawn above the picture of a player who was never first."""
    drawn = str(curves([np.array([(0.0, 7.0), (40.0 * DAY, best), (70.0 * DAY, 3.0)])], places=True))
    found = {int(label): float(y) for y, label in re.findall(r'y="([-0-9.]+)" class="end">(\d+)<', drawn)}
    assert sorted(found) == labels
    assert min(found.values()) > 0
