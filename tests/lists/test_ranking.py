"""Ranking by arrays equals ranking by hand."""

from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingcore.lists.ranking import ranked

Rows = list[tuple[float, int, str]]

RATING = st.sampled_from([nan, 1500.0, 1500.5, -3.0, 0.0])
ROWS = st.lists(
    st.tuples(RATING, st.integers(0, 3), st.sampled_from(["ann", "bo", "Zoë", "é", "李", "(erased 3)", "bo "]))
)


def by_hand(rows: Rows, ties: str) -> tuple[list[int], list[int]]:
    """Order and ranks, place by place."""
    more = {"games": 1}.get(ties, 0)
    keys = [(rating != rating, 0.0 if rating != rating else -rating, -games * more) for rating, games, _ in rows]
    order = sorted(range(len(rows)), key=lambda row: (*keys[row], rows[row][2], row))
    ranks: list[int] = []
    for place, row in enumerate(order):
        if keys[row][0]:
            ranks.append(0)
        elif place and keys[order[place - 1]] == keys[row]:
            ranks.append(ranks[-1])
        else:
            ranks.append((ranks[-1] if ranks else 0) + 1 if ties == "dense" else place + 1)
    return order, ranks


@pytest.mark.parametrize("ties", ["shared", "dense", "games"])
@given(rows=ROWS)
def test_ranking_by_arrays_is_ranking_by_hand(ties: str, rows: Rows) -> None:
    rating, games = np.array([row[0] for row in rows]), np.array([row[1] for row in rows], dtype=np.int64)
    order, rank = ranked(rating, games, lambda which: [rows[row][2] for row in which.tolist()], ties)
    assert (order.tolist(), rank.tolist()) == by_hand(rows, ties)


def test_names_are_asked_for_equal_ratings_only() -> None:
    asked: list[list[int]] = []

    def names(rows: np.ndarray) -> list[str]:  # type: ignore[type-arg]  # of whole numbers
        asked.append(rows.tolist())
        return [str(row) for row in rows.tolist()]

    ranked(np.array([1.0, 2.0, 3.0]), np.zeros(3, dtype=np.int64), names, "shared")
    ranked(np.array([1.0, 2.0, 1.0]), np.zeros(3, dtype=np.int64), names, "shared")
    assert asked == [[0, 2]]
