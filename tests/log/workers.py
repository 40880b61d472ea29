"""Other processes for tests of the log: one imports everything once and forks the rest, in a moment."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).parents[2]

Say = Callable[..., None]


class Worker:
    """A forked process; iterating reads what it says, until it ends."""

    def __init__(self, pid: int, pipe: Path) -> None:
        self.pid = pid
        self._lines = pipe.open()
        self._ended = self._killed = False

    def __iter__(self) -> Iterator[Any]:
        for line in self._lines:
            if line.endswith("\n"):  # a killed process may leave half a line
                yield json.loads(line)
        self._ended = True
        self._lines.close()

    def kill(self) -> None:
        if not self._killed:
            with suppress(ProcessLookupError):  # it may have come to its end meanwhile
                os.kill(self.pid, signal.SIGKILL)
        self._killed = True

    def stop(self) -> None:
        """End it, however far it is."""
        if not self._ended:
            self.kill()
            for _ in self:
                pass


class Workers:
    """The process that forks workers."""

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory()
        self._count = 0
        self._started: list[Worker] = []
        environment = os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.log.workers"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT,
        )  # fmt: skip
        return self

    def start(self, job: str, *args: object) -> Worker:
        """Run a job of `tests.log.jobs` in a process of its own."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._count += 1
        pipe = Path(self._folder.name, str(self._count))
        os.mkfifo(pipe)
        self._process.stdin.write(json.dumps([job, str(pipe), *args]) + "\n")
        self._process.stdin.flush()
        worker = Worker(int(self._process.stdout.readline()), pipe)
        self._started.append(worker)
        return worker

    def stop(self) -> None:
        """End all workers."""
        while self._started:
            self._started.pop().stop()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(10)
        self._folder.cleanup()


def _work(job: str, pipe: str, *args: Any) -> None:
    from tests.log import jobs

    out = os.open(pipe, os.O_WRONLY)

    def say(*words: object) -> None:
        os.write(out, json.dumps(words).encode() + b"\n")

    getattr(jobs, job)(say, *args)


def _main() -> None:
    import tests.log.jobs  # noqa: F401  # imported once, before forking

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for line in sys.stdin:
        pid = os.fork()
        if pid:
            print(pid, flush=True)
            continue
        code = 1
        try:
            os.close(0)
            _work(*json.loads(line))
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)


if __name__ == "__main__":
    _main()
