"""Pages of the desk: how they are shown, where they lead on, and which pools and players they offer."""

from collections.abc import Mapping
from typing import Any

from ratingcore_service.routing import HTML, Asked, Reply
from ratingcore_service.showing import ABSENT, Served

NO_STORE = {"Cache-Control": "no-store"}


def sheet(asked: Asked, template: str, status: int = 200, **values: Any) -> Reply:
    """A page of the desk, with what its forms carry."""
    common: dict[str, Any] = {
        "pool": None, "part": "", "made_from": [], "served": Served("", {}, "", 0, ""), "caller": asked.caller,
        "form": asked.caller.form if asked.caller.session else "", "meanwhile": 0, "wrong": "",
    }  # fmt: skip
    text = asked.service.look.page(template, {**common, **values}, links(asked))
    return Reply(text, status, HTML, NO_STORE)


def links(asked: Asked) -> Any:
    """The addresses of pages by their paths."""
    return lambda path: "" if path in ABSENT else asked.link(f"/{path}")


def onward(asked: Asked, path: str) -> Reply:
    """Leads on to a page, so that a form that is sent is not sent twice."""
    return Reply("", 303, HTML, {"Location": asked.link(f"/{path}"), **NO_STORE})


async def pools(asked: Asked) -> list[str]:
    """The pools that the caller may write to."""
    every = await asked.service.desk.ask(lambda engine: engine.pools())
    return [pool for pool in every if not asked.caller.pools or pool in asked.caller.pools]


def given(fields: Mapping[str, str], *names: str) -> dict[str, str]:
    """Those of some fields of a form that are filled in."""
    return {name: fields[name].strip() for name in names if fields.get(name, "").strip()}
