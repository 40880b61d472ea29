"""Jobs: command lines that take long, run one at a time in separate processes; the last few are kept."""

import hashlib
import shlex
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct
from starlette.responses import Response

from ratingcore import Engine, Head
from ratingcore_service.background_work import BackgroundWork, Work, replace
from ratingcore_service.bounded_process import Bounds
from ratingcore_service.hooks import LOG, Job, offered_jobs
from ratingcore_service.problems import BadQuery, Busy, NotAllowed, NotFound
from ratingcore_service.routing import HTML, JOB, JSON, Asked, Reply, Route, Scope
from ratingcore_service.settings import Settings
from ratingcore_service.studies import JOBS
from ratingcore_service.validation import refusal
from ratingcore_service.wire import Headed, Name, answer

State = Literal["waiting", "running", "done", "failed", "ended"]


class JobState(Struct, kw_only=True):
    """Progress of a job."""

    state: State
    job: str
    command: str
    head: str
    made: float
    progress: str = ""
    error: str = ""
    reports: list[str] = []


class Order(Struct, forbid_unknown_fields=True, kw_only=True):
    """A request for a job: its name and its arguments."""

    job: Name
    ask: Raw


class JobAnswer(Headed, kw_only=True):
    """A job: its command, its progress, and the addresses of its results once it is done."""

    id: str
    job: str
    state: State
    command: str
    progress: str
    error: str
    address: str
    results: list[str]


GOING = ("waiting", "running")


class Jobs(BackgroundWork):
    """The jobs of a service.

    Parameters
    ----------
    address : str
        Address of the log for another process.
    shown : str
        Name of the log in commands that are shown.
    folder : path
    settings : Settings
    """

    def __init__(self, address: str, shown: str, folder: Path, settings: Settings) -> None:
        super().__init__(folder, f"job {{id}}: the last {settings.jobs} are kept")
        self._address, self._shown, self._settings = address, shown, settings

    def begin(self, job: Job[Any], body: msgspec.Struct, head: Head) -> str:
        """Begins a job, unless there is an equal one on the same head of the log; returns its id.

        Raises
        ------
        BadQuery
            If a word cannot be part of a command line.
        Busy
            If too many jobs are going.
        """
        words = list(job.command(body, head))
        if any("\0" in word for word in words):
            raise BadQuery("no value of a job can contain the character NUL")
        files = job.files(body)
        number = hashlib.sha256("\0".join([*words, *files.values(), str(head)]).encode()).hexdigest()[:32]
        if (self._folder / number).is_dir() and self.state(number).state in (*GOING, "done"):
            return number
        if len(self._going) >= self._settings.jobs:
            raise Busy()
        folder = self._new(number, self._settings.jobs)
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
        shown = shlex.join(["ratingcore", *(self._shown if word == LOG else word.removeprefix("@") for word in words)])
        state = JobState(state="waiting", job=job.name, command=shown, head=str(head), made=time.time())
        self._write(number, state)
        self._start(number, lambda work: self._run(work, state, words))
        return number

    def state(self, number: str) -> JobState:
        """Returns the progress of a job.

        Raises
        ------
        NotFound
        """
        folder = self._of(number)
        state = msgspec.json.decode((folder / "state").read_bytes(), type=JobState)
        if state.state in GOING and not self.goes(number):
            state.state, state.error = "ended", "the server ended before the job did"
        if state.state in ("running", "failed"):
            state.progress = _last_line(folder / "err", self._hidden)
        return state

    def result(self, number: str, name: str = "out") -> bytes:
        """Returns a file that a job wrote: by default its output, rows as JSON.

        Raises
        ------
        NotFound
        """
        file = self._of(number) / name
        if self.state(number).state != "done" or not file.is_file():
            raise NotFound(f"such result of job {number}")
        return file.read_bytes()

    def all(self) -> list[tuple[str, JobState]]:
        """Returns the jobs kept, with their ids, newest first."""
        if not self._folder.is_dir():
            return []
        found = [(one.name, self.state(one.name)) for one in self._folder.iterdir() if (one / "state").is_file()]
        return sorted(found, key=lambda pair: -pair[1].made)

    def _run(self, work: Work, state: JobState, words: Sequence[str]) -> None:
        folder, chosen = work.folder, self._settings
        real = [self._address if word == LOG else word.removeprefix("@") for word in words]
        state.state = "running"
        self._write(folder.name, state)
        bounds = Bounds(chosen.job_memory, chosen.job_seconds, chosen.unpacked_bytes)
        code = work.run(["-m", "ratingcore", *real], bounds)
        state.state = "done" if code == 0 else "failed"
        state.reports = sorted(word[1:] for word in words if word[:1] == "@" and (folder / word[1:]).is_file())
        state.error = "" if code == 0 else _last_line(folder / "err", self._hidden) or f"it ended with {code}"
        self._write(folder.name, state)

    def _hidden(self, text: str) -> str:
        return text.replace(self._address, self._shown).replace(str(self._folder), "")

    def _write(self, number: str, state: JobState) -> None:
        replace(self._folder / number / "state", msgspec.json.encode(state))


def _last_line(file: Path, hidden: Callable[[str], str]) -> str:
    """Returns the first line that begins with `error`, else the last line; a carriage return ends a line too."""
    if not file.is_file():
        return ""
    lines = file.read_bytes()[-4000:].decode("utf-8", "replace").replace("\r", "\n").splitlines()
    errors = [line for line in lines if line.startswith("error")]
    return hidden(next(iter(errors or [line for line in lines[::-1] if line.strip()]), ""))[:400]


async def begin(asked: Asked) -> Reply:
    """Begins a job, or answers with the earlier one if its command is the same."""
    made = await begun(asked, asked.body.job, msgspec.json.decode(asked.body.ask))
    return Reply(made, 202, headers={"Location": made.address})


async def look(asked: Asked) -> JobAnswer:
    """Returns the progress of a job."""
    return answered(asked, asked.path["id"])


async def result(asked: Asked) -> Reply:
    """Returns the rows that the command of a job printed."""
    return Reply(asked.service.jobs.result(asked.path["id"]))


async def report(asked: Asked) -> Reply:
    """Returns the report of a job as a page."""
    headers = {"Content-Disposition": 'attachment; filename="report.html"', "Content-Security-Policy": "sandbox"}
    return Reply(asked.service.jobs.result(asked.path["id"], "report.html"), media=HTML, headers=headers)


async def cancel(asked: Asked) -> Response:
    """Ends a job, and deletes its results."""
    await asked.service.jobs.drop(asked.path["id"])
    return Response(status_code=204)


async def begun(asked: Asked, name: str, given: Any, *, strict: bool = True) -> JobAnswer:
    """Begins a job by name with its arguments; unless `strict`, numbers may be given as texts.

    Raises
    ------
    BadQuery, NotAllowed, Busy
    """
    job, head = await asked.service.desk.ask(lambda engine: (job_of(engine, name), engine.log.head))
    if asked.caller.scope < job.scope:
        raise NotAllowed(job.scope.name.lower(), asked.caller.scope.name.lower())
    try:
        what = msgspec.convert(given, job.body, strict=strict)
    except msgspec.ValidationError as error:
        raise refusal(error, given) from None
    number = asked.service.jobs.begin(job, what, head)
    await asked.service.jobs.settled(number, asked.service.settings.job_wait)
    return answered(asked, number)


def every(engine: Engine) -> dict[str, Job[Any]]:
    """Returns all jobs by name: the service's own, and those of plugins as `PLUGIN.NAME`."""
    return {**JOBS, **offered_jobs(engine)}


def job_of(engine: Engine, name: str) -> Job[Any]:
    """Returns the job of a name.

    Raises
    ------
    BadQuery
    """
    jobs = every(engine)
    if name not in jobs:
        raise BadQuery(f"there is no job {name[:40]}: jobs are {', '.join(sorted(jobs))}")
    return jobs[name]


def answered(asked: Asked, number: str) -> JobAnswer:
    """Returns the answer about a job."""
    state, address = asked.service.jobs.state(number), asked.link(f"/api/v1/jobs/{number}")
    results = [f"{address}/result", *([f"{address}/report"] if "report.html" in state.reports else [])]
    results = results if state.state == "done" else []
    return answer(JobAnswer, state, id=number, address=address, results=results)


ONE = "/api/v1/jobs/{id}"
ROUTES = (
    Route("POST", "/api/v1/jobs", begin, JobAnswer, body=Order, scope=Scope.RECORD, units=JOB, status=202),
    Route("GET", ONE, look, JobAnswer, scope=Scope.RECORD, units=0.5),
    Route("DELETE", ONE, cancel, "", scope=Scope.RECORD, status=204),
    Route("GET", f"{ONE}/result", result, JSON, scope=Scope.RECORD),
    Route("GET", f"{ONE}/report", report, HTML, scope=Scope.RECORD),
)
