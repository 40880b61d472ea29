"""Corrections at the desk: a result taken back, two records joined or divided, a name changed, a name erased."""

from typing import Any

import msgspec
from attrs import evolve

from ratingcore import Engine
from ratingcore.errors import RatingCoreError, SeveralPools
from ratingcore_service import corrections, upkeep
from ratingcore_service.access import check_whole_log
from ratingcore_service.corrections import FORMS, LABELS, Correction, proposed
from ratingcore_service.log_events import Moved, moved, said
from ratingcore_service.officer.forms import decided, form_of, given, players, sheet, wrong
from ratingcore_service.problems import BadQuery
from ratingcore_service.routing import COSTLY, HTML, Asked, Reply, Route, Scope


async def ask(asked: Asked) -> Reply:
    """The form of a correction."""
    return sheet(asked, "desk_correct", **_form(asked), filled={}, players=await players(asked))


async def decide(asked: Asked) -> Reply:
    """Shows what a correction would do, and records it once that was seen."""
    shown, fields = _form(asked), await form_of(asked)
    shown["players"] = await players(asked)
    filled = given(fields, *shown["offer"].fields)

    def body(engine: Engine) -> Correction:
        by_uid = {**filled, "uid": _uid(engine, filled["uid"])} if "uid" in filled else filled
        return msgspec.convert({"what": shown["what"], **by_uid}, Correction)  # type: ignore[no-any-return]

    async def act(matching: Asked) -> str:
        await corrections.correct(evolve(matching, body=await asked.service.desk.ask(body)))
        return "log"

    def look(engine: Engine) -> dict[str, Any]:
        seen, events = str(engine.log.head), proposed(engine, evolve(asked, body=body(engine)))
        if not events:
            raise BadQuery("the log says so already: nothing would be recorded")
        return {"seen": seen, "said": [said(engine, one) for one in events], "moves": _moves(engine, asked, events)}

    return await decided(asked, "desk_correct", fields.get("seen", ""), look, act, **shown, filled=filled)


def _form(asked: Asked) -> dict[str, Any]:
    """What the page of a correction shows in any case."""
    what = str(asked.path["what"])
    if what not in FORMS:
        raise BadQuery(f"there is no correction {what[:40]}: choose one at the desk")
    return {"what": what, "offer": FORMS[what], "labels": LABELS}


def _uid(engine: Engine, text: str) -> str:
    """The uid of an event that is named by it, or by its position as the log shows it."""
    position = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
    return engine.log.uid(position) if 0 < position <= engine.log.head.position else text


def _moves(engine: Engine, asked: Asked, events: Any) -> list[Moved]:
    """Who would move, in each pool where somebody would."""
    method = asked.service.settings.method
    try:
        return [moved(engine, events, None, method("", None))]
    except SeveralPools:
        every = (moved(engine, events, pool, method(pool, None)) for pool in engine.pools())
        return [one for one in every if one.moved]


async def erase(asked: Asked) -> Reply:
    """The form of an erasure."""
    return await _erasure(asked)


async def erased(asked: Asked) -> Reply:
    """Shows what an erasure would take, and erases once the name is typed again."""
    fields = await form_of(asked)
    player, again = fields.get("player", "").strip(), fields.get("again", "").strip()
    rated = fields.get("rated_facts") == "yes"
    order = {"player": player, "again": again or player, "rated_facts": rated, "dry_run": not again}
    try:
        body = msgspec.convert(order, upkeep.Erasure)
        made = (await upkeep.erase(evolve(asked, body=body))).value
    except (RatingCoreError, msgspec.ValidationError) as error:
        return await _erasure(asked, 422, player=player if again else "", typed=player, rated=rated, **wrong(error))
    assert isinstance(made, upkeep.Erased)
    if not again:
        return await _erasure(asked, player=player, rated=rated, lines=made.lines)
    return await _erasure(asked, lines=made.lines, finished=made.finished)


async def _erasure(asked: Asked, status: int = 200, **values: Any) -> Reply:
    check_whole_log(asked.caller)
    usual = {
        "player": "", "typed": "", "rated": False, "lines": [], "finished": None, "players": await players(asked),
    }  # fmt: skip
    return sheet(asked, "desk_erase", status, **{**usual, **values})


ROUTES = (
    Route("GET", "/desk/correct/{what}", ask, HTML, scope=Scope.OFFICER, own_pools=True),
    Route("POST", "/desk/correct/{what}", decide, HTML, scope=Scope.OFFICER, units=COSTLY, own_pools=True),
    Route("GET", "/desk/erase", erase, HTML, scope=Scope.OFFICER, own_pools=True),
    Route("POST", "/desk/erase", erased, HTML, scope=Scope.OFFICER, units=COSTLY, own_pools=True),
)
