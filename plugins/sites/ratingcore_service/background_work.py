"""Background work, one task at a time, each in its own folder, which is kept for a while."""

import asyncio
import os
import re
import shutil
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from ratingcore_service.problems import NotFound

LOCK = "lock"
LOOK = 0.5
"""Seconds between two checks whether another process has dropped the work."""


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
        self._going: dict[str, asyncio.Task[None]] = {}
        self._watches: set[asyncio.Task[None]] = set()
        self._held: dict[str, int] = {}
        """Locked files of the work in progress, by which other processes see it, also after this process has died."""
        self._one = asyncio.Semaphore(1)

    def _start(self, number: str, work: Coroutine[Any, Any, None]) -> None:
        """Begins work, and replaces earlier work under the same id."""
        if number in self._going:
            self._going[number].cancel()
        if number in self._held and _is_gone(self._held[number]):
            os.close(self._held.pop(number))
        task = self._going[number] = asyncio.create_task(work)
        if number not in self._held:
            self._held[number] = os.open(self._folder / number / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
            _lock(self._held[number])

        def ended(task: "asyncio.Task[None]") -> None:
            if self._going.get(number) is task:
                del self._going[number]
                os.close(self._held.pop(number))

        task.add_done_callback(ended)
        watch = asyncio.create_task(self._watch(number, task))
        self._watches.add(watch)
        watch.add_done_callback(self._watches.discard)

    async def _watch(self, number: str, task: "asyncio.Task[None]") -> None:
        """Cancels work once another process has deleted its folder."""
        while not (await asyncio.wait([task], timeout=LOOK))[0]:
            if number in self._held and _is_gone(self._held[number]):
                task.cancel()
                return

    def goes(self, number: str) -> bool:
        """True if work is in progress, in this process or in another one with the same folder."""
        if number in self._going:
            return True
        try:
            with (self._folder / number / LOCK).open("rb") as file:
                return not _lock(file.fileno())
        except FileNotFoundError:
            return False

    async def settled(self, number: str, seconds: float) -> None:
        """Waits until work is done, for up to some seconds."""
        if number in self._going:
            await asyncio.wait([self._going[number]], timeout=seconds)

    async def drop(self, number: str) -> None:
        """Cancels work, and deletes its folder.

        Raises
        ------
        NotFound
        """
        folder = self._of(number)
        if number in self._going:
            self._going[number].cancel()
            await asyncio.wait([self._going[number]])
        shutil.rmtree(folder, ignore_errors=True)

    async def empty(self) -> None:
        """Cancels and deletes all work, as after an erasure, since its input and results may contain the name."""
        going = list(self._going.values())
        for task in going:
            task.cancel()
        if going:
            await asyncio.wait(going)
        async with self._one:  # a recording in progress is finished first
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


def _lock(file: int) -> bool:
    """Locks a file until it is closed or the process ends; returns whether it was free."""
    try:
        import fcntl
    except ImportError:  # on Windows there is only one process
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_gone(file: int) -> bool:
    """True if an open file has been deleted."""
    return os.fstat(file).st_nlink == 0


_ID = re.compile(r"[0-9a-f]{32}")


def replace(file: Path, text: bytes) -> None:
    """Writes a file atomically."""
    new = file.with_name(f"{file.name}.new")
    new.write_bytes(text)
    new.replace(file)
