"""Jobs: long questions, each a command line in a process of its own, one at a time; the last few are kept."""

import asyncio
import hashlib
import shlex
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from attrs import frozen

from ratingcore import Engine, Head
from ratingcore_service import bounded
from ratingcore_service.bounded import Bounds
from ratingcore_service.job_types import JobState, Told
from ratingcore_service.problems import Busy, NotFound
from ratingcore_service.routing import Scope
from ratingcore_service.settings import Settings

LOG = "LOG"
"""Stands for the log in the words of a command."""
GOING = ("waiting", "running")


Body = TypeVar("Body", bound=msgspec.Struct)


@frozen
class Job(Generic[Body]):
    """A command line that can be run as a job.

    Parameters
    ----------
    name : str
    body : type of Struct
        What is asked.
    command : callable
        `(body, head) -> words` of the command after `ratingcore`, with `LOG` in place of the log. Words that begin
        with `@` are names of files that the job writes: `@report.html` is shown as its report.
    scope : Scope
    about : str
        What it finds out, in a sentence.
    files : callable
        `body -> texts` by the names under which the words of the command mean them.
    """

    name: str
    body: type[Body]
    command: Callable[[Body, Head], Sequence[str]]
    scope: Scope = Scope.RECORD
    about: str = ""
    files: Callable[[Body], Mapping[str, str]] = lambda body: {}


def offered(engine: Engine) -> dict[str, Job[Any]]:
    """The jobs of plugins, by name: the hook `ratingcore_jobs` returns a list of them."""

    def read(jobs: object) -> list[Job[Any]]:
        if not isinstance(jobs, list) or not all(isinstance(job, Job) for job in jobs):
            raise TypeError("ratingcore_jobs returns a list of Job")
        return jobs

    found = engine.registry.offered("ratingcore_jobs", read)
    return {f"{plugin}.{job.name}": job for plugin, jobs in found.items() for job in jobs}


class Jobs:
    """The jobs of a service.

    Parameters
    ----------
    address : str
        The log, as another process opens it.
    shown : str
        The log, as commands that are shown name it.
    folder : path
    settings : Settings
    """

    def __init__(self, address: str, shown: str, folder: Path, settings: Settings) -> None:
        self._address, self._shown, self._folder, self._settings = address, shown, folder, settings
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._one = asyncio.Semaphore(1)

    def begin(self, job: Job[Any], body: msgspec.Struct, head: Head) -> str:
        """Begins a job, or finds the one that was asked before with the same words of the same log; its id.

        Raises
        ------
        Busy
            If as many wait as are kept.
        """
        words = list(job.command(body, head))
        files = job.files(body)
        number = hashlib.sha256("\0".join([*words, *files.values(), str(head)]).encode()).hexdigest()[:32]
        folder = self._folder / number
        if folder.is_dir() and self.state(number).state in (*GOING, "done"):
            return number
        if len(self._tasks) >= self._settings.jobs:
            raise Busy()
        self._tidy()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, mode=0o700)
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
        shown = shlex.join(["ratingcore", *(self._shown if word == LOG else word.removeprefix("@") for word in words)])
        state = JobState(state="waiting", job=job.name, command=shown, head=str(head), made=time.time())
        self._write(number, state)
        task = asyncio.create_task(self._run(number, state, words))
        self._tasks[number] = task
        task.add_done_callback(lambda _: self._tasks.pop(number, None))
        return number

    async def settled(self, number: str, seconds: float) -> None:
        """Waits until a job is done, but no longer than so many seconds."""
        if number in self._tasks:
            await asyncio.wait([self._tasks[number]], timeout=seconds)

    def state(self, number: str) -> JobState:
        """How far a job is.

        Raises
        ------
        NotFound
        """
        folder = self._of(number)
        state = msgspec.json.decode((folder / "state").read_bytes(), type=JobState)
        if state.state in GOING and number not in self._tasks:
            state.state, state.error = "ended", "the server ended before the job did"
        if state.state in ("running", "failed"):
            state.progress = _last_line(folder / "err", self._hidden)
        return state

    def result(self, number: str, name: str = "out") -> bytes:
        """What a job wrote: its rows as JSON, or its report.

        Raises
        ------
        NotFound
        """
        file = self._of(number) / name
        if self.state(number).state != "done" or not file.is_file():
            raise NotFound(f"such result of job {number}")
        return file.read_bytes()

    def all(self) -> list[Told]:
        """The jobs that are kept, the newest first."""
        if not self._folder.is_dir():
            return []
        found = [(self.state(one.name), one.name) for one in self._folder.iterdir() if (one / "state").is_file()]
        return [Told(id=number, state=state) for state, number in sorted(found, key=lambda pair: -pair[0].made)]

    async def cancel(self, number: str) -> None:
        """Ends a job, and forgets it.

        Raises
        ------
        NotFound
        """
        folder = self._of(number)
        task = self._tasks.get(number)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
        shutil.rmtree(folder, ignore_errors=True)

    async def empty(self) -> None:
        """Ends and forgets all jobs, as after an erasure: what is asked of them and what they found hold names."""
        for told in self.all():  # the newest first, so that none begins because another was ended
            with suppress(NotFound):  # somebody else forgot it meanwhile
                await self.cancel(told.id)

    async def _run(self, number: str, state: JobState, words: Sequence[str]) -> None:
        folder, chosen = self._folder / number, self._settings
        real = [self._address if word == LOG else word.removeprefix("@") for word in words]
        async with self._one:
            state.state = "running"
            self._write(number, state)
            bounds = Bounds(chosen.job_memory, chosen.job_seconds, chosen.unpacked_bytes)
            process = await bounded.start(["-m", "ratingcore", *real], bounds, folder)
            try:
                code = await process.wait()
            finally:
                await asyncio.shield(bounded.end(process))
        if folder.is_dir():
            state.state = "done" if code == 0 else "failed"
            state.reports = sorted(word[1:] for word in words if word[:1] == "@" and (folder / word[1:]).is_file())
            state.error = "" if code == 0 else _last_line(folder / "err", self._hidden) or f"it ended with {code}"
            self._write(number, state)

    def _hidden(self, text: str) -> str:
        return text.replace(self._address, self._shown).replace(str(self._folder), "")

    def _write(self, number: str, state: JobState) -> None:
        new = self._folder / number / "state.new"
        new.write_bytes(msgspec.json.encode(state))
        new.replace(self._folder / number / "state")

    def _of(self, number: str) -> Path:
        folder = self._folder / number
        if not (len(number) == 32 and number.isalnum() and (folder / "state").is_file()):
            raise NotFound(f"job {number[:40]}: the last {self._settings.jobs} are kept")
        return folder

    def _tidy(self) -> None:
        for told in self.all()[self._settings.jobs - 1 :]:
            if told.id not in self._tasks:
                shutil.rmtree(self._folder / told.id, ignore_errors=True)


def _last_line(file: Path, hidden: Callable[[str], str]) -> str:
    """The last line that a process said; counters write theirs over and over."""
    if not file.is_file():
        return ""
    said = file.read_bytes()[-4000:].decode("utf-8", "replace").replace("\r", "\n").splitlines()
    errors = [line for line in said if line.startswith("error")]
    return hidden(next(iter(errors or [line for line in said[::-1] if line.strip()]), ""))[:400]
