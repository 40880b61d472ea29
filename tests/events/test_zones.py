"""Clocks of zones, held against the local times that Python gives, a moment at a time."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingcore.errors import UnknownZone
from ratingcore.events import DAY, Clock, clock, exact, instant, iso, moment, timed
from ratingcore.events.times import MICROSECOND, SECOND
from ratingcore.events.zones import ZoneClock, zone_name

ZONES = (
    "Europe/Prague",
    "America/New_York",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "America/Sao_Paulo",
    "Etc/GMT-14",
)
HOUR = 3600 * SECOND
zones = st.sampled_from(ZONES)
seconds = st.integers(instant("1960-01-01") // SECOND, instant("2040-01-01") // SECOND).map(lambda at: at * SECOND)


def local(at: int, zone: str) -> datetime:
    """The local time of an instant, as Python has it."""
    return moment(at).astimezone(ZoneInfo(zone))


def face(when: datetime) -> int:
    """What stands on a clock, as microseconds since 1970."""
    return (when.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // MICROSECOND


def of(zone: str) -> ZoneClock:
    made = clock(zone)
    assert isinstance(made, ZoneClock)
    return made


@settings(deadline=None)  # years are looked up once
@given(zones, seconds)
def test_a_clock_shows_the_local_time_and_in_the_hour_that_comes_twice_its_day(zone: str, at: int) -> None:
    shown, true = of(zone).shown(at), local(at, zone)
    twice = true.replace(fold=0).utcoffset() != true.replace(fold=1).utcoffset()
    if not twice:
        assert shown == face(true)
    assert shown // DAY == face(true) // DAY
    assert of(zone).instant(shown) == at


@settings(deadline=None)  # years are looked up once
@given(zones, seconds, st.integers(1, 3 * DAY))
def test_what_is_later_is_never_earlier_on_the_clock(zone: str, at: int, later: int) -> None:
    assert of(zone).shown(at) <= of(zone).shown(at + later)


@pytest.mark.parametrize(("day", "hours"), [("2024-03-31", 23), ("2024-10-27", 25), ("2024-06-01", 24)])
def test_a_day_has_as_many_hours_as_the_zone_gives_it(day: str, hours: int) -> None:
    prague = of("Europe/Prague")
    start = (
        datetime.fromisoformat(day).replace(tzinfo=ZoneInfo("Europe/Prague")) - datetime(1970, 1, 1, tzinfo=UTC)
    ) // (timedelta(microseconds=1))
    assert prague.shown(start) == instant(day)
    assert prague.shown(start + hours * HOUR) == instant(day) + DAY
    assert prague.shown(start + hours * HOUR - 1) // DAY == instant(day) // DAY


def test_midnight_utc_is_the_day_it_stands_for() -> None:
    west = of("America/New_York")
    assert west.of_result(instant("2024-01-01")) == instant("2024-01-01")
    assert iso(west.of_result(instant("2024-01-01T00:00:00.000001Z")))[:10] == "2023-12-31"


@settings(deadline=None)  # years are looked up once
@given(zones, seconds)
def test_what_is_stored_for_a_time_is_shown_as_that_time(zone: str, at: int) -> None:
    shown = of(zone).shown(at)
    assert 0 <= of(zone).of_result(of(zone).stored(shown)) - shown <= 1
    assert of(zone).stored(instant("2024-01-01")) == instant("2024-01-01")


def test_a_cut_is_read_in_the_zone_unless_it_has_an_offset() -> None:
    prague = of("Europe/Prague")
    for text in ("2024-01-01T00:30", "2023-12-31T23:30Z", "2024-01-01T00:30+01:00"):
        assert exact(prague.cut(timed(text))) == "2024-01-01T00:30:00Z"
    assert prague.cut(timed("2024-01-01")) == timed("2024-01-01")
    first, second = (prague.cut(timed(f"2024-10-27T02:30{offset}")) for offset in ("+02:00", "+01:00"))
    assert prague.cut(timed("2024-10-27T02:30")) == first < second  # the first of two, as PEP 495 has it
    assert prague.cut(timed("2024-03-31T02:30")) == prague.shown(instant("2024-03-31T02:30+01:00"))


@settings(deadline=None)  # years are looked up once
@given(zones, seconds)
def test_a_text_of_a_clock_is_read_as_the_same(zone: str, at: int) -> None:
    shown = of(zone).shown(at)
    assert of(zone).cut(timed(of(zone).exact(shown))) == shown
    assert of(zone).iso(instant("2024-01-01")) == of(zone).day(timed("2024-01-01")) == "2024-01-01"


def test_the_clock_of_utc_shows_what_it_is_given() -> None:
    utc, at = clock(""), instant("2024-01-01T12:00")
    assert clock("UTC") is utc
    assert type(utc) is Clock
    assert utc.shown(at) == utc.of_result(at) == utc.stored(at) == utc.cut(timed("2024-01-01T12:00")) == at
    assert (utc.iso(at), utc.exact(at), utc.day(at)) == (iso(at), exact(at), iso(at))


def test_years_at_the_ends_of_time_are_shown() -> None:
    for text in ("0001-01-01T00:30Z", "9999-12-31T23:30Z"):
        for zone in ZONES:
            assert of(zone).iso(of(zone).shown(instant(text)))[:4] == text[:4]


def test_a_zone_that_is_not_there_is_named_with_those_near() -> None:
    assert (zone_name("Europe/Prague"), zone_name("")) == ("Europe/Prague", "")
    with pytest.raises(UnknownZone, match="no time zone is named: 'Europe/Prag'") as raised:
        zone_name("Europe/Prag")
    assert raised.value.hint.startswith("did you mean Europe/Prague")
    for machine in ("localtime", "Factory"):
        with pytest.raises(UnknownZone):
            zone_name(machine)
    with pytest.raises(UnknownZone) as raised:
        clock("../etc/passwd")
    assert "tz database" in raised.value.hint
