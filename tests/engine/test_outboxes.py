"""An outbox of a program: put with its own rows, delivered by any number of workers, through kills and bad rows."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import sqlalchemy
from hypothesis import given, settings
from hypothesis import strategies as st

import ratingcore as rc
from ratingcore.engine import outboxes
from ratingcore.errors import BadValue, Conflict, LogUnavailable, UnknownUid
from ratingcore.log.lookup import as_read
from ratingcore.outbox import TABLE, put


def game(uid: str, score: float) -> rc.GamePlayed:
    return rc.GamePlayed(uid=uid, pool="rapid", played="2024-03-02", a=f"{uid} white", b=f"{uid} black", score=score)


def scores(engine: rc.Engine) -> dict[str, float]:
    """How the games of a log read, by uid."""
    rows = [as_read(engine.log, row.uid) for row in engine.log.rows(0, None, ("game",))]
    return {row.uid: row.score for row in rows if row is not None and row.score is not None}


@pytest.fixture
def engine() -> Iterator[rc.Engine]:
    with rc.open(":memory:") as engine:
        yield engine


@pytest.fixture
def site() -> sqlite3.Connection:
    return sqlite3.connect(":memory:")


def left(site: sqlite3.Connection) -> list[tuple[int, str]]:
    return site.execute("SELECT number, error FROM outbox ORDER BY number").fetchall()


def test_what_was_put_is_recorded_once_and_in_order(engine: rc.Engine, site: sqlite3.Connection) -> None:
    with site:
        put(site, game("m-1", 1.0), game("m-2", 0.5))
    assert engine.deliver(site) == outboxes.Delivered(2, 0, ())
    with site:
        put(site, game("m-1", 0.0))
        put(site, rc.ResultVoided(uid="v-1", of="m-2", why="not played"))
    assert engine.deliver(site).accepted == 2
    assert engine.deliver(site) == outboxes.Delivered(0, 0, ())
    assert [row.kind for row, _ in engine.events()] == ["game", "game", "amend", "void"]
    assert left(site) == []


def test_what_the_program_rolled_back_is_not_delivered(engine: rc.Engine, site: sqlite3.Connection) -> None:
    put(site, game("m-1", 1.0))
    with pytest.raises(LogUnavailable, match="its connection is in a transaction"):
        engine.deliver(site)
    site.rollback()
    assert engine.deliver(site).accepted == 0


def test_a_bad_row_is_set_aside_and_the_others_are_delivered(engine: rc.Engine, site: sqlite3.Connection) -> None:
    with site:
        put(site, game("m-1", 1.0), rc.ResultVoided(uid="v-1", of="m-9"), game("m-2", 0.5))
        site.execute('INSERT INTO outbox (event) VALUES (\'{\'), (\'[]\'), (\'{"kind": "game", "uid": "m-3"}\')')
        site.execute("INSERT INTO outbox (event) VALUES (?)", ("[" * 100_000,))
        put(site, game("m-4", 0.0))
    delivered = engine.deliver(site)
    assert (delivered.accepted, [one.number for one in delivered.refused]) == (3, [2, 4, 5, 6, 7])
    assert isinstance(delivered.refused[0].error, UnknownUid)
    errors = dict(left(site))
    assert list(errors) == [2, 4, 5, 6, 7]
    assert errors[2].startswith("UnknownUid: no event has the uid: m-9")
    engine.record(game("m-9", 1.0))
    with site:
        site.execute("UPDATE outbox SET error = NULL WHERE number = 2")
    assert engine.deliver(site).accepted == 1


def test_what_could_not_be_delivered_twice_is_not_put(site: sqlite3.Connection) -> None:
    with pytest.raises(BadValue, match="put the whole result"):
        put(site, rc.ResultAmended(of="m-1", changes={"score": 0.5}))
    with pytest.raises(BadValue, match="must be a name of letters"):
        put(site, game("m-1", 1.0), table='outbox"; DROP TABLE game; --')
    with pytest.raises(BadValue, match="not a connection to a SQLite file"):
        put(object(), game("m-1", 1.0))


def test_a_conflict_that_stays_is_named(engine: rc.Engine, site: sqlite3.Connection) -> None:
    engine.record(rc.ResultVoided(uid="m-1", of=engine.record(game("g-1", 1.0)) and "g-1"))
    with site:
        put(site, game("m-1", 1.0))
    assert isinstance(engine.deliver(site).refused[0].error, Conflict)


def test_connections_of_sqlalchemy_and_of_django(engine: rc.Engine, tmp_path: Path) -> None:
    site = sqlalchemy.create_engine(f"sqlite:///{tmp_path / 'site.db'}")
    with site.begin() as connection:
        put(connection, game("m-1", 1.0))
    with site.connect() as connection:
        assert engine.deliver(connection).accepted == 1
    code = (
        "import sys, django; from django.conf import settings; import ratingcore as rc\n"
        "from ratingcore.outbox import put\n"
        "settings.configure(DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': sys.argv[1]}})\n"
        "django.setup(); from django.db import connection, transaction\n"
        "game = rc.GamePlayed(uid='m-2', pool='rapid', played='2024-03-02', a='ann', b='bo', score=1.0)\n"
        "with transaction.atomic(): put(connection, game)\n"
        "print(rc.open(':memory:').deliver(connection).accepted)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "site.db")], check=True, capture_output=True, text=True
    )
    assert ran.stdout == "1\n"


WORKER = """
import os, random, sqlite3, sys, threading, time
import ratingcore as rc
engine, site = rc.open(sys.argv[1]), sqlite3.connect(sys.argv[2], timeout=60)
threading.Timer(random.uniform(0.05, 0.4), os.kill, (os.getpid(), 9)).start()
while True:
    engine.deliver(site)
    time.sleep(0.001)
"""


def test_two_workers_that_are_killed_lose_and_double_nothing(tmp_path: Path) -> None:
    log, place, random = tmp_path / "club.db", tmp_path / "site.db", Random(7)
    rc.open(log).close()
    site = sqlite3.connect(place, timeout=60)
    last: dict[str, float] = {}
    workers = [subprocess.Popen([sys.executable, "-c", WORKER, log, place]) for _ in range(2)]
    for _ in range(300):
        uid, score = f"m-{random.randrange(60)}", random.choice((0.0, 0.5, 1.0))
        with site:
            put(site, game(uid, score))
        last[uid] = score
        for at, worker in enumerate(workers):
            if worker.poll() is not None and len(workers) < 8:
                workers[at] = subprocess.Popen([sys.executable, "-c", WORKER, log, place])
    for worker in workers:
        worker.kill()
        worker.wait()
    with rc.open(log) as engine:
        engine.deliver(site)
        assert scores(engine) == last
    assert left(site) == []


STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from("abc"), st.sampled_from((0.0, 0.5, 1.0))),
        st.tuples(st.sampled_from("abc"), st.none()),
        st.none(),
    ),
    max_size=25,
)  # fmt: skip
"""A game that is put with a score, or voided where that is None; None delivers."""


@given(STEPS)
@settings(max_examples=60, deadline=None)
def test_rows_that_come_again_after_a_kill_change_nothing(steps: list[tuple[str, float | None] | None]) -> None:
    with rc.open(":memory:") as engine:
        site = sqlite3.connect(":memory:")
        site.execute(TABLE.format("outbox"))
        said = dict[str, float | None]()
        for step in [*steps, None]:
            if step is None:
                waiting = site.execute("SELECT * FROM outbox").fetchall()
                delivered = engine.deliver(site)
                head = engine.log.head
                site.executemany("INSERT INTO outbox VALUES (?, ?, ?)", waiting)
                site.commit()
                again = engine.deliver(site)
                assert (again.accepted, again.refused, engine.log.head) == (0, (), head)
                assert delivered.refused == ()
                assert scores(engine) == {uid: score for uid, score in said.items() if score is not None}
                continue
            uid, score = step
            if (said.get(uid, 1.0) is None) or (score is None and uid not in said):
                continue  # what is void stays so, and what is not there cannot be voided
            said[uid] = score
            with site:
                put(site, rc.ResultVoided(uid=f"v-{uid}", of=uid) if score is None else game(uid, score))


def test_the_table_can_be_made_by_the_program(engine: rc.Engine, site: sqlite3.Connection) -> None:
    site.execute(TABLE.format("waiting"))
    with site:
        put(site, game("m-1", 1.0), table="waiting")
    assert engine.deliver(site, "waiting").accepted == 1
