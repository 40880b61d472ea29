"""Routes of the API for long questions: begun, looked after, read, ended."""

from typing import Any

import msgspec
from starlette.responses import Response

from ratingcore import Engine
from ratingcore_service.access import check_whole_log
from ratingcore_service.job_types import JobAnswer, Order
from ratingcore_service.jobs import Job, offered
from ratingcore_service.problems import BadQuery, NotAllowed
from ratingcore_service.routing import HTML, JOB, JSON, Asked, Reply, Route, Scope
from ratingcore_service.studies import JOBS


async def begin(asked: Asked) -> Reply:
    """Begins a job; asked for again with the same words, it is the same one."""
    made = await begun(asked, asked.body.job, msgspec.json.decode(asked.body.ask))
    return Reply(made, 202, headers={"Location": made.address})


async def look(asked: Asked) -> JobAnswer:
    """How far a job is."""
    check_whole_log(asked.caller)
    return answered(asked, asked.path["id"])


async def result(asked: Asked) -> Reply:
    """The rows that a job found, as its command prints them."""
    check_whole_log(asked.caller)
    return Reply(asked.service.jobs.result(asked.path["id"]))


async def report(asked: Asked) -> Reply:
    """The report of a job, a page of its own."""
    check_whole_log(asked.caller)
    headers = {"Content-Disposition": 'attachment; filename="report.html"', "Content-Security-Policy": "sandbox"}
    return Reply(asked.service.jobs.result(asked.path["id"], "report.html"), media=HTML, headers=headers)


async def cancel(asked: Asked) -> Response:
    """Ends a job, and forgets it."""
    check_whole_log(asked.caller)
    await asked.service.jobs.cancel(asked.path["id"])
    return Response(status_code=204)


async def begun(asked: Asked, name: str, given: Any, *, strict: bool = True) -> JobAnswer:
    """Begins the job of a name with what is asked; unless it is strict, numbers may be texts.

    Raises
    ------
    BadQuery, NotAllowed, Busy
    """
    check_whole_log(asked.caller)
    job, head = await asked.service.desk.ask(lambda engine: (job_of(engine, name), engine.log.head))
    if asked.caller.scope < job.scope:
        raise NotAllowed(job.scope.name.lower(), asked.caller.scope.name.lower())
    try:
        what = msgspec.convert(given, job.body, strict=strict)
    except msgspec.ValidationError as error:
        raise BadQuery(str(error)) from None
    number = asked.service.jobs.begin(job, what, head)
    await asked.service.jobs.settled(number, asked.service.settings.job_wait)
    return answered(asked, number)


def every(engine: Engine) -> dict[str, Job[Any]]:
    """The jobs that can be begun, by name: those of the service, and `PLUGIN.NAME`."""
    return {**JOBS, **offered(engine)}


def job_of(engine: Engine, name: str) -> Job[Any]:
    """The job of a name.

    Raises
    ------
    BadQuery
    """
    jobs = every(engine)
    if name not in jobs:
        raise BadQuery(f"there is no job {name[:40]}: jobs are {', '.join(sorted(jobs))}")
    return jobs[name]


def answered(asked: Asked, number: str) -> JobAnswer:
    """A job as it is answered."""
    state, address = asked.service.jobs.state(number), asked.link(f"/api/v1/jobs/{number}")
    results = [f"{address}/result", *([f"{address}/report"] if "report.html" in state.reports else [])]
    return JobAnswer(
        head=state.head, id=number, job=state.job, state=state.state, command=state.command, progress=state.progress,
        error=state.error, address=address, results=results if state.state == "done" else [],
    )  # fmt: skip


ONE = "/api/v1/jobs/{id}"
ROUTES = (
    Route("POST", "/api/v1/jobs", begin, JobAnswer, body=Order, scope=Scope.RECORD, units=JOB, errors=(400, 413, 422),
          status=202, own_pools=True),
    Route("GET", ONE, look, JobAnswer, scope=Scope.RECORD, units=0.5, errors=(404,), own_pools=True),
    Route("DELETE", ONE, cancel, "", scope=Scope.RECORD, errors=(404,), status=204, own_pools=True),
    Route("GET", f"{ONE}/result", result, JSON, scope=Scope.RECORD, errors=(404,), own_pools=True),
    Route("GET", f"{ONE}/report", report, HTML, scope=Scope.RECORD, errors=(404,), own_pools=True),
)  # fmt: skip
