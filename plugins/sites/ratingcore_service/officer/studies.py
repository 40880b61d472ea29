"""Studies at the desk: jobs as forms, their progress, the command to copy, their results, a world round by round."""

import json
from typing import Any

import msgspec
from attrs import frozen
from msgspec.structs import FieldInfo
from ratingcore_pages.curves import Point, curves

from ratingcore_service.api.jobs import answered, begun, job_of
from ratingcore_service.jobs import offered
from ratingcore_service.officer.sheet import onward, pools, sheet
from ratingcore_service.problems import BadQuery
from ratingcore_service.routing import HTML, JOB, Asked, Reply, Route, Scope
from ratingcore_service.signing_in import form_of
from ratingcore_service.studies import JOBS
from ratingcore_service.wire.queries import NoQuery

ROWS, CELLS = 200, 9
"""How much of a result its page shows."""
MEASURES = ("deviation", "shift", "kendall")
"""Measures of a simulated world that are drawn."""


@frozen
class Wanted:
    """How a field of a study is asked for: in words, by which control, and with an example."""

    label: str
    control: str = "text"
    example: str = ""


WANTED = {
    "methods": Wanted("Methods, one a line", "lines", "elo:k=24\nglicko2"),
    "method": Wanted("Method", "method", "elo:k=24"),
    "pool": Wanted("Pool: those who are rated together", "pool"),
    "since": Wanted("Results from this day on; all if left out", "day"),
    "through": Wanted("Results up to this day; all if left out", "day"),
    "grid": Wanted("Values to try, one parameter a line", "lines", "k=16,24,32"),
    "what": Wanted("Parameters to estimate; those that the method finds right if left out", "text", "sigma1,k"),
    "old": Wanted("The rule that counts today", "method", "elo:k=24"),
    "new": Wanted("The new rule", "method", "elo:k=32"),
    "start": Wanted("From when the new rule counts: today, beginning, or a day", "text", "2024-01-01"),
    "fixtures": Wanted("Games to come, as a table with the headings a and b", "lines", "a,b\nann,bo\nbo,cy"),
    "points": Wanted("Points of a win, a draw, a loss"),
    "scenario": Wanted("World: thesis-1, thesis-2, thesis-3, or one with what is to differ", "text",
                       "thesis-1:players=200,rounds=30"),
    "seed": Wanted("Seed: another number gives another run of the world", "number"),
}  # fmt: skip
"""By the name of the field; others are asked for by their names."""


class RoundQuery(NoQuery, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Up to which round a simulated world is watched."""

    round: int = 1


async def studies(asked: Asked) -> Reply:
    """The studies that can be begun, and those that are kept."""
    every = {**JOBS, **await asked.service.desk.ask(offered)}
    return sheet(asked, "desk_jobs", jobs=every, kept=asked.service.jobs.all())


async def ask(asked: Asked) -> Reply:
    """The form of a study."""
    return await _form(asked, {})


async def begin(asked: Asked) -> Reply:
    """Begins a study."""
    fields = await form_of(asked)
    job = await asked.service.desk.ask(lambda engine: job_of(engine, asked.path["job"]))
    lists = {field.name for field in msgspec.structs.fields(job.body) if "list" in str(field.type)}
    numbers = {field.name for field in msgspec.structs.fields(job.body) if "int" in str(field.type)}
    body: dict[str, Any] = {}
    for name, text in fields.items():
        if text.strip():
            body[name] = text.split() if name in lists else text.strip()
        if name in numbers and text.strip().isdigit():
            body[name] = int(text)
    try:
        made = await begun(asked, asked.path["job"], msgspec.json.encode(body))
    except BadQuery as error:
        return await _form(asked, fields, str(error))
    return onward(asked, f"desk/jobs/{made.id}")


async def look(asked: Asked) -> Reply:
    """How far a study is, and what it found."""
    number = asked.path["id"]
    await asked.service.jobs.settled(number, asked.service.settings.job_wait)
    job = answered(asked, number)
    rows = json.loads(asked.service.jobs.result(number)) if job.state == "done" else []
    rows = rows if isinstance(rows, list) else [rows]
    world = _watched(rows, asked.query.round) if job.job == "simulate" and rows else None
    columns = [name for name in (rows[0] if rows else {}) if any(row.get(name) is not None for row in rows)][:CELLS]
    return sheet(asked, "desk_job", job=job, rows=rows[:ROWS], n=len(rows), columns=columns, world=world)


async def report(asked: Asked) -> Reply:
    """The report of a study, as a file."""
    headers = {"Content-Disposition": 'attachment; filename="report.html"', "Content-Security-Policy": "sandbox"}
    return Reply(asked.service.jobs.result(asked.path["id"], "report.html"), media=HTML, headers=headers)


async def cancel(asked: Asked) -> Reply:
    """Ends a study."""
    await form_of(asked)
    await asked.service.jobs.cancel(asked.path["id"])
    return onward(asked, "desk/jobs")


async def _form(asked: Asked, filled: dict[str, str], wrong: str = "") -> Reply:
    name = asked.path["job"]
    job = await asked.service.desk.ask(lambda engine: job_of(engine, name))
    fields = [
        {"name": field.name, "required": field.required, "wanted": _wanted(field),
         "value": filled.get(field.name, field.default if isinstance(field.default, str | int) else "")}
        for field in msgspec.structs.fields(job.body)
    ]  # fmt: skip
    methods = await asked.service.desk.ask(lambda engine: sorted(engine.registry.methods))
    status, every = 422 if wrong else 200, await pools(asked)
    return sheet(
        asked, "desk_ask", status, name=name, job=job, fields=fields, pools=every, methods=methods, wrong=wrong
    )


def _wanted(field: FieldInfo) -> Wanted:
    """How a field is asked for; one of a plugin's study that nobody described is a text by its name."""
    control = "lines" if "list" in str(field.type) else "text"
    return WANTED.get(field.name) or Wanted(field.name.replace("_", " ").capitalize(), control)


def _watched(rows: list[dict[str, Any]], shown: int) -> dict[str, Any]:
    """A world up to a round: its table, and a picture of each measure that grows with it."""
    last = max(row["round"] for row in rows)
    shown = min(max(shown, 1), last)
    names = list(dict.fromkeys(row["contender"] for row in rows))[:4]
    seen = [row for row in rows if row["round"] <= shown]

    def drawn(measure: str) -> Any:
        series = [
            [Point(row["round"], row[measure]) for row in seen if row["contender"] == name and row[measure] is not None]
            for name in names
        ]  # fmt: skip
        return curves(series, by_game=True)

    return {
        "round": shown, "last": last, "names": names, "now": [row for row in seen if row["round"] == shown],
        "pictures": [(measure, drawn(measure)) for measure in MEASURES],
    }  # fmt: skip


OF_ONE = "/desk/jobs/{id}"
ROUTES = (
    Route("GET", "/desk/jobs", studies, HTML, scope=Scope.OFFICER),
    Route("GET", "/desk/studies/{job}", ask, HTML, scope=Scope.OFFICER),
    Route("POST", "/desk/studies/{job}", begin, HTML, scope=Scope.OFFICER, units=JOB),
    Route("GET", OF_ONE, look, HTML, RoundQuery, scope=Scope.OFFICER),
    Route("GET", f"{OF_ONE}/report", report, HTML, scope=Scope.OFFICER),
    Route("POST", f"{OF_ONE}/cancel", cancel, HTML, scope=Scope.OFFICER),
)
