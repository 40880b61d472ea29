"""Desk pages for players: paste a table of members or first ratings, and find names that may be the same person."""

from typing import Any

from ratingcore import Engine
from ratingcore.errors import ColumnNotFound
from ratingcore.plugin.analysis import similar_names
from ratingcore.plugin.readers import Source
from ratingcore_service.access import check_pools, check_whole_log
from ratingcore_service.corrections import LABELS
from ratingcore_service.log_events import moves
from ratingcore_service.officer.files import in_words
from ratingcore_service.officer.forms import decided, form, form_of, given, pools, sheet
from ratingcore_service.officer.refusals import NothingToRecord, worded
from ratingcore_service.routing import COSTLY, HTML, Asked, Reply, Route, Scope
from ratingcore_service.upload_process import held, report_of
from ratingcore_service.wire import Query

NAME = "pasted at the desk"
"""Name of a pasted table in the log."""
SHOWN = 200
"""Rows of a table, or pairs of names, that are shown."""


class MembersQuery(Query, kw_only=True):
    """Query of the members form: whether the table has first ratings, and the positions of the events recorded last."""

    ratings: bool = False
    recorded: str = ""


async def members(asked: Asked) -> Reply:
    """Previews a table of members or first ratings; records it when the officer confirms."""
    fields = await form_of(asked)
    filled = given(fields, "pool", "table", "at", "ratings")
    if getattr(asked.query, "ratings", False):
        filled["ratings"] = "yes"
    shown = {"filled": filled, "pools": await pools(asked), "labels": LABELS}
    shown["recorded"] = getattr(asked.query, "recorded", "")
    if fields:
        check_pools(asked.caller, [filled.get("pool", "")])

    def planned(engine: Engine) -> Any:
        table: Any = Source.of_bytes(NAME, filled.get("table", "").encode())
        options: dict[str, Any] = {"at": filled["at"]} if "at" in filled else {}
        make = engine.plan.import_seeds if "ratings" in filled else engine.plan.import_players
        try:
            return make(table, filled.get("pool"), **options)
        except ColumnNotFound as missing:
            if not missing.readings:
                raise
            return make(table, filled.get("pool"), missing.readings[0], **options)

    def look(engine: Engine) -> dict[str, Any]:
        plan = planned(engine)
        report, word = report_of(plan.report, engine.log.head), asked.service.look.environment.filters["word"]
        if not (report.accepted or report.refused):
            raise NothingToRecord()
        refused = [(row.line, worded(row.why.kind, row.why.facts, word, row.why.text)[0]) for row in report.refused]
        holds = [held(engine, event) for event, _ in zip(plan.events, range(SHOWN), strict=False)]
        found = moves(engine, plan, asked.service.settings.methods)
        return {"report": report, "refused": refused, "holds": holds, "moves": found}

    async def act(matching: Asked) -> str:
        def apply(engine: Engine) -> tuple[int, int]:
            before = engine.log.head.position
            engine.apply(planned(engine))
            return before + 1, engine.log.head.position

        recorded = in_words([await asked.service.writer.alone(apply)])
        return f"desk/members?recorded={recorded}{'&ratings=true' if 'ratings' in filled else ''}"

    return await decided(asked, "desk_members", fields, look, act, **shown)


async def similar(asked: Asked) -> Reply:
    """Lists pairs of names that may be the same person, each with a link that merges them."""
    check_whole_log(asked.caller)
    pairs = await asked.service.desk.ask(lambda engine: similar_names(engine.log, engine.core.view))
    return sheet(asked, "desk_similar", pairs=pairs[:SHOWN], n=len(pairs))


ROUTES = (
    *form("/desk/members", members, COSTLY, MembersQuery),
    Route("GET", "/desk/similar", similar, HTML, scope=Scope.OFFICER, units=COSTLY, own_pools=True),
)
