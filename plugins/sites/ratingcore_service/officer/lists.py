"""Lists at the desk: published once what changed was seen; and a complaint answered by one page that can be mailed."""

from typing import Any

import msgspec
from attrs import evolve
from ratingcore_pages import Pages, explanation_values

from ratingcore import Engine
from ratingcore.errors import HeadMoved, RatingCoreError
from ratingcore_service.access import check_pools
from ratingcore_service.answers.addresses import pool_part
from ratingcore_service.api import recording
from ratingcore_service.officer.sheet import given, onward, pools, sheet
from ratingcore_service.routing import COSTLY, HTML, Asked, Reply, Route, Scope
from ratingcore_service.signing_in import form_of
from ratingcore_service.wire.corrections import Publication
from ratingcore_service.wire.queries import NoQuery

SHOWN = 40
"""Players of a list that is to be published who are shown."""


class ComplaintQuery(NoQuery, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Whose rating is to be explained."""

    pool: str = ""
    player: str = ""
    since: str = ""
    through: str = ""
    file: bool = False


async def desk(asked: Asked) -> Reply:
    """What can be done at the desk; where one signs in."""
    if asked.caller.scope < Scope.OFFICER:
        return sheet(asked, "desk_sign_in")
    return sheet(asked, "desk", pools=await pools(asked))


async def begin(asked: Asked) -> Reply:
    """The form of a list that is to be published."""
    return sheet(asked, "desk_publish", pools=await pools(asked), filled={}, seen="")


async def publish(asked: Asked) -> Reply:
    """Shows a list and what changed since the last one, and publishes it once that was seen."""
    fields = await form_of(asked)
    filled, every = given(fields, "pool", "name", "through"), await pools(asked)
    check_pools(asked.caller, [filled.get("pool", "")])
    shown: dict[str, Any] = {"pools": every, "filled": filled}
    seen, meanwhile = fields.get("seen", ""), 0
    try:
        body = msgspec.convert({name: filled[name] for name in ("name", "through") if name in filled}, Publication)
        if seen:
            number = await asked.service.desk.ask(lambda engine: engine.log.number_of("pool", filled["pool"]))
            headers, path = {**asked.headers, "if-match": f'"{seen}"'}, {"pool": f"~{number}"}
            await recording.publish(evolve(asked, body=body, headers=headers, path=path))
            part = await asked.service.desk.ask(lambda engine: Pages(engine).parts[filled["pool"]])
            return onward(asked, f"{part}/published/")
    except HeadMoved as moved_on:
        meanwhile = moved_on.found - moved_on.expected
    except (RatingCoreError, msgspec.ValidationError) as error:
        return sheet(asked, "desk_publish", 422, **shown, seen="", wrong=str(error))
    try:
        page = await asked.service.desk.ask(lambda engine: _preview(engine, asked, filled))
    except RatingCoreError as error:
        return sheet(asked, "desk_publish", 422, **shown, seen="", wrong=str(error))
    return sheet(asked, "desk_publish", 412 if meanwhile else 200, **shown, **page, meanwhile=meanwhile)


def _preview(engine: Engine, asked: Asked, filled: dict[str, str]) -> dict[str, Any]:
    """The list as it would be published, with what changed since the last one."""
    pool, head = filled.get("pool", ""), str(engine.log.head)
    method = asked.service.settings.method(pool, None)
    made = Pages(engine, asked.service.look, method, filled.get("through"), head).ratings(pool).values
    return {"seen": head, "listed": {**made, "rows": made["table"].rows[:SHOWN]}}


async def explain(asked: Asked) -> Reply:
    """A rating in full, line by line, as a page that can be mailed."""
    query: ComplaintQuery = asked.query
    every = await pools(asked)
    if not query.player:
        return sheet(asked, "desk_complaint", pools=every, query=query)
    check_pools(asked.caller, [query.pool])

    def explained(engine: Engine) -> dict[str, Any]:
        method = asked.service.settings.method(query.pool, None)
        found = engine.explain(query.pool, query.player, method, query.since or None, query.through or None)
        return {**explanation_values(engine, found, method), "part": pool_part(engine, query.pool)}

    try:
        values = await asked.service.desk.ask(explained)
    except RatingCoreError as error:
        return sheet(asked, "desk_complaint", 422, pools=every, query=query, wrong=str(error))
    if not query.file:
        return sheet(asked, "desk_explanation", **values, file=asked.link(f"{asked.address}&file=true"))
    text = asked.service.look.page("explanation", values, lambda path: "", alone=True)
    return Reply(text, media=HTML, headers={"Content-Disposition": 'attachment; filename="explanation.html"'})


ROUTES = (
    Route("GET", "/desk", desk, HTML, scope=Scope.NONE, own_pools=True),
    Route("GET", "/desk/", desk, HTML, scope=Scope.NONE, own_pools=True),
    Route("GET", "/desk/publish", begin, HTML, scope=Scope.OFFICER, own_pools=True),
    Route("POST", "/desk/publish", publish, HTML, scope=Scope.OFFICER, units=COSTLY, own_pools=True),
    Route("GET", "/desk/complaint", explain, HTML, ComplaintQuery, scope=Scope.OFFICER, units=COSTLY, own_pools=True),
)
