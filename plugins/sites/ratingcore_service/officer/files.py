"""Desk pages for a file: upload it, map its headings, check it line by line, and accept it."""

import re
from collections.abc import AsyncIterator, Sequence
from datetime import date
from typing import Any, NamedTuple

import msgspec
from ratingcore_pages import FIELDS, Pages
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from ratingcore import Engine, Head
from ratingcore.errors import HeadMoved, PlanOutdated
from ratingcore.plugin.analysis import corrections_of
from ratingcore_service.access import check_form
from ratingcore_service.corrections import LABELS
from ratingcore_service.officer.forms import YEAR_END, form, form_of, given, iso_day, onward, outdated, pools, sheet
from ratingcore_service.officer.refusals import AMEND, NoPositions, worded
from ratingcore_service.problems import BadQuery
from ratingcore_service.routing import HTML, UPLOAD, Asked, Reply, Route, Scope, fields_of
from ratingcore_service.upload_process import MAPPED, UploadQuery
from ratingcore_service.uploads import accepted, check_pool, own

CHUNK = 1 << 20
IMPORTS, SOUGHT = 20, 100_000
"""Number of imports that a form offers, and number of events at the end of the log that are searched for them."""
OTHERS, CORRECTING = ("merge", "unmerge", "period", "list", "pool"), ("void", "amend")
"""Kinds of events that never begin a batch of an import, and kinds that do so only if a reader made the correction."""
READER = "reader "
"""Beginning of the actor of an import's corrections."""
PAUSE = 20_000_000
"""Microseconds between two batches of a source that make them two imports."""
MORE = 4096
"""Largest size in bytes of a field of a form, except its file."""
FLAGS = ("amend", "reissue", "mirrored", "skip_known")
"""Settings of an upload that a checkbox turns on, or a button under a note."""
MENDS = {AMEND: "amend"}
"""Advice that has a button, and the setting of the upload that the button turns on."""
SEVERAL = {"nobody": ";", "meant": ";", "without": ","}
"""Settings to which a button adds a part, or from which it takes one, and the separators of their parts."""
BACK = "back."
"""Prefix of the names of settings in a button that takes a decision back."""
NO_FILE = "Choose a file first."
DATES = ("%Y-%m-%d", "%d.%m.%Y", "%d. %m. %Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%d.%m.%y")
"""Formats of days that a form offers besides the one found in the file; the form shows each by an example."""


class Import(NamedTuple):
    """Consecutive events from one file or sender: their positions, their source, and how many are not voided."""

    positions: str
    source: str
    counting: int


def latest_imports(engine: Engine) -> list[Import]:
    """Returns the latest imports, newest first, among the last `SOUGHT` events; wholly voided ones are left out.

    An import may have several batches, such as its results and its corrections, one just after the other. What a
    program sends later is an import of its own.
    """
    log, spans, last = engine.log, list[tuple[int, int, int]](), 0
    after = max(log.head.position - SOUGHT, 0)
    others = {row.position for row in log.rows(after, None, OTHERS)}
    actors = {row.position: getattr(event, "by", "") for row, event in engine.events(after, CORRECTING)}
    for batch in log.batches(after):
        corrects = any(actors.get(at, "").startswith(READER) for at in range(batch.first, batch.last + 1))
        if batch.source is None or batch.first in others or (batch.first in actors and not corrects):
            continue
        goes_on = bool(spans) and spans[-1][1:] == (batch.first - 1, batch.source) and batch.recorded - last < PAUSE
        spans.append((spans.pop()[0] if goes_on else batch.first, batch.last, batch.source))
        last = batch.recorded
    if after and spans and spans[0][0] > 1:
        before = next(iter(log.batches(spans[0][0] - 2)))
        if before.source == spans[0][2]:
            spans.pop(0)
    void, found = corrections_of(log).void, list[Import]()
    for begin, end, source in reversed(spans):
        counting = end - begin + 1 - sum(begin <= position <= end for position in void)
        if counting and len(found) < IMPORTS:
            found.append(Import(in_words([(begin, end)]), log.book.key(source), counting))
    return found


def in_words(spans: Sequence[tuple[int, int]]) -> str:
    """Returns spans of positions as a text: `3-5,9`."""
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


def spans_of(text: str) -> list[tuple[int, int]]:
    """Parses the spans of positions that an officer typed: `3-5,9`.

    Raises
    ------
    NoPositions
    """
    found = [re.fullmatch(r"([0-9]{1,15})(?:\s*-\s*([0-9]{1,15}))?", part.strip()) for part in text.split(",")]
    if None in found:
        raise NoPositions(text[:40])
    return [(int(one[1]), int(one[2] or one[1])) for one in found if one]


async def bring(asked: Asked) -> Reply:
    """Shows the upload form; after an upload, redirects to the page of the file."""
    if asked.route.method == "GET":
        return sheet(asked, "desk_file", pools=await pools(asked, own=True))
    fields, file = await _sent(asked)
    try:
        if asked.caller.session:
            check_form(asked.caller, fields.get("form", ""))
        if not file.filename:
            return sheet(asked, "desk_file", 422, pools=await pools(asked, own=True), wrong=NO_FILE)
        query = UploadQuery(
            name=file.filename.replace("\\", "/").rpartition("/")[2][:200] or "results", pool=_pool(fields),
            amend="amend" in fields, reissue="reissue" in fields,
            zone=fields.get("zone", "").strip(),
            played=iso_day(fields.get("played", "").strip(), asked.service.look.written(YEAR_END)[2]),
        )  # fmt: skip
        check_pool(asked, query)

        async def read() -> AsyncIterator[bytes]:
            while part := await file.read(CHUNK):
                yield part

        uploads = asked.service.uploads
        number = await uploads.store(read())
        uploads.read(number, uploads.as_answered(number, query))
    finally:
        await file.close()
    await uploads.settled(number, asked.service.settings.seconds / 2)
    return await _read_by_headings(asked, number) or onward(asked, f"desk/files/{number}")


async def _read_by_headings(asked: Asked, number: str) -> Reply | None:
    """Reads a file again by the columns chosen last time, or by a sure guess from its headings, if there is one."""
    uploads = asked.service.uploads
    report = uploads.report(number)
    if report.state != "unmapped" or uploads.query(number).mapping:
        return None
    chosen = await _chosen_before(asked, report.columns) or (report.guess if report.sure else {})
    if not chosen or not chosen.keys() <= {*MAPPED}:
        return None
    return await _read(asked, number, **{f"map_{name}": column for name, column in chosen.items()})


async def _chosen_before(asked: Asked, columns: Sequence[str]) -> dict[str, str]:
    """Returns the columns that were chosen for these headings last time, unless that import was voided."""
    void = await asked.service.desk.ask(lambda engine: corrections_of(engine.log).void)
    return asked.service.uploads.chosen_before(columns, void)


async def _read(asked: Asked, number: str, **changed: Any) -> Reply:
    """Reads a file again with changed settings, and redirects to its page."""
    uploads = asked.service.uploads
    query = msgspec.structs.replace(uploads.query(number), **changed)
    check_pool(asked, query)
    uploads.read(number, query)
    uploads.keep_answers(number)
    await uploads.settled(number, asked.service.settings.seconds / 2)
    return onward(asked, f"desk/files/{number}")


async def look(asked: Asked) -> Reply:
    """Shows the content of a file line by line, whose ratings would change, and the open decisions."""
    number = own(asked)
    return await _read_by_headings(asked, number) or await _shown(asked, number)


async def remap(asked: Asked) -> Reply:
    """Reads a file again with the columns and settings of the form."""
    number, fields = own(asked), await form_of(asked)
    chosen = {f"map_{name}": fields.get(f"map.{name}", "") for name in MAPPED}
    texts = {name: fields.get(name, "").strip() for name in ("encoding", "date", "zone", "played", "sheet", *SEVERAL)}
    flags, headings = {name: name in fields for name in FLAGS}, fields.get("headings", "")
    skip = int(headings) - 1 if re.fullmatch(r"[1-9][0-9]{0,3}", headings) else 0
    return await _read(asked, number, pool=_pool(fields), skip=skip, **texts, **flags, **chosen)


async def mend(asked: Asked) -> Reply:
    """Reads a file again with the one setting that the button under a note, a refusal or an answer changes."""
    number, fields = own(asked), await form_of(asked)
    query = asked.service.uploads.query(number)
    changed: dict[str, Any] = {name: True for name in FLAGS if name in fields} | given(fields, "date", "pool", "sheet")
    changed |= {name: False for name in FLAGS if BACK + name in fields}
    for name, between in SEVERAL.items():
        more, gone = (_parts(fields.get(key, ""), between) for key in (name, BACK + name))
        if more or gone:
            before = [part for part in _parts(getattr(query, name), between) if part not in (*more, *gone)]
            changed[name] = between.join([*before, *more])
    return await _read(asked, number, **changed)


def _parts(text: str, between: str) -> list[str]:
    return [part.strip() for part in text.split(between) if part.strip()]


def _answers(query: UploadQuery) -> list[tuple[str, Any]]:
    """Returns what was decided about a file by buttons: for each decision, the setting and its part."""
    flags = [(name, "yes") for name in FLAGS if getattr(query, name)]
    return flags + [(name, part) for name, between in SEVERAL.items() for part in _parts(getattr(query, name), between)]


async def accept(asked: Asked) -> Reply:
    """Records a file if its rows still have the outcome that the officer saw."""
    number, fields = own(asked), await form_of(asked)
    headings = asked.service.uploads.report(number).columns
    try:
        made = await accepted(asked, number, Head.parse(fields.get("seen", "")))
    except HeadMoved as moved:
        await asked.service.uploads.settled(number, asked.service.settings.seconds / 2)
        return await _shown(asked, number, 412, meanwhile=moved.found - moved.expected)
    except PlanOutdated as changed:
        await asked.service.uploads.settled(number, asked.service.settings.seconds / 2)
        return await _shown(asked, number, 412, **await outdated(asked, changed))
    asked.service.uploads.remember(number, headings, made.positions)
    return onward(asked, f"desk/files/{number}")


async def drop(asked: Asked) -> Reply:
    """Discards a file."""
    await form_of(asked)
    await asked.service.uploads.drop(own(asked))
    return onward(asked, "desk/file")


async def _shown(asked: Asked, number: str, status: int = 200, **values: object) -> Reply:
    uploads = asked.service.uploads
    query, report = uploads.query(number), uploads.report(number)
    forms = dict.fromkeys([*DATES, *filter(None, (query.date, report.date))])
    dates = [(form, date_like(form)) for form in forms]
    word, fault = asked.service.look.environment.filters["word"], report.problem
    own = {name: name for name in MAPPED if name in report.columns}
    before = await _chosen_before(asked, report.columns)
    lists = await asked.service.desk.ask(lambda engine: Pages(engine).parts) if report.state == "accepted" else {}
    refused = [(row, *worded(row.why.kind, row.why.facts, word, row.why.text)) for row in report.refused]
    return sheet(
        asked, "desk_report", status, number=number, query=query, report=report, mapped=MAPPED,
        chosen={**own, **report.guess, **before, **query.mapping}, dates=dates,
        as_before=before if before == query.mapping and report.state in ("read", "failed") else {},
        answers=_answers(query),
        positions=in_words(report.positions), refused=refused, date_like=date_like,
        lists=[(lists[pool], pool) for pool in report.pools if pool in lists],
        mending=list(dict.fromkeys(mending for _, _, mending in refused if mending)),
        mends={word(mending): flag for mending, flag in MENDS.items()},
        fault=worded(fault.kind, fault.facts, word, fault.detail, fault.hint) if fault else ("", ""),
        labels={**LABELS, **FIELDS}, **values,
    )  # fmt: skip


def date_like(form: str) -> str:
    """Writes 31 December 2026 in a format."""
    return date(2026, 12, 31).strftime(form)


def _pool(fields: dict[str, str]) -> str:
    """Returns the new pool that was typed, or else the existing pool that was chosen."""
    return next(iter(given(fields, "new_pool", "pool").values()), "")


async def _sent(asked: Asked) -> tuple[dict[str, str], UploadFile]:
    """Returns the fields of a form, and its uploaded file, which is stored in a temporary file."""
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
    Route("POST", f"{FILE}/mend", mend, HTML, scope=Scope.OFFICER, units=UPLOAD, own_pools=True),
    Route("POST", f"{FILE}/accept", accept, HTML, scope=Scope.OFFICER, units=UPLOAD, own_pools=True),
    Route("POST", f"{FILE}/drop", drop, HTML, scope=Scope.OFFICER, own_pools=True),
)
