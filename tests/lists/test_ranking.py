"""Ranking by arrays equals ranking by hand; rounding changes no order and has the digits it promises."""

from decimal import ROUND_HALF_UP, Decimal
from itertools import pairwise
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingcore.lists.policy import foremost, ranked, rounded

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


@pytest.mark.parametrize("ties", ["shared", "dense", "games"])
@given(rows=ROWS, fine=st.booleans())
def test_ranking_by_places_is_ranking_by_names(ties: str, rows: Rows, fine: bool) -> None:
    shown = {name: number for number, name in enumerate(sorted({name for _, _, name in rows}))}
    rows = [
        (rating + 1e-7 * fine, games, f"{shown[name]:02} {row:02}") for row, (rating, games, name) in enumerate(rows)
    ]
    rating, games = np.array([row[0] for row in rows]), np.array([row[1] for row in rows], dtype=np.int64)
    names = [name for _, _, name in rows]
    places = np.array([3 * sorted(names).index(name) for name in names], dtype=np.int32)
    order, rank = ranked(rating, games, lambda which: [names[row] for row in which.tolist()], ties, places)
    assert (order.tolist(), rank.tolist()) == by_hand(rows, ties)


def test_many_who_are_equal_stand_in_the_order_of_their_names_whatever_their_rows() -> None:
    n = 5000
    rng = np.random.default_rng(3)
    rating, names = rng.integers(0, 40, n) * 0.5, [f"{number:x}" for number in rng.permutation(n)]
    order, _ = ranked(rating, np.zeros(n, int), lambda rows: [names[row] for row in rows], "shared")
    assert order.tolist() == sorted(range(n), key=lambda row: (-rating[row], names[row]))


def test_names_are_asked_for_equal_ratings_only() -> None:
    asked: list[list[int]] = []

    def names(rows: np.ndarray) -> list[str]:  # type: ignore[type-arg]  # of whole numbers
        asked.append(rows.tolist())
        return [str(row) for row in rows.tolist()]

    ranked(np.array([1.0, 2.0, 3.0]), np.zeros(3, dtype=np.int64), names, "shared")
    ranked(np.array([1.0, 2.0, 1.0]), np.zeros(3, dtype=np.int64), names, "shared")
    assert asked == [[0, 2]]


# rounding

EDGES = [10.0**power * by for power in range(-9, 10) for by in (0.9999996, 0.99999949, 1.0, 1.0000005, 9.99999499)]
NUMBERS = st.one_of(
    st.floats(-1e15, 1e15), st.floats(-1.0, 1.0), st.floats(-1e-6, 1e-6), st.sampled_from(EDGES), st.sampled_from([0.0])
)
ORDINARY = NUMBERS.filter(lambda number: number == 0.0 or abs(number) >= 1e-290)
DIGITS = st.integers(-2, 9)
SIGNIFICANT = st.none() | st.integers(1, 15)


@given(numbers=st.lists(NUMBERS, min_size=2), digits=DIGITS, significant=SIGNIFICANT)
def test_what_is_larger_is_never_listed_below(numbers: list[float], digits: int, significant: int | None) -> None:
    column = np.sort(np.array(numbers))
    listed = rounded(column, digits, significant)
    assert (np.diff(listed) >= 0.0).all()
    assert rounded(-column, digits, significant).tolist() == (-listed + 0.0).tolist(), "both sides of zero alike"


@given(numbers=st.lists(ORDINARY, min_size=1), significant=st.integers(1, 9))
def test_a_listed_number_has_the_significant_digits_and_stays_when_it_is_listed_again(
    numbers: list[float], significant: int
) -> None:
    listed = rounded(np.array(numbers), 4, significant)
    assert rounded(listed, 4, significant).tolist() == listed.tolist()
    for number, shown in zip(numbers, listed.tolist(), strict=True):
        error = abs(Decimal(shown) - Decimal(number))
        unit = Decimal(10) ** (Decimal(number).adjusted() + 1 - significant) if number else Decimal(1)
        assert error <= min(unit, Decimal("1e-4")) * Decimal("0.500002"), (
            "half a unit; a half may be off by a millionth"
        )


@given(number=st.floats(1e-290, 1e6), significant=st.integers(1, 12))
def test_significant_digits_are_those_that_decimal_arithmetic_gives(number: float, significant: int) -> None:
    """`Decimal` rounds the number as it is; only what lies within a millionth of a half may go the other way."""
    exact = Decimal(number)
    places = max(4, significant - 1 - exact.adjusted())
    scaled = exact.scaleb(places) % 1
    if abs(scaled - Decimal("0.5")) > Decimal("2e-6"):
        by_hand = exact.scaleb(places).quantize(Decimal(1), ROUND_HALF_UP).scaleb(-places)
        (shown,) = rounded(np.array([number]), 4, significant).tolist()
        assert shown == float(by_hand)


@pytest.mark.parametrize(
    ("number", "significant", "shown"),
    [
        (0.0191432087, 6, "0.0191432"), (0.0191, 6, "0.0191"), (0.00999999987, 6, "0.01"), (99.99999, 6, "100.0"),
        (1.234565, 6, "1.23457"), (-0.000123456789, 3, "-0.000123"), (1e-30 / 3, 6, "3.33333e-31"),
        (5e-324, 6, "0.0"), (1234567.891234, 6, "1234567.8912"), (0.0, 6, "0.0"), (-0.0, 6, "0.0"), (nan, 6, "nan"),
        (float("inf"), 6, "inf"),
    ],
)  # fmt: skip
def test_small_numbers_get_more_decimals(number: float, significant: int, shown: str) -> None:
    assert str(rounded(np.array([number]), 4, significant)[0].item()) == shown


@pytest.mark.parametrize("ties", ["shared", "dense", "games"])
@given(rows=st.lists(st.tuples(NUMBERS | st.just(nan), st.integers(0, 3)), min_size=1), digits=DIGITS, fine=SIGNIFICANT)
def test_rounding_changes_no_order_and_ranks_follow_what_is_listed(
    ties: str, rows: list[tuple[float, int]], digits: int, fine: int | None
) -> None:
    """By the numbers as the method has them nobody stands below a weaker player, but among those listed as equal."""
    exact, games = np.array([number for number, _ in rows]), np.array([count for _, count in rows])
    listed = rounded(exact, digits, fine)
    order, rank = ranked(listed, games, lambda which: [f"{row:05}" for row in which.tolist()], ties)
    assert (np.isnan(exact[order]) == (rank == 0)).all()
    for place, (above, below) in enumerate(pairwise(order.tolist())):
        if rank[place + 1] == 0:
            continue
        equal = listed[above] == listed[below]
        assert exact[above] >= exact[below] or equal
        level = equal and (ties != "games" or games[above] == games[below])
        assert (rank[place] == rank[place + 1]) == level, "a rank is shared by whoever is listed as equal, nobody else"
        if level:
            assert above < below, "in order of names"


@given(
    rows=st.lists(st.tuples(st.floats(-3.0, 3.0) | st.sampled_from([nan, 0.5, 1e300]), st.integers(0, 2)), min_size=1),
    digits=st.integers(0, 2),
    significant=st.sampled_from([None, 2]),
    ties=st.sampled_from(["shared", "dense", "games"]),
    data=st.data(),
)
def test_the_first_of_a_list_are_among_the_foremost(
    rows: list[tuple[float, int]], digits: int, significant: int | None, ties: str, data: st.DataObject
) -> None:
    top = data.draw(st.integers(1, len(rows)))
    rating, games = np.array([rating for rating, _ in rows]), np.array([count for _, count in rows])
    some = foremost(rating, digits, top)
    (order, rank), (part, ranks) = (
        ranked(rounded(rating[of], digits, significant), games[of], lambda at, of=of: [f"{n:3}" for n in of[at]], ties)
        for of in (np.arange(len(rows)), some)
    )
    assert some[part][:top].tolist() == order[:top].tolist()
    assert ranks[:top].tolist() == rank[:top].tolist()


def test_few_are_foremost_where_many_are_listed() -> None:
    assert foremost(np.arange(1000.0), 0, 10).tolist() == list(range(988, 1000))
