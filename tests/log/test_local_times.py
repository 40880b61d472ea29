"""Times of day without an offset: read in the zone of the pool by every store, or refused; loading never refuses."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import NoOffset, UnknownUid
from ratingcore.events import DAY, Event, instant
from ratingcore.log import load_lines
from ratingcore.log.local_times import localised
from ratingcore.log.lookup import corrections_of, row_of
from tests.log.conftest import Make

EVENING = "2024-03-02T19:00"


def game(uid: str, played: object, pool: str = "club") -> rc.GamePlayed:
    return rc.GamePlayed(uid=uid, pool=pool, played=played, a="ann", b="bo", score=1.0)  # type: ignore[arg-type]  # a time


def every(played: object) -> list[Event]:
    """An event of every kind that has a time."""
    return [
        game("g", played),
        rc.SessionPlayed(uid="s", pool="club", played=played, sides=[rc.Side("ann", 1.0), rc.Side("bo", 0.0)]),  # type: ignore[arg-type]  # a time
        rc.RatingSeeded(uid="r", pool="club", played=played, player="ann", values={"rating": 1500.0}),  # type: ignore[arg-type]  # a time
        rc.PlayerDescribed(uid="p", pool="club", played=played, player="ann", data={"born": 1980}),  # type: ignore[arg-type]  # a time
        rc.PeriodClosed(uid="c", pool="club", played=played),  # type: ignore[arg-type]  # a time
    ]


@pytest.mark.parametrize("played", [EVENING, datetime(2024, 3, 2, 19)])  # without a zone is what is tested
def test_a_time_without_an_offset_is_refused_where_the_pool_has_no_zone(make: Make, played: object) -> None:
    engine = Engine(make())
    for event in every(played):
        with pytest.raises(NoOffset, match=f"2024-03-02T19:00:00 of {event.uid} in pool club") as raised:
            engine.record(game("fine", "2024-03-01"), event)
        assert "2024-03-02T19:00:00+01:00, or declare the zone of the pool" in raised.value.hint
    assert engine.log.head.position == 0


def test_days_and_times_with_an_offset_need_no_zone(make: Make) -> None:
    engine = Engine(make())
    paris = timezone(timedelta(hours=1))
    texts = ("2024-03-02", "2024-03-02T00:00", f"{EVENING}Z", f"{EVENING}+01:00")
    moments = (instant("2024-03-02") + 5, datetime(2024, 3, 2, 19, tzinfo=paris), datetime(2024, 3, 2, 19, tzinfo=UTC))
    for n, played in enumerate((*texts, *moments)):
        engine.record(game(f"g{n}", played))
    assert [row.played for row in engine.log.rows()][:4] == [
        instant("2024-03-02"), instant("2024-03-02"), instant(f"{EVENING}Z"), instant("2024-03-02T18:00Z"),
    ]  # fmt: skip
    assert {type(row.played) for row in engine.log.rows()} == {int}


def test_a_time_without_an_offset_is_of_the_zone_of_the_pool(make: Make) -> None:
    engine = Engine(make())
    engine.record(rc.PoolDeclared(pool="club", zone="Europe/Prague"), *every(EVENING))  # declared in the same batch
    assert {row.played for row in engine.log.rows() if row.kind != "pool"} == {instant("2024-03-02T18:00Z")}
    engine.record(
        game("summer", "2024-07-02T19:00"), game("twice", "2024-10-27T02:30"), game("skipped", "2024-03-31T02:30")
    )
    assert [row_of(engine.log, uid).played for uid in ("summer", "twice", "skipped")] == [
        instant("2024-07-02T17:00Z"), instant("2024-10-27T00:30Z"), instant("2024-03-31T01:30Z"),
    ]  # fmt: skip
    assert engine.record(game("summer", "2024-07-02T19:00")).duplicates == 1
    engine.amend("summer", {"played": "2024-07-03T19:00"})
    assert corrections_of(engine.log).read(row_of(engine.log, "summer")).played == instant("2024-07-03T17:00Z")  # type: ignore[union-attr]  # it is there
    assert len(engine.impact([game("later", "2024-07-04T19:00")], method="elo")) == 2
    engine.declare("club", zone="UTC")
    engine.record(game("utc", EVENING))
    assert row_of(engine.log, "utc").played == instant(f"{EVENING}Z")
    other = Engine(make())
    load_lines(other.log, engine.export())
    assert other.log.head == engine.log.head


def test_midnight_utc_stays_a_time_where_the_pool_had_a_zone_from_the_beginning(make: Make) -> None:
    engine = Engine(make())
    midnight = instant("2024-01-01")
    engine.declare("club", zone="America/New_York")
    engine.record(game("given", "2023-12-31T19:00-05:00"), game("local", "2023-12-31T19:00"), game("day", "2024-01-01"))
    assert [row_of(engine.log, uid).played for uid in ("given", "local", "day")] == [
        midnight + 1,
        midnight + 1,
        midnight,
    ]
    assert [row["games"] for row in engine.rating_list("club", "elo", through="2023-12-31")] == [2, 2]
    assert engine.record(game("given", "2023-12-31T19:00-05:00")).duplicates == 1
    engine.declare("late", fits="elo")
    engine.record(game("before", "2023-12-31T19:00-05:00", "late"))
    engine.declare("late", zone="America/New_York")
    engine.record(game("after", "2024-01-01T19:00-05:00", "late"))
    assert engine.record(game("before", "2023-12-31T19:00-05:00", "late")).duplicates == 1
    assert [(row_of(engine.log, uid).played or 0) % DAY for uid in ("before", "after")] == [0, 0]


def test_an_amendment_of_itself_is_about_no_event(make: Make) -> None:
    engine = Engine(make())
    engine.declare("club", zone="Europe/Prague")
    loops = [("x", "x")], [("y", "z"), ("z", "y")], [("u", "nowhere")]
    for pairs in loops:
        with pytest.raises(UnknownUid):
            engine.record(*(rc.ResultAmended(uid=uid, of=of, changes={"played": EVENING}) for uid, of in pairs))
    assert engine.log.head.position == 1


def test_the_log_is_asked_for_the_zone_of_a_pool_once_a_batch(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each game of a batch was compared with all before it: four times the games took fifteen times as long."""
    engine = Engine(make())
    engine.declare("club", zone="Europe/Prague")
    log, asked = engine.log, []
    monkeypatch.setattr(type(log), "rows", _counted(type(log).rows, asked))
    events: list[Event] = [game(f"g{n}", f"2024-03-02T19:{n:02}") for n in range(60)]
    read = localised(log, events)
    assert {one.played for one in read} == {instant(f"2024-03-02T18:{n:02}Z") for n in range(60)}  # type: ignore[attr-defined]  # games
    assert len(asked) == 1


def _counted(ask: Any, asked: list[object]) -> Any:
    def rows(*args: Any) -> Any:
        asked.append(args)
        return ask(*args)

    return rows
