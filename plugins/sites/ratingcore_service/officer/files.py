"""A file at the desk: brought, its headings mapped, looked through line by line, and accepted."""

from collections.abc import AsyncIterator
from datetime import date

import msgspec
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from ratingcore import Head
from ratingcore.errors import HeadMoved
from ratingcore_service.access import check_form
from ratingcore_service.officer.forms import form, form_of, given, onward, pools, sheet
from ratingcore_service.problems import BadQuery
from ratingcore_service.routing import HTML, UPLOAD, Asked, Reply, Route, Scope, fields_of
from ratingcore_service.upload_process import MAPPED, UploadQuery
from ratingcore_service.uploads import accepted, check_said

CHUNK = 1 << 20
MORE = 4096
"""Bytes that a form has beyond its file, at most, for each of its fields."""
NO_FILE = "Choose a file first."
DATES = ("%Y-%m-%d", "%d.%m.%Y", "%d. %m. %Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%d.%m.%y")
"""Formats of days that a form offers beside the one of the file, each shown by the last day of 2026."""


async def bring(asked: Asked) -> Reply:
    """Where a file is brought, which leads on to what it holds."""
    if asked.route.method == "GET":
        return sheet(asked, "desk_file", pools=await pools(asked))
    fields, file = await _sent(asked)
    try:
        if asked.caller.session:
            check_form(asked.caller, fields.get("form", ""))
        if not file.filename:
            return sheet(asked, "desk_file", 422, pools=await pools(asked), wrong=NO_FILE)
        said = UploadQuery(
            name=file.filename.replace("\\", "/").rpartition("/")[2][:200] or "results", pool=_pool(fields),
            amend="amend" in fields, zone=fields.get("zone", "").strip(),
        )  # fmt: skip
        check_said(asked, said)

        async def read() -> AsyncIterator[bytes]:
            while part := await file.read(CHUNK):
                yield part

        number = await asked.service.uploads.take(read(), said)
    finally:
        await file.close()
    await asked.service.uploads.settled(number, asked.service.settings.seconds / 2)
    return onward(asked, f"desk/files/{number}")


async def look(asked: Asked) -> Reply:
    """What a file holds, line by line, who would move, and what is to be decided."""
    return _shown(asked, asked.path["id"])


async def remap(asked: Asked) -> Reply:
    """Reads a file anew by the columns that were chosen."""
    number, fields = asked.path["id"], await form_of(asked)
    uploads = asked.service.uploads
    chosen = {f"map_{name}": fields.get(f"map.{name}", "") for name in MAPPED}
    said = msgspec.structs.replace(
        uploads.said(number),
        pool=_pool(fields),
        encoding=fields.get("encoding", ""),
        date=fields.get("date", ""),
        amend="amend" in fields,
        **chosen,
    )
    check_said(asked, said)
    uploads.read(number, said)
    await uploads.settled(number, asked.service.settings.seconds / 2)
    return onward(asked, f"desk/files/{number}")


async def accept(asked: Asked) -> Reply:
    """Records a file as it was seen."""
    number, fields = asked.path["id"], await form_of(asked)
    try:
        await accepted(asked, number, Head.parse(fields.get("seen", "")))
    except HeadMoved as moved:
        await asked.service.uploads.settled(number, asked.service.settings.seconds / 2)
        return _shown(asked, number, 412, moved.found - moved.expected)
    return onward(asked, f"desk/files/{number}")


async def drop(asked: Asked) -> Reply:
    """Throws a file away."""
    await form_of(asked)
    await asked.service.uploads.drop(asked.path["id"])
    return onward(asked, "desk/file")


def _shown(asked: Asked, number: str, status: int = 200, meanwhile: int = 0) -> Reply:
    uploads = asked.service.uploads
    said, report = uploads.said(number), uploads.report(number)
    forms = dict.fromkeys([*DATES, *filter(None, (said.date, report.date))])
    dates = [(form, date(2026, 12, 31).strftime(form)) for form in forms]
    return sheet(
        asked, "desk_report", status, number=number, said=said, report=report, mapped=MAPPED,
        chosen={**report.guess, **said.mapping}, dates=dates, meanwhile=meanwhile,
    )  # fmt: skip


def _pool(fields: dict[str, str]) -> str:
    """The pool that was named, or chosen of those that exist."""
    return next(iter(given(fields, "new_pool", "pool").values()), "")


async def _sent(asked: Asked) -> tuple[dict[str, str], UploadFile]:
    """The fields of a form and its file, which waits in a temporary file."""
    settings = asked.service.settings
    body = asked.parts(settings.upload_bytes + MORE * settings.query_fields, "file")
    try:
        parser = MultiPartParser(Headers(asked.headers), body, max_files=1, max_fields=20, max_part_size=MORE)
        form = await parser.parse()
    except (MultiPartException, KeyError):
        raise BadQuery("the form cannot be read") from None
    file = form.get("file")
    if not isinstance(file, UploadFile):
        raise BadQuery("the form has no file")
    try:
        return fields_of([(name, value) for name, value in form.multi_items() if isinstance(value, str)], "form"), file
    except BadQuery:
        await file.close()
        raise


FILE = "/desk/files/{id}"
ROUTES = (
    *form("/desk/file", bring, UPLOAD),
    Route("GET", FILE, look, HTML, scope=Scope.OFFICER, own_pools=True),
    Route("POST", f"{FILE}/map", remap, HTML, scope=Scope.OFFICER, units=UPLOAD, own_pools=True),
    Route("POST", f"{FILE}/accept", accept, HTML, scope=Scope.OFFICER, units=UPLOAD, own_pools=True),
    Route("POST", f"{FILE}/drop", drop, HTML, scope=Scope.OFFICER, own_pools=True),
)
