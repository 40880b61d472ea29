"""What new events may say, at every door: what an older log holds stays readable and in use."""

import unicodedata
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

import pytest
from attrs import evolve

from ratingcore import (
    Engine,
    GamePlayed,
    PeriodClosed,
    PlayerDescribed,
    PlayersMerged,
    RatingSeeded,
    ResultAmended,
    SessionPlayed,
    Side,
    SqliteLog,
)
from ratingcore.errors import BadValue
from ratingcore.events import Event, bounds, iso
from ratingcore.events.times import FIRST, LAST, When
from ratingcore.log import append

LONG, TURNED, HIDDEN = "x" * 201, "ann\u202e", "an\u200bn"


def game(
    uid: str = "g-1", pool: str = "rapid", a: str = "ann", b: str = "bo", played: When = "2024-03-02"
) -> GamePlayed:
    return GamePlayed(uid=uid, pool=pool, played=played, a=a, b=b, score=1.0)


MAKERS: dict[str, Callable[[str], Event]] = {
    "player": lambda name: game(a=name),
    "pool": lambda name: game(pool=name),
    "uid": lambda name: game(uid=name),
    "member": lambda name: SessionPlayed(pool="p", played="2024-03-02", sides=[Side([name], 1.0), Side(["bo"], 0.0)]),
    "merge": lambda name: PlayersMerged(keep="ann", other=name),
}


@pytest.mark.parametrize("name", [" ann", "ann ", "\u00a0ann", " \t", "  ", "\u3000"])
@pytest.mark.parametrize("what", [*MAKERS, "tournament", "field", "amended", "called"])
def test_a_new_name_has_no_white_space_at_its_ends(what: str, name: str) -> None:
    """A tournament of two spaces was one, and `ann` and `ann ` were two players."""
    engine = Engine(SqliteLog(":memory:"))
    engine.record(game("g-1"))
    makers: dict[str, Callable[[str], Event]] = MAKERS | {
        "tournament": lambda name: evolve(game("g-2"), data={"event": name}),
        "field": lambda name: evolve(game("g-2"), data={name: "Open"}),
        "amended": lambda name: ResultAmended(of="g-1", changes={"event": name}),
        "called": lambda name: PlayerDescribed(pool="rapid", played=0, player="ann", called=name),
    }
    with pytest.raises(BadValue, match=r"begins or ends with white space|must be a name|control character"):
        engine.record(makers[what](name))
    assert engine.log.head.position == 1


def test_cells_of_a_table_have_none(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    rows = ("pool,a,b,score,played,event", '"  ",ann,bo,1,2024-03-02,"  "', ' rapid , ann ,"bo ",1,2024-03-02, Open ')
    file.write_text("\n".join(rows))
    engine = Engine(SqliteLog(":memory:"))
    report = engine.import_file(file, "club", {"pool": "pool"})
    assert (report.accepted, engine.pools()) == (2, ["club", "rapid"])
    assert sorted(engine.log.book.keys_of("player")) == ["ann", "bo"]
    assert [event.data for _, event in engine.events()] == [{}, {"event": "Open"}]


@pytest.mark.parametrize("name", [LONG, TURNED, HIDDEN])
@pytest.mark.parametrize("what", MAKERS)
def test_a_new_name_that_nobody_can_read_is_refused(what: str, name: str) -> None:
    engine = Engine(SqliteLog(":memory:"))
    with pytest.raises(BadValue, match=r"has 201 characters|turns the direction|invisible"):
        engine.record(MAKERS[what](name))
    assert engine.log.head.position == 0
    assert engine.log.book.names() == []
    with pytest.raises(BadValue):
        engine.what_if([MAKERS[what](name)])


def test_a_list_has_a_name_that_people_can_read() -> None:
    engine = Engine(SqliteLog(":memory:"))
    engine.record(game())
    with pytest.raises(BadValue, match="name has 201 characters, more than 200"):
        engine.publish(engine.rating_list("rapid", "elo"), name=LONG)


def test_sources_and_notes_are_bounded() -> None:
    engine = Engine(SqliteLog(":memory:"))
    with pytest.raises(BadValue, match="source holds a mark that turns the direction of writing"):
        engine.record(game(), source=TURNED)
    engine.record(game())
    with pytest.raises(BadValue, match=r"note has 10001 characters, more than 10000"):
        engine.void("g-1", why="x" * 10_001)


@pytest.fixture
def old_log(monkeypatch: pytest.MonkeyPatch) -> Engine:
    """A log from before names were bounded."""
    engine = Engine(SqliteLog(":memory:"))
    with monkeypatch.context() as before:
        before.setattr(bounds, "flaw", lambda text, longest: "")
        before.setattr(bounds, "_spaced", lambda text: "")
        before.setattr(append, "are_spaced", lambda events: False)
        engine.record(
            game("g-1", a=TURNED), game("g-2", pool="rapid", a=LONG), game("g\u200b3"), game(" g-5", a="  di ")
        )
    return engine


def test_what_an_older_log_holds_stays_readable_and_in_use(old_log: Engine) -> None:
    assert old_log.verify().head == old_log.log.head
    assert {TURNED, LONG, "  di "} <= set(old_log.rating_list("rapid", "elo").player)
    old_log.record(game("g-4", a=TURNED))
    old_log.void("g\u200b3")
    old_log.merge("ann", TURNED)
    assert TURNED not in old_log.rating_list("rapid", "elo").player


def test_an_older_log_takes_its_events_again_as_duplicates(old_log: Engine) -> None:
    assert old_log.record(game("g-1", a=TURNED), game("g\u200b3"), game(" g-5", a="  di ")).duplicates == 3


def test_files_are_read_with_the_same_bounds(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    rows = [f"{name},bo,1-0,2024-03-02" for name in (LONG, TURNED, HIDDEN, "ann")]
    file.write_text("\n".join(["a,b,score,played", *rows, "ann,bo,1-0,0024-03-02"]), encoding="utf-8")
    engine = Engine(SqliteLog(":memory:"))
    report = engine.import_file(file, "rapid")
    assert (report.accepted, [line for line, _, _ in report.refused]) == (1, [2, 3, 4, 6])
    assert "lies outside the years 1400 to 2199: '0024-03-02'" in report.refused[-1][1]
    with pytest.raises(BadValue, match="pool has 201 characters"):
        engine.import_file(file, LONG)


def test_bounds_of_days_are_days() -> None:
    assert (iso(bounds.EARLIEST), iso(bounds.LATEST + 1)) == ("1400-01-01", "2200-01-01")
    with pytest.raises(BadValue, match="played lies outside"):
        bounds.check_played(bounds.EARLIEST - 1)


FAR = ("0001-03-02", "1399-12-31T23:59:59Z", "2200-01-01", "9999-12-31", datetime(9999, 1, 1), date(1, 1, 1), LAST)


@pytest.mark.parametrize("day", FAR)
def test_no_door_records_a_day_on_which_nobody_played(day: When) -> None:
    """A game of the year 9999 made glicko2 rate eight thousand empty years, and emptied lists by activity."""
    engine = Engine(SqliteLog(":memory:"))
    engine.record(game("g-1"))
    sides = [Side(["ann"], 1.0), Side(["bo"], 0.0)]
    for event in (
        game("g-2", played=day),
        SessionPlayed(pool="rapid", played=day, sides=sides),
        RatingSeeded(pool="rapid", played=day, player="ann", values={"rating": 1500.0}),
        PlayerDescribed(pool="rapid", played=day, player="ann", called="Ann"),
        PeriodClosed(pool="rapid", played=day),
        ResultAmended(of="g-1", changes={"played": day}),
    ):
        for door in (engine.record, engine.plan.record, lambda event: engine.what_if([event])):
            with pytest.raises(BadValue, match="played lies outside the years 1400 to 2199"):
                door(event)
    for correct in (engine.amend, engine.plan.amend):
        with pytest.raises(BadValue, match="played lies outside the years 1400 to 2199"):
            correct("g-1", {"played": day})
    assert engine.log.head.position == 1


def test_a_log_of_before_that_holds_such_days_opens_answers_and_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        before.setattr(bounds, "EARLIEST", FIRST)
        before.setattr(bounds, "LATEST", LAST)
        engine = Engine(SqliteLog(":memory:"))
        engine.record(game("far", played="9999-03-02"), game("old", played="0001-03-02"))
    copy = Engine(SqliteLog(":memory:"))
    copy.load(engine.export())
    for one in (engine, copy):
        assert one.record(game("far", played="9999-03-02")).duplicates == 1
        assert one.verify().head == engine.log.head
        assert [iso(event.played) for _, event in one.events() if isinstance(event, GamePlayed)] == [
            "9999-03-02", "0001-03-02"
        ]  # fmt: skip
    engine.amend("far", {"played": "2024-03-02"})
    engine.void("old")
    assert [row["games"] for row in engine.rating_list("rapid", "elo")] == [1, 1]


def test_composing_a_long_text_takes_no_time() -> None:
    marks = "a" + "\u0323\u0301" * 100_000
    with pytest.raises(BadValue, match="200001 characters"):
        Engine(SqliteLog(":memory:")).record(game(a=marks))
    assert unicodedata.normalize("NFC", "e\u0301") == game(a="e\u0301").a
