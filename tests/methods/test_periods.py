"""Periods: half-open spans that cover the time between two days without gaps."""

from typing import Any

import numpy as np
import pytest

from ratingcore.errors import BadParameter, BadValue
from ratingcore.events import DAY, instant, iso
from ratingcore.methods.periods import Period

TEXTS = ["month", "quarter", "half-year", "year", "months(5)", "days(1)", "days(7)", "days(10)"]


def edges(text: str, first: str, last: str) -> list[str]:
    return [iso(int(edge)) for edge in Period.parse(text).edges(instant(first), instant(last))]


@pytest.mark.parametrize("text", [*TEXTS, "event", "cuts(2020-01-01;2020-07-01)"])
def test_a_period_is_read_back_from_its_text(text: str) -> None:
    assert str(Period.parse(text)) == text
    assert Period.parse(str(Period.parse(text))) == Period.parse(text)


def test_a_text_is_no_unit() -> None:
    """`Period("month")` was a period that never ended, and no list by it rated anything."""
    with pytest.raises(BadParameter, match="unit"):
        Period("month")  # type: ignore[arg-type]  # what is refused


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("months", 0), "count must be a whole number from 1 to"),
        (("days", 2.5), "count must be a whole number from 1 to"),
        (("event", 2), "count must be a whole number from 1 to 1 where unit=event"),
        (("cuts",), "cuts must be given if unit=cuts"),
        (("months", 1, (0,)), "cuts must be given if unit=cuts"),
    ],
)
def test_a_period_out_of_range_is_refused_by_parameter(given: Any, why: str) -> None:
    """Half a month and periods of no days were periods."""
    with pytest.raises(BadValue, match=why):
        Period(*given)


def test_one_thing_has_one_text() -> None:
    assert Period.parse("months(3)") == Period.parse("quarter")
    assert str(Period.parse("months(12)")) == "year"
    assert str(Period.parse("cuts(2020-07-01;2020-01-01)")) == "cuts(2020-01-01;2020-07-01)"


@pytest.mark.parametrize(
    "text", ["", "week", "days", "days()", "days(0)", "days(-1)", "days(x)", "month(2)", "event(3)", "cuts", "cuts()"]
)
def test_a_text_that_names_no_period_is_refused(text: str) -> None:
    with pytest.raises(BadValue, match="period must be one of month, quarter"):
        Period.parse(text)


def test_a_cut_that_is_no_day_is_refused() -> None:
    with pytest.raises(BadValue):
        Period.parse("cuts(2020-13-01)")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("month", ["2024-01-01", "2024-02-01", "2024-03-01"]),
        ("quarter", ["2024-01-01", "2024-04-01"]),
        ("half-year", ["2024-01-01", "2024-07-01"]),
        ("year", ["2024-01-01", "2025-01-01"]),
        ("days(7)", ["2024-01-29", "2024-02-05", "2024-02-12", "2024-02-19", "2024-02-26", "2024-03-04"]),
        ("cuts(2020-01-01;2024-02-10;2030-01-01)", ["2020-01-01", "2024-02-10"]),
    ],
)
def test_edges_of_a_stretch_of_time(text: str, found: list[str]) -> None:
    """2024-01-31 to 2024-02-29; weeks begin on Mondays."""
    assert edges(text, "2024-01-31", "2024-02-29")[: len(found)] == found
    if not text.startswith("cuts"):
        assert len(edges(text, "2024-01-31", "2024-02-29")) == len(found)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    ("first", "last"), [("1969-07-20", "1970-02-01"), ("2024-02-29", "2024-02-29"), ("2023-12-31", "2024-03-01")]
)
def test_every_moment_is_in_exactly_one_period(text: str, first: str, last: str) -> None:
    found = Period.parse(text).edges(instant(first), instant(last))
    assert (np.diff(found) > 0).all()
    assert found[0] <= instant(first) < found[1]
    assert found[-2] <= instant(last) < found[-1]


def test_a_moment_on_an_edge_begins_the_new_period() -> None:
    march = instant("2024-03-01")
    assert Period.parse("month").edges(march, march).tolist() == [march, instant("2024-04-01")]
    assert Period.parse("month").edges(march - 1, march - 1).tolist() == [instant("2024-02-01"), march]


def test_cuts_are_open_at_both_ends() -> None:
    cuts = Period.parse("cuts(2024-01-01)")
    assert len(cuts.edges(instant("2023-01-01"), instant("2025-01-01"))) == 3
    after = cuts.edges(instant("2024-06-01"), instant("2025-01-01"))
    assert len(after) == 2
    assert after[-1] > instant("2025-01-01")


def test_the_edges_do_not_depend_on_what_was_played_first() -> None:
    """A list cut on any day sees the same periods."""
    for text in TEXTS:
        period, first, last = Period.parse(text), instant("2020-01-01"), instant("2024-05-05")
        later = period.edges(first + 500 * DAY, last)
        assert later.tolist() == period.edges(first, last)[-len(later) :].tolist()


@pytest.mark.parametrize("text", [*TEXTS, "cuts(2020-01-01;2020-07-01)"])
def test_periods_are_numbered_without_gaps(text: str) -> None:
    period = Period.parse(text)
    ends = period.edges(instant("2019-11-05"), instant("2021-02-03"))
    starts = ends[:-1].tolist()
    numbers = [period.number(start) for start in starts]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert [period.number(int(end) - 1) for end in ends[1:]] == numbers


def test_tournaments_have_no_numbers() -> None:
    with pytest.raises(ValueError, match="tournaments cannot be numbered by their time"):
        Period.parse("event").number(0)
