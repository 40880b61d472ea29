"""API routes for the upkeep of a log: erase players, verify digests, download copies."""

import asyncio
import tempfile
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct, field
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from ratingcore import Engine
from ratingcore.errors import BadValue, ErasureUnfinished
from ratingcore.plugin.analysis import backup as backed_up
from ratingcore.plugin.analysis import file_of
from ratingcore_service.problems import NotFound
from ratingcore_service.routing import COSTLY, JOB, Asked, Reply, Route, Scope
from ratingcore_service.wire import Headed, Name, Query, answer


class Erasure(Struct, forbid_unknown_fields=True, kw_only=True):
    """Request to erase a player for good, name and facts; the name is typed twice."""

    player: Name
    again: Name
    also: Annotated[list[Name], Meta(max_length=20, description="Further texts to look for in reasons.")] = []
    rated_facts: Annotated[
        bool, Meta(description="Erase facts that ratings are computed from, such as born, too; ratings may move.")
    ] = False
    dry_run: bool = False


class Erased(Headed, kw_only=True):
    """What an erasure removed or would remove, and what stays."""

    finished: bool
    dry_run: bool = False
    players: list[int] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


class Checked(Headed, kw_only=True):
    """A log whose digests follow from its rows."""

    batches: int
    remarks: list[str]
    damaged: list[str]


async def erase(asked: Asked) -> Reply:
    """Erases a player's name and facts for good; 202 while their bytes are still in the file."""
    sent: Erasure = asked.body
    if sent.player != sent.again:
        raise BadValue("again", sent.again, "is not the name that is to be erased")

    def append(engine: Engine) -> Erased:
        try:
            report = engine.erase(sent.player, also=sent.also, by=asked.caller.name, rated_facts=sent.rated_facts)
        except ErasureUnfinished:
            return Erased(head=str(engine.log.head), finished=False)
        return answered(engine, True, report.players, str(report))

    def look(engine: Engine) -> Erased:
        plan = engine.plan.erase(sent.player, also=sent.also, by=asked.caller.name, rated_facts=sent.rated_facts)
        return answered(engine, False, plan.report.players, str(plan))

    def answered(engine: Engine, finished: bool, players: Iterable[int], text: str) -> Erased:
        return Erased(
            head=str(engine.log.head), finished=finished, dry_run=not finished, players=list(players),
            lines=text.splitlines(),
        )  # fmt: skip

    if sent.dry_run:
        return Reply(await asked.service.desk.ask(look))
    made = await asked.service.writer.alone(append)
    await asked.service.forget()
    return Reply(made, 200) if made.finished else Reply(made, 202, headers={"Retry-After": "5"})


async def verify(asked: Asked) -> Checked:
    """Checks every digest of the log against its rows; requests during a check share its result."""
    service = asked.service

    def check(engine: Engine) -> Checked:
        made = engine.verify()
        return answer(Checked, made, head=str(made.head), remarks=list(made.remarks), damaged=list(made.damaged))

    return await service.desk.ask(check, ("verification", await service.desk.stamp()))


async def export(asked: Asked) -> FileResponse:
    """Downloads the log as lines of JSON, from which `ratingcore load` rebuilds it with the same digests."""

    def write(engine: Engine, file: Path) -> None:
        with file.open("w", encoding="utf-8", newline="\n") as lines:
            lines.writelines(f"{line}\n" for line in engine.export())

    return await _copy(asked, write, "log.jsonl", "application/jsonl")


async def backup(asked: Asked) -> FileResponse:
    """Downloads a consistent copy of the file of the log."""
    if (kept := file_of(asked.service.desk.engine.log)) is None:
        raise NotFound("file of this log: back up its database, or download the export")
    name = backup_name(kept)
    return await _copy(asked, lambda engine, file: backed_up(engine.log, file), name, "application/vnd.sqlite3")


def backup_name(kept: str | Path) -> str:
    """Returns the name under which a backup of a log's file is downloaded today."""
    return f"{Path(kept).stem}-{datetime.now(UTC):%Y-%m-%d}.db"


async def _copy(asked: Asked, write: Callable[[Engine, Path], None], name: str, media: str) -> FileResponse:
    """Sends a copy from a temporary file, so that a slow client holds up nobody."""
    folder = tempfile.TemporaryDirectory(prefix="ratingcore-copy-")
    file = Path(folder.name, name)
    try:
        await asyncio.to_thread(write, asked.service.desk.engine, file)
    except BaseException:
        folder.cleanup()
        raise
    headers = {"Cache-Control": "no-store"}
    return FileResponse(file, 200, headers, media, BackgroundTask(folder.cleanup), name)


ROUTES = (
    Route("POST", "/api/v1/erasures", erase, Erased, Query, Erasure, Scope.ERASE, COSTLY, (404, 409), also=(202,)),
    Route("POST", "/api/v1/verification", verify, Checked, scope=Scope.OFFICER, units=JOB),
    Route("GET", "/api/v1/export", export, "application/jsonl", scope=Scope.OFFICER, units=JOB),
    Route("GET", "/api/v1/backup", backup, "application/vnd.sqlite3", scope=Scope.OFFICER, units=JOB, errors=(404,)),
)
