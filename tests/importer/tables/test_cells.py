"""Values of typed cells as texts."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest

from ratingcore.errors import BadValue
from ratingcore.events import instant
from ratingcore.events.times import Unzoned
from ratingcore.importer.tables.cells import number_parser, score, time_parser
from ratingcore.readers.sheets import Moment, Refused, Values


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
    assert Values(None).texts([1, [2]], ["a", "b"]) == Refused("b is no single value", "[2]")
    assert isinstance(Values(None).texts(["x" * (2**20 + 1)], ["a"]), Refused)


def test_a_day_that_is_one_needs_no_format() -> None:
    assert time_parser("%d.%m.%Y")(Moment("2024-03-02")) == instant("2024-03-02")
    with pytest.raises(BadValue, match="is not a time of the form"):
        time_parser("%d.%m.%Y")("2024-03-02")


def test_a_day_in_a_score_says_where_it_came_from() -> None:
    with pytest.raises(BadValue, match="the cell is a date: the spreadsheet turned 1/2 or 2-1 into it"):
        score(Moment("2024-02-01"), number_parser("."))
