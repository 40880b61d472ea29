"""Conditions on players, and the order of a column."""

import pytest

from ratingcore.columns.slices import Condition, Slice
from ratingcore.errors import BadValue
from ratingcore.explain.row_order import order_of


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("x=5", [True, False, False, False]), ("x!=5", [False, True, True, False]),
        ("x>=5", [True, True, False, False]), ("x > 5", [False, True, False, False]),
        ("x<=5", [True, False, True, False]), ("x<5.0", [False, False, True, False]),
    ],
)  # fmt: skip
def test_numbers_are_compared_as_numbers_and_an_empty_cell_fits_nothing(text: str, holds: list[bool]) -> None:
    assert Condition.parse(text).fits((5, 10.0, 4, None)).tolist() == holds


def test_of_a_day_only_as_much_is_compared_as_the_value_has() -> None:
    days = ("2004-12-31", "2005-01-01", "2005-12-31", "2006-01-01")
    assert Condition.parse("born<=2005").fits(days).tolist() == [True, True, True, False]
    assert Condition.parse("born>2005").fits(days).tolist() == [False, False, False, True]
    assert Condition.parse("born>=2005-06").fits(days).tolist() == [False, False, True, True]
    assert Condition.parse("born=2005").fits(days).tolist() == [False, False, False, False]


def test_a_number_is_no_text() -> None:
    assert Condition.parse("born>=abc").fits((2005, "abd")).tolist() == [False, True]
    assert Condition.parse("club!=abc").fits((2005, "ABC")).tolist() == [True, False]


@pytest.mark.parametrize("text", ["n==2", "n=2 | n=1", "n=<2", "n=!2"])
def test_a_sign_in_a_value_needs_quotes(text: str) -> None:
    """Such a condition was compared with the text `=2`, and its list was empty without a word."""
    with pytest.raises(BadValue, match="in quotes"):
        Condition.parse(text)


@pytest.mark.parametrize("value", ["=2 | n=1", "=2", "a|b", "Ö & Co", "x]"])
def test_a_quoted_value_may_have_any_sign(value: str) -> None:
    assert Condition.parse(f"n='{value}'").value == value
    made = Slice("p", (Condition("n", "=", value),))
    assert Slice.parse(str(made)) == made


@pytest.mark.parametrize("text", ["", "sex", "=w", "sex=", "sex ~ w", "two words=w"])
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(BadValue, match="where must be a condition such as sex=w"):
        Condition.parse(text)


def test_empty_cells_come_last_either_way_and_equal_ones_stay() -> None:
    numbers = (1, None, 3.0, 1, 2)
    assert order_of(numbers).tolist() == [2, 4, 0, 3, 1]
    assert order_of(numbers, backwards=True).tolist() == [0, 3, 4, 2, 1]
    texts = ("bo", None, "ann", 7)
    assert order_of(texts).tolist() == [3, 2, 0, 1]
    assert order_of(texts, backwards=True).tolist() == [0, 2, 3, 1]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("club = 'SK Praha'", "SK Praha"),
        ('club="SK Praha"', "SK Praha"),
        ("club=\"'North'\"", "'North'"),
        ("club='t Veer", "'t Veer"),
        ("club=O'Neill's", "O'Neill's"),
        ("club=''", ""),
        ("club='", "'"),
    ],
)
def test_quotes_around_a_value_are_no_part_of_it(text: str, value: str) -> None:
    """`club = 'X'`, as SQL has it, listed nobody, and nothing said why."""
    assert Condition.parse(text).fits((value, "other")).tolist() == [True, False]
