"""Desk page where an officer types a result or a round's score sheet, which is checked like a file and previewed."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import msgspec
from ratingcore_pages import FIELDS

from ratingcore import Engine
from ratingcore.plugin.analysis import NearNames
from ratingcore_service.access import check_pools
from ratingcore_service.corrections import LABELS
from ratingcore_service.log_events import moves
from ratingcore_service.officer.files import in_words
from ratingcore_service.officer.forms import decided, form, form_of, given, players, pools, replaced
from ratingcore_service.officer.refusals import ResultKnown, ResultUnfinished, worded
from ratingcore_service.routing import COSTLY, Asked, Reply
from ratingcore_service.upload_process import held, report_of
from ratingcore_service.wire import Query

SCORES, FORFEITS = ("1-0", "1/2-1/2", "0-1"), ("+/-", "-/+")
"""Results that have a button, as files write them; a score sheet also has forfeits, which are not recorded."""
SHEET, CELLS = 10, ("a", "score", "b")
"""Number of rows of a score sheet, and the fields of a row."""
COMMON = ("pool", "played", "event", "round")
"""Fields that all rows share, and that stay filled in for the next ones."""


class ResultQuery(Query, kw_only=True):
    """Query of the results form: shared fields and positions of the last results, and whether it is a score sheet."""

    pool: str = ""
    played: str = ""
    event: str = ""
    round: str = ""
    recorded: str = ""
    sheet: bool = False


async def enter(asked: Asked) -> Reply:
    """Previews typed results; records them when the officer confirms."""
    fields = await form_of(asked)
    common = given(fields or msgspec.structs.asdict(asked.query) | {"sheet": ""}, *COMMON)
    numbered = [f"{name}.{n}" for n in range(SHEET) for name in CELLS]
    typed = given(fields, *numbered)
    several = "sheet" in fields or bool(getattr(asked.query, "sheet", False))
    filled = {**common, "sheet": "yes"} if several else common
    shown: dict[str, Any] = {
        "filled": {"played": datetime.now(UTC).date().isoformat(), **filled, **typed},
        "scores": (*SCORES, *FORFEITS) if several else SCORES,
        "rows": SHEET if several else 1, "sheet": urlencode({**common, "sheet": "true"}),
        "pools": await pools(asked), "players": await players(asked), "labels": {**LABELS, **FIELDS},
        "recorded": getattr(asked.query, "recorded", ""),
    }  # fmt: skip
    if fields:
        check_pools(asked.caller, [common.get("pool", "")])

    def planned(engine: Engine) -> Any:
        rows = [
            {**{name: common[name] for name in COMMON[1:] if name in common}, **row}
            for n in range(SHEET)
            if (row := {name: typed[f"{name}.{n}"] for name in CELLS if f"{name}.{n}" in typed})
        ]
        if not rows or any(len(row.keys() & {*CELLS}) < len(CELLS) for row in rows):
            raise ResultUnfinished()
        return engine.plan.import_file(rows, common.get("pool"), name=asked.caller.name)

    def look(engine: Engine) -> dict[str, Any]:
        plan = planned(engine)
        report, word = report_of(plan.report, engine.log.head), asked.service.look.environment.filters["word"]
        if not (report.accepted or report.refused or report.unrated or report.voided):
            raise ResultKnown()
        refused = [(row.line, worded(row.why.kind, row.why.facts, word, row.why.text)[0]) for row in report.refused]
        holds = [held(engine, event) for event in plan.events]
        found = moves(engine, plan, asked.service.settings.methods)
        pairs = [pair for note in plan.report.notes if isinstance(note, NearNames) for pair in note.pairs]
        near = {new: [(other, replaced(fields, new, other)) for one, other in pairs if one == new] for new, _ in pairs}
        return {"report": report, "refused": refused, "holds": holds, "moves": found, "near": near}

    async def act(matching: Asked) -> str:
        report: Any = await asked.service.writer.alone(lambda engine: engine.apply(planned(engine)))
        onward = {**common, "recorded": in_words(report.positions), **({"sheet": "true"} if several else {})}
        return f"desk/result?{urlencode(onward)}"

    return await decided(asked, "desk_result", fields, look, act, **shown)


ROUTES = (*form("/desk/result", enter, COSTLY, ResultQuery),)
