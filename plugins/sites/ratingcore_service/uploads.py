"""Uploads: each file has its own folder under a random id, is read by a limited process, and is kept for a day."""

import hashlib
import secrets
import shutil
import sys
from collections.abc import AsyncIterator, Sequence, Set
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from starlette.responses import Response

from ratingcore import Head
from ratingcore.errors import HeadMoved, LogUnavailable, PlanOutdated
from ratingcore_service.access import Caller, check_pools, check_whole_log
from ratingcore_service.background_work import BackgroundWork, Work, replace
from ratingcore_service.bounded_process import Bounds
from ratingcore_service.problems import Interrupted, NotRead, TooLarge, TooMuchWork
from ratingcore_service.routing import UPLOAD, Asked, Reply, Route, Scope
from ratingcore_service.settings import Settings
from ratingcore_service.upload_process import Order, Report, Upload, UploadQuery, failed
from ratingcore_service.wire import Query
from ratingcore_service.writing import expected

KEPT = 86_400.0
"""Seconds for which an upload is kept."""
MOST = 50
"""Largest number of uploads that are kept; the oldest are deleted first."""
ANSWERS = ("nobody", "meant", "without")
"""Settings of an upload that are decisions about its names and rows."""


class Uploads(BackgroundWork):
    """The uploads of a service.

    Parameters
    ----------
    address : str
        The log.
    folder : path
        Created with the first upload.
    settings : Settings
    """

    def __init__(self, address: str, folder: Path, settings: Settings) -> None:
        super().__init__(folder, "upload {id}: an upload is kept for a day")
        self._address, self._settings = address, settings

    async def store(self, parts: AsyncIterator[bytes]) -> str:
        """Stores a file as it arrives; returns its id.

        Raises
        ------
        TooLarge
        """
        number, size = secrets.token_hex(16), 0
        folder = self._new(number, MOST, KEPT)
        try:
            with (folder / "file").open("wb") as file:
                async for part in parts:
                    size += len(part)
                    if size > self._settings.upload_bytes:
                        raise TooLarge("file", self._settings.upload_bytes)
                    file.write(part)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return number

    def read(self, number: str, query: UploadQuery) -> None:
        """Begins to read an upload with these settings, on the current head of the log."""
        folder = self._of(number)
        headings = self.report(number).columns if (folder / "report").exists() else []
        (folder / "query").write_bytes(msgspec.json.encode(query))
        (folder / "report").unlink(missing_ok=True)
        self._start(number, lambda work: self._read(work, headings))

    def report(self, number: str) -> Report:
        """Returns the progress of an upload, and its content once it is read.

        Raises
        ------
        NotFound
        """
        try:
            return msgspec.json.decode((self._of(number) / "report").read_bytes(), type=Report)
        except FileNotFoundError:
            if self.goes(number):
                return Report(state="reading", head="")
            return failed(Interrupted())

    def query(self, number: str) -> UploadQuery:
        """Returns the settings of an upload."""
        return msgspec.json.decode((self._of(number) / "query").read_bytes(), type=UploadQuery)

    def remember(self, number: str, headings: Sequence[str], positions: Sequence[tuple[int, int]]) -> None:
        """Stores the columns chosen for the headings of a recorded upload, for the next file with these headings."""
        mapping = self.query(number).mapping
        if headings and mapping:
            self._keep("headings", "\t".join(headings), mapping, positions)

    def chosen_before(self, headings: Sequence[str], void: Set[int]) -> dict[str, str]:
        """Returns the columns last chosen for these headings, by field; empty if all events of that file are void."""
        mapping, spans = self._kept("headings").get("\t".join(headings), ({}, []))
        gone = all(position in void for first, last in spans for position in range(first, last + 1))
        return {} if spans and gone else mapping

    def keep_answers(self, number: str) -> None:
        """Stores what an officer decided about names and rows of a file, for the next file of its name."""
        query = self.query(number)
        answers = {name: text for name in ANSWERS if (text := getattr(query, name))}
        self._keep("answers", query.name, answers, self._digest(number))

    def as_answered(self, number: str, query: UploadQuery) -> UploadQuery:
        """Adds the answers about the last file of this name; those about lines only if the content is the same."""
        answers, digest = self._kept("answers").get(query.name, ({}, ""))
        if digest != self._digest(number):
            answers.pop("without", None)
        return msgspec.structs.replace(query, **answers)

    def empty(self) -> None:
        """Also forgets the answers, which hold names."""
        super().empty()
        self._folder.with_name("answers.json").unlink(missing_ok=True)

    def _digest(self, number: str) -> str:
        with (self._of(number) / "file").open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def _kept(self, what: str) -> dict[str, tuple[dict[str, str], Any]]:
        """Returns the texts that are kept for later uploads, by name; the file may be absent or damaged."""
        try:
            kept = self._folder.with_name(f"{what}.json").read_bytes()
            return msgspec.json.decode(kept, type=dict[str, tuple[dict[str, str], Any]])
        except (FileNotFoundError, msgspec.DecodeError):
            return {}

    def _keep(self, what: str, name: str, texts: dict[str, str], of: object) -> None:
        known = {**self._kept(what), name: (texts, of)}
        replace(self._folder.with_name(f"{what}.json"), msgspec.json.encode(dict(list(known.items())[-MOST:])))

    def shown(self, number: str, address: str) -> Upload:
        """Returns the answer about an upload."""
        report, name = self.report(number), self.query(number).name
        return Upload(head=report.head, id=number, name=name, state=report.state, report=report, address=address)

    def accept(self, number: str, head: Head, caller: Caller) -> Report:
        """Records an upload once, if its rows still have the outcome of the trial.

        Raises
        ------
        HeadMoved
            If the outcome differs, or the trial was on another head; the upload is read anew.
        PlanOutdated
            If an event that a row concerns has been corrected meanwhile; the upload is read anew.
        LogUnavailable
            If the log cannot be used at the moment; the upload can be accepted later.
        NotFound
        NotAllowed
            If the caller's token does not cover its pools.
        """
        tried = self.report(number)
        if tried.state != "read":
            return tried
        if head != Head.parse(tried.head):
            self.read(number, self.query(number))
            raise HeadMoved(head.position, Head.parse(tried.head).position)
        with self._one, closing(Work(self._of(number))) as work:
            if (tried := self.report(number)).state != "read":
                return tried  # it is being read anew
            check_pools(caller, tried.pools)
            made = self._run(work, tried)
            if made.problem is not None and made.problem.status == 503:
                raise LogUnavailable("the log", made.problem.detail)
            if made.moved_to or (made.problem is not None and made.problem.kind == PlanOutdated.__name__):
                self.read(number, self.query(number))
                raise PlanOutdated(**made.problem.facts) if made.problem else HeadMoved(head.position, made.moved_to)
            (work.folder / "report").write_bytes(msgspec.json.encode(made))
            return made

    def _read(self, work: Work, headings: list[str]) -> None:
        made = self._run(work)
        made.columns = made.columns or headings  # to choose columns from
        replace(work.folder / "report", msgspec.json.encode(made))

    def _run(self, work: Work, tried: Report | None = None) -> Report:
        """Runs the process that reads an upload; returns its report."""
        folder, query, limits = work.folder, self.query(work.folder.name), self._settings
        order = Order(address=self._address, query=query, rows=limits.upload_rows, tried=tried)
        bounds = Bounds(limits.upload_memory, limits.upload_seconds, limits.unpacked_bytes)
        words = ["-m", "ratingcore_service.upload_process"]
        code = work.run(words, bounds, msgspec.json.encode(order))
        try:
            made = msgspec.json.decode((folder / "out").read_bytes(), type=Report)
        except msgspec.DecodeError:
            made = failed(TooMuchWork(query.name))
        if code or (made.problem and made.problem.status == 500):
            print((folder / "err").read_text("utf-8", "replace")[-2000:], file=sys.stderr)
        return made


async def upload(asked: Asked) -> Reply:
    """Uploads a file and begins a trial of it; records nothing."""
    query: UploadQuery = asked.query
    check_pool(asked, query)
    uploads = asked.service.uploads
    number = await uploads.store(asked.parts(asked.service.settings.upload_bytes, "file"))
    uploads.read(number, query)
    await uploads.settled(number, asked.service.settings.seconds / 2)
    made = uploads.shown(number, address(asked, number))
    return Reply(made, 201, headers={"Location": made.address})


async def uploaded(asked: Asked) -> Upload:
    """Returns the progress and the content of an upload."""
    number = own(asked)
    return asked.service.uploads.shown(number, address(asked, number))


async def accept(asked: Asked) -> Upload:
    """Records an upload once, if its rows still have the outcome that was shown.

    Raises
    ------
    NotRead
        If there is nothing to record, since the file is not read yet or not understood.
    """
    number, head = own(asked), expected(asked)
    assert head is not None, "the route needs one"
    report = await accepted(asked, number, head)
    if report.state != "accepted":
        raise NotRead(report.state)
    return asked.service.uploads.shown(number, address(asked, number))


async def remove(asked: Asked) -> Response:
    """Deletes an upload."""
    await asked.service.uploads.drop(own(asked))
    return Response(status_code=204)


async def accepted(asked: Asked, number: str, head: Head) -> Report:
    """Records an upload from the writing thread."""
    uploads = asked.service.uploads
    return await asked.service.writer.alone(lambda engine: uploads.accept(number, head, asked.caller))


def own(asked: Asked) -> str:
    """Returns the id of the upload at an address, after a check of its pools.

    Raises
    ------
    NotFound, NotAllowed
    """
    number, uploads = asked.path["id"], asked.service.uploads
    check_pool(asked, uploads.query(number))
    check_pools(asked.caller, uploads.report(number).pools)
    return str(number)


def check_pool(asked: Asked, query: UploadQuery) -> None:
    """Refuses a file outside the pools of the caller's token; a file without a pool needs a token for all pools.

    Raises
    ------
    NotAllowed
    """
    if query.pool:
        check_pools(asked.caller, [query.pool])
    else:
        check_whole_log(asked.caller)


def address(asked: Asked, number: str) -> str:
    """Returns the address of an upload."""
    return asked.link(f"/api/v1/uploads/{number}")


ONE = "/api/v1/uploads/{id}"
ROUTES = (
    Route("POST", "/api/v1/uploads", upload, Upload, UploadQuery, "application/octet-stream", Scope.OFFICER, UPLOAD,
          errors=(404,), status=201, own_pools=True),
    Route("GET", ONE, uploaded, Upload, scope=Scope.OFFICER, units=0.5, own_pools=True),
    Route("DELETE", ONE, remove, "", scope=Scope.OFFICER, status=204, own_pools=True),
    Route("POST", f"{ONE}/accept", accept, Upload, Query, scope=Scope.OFFICER, units=UPLOAD, errors=(409,),
          head=True, own_pools=True),
)  # fmt: skip
