"""Corrections at the desk: a result taken back, two records joined or divided, a name changed, a name erased."""

from typing import Any

import msgspec
from attrs import evolve

from ratingcore import Engine
from ratingcore.errors import HeadMoved, RatingCoreError, SeveralPools
from ratingcore_service.access import check_whole_log
from ratingcore_service.answers.impacts import moved
from ratingcore_service.api import recording, upkeep
from ratingcore_service.officer.sheet import given, onward, sheet
from ratingcore_service.problems import BadQuery
from ratingcore_service.routing import COSTLY, HTML, Asked, Reply, Route, Scope
from ratingcore_service.signing_in import form_of
from ratingcore_service.wire.answers import Moved
from ratingcore_service.wire.corrections import Correction

FIELDS = {
    "void": ("uid", "why"),
    "revive": ("uid", "why"),
    "merge": ("keep", "other", "why"),
    "split": ("player", "into", "since", "why"),
    "rename": ("player", "called"),
}
"""What is asked for each correction that has a form."""


async def ask(asked: Asked) -> Reply:
    """The form of a correction."""
    what = _what(asked)
    return sheet(asked, "desk_correct", what=what, fields=FIELDS[what], filled={}, seen="", moves=[])


async def decide(asked: Asked) -> Reply:
    """Shows what a correction would do, and records it once that was seen."""
    what, fields = _what(asked), await form_of(asked)
    filled = given(fields, *FIELDS[what])
    shown: dict[str, Any] = {"what": what, "fields": FIELDS[what], "filled": filled}
    seen = fields.get("seen", "")
    try:
        with_uid = {**filled, "uid": await _uid(asked, filled["uid"])} if "uid" in filled else filled
        body = msgspec.convert({"what": what, **with_uid}, Correction)
        if seen:
            matching = {**asked.headers, "if-match": f'"{seen}"'}
            await recording.correct(evolve(asked, body=body, headers=matching))
            return onward(asked, "log")
    except msgspec.ValidationError as error:
        return sheet(asked, "desk_correct", 422, **shown, seen="", moves=[], wrong=str(error))
    except HeadMoved as moved_on:
        shown["meanwhile"] = moved_on.found - moved_on.expected
    except RatingCoreError as error:
        return sheet(asked, "desk_correct", 422, **shown, seen="", moves=[], wrong=str(error))
    upon = evolve(asked, body=body)
    try:
        preview = await asked.service.desk.ask(lambda engine: _preview(engine, upon))
    except RatingCoreError as error:
        return sheet(asked, "desk_correct", 422, **shown, seen="", moves=[], wrong=str(error))
    return sheet(asked, "desk_correct", 412 if "meanwhile" in shown else 200, **shown, **preview)


async def erase(asked: Asked) -> Reply:
    """The form of an erasure."""
    check_whole_log(asked.caller)
    return sheet(asked, "desk_erase", player="", lines=[], finished=None)


async def erased(asked: Asked) -> Reply:
    """Shows what an erasure would take, and erases once the name is typed again."""
    check_whole_log(asked.caller)
    fields = await form_of(asked)
    player, again = fields.get("player", "").strip(), fields.get("again", "").strip()
    order = {"player": player, "again": again or player, "dry_run": not again}
    try:
        body = msgspec.convert(order, upkeep.Erasure)
        made = (await upkeep.erase(evolve(asked, body=body))).value
    except (RatingCoreError, msgspec.ValidationError) as error:
        return sheet(
            asked, "desk_erase", 422, player=player if again else "", lines=[], finished=None, wrong=str(error)
        )
    assert isinstance(made, upkeep.Erased)
    if not again:
        return sheet(asked, "desk_erase", player=player, lines=made.lines, finished=None)
    return sheet(asked, "desk_erase", player="", lines=made.lines, finished=made.finished)


def _what(asked: Asked) -> str:
    what = str(asked.path["what"])
    if what not in FIELDS:
        raise BadQuery(f"there is no correction {what[:40]}: choose one at the desk")
    return what


async def _uid(asked: Asked, text: str) -> str:
    """The uid of an event that is named by it, or by its position as the log shows it."""
    position = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0

    def find(engine: Engine) -> str:
        if not 0 < position <= engine.log.head.position:
            return text
        return engine.log.uid(position)

    return await asked.service.desk.ask(find)


def _preview(engine: Engine, asked: Asked) -> dict[str, Any]:
    """What corrections would do: who would move in each pool."""
    seen, events = str(engine.log.head), recording.proposed(engine, asked)
    if not events:
        raise BadQuery("the log says so already: nothing would be recorded")
    return {"seen": seen, "moves": _moves(engine, asked, events)}


def _moves(engine: Engine, asked: Asked, events: Any) -> list[Moved]:
    method = asked.service.settings.method
    try:
        return [moved(engine, events, None, method("", None))]
    except SeveralPools:
        every = (moved(engine, events, pool, method(pool, None)) for pool in engine.pools())
        return [one for one in every if one.moved]


ROUTES = (
    Route("GET", "/desk/correct/{what}", ask, HTML, scope=Scope.OFFICER, own_pools=True),
    Route("POST", "/desk/correct/{what}", decide, HTML, scope=Scope.OFFICER, units=COSTLY, own_pools=True),
    Route("GET", "/desk/erase", erase, HTML, scope=Scope.OFFICER, own_pools=True),
    Route("POST", "/desk/erase", erased, HTML, scope=Scope.OFFICER, units=COSTLY, own_pools=True),
)
