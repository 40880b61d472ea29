"""Lists at the desk: published once what changed was seen; and a complaint answered by one page that can be mailed."""

from typing import Any

import msgspec
from attrs import evolve
from ratingcore_pages import Pages, explanation_values

from ratingcore import Engine
from ratingcore.errors import RatingCoreError
from ratingcore_service import published
from ratingcore_service.access import check_pools
from ratingcore_service.corrections import FORMS
from ratingcore_service.officer.forms import NO_OFFICER, decided, form_of, given, players, pools, sheet, wrong
from ratingcore_service.published import Publication
from ratingcore_service.question import pool_part
from ratingcore_service.routing import COSTLY, HTML, Asked, Reply, Route, Scope
from ratingcore_service.wire import Query

SHOWN = 40
"""Players of a list that is to be published who are shown."""


class ComplaintQuery(Query, kw_only=True):
    """Whose rating is to be explained."""

    pool: str = ""
    player: str = ""
    since: str = ""
    through: str = ""
    file: bool = False


async def desk(asked: Asked) -> Reply:
    """What can be done at the desk; where one signs in."""
    if asked.caller.scope < Scope.OFFICER:
        return sheet(asked, "desk_sign_in", wrong=NO_OFFICER if asked.caller.name else "")
    return sheet(asked, "desk", corrections=FORMS)


async def begin(asked: Asked) -> Reply:
    """The form of a list that is to be published."""
    return sheet(asked, "desk_publish", pools=await pools(asked), filled={})


async def publish(asked: Asked) -> Reply:
    """Shows a list and what changed since the last one, and publishes it once that was seen."""
    fields = await form_of(asked)
    filled = given(fields, "pool", "name", "through")
    pool = filled.get("pool", "")
    check_pools(asked.caller, [pool])
    shown: dict[str, Any] = {"pools": await pools(asked), "filled": filled}
    chosen = {name: filled[name] for name in ("name", "through") if name in filled}

    async def act(matching: Asked) -> str:
        body = msgspec.convert(chosen, Publication)
        number = await asked.service.desk.ask(lambda engine: engine.log.number_of("pool", pool))
        await published.publish(evolve(matching, body=body, path={"pool": f"~{number}"}))
        return await asked.service.desk.ask(lambda engine: f"{Pages(engine).parts[pool]}/published/")

    def look(engine: Engine) -> dict[str, Any]:
        msgspec.convert(chosen, Publication)
        head, method = str(engine.log.head), asked.service.settings.method(pool, None)
        made = Pages(engine, asked.service.look, method, filled.get("through"), head).ratings(pool).values
        return {"seen": head, "listed": {**made, "rows": made["table"].rows[:SHOWN]}}

    return await decided(asked, "desk_publish", fields.get("seen", ""), look, act, **shown)


async def explain(asked: Asked) -> Reply:
    """A rating in full, line by line, as a page that can be mailed."""
    query: ComplaintQuery = asked.query
    shown: dict[str, Any] = {"pools": await pools(asked), "players": await players(asked), "query": query}
    if not query.player:
        return sheet(asked, "desk_complaint", **shown)
    check_pools(asked.caller, [query.pool])

    def explained(engine: Engine) -> dict[str, Any]:
        method = asked.service.settings.method(query.pool, None)
        found = engine.explain(query.pool, query.player, method, query.since or None, query.through or None)
        return {**explanation_values(engine, found, method), "part": pool_part(engine, query.pool)}

    try:
        values = await asked.service.desk.ask(explained)
    except RatingCoreError as error:
        return sheet(asked, "desk_complaint", 422, **shown, **wrong(error))
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
