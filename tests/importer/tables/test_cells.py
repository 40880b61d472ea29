"""Cells: the text of a value, and what parsers of numbers, times and scores make of it."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest

from ratingcore.engine import open_engine
from ratingcore.errors import BadValue, NotANumber
from ratingcore.events import instant, iso
from ratingcore.events.times import Timed, Unzoned
from ratingcore.importer.tables.cells import (
    fact_parser,
    number_parser,
    numeric_parser,
    points_parser,
    time_parser,
    whole_number,
)
from ratingcore.importer.tables.days import UnreadDays
from ratingcore.readers import Refused
from ratingcore.readers.sheets import Moment, Values

from .conftest import Read


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("007", "007"), (" x", " x"), (None, ""), (True, "true"), (7, "7"), (7.0, "7"), (0.25, "0.25"),
        (float("nan"), ""), (1e300, "1e+300"), (float("inf"), "inf"), (np.float64(2.0), "2"), (np.int64(5), "5"),
        (np.bool_(False), "false"), (np.str_("ann"), "ann"), (Decimal("1.50"), "1.5"), (Decimal("NaN"), ""),
        (UUID(int=1), str(UUID(int=1))), (time(9, 30), "09:30:00"), (timedelta(hours=1), "1:00:00"),
        (date(2024, 3, 2), "2024-03-02"), (datetime(2024, 3, 2), "2024-03-02"), (pd.NaT, ""), (pd.NA, ""),
        (datetime(2024, 3, 2, 9, tzinfo=UTC), "2024-03-02T09:00:00+00:00"), (pd.Timestamp("2024-03-02"), "2024-03-02"),
        ([1], None), ({}, None), (b"x", None),
    ],
)  # fmt: skip
def test_a_value_has_the_text_that_a_file_of_text_would_have(value: Any, text: str | None) -> None:
    assert Values(None).text(value) == text


def test_a_time_without_a_zone_is_of_the_zone_that_is_named_or_of_none() -> None:
    evening = datetime(2024, 3, 2, 19, 30)
    paris, nowhere = Values(ZoneInfo("Europe/Paris")), Values(None)
    assert instant(str(paris.text(evening))) == instant("2024-03-02T18:30:00Z")
    assert isinstance(instant(str(nowhere.text(evening))), Unzoned)


def test_a_row_with_a_cell_that_is_no_single_value_is_refused() -> None:
    assert Values(None).row(7, [1, [2]], ["a", "b"]) == Refused(7, "b is not a single value", "[2]")
    assert isinstance(Values(None).row(7, ["x" * (2**20 + 1)], ["a"]), Refused)


def test_a_day_that_is_one_needs_no_format() -> None:
    assert time_parser("%d.%m.%Y")(Moment("2024-03-02")) == instant("2024-03-02")
    assert time_parser("%d.%m.%Y")("2024-03-02") == instant("2024-03-02")


def test_a_column_that_begins_with_a_number_of_seconds_is_all_seconds() -> None:
    read = time_parser(None)
    assert [iso(read(text)) for text in ("1693300000", "978307200")] == ["2023-08-29T09:06:40Z", "2001-01-01"]
    assert type(read("978307200")) is Timed  # midnight is a time of day here
    with pytest.raises(BadValue, match="is not a time of the form unix: '2024-03-02'"):
        read("2024-03-02")
    assert iso(read(Moment("2024-03-02"))) == "2024-03-02"


@pytest.mark.parametrize("text", ["1691010100000", "1693300000", "45353"])
def test_a_number_among_days_is_no_day(text: str) -> None:
    """`1691010100000` was read as a day of 1691."""
    read = time_parser(None)
    assert iso(read("20240302")) == "2024-03-02"
    with pytest.raises(BadValue, match=f"is a number, unlike the days before it: '{text}'"):
        read(text)


@pytest.mark.parametrize("text", ["12000", "70000", "978307200", "9999999999", "202403021930", "0"])
def test_a_number_whose_format_is_not_sure_has_to_be_given_it(text: str) -> None:
    with pytest.raises(BadValue, match="must be an ISO date"):
        time_parser(None)(text)


def test_days_of_spreadsheets_are_days_and_their_times_those_of_the_zone() -> None:
    read = time_parser(None, ZoneInfo("Europe/Paris"))
    assert [iso(read(text)) for text in ("45353", "45353.75", "45353,5")] == [
        "2024-03-02", "2024-03-02T17:00:00Z", "2024-03-02T11:00:00Z",
    ]  # fmt: skip
    assert type(time_parser(None)("45353.75")) is Unzoned


@pytest.mark.parametrize(("text", "form"), [("12000", "excel"), ("978307200", "unix"), ("9999999999", "unix")])
def test_the_hint_names_the_format_of_numbers(text: str, form: str) -> None:
    days = UnreadDays(None)
    days.miss(BadValue("played", text, "must be an ISO date"))
    assert days.note().forms == (form,)


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
    with pytest.raises(BadValue, match="importance must be a finite number"):
        fact_parser("importance", ".")(text)


def test_a_required_number_may_be_absent_but_nothing_else() -> None:
    assert numeric_parser("rating", ".")("") is None
    with pytest.raises(BadValue, match="rating must be a finite number: 'strong'"):
        numeric_parser("rating", ".")("strong")


def test_a_whole_number_is_zero_when_empty() -> None:
    assert [whole_number("order", text) for text in ("", "12", "-3")] == [0, 12, -3]
    with pytest.raises(BadValue, match=r"order must be a whole number: '1\.5'"):
        whole_number("order", "1.5")


def test_a_day_of_a_typed_table_in_a_free_field_is_its_plain_text() -> None:
    read = fact_parser("season", ".")(Moment("2024-01-01"))
    assert (read, type(read)) == ("2024-01-01", str)  # what is recorded is encoded by exact types


@pytest.mark.parametrize("text", ["2024-03-02", "2024/03/02", "2024.03.02", "20240302", "2024-3-2", "2024/3/2"])
def test_iso_and_its_neighbours_are_days(text: str) -> None:
    assert iso(time_parser(None)(text)) == "2024-03-02"


@pytest.mark.parametrize(
    "text", ["2024-03-02T18:30", "2024-03-02 18:30:00", "2024/03/02 18:30", "2024.03.02T19:30+01:00"]
)
def test_a_time_of_day_is_kept(text: str) -> None:
    assert iso(time_parser(None)(text)) == "2024-03-02T18:30:00Z"


def test_a_given_form_stands() -> None:
    read = time_parser("%d.%m.%Y")
    assert iso(read("02.03.2024")) == "2024-03-02"
    with pytest.raises(BadValue, match=r"not a time of the form %d\.%m\.%Y: '20240302'"):
        read("20240302")


@pytest.mark.parametrize("text", ["0000-01-01", "2024-02-30", "02.03.2024", "2024/03.02", "yesterday", "", "2024"])
def test_nonsense_is_refused_with_the_value(text: str) -> None:
    with pytest.raises(BadValue, match=r"played must be an ISO date or time between years 1 and 9999") as caught:
        time_parser(None)(text)
    assert str(caught.value).endswith(repr(text))


@pytest.mark.parametrize("text", ["2001.??.??", "????.??.??", "2001-05-??"])
def test_a_day_that_is_not_known_is_refused_for_that(text: str) -> None:
    with pytest.raises(BadValue, match="is known in part only"):
        time_parser(None)(text)


@pytest.mark.parametrize(("text", "side"), [("a", "a"), ("B", "b"), ("n", None), ("neutral", None), ("", None)])
def test_home_is_a_side_or_absent(read: Read, text: str, side: str | None) -> None:
    (line,) = read(f"a,b,score,played,home\nann,bo,1,2024-03-02,{text}")
    assert line.event.data.get("home") == side


def test_another_home_is_refused(read: Read) -> None:
    (line,) = read("a,b,score,played,home\nann,bo,1,2024-03-02,Leeds")
    assert line.reason == "home must be a, b or neutral: 'Leeds'"


def test_a_number_of_a_player_written_as_a_fraction_is_the_same_player(read: Read) -> None:
    """A program writes 123.0 where a cell of the column is empty, and 123 elsewhere."""
    one, other = read("a,b,score,played\n123,124.0,1,2024-03-02\n123.0,12.5,1,2024-03-02\n")
    assert (one.event.a, one.event.b, other.event.a, other.event.b) == ("123", "124", "123", "12.5")


def test_a_date_is_no_name() -> None:
    """A spreadsheet made a date of the name Mar-5, and a player of that name was recorded."""
    rows = [{"played": date(2024, 3, 2), "a": date(2024, 3, 5), "b": "bo", "score": 1.0}]
    with open_engine(":memory:") as engine:
        report = engine.import_file(rows, "p")
    assert "the cell is a date, not a name" in report.refused[0][1]


def test_halves_are_points_and_a_comma_that_may_separate_thousands_is_none() -> None:
    points = points_parser("points_a", ".")
    assert (points("2\u00bd"), points("\u00bd")) == (2.5, 0.5)
    with pytest.raises(NotANumber, match="has a comma: leave it out if it separates thousands"):
        points("1,250")
