"""The plan of a file: the outcome of its rows, the log with them, and the request to import it later."""

import hashlib
import io
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, tzinfo
from functools import cache, cached_property
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Self

from attrs import evolve, frozen

from ratingcore.engine.core import Core
from ratingcore.engine.imports import Imports
from ratingcore.errors import BadValue, PlanOutdated
from ratingcore.events import CORRECTIONS, Event
from ratingcore.importer.report import ImportReport
from ratingcore.importer.row_fates import RowFates
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.fieldmap import mapping_of
from ratingcore.log import Log
from ratingcore.log.contract import Seen
from ratingcore.log.lookup import bases_of, decoder_of
from ratingcore.log.overlay import TrialLog
from ratingcore.plans import Concerns, Plan
from ratingcore.plans.plan import outdated

Way = Literal["import_file", "import_seeds", "import_players"]
"""Way to read a file, by the name of the engine's method."""


@frozen(eq=False, slots=False)  # the digest is kept beside its fields
class Tried:
    """Result of a trial of an import: the report, and the log with its events."""

    report: ImportReport
    core: Core

    @property
    def log(self) -> TrialLog:
        """The log with the events of the import."""
        assert isinstance(self.core.log, TrialLog)
        return self.core.log

    @cached_property
    def digest(self) -> str:
        """A digest of both, needed only for a plan that is kept or applied."""
        return digest_of(self.report, self.log, self.log.upon.position)


@frozen
class ImportRequest:
    """The arguments of an import, which can be repeated.

    Parameters
    ----------
    way : {"import_file", "import_seeds", "import_players"}
    what : path, open file, list of these, or table
    pool : str or None
    fields : FieldMap
    options : mapping of str to object
        Further arguments by name.
    starts : tuple of int
        Place from which each open file is read.
    """

    way: Way
    what: Any
    pool: str | None
    fields: FieldMap
    options: Mapping[str, Any]
    starts: tuple[int, ...] = ()

    @classmethod
    def of(
        cls, way: Way, what: object, pool: str | None, fields: Mapping[str, str] | FieldMap | None, options: Any
    ) -> Self:
        """The request with these arguments; `BadValue` if something can be read only once."""
        once = next(filter(_is_read_once, _each(what)), None)
        if once is not None:
            why = "is a source that can be read only once, and applying a plan reads it again: give a file or a list"
            raise BadValue("what", once, why)
        starts = tuple(one.tell() for one in _each(what) if isinstance(one, io.IOBase))
        return cls(way, what, pool, mapping_of(fields), options, starts)

    def asked(self, core: Core, **further: Any) -> ImportReport:
        """The report of the import into a log."""
        for file, start in zip(
            (one for one in _each(self.what) if isinstance(one, io.IOBase)), self.starts, strict=True
        ):
            file.seek(start)
        report: ImportReport = getattr(Imports(core), self.way)(
            self.what, self.pool, self.fields, **{**self.options, **further}
        )
        return report

    def tried(self, core: Core) -> Tried:
        """The report of a trial upon a log."""
        trial = core.over(TrialLog(core.log))
        report = self.asked(trial, dry_run=True)
        assert isinstance(trial.log, TrialLog)
        trial.log.sealed, report.head = True, trial.log.upon
        return Tried(report, trial)

    def content(self) -> str:
        """A digest of the files at the paths."""
        digest = hashlib.sha256()
        for one in _each(self.what):
            if isinstance(one, str | PathLike) and os.path.exists(one):
                for path in sorted(Path(one).rglob("*")) if os.path.isdir(one) else [Path(one)]:
                    if path.is_file():
                        with path.open("rb") as file:
                            digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()

    def as_json(self) -> dict[str, Any]:
        """The request as JSON; `BadValue` if something imported has no path.

        Paths stay as given. The progress callback is left out.
        """
        for one in _each(self.what):
            if not isinstance(one, str | PathLike):
                raise BadValue("what", one, "is at no path, where it could be read again")
        several = isinstance(self.what, list | tuple)
        paths = list(map(os.fspath, _each(self.what)))
        options = {name: _plain(name, value) for name, value in self.options.items() if name != "progress"}
        what = paths if several else paths[0]
        return {"way": self.way, "what": what, "pool": self.pool, "fields": self.fields.as_json(), "options": options}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Self:
        """The request written by `as_json`."""
        if given["way"] not in ("import_file", "import_seeds", "import_players"):
            raise BadValue("way", given["way"], "is no import")
        fields = FieldMap.from_json(given["fields"])
        return cls.of(given["way"], given["what"], given["pool"], fields, dict(given["options"]))


@frozen(eq=False, slots=False)  # the trial is kept beside its fields
class FilePlan:
    """The effect of importing a file: a report on its rows, and the log with them.

    Applying it imports the file again, and is refused if the file, the outcome of its rows, or anything that the plan
    depends on has changed.

    Parameters
    ----------
    request : ImportRequest
    core : Core
        Of the log for which it was made.
    rests : Plan
        The part of the log it depends on: the events it corrects, and the declarations of its pools.
    content : str
        A digest of the file.
    fates : str
        A digest of the outcome of its rows, if it was made before; empty for that of a trial.

    Attributes
    ----------
    report : ImportReport
        Of a dry run.
    trial : Core
        A private log with the events of the file.
    """

    request: ImportRequest
    core: Core
    rests: Plan
    content: str
    _fates: str = ""

    @classmethod
    def of(cls, core: Core, request: ImportRequest) -> Self:
        """The plan of a request upon a log."""
        look, content = core.log.look(), request.content()
        tried = request.tried(core)
        log = tried.log
        event = decoder_of(log)
        decided = [event(row) for row in log.rows(log.upon.position, None, (*CORRECTIONS, "player"))]
        concerns = Concerns.of(core.log, log, decided)
        pools = sorted(log.supposed_pools() - {0})
        concerns = evolve(concerns, declared=concerns.declared | set(log.book.keys(pools)))
        rests = Plan("import", Seen(log.upon, look.names, look.erasures), (), concerns)
        plan = cls(request, core, rests, content)
        plan.__dict__["_tried"] = tried
        return plan

    @classmethod
    def decided(cls, core: Core, request: ImportRequest, decision: Mapping[str, Any]) -> Self:
        """The plan of a request that was made earlier, by its `decision`.

        Raises
        ------
        BadValue
            If it is none.
        """
        try:
            rests = Plan.from_json(decision["rests"])
            return cls(request, core, rests, str(decision["content"]), str(decision["fates"]))
        except (LookupError, TypeError, AttributeError) as error:
            raise BadValue("plan", error, "is missing or cannot be read") from None

    @cached_property
    def _tried(self) -> Tried:
        """The outcome of the request, repeated."""
        self.rests.check(self.core.log)
        log, tried = self.core.log, self.request.tried(self.core)
        head = tried.log.upon.position
        changed = tried.digest != self._fates
        self._check_rows(log, head, tried.report, changed)
        if changed or self.request.content() != self.content:
            raise self._outdated(log, head, tried.report)
        return tried

    @property
    def fates(self) -> str:
        """A digest of the outcome of the rows."""
        return self._fates or self._tried.digest

    @property
    def report(self) -> ImportReport:
        """The report on the rows, as of a dry run."""
        return self._tried.report

    @property
    def rows(self) -> RowFates:
        """The outcome of each row, in the order of the lines.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> games = [{"played": "2024-03-02", "a": "ann", "b": "bo", "score": score} for score in ("1-0", "bye")]
        >>> plan = engine.plan.import_file(games, "rapid")
        >>> plan.rows.counts(), [(row.line, row.what) for row in plan.rows]
        ({'taken': 1, 'unrated': 1}, [(1, 'taken'), (2, 'unrated')])
        """
        return self.report.rows

    @property
    def pools(self) -> list[str]:
        """Pools that would get events; all of the log if a correction concerns any of them."""
        log = self._tried.log
        numbers, every = log.supposed_pools(), self.trial.pools()
        return every if 0 in numbers else [pool for pool in every if log.book.number("pool", pool) in numbers]

    @property
    def trial(self) -> Core:
        """The log with the events of the file."""
        return self._tried.core

    @property
    def events(self) -> Iterator[Event]:
        """Events that would be recorded, in order."""
        log = self._tried.log
        return events_behind(log, log.upon.position)

    def applied(self, core: Core) -> ImportReport:
        """The report of the import, if the log then has the planned events; else nothing is recorded."""
        log = core.log
        with log.writing():
            self.rests.check(log)
            head = log.head.position
            report = self.request.asked(core)
            changed = digest_of(report, log, head) != self.fates
            self._check_rows(log, head, report, changed)
            changed = changed or self.request.content() != self.content
            if changed and (log.head.position > head or self._is_contradicted(report)):
                raise self._outdated(log, head, report)
        return report

    def _is_contradicted(self, report: ImportReport) -> bool:
        """True if a row contradicts later events of the log, and no other row of the file."""
        refused = {row.position for row in report.rows.only("refused")}
        known = {row.position for row in report.rows.only("known", "corrects", "voided")}
        return any(position > self.rests.head.position for position in refused - known)

    def _check_rows(self, log: Log, head: int, report: ImportReport, changed: bool) -> None:
        """Refuses the plan if, up to a head, an event that a row is was corrected, or a pool of the file declared."""
        since = self.rests.head.position
        decided = list(log.rows(since, head, (*CORRECTIONS, "pool")))
        if not decided:
            return
        matched, declared = set(report.rows.positions), any(row.kind == "pool" for row in decided)
        pools = {row.pool for row in log.rows_at(matched)} if declared else set()
        bases = bases_of(log, decided)
        for row in decided:
            if changed or row.pool in pools if row.kind == "pool" else bases[row.position].position in matched:
                raise outdated("import", since, log, row)

    def _outdated(self, log: Log, head: int, report: ImportReport) -> PlanOutdated:
        """The refusal of the plan: an event of a row that others recorded, up to a head; else a change of the file."""
        since = self.rests.head.position
        came = log.rows_at(at for at in report.rows.positions if since < at <= head)
        row = min(came, key=lambda row: row.position, default=None)
        if row is None:
            return PlanOutdated("import", since, head, "file", report.source)
        return outdated("import", since, log, row)

    def as_json(self) -> dict[str, Any]:
        """The plan as JSON: the request, and digests of the file and of the outcome of its rows.

        It holds ids of players, so drop it when one of them is erased.

        Raises
        ------
        BadValue
            If a table in memory or an open file is to be imported, which another process could not read.
        """
        return {"verb": "import", "request": self.request.as_json(), **self.decision}

    @property
    def decision(self) -> dict[str, Any]:
        """The plan as JSON has it, without what was asked: for a file that is at no path."""
        return {"rests": self.rests.as_json(), "content": self.content, "fates": self.fates}

    @classmethod
    def from_json(cls, given: Mapping[str, Any], core: Core) -> Self:
        """The plan written by `as_json`, for a log; the file is read when the plan is applied, or looked at.

        Raises
        ------
        BadValue
            If it is not such a plan.
        """
        try:
            request = ImportRequest.from_json(given["request"])
        except (LookupError, TypeError, AttributeError) as error:
            raise BadValue("plan", error, "is missing or cannot be read") from None
        return cls.decided(core, request, given)


def events_behind(log: Log, position: int) -> Iterator[Event]:
    """The events of a log after a position."""
    event = decoder_of(log)
    return (event(row) for row in log.rows(position))


def digest_of(report: ImportReport, log: Log, position: int) -> str:
    """A digest of the outcome of a file's rows, and of the events of a log after a position.

    Uids depend on the names that the log has, and are left out.
    """
    digest = hashlib.sha256(repr(report.fates).encode("utf-8", "surrogatepass"))
    event, key, rows = decoder_of(log), cache(log.book.key), log.rows(position)
    while some := list(islice(rows, _TOGETHER)):
        said: list[object] = [
            (key(pool or 0), played, order, key(a or 0), key(b or 0), score, data)
            if kind == "game"  # nearly all are; others have no names
            else evolve(event(row), uid="_")
            for row in some
            for _, _, kind, pool, played, order, a, b, score, _, data in (row,)
        ]
        digest.update(repr(said).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


_TOGETHER = 1_000
"""Rows that are digested at once."""


def _each(what: object) -> Iterable[Any]:
    return what if isinstance(what, list | tuple) else [what]


def _is_read_once(what: object) -> bool:
    """True if something can be iterated or read only once."""
    if isinstance(what, io.IOBase):
        return not what.seekable()
    return isinstance(what, Iterator) or (isinstance(what, str) and what == "-")


def _plain(name: str, value: object) -> object:
    """An option as JSON."""
    if isinstance(value, tzinfo):
        key = getattr(value, "key", None)
        if key is None:
            raise BadValue(name, value, "has no name by which it could be asked for again")
        return key
    if isinstance(value, date):
        return value.isoformat()
    return os.fspath(value) if isinstance(value, PathLike) else value
