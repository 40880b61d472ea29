"""Times of day without an offset in tables: of the zone that is said, else of the pool's; else refused once."""

import io
from datetime import datetime
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]  # no types
import pytest
from attrs import evolve

import ratingcore as rc
from ratingcore.cli import words
from ratingcore.errors import DeclaredMeanwhile, NoOffset
from ratingcore.events import instant
from ratingcore.events.times import Unzoned
from ratingcore.importer.local_times import LocalTimes
from ratingcore.importer.row_import import BATCH

HEADER = "played,a,b,score\n"
FILE = HEADER + "2024-03-01,ann,bo,1-0\n2024-03-02T19:00,ann,bo,1-0\n2024-07-02 19:00,bo,cy,1/2\n"
UTC = [instant(text) for text in ("2024-03-01", "2024-03-02T19:00Z", "2024-07-02T19:00Z")]
PRAGUE = [instant(text) for text in ("2024-03-01", "2024-03-02T18:00Z", "2024-07-02T17:00Z")]


def table(text: str = FILE) -> io.BytesIO:
    file = io.BytesIO(text.encode())
    file.name = "games.csv"
    return file


def played(engine: rc.Engine) -> list[int | None]:
    return [row.played for row in engine.log.rows() if row.kind == "game"]


@pytest.mark.parametrize("options", [{}, {"strict": True}, {"dry_run": True}, {"reissue": True}])
def test_a_table_is_refused_once_and_nothing_of_it_is_taken(options: dict[str, bool]) -> None:
    with rc.open(":memory:") as engine:
        with pytest.raises(NoOffset, match=r"2024-03-02T19:00:00 of games\.csv, line 3") as raised:
            engine.import_file(table(), pool="club", **options)  # type: ignore[arg-type]  # options
        assert "UTC for one that was imported before" in raised.value.hint
        assert "ratingcore declare LOG --pool club --zone ZONE" in words.hint(raised.value)
        assert engine.log.head.position == 0


def test_the_zone_of_the_pool_is_that_of_its_files() -> None:
    with rc.open(":memory:") as engine:
        engine.declare("club", zone="Europe/Prague")
        assert engine.import_file(table(), pool="club").accepted == 3
        assert played(engine) == PRAGUE
        for options in ({}, {"zone": "Europe/Prague"}, {"reissue": True}):
            again = engine.import_file(table(), pool="club", **options)  # type: ignore[arg-type]  # options
            assert (again.accepted, again.duplicates) == (0, 3)
        rows = [
            {"played": "2024-03-02T19:00", "a": "ann", "b": "bo", "score": 1.0, "pool": pool} for pool in ("club", "x")
        ]
        with pytest.raises(NoOffset, match="line 2"):
            engine.import_file(rows)


def test_a_file_that_was_read_as_utc_gives_the_same_rows_with_zone_utc_and_never_comes_twice() -> None:
    with rc.open(":memory:") as engine:
        engine.import_file(table(), pool="club", zone="UTC")  # what earlier versions did without a zone
        assert played(engine) == UTC
        head = engine.log.head
        with pytest.raises(NoOffset):
            engine.import_file(table(), pool="club")
        assert engine.import_file(table(), pool="club", zone="UTC").duplicates == 3
        assert engine.log.head == head
        engine.declare("club", zone="Europe/Prague")
        with pytest.raises(NoOffset, match=r"games\.csv, line 3") as raised:
            engine.import_file(table(), pool="club")
        assert "pool club has times from before its zone was Europe/Prague, declared at position 4" in raised.value.hint
        assert engine.import_file(table(), pool="club", zone="UTC").duplicates == 3
        new = HEADER + "2024-08-02T19:00,cy,di,1\n"
        assert engine.import_file(table(new), pool="club", zone="Europe/Prague").accepted == 1
        assert played(engine)[-1] == instant("2024-08-02T17:00Z")


def test_a_file_that_was_read_in_another_zone_never_comes_twice() -> None:
    with rc.open(":memory:") as engine:
        engine.declare("club", zone="Europe/Prague")
        engine.import_file(table(), pool="club")
        for zone in ("America/New_York", "UTC"):
            engine.declare("club", zone=zone)
            with pytest.raises(NoOffset) as raised:
                engine.import_file(table(), pool="club")
            assert f"times from before its zone was {zone}" in raised.value.hint
            assert engine.import_file(table(), pool="club", zone="Europe/Prague").duplicates == 3
        assert played(engine) == PRAGUE


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_time_behind_rows_that_may_be_taken_refuses_its_row_so_that_all_are_counted(dry_run: bool) -> None:
    days = "".join(f"2024-03-01,ann,player {n},1-0\n" for n in range(BATCH))
    late = "2024-03-02T19:00,ann,bo,1-0\n2024-03-03,ann,cy,1-0\n2024-03-04 20:00,ann,cy,1-0\n"
    with rc.open(":memory:") as engine:
        report = engine.import_file(table(HEADER + days + late), pool="club", dry_run=dry_run)
        assert report.adds_up
        assert (report.accepted, [line for line, _, _ in report.refused]) == (BATCH + 1, [BATCH + 2, BATCH + 4])
        assert "a time without an offset, and its zone is unknown" in report.refused[0][1]
        assert report.refused[0][1].endswith(": '2024-03-02T19:00:00'")  # so that rows alike are reported once
        assert engine.log.head.position == (0 if dry_run else BATCH + 1)
        for options in ({"strict": True}, {"reissue": True}):
            with pytest.raises(rc.RatingCoreError):
                engine.import_file(table(HEADER + days + late), pool="other", **options)  # type: ignore[arg-type]  # options
        assert engine.log.head.position == (0 if dry_run else BATCH + 1)


def test_days_from_before_the_zone_leave_no_doubt() -> None:
    with rc.open(":memory:") as engine:
        engine.import_file(table(HEADER + "2024-03-01,ann,bo,1-0\n"), pool="club")
        engine.declare("club", zone="Europe/Prague")
        report = engine.import_file(table(), pool="club")
        assert (report.accepted, report.duplicates) == (2, 1)
        assert played(engine) == PRAGUE


def test_a_zone_of_utc_is_as_good_as_saying_it() -> None:
    with rc.open(":memory:") as engine:
        engine.import_file(table(), pool="club", zone="UTC")
        engine.declare("club", zone="UTC")
        assert engine.import_file(table(), pool="club").duplicates == 3


def test_seeds_and_descriptions_of_a_table_need_a_zone_too(tmp_path: Path) -> None:
    file = tmp_path / "seeds.csv"
    file.write_text("player,rating\nann,1650\n")
    with rc.open(":memory:") as engine:
        with pytest.raises(NoOffset, match=r"2024-03-02T19:00:00 of .*seeds\.csv, line 2"):
            engine.import_seeds(file, pool="club", at="2024-03-02T19:00")
        engine.declare("club", zone="Europe/Prague")
        engine.import_seeds(file, pool="club", at="2024-03-02T19:00")
        assert [row.played for row in engine.log.rows() if row.kind == "seed"] == PRAGUE[1:2]


def test_columns_of_a_large_table_need_a_zone_for_times(tmp_path: Path) -> None:
    local = [datetime(2024, 3, 1), datetime(2024, 3, 2, 19), datetime(2024, 7, 2, 19)]  # without a zone
    columns = {"played": local, "a": ["ann"] * 3, "b": ["bo"] * 3, "score": [1.0] * 3}
    zoned = pa.table({**columns, "played": pa.array(local, pa.timestamp("us", "UTC"))})
    with rc.open(tmp_path / "club.db") as engine:
        with pytest.raises(NoOffset, match="2024-03-02T19:00:00 of table, line 2"):
            engine.import_file(pa.table(columns), "club")
        engine.import_file(pa.table(columns), "club", zone="Europe/Prague")
        assert played(engine) == PRAGUE
        engine.import_file(zoned, "utc", name="zoned")
        assert played(engine)[3:] == UTC
        assert engine.import_file(pa.table(columns), pool="utc", zone="UTC").duplicates == 3


PGN = """[Event "x"]
[UTCDate "2024.01.01"]
[UTCTime "00:00:00"]
[White "ann"]
[Black "bo"]
[Result "1-0"]

1-0

"""


def test_midnight_utc_of_a_file_is_a_time_and_comes_in_once(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        engine.declare("club", zone="America/New_York")
        midnight = HEADER + "2023-12-31T19:00-05:00,ann,bo,1-0\n2023-12-31T19:00,cy,di,1-0\n2024-01-01,cy,di,1-0\n"
        assert engine.import_file(table(midnight), pool="club").accepted == 3
        assert played(engine) == [instant("2024-01-01") + 1, instant("2024-01-01") + 1, instant("2024-01-01")]
        for options in ({}, {"reissue": True}, {"amend": True}):
            again = engine.import_file(table(midnight), pool="club", **options)  # type: ignore[arg-type]  # options
            assert (again.accepted, again.duplicates) == (0, 3)
        assert [row["games"] for row in engine.rating_list("club", "elo", through="2023-12-31")] == [1, 1, 1, 1]
        file = tmp_path / "games.pgn"
        file.write_text(PGN)
        for accepted in (1, 0):
            assert engine.import_file(file, pool="club").accepted == accepted


def test_a_time_at_midnight_that_is_kept_as_a_day_among_times_is_named() -> None:
    """1704499200 is 2024-01-06T00:00:00Z: a pool without a zone kept it as that day, without a word."""
    rows = "played,a,b,score\n1704499200,ann,bo,1\n1704502800,bo,cy,1\n"
    told = (
        "times at midnight UTC are kept as days, since the pool had no zone before its first result: line 2: 2024-01-06"
    )
    with rc.open(":memory:") as engine:
        assert told in engine.import_file(table(rows), pool="club").warnings
        assert told in engine.import_file(table(rows + ",,,\n2024-03,x,y,1\n"), pool="club").warnings  # row by row
        assert engine.import_file(table(rows), pool="club").duplicates == 2
    with rc.open(":memory:") as engine:
        engine.declare("club", zone="Europe/Prague")
        assert told not in engine.import_file(table(rows), pool="club").warnings
        assert played(engine) == [1_704_499_200_000_001, 1_704_502_800_000_000]
    with rc.open(":memory:") as engine:
        days = "played,a,b,score\n2024-01-06T00:00:00Z,ann,bo,1\n2024-01-07,bo,cy,1\n"
        assert not engine.import_file(table(days), pool="club").warnings


def test_sessions_with_times_from_before_the_zone_leave_doubt() -> None:
    """As games do: nobody knows in which zone they were read."""
    with rc.open(":memory:") as engine:
        sides = [rc.Side(["ann"], 1.0), rc.Side(["bo"], 0.0)]
        engine.record(rc.SessionPlayed(pool="club", played="2024-03-02T19:00Z", sides=sides))
        engine.declare("club", zone="Europe/Prague")
        with pytest.raises(NoOffset, match=r"19:00:00 of games\.csv, line 3") as raised:
            engine.import_file(table(), pool="club")
        assert "has times from before its zone was Europe/Prague, declared at position 2" in raised.value.hint


def test_what_others_declared_between_two_appends_is_not_passed_over() -> None:
    with rc.open(":memory:") as engine:
        engine.declare("club", zone="Europe/Prague")
        times = LocalTimes(engine.log, "games.csv", 1)
        game = rc.GamePlayed(pool="club", played=times.settled("club", Unzoned(UTC[1])), a="ann", b="bo", score=1.0)
        assert game.played == PRAGUE[1]
        times.wrote(engine.log.append([game]))  # nobody else did
        times.check_unchanged([game], engine.log.head)
        engine.declare("club", zone="Europe/London")
        times.wrote(engine.log.append([evolve(game, uid="second")]))
        with pytest.raises(DeclaredMeanwhile, match=r"at position 3, while games\.csv"):
            times.check_unchanged([game], engine.log.head)
