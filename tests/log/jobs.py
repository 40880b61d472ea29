"""What the other processes do to a log."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import accumulate, islice
from pathlib import Path

from ratingcore.engine import Engine
from ratingcore.engine.file_plans import FilePlan
from ratingcore.errors import LogUnavailable, PlanOutdated, RatingCoreError
from ratingcore.events import Event, ResultAmended, ResultVoided
from ratingcore.importer import row_import as rows_of_import
from ratingcore.log import SqliteLog, verify
from ratingcore.log.segments import LEAST
from ratingcore.plans import Plan
from ratingcore.registry.stores import address_of, open_log
from tests.log.making import game, writer
from tests.log.sealing import seal, season

Say = Callable[..., None]

PLANNED = 300
"""Events of each plan that is applied."""


def as_nobody(say: Say, path: str) -> None:
    """Use a log without the right to write; say how each use ended."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    club = Path(path)

    def read() -> str:
        with SqliteLog(club, read_only=True) as log:
            return str(verify(log).head)

    def append() -> str:
        with SqliteLog(club, read_only=True) as log:
            return str(log.append([game("nobody's")]))

    def write() -> str:
        with SqliteLog(club) as log:
            return str(log.append([game("nobody's")]))

    def new() -> str:
        with SqliteLog(club.with_name("new.db")) as log:
            return str(log.head)

    def backup() -> str:
        with SqliteLog(club, read_only=True) as log:
            log.backup(club.with_name("copy.db"))
        return "copied"

    for use in (read, append, write, new, backup):
        try:
            say(use.__name__, ["verified", use()])
        except RatingCoreError as error:
            say(use.__name__, [type(error).__name__, str(error)])


MOST = 120
"""Games of a batch at most."""


def batch_of(number: int, label: str = "", most: int = MOST) -> list[Event]:
    """The events of a batch, the same every time: games of new players, and a void now and then."""
    size = 1 + number * 37 % most
    events: list[Event] = [
        game(f"{label}{number}-{n}", f"{label}p{number}-{n}", f"q{n % 17}", data={"round": n}) for n in range(size)
    ]
    if number % 3 == 0:
        events.append(ResultVoided(uid=f"{label}{number}-v", of=events[0].uid, why=f"{label}why {number}"))
    return events


def ends_of(batches: int) -> list[int]:
    """Positions at which so many batches end in a log that holds nothing else, from 0 on, without making them."""
    return [0, *accumulate(1 + number * 37 % MOST + (number % 3 == 0) for number in range(batches))]


def append_for_ever(say: Say, path: str, checkpoint: int) -> None:
    """Append batches from the first one on; say which is begun, and what was acknowledged."""
    with SqliteLog(path) as log:
        writer(log).execute(f"PRAGMA wal_autocheckpoint = {checkpoint}")
        number = 0
        while True:
            say("begun", number)
            receipt = log.append(batch_of(number), source=f"batch {number}")
            say("done", number, receipt.accepted, receipt.head.position, receipt.head.digest)
            number += 1


def append_batches(say: Say, path: str, label: str, count: int, at: float) -> None:
    """Append batches to a file that others write to as well, from a moment on."""
    time.sleep(max(0.0, at - time.time()))
    with SqliteLog(path) as log:
        for number in range(count):
            receipt = log.append(batch_of(number, f"{label}-", most=25), source=label)
            say(receipt.accepted, receipt.duplicates, receipt.head.position, receipt.head.digest)
            time.sleep(0.002)  # a file lock is not a queue: let the other one have it


def append_the_same(say: Say, path: str, count: int, at: float) -> None:
    """Append the batches that another process appends, too."""
    time.sleep(max(0.0, at - time.time()))
    with SqliteLog(path) as log:
        for number in range(count):
            receipt = log.append(batch_of(number), source="both")
            say(receipt.accepted, receipt.duplicates)


def make(say: Say, path: str, at: float) -> None:
    """Make a log at the same moment as others, and append to it."""
    time.sleep(max(0.0, at - time.time()))
    try:
        with SqliteLog(path) as log:
            log.append([game(f"{os.getpid()}-1", f"player {os.getpid()}")])
            say("made", log.key)
    except Exception as error:
        say("failed", repr(error))


def follow_into_own_table(say: Say, path: str, at_once: int) -> None:
    """Follow a log and write what is read into a table beside it, so many events a transaction; say what is done."""
    from ratingcore.engine import open_engine

    with open_engine(path) as engine, engine.follow("copier") as feed:
        while feed.position < engine.log.head.position:
            say("begun", feed.position)
            with feed.transaction() as db:
                db.execute("CREATE TABLE IF NOT EXISTS seen (position INTEGER, uid TEXT)")
                for row, event in islice(feed, at_once):
                    db.execute("INSERT INTO seen VALUES (?, ?)", (row.position, event.uid))
            say("committed", feed.position)


def follow_and_wait(say: Say, path: str, commit: bool) -> None:
    """Read three events, commit them if that is asked, and wait for ever."""
    from ratingcore.engine import open_engine

    with open_engine(path) as engine:
        feed = engine.follow("mailer")
        say([row.position for row, _ in islice(feed, 3)])
        if commit:
            feed.commit()
        say("done")
        time.sleep(600)


def follow_all(say: Say, path: str, at: float) -> None:
    """Read everything under a name that others use, too; say what was committed, or that somebody was quicker."""
    from ratingcore.engine import open_engine
    from ratingcore.errors import CursorMoved

    with open_engine(path) as engine:
        time.sleep(max(0.0, at - time.time()))
        for _ in range(200):
            try:
                with engine.follow("shared") as feed:
                    taken = [row.position for row, _ in islice(feed, 5)]
                say("committed", taken)
            except CursorMoved as error:
                say("moved", error.expected, error.found)
            time.sleep(0.001)


def hold(say: Say, path: str) -> None:
    """Read a log in a transaction that stays open until this process ends."""
    with SqliteLog(path, read_only=True) as log, log.reading():
        say("reading", log.head.position, len(log.book.names()))
        time.sleep(600)


def catch_up(say: Say, path: str, to: str | None, at: float, times: int) -> None:
    """Bring the tables up to date again and again while others do and somebody appends."""
    from ratingcore_sql_tables.catch_up import catch_up as bring  # of a plugin, which may be missing

    from ratingcore.engine import open_engine

    with open_engine(path) as engine:
        time.sleep(max(0.0, at - time.time()))
        for _ in range(times):
            for done in bring(engine, "rapid", "elo", to):
                say(done.known_at, done.done)
            time.sleep(0.02)


def list_for_ever(say: Say, path: str, method: str) -> None:
    """Ask for lists while others write; of each head that is new, say its digest and that of the list."""
    from ratingcore.engine import open_engine

    with open_engine(path, read_only=True) as engine:
        last = None
        while True:
            listed = engine.rating_list("rapid", method)
            told = (listed.known_at, listed.provenance.digest, listed.digest)
            if told != last:  # nobody reads before the season is over, and a pipe holds only so much
                say(*told)
            last = told


def play_a_season(say: Say, path: str, batches: int) -> None:
    """Append batches of games, corrections of earlier ones and published lists; say each head."""
    from random import Random

    from ratingcore.engine import open_engine
    from tests.laws.histories import League

    league = League(Random(7))
    with open_engine(path) as engine:
        for number in range(batches):
            try:
                receipt = engine.record(*league.batch())
            except RatingCoreError:  # not every correction is possible
                continue
            if number % 10 == 9:
                engine.publish(engine.rating_list("rapid", "elo"), name=f"list {number}")
            say(receipt.head.position)
            time.sleep(0.01)


def keep_everything(news: int) -> None:
    """Columns after so many events, and a file of every checkpoint, however short the history."""
    from ratingcore.columns import cache
    from ratingcore.replay import checkpoint_store

    cache.NEWS, checkpoint_store.WORTH, checkpoint_store.FILE_SECONDS, checkpoint_store.CLOSEST = news, 0, 0.0, 4


def ask_for_ever(say: Say, path: str, method: str, player: str) -> None:
    """Ask for a list, an explanation and all published lists while others write; say each answer that is new."""
    from ratingcore.engine import open_engine

    keep_everything(20)
    last = None
    while True:
        with open_engine(path, read_only=True) as engine:
            listed = engine.rating_list("rapid", method)
            why = engine.explain("rapid", player, method, known_at=listed)
            assert abs(why.residual) < 1e-9, why
            seals = {one.name: engine.published_list(one).seal for one in engine.published("rapid")}
            told = (listed.known_at, listed.digest, why.closing, [line.contribution for line in why.lines], seals)
            if told != last:
                say(*told)
            last = told


def rate_for_ever(say: Say, path: str, methods: list[str], seed: int, news: int) -> None:
    """Append whatever a league does, rate it by these methods after each batch, publish every other list; count."""
    from random import Random

    from ratingcore.engine import open_engine
    from tests.laws.histories import League

    class Another(League):
        def _uid(self) -> str:
            return f"{seed}-{super()._uid()}"

    keep_everything(news)
    league, number = Another(Random(seed)), 0
    with open_engine(path) as engine:
        while True:
            number += 1
            with suppress(RatingCoreError):  # not every correction is possible
                engine.record(*league.batch())
            for method in methods:
                listed = engine.rating_list("rapid", method)
                if number % 2 == 0:
                    engine.publish(listed, f"{method} {seed} {number}")
            say(number)


def append_from(say: Say, address: str, number: int) -> None:
    """Append batches from one on, beginning with the one before it; say which is begun, what was acknowledged."""
    with open_log(address_of(address)) as log:
        number = max(number - 1, 0)
        while True:
            say("begun", number)
            try:
                receipt = log.append(batch_of(number), source=f"batch {number}")
            except LogUnavailable:
                say("gone", number)
                return
            say("done", number, receipt.accepted, receipt.head.position, receipt.head.digest)
            number += 1


def apply_for_ever(say: Say, path: str) -> None:
    """Apply plans of a file and of amendments in turn, a batch of `PLANNED` events each; say what was acknowledged."""
    with Engine(SqliteLog(Path(path))) as engine:
        while True:
            turn = engine.log.head.position // PLANNED
            plan: FilePlan | Plan
            if turn % 2:
                games = list(engine.log.rows(0, PLANNED))
                plan = engine.plan.record(*(ResultAmended(of=row.uid, changes={"round": turn}) for row in games))
            else:
                rows = [{"played": "2024-03-02", "a": f"p{turn}-{n}", "b": "bo", "score": "1"} for n in range(PLANNED)]
                plan = engine.plan.import_file(rows, "club")
            say("begun")
            engine.apply(plan)
            say("done", engine.log.head.position)


def decide_at(say: Say, path: str, score: float, at: float) -> None:
    """Plan an amendment of each game, and apply all at an instant; say which were recorded, and which refused."""
    with Engine(SqliteLog(Path(path))) as engine:
        uids = [row.uid for row in engine.log.rows(0, None, ("game",))]
        plans = {uid: engine.plan.amend(uid, {"score": score}) for uid in uids}
        time.sleep(max(at - time.time(), 0))
        for uid, plan in plans.items():
            try:
                engine.apply(plan)
                say("recorded", uid)
            except PlanOutdated:
                say("refused", uid)


def seal_some(say: Say, address: str, first: int, blocks: int) -> None:
    """Seal some blocks of games, each in a transaction of its own, and say what is done."""
    with open_log(address_of(address)) as log:
        for number in range(first, first + blocks):
            with log.writing():
                seal(log, season(number * LEAST))
            say("done", log.head.position)


def seal_for_ever(say: Say, address: str) -> None:
    """Seal block after block, each in a transaction of its own with a row, and say what is done."""
    with open_log(address_of(address)) as log:
        number = log.head.position // (LEAST + 1)
        while True:
            say("begun", number)
            with log.writing():
                log.append([game(f"row-{number}")])
                seal(log, season(number * LEAST))
            say("done", number, log.head.position, log.head.digest)
            number += 1


def import_in_step(say: Say, address: str, path: str, other: str, batch: int) -> None:
    """Import a file while another process imports another one; say what became of its rows.

    If `batch` is not 0, rows are appended in batches of this size, and each process waits for the other's batch.
    """
    rows_of_import.BATCH = batch or rows_of_import.BATCH
    mine, others = Path(f"{path}.steps"), Path(f"{other}.steps")

    def step(read: int) -> None:
        with mine.open("ab") as file:
            file.write(b".")
        end, size = time.monotonic() + 10.0, mine.stat().st_size
        while not (others.exists() and others.stat().st_size >= size) and time.monotonic() < end:
            time.sleep(0.0005)

    with Engine(open_log(address_of(address))) as engine:
        step(0)
        report = engine.import_file(path, "club", progress=step if batch else lambda read: None)
        with mine.open("ab") as file:
            file.write(b"." * report.read)  # the other one need not wait any more
        say(report.read, report.accepted, report.rows.counts(), len(report.positions), [*map(str, report.warnings)])
