"""Formats of days and times: those of numbers, and which may be named at all."""

from datetime import UTC, datetime

import pytest

from ratingcore.errors import BadValue
from ratingcore.readers.date_forms import check_form, moment_by, number_form


@pytest.mark.parametrize(
    ("form", "text", "moment"),
    [  # of `date -u -d @1693300000`, and of the serials that spreadsheets show as these days
        ("unix", "1693300000", datetime(2023, 8, 29, 9, 6, 40, tzinfo=UTC)),
        ("%s", "1693300000.25", datetime(2023, 8, 29, 9, 6, 40, 250_000, tzinfo=UTC)),
        ("unix", "-86400", datetime(1969, 12, 31, tzinfo=UTC)),
        ("milliseconds", "1693300000250", datetime(2023, 8, 29, 9, 6, 40, 250_000, tzinfo=UTC)),
        ("microseconds", "1693300000000001", datetime(2023, 8, 29, 9, 6, 40, 1, tzinfo=UTC)),
        ("excel", "61", datetime(1900, 3, 1)),
        ("excel", "45353", datetime(2024, 3, 2)),
        ("excel", "45353,791666664", datetime(2024, 3, 2, 19)),
        ("%d.%m.%Y %H:%M", "02.03.2024 19:30", datetime(2024, 3, 2, 19, 30)),
    ],
)
def test_a_number_counts_from_1970_or_as_spreadsheets_do(form: str, text: str, moment: datetime) -> None:
    assert moment_by(form, text) == moment


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("unix", "0"),
        ("unix", "soon"),
        ("unix", "9" * 17),
        ("excel", "60"),
        ("excel", "9" * 9),
        ("%d.%m.%Y", "31.02.2024"),
    ],
)
def test_what_is_no_time_of_a_form_is_refused_with_the_form(form: str, text: str) -> None:
    with pytest.raises(BadValue, match=f"is not a time of the form {form}: '{text}'"):
        moment_by(form, text)


def test_the_form_of_a_number_follows_from_its_digits() -> None:
    texts = ["45353", "978307200", "1693300000", "1.6933e+12", "1693300000000000", "20240302", "1.6933E+12", "01234"]
    assert [number_form(text) for text in texts] == [
        "excel", "unix", "unix", "milliseconds", "microseconds", "", "", "",
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["epoch", "%d/%m", "%Q", "%H:%M", "", "dd.mm.yyyy"])
def test_a_form_without_a_whole_day_is_none(form: str) -> None:
    """Days of `%d/%m` were all of the year 1900."""
    with pytest.raises(BadValue, match="must be a format of whole days"):
        check_form(form)
    assert [check_form(one) for one in ("%d/%m/%Y", "%j %Y", "%Y-%m-%dT%H:%M:%S%z", "%s", "excel")]
