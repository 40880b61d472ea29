"""Work in the background, one at a time; each piece has its own folder, which is kept for a while."""

import asyncio
import os
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from pathlib import Path

from ratingcore_service import bounded_process
from ratingcore_service.bounded_process import Bounds
from ratingcore_service.problems import NotFound

LOCK = "lock"
LOOK = 0.5
"""Seconds between two checks whether work has been dropped."""


class Work:
    """Work in progress; other processes see it by the lock of a file in its folder, also after this process has died.

    Parameters
    ----------
    folder : path
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.done, self.dropped = folder, Future[None](), False
        self._lock = (folder / LOCK).open("wb")
        _lock(self._lock.fileno(), shared=True)

    def check(self) -> None:
        """Ends work that has been dropped, here or by another process, which has deleted its folder.

        Raises
        ------
        NotFound
        """
        if self.dropped or os.fstat(self._lock.fileno()).st_nlink == 0:
            raise NotFound(f"work {self.folder.name}")

    def run(self, words: Sequence[str], bounds: Bounds, given: bytes | None = None) -> int:
        """Runs Python with some arguments in the folder; its stdout and stderr go to the files `out` and `err` there.

        Returns
        -------
        int
            Its exit code.

        Raises
        ------
        NotFound
            If the work is dropped; the process is ended with all that it started.
        """
        with (self.folder / "out").open("wb") as out, (self.folder / "err").open("wb") as err:
            process = bounded_process.start(words, bounds, stdout=out, stderr=err, cwd=self.folder)
        try:
            while process.returncode is None:
                self.check()
                with suppress(subprocess.TimeoutExpired):
                    process.communicate(given, LOOK)
                given = None  # the next call goes on with it
            return process.returncode
        finally:
            bounded_process.end(process)

    def close(self) -> None:
        """Unlocks its file."""
        self._lock.close()
        self.done.set_result(None)


class BackgroundWork:
    """Base of the two kinds of background work: reading of uploads, and jobs.

    Parameters
    ----------
    folder : path
        Created with the first work.
    absent : str
        Text of the error for an unknown id: `upload {id}: an upload is kept for a day`.
    """

    def __init__(self, folder: Path, absent: str) -> None:
        self._folder, self._absent = folder, absent
        self._going: dict[str, Work] = {}
        self._one = threading.Lock()

    def _start(self, number: str, carry_out: Callable[[Work], None]) -> None:
        """Begins work in a thread, and replaces earlier work under the same id."""
        if number in self._going:
            self._going[number].dropped = True
        work = self._going[number] = Work(self._folder / number)
        threading.Thread(target=self._work, args=(number, work, carry_out), name="work", daemon=True).start()

    def _work(self, number: str, work: Work, carry_out: Callable[[Work], None]) -> None:
        with suppress(NotFound, FileNotFoundError), closing(work):  # it is dropped, and its folder deleted
            try:
                while not self._one.acquire(timeout=LOOK):
                    work.check()
                try:
                    work.check()
                    carry_out(work)
                finally:
                    self._one.release()
            finally:
                if self._going.get(number) is work:
                    del self._going[number]

    def goes(self, number: str) -> bool:
        """True if work is in progress, in this process or in another one with the same folder."""
        if number in self._going:
            return True
        try:
            with (self._folder / number / LOCK).open("rb") as file:
                return not _lock(file.fileno())
        except FileNotFoundError:
            return False

    async def settled(self, number: str, seconds: float | None = None) -> None:
        """Waits until work is done, for up to some seconds."""
        if number in self._going:
            await asyncio.wait([asyncio.wrap_future(self._going[number].done)], timeout=seconds)

    async def drop(self, number: str) -> None:
        """Cancels work, and deletes its folder.

        Raises
        ------
        NotFound
        """
        folder = self._of(number)
        if number in self._going:
            self._going[number].dropped = True
            await self.settled(number)
        shutil.rmtree(folder, ignore_errors=True)

    def end(self) -> None:
        """Cancels all work; a recording in progress is finished first."""
        for work in list(self._going.values()):
            work.dropped = True
        with self._one:
            pass

    def empty(self) -> None:
        """Cancels and deletes all work, as after an erasure, since its input and results may contain the name."""
        self.end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _of(self, number: str) -> Path:
        """Returns the folder of some work."""
        folder = self._folder / number
        if not _ID.fullmatch(number) or not folder.is_dir():
            raise NotFound(self._absent.format(id=number[:40]))
        return folder

    def _new(self, number: str, most: int, seconds: float = float("inf")) -> Path:
        """Creates a folder; of the others it deletes all but the newest `most - 1`, and those older than `seconds`."""
        before = list(self._folder.iterdir()) if self._folder.is_dir() else []
        ages = sorted(((folder.stat().st_mtime, folder) for folder in before), reverse=True)
        for place, (made, folder) in enumerate(ages):
            if (place >= most - 1 or made < time.time() - seconds) and not self.goes(folder.name):
                shutil.rmtree(folder, ignore_errors=True)
        new = self._folder / number
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True, mode=0o700)
        return new


def _lock(file: int, *, shared: bool = False) -> bool:
    """Locks a file until it is closed or the process ends; returns whether nobody else has."""
    try:
        import fcntl
    except ImportError:  # on Windows there is only one process
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


_ID = re.compile(r"[0-9a-f]{32}")


def replace(file: Path, text: bytes) -> None:
    """Writes a file atomically."""
    new = file.with_name(f"{file.name}.new")
    new.write_bytes(text)
    new.replace(file)
