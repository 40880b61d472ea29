"""A calendar of lists: which are due, what they are called, and that asking again publishes nothing."""

from datetime import UTC, date, datetime, timedelta

import pytest
from ratingcore_calendar.calendar import last_days, publish_calendar

import ratingcore as rc
from ratingcore.errors import AlreadyPublished, BadValue, UnclearName


def club(*days: str) -> rc.Engine:
    engine = rc.open(":memory:")
    for day in days or ("2024-01-20", "2024-02-10", "2024-04-02"):
        engine.record(rc.GamePlayed(pool="p", played=day, a="ann", b="bo", score=1.0))
    return engine


@pytest.mark.parametrize(
    ("calendar", "since", "until", "days"),
    [
        ("monthly", "2023-12", "2024-03-01", ["2023-12-31", "2024-01-31", "2024-02-29"]),
        ("monthly", "2024-01-31", "2024-01-31", ["2024-01-31"]),
        ("quarterly", "2024-02-11", "2024-12-30", ["2024-03-31", "2024-06-30", "2024-09-30"]),
        ("half-yearly", "2024-07", "2025-12-31", ["2024-12-31", "2025-06-30", "2025-12-31"]),
        ("yearly", "2024-07", "2024-12-30", []),
    ],
)
def test_a_period_is_listed_on_its_last_day(calendar: str, since: str, until: str, days: list[str]) -> None:
    assert [day.isoformat() for day in last_days(calendar, since, date.fromisoformat(until))] == days


def test_lists_are_those_of_their_days_and_made_once() -> None:
    engine = club()
    made = publish_calendar(engine, "p", "monthly", "2024-01", "list %B %Y", "elo:k=24")
    assert [(one.name, one.new) for one in made][:2] == [("list January 2024", True), ("list February 2024", True)]
    assert len(made) == 4
    february = engine.published_list("list February 2024")
    assert list(february) == list(engine.rating_list("p", "elo:k=24", "2024-02-29"))
    head = engine.log.head
    again = publish_calendar(engine, "p", "monthly", "2024-01", "list %B %Y", "elo:k=24")
    assert engine.log.head == head
    assert again.as_table()["state"] == ("exists",) * 4
    assert [one.published for one in again] == [one.published for one in made]


def test_what_was_corrected_since_makes_no_second_list_of_a_name() -> None:
    engine = club()
    publish_calendar(engine, "p", "monthly", "2024-01")
    uid = engine.history("p", "ann")[0].uid
    assert uid is not None
    engine.void(uid)
    assert not any(one.new for one in publish_calendar(engine, "p", "monthly", "2024-01"))


def test_a_period_of_which_nothing_is_recorded_yet_is_not_due_and_nor_is_that_of_today() -> None:
    assert [one.name for one in publish_calendar(club(), "p", "monthly", "2024-03")] == ["2024-03", "2024-04"]
    today = datetime.now(UTC).date()
    engine = club((today - timedelta(40)).isoformat(), today.isoformat())
    made = publish_calendar(engine, "p", "monthly", today - timedelta(40))
    assert made
    assert all(one.day < today for one in made)
    assert not publish_calendar(engine, "p", "yearly", today)


def test_the_last_day_may_be_said() -> None:
    made = publish_calendar(club(), "p", "quarterly", "2024-01", until="2024-12-31")
    assert [one.day.isoformat() for one in made] == ["2024-03-31", "2024-06-30", "2024-09-30", "2024-12-31"]


def test_the_declared_method_and_policy_of_each_day_are_asked() -> None:
    engine = club()
    engine.declare("p", method="elo:k=10", starting="2024-01-01")
    engine.declare("p", method="elo:k=40", digits=0, starting="2024-02-01")
    january, february, *_ = publish_calendar(engine, "p", "monthly", "2024-01")
    assert january.published is not None
    assert february.published is not None
    assert january.published.method.startswith("elo@1(k=10.0")
    assert " then elo@1(k=40.0, " in february.published.method
    assert february.published.policy == "digits=0"


def test_a_trial_publishes_nothing() -> None:
    engine = club()
    head = engine.log.head
    made = publish_calendar(engine, "p", "monthly", "2024-01", dry_run=True)
    assert engine.log.head == head
    assert set(made.as_table()["state"]) == {"due"}


def test_what_cannot_be_a_calendar_is_refused_before_anything_is_published() -> None:
    engine = club()
    engine.publish(engine.rating_list("p", "elo", "2024-01-20"), "2024-02")
    head = engine.log.head
    with pytest.raises(AlreadyPublished):
        publish_calendar(engine, "p", "monthly", "2024-02")
    with pytest.raises(BadValue, match="gives two lists the same name"):
        publish_calendar(engine, "p", "monthly", "2024-03", "%Y")
    with pytest.raises(UnclearName):
        publish_calendar(engine, "p", "monthly", "2024-03", "%Y-%m-%d")
    with pytest.raises(BadValue, match="calendar must be one of monthly"):
        publish_calendar(engine, "p", "weekly", "2024-03")
    for since in ("March", "2024-13", 2024):
        with pytest.raises(BadValue, match="must be a month such as 2024-01, or a day"):
            publish_calendar(engine, "p", "monthly", since)  # type: ignore[arg-type]  # on purpose
    assert engine.log.head == head


def test_a_trial_for_a_slice_is_refused_as_its_lists_would_be() -> None:
    engine = rc.open(":memory:")
    engine.record(rc.GamePlayed(pool="rapid", played="2024-01-20", a="ann", b="bo", score=1.0, data={"hall": "A"}))
    with pytest.raises(BadValue, match="must be a whole pool or a declared board: declare the slice as a board first"):
        publish_calendar(engine, "rapid[hall=A]", "monthly", "2024-01", method="elo", dry_run=True)
