"""Desk pages for recurring tasks: lists that are due, a backup with its anchor, and messages of webhooks."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from ratingcore_calendar import Calendar, publish_calendar

from ratingcore import Engine, Head
from ratingcore.errors import HeadMoved
from ratingcore.plugin.analysis import Anchor, file_of
from ratingcore_service import upkeep
from ratingcore_service.officer.forms import decided, filled_in, form, form_of, onward, pools, sheet
from ratingcore_service.officer.refusals import NothingDue
from ratingcore_service.routing import COSTLY, HTML, JOB, UPLOAD, Asked, Reply, Route, Scope
from ratingcore_service.webhooks import Hooks, deliver_again
from ratingcore_service.writing import expected

NAME = "%Y-%m"
"""Pattern of the names of lists, by the last day of each."""
MESSAGES = "desk/webhooks"


async def calendar(asked: Asked) -> Reply:
    """Previews the lists of a calendar that are due; publishes them when the officer confirms."""
    fields, filled = await filled_in(asked, "calendar", "since", "name")
    pool, pattern = filled.get("pool", ""), filled.setdefault("name", NAME)

    def made(engine: Engine, *, dry_run: bool) -> Calendar:
        method = asked.service.settings.method(pool, None)
        calendar, since = filled.get("calendar", ""), filled.get("since", "")
        return publish_calendar(engine, pool, calendar, since, pattern, method, dry_run=dry_run)

    def look(engine: Engine) -> dict[str, Any]:
        due = [one for one in made(engine, dry_run=True) if one.new]
        if not due:
            raise NothingDue()
        return {"due": due}

    async def act(matching: Asked) -> str:
        await asked.service.writer.alone(_at(expected(matching), lambda engine: made(engine, dry_run=False)))
        return "log"

    return await decided(asked, "desk_calendar", fields, look, act, pools=await pools(asked), filled=filled)


def _at(head: Head | None, act: Callable[[Engine], Any]) -> Callable[[Engine], Any]:
    """Wraps an act so that it is refused if the log is no longer at a head."""

    def checked(engine: Engine) -> Any:
        if head is not None and engine.log.head != head:
            raise HeadMoved(head.position, engine.log.head.position)
        return act(engine)

    return checked


async def backup(asked: Asked) -> Reply:
    """Shows links to download a copy of the log, and its anchor."""
    anchor, file = await asked.service.desk.ask(lambda engine: (str(Anchor.of(engine.log)), file_of(engine.log)))
    return sheet(asked, "desk_backup", anchor=anchor, copy="" if file is None else upkeep.backup_name(file))


async def messages(asked: Asked) -> Reply:
    """Lists the messages that could not be delivered; sends one again, or drops it."""
    fields, ask = await form_of(asked), asked.service.desk.ask
    if fields:
        await ask(lambda engine: _done(engine, asked.service.hooks(engine), fields))
        return onward(asked, MESSAGES)
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


ROUTES = (
    *form("/desk/calendar", calendar, COSTLY),
    Route("GET", "/desk/backup", backup, HTML, scope=Scope.OFFICER),
    Route("GET", "/desk/backup/log.db", upkeep.backup, "application/vnd.sqlite3", scope=Scope.OFFICER, units=JOB),
    Route("GET", "/desk/backup/log.jsonl", upkeep.export, "application/jsonl", scope=Scope.OFFICER, units=JOB),
    *form(f"/{MESSAGES}", messages, UPLOAD, own_pools=False),
)
