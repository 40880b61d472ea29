"""Desk pages for studies: forms that begin jobs, their progress and results, and a simulated world round by round."""

import json
import tomllib
from typing import Any
from urllib.parse import urlencode

import msgspec
import numpy as np
from msgspec import Struct
from ratingcore_pages.curves import curves

from ratingcore_service.contract import plain
from ratingcore_service.jobs import Jobs, answered, begun, every, job_of, report
from ratingcore_service.officer import refusals
from ratingcore_service.officer.forms import form, form_of, given, onward, pools, sheet
from ratingcore_service.problems import BadQuery
from ratingcore_service.routing import HTML, JOB, Asked, Reply, Route, Scope
from ratingcore_service.studies import CHOICES, JOBS
from ratingcore_service.wire import Query

ROWS, CELLS = 200, 9
"""Number of rows, and of cells of each, of a result that its page shows."""
MEASURES = ("deviation", "shift", "kendall")
"""Measures of a simulated world that are drawn."""


class RoundQuery(Query, kw_only=True):
    """Query of a study: the last round of a simulated world to show; 0 for the first with an active player."""

    round: int = 0


async def studies(asked: Asked) -> Reply:
    """Lists the studies that can be started, and those kept from earlier."""
    return sheet(asked, "desk_jobs", jobs=await asked.service.desk.ask(every), kept=asked.service.jobs.all())


async def study(asked: Asked) -> Reply:
    """Shows the form of a study; starts the study when the form is submitted."""
    name, fields, wrong = asked.path["job"], await form_of(asked), ""
    job, methods = await asked.service.desk.ask(lambda engine: (job_of(engine, name), sorted(engine.registry.methods)))
    kinds = fields_of(job.body)
    if fields:
        filled = given(fields, *kinds)
        body = {field: text.split() if kinds[field]["several"] else text for field, text in filled.items()}
        try:
            made = await begun(asked, name, body, strict=False)
            return onward(asked, f"desk/jobs/{made.id}")
        except BadQuery as error:
            wrong, _ = refusals.in_words(error, asked.service.look.environment.filters["word"])
    return sheet(
        asked, "desk_ask", 422 if wrong else 200, name=name, job=job, fields=kinds, filled=fields,
        pools=await pools(asked), methods=methods, wrong=wrong,
    )  # fmt: skip


async def look(asked: Asked) -> Reply:
    """Shows the progress of a study, and its results."""
    number = asked.path["id"]
    await asked.service.jobs.settled(number, asked.service.settings.job_wait)
    job = answered(asked, number)
    rows = json.loads(asked.service.jobs.result(number)) if job.state == "done" else []
    rows = rows if isinstance(rows, list) else [rows]
    world = _watched(rows, asked.query.round) if job.job == "simulate" and rows else None
    columns = [name for name in (rows[0] if rows else {}) if any(row.get(name) is not None for row in rows)][:CELLS]
    about = JOBS[job.job].about if job.job in JOBS else ""
    change = _change(asked.service.jobs, number, rows) if job.job == "backdate" and job.state == "done" else None
    return sheet(
        asked, "desk_job", job=job, about=about, rows=rows[:ROWS], n=len(rows), columns=columns, world=world,
        change=change,
    )  # fmt: skip


def _change(jobs: Jobs, number: str, rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Returns the figures of a comparison of two rules, and the query of the form that declares the new one.

    None if the new rule begins after the last result.
    """
    plan = tomllib.loads(jobs.result(number, "plan.toml").decode())
    made = json.loads(jobs.result(number, CHOICES.removeprefix("@")))
    *_, row = made["tables"]["summary"]["rows"]
    if row["moved_by"] is None:
        return None
    moved = [(name, old, new, change) for name, _, _, old, _, new, change in map(dict.values, rows) if change != 0]
    names = ("player", "rating_without", "rating_with", "change")
    movers = [dict(zip(names, one, strict=True)) for one in sorted(moved, key=lambda one: -abs(one[3] or 0.0))]
    day = made["tables"]["forecasts"]["rows"][0]["since"] if plan["start"] == "today" else plan["start"]
    scored = [one["log_loss"] for one in made["tables"]["forecasts"]["rows"] if one["on"] == "common games"]
    better = 0 if row["low"] is None or row["low"] <= 0 <= row["high"] else 1 if row["low"] > 0 else -1
    starting = "" if day == "beginning" else day
    form = urlencode({"pool": made["pool"], "method": made["new"], "starting": starting})
    return {**row, "old": made["old"], "new": made["new"], "pool": made["pool"], "day": starting, "better": better,
            "before": scored[0], "after": scored[-1], "form": form, "moved": len(moved), "rows": movers,
            "most": max((abs(one[3] or 0.0) for one in moved), default=0.0)}  # fmt: skip


async def cancel(asked: Asked) -> Reply:
    """Ends a study."""
    await form_of(asked)
    await asked.service.jobs.drop(asked.path["id"])
    return onward(asked, "desk/jobs")


def fields_of(body: type[Struct]) -> dict[str, dict[str, Any]]:
    """Returns the form control of each field of a study, by name; its title and kind come from the field's schema.

    Fields without these, as plugins may have, become text fields titled by name.
    """
    schema = next(iter(msgspec.json.schema(body)["$defs"].values()))
    found = {}
    for name, field in schema["properties"].items():
        kind, several = plain(field), plain(field).get("type") == "array"
        found[name] = {
            "title": kind.get("title", name.replace("_", " ").capitalize()), "several": several,
            "control": kind.get("format", "lines" if several else "text"), "example": kind.get("examples", [""])[0],
            "required": name in schema.get("required", ()), "value": field.get("default") or "",
        }  # fmt: skip
    return found


def _watched(rows: list[dict[str, Any]], shown: int) -> dict[str, Any]:
    """Returns a simulated world up to a round: its table, and a curve of each measure."""
    last = max(row["round"] for row in rows)
    first = next((row["round"] for row in rows if row["active"]), 1)
    shown = min(max(shown or first, 1), last)
    names = list(dict.fromkeys(row["contender"] for row in rows))[:4]
    seen = [row for row in rows if row["round"] <= shown]

    def drawn(measure: str) -> Any:
        series = [
            np.array(
                [(row["round"], row[measure]) for row in seen if row["contender"] == name and row[measure] is not None]
            )
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
    *form("/desk/studies/{job}", study, JOB, own_pools=False),
    Route("GET", OF_ONE, look, HTML, RoundQuery, scope=Scope.OFFICER),
    Route("GET", f"{OF_ONE}/report", report, HTML, scope=Scope.OFFICER),
    Route("POST", f"{OF_ONE}/cancel", cancel, HTML, scope=Scope.OFFICER),
)
