"""Routes of the API that take files in: uploaded, tried, and recorded once they are accepted."""

import asyncio

from starlette.responses import Response

from ratingcore import Head
from ratingcore_service.access import check_pools, check_whole_log
from ratingcore_service.problems import HeadNeeded
from ratingcore_service.routing import UPLOAD, Asked, Reply, Route, Scope
from ratingcore_service.upload_types import Report, Upload, UploadQuery
from ratingcore_service.wire import Query


async def upload(asked: Asked) -> Reply:
    """Takes a file in, and tries what would become of it; nothing is recorded."""
    said: UploadQuery = asked.query
    check_said(asked, said)
    uploads = asked.service.uploads
    number = await uploads.take(asked.parts(asked.service.settings.upload_bytes, "file"), said)
    await uploads.settled(number, asked.service.settings.seconds / 2)
    made = uploads.shown(number, address(asked, number))
    return Reply(made, 201, headers={"Location": made.address})


async def uploaded(asked: Asked) -> Upload:
    """How far an upload is, and what it holds."""
    number = asked.path["id"]
    return asked.service.uploads.shown(number, address(asked, number))


async def accept(asked: Asked) -> Upload:
    """Records an upload, if the log is still as it was when the file was tried; once, however often it is asked."""
    number, given = asked.path["id"], asked.headers.get("if-match", "").strip().strip('"')
    if not given:
        raise HeadNeeded()
    await accepted(asked, number, Head.parse(given))
    return asked.service.uploads.shown(number, address(asked, number))


async def remove(asked: Asked) -> Response:
    """Removes an upload."""
    asked.service.uploads.drop(asked.path["id"])
    return Response(status_code=204)


async def accepted(asked: Asked, number: str, head: Head) -> Report:
    """Records an upload in the turn of the writing thread."""
    uploads, loop = asked.service.uploads, asyncio.get_running_loop()
    if asked.caller.pools:
        check_pools(asked.caller, uploads.report(number).pools)
    return await asked.service.writer.alone(
        lambda engine: asyncio.run_coroutine_threadsafe(uploads.accept(number, head), loop).result()
    )


def check_said(asked: Asked, said: UploadQuery) -> None:
    """Refuses a file that is not for the caller's pools.

    Raises
    ------
    NotAllowed
    """
    if said.pool:
        check_pools(asked.caller, [said.pool])
    else:
        check_whole_log(asked.caller)


def address(asked: Asked, number: str) -> str:
    """The address of an upload."""
    return asked.link(f"/api/v1/uploads/{number}")


ONE = "/api/v1/uploads/{id}"
ROUTES = (
    Route("POST", "/api/v1/uploads", upload, Upload, UploadQuery, "application/octet-stream", Scope.OFFICER, UPLOAD,
          errors=(404, 413, 422), status=201, own_pools=True),
    Route("GET", ONE, uploaded, Upload, scope=Scope.OFFICER, units=0.5, errors=(404,), own_pools=True),
    Route("DELETE", ONE, remove, "", scope=Scope.OFFICER, errors=(404,), status=204, own_pools=True),
    Route("POST", f"{ONE}/accept", accept, Upload, Query, scope=Scope.OFFICER, units=UPLOAD,
          errors=(404, 409, 412, 422, 428), head=True, own_pools=True),
)  # fmt: skip
