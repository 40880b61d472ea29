"""Following a log: in order, from where it stopped, exactly once; and what killed readers leave behind."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.errors import BadCut, BadValue, CursorMoved, LogUnavailable, NoCursor
from ratingcore.log import SqliteLog
from ratingcore.log import feed as feeds
from ratingcore.log.feed import Feed
from ratingcore.log.sqlite.connection import sqlite3
from tests.log import conftest
from tests.log.making import EVERY_KIND, game, games
from tests.log.workers import Workers

forking, workers = conftest.forking, conftest.workers
address, places = conftest.address, conftest.places

FOLLOWER = """
import sys, time
import ratingcore as rc
handled = open(sys.argv[2], "a", buffering=1)
with rc.open(sys.argv[1]) as engine:
    while engine.log.cursor("mailer") < 300:
        with engine.follow("mailer") as feed:
            for row, event in feed:
                handled.write(f"{row.position}\\n")
                if row.position % 20 == 0:
                    break
"""
HOLDER = """
import sys
import ratingcore as rc
with rc.open(sys.argv[1]).follow("mailer") as feed:
    list(feed)
    print("holds", flush=True)
    input()
"""


@pytest.fixture(params=["memory", "file"])
def engine(request: pytest.FixtureRequest, tmp_path: Path):  # type: ignore[no-untyped-def]  # a fixture
    """A log of every kind of event, and five games."""
    with rc.open(":memory:" if request.param == "memory" else tmp_path / "club.db") as made:
        made.record(*EVERY_KIND, source="march.csv")
        made.record(*games(1, 5))
        yield made


def positions(feed: Feed, count: int | None = None) -> list[int]:
    return [row.position for row, _ in islice(feed, count)]


def test_a_feed_gives_every_event_in_the_order_of_the_log(engine: rc.Engine) -> None:
    with engine.follow("mailer") as feed:
        assert list(feed) == list(engine.events())
    assert engine.log.cursor("mailer") == feed.position == engine.log.head.position == 20


def test_a_feed_reads_on_from_where_the_last_one_stopped(engine: rc.Engine) -> None:
    for expected in ([1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12, 13, 14], [15, 16, 17, 18, 19, 20], []):
        with engine.follow("mailer") as feed:
            assert positions(feed, 7) == expected
    engine.record(game("new"))
    with engine.follow("mailer") as feed:
        assert positions(feed) == [21]


def test_what_comes_while_a_feed_is_read_comes_with_its_next_turn(engine: rc.Engine) -> None:
    with engine.follow("mailer", after=17) as feed:
        seen = []
        for row, event in feed:
            seen.append(row.position)
            if isinstance(event, rc.GamePlayed) and row.position < 21:
                engine.record(game(f"after-{row.position}"))
        assert seen == [18, 19, 20]
        assert positions(feed) == [21, 22, 23]


def stopped(feed: Feed) -> None:
    """Take five events, commit three."""
    with feed:
        assert positions(feed, 3) == [1, 2, 3]
        feed.commit()
        assert positions(feed, 2) == [4, 5]
        raise ZeroDivisionError


def test_an_exception_leaves_the_cursor(engine: rc.Engine) -> None:
    feed = engine.follow("mailer")
    with pytest.raises(ZeroDivisionError):
        stopped(feed)
    assert engine.log.cursor("mailer") == 3
    assert positions(feed, 1) == positions(engine.follow("mailer"), 1) == [4]


def test_committing_in_the_middle_keeps_what_was_taken(engine: rc.Engine) -> None:
    feed = engine.follow("mailer")
    for row, _ in feed:
        feed.commit()
        assert engine.log.cursor("mailer") == row.position
        if row.position == 9:
            break
    assert positions(engine.follow("mailer"), 1) == [10]


def test_committing_nothing_is_nothing(engine: rc.Engine) -> None:
    feed = engine.follow("mailer")
    feed.commit()
    engine.log.move_cursor("mailer", 0, 4)
    feed.commit()
    assert engine.log.cursor("mailer") == 4


def test_the_second_of_two_readers_under_one_name_commits_nothing(engine: rc.Engine) -> None:
    first, second = engine.follow("mailer"), engine.follow("mailer")
    assert positions(first, 3) == positions(second, 3)
    first.commit()
    with pytest.raises(CursorMoved, match="subscriber mailer has read to position 3, this reader only to 0"):
        second.commit()
    assert positions(engine.follow("mailer"), 1) == [4]


def test_a_consumer_may_keep_its_position_itself(engine: rc.Engine) -> None:
    head = rc.Head(5, engine.log.digest_at(5))
    for after in (5, head):
        with engine.follow(after=after) as feed:
            assert positions(feed, 2) == [6, 7]
        assert feed.position == 7
    with pytest.raises(NoCursor, match="it has read to position 7"):
        feed.commit()
    assert positions(engine.follow())[0] == 1


@pytest.mark.parametrize("after", [-1, 21, rc.Head(5, "0" * 64), rc.Head(99, "0" * 64)])
def test_a_place_that_is_not_in_the_log_is_refused(engine: rc.Engine, after: int | rc.Head) -> None:
    with pytest.raises(BadCut, match="after "):
        engine.follow("mailer", after=after)


@pytest.mark.parametrize("name", ["", "  ", 7])
def test_a_subscriber_has_a_name(engine: rc.Engine, name: str) -> None:
    with pytest.raises(BadValue, match="subscriber must be a name"):
        engine.follow(name)


def test_a_named_reader_may_begin_elsewhere(engine: rc.Engine) -> None:
    """Only what is to come; and everything once more, when the consumer has lost what it had."""
    with engine.follow("web", after=engine.log.head) as feed:
        assert positions(feed) == []
    assert engine.log.cursor("web") == 20
    with engine.follow("web", after=0) as feed:
        assert positions(feed, 2) == [1, 2]
    assert engine.log.cursor("web") == 2


def test_events_are_read_a_portion_at_a_time(engine: rc.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "AT_ONCE", 4)
    asked = []
    rows = engine.log.rows
    monkeypatch.setattr(engine.log, "rows", lambda *cut: asked.append(cut) or rows(*cut))
    with engine.follow("mailer") as feed:
        assert positions(feed) == list(range(1, 21))
    portions = [(after, to) for after, to in asked if to - after > 1]  # the others name what corrections are about
    assert portions == [(0, 4), (4, 8), (8, 12), (12, 16), (16, 20)]


def test_a_reader_of_a_file_nobody_may_write_follows_but_cannot_commit(tmp_path: Path) -> None:
    with rc.open(tmp_path / "club.db") as engine:
        engine.record(*games(1, 5))
    with rc.open(tmp_path / "club.db", read_only=True) as engine:
        assert positions(engine.follow(after=3)) == [4, 5]
        feed = engine.follow("mailer")
        assert positions(feed) == [1, 2, 3, 4, 5]
        with pytest.raises(LogUnavailable, match="it is read-only"):
            feed.commit()
        assert engine.log.cursor("mailer") == 0


def test_an_erased_name_is_followed_as_erased(engine: rc.Engine) -> None:
    engine.erase("ann")
    events = [event for _, event in engine.follow("mailer")]
    assert isinstance(events[0], rc.GamePlayed)
    assert (events[0].a, events[0].b) == ("(erased 2)", "bo")


# rows and cursor in one transaction


@pytest.fixture
def file(tmp_path: Path):  # type: ignore[no-untyped-def]  # a fixture
    with rc.open(tmp_path / "club.db") as made:
        made.record(*games(1, 5))
        yield made


def copied(path: Path) -> list[tuple[int, str]]:
    db = sqlite3.connect(path)
    try:
        return db.execute("SELECT position, uid FROM seen").fetchall()
    finally:
        db.close()


def copy(feed: Feed, count: int, error: type[Exception] | None = None) -> None:
    with feed.transaction() as db:
        db.execute("CREATE TABLE IF NOT EXISTS seen (position INTEGER, uid TEXT)")
        db.executemany("INSERT INTO seen VALUES (?, ?)", ((row.position, row.uid) for row, _ in islice(feed, count)))
        if error is not None:
            raise error


def test_a_consumer_writes_its_rows_and_its_cursor_at_once(file: rc.Engine, tmp_path: Path) -> None:
    feed = file.follow("copier")
    copy(feed, 2)
    with pytest.raises(ZeroDivisionError):
        copy(feed, 2, ZeroDivisionError)
    assert (feed.position, file.log.cursor("copier")) == (2, 2)
    copy(feed, 2)
    copy(file.follow("copier"), 9)
    assert copied(tmp_path / "club.db") == [(n, str(n)) for n in range(1, 6)]
    assert file.log.cursor("copier") == 5
    with pytest.raises(CursorMoved):  # the first feed left it at 4
        copy(feed, 9)
    assert len(copied(tmp_path / "club.db")) == 5


def test_an_event_whose_own_transaction_failed_comes_again(file: rc.Engine) -> None:
    """Nothing is passed over where the consumer goes on after an error."""
    feed, done, failed = file.follow("copier"), [], []
    for row, _ in feed:
        try:
            with feed.transaction() as db:
                db.execute("CREATE TABLE IF NOT EXISTS seen (position INTEGER)")
                if row.position == 3 and len(failed) < 2:
                    failed.append(row.position)
                    raise ZeroDivisionError
        except ZeroDivisionError:
            continue
        done.append(row.position)
    assert (done, failed) == ([1, 2, 3, 4, 5], [3, 3])


def test_the_engine_is_of_use_inside(file: rc.Engine) -> None:
    feed = file.follow("copier")
    with feed.transaction() as db:
        db.execute("CREATE TABLE top AS SELECT ? AS player", (file.rating_list("rapid", "elo").player[0],))
        assert positions(feed) == [1, 2, 3, 4, 5]
    assert file.log.cursor("copier") == 5


def test_a_transaction_needs_a_name(file: rc.Engine) -> None:
    with pytest.raises(NoCursor):
        copy(file.follow(after=2), 1)


# other processes


def test_a_copier_that_is_killed_again_and_again_copies_every_event_once(
    workers: Workers,
    tmp_path: Path,  # the fixture
) -> None:
    path, count, kills = tmp_path / "club.db", 600, 0
    with SqliteLog(path) as log:
        log.append(games(1, count))
        while log.cursor("copier") < count:
            worker = workers.start("follow_into_own_table", str(path), 20)
            for turn, (word, _) in enumerate(worker):
                if word == "begun" and turn >= 4:  # some transactions, and into the next one
                    time.sleep(0.0005 * (kills % 9))
                    worker.kill()
                    kills += 1
            worker.stop()
    assert kills > 5
    assert [position for position, _ in copied(path)] == list(range(1, count + 1))


@pytest.mark.parametrize("commit", [False, True])
def test_a_killed_reader_is_asked_again_only_for_what_it_did_not_commit(
    workers: Workers,
    tmp_path: Path,
    commit: bool,  # the fixture
) -> None:
    path = tmp_path / "club.db"
    with rc.open(path) as engine:
        engine.record(*games(1, 5))
        worker = workers.start("follow_and_wait", str(path), commit)
        said = iter(worker)
        assert next(said) == [[1, 2, 3]]
        assert next(said) == ["done"]
        worker.stop()
        assert positions(engine.follow("mailer")) == ([4, 5] if commit else [1, 2, 3, 4, 5])


def test_readers_in_many_processes_share_a_name_and_none_repeats_another(
    workers: Workers,
    tmp_path: Path,  # the fixture
) -> None:
    path = tmp_path / "club.db"
    with SqliteLog(path) as log:
        log.append(games(1, 400))
    at = time.time() + 0.5
    said = [list(worker) for worker in [workers.start("follow_all", str(path), at) for _ in range(3)]]
    taken = sorted(position for lines in said for word, *facts in lines if word == "committed" for position in facts[0])
    assert taken == list(range(1, 401))


def test_two_processes_that_follow_under_one_name_handle_each_event_once(
    address: Callable[[str], str], tmp_path: Path
) -> None:
    where, handled = address("club"), tmp_path / "handled"
    with rc.open(where) as engine:
        engine.record(*games(1, 300))
    both = [subprocess.Popen([sys.executable, "-c", FOLLOWER, where, str(handled)]) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    assert handled.read_text().split() == [str(position) for position in range(1, 301)]


def test_a_second_follower_of_a_name_waits_or_is_refused(address: Callable[[str], str]) -> None:
    where = address("club")
    with rc.open(where, timeout=0.2) as engine:
        engine.record(*games(1, 5))
        command = [sys.executable, "-c", HOLDER, where]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"holds\n"
            with pytest.raises(LogUnavailable, match="another process or thread already follows it as mailer"):
                engine.follow("mailer").__enter__()
            with engine.follow("printer") as feed:
                assert positions(feed) == [1, 2, 3, 4, 5]
            process.kill()
        with engine.follow("mailer") as feed:  # what the killed one had not committed
            assert positions(feed) == [1, 2, 3, 4, 5]


def test_a_follower_that_waited_goes_on_where_the_one_before_stopped(address: Callable[[str], str]) -> None:
    with rc.open(address("club")) as engine:
        engine.record(*games(1, 5))
        waits = engine.follow("mailer")
        seen = list[int]()

        def follow() -> None:
            with waits:
                seen.extend(positions(waits))

        with engine.follow("mailer") as feed:
            thread = threading.Thread(target=follow)
            thread.start()
            assert positions(feed, 3) == [1, 2, 3]
        thread.join()
    assert seen == [4, 5]
