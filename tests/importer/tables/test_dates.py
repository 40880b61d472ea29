"""Which texts are times."""

import pytest

from ratingcore.errors import BadValue
from ratingcore.events import iso
from ratingcore.importer.tables.cells import time_parser


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
    with pytest.raises(BadValue, match=r"not a time of the form %d\.%m\.%Y: '2024-03-02'"):
        read("2024-03-02")


@pytest.mark.parametrize("text", ["0000-01-01", "2024-02-30", "02.03.2024", "2024/03.02", "yesterday", "", "2024"])
def test_nonsense_is_refused_with_the_value(text: str) -> None:
    with pytest.raises(BadValue, match=r"played is not an ISO date or time between years 1 and 9999") as caught:
        time_parser(None)(text)
    assert str(caught.value).endswith(repr(text))


@pytest.mark.parametrize("text", ["2001.??.??", "????.??.??", "2001-05-??"])
def test_a_day_that_is_not_known_is_refused_for_that(text: str) -> None:
    with pytest.raises(BadValue, match="is known in part only"):
        time_parser(None)(text)
