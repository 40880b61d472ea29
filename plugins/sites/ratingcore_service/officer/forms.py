"""Code shared by the desk's forms: their pages, hidden fields, errors, and decisions in two steps."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from attrs import evolve
from ratingcore_pages import Look

from ratingcore import Engine
from ratingcore.errors import HeadMoved, PlanOutdated, RatingCoreError, UnknownName
from ratingcore.plugin import analysis
from ratingcore.plugin.analysis import boards
from ratingcore_service.access import Caller, check_form, check_pools
from ratingcore_service.officer.refusals import CountsAlready, NotRemovable, TakenBack, in_words, ways
from ratingcore_service.pages import plain_page
from ratingcore_service.problems import BadQuery
from ratingcore_service.routing import HTML, PAGE, Asked, Reply, Route, Scope, fields_of
from ratingcore_service.wire import Query

NO_STORE = {"Cache-Control": "no-store"}
DAYS = ("played", "set.played", "starting", "since", "through", "at")
"""Fields of forms that hold a day."""
YEAR_END = "2000-12-31"
_NUMBERS = re.compile(r"([0-9]{1,2})([./-]) ?([0-9]{1,2})\2 ?([0-9]{4})")
OFFERED = 2000
"""Number of names in a log up to which forms suggest players."""


def sheet(asked: Asked, template: str, status: int = 200, **values: Any) -> Reply:
    """Renders a page of the desk, with the hidden fields of its forms."""
    return Reply(page_of(asked.service.look, asked.root, asked.caller, template, values), status, HTML, NO_STORE)


def page_of(look: Look, root: str, caller: Caller, template: str, values: Mapping[str, Any]) -> str:
    common: dict[str, Any] = {
        "caller": caller, "form": caller.form if caller.session else "", "meanwhile": 0, "wrong": "", "error": "",
        "hint": "", "seen": "", "decision": 0, "ways": [], "instead": [], "players": [], "onward": "",
    }  # fmt: skip
    return plain_page(look, root, template, {**common, **values})


def onward(asked: Asked, path: str, **headers: str) -> Reply:
    """Redirects to a page, so that reloading does not send a form twice."""
    return Reply("", 303, HTML, {"Location": asked.link(f"/{path}"), **NO_STORE, **headers})


async def players(asked: Asked) -> list[str]:
    """Returns the players that forms suggest; empty if there are too many, or the caller is limited to some pools."""
    if asked.caller.pools:
        return []

    def offered(engine: Engine) -> list[str]:
        log = engine.log
        return sorted(log.book.keys_of("player")) if log.book.count <= OFFERED else []

    return await asked.service.desk.ask(offered)


async def pools(asked: Asked, *, own: bool = False) -> list[str]:
    """Returns the pools that the caller may write to; with `own`, those with results of their own, so no boards."""
    every = await asked.service.desk.ask(
        lambda engine: [pool for pool in engine.pools() if not own or pool not in boards(engine.log)]
    )
    return [pool for pool in every if not asked.caller.pools or pool in asked.caller.pools]


def given(fields: Mapping[str, str], *names: str) -> dict[str, str]:
    """Returns the named fields of a form that are not empty."""
    return {name: fields[name].strip() for name in names if fields.get(name, "").strip()}


async def filled_in(asked: Asked, *names: str) -> tuple[dict[str, str], dict[str, str]]:
    """Returns the fields of a submitted form about a pool, and those of the named ones that are not empty.

    Raises
    ------
    NotAllowed
        If the pool is outside the caller's token.
    """
    fields = await form_of(asked)
    filled = given(fields, "pool", *names)
    if fields:
        check_pools(asked.caller, [filled.get("pool", "")])
    return fields, filled


def wrong(asked: Asked, error: Exception, filled: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
    """Returns an error as values for a template: text and advice in the desk's language, the event, and remedies.

    Parameters
    ----------
    filled : mapping of str to str
        The fields as submitted. For an unknown name, `instead` has the form with each similar name in its place.
    """
    word = asked.service.look.environment.filters["word"]
    text, hint = in_words(error, word)
    about = error.event if isinstance(error, CountsAlready | NotRemovable | TakenBack) else 0
    shown: dict[str, Any] = {
        "wrong": text, "error": type(error).__name__, "hint": hint, "decision": about, "ways": ways(error),
    }  # fmt: skip
    if isinstance(error, UnknownName) and error.key in filled.values():
        shown |= {"hint": "", "by": asked.route.method.lower()}
        shown["instead"] = [(near, replaced(filled, {error.key: near})) for near in error.near]
    return shown


def replaced(filled: Mapping[str, str], near: Mapping[str, str]) -> dict[str, str]:
    """Returns the fields of a form with names replaced."""
    return {field: near.get(text, text) for field, text in filled.items() if field not in ("form", "seen")}


def alike(pairs: Iterable[tuple[str, str]], changed: Callable[[Mapping[str, str]], dict[str, str]]) -> dict[str, Any]:
    """Returns new names with similar ones for a template, each with the form that has the other, and one for all."""
    near = [(new, other, changed({new: other})) for new, other in pairs]
    first = {new: other for new, other, _ in reversed(near)}
    return {"near": near, "all_so": changed(first) if len(first) > 1 else {}}


def sentence_at(asked: Asked, engine: Engine, position: int) -> str:
    """Returns a sentence that describes the event at a position."""
    ((_, event),) = engine.events(position - 1, to=position)
    return asked.service.look.sentence(event, engine.log)


async def outdated(asked: Asked, changed: PlanOutdated) -> dict[str, Any]:
    """Returns the error for a template, with the intervening decision as a sentence, and its position."""

    if not changed.position or changed.kind == "file":
        return wrong(asked, changed)
    about = await asked.service.desk.ask(lambda engine: sentence_at(asked, engine, changed.position))
    error = PlanOutdated(changed.verb, changed.since, changed.position, changed.kind, about)
    return {**wrong(asked, error), "decision": changed.position}


async def decided(
    asked: Asked, template: str, fields: Mapping[str, str], look: Callable[[Engine], Mapping[str, Any]],
    act: Callable[[Asked], Awaitable[str]], **shown: Any,
) -> Reply:  # fmt: skip
    """Previews a form, and carries it out when it is sent again; previews it anew if the log has changed meanwhile.

    Parameters
    ----------
    template : str
    fields : mapping of str to str
        The fields as submitted; `seen` is the head of the preview. Empty when the form is opened.
    look : callable
        Returns the preview as values for the template.
    act : callable
        Records the decision on the head of `If-Match`, and returns the path of the next page.
    **shown
        Values for the template in every case.
    """
    if not fields:
        return sheet(asked, template, **shown)
    meanwhile, seen = 0, fields.get("seen", "")
    try:
        if seen:
            try:
                return onward(asked, await act(evolve(asked, headers={**asked.headers, "if-match": f'"{seen}"'})))
            except PlanOutdated as changed:
                shown |= await outdated(asked, changed)
            except HeadMoved as moved_on:
                meanwhile = moved_on.found - moved_on.expected
        outcome = await asked.service.desk.ask(lambda engine: {"seen": str(engine.log.head), **look(engine)})
    except PlanOutdated as changed:  # since the form was opened
        return sheet(asked, template, 412, **shown, **await outdated(asked, changed))
    except (RatingCoreError, msgspec.ValidationError) as error:
        return sheet(asked, template, 422, **shown, **wrong(asked, error, fields))
    status = 412 if meanwhile or "wrong" in shown else 200
    return sheet(asked, template, status, **shown, **outcome, meanwhile=meanwhile)


async def form_of(asked: Asked) -> dict[str, str]:
    """Returns the fields of a submitted form, after a check of its session's secret; empty when the form is opened.

    Raises
    ------
    NotOurForm, BadQuery, TooLarge
    """
    if asked.route.method == "GET":
        return {}
    text, most = await asked.whole("form"), asked.service.settings.query_fields
    try:
        pairs = parse_qsl(text.decode("ascii"), keep_blank_values=True, max_num_fields=most)
    except ValueError:
        raise BadQuery("the form cannot be read") from None
    between = asked.service.look.written(YEAR_END)[2]
    fields = {name: iso_day(text, between) if name in DAYS else text for name, text in fields_of(pairs, "form").items()}
    if asked.caller.session:
        check_form(asked.caller, fields.pop("form", ""))
    return fields


def iso_day(text: str, between: str) -> str:
    """Returns a typed day in ISO 8601 if it is written as the language writes days; else the text as it is.

    Days that are written otherwise are taken if they can only mean one day.

    Parameters
    ----------
    between : str
        The character that the language writes after the day: the third one of `YEAR_END` as it is written.

    Examples
    --------
    >>> iso_day("4.4.2025", "."), iso_day("04/05/2025", "/"), iso_day("04/05/2025", "."), iso_day("31/05/2025", "0")
    ('2025-04-04', '2025-05-04', '04/05/2025', '2025-05-31')
    """
    match = _NUMBERS.fullmatch(text.strip())
    if match is None:
        return text
    try:
        if match[2] == between:
            return date(int(match[4]), int(match[3]), int(match[1])).isoformat()
        return analysis.typed_day(text)
    except ValueError:
        return text


def linked(filled: Sequence[str], flags: Sequence[str] = ()) -> type[Query]:
    """Returns the query of a page whose fields a link may fill in: texts, and what is true or false."""
    fields = [*((name, str, "") for name in filled), *((name, bool, False) for name in flags)]
    made: type[Any] = msgspec.defstruct("Linked", fields, bases=(Query,), kw_only=True)
    return made


def form(
    path: str, handler: Callable[[Asked], Awaitable[Reply]], units: float, filled: Sequence[str] = (),
    flags: Sequence[str] = (), *, own_pools: bool = True, scope: Scope = Scope.OFFICER,
) -> list[Route]:  # fmt: skip
    """Returns the routes that open and submit a form, at one address; for `filled` and `flags` see `linked`."""
    both = (("GET", linked(filled, flags), PAGE), ("POST", Query, units))
    return [
        Route(method, path, handler, HTML, query, scope=scope, units=cost, own_pools=own_pools)
        for method, query, cost in both
    ]
