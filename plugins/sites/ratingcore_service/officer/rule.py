"""Desk page for the rule of a pool: its method and parameters, decimals, who is listed, and the day it begins."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args, get_origin
from urllib.parse import urlencode

import attrs
import msgspec
from ratingcore_pages import FIELDS, rules_of

from ratingcore import Engine, Plan
from ratingcore.errors import RatingCoreError
from ratingcore.plugin import Cadence, Games, Method
from ratingcore.plugin.analysis import Entering, bundled_books, parameters, steps_of, summary_of
from ratingcore.validators import not_negative, positive
from ratingcore_service.access import check_method, check_pools, check_whole_log
from ratingcore_service.corrections import LABELS
from ratingcore_service.jobs import begun
from ratingcore_service.log_events import moves
from ratingcore_service.officer.forms import decided, form, form_of, given, onward, pools, sheet, wrong
from ratingcore_service.officer.refusals import FirstDayUnsaid, NothingToRecord, NumberUnread
from ratingcore_service.routing import COSTLY, Asked, Reply

SET = "p."
"""Prefix of the names of parameters in a form."""
FIRST = 3
"""Number of parameters that a form shows at once, besides those that differ from the default."""
COUNTS = {
    "digits": "Decimals of ratings; those of the method if left out",
    "min_games": "Number of results that a player needs to be listed",
}  # fmt: skip
"""Fields of a policy that are whole numbers, and their labels in the form."""
POLICY = ("digits", "min_games", "active", "unit")
LINKED = ("pool", "new_pool", "method", "kind", "starting", "of", "results")
"""Fields that a link fills in; a new pool may be a board: the results of a pool (`of`) that fit conditions.

`method` is the text of a method; `kind` is one chosen from the list, with its declared parameters if it is declared.
"""
ENTRY = "entry"
"""The parameter for first ratings, added to every game method."""
BOOK = "book:"
NAMES = {
    "initial": "First rating of a newcomer", "entry": "How newcomers get their first rating",
    "deviation": "Deviation of a newcomer", "min_deviation": "Smallest deviation",
    "max_deviation": "Largest deviation", "volatility": "Volatility of a newcomer",
    "period": "Results that are rated together", "scale": "Scale", "home": "Home advantage",
    "first_move": "Advantage of the first move", "floor": "Lowest rating", "rounding": "Ratings are rounded",
    "k": "Largest change by one result", "curve": "Curve of the expected score",
    "draw_band": "Width of the band of draws", "nu": "Frequency of draws",
    "cap": "Largest difference of ratings that counts", "unrated": "How players without a rating count",
    "list_floor": "Rating below which a player is not listed", "rule": "Rule on great differences, by its edition",
    "extra": "Extra points of both after the lower rated one wins",
    "extra_gap": "Difference from which these are given", "mean": "Mean of all ratings", "spread": "Spread",
}  # fmt: skip
"""Names for parameters that several methods have; the others, mostly letters of a formula, go by their own name."""
_NAMED = re.compile(r"((?:^|&)\s*)([^=!<>&]+?)\s*(?=[=!<>])")
_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")


async def rule(asked: Asked) -> Reply:
    """Previews another rule, and declares it when the officer confirms; or begins a study that compares both rules."""
    fields = await form_of(asked)
    filled = given(fields or msgspec.structs.asdict(asked.query), *LINKED, "restated")
    filled = {**filled, **given(fields, *POLICY), **{name: one for name, one in fields.items() if name.startswith(SET)}}
    if "results" in filled:
        filled["results"] = in_fields(filled["results"], asked.service.look.word)
    pool = filled.pop("new_pool", "") or filled.get("pool", "")
    if pool:
        check_pools(asked.caller, [pool, *given(filled, "of").values()])
        filled["pool"] = pool
    shown: dict[str, Any] = {"pools": await pools(asked), "filled": filled, "asks": None, "now": [], "policy": {}}
    shown["recorded"] = getattr(asked.query, "recorded", "")
    shown["methods"] = await asked.service.desk.ask(_offered)

    def planned(engine: Engine) -> Plan:
        policy: dict[str, Any] = {name: filled.get(name, "") for name in POLICY}
        for name, label in COUNTS.items():
            if policy[name] and not policy[name].isdecimal():
                raise NumberUnread(label, policy[name])
            policy[name] = int(policy[name]) if policy[name] else ("" if name == "digits" else 0)
        unit = policy.pop("unit") or "months"
        policy["active"] += f" {unit}" if policy["active"].isdigit() else ""
        method: str | None = _text(engine, filled)
        check_method(engine, asked.caller, method)
        starting, restated = filled.get("starting"), "restated" in filled
        if method and not restated:
            step, history = _declared(engine, pool)
            if step and engine.registry.method(step) == engine.registry.method(method):
                method = None  # it stays declared, with its history
            elif history and starting is None:
                raise FirstDayUnsaid()
        return engine.plan.declare(
            pool, method=method, starting=starting, restated=restated, **policy, of=filled.get("of"),
            results=filled.get("results"),
        )  # fmt: skip

    def look(engine: Engine) -> dict[str, Any]:
        plan = planned(engine)
        if not plan.events:
            raise NothingToRecord()
        sentences = [asked.service.look.sentence(event, engine.log) for event in plan]
        there, starting = engine.what_if(plan), max(getattr(event, "starting", "") for event in plan)
        after = rules_of(there, pool, there.log.head.position, asked.service.look)
        gone = [one for one in shown["now"] if one not in after and one[0] > starting]
        return {"sentences": sentences, "gone": gone, "moves": moves(engine, plan) if pool in engine.pools() else []}

    async def act(matching: Asked) -> str:
        await asked.service.writer.record(lambda engine: engine.apply(planned(engine)))
        position = await asked.service.desk.ask(lambda engine: engine.log.head.position)
        return f"desk/rule?{urlencode({'pool': pool, 'recorded': position})}"

    def asks(engine: Engine) -> dict[str, Any]:
        official = engine.core.official(engine.core.view(pool)) if pool in engine.pools() else None
        now = rules_of(engine, pool, engine.log.head.position, asked.service.look)[::-1]
        (step, history), kind = _declared(engine, pool), filled.pop("kind", "")
        chosen = filled.get("method") or (kind if step.partition(":")[0] != kind else "") or step or "elo"
        method = engine.registry.method(chosen)
        policy = {} if official is None else {name: getattr(official.policy, name) for name in ("digits", "min_games")}
        if official is not None and (window := official.policy.active) is not None:
            policy |= {"active": window.count, "unit": window.unit}
        filled["method"] = chosen
        asked_for = [] if filled["method"].startswith(BOOK) else _asked(method)
        return {"asks": asked_for, "now": now, "policy": policy, "history": history}

    try:
        if pool:
            shown |= await asked.service.desk.ask(asks)
        if "compare" in fields:
            check_whole_log(asked.caller)
            old, new = await asked.service.desk.ask(
                lambda engine: (engine.core.official(engine.core.view(pool)).text, _text(engine, filled))
            )
            body = {"old": old, "new": new, "start": filled.get("starting", "beginning"), "pool": pool}
            return onward(asked, f"desk/jobs/{(await begun(asked, 'backdate', body)).id}")
    except RatingCoreError as error:
        return sheet(asked, "desk_rule", 422, **shown, **wrong(asked, error))
    return await decided(asked, "desk_rule", fields, look, act, **shown)


def _declared(engine: Engine, pool: str) -> tuple[str, bool]:
    """Returns the last step of a pool's declared rule, empty without one; true if lists of other days have another."""
    official = engine.core.official(engine.core.view(pool)) if pool in engine.pools() else None
    if official is None or official.undeclared:
        return "", False
    text, declared = official.declared_text, engine.core.declared(pool)
    steps = [text.partition(" then ")[0], *(step for step, _ in steps_of(text)[1])]
    return steps[-1], len(steps) > 1 or (declared is not None and bool(declared.starting))


def _offered(engine: Engine) -> list[tuple[str, str]]:
    """Returns the bundled books, the methods that need no parameters, and their presets, each with a summary if any."""
    found = [(BOOK + name, "") for name in bundled_books()]
    for name, kind in sorted(engine.registry.methods.items()):
        if "@" in name or any(one.default is attrs.NOTHING for one in attrs.fields(kind)):  # type: ignore[arg-type]  # an attrs class
            continue
        found += [(name, summary_of(kind)), *((f"{name}:preset={preset}", "") for preset in kind.presets)]
    return found


def _asked(method: Method) -> list[dict[str, Any]]:
    """Returns the form control of each parameter of a method: its name, value, allowed words, and lower bound."""
    inner = method.method if isinstance(method, Entering) else method
    kinds = {one.name.removesuffix("_"): one for one in attrs.fields(type(inner))}  # type: ignore[arg-type]  # as above
    found: list[dict[str, Any]] = []
    for name, value in _parameters(method).items():
        if name == ENTRY:
            first = isinstance(method, Entering)
            entry = {"name": name, "label": NAMES[name], "value": value, "number": False, "words": (), "least": None}
            found.append({**entry, "first": first})
        if (kind := kinds.get(name)) is None:  # a parameter of an inner method
            continue
        words = ("true", "false") if kind.type is bool else get_args(kind.type)
        found.append(
            {
                "name": name, "label": NAMES.get(name, ""), "value": value, "number": kind.type in (int, float),
                "words": words if kind.type is bool or get_origin(kind.type) is Literal else (),
                "least": 0 if kind.validator in (positive, not_negative) else None,
                "first": len(found) < FIRST or getattr(inner, kind.name) != kind.default,
            }
        )  # fmt: skip
    return sorted(found, key=lambda one: not one["first"])


def _parameters(method: Method) -> dict[str, str]:
    """Returns parameters as a user types them: whole numbers without a point; `entry` is added for game methods."""
    found = {name: text.removesuffix(".0") for name, text in parameters(method).items()}
    enters = method.reads is Games and method.cadence is not Cadence.RETROSPECTIVE
    return found | {ENTRY: "at_start"} if enters and ENTRY not in found else found


def _text(engine: Engine, filled: Mapping[str, str]) -> str:
    """Returns the text of a form's method: its name or preset, with the parameters that differ from it."""
    whole = filled.get("method", "")
    if whole.startswith(BOOK):
        return whole
    name, _, given = whole.partition(":")
    base = whole.partition(",")[0] if given.startswith("preset=") else name
    usual, now = (_parameters(engine.registry.method(text)) for text in (base, whole))
    numbers = {one["name"] for one in _asked(engine.registry.method(whole)) if one["number"]}
    chosen = {key: _typed(key, filled.get(SET + key, now[key]).strip(), number=key in numbers) for key in usual}
    more = ",".join(f"{key}={text}" for key, text in chosen.items() if text != usual[key])
    return f"{base}{',' if ':' in base else ':'}{more}" if more else base


def in_fields(conditions: str, word: Callable[[str], str]) -> str:
    """Returns conditions on fields that are named in a language, with the names of the fields.

    Examples
    --------
    >>> in_fields("Round = 1 & Tournament != 'Spring & Co' & level=open", str)
    "round= 1 & event!= 'Spring & Co' & level=open"
    """
    names = {word(text).casefold(): name for name, text in {**LABELS, **FIELDS}.items()}
    return _NAMED.sub(lambda found: found[1] + names.get(found[2].casefold(), found[2]), conditions)


def _typed(name: str, text: str, *, number: bool) -> str:
    """Returns a typed value of a parameter as methods write it; a number may have a decimal comma.

    Raises
    ------
    NumberUnread
    """
    text = text.replace(",", ".") if _COMMA.fullmatch(text) else text
    if number and text not in ("", "none"):
        try:
            float(text)
        except ValueError:
            raise NumberUnread(NAMES.get(name, name), text) from None
    return text.removesuffix(".0") or "none"


ROUTES = (*form("/desk/rule", rule, COSTLY, (*LINKED, "recorded")),)
