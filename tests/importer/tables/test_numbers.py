"""Which texts are numbers."""

import pytest

from ratingcore.errors import BadValue
from ratingcore.importer.tables.cells import fact_parser, number_parser, numeric_parser, whole
from ratingcore.readers.sheets import Moment


@pytest.mark.parametrize(
    ("text", "value"), [("7", 7), ("007", 7), ("+3", 3), ("-2.5", -2.5), (".5", 0.5), ("3.", 3.0), ("1e3", 1000.0)]
)
def test_a_number_is_read_however_it_is_written(text: str, value: float) -> None:
    assert repr(number_parser(".")(text)) == repr(value)


@pytest.mark.parametrize("text", ["", "x", "1_0", "1,5", "nan", "inf", "1e999", "٣", "1 0"])
def test_what_only_python_or_nobody_takes_for_a_number_is_none(text: str) -> None:
    assert number_parser(".")(text) is None


def test_with_a_decimal_comma_a_point_is_no_decimal_sign() -> None:
    assert number_parser(",")("1612,5") == 1612.5
    assert number_parser(",")("1.612") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("-1.5", -1.5),
        ("2019/20", "2019/20"),
        ("007", "007"),
        ("Nan", "Nan"),
        ("", None),
        ("12345678901234567890", "12345678901234567890"),
    ],
)
def test_a_fact_is_a_number_only_when_nothing_is_lost(text: str, value: object) -> None:
    assert fact_parser("event", ".")(text) == value


@pytest.mark.parametrize("text", ["NaN", "nan", "-inf", "1e999"])
def test_a_fact_that_is_not_finite_is_refused(text: str) -> None:
    with pytest.raises(BadValue, match="importance is not a finite number"):
        fact_parser("importance", ".")(text)


def test_a_required_number_may_be_absent_but_nothing_else() -> None:
    assert numeric_parser("rating", ".")("") is None
    with pytest.raises(BadValue, match="rating is not a finite number: 'strong'"):
        numeric_parser("rating", ".")("strong")


def test_a_whole_number_is_zero_when_empty() -> None:
    assert [whole("order", text) for text in ("", "12", "-3")] == [0, 12, -3]
    with pytest.raises(BadValue, match=r"order is not a whole number: '1\.5'"):
        whole("order", "1.5")


def test_a_day_of_a_typed_table_in_a_free_field_is_its_plain_text() -> None:
    read = fact_parser("season", ".")(Moment("2024-01-01"))
    assert (read, type(read)) == ("2024-01-01", str)  # what is recorded is encoded by exact types
