"""Desk page for webhooks and their dead letters, which an officer sends again or drops."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from ratingcore import Engine
from ratingcore_service.officer.forms import form, form_of, onward, sheet
from ratingcore_service.routing import UPLOAD, Asked, Reply
from ratingcore_service.webhooks import Hooks, deliver_again

PATH = "desk/webhooks"


async def messages(asked: Asked) -> Reply:
    """Lists the messages that could not be delivered; sends one again, or drops it."""
    fields, ask = await form_of(asked), asked.service.desk.ask
    if fields:
        await ask(lambda engine: _done(engine, asked.service.hooks(engine), fields))
        return onward(asked, PATH)
    return sheet(asked, "desk_webhooks", hooks=await ask(lambda engine: _shown(asked.service.hooks(engine))))


def _done(engine: Engine, hooks: Hooks, fields: Mapping[str, str]) -> None:
    number, first = fields.get("webhook", ""), fields.get("first", "")
    if first.isascii() and first.isdigit():
        if fields.get("do") == "drop":
            hooks.drop(number, int(first))
        else:
            deliver_again(engine, hooks, number, int(first))


def _shown(hooks: Hooks) -> list[dict[str, Any]]:
    """Returns the webhooks for the page; their addresses lack the query string, which may contain a secret."""
    return [
        {
            "id": hook.id, "url": hook.url.partition("?")[0], "tries": hook.tries, "error": hook.error,
            "dead": [(first, last, _minute(at), error) for first, last, at, error in hooks.dead(hook.id)],
        }
        for hook in hooks.all()
    ]  # fmt: skip


def _minute(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")


ROUTES = tuple(form(f"/{PATH}", messages, UPLOAD, own_pools=False))
