"""Tables that are filed under the days on which their results became known, in every store."""

import io
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ratingcore.engine import Engine, open_engine
from ratingcore.errors import BadCut, BadValue, ColumnNotFound, NotBackfilled, RowsRefused
from ratingcore.events import GamePlayed, exact, iso
from ratingcore.importer.report import ImportReport
from ratingcore.lists.rating_list import RatingList
from ratingcore.log import export_lines, load_lines
from ratingcore.log.append import backfill
from tests.log.conftest import INSTALLED, address, places  # noqa: F401  # fixtures

ROWS = (
    "2019-03-02,ann,bo,1,2019-03-05",
    "2019-03-09,bo,cy,1,2019-03-12",
    "2019-03-02,cy,ann,1,2019-06-30",  # reported late
    "2019-03-09,bo,cy,0,2019-03-12",
)


def table(*rows: str, header: str = "played,a,b,score,reported") -> io.BytesIO:
    file = io.BytesIO("\n".join([header, *rows, ""]).encode())
    file.name = "history.csv"
    return file


def take(engine: Engine, *rows: str, **said: Any) -> ImportReport:
    given = {key: said.pop(key) for key in ("header",) if key in said}
    report = engine.import_file(table(*rows, **given), pool=said.pop("pool", "rapid"), known="reported", **said)
    assert report.adds_up, report
    return report


@pytest.fixture(params=["memory", "file", *INSTALLED])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    if request.param in INSTALLED:
        made = request.getfixturevalue("places")(request.param).address(f"backfill_{abs(hash(request.node.nodeid))}")
    else:
        made = ":memory:" if request.param == "memory" else str(tmp_path / "club.db")
    with open_engine(made) as engine:
        yield engine


def batches(engine: Engine) -> list[tuple[str, int]]:
    """The days on which batches were recorded, and how many events each has."""
    return [(iso(batch.recorded)[:10], batch.last - batch.first + 1) for batch in engine.log.batches()]


def ratings(given: RatingList) -> list[tuple[Any, Any]]:
    return [(row["player"], row["rating"]) for row in given]


def test_rows_are_filed_in_batches_by_the_day_on_which_they_became_known(engine: Engine) -> None:
    report = take(engine, *ROWS)
    assert (report.accepted, report.refused) == (4, [])
    assert batches(engine) == [("2019-03-05", 1), ("2019-03-12", 2), ("2019-06-30", 1)]
    sources = {engine.log.book.key(batch.source or 0) for batch in engine.log.batches()}
    assert sources == {f"history.csv backfilled {datetime.now(UTC):%Y-%m-%d}"}


def test_as_known_then_reaches_back_before_the_log_was_begun(engine: Engine) -> None:
    take(engine, *ROWS)
    for day, rows in (("2019-03-05", ROWS[:1]), ("2019-04-01", (ROWS[0], ROWS[1], ROWS[3])), ("2019-06-30", ROWS)):
        known = engine.rating_list("rapid", "elo", known_at=day)
        with open_engine(":memory:") as fresh:
            fresh.import_file(table(*rows), pool="rapid")
            assert ratings(known) == ratings(fresh.rating_list("rapid", "elo"))
    with pytest.raises(BadCut, match="lies before the log began, which was at 2019-03-05"):
        engine.rating_list("rapid", "elo", known_at="2019-03-04")


def test_such_batches_verify_and_are_the_same_in_an_export(engine: Engine) -> None:
    take(engine, *ROWS)
    verified = engine.verify()
    assert (verified.batches, verified.head) == (3, engine.log.head)
    with open_engine(":memory:") as copy:
        assert load_lines(copy.log, export_lines(engine.log)).head == engine.log.head
        assert batches(copy) == batches(engine)
    engine.record(GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
    assert engine.verify().batches == 4


def test_a_log_with_later_batches_or_with_the_pool_refuses_and_stays_as_it_was(engine: Engine) -> None:
    take(engine, *ROWS[:3])
    head = engine.log.head
    with pytest.raises(NotBackfilled, match="the pool rapid is in the log already"):
        take(engine, "2019-08-01,ann,bo,1,2019-08-05")
    with pytest.raises(NotBackfilled, match="a batch of 2019-06-30, and these begin on 2019-06-05"):
        take(engine, "2019-06-01,ann,bo,1,2019-06-05", pool="blitz")
    assert engine.log.head == head
    assert take(engine, "2019-08-01,ann,bo,1,2019-08-05", pool="blitz").accepted == 1
    engine.record(GamePlayed(pool="bullet", played="2024-03-02", a="ann", b="bo", score=1.0))
    with pytest.raises(NotBackfilled, match="the log has a batch of 2"):
        take(engine, "2020-06-01,ann,bo,1,2020-06-05", pool="slow")
    assert engine.verify().head == engine.log.head


def test_the_same_file_again_changes_nothing_and_a_changed_row_is_told(engine: Engine) -> None:
    take(engine, *ROWS)
    head = engine.log.head
    for dry_run in (False, True):
        again = take(engine, *ROWS, dry_run=dry_run)
        assert (again.accepted, again.duplicates, again.refused) == (0, 4, [])
        changed = take(engine, *ROWS[:2], "2019-03-02,cy,ann,0,2019-06-30", ROWS[3], dry_run=dry_run)
        assert (changed.accepted, changed.duplicates, changed.changed) == (0, 3, 1)
    assert engine.log.head == head


def test_a_row_that_contradicts_an_earlier_one_of_its_id_is_left_out(engine: Engine) -> None:
    game, other = "g-1,2019-03-02,ann,bo", "g-2,2019-03-02,bo,cy"
    rows = (f"{game},1,2019-03-05", f"{game},0,2019-03-06", f"{other},1,2019-03-06")
    report = take(engine, *rows, header="uid,played,a,b,score,reported")
    assert (report.accepted, [line for line, _, _ in report.refused]) == (2, [3])
    assert batches(engine) == [("2019-03-05", 1), ("2019-03-06", 1)]


def test_processes_that_file_the_same_at_once_file_it_once(tmp_path: Path) -> None:
    (tmp_path / "history.csv").write_bytes(table(*ROWS).getvalue())
    command = (sys.executable, "-m", "ratingcore", "import", "club.db", "history.csv", "--pool", "rapid")
    both = [subprocess.Popen((*command, "--known", "reported"), cwd=tmp_path, stdout=subprocess.PIPE) for _ in range(2)]
    said = sorted(process.communicate()[0].decode() for process in both)
    assert [process.returncode for process in both] == [0, 0], said
    assert said == [
        "history.csv: 4 rows read, 0 accepted, 0 unrated, 0 refused, 4 duplicates\n",
        "history.csv: 4 rows read, 4 accepted, 0 unrated, 0 refused, 0 duplicates\n",
    ]


def test_an_evening_that_is_the_next_day_in_utc_may_be_known_on_its_own_day(engine: Engine) -> None:
    report = take(engine, "2024-03-02T19:30,ann,bo,1,2024-03-02", zone="America/New_York")
    assert (report.accepted, report.refused, batches(engine)) == (1, [], [("2024-03-02", 1)])
    assert engine.verify().head == engine.log.head


def test_an_append_that_fails_in_a_later_batch_leaves_nothing(engine: Engine) -> None:
    day = datetime(2019, 3, 5, tzinfo=UTC)
    stamps = [int((day + timedelta(days=days)).timestamp()) * 1_000_000 for days in (0, 3, 1)]
    games = [GamePlayed(pool="p", played="2019-03-02", a="ann", b=f"b{n}", score=1.0) for n in range(3)]
    with pytest.raises(NotBackfilled):
        backfill(engine.log, [(at, [game]) for at, game in zip(stamps, games, strict=True)], source="x")
    assert engine.log.head.position == 0
    assert engine.log.book.keys_of("player") == []
    assert backfill(engine.log, [(stamps[0], games[:1]), (stamps[1], games[1:])], source="x").accepted == 3


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("2019-03-02,ann,bo,1,", "known must be an ISO date or time between years 1 and 9999: ''"),
        ("2019-03-02,ann,bo,1,2019-03-01", "known on 2019-03-01, before it was played on 2019-03-02"),
        ("2019-03-02,ann,bo,1,2150-03-01", "known on 2150-03-01, which is still to come"),
        ("2019-03-02,ann,bo,1,soon", "known must be an ISO date or time between years 1 and 9999: 'soon'"),
    ],
)
def test_a_row_that_does_not_say_when_it_became_known_is_refused(row: str, why: str) -> None:
    with open_engine(":memory:") as engine:
        report = take(engine, *ROWS, row)
        assert [(line, reason) for line, reason, _ in report.refused] == [(6, why)]
        assert report.accepted == 4
    with open_engine(":memory:") as engine, pytest.raises(RowsRefused, match="line 6"):
        take(engine, *ROWS, row, strict=True)


def test_a_dry_run_says_what_would_be_filed_and_writes_nothing() -> None:
    with open_engine(":memory:") as engine:
        report = take(engine, *ROWS, dry_run=True)
        assert (report.accepted, engine.log.head.position) == (4, 0)
        take(engine, *ROWS)
        with pytest.raises(NotBackfilled):
            take(engine, *ROWS, "2019-08-01,ann,bo,1,2019-08-05", dry_run=True)
        again = engine.import_file(table(*ROWS), pool="rapid")
        assert (again.accepted, again.duplicates) == (0, 4)
        assert engine.import_file(table(*ROWS[:3]), pool="rapid", reissue=True, voids=1.0).voided == 1


def test_what_is_known_today_is_recorded_now() -> None:
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    with open_engine(":memory:") as engine:
        take(engine, f"2019-03-02,ann,bo,1,{today}")
        (batch,) = engine.log.batches()
        assert exact(batch.recorded)[:10] in (today, f"{datetime.now(UTC):%Y-%m-%d}")
        assert engine.record(GamePlayed(pool="rapid", played=today, a="ann", b="bo", score=1.0)).accepted == 1


def test_sessions_are_known_when_the_last_of_their_rows_is() -> None:
    rows = ("A,2019-03-02,ann,1,2019-03-05", "A,2019-03-02,bo,2,2019-03-06", "A,2019-03-02,cy,2,")
    with open_engine(":memory:") as engine:
        report = take(engine, *rows, header="session,played,player,score,reported")
        assert (report.accepted, batches(engine)) == (1, [("2019-03-06", 1)])
        line = '{"played": "2019-03-02", "reported": "%s", "sides": [{"players": "ann", "score": 1}, %s]}'
        file = io.BytesIO((line % ("2019-04-01", '{"players": "bo", "score": 2}')).encode())
        assert engine.import_file(file, pool="others", known="reported").accepted == 1
        assert batches(engine)[1:] == [("2019-04-01", 1)]


def test_it_is_for_one_table_that_begins_a_pool() -> None:
    with open_engine(":memory:") as engine:
        with pytest.raises(BadValue, match="cannot be combined with a reissue"):
            take(engine, *ROWS, reissue=True)
        with pytest.raises(BadValue, match="can be used with one file only, and 2 are given"):
            engine.import_file([table(*ROWS), table(*ROWS)], pool="rapid", known="reported")
        with pytest.raises(ColumnNotFound, match="seen"):
            engine.import_file(table(*ROWS), pool="rapid", known="seen")
        assert engine.log.head.position == 0


def test_a_filed_history_is_what_one_would_have_recorded_day_by_day() -> None:
    random, days = Random(7), [f"2019-{month:02}-{day:02}" for month in range(1, 7) for day in range(1, 29)]
    rows = []
    for _ in range(300):
        played = random.randrange(len(days) - 30)
        known = played + random.choice((0, 0, 1, 3, 29))
        a, b = random.sample(["ann", "bo", "cy", "di", "eve"], 2)
        rows.append((days[known], f"{days[played]},{a},{b},{random.choice('01')},{days[known]}"))
    with open_engine(":memory:") as engine, open_engine(":memory:") as plain:
        take(engine, *(row for _, row in rows))
        heads = {}
        for known, row in sorted(rows, key=lambda pair: pair[0]):
            played, a, b, score, _ = row.split(",")
            heads[known] = plain.record(GamePlayed(pool="rapid", played=played, a=a, b=b, score=float(score))).head
        for known, head in list(heads.items())[::9]:
            one = engine.rating_list("rapid", "elo", known_at=known)
            other = plain.rating_list("rapid", "elo", known_at=head)
            assert dict(ratings(one)) == dict(ratings(other))
