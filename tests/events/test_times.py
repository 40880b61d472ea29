"""Times: one instant for every spelling, over all the years a date can have."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingcore.errors import BadValue
from ratingcore.events import DAY, instant, iso, last_instant, moment
from ratingcore.events.times import FIRST, LAST
from tests.events.strategies import pinned


@pinned
@given(st.integers(FIRST, LAST))
def test_an_instant_survives_its_iso_text(at: int) -> None:
    assert instant(iso(at)) == at


@pinned
@given(st.integers(FIRST, LAST))
def test_an_instant_survives_its_datetime(at: int) -> None:
    assert instant(moment(at)) == at
    assert moment(at).tzinfo is UTC


@pinned
@given(st.dates())
def test_a_day_begins_at_its_midnight_and_ends_before_the_next(day: date) -> None:
    assert instant(day) == instant(day.isoformat()) == instant(datetime(day.year, day.month, day.day))
    assert last_instant(day) == last_instant(day.isoformat()) == instant(day) + DAY - 1
    assert iso(instant(day)) == day.isoformat()


@pinned
@given(st.datetimes(), st.integers(-1439, 1439))
def test_a_zone_is_part_of_the_time(naive: datetime, minutes: int) -> None:
    zoned = naive.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    at = instant(naive) - minutes * 60_000_000
    if FIRST <= at <= LAST:
        assert instant(zoned) == instant(zoned.isoformat()) == at
    else:
        for when in (zoned, zoned.isoformat()):
            with pytest.raises(BadValue, match="between years 1 and 9999"):
                instant(when)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("1970-01-01", 0),
        ("1969-12-31", -DAY),
        ("1969-12-31T23:59:59.999999Z", -1),
        ("0001-01-01", FIRST),
        ("0001-01-01T00:00:00.000001", FIRST + 1),
        ("9999-12-31T23:59:59.999999Z", LAST),
        (" 2024-03-02 ", 1_709_337_600_000_000),
        ("2024-03-02T10:30", 1_709_375_400_000_000),
        ("2024-03-02 10:30:00", 1_709_375_400_000_000),
        ("2024-03-02T12:30:00+02:00", 1_709_375_400_000_000),
    ],
)
def test_iso_text_is_read_as_utc_unless_it_says_otherwise(text: str, at: int) -> None:
    assert instant(text) == at


def test_the_first_and_the_last_instant_are_spelt_out() -> None:
    assert iso(FIRST) == "0001-01-01"
    assert iso(LAST) == "9999-12-31T23:59:59.999999Z"
    assert last_instant("9999-12-31") == LAST


@pytest.mark.parametrize(
    ("when", "last"),
    [
        ("2024-03-02T10:00", "2024-03-02T10:00"),
        (datetime(2024, 3, 2), "2024-03-02T00:00"),
        (date(2024, 3, 2), "2024-03-02T23:59:59.999999"),
        (-5, -5),
    ],
)
def test_only_a_whole_day_lasts(when: object, last: object) -> None:
    assert last_instant(when) == instant(last)  # type: ignore[arg-type]  # times of every kind


@pytest.mark.parametrize(
    "when",
    [
        *("", "yesterday", "2024-02-30", "2024-3-2", "02.03.2024", "2024-03-02T25:00", "\ud800", "10000-01-01"),
        *("2024030219", "202403021", "202403021190000"),  # Python 3.11 drops digits of the first and the last
        *("0001-01-01T00:00+01:00", "9999-12-31T23:59-01:00", b"2024-03-02", ("2024-03-02",)),
        *(FIRST - 1, LAST + 1, 10**400, True, None, 1.5, float("nan")),
    ],
)
def test_what_is_no_time_is_refused_with_its_value(when: object) -> None:
    with pytest.raises(BadValue, match="must be an ISO date or time") as caught:
        instant(when)  # type: ignore[arg-type]  # not a time on purpose
    assert caught.value.value is when
    with pytest.raises(BadValue):
        last_instant(when)  # type: ignore[arg-type]  # not a time on purpose
