"""Desk pages that preview and then record a correction, an erasure or a published list, and that explain a rating."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any

import msgspec
from attrs import evolve
from msgspec import Meta
from ratingcore_pages import FIELDS, Pages, explanation_values

from ratingcore import Engine, Head, Plan, ResultAmended
from ratingcore.errors import AlreadyPublished, RatingCoreError
from ratingcore.plugin.analysis import (
    MergedTwice,
    RevivedTwice,
    check_list_name,
    corrections_of,
    decoder_of,
    near_newcomers,
    parameters,
    row_of,
    uid_at,
)
from ratingcore_service import corrections, published, upkeep
from ratingcore_service.access import check_pools, check_whole_log
from ratingcore_service.corrections import FORMS, LABELS, Correction, planned
from ratingcore_service.log_events import EventAnswer, EventsQuery, chosen_events, event_answers, moves, taken_back
from ratingcore_service.officer import forms, refusals
from ratingcore_service.officer.amendment import FORFEITS, SET, changed_since_opened, changes, event_as_read, texts
from ratingcore_service.officer.files import in_words, latest_imports, spans_of
from ratingcore_service.officer.sign_in import NO_OFFICER
from ratingcore_service.problems import BadQuery
from ratingcore_service.published import Publication
from ratingcore_service.routing import COSTLY, HTML, Asked, Reply, Route, Scope
from ratingcore_service.upload_process import held
from ratingcore_service.wire import Query, noted

SCORES = {"1": "1-0", "0.5": "½-½", "0": "0-1", **dict(zip(FORFEITS, FORFEITS, strict=True))}
"""Texts of the buttons with scores in the form that corrects a game, by score."""
GAMES, TICKED = 200, "game."
"""Largest number of results shown of a record to be divided, and the prefix of their checkboxes' names."""
KEPT, OF_KIND = ("pool", "list", "period", "merge"), {"unmerge": "merge", "undeclare": "pool"}
"""Kinds of events that cannot be voided, and kinds that other corrections take back."""
SHOWN = 40
"""Largest number of listed players or of events that a preview shows."""


LINKED = ("uid", "positions", "source", "keep", "other", "player", "played")
"""Fields of a correction that a link to its form fills in; a player and a day also find the results to correct."""
FINDS, FOUND = ("void", "amend"), 50
"""Corrections whose form searches results by player and day, and the largest number of results or joins it lists."""
COMPLAINT = forms.linked(("pool", "player", "since", "through", "against"), ["file"])
"""Query of the explanation page: the player whose rating to explain, the cuts, and the published list to compare with;
or the page as a file."""


class DeskQuery(Query, kw_only=True):
    """Query of the desk: the positions of the events recorded last, such as `7` or `7-9`."""

    recorded: Annotated[str, Meta(pattern=r"^([0-9]{1,15}(-[0-9]{1,15})?)?\Z")] = ""


async def desk(asked: Asked) -> Reply:
    """Shows the tasks of the desk to officers, and the sign-in form to everybody else."""
    if asked.caller.scope < Scope.OFFICER:
        return forms.sheet(asked, "desk_sign_in", wrong=NO_OFFICER if asked.caller.name else "")

    def last(engine: Engine) -> dict[str, Any]:
        head = engine.log.head.position
        if not head or asked.caller.pools:
            return {}
        batch = next(iter(engine.log.batches(head - 1)))
        (row,) = engine.log.rows_at([head])
        span = in_words([(batch.first, head)])
        return {"kind": row.kind, "position": head, "span": span, "what": forms.sentence_at(asked, engine, batch.first)}

    shown = {"recorded": asked.query.recorded, "last": await asked.service.desk.ask(last)}
    return forms.sheet(asked, "desk", corrections=FORMS, erases=asked.caller.scope >= Scope.ERASE, **shown)


async def correct(asked: Asked) -> Reply:
    """Previews a correction; records it when the officer confirms."""
    what, fields = str(asked.path["what"]), await forms.form_of(asked)
    if what == "amend" and fields.get(f"{SET}score") in FORFEITS:  # a game that nobody played is taken back
        why = [asked.service.look.word("forfeit"), *forms.given(fields, "why").values()]
        what, fields = "void", {**forms.given(fields, "uid", "opened"), "why": ": ".join(why)}
    if what not in FORMS:
        raise BadQuery(f"there is no correction {what[:40]}: choose one at the desk")
    offer = FORMS[what]
    filled = forms.given(fields or msgspec.structs.asdict(asked.query), *offer.fields)
    filled |= changed_since_opened(fields)
    filled |= {name: text for name, text in fields.items() if name.startswith(TICKED)}
    opened = "" if fields.get("seen") else fields.get("opened", "")
    shown: dict[str, Any] = {
        "what": what, "offer": offer, "labels": {**FIELDS, **LABELS}, "filled": filled, "reads": {}, "opened": "",
        "was": "", "games": [], "scores": SCORES, "forfeits": FORFEITS, "sought": {}, "found": [],
    }  # fmt: skip
    shown["players"] = await forms.players(asked)
    shown["imports"] = await asked.service.desk.ask(latest_imports) if what == "void_all" else []

    def body(engine: Engine) -> Correction:
        values: dict[str, Any] = {"what": what, **forms.given(filled, *offer.fields)}
        ticked = [int(name.removeprefix(TICKED)) for name in filled if re.fullmatch(r"game\.[0-9]{1,15}", name)]
        if ticked:
            values["games"] = [uid_at(engine.log, position) for position in ticked]
        if what == "split" and bool(ticked) == ("since" in values):
            raise refusals.DivisionUnsaid()
        if "positions" in values:
            values["positions"], last = spans_of(values["positions"]), engine.log.head.position
            if beyond := [text for text in values["positions"] if text[1] > last]:
                raise refusals.NothingThere(in_words(beyond), last)
        if "uid" in values:
            values["uid"] = _uid(engine, values["uid"])
            position = row_of(engine.log, values["uid"]).position
            if what == "revive":
                if not taken_back(engine, [position]):
                    raise refusals.CountsAlready(forms.sentence_at(asked, engine, position), position)
            else:
                event = event_as_read(engine, values["uid"])
                if event.kind in KEPT if what == "void" else event.kind != OF_KIND.get(what, event.kind):
                    raise refusals.NotRemovable(event.kind, position)
                if what == "amend":
                    values["changes"] = changes(event, filled)
        return msgspec.convert(values, Correction)  # type: ignore[no-any-return]

    def rules(engine: Engine) -> list[EventAnswer]:
        found = chosen_events(engine, EventsQuery(kinds="pool", top=GAMES), engine.log.head.position)
        newest = {row.pool: (row, event) for row, event in sorted(found, key=lambda one: one[0].position)}
        return event_answers(engine, list(newest.values()), asked.service.look.wording(engine.log))

    def games(engine: Engine) -> list[EventAnswer]:
        number, joined = engine.core.player_id(filled["player"]), corrections_of(engine.log)
        found = dict[int, Any]()
        for one in (number, *(other for other in joined.roots if joined.root(other) == number != other)):
            query = EventsQuery(player=str(one), kinds="game,session", top=GAMES)
            found |= {row.position: row for row, _ in chosen_events(engine, query, engine.log.head.position)}
        decode = decoder_of(engine.log)
        corrected = [(found[at], joined.read(found[at])) for at in sorted(found)[-GAMES:]]
        pairs = [(row, decode(now)) for row, now in corrected if now is not None]
        rows = event_answers(engine, pairs, asked.service.look.wording(engine.log))
        return sorted(rows, key=lambda one: (one.played or "", one.position), reverse=True)

    def reads(engine: Engine) -> dict[str, Any]:
        head, now = str(engine.log.head), texts(event_as_read(engine, _uid(engine, filled["uid"])))
        return {"reads": now, "opened": head, "was": msgspec.json.encode(now).decode()}

    async def act(matching: Asked) -> str:
        made: Any = (await corrections.correct(evolve(matching, body=await asked.service.desk.ask(body)))).value
        last = Head.parse(made.head).position
        if what == "undeclare":  # the desk could not take this back by its position
            return "log"
        return f"desk/?recorded={in_words([(last - made.accepted + 1, last)])}"

    def look(engine: Engine) -> dict[str, Any]:
        plan = planned(engine, evolve(asked, body=body(engine)))
        if opened:
            plan.decided_at(Head.parse(opened)).check(engine.log)
        if not plan.events:
            raise refusals.NothingToRecord()
        wording, there = asked.service.look.wording(engine.log), engine.what_if(plan).log
        names = near_newcomers(there, engine.log.head.position) if what == "amend" else []
        return {
            "holds": [held(engine, one, wording) for one in plan.events[:SHOWN]], "n": len(plan),
            "moves": moves(engine, plan, asked.service.settings.methods), "doubts": _doubts(engine, plan),
            **forms.alike(names, partial(forms.replaced, fields)),
            "twice": [pair for note in plan.notes if isinstance(note, RevivedTwice) for pair in note.pairs],
            "merged": [(note, in_words(note.spans)) for note in plan.notes if isinstance(note, MergedTwice)],
            "notes": [noted(one) for one in plan.notes if not isinstance(one, RevivedTwice | MergedTwice)],
        }  # fmt: skip

    if what in FINDS and "uid" not in filled and not fields:
        shown["sought"] = forms.given(msgspec.structs.asdict(asked.query), "player", "played")
    if what == "unmerge" or shown["sought"]:
        shown["found"] = await asked.service.desk.ask(lambda engine: _found(engine, asked, shown["sought"]))
    shown["rules"] = await asked.service.desk.ask(rules) if what == "undeclare" else []
    try:
        if what == "amend" and "uid" in filled:
            shown |= await asked.service.desk.ask(reads)
        if what == "split" and "player" in filled:
            shown["games"] = await asked.service.desk.ask(games)
    except RatingCoreError as error:
        return forms.sheet(asked, "desk_correct", 422, **shown, **forms.wrong(asked, error, filled))
    return await forms.decided(asked, "desk_correct", fields, look, act, **shown)


def _found(engine: Engine, asked: Asked, sought: Mapping[str, str]) -> list[EventAnswer]:
    """Returns the latest results of a player or a day, or else the latest joins, that count; the newest first."""
    player, day = sought.get("player", ""), sought.get("played", "")
    if player and engine.log.book.find("player", player) is None:
        return []
    kinds = "game,session,seed" if sought else "merge"
    query = EventsQuery(player=f"~{player}" if player else None, kinds=kinds, top=FOUND)
    found = chosen_events(engine, query, engine.log.head.position, day)
    gone = taken_back(engine, [row.position for row, _ in found])
    counting = [one for one in reversed(found) if one[0].position not in gone]
    return event_answers(engine, counting, asked.service.look.wording(engine.log))


def _doubts(engine: Engine, plan: Plan) -> dict[str, Any]:
    """Returns likely mistakes in amendments that the notes of their plan do not have: unknown players and pools."""
    changed: list[Mapping[str, Any]] = [event.changes for event in plan if isinstance(event, ResultAmended)]
    names = [name for one in changed for key in ("a", "b", "player") if (name := one.get(key))]
    return {
        "new": [name for name in names if engine.log.book.find("player", name) is None],
        "pools": [pool for one in changed if (pool := one.get("pool")) and pool not in engine.pools()],
    }


def _uid(engine: Engine, text: str) -> str:
    """Returns the uid of an event named by its uid or its position; digits within the log's length are a position.

    Raises
    ------
    NothingThere
    """
    position = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
    last = engine.log.head.position
    if 0 < position <= last:
        return uid_at(engine.log, position)
    if not engine.log.find([text]):
        raise refusals.NothingThere(text[:40], last)
    return text


async def erase(asked: Asked) -> Reply:
    """Previews an erasure; carries it out once the name has been typed again."""
    check_whole_log(asked.caller)
    fields, status = await forms.form_of(asked), 200
    player, again = fields.get("player", "").strip(), fields.get("again", "").strip()
    rated = fields.get("rated_facts") == "yes"
    shown: dict[str, Any] = {"player": "", "typed": "", "rated": rated, "plan": None, "finished": None}
    try:
        if fields:
            order = {"player": player, "again": again or player, "rated_facts": rated}
            body = msgspec.convert(order, upkeep.Erasure)
            plan = await asked.service.desk.ask(lambda engine: engine.plan.erase(player, rated_facts=rated))
            made: Any = (await upkeep.erase(evolve(asked, body=body))).value if again else None
            shown |= {"plan": plan, "finished": made.finished} if again else {"plan": plan, "player": player}
    except (RatingCoreError, msgspec.ValidationError) as error:
        status = 422
        shown |= {"player": player if again else "", "typed": player, **forms.wrong(asked, error)}
    return forms.sheet(asked, "desk_erase", status, **shown, players=await forms.players(asked))


async def publish(asked: Asked) -> Reply:
    """Previews a list and the changes since the last one; publishes it when the officer confirms."""
    fields, filled = await forms.filled_in(asked, "name", "through")
    pool = filled.get("pool", "")
    chosen = {name: filled[name] for name in ("name", "through") if name in filled}

    async def act(matching: Asked) -> str:
        body = msgspec.convert(chosen, Publication)
        number = await asked.service.desk.ask(lambda engine: engine.log.book.number("pool", pool))
        await published.publish(evolve(matching, body=body, path={"pool": f"~{number}"}))
        return await asked.service.desk.ask(lambda engine: f"{Pages(engine).parts[pool]}/published/")

    def look(engine: Engine) -> dict[str, Any]:
        msgspec.convert(chosen, Publication)
        head, method = str(engine.log.head), asked.service.settings.method(pool, None)
        check_list_name(engine.core, chosen["name"], pool)
        for one in engine.published(pool):
            if one.name == chosen["name"]:
                raise AlreadyPublished(one.name, pool, one.position)
        pages = Pages(engine, asked.service.look, method, filled.get("through"), head)
        made = pages.ratings(pool).values
        answers = pages.answers(pool)
        same = answers.since is not None and not len(answers.since[1].diff(answers.listed))
        official = engine.core.official(engine.core.view(pool))
        name, value = next(iter(parameters(official.method).items()))
        usual = f"{official.text}:{name}={value.removesuffix('.0')}"
        rule = (method or usual) if official.undeclared else ""
        table = evolve(made["table"], rows=made["table"].rows[:SHOWN])
        ahead = chosen.get("through", "") > datetime.now(UTC).date().isoformat()
        return {"listed": {**made, "table": table}, "same": same, "undeclared": rule, "ahead": ahead}

    return await forms.decided(asked, "desk_publish", fields, look, act, pools=await forms.pools(asked), filled=filled)


async def explain(asked: Asked) -> Reply:
    """Explains a rating line by line, on a page that can be mailed."""
    query = asked.query
    shown: dict[str, Any] = {"pools": await forms.pools(asked), "players": await forms.players(asked), "query": query}
    if not query.player:
        return forms.sheet(asked, "desk_complaint", **shown)
    check_pools(asked.caller, [query.pool])

    def explained(engine: Engine) -> dict[str, Any]:
        method = asked.service.settings.method(query.pool, None)
        found = engine.explain(query.pool, query.player, method, query.since or None, query.through or None)
        values = explanation_values(engine, found, method, query.against, asked.service.look)
        pages = Pages(engine)
        lists = [one.name for one in pages.answers(query.pool).published]
        return {**values, "part": pages.parts[query.pool], "lists": lists, "query": query}

    try:
        values = await asked.service.desk.ask(explained)
    except RatingCoreError as error:
        shown |= forms.wrong(asked, error, msgspec.structs.asdict(query))
        return forms.sheet(asked, "desk_complaint", 422, **shown)
    if not query.file:
        return forms.sheet(asked, "desk_explanation", **values, file=asked.link(f"{asked.address}&file=true"))
    text = asked.service.look.page("explanation", values, lambda path: "", alone=True)
    return Reply(text, media=HTML, headers={"Content-Disposition": 'attachment; filename="explanation.html"'})


ROUTES = (
    Route("GET", "/desk", desk, HTML, DeskQuery, scope=Scope.NONE, own_pools=True),
    Route("GET", "/desk/", desk, HTML, DeskQuery, scope=Scope.NONE, own_pools=True),
    *forms.form("/desk/correct/{what}", correct, COSTLY, LINKED),
    *forms.form("/desk/erase", erase, COSTLY, scope=Scope.ERASE),
    *forms.form("/desk/publish", publish, COSTLY),
    Route("GET", "/desk/complaint", explain, HTML, COMPLAINT, scope=Scope.OFFICER, units=COSTLY, own_pools=True),
)
