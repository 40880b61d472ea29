"""A mixed hour in a minute: kills, a full disk, clocks that go back and a database that restarts, under every writer.

Writers send results and corrections, officers bring files, a command imports others, readers read. What was
acknowledged is in the log afterwards, each once. By hand, on a file and on PostgreSQL:
`python -m tests.service.storm BLOWS SEED`; with the folder of a small disk as third word, PostgreSQL is on that disk
alone, which is full now and then.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from random import Random

import psycopg
from attrs import Factory, define

import ratingcore as rc
from ratingcore.plugin.stores import BUSY_SECONDS
from tests.plugins.ratingcore_postgres.server import Server as Database
from tests.plugins.ratingcore_postgres.server import binaries, running
from tests.service.killing import Blow, Club, Tally, full, kill, killed
from tests.service.serving import GONE, Server, sent

HOURS = (-48.0, -1.0, 0.0, 0.0, 1.0)
"""By how many hours a clock may be wrong."""
LIMITS = [word for name in ("rate", "burst", "cpu_rate") for word in ("--limit", f"{name}=1000000")]
SMALL = 2**31
"""Bytes of a disk that a storm may fill."""
AGAIN = (0, 408, 412, 429, 500, 503, 507)
"""Statuses after which a file is tried again: 500 is what its process says when it was killed."""


@define
class Files:
    """Files of one game each: which were acknowledged, and by whom they are brought."""

    folder: Path
    log: str
    chance: Random = Factory(lambda: Random(1))
    recorded: list[str] = Factory(list)
    reads: Counter[int] = Factory(Counter)
    _count: int = 0

    def _next(self, by: str) -> tuple[str, bytes]:
        self._count += 1
        name = f"{by} {self._count}"
        return name, f"played,a,b,score\n2024-04-02,{name},house,1\n".encode()

    def upload(self, club: Club, token: str) -> None:
        """Brings a file to the desk, and accepts it; again until it is in the log."""
        name, text = self._next("upload")
        address, head = "", ""
        while not club.over.is_set():
            if not address:
                _, made = self._asked(club, "POST", "/api/v1/uploads?name=a.csv&pool=rapid", token, text)
            elif head:
                _, made = self._asked(club, "POST", f"{address}/accept", token, None, If_Match=f'"{head}"')
            else:
                _, made = self._asked(club, "GET", address, token, None)
            state, address, head = made.get("state", ""), made.get("address", address), ""
            if state == "accepted":
                self.recorded.append(name)
                return
            if state == "read":
                head = made["head"]
            elif state == "failed" or made.get("status") == 404:  # its process or its server has ended
                address = ""
            time.sleep(0.1)

    def load(self, club: Club, token: str) -> None:
        """Imports a file by the command, which is killed now and then; again until it says that it is done."""
        name, text = self._next("import")
        file = self.folder / f"{name}.csv"
        file.write_bytes(text)
        words = [sys.executable, "-m", "ratingcore", "import", self.log, str(file), "--pool", "rapid"]
        while not club.over.is_set():
            done = subprocess.Popen(words, env=club.server.environment, stdout=-3, stderr=-3)
            try:
                code = done.wait(self.chance.choice([0.5, 1.0, 60.0]))
            except subprocess.TimeoutExpired:
                done.kill()
                code = done.wait()
            if code == 0:
                self.recorded.append(name)
                return

    def read(self, club: Club, token: str) -> None:
        """Reads the list."""
        method = self.chance.choice(["", "?method=glicko2", "?known_at=1"])
        status, made = self._asked(club, "GET", f"/api/v1/pools/rapid/list{method}", token, None)
        self.reads[status] += 1
        assert status in (0, 200, 429, 503), made
        time.sleep(0.05)

    def _asked(
        self, club: Club, method: str, path: str, token: str, body: bytes | None, **headers: str
    ) -> tuple[int, dict[str, str]]:
        try:
            status, made, _ = sent(club.server, method, path, token, body, **headers)
        except GONE:
            time.sleep(0.1)
            return 0, {}
        assert status < 400 or status in AGAIN or status == 404, made
        return status, made


def wrong_clock(server: Server, chance: Random) -> None:
    """Kills the service, and starts it with a clock that is wrong."""
    server.wrong = 3600.0 * chance.choice(HOURS)
    kill(server, chance)


def full_disk(server: Server, chance: Random) -> None:
    """Lets the files of the service grow no more for a while."""
    with full(server, chance.choice([0, 4096, 65_536])):
        time.sleep(chance.uniform(0.2, 1.0))


def blows_on(database: Database, log: str) -> Iterator[Blow]:
    """What befalls a database: ends of all kinds, no connection left, a locked table, a full disk if it has its own."""

    def power_cut(server: Server, chance: Random) -> None:
        database.kill()
        database.start()

    def restart(server: Server, chance: Random) -> None:
        database.stop(chance.choice([signal.SIGINT, signal.SIGQUIT]))
        database.start()

    def first_process_killed(server: Server, chance: Random) -> None:
        database.stop(signal.SIGKILL)
        database.start()

    def connection_killed(server: Server, chance: Random) -> None:
        """The server then ends all connections, and recovers."""
        with suppress(psycopg.OperationalError), database.connected() as db:
            pids = db.execute("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'").fetchall()
            os.kill(chance.choice(pids)[0], signal.SIGKILL)

    def crowded(server: Server, chance: Random) -> None:
        with ExitStack() as crowd, suppress(psycopg.OperationalError):
            while True:
                try:
                    crowd.enter_context(closing(database.connected()))
                except psycopg.OperationalError:
                    time.sleep(chance.uniform(0.2, 2.0))
                    break

    def locked(server: Server, chance: Random) -> None:
        with suppress(psycopg.OperationalError), database.connected() as db, db.transaction():
            db.execute(f"LOCK TABLE {log.rpartition('=')[2]}.log".encode())
            time.sleep(chance.choice([0.2, 1.0, 2.0, BUSY_SECONDS + 2.0]))

    def full_server(server: Server, chance: Random) -> None:
        filler = database.folder / "filler"
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(2**16))
        time.sleep(chance.uniform(0.2, 2.0))
        filler.unlink()
        if not database.answers():  # it has ended: no room for its own log
            power_cut(server, chance)

    yield from (power_cut, restart, first_process_killed, connection_killed, crowded, locked)
    if shutil.disk_usage(database.folder).total < SMALL:
        yield full_server


def storm(log: str, folder: Path, blows: int, database: Database | None = None, seed: int = 7) -> tuple[Tally, Files]:
    """So many blows on the service of a log, and what is in the log afterwards."""
    files = Files(folder, log)
    own = (full_disk,) if database is None else tuple(blows_on(database, log))
    works = (files.upload, files.load, files.read, files.read)
    tally = killed(log, folder, blows, seed, (kill, kill, wrong_clock, *own), works, LIMITS)
    with rc.open(log, read_only=True) as engine:
        played = Counter(event.a for _, event in engine.events() if isinstance(event, rc.GamePlayed))
    brought = {name: count for name, count in played.items() if name.startswith(("upload ", "import "))}
    assert [name for name in files.recorded if name not in brought] == [], "acknowledged, and lost"
    assert [name for name, count in brought.items() if count > 1] == [], "recorded twice"
    return tally, files


def main(blows: str, seed: str = "7", small: str = "") -> None:
    """Prints what a storm on a file came to, and on PostgreSQL where its programs are installed."""
    with ExitStack() as places:
        logs: dict[str, tuple[str, Database | None]] = {}
        if not small:
            logs["a file"] = _folder(places) + "/club.db", None
        if binaries() is not None:
            server = places.enter_context(running(small or None))
            logs["PostgreSQL"] = server.address("storm"), server
        for place, (log, database) in logs.items():
            began = time.monotonic()
            tally, files = storm(log, Path(_folder(places)), int(blows), database, int(seed))
            print(f"{place}: {tally}, {len(files.recorded)} files, reads {dict(files.reads)}", end=", ")
            print(f"{time.monotonic() - began:.0f} s", flush=True)


def _folder(places: ExitStack) -> str:
    return places.enter_context(tempfile.TemporaryDirectory())


if __name__ == "__main__":
    main(*sys.argv[1:])
